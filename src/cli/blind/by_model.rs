//! `annals blind submit --by-model`: agents that are asked, answered for by a model, each by itself (control-room 7.1).
//!
//! What a model said is sealed as what an agent says: the log has only that it was asked, and the seal of what came, until the
//! pass is closed (decision 40). The user asks for all agents, an agent for itself.

use std::cell::OnceCell;

use annals_llm::Purpose;
use serde_json::Value;

use super::drawer::Drawer;
use super::raw::RawAnswer;
use super::{SealedOpinion, is_closed, reveal, stopped, submit_sealed};
use crate::act::ModelAnswer;
use crate::cli::council::pack::Pack;
use crate::cli::models::{HeardWord, Judge, Judgements, Keeping, Unheard};
use crate::cli::shell::{Done, Shell, Usage};
use crate::domain::blind::command::{Observed, Opinion, Submit};
use crate::engine::Engine;
use crate::engine::query::filter::Filter;
use crate::kernel::actor::USER;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::{AgentId, EntryId, IssueId};
use crate::kernel::json::Json;
use crate::kernel::model_word::ModelWord;
use crate::log::read::Flow;
use crate::role::judged::JudgedQuestion;
use crate::role::judged::opinion::{Proposal, SaidOpinion, question, read};
use crate::view::issue::text::Texts;
use crate::view::issue::title::title;
use crate::view::refusal::told;

/// The decision that opens a pass, and its event.
const OPEN: &str = "blind.pass.open";
const OPENED: &str = "blind.pass.opened";

/// Each agent whose opinion is awaited is asked.
pub(super) fn submit(shell: &mut Shell, engine: &Engine, issue: &IssueId, model: Option<&str>) -> Done {
    let agents = awaited(shell, engine, issue)?;
    let judge = Judge::of(shell, engine, Purpose::Council, model)?;
    let mut judgements = Judgements::default();
    let mut is_over = false;
    for agent in &agents {
        let prompt = proposal(engine, issue, agent)?;
        let (drawer, kept) = (Drawer::of(&shell.environment)?, OnceCell::new());
        let keep = |answer: &ModelAnswer, prompt: &str| {
            let raw = RawAnswer::of(engine, issue, agent, answer, prompt);
            drawer.put(&raw.seal(), &raw)?;
            Ok(kept.get_or_init(|| raw.seal()).clone())
        };
        let word = judge.ask(engine, agent.as_str(), &prompt, Keeping::Sealed(&keep))?;
        match HeardWord::read(word, read) {
            HeardWord::Clear { word, says } => {
                let fate = seal(shell, engine, issue, agent, word, &says, &mut judgements)?;
                is_over |= fate == SealFate::Last;
                // It is in the opinion.
                kept.get().filter(|_| fate != SealFate::NotTaken).inspect(|raw| drawer.throw_away(raw));
            }
            HeardWord::Nothing { word, why } => judgements.unheard(shell, agent.as_str(), word.map(sealed), &why)?,
        }
    }
    let done = judgements.end(shell)?;
    if is_over { reveal(shell, engine, issue) } else { Ok(done) }
}

/// The agents for whom the actor may ask a model, and whose opinion is not in.
fn awaited(shell: &Shell, engine: &Engine, issue: &IssueId) -> anyhow::Result<Vec<AgentId>> {
    let actor = shell.actor();
    let is_meant = |agent: &&AgentId| actor.as_str() == USER || **agent == actor;
    let agents: Vec<AgentId> = engine.ask(|world| {
        let pass = world.rooms.blind.pass(issue).filter(|pass| pass.is_open());
        pass.into_iter().flat_map(|pass| pass.awaited().filter(is_meant).cloned().collect::<Vec<_>>()).collect()
    })?;
    if agents.is_empty() {
        return Err(Usage(format!("no opinion is awaited for which {actor} may ask a model")).into());
    }
    Ok(agents)
}

