//! `annals debate advocate|critic|resolve --by-model`: the sides of a debate, and its orchestrator, asked as sub-agents
//! (Dialectic, "Sub-Agent Invocation").
//!
//! Each gets what the document gives it and nothing else. What a debate comes to follows from the table of synthesis: the
//! orchestrator says only what no rule could tell, and why.

use annals_llm::Purpose;

use super::request::message_of;
use super::speak::{ResolveArguments, argued, resolution};
use crate::cli::models::{HeardWord, Judge, Judgements, Keeping};
use crate::cli::named::DEBATE;
use crate::cli::shell::{Done, Shell, Usage, clean};
use crate::domain::dialectic::command::{
    Argue, DebateKind, DebateSide, Facts, Position, Request, Resolve, TextFinding,
};
use crate::domain::dialectic::csp::Message;
use crate::domain::dialectic::limits::{ADVOCATE_TOKENS, CRITIC_TOKENS, SYNTHESIS_TOKENS};
use crate::domain::dialectic::{Command, Debate, Observed};
use crate::engine::Engine;
use crate::engine::query::filter::Filter;
use crate::kernel::id::EntryId;
use crate::kernel::json::Json;
use crate::role::judged::dialectic::{
    DebateCase, RouterContext, advocate_question, critic_question, read_advocate, read_critic, read_synthesis,
    synthesis_question,
};

/// So many of the latest attempts the sides are told of.
const LAST_ATTEMPTS: usize = 2;

/// A debate for which a model is asked.
struct AskedDebate {
    id: Box<str>,
    debate: Debate,
    case: DebateCase,
}