/// The issue as it stood when the pass was opened: nothing that anybody said of it, and nothing that became of it since.
fn proposal(engine: &Engine, id: &IssueId, agent: &AgentId) -> anyhow::Result<JudgedQuestion> {
    let now = engine.clock().now();
    let least = engine.ask(|world| world.rooms.breaker.limits(agent, now, engine.settings()).min_length)?;
    let found = engine.world_at(opened(engine, id)?)?.ask(|world| {
        let issue = world.rooms.issue.issue(id)?;
        let tags: Vec<&str> = issue.tags.iter().map(AsRef::as_ref).collect();
        Some((title(&world.rooms, issue), issue.text, tags.join(" ")))
    })?;
    let (title, body, tags) = found.ok_or_else(|| Usage(format!("there is no issue {id}")))?;
    let text = Texts(&engine.entries(&[body])?).body(body);
    let least_chars = usize::try_from(least).unwrap_or(usize::MAX);
    let pack = Pack::of(engine, agent.as_str())?;
    Ok(question(&Proposal { title: &title, text: &text, tags: &tags, least_chars }, &pack.member()))
}

/// The entry that opened the pass that is open: the last that opened one on this issue.
fn opened(engine: &Engine, id: &IssueId) -> anyhow::Result<EntryId> {
    let filter = Filter { names: vec![OPEN.to_owned()], mentions: vec![id.to_string()], ..Filter::default() };
    let is_it = |entry: &HistoryEntry| {
        let output = entry.operation.output.as_ref().map(Json::value).unwrap_or_default();
        let mut events = output["events"].as_array().into_iter().flatten();
        let is_opened = |event: &Value| event["name"] == OPENED && event["data"]["issue"] == id.as_str();
        entry.annals.is_decision() && events.any(is_opened)
    };
    let mut last = None;
    engine.reader()?.each(&filter, &mut |found| {
        last = Some(found.entry.id).filter(|_| is_it(&found.entry)).or(last);
        Flow::More
    })?;
    Ok(last.ok_or_else(|| Usage(format!("no blind pass on {id} is in the history: see `annals verify`")))?)
}

/// What became of what was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SealFate {
    /// It is no opinion.
    NotTaken,
    Taken,
    /// It was the last that was awaited: the pass is closed.
    Last,
}

/// Seals what was said.
fn seal(
    shell: &mut Shell,
    engine: &Engine,
    issue: &IssueId,
    agent: &AgentId,
    word: ModelWord,
    says: &SaidOpinion,
    judgements: &mut Judgements,
) -> anyhow::Result<SealFate> {
    // What is sealed is what will be recorded: already clean.
    let word = ModelWord { answer: engine.clean_text(&word.answer), ..word };
    let body = engine.clean_text(&says.body);
    if let Some(refusal) = stopped(engine, issue, agent, &body)? {
        judgements.unheard(shell, agent.as_str(), Some(sealed(word)), &Unheard(told(&refusal).message))?;
        return Ok(SealFate::NotTaken);
    }
    let opinion = Opinion { salt: super::salt(engine), stance: says.stance, body, model: Some(word.clone()) };
    let word = sealed(word);
    let observed = Observed { model: Some(word.clone()), ..Observed::default() };
    let submit = Submit { issue: issue.clone(), agent: Some(agent.clone()) };
    let answer = submit_sealed(shell, engine, SealedOpinion { agent, opinion: &opinion, submit, observed })?;
    let line = format!("the opinion of {agent} is sealed; nobody reads it before the pass is closed");
    judgements.decided(shell, agent.as_str(), word, &answer, |out| out.line(line))?;
    Ok(match (&answer.refusal, is_closed(&answer)) {
        (Some(_), _) => SealFate::NotTaken,
        (None, false) => SealFate::Taken,
        (None, true) => SealFate::Last,
    })
}

/// Without its answer.
fn sealed(word: ModelWord) -> ModelWord {
    ModelWord { answer: Box::default(), ..word }
}