impl AskedDebate {
    fn of(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<Self> {
        let id = super::find(shell, engine, text)?;
        let debate = engine.ask(|world| world.rooms.dialectic.debate(&id).cloned())?;
        let debate = debate.ok_or_else(|| DEBATE.noun.unknown(&id))?;
        let round = u8::try_from(debate.spoken.len()).unwrap_or(u8::MAX).max(1);
        let router = RouterContext {
            stakes: debate.stakes,
            category: debate.category.as_str().to_owned(),
            failures: debate.failures,
            round,
        };
        let request = latest(message_of(&debate, &asked(engine, &id, &debate)?));
        Ok(Self { id, case: DebateCase { request, router }, debate })
    }
}

/// The request in its own words: of the debate itself only a few are kept.
fn asked(engine: &Engine, id: &str, debate: &Debate) -> anyhow::Result<Request> {
    let ids = EntryId::parse(id.as_bytes()).into_iter().collect();
    let found = engine.reader()?.all(&Filter { ids, ..Filter::default() })?;
    let said = found.first().and_then(|found| found.entry.operation.input.value().get("command").cloned());
    let known = said.and_then(|command| serde_json::from_value::<Request>(command).ok());
    Ok(known.unwrap_or_else(|| Request {
        task: debate.summary.clone(),
        kind: debate.kind,
        plan: debate.plan.clone(),
        rounds: Some(debate.rounds),
        stakes: Some(debate.stakes),
        facts: Facts::default(),
        attempts: debate.attempts.clone(),
        errors: debate.errors.clone(),
    }))
}

fn latest(mut request: Message) -> Message {
    if let Message::Failure(failure) = &mut request {
        for texts in [&mut failure.attempts, &mut failure.errors] {
            texts.drain(..texts.len().saturating_sub(LAST_ATTEMPTS));
        }
    }
    request
}

/// One side speaks, if it is its turn.
pub(super) fn speak(shell: &mut Shell, text: &str, side: DebateSide, model: Option<&str>) -> Done {
    let engine = shell.engine()?;
    let AskedDebate { id, debate, case } = AskedDebate::of(shell, &engine, text)?;
    if debate.next().is_none_or(|(next, _)| next != side) || !debate.is_open() {
        return Err(Usage(format!("it is not for the {side} to speak in debate {id}: no model is asked")).into());
    }
    let judge = Judge::of(shell, &engine, Purpose::Dialectic, model)?;
    let (most, kind) = (engine.settings(), debate.kind);
    let prompt = match (side, debate.spoken.last()) {
        (DebateSide::Critic, Some(round)) => critic_question(&case, &round.advocate.position, most.get(&CRITIC_TOKENS)),
        (DebateSide::Advocate | DebateSide::Critic, _) => advocate_question(&case, most.get(&ADVOCATE_TOKENS)),
    };
    let word = judge.ask(&engine, side.as_str(), &prompt, Keeping::Open)?;
    let mut judgements = Judgements::default();
    match HeardWord::read(word, |raw| read(raw, side, kind)) {
        HeardWord::Clear { word, says } => {
            let argue = Argue { debate: id, position: says };
            let observed = Observed { model: Some(word.clone()), ..Observed::default() };
            let answer = engine.decide(Command::from(argue), &Json::of(&observed), &shell.by_now())?;
            judgements.decided(shell, side.as_str(), word, &answer, |out| argued(out, &answer))?;
        }
        HeardWord::Nothing { word, why } => judgements.unheard(shell, side.as_str(), word, &why)?,
    }
    judgements.end(shell)
}

fn read(raw: &str, side: DebateSide, kind: DebateKind) -> Result<Position, crate::role::prompt::BadAnswer> {
    match side {
        DebateSide::Advocate => read_advocate(raw, kind),
        DebateSide::Critic => read_critic(raw, kind),
    }
}

/// The orchestrator says why, and what the rules could not tell; where they could, they are heard.
pub(super) fn resolve(shell: &mut Shell, arguments: &ResolveArguments) -> Done {
    const WHO: &str = "orchestrator";
    let engine = shell.engine()?;
    let AskedDebate { id, debate, case } = AskedDebate::of(shell, &engine, &arguments.debate)?;
    let Some((advocate, critic)) = debate.last_round().filter(|_| debate.is_open()) else {
        return Err(Usage(format!("debate {id} waits for no resolution: no model is asked")).into());
    };
    let judge = Judge::of(shell, &engine, Purpose::Dialectic, arguments.judge.model.as_deref())?;
    let prompt = synthesis_question(&case, advocate, critic, engine.settings().get(&SYNTHESIS_TOKENS));
    let word = judge.ask(&engine, WHO, &prompt, Keeping::Open)?;
    let mut judgements = Judgements::default();
    match HeardWord::read(word, |raw| read_synthesis(raw, debate.kind)) {
        HeardWord::Clear { word, says } => {
            let found = super::speak::found(&debate);
            let observed = Observed { model: Some(word.clone()), ..heard(&found, says.finding) };
            let resolve = Resolve {
                debate: id,
                rationale: Some(says.rationale.into()),
                modifications: arguments.modifications.clone(),
                next_approach: arguments.next_approach.clone(),
                escalate_to: arguments.escalate_to.clone(),
                ..Resolve::default()
            };
            let answer = engine.decide(Command::from(resolve), &Json::of(&observed), &shell.by_now())?;
            let lines = [told(&found, says.finding)].into_iter().flatten().chain(resolution(&engine, &answer));
            let lines: Vec<_> = lines.map(|line| clean(&engine, &line)).collect();
            judgements.decided(shell, WHO, word, &answer, |out| lines.iter().try_for_each(|line| out.line(line)))?;
        }
        HeardWord::Nothing { word, why } => judgements.unheard(shell, WHO, word, &why)?,
    }
    judgements.end(shell)
}

/// The finding of a rule holds; where a rule could not tell, that of the model does.
fn heard(found: &Observed, model: TextFinding) -> Observed {
    let of = |rule: Option<TextFinding>| rule.map(|rule| if rule == TextFinding::Unclear { model } else { rule });
    Observed { substantial: of(found.substantial), actionable: of(found.actionable), model: None }
}

/// What the rule found, beside what the model did.
fn told(found: &Observed, model: TextFinding) -> Option<String> {
    let substantial = found.substantial.map(|rule| ("substantial", rule));
    let (name, rule) = substantial.or_else(|| found.actionable.map(|rule| ("actionable", rule)))?;
    let counts = if rule == TextFinding::Unclear { "the model's word counts" } else { "the rule's word counts" };
    Some(format!("{name}: {rule} by rule, {model} by the model; {counts}"))
}
