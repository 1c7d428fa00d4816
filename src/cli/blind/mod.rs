//! `annals blind open|submit|close|reveal|show`: opinions that nobody sees before all are in (control-room 7.1).

mod by_model;
pub(super) mod drawer;
mod raw;
pub(super) mod show;

use std::collections::BTreeSet;

use anyhow::anyhow;

use self::drawer::Drawer;
use super::issue::find;
use super::models::ByModel;
use super::registry::{CommandRow, rows, text_in};
use super::shell::{CommandOutcome, Done, Shell, Usage, clean, text_of};
use crate::domain::blind::command::{Observed, Open, Opinion, Reveal, Submit};
use crate::domain::blind::state::OpinionFate;
use crate::domain::blind::{Command as Decision, Event as Blind};
use crate::domain::issue::decide::MAX_LENGTH;
use crate::domain::{Command, Event, breaker, issue};
use crate::engine::{Answer, Engine};
use crate::kernel::decision::Refusal;
use crate::kernel::grounding::Stance;
use crate::kernel::id::{AgentId, EntryId, IssueId};
use crate::kernel::json::Json;
use crate::policy::{forewarned, participants};
use crate::view::refusal::said_of;

/// Commands about blind passes.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Ask agents for their opinion on an issue, each by itself; until all are in, no agent comments there
    "open" => Runs(&With(open)),
    /// Give your opinion, sealed until the pass is closed; or let models give those of agents
    "submit" => Runs(&With(submit)),
    /// Wait no longer, and show the opinions that are in
    "close" => decides("blind.pass.close", "issue", close),
    /// Bring the opinions that lie here into the thread of a pass that is closed
    "reveal" => Runs(&With(bring)),
    /// Show who is asked and whose opinion is in; without an issue, the passes that go on
    "show" => Runs(&With(show::run)),
};

/// Arguments of `annals blind open`.
#[derive(Debug, clap::Args)]
pub(super) struct OpenArguments {
    /// On which issue
    issue: String,
    /// Who is asked [default: active agents of the roles in `sanity.blind_pass_roles`]
    #[arg(long = "agent")]
    agents: Vec<String>,
}

/// Arguments of `annals blind submit`.
#[derive(Debug, clap::Args)]
pub(super) struct SubmitArguments {
    /// On which issue
    issue: String,
    /// Markdown; - reads it from stdin
    #[arg(required_unless_present = "by_model", conflicts_with = "by_model")]
    body: Option<String>,
    /// support, oppose or neutral
    #[arg(long, default_value = "neutral")]
    stance: Stance,
    #[command(flatten)]
    judge: ByModel,
}

/// An issue.
#[derive(Debug, clap::Args)]
pub(super) struct IssueArguments {
    /// On which issue
    issue: String,
}

fn open(shell: &mut Shell, arguments: &OpenArguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    let mut agents: BTreeSet<AgentId> =
        arguments.agents.iter().map(|agent| shell.find_agent(&engine, agent)).collect::<anyhow::Result<_>>()?;
    if agents.is_empty() {
        agents = shell.ask(&engine, |world| participants(&world.rooms, engine.settings()))?;
    }
    let names: Vec<&str> = agents.iter().map(AgentId::as_str).collect();
    let names = names.join(", ");
    let command = Decision::Open(Open { issue, participants: agents });
    shell.decide(&engine, command, &Json::empty_object(), |out, _| {
        out.line(format_args!("a blind pass goes on; asked: {names}"))
    })
}

fn submit(shell: &mut Shell, arguments: &SubmitArguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    if arguments.judge.by_model {
        return by_model::submit(shell, &engine, &issue, arguments.judge.model.as_deref());
    }
    // What is sealed is what will be recorded: already clean.
    let body = clean(&engine, &text_of(arguments.body.as_deref().unwrap_or_default())?);
    let most = engine.settings().get(&MAX_LENGTH);
    if body.trim().is_empty() || body.chars().count() > most {
        return Err(anyhow!(Usage(format!("an opinion has 1 to {most} characters"))));
    }
    let warned = stopped(&engine, &issue, &shell.actor(), &body)?;
    if warned.is_some() {
        let unrecorded = Answer { entry: None, events: Vec::new(), refusal: warned, trouble: None };
        return shell.report(&unrecorded, |_| Ok(()));
    }
    let opinion = Opinion { salt: salt(&engine), stance: arguments.stance, body: body.into(), model: None };
    let submit = Submit { issue: issue.clone(), agent: None };
    let (agent, observed) = (&shell.actor(), Observed::default());
    let answer = submit_sealed(shell, &engine, SealedOpinion { agent, opinion: &opinion, submit, observed })?;
    let done =
        shell.report(&answer, |out| out.line("your opinion is sealed; nobody reads it before the pass is closed"))?;
    if is_closed(&answer) { reveal(shell, &engine, &issue) } else { Ok(done) }
}

/// What the rules of words would say to an opinion; afterwards it has no second one.
fn stopped(engine: &Engine, issue: &IssueId, agent: &AgentId, body: &str) -> anyhow::Result<Option<Refusal>> {
    let now = engine.clock().now();
    Ok(engine.ask(|world| {
        let limits = world.rooms.breaker.limits(agent, now, engine.settings());
        forewarned(&world.rooms, issue, agent, body, &limits)
    })?)
}

/// What keeps the hash of an opinion from being guessed.
fn salt(engine: &Engine) -> Box<str> {
    EntryId::new(engine.clock().now(), engine.clock().chance()).to_string().into()
}

/// An opinion that is to be sealed, and how it is given.
struct SealedOpinion<'a> {
    /// Whose.
    agent: &'a AgentId,
    opinion: &'a Opinion,
    submit: Submit,
    /// What was found out, without its seal.
    observed: Observed,
}

/// The text is kept before its hash is recorded: what is sealed can be opened.
fn submit_sealed(shell: &Shell, engine: &Engine, given: SealedOpinion<'_>) -> anyhow::Result<Answer> {
    let SealedOpinion { agent, opinion, submit, observed } = given;
    let (drawer, seal) = (Drawer::of(&shell.environment)?, opinion.seal(&submit.issue, agent));
    drawer.put(&seal, opinion)?;
    let observed = Observed { seal: Some(seal.clone()), ..observed };
    let answer = engine.decide(Decision::Submit(submit), &Json::of(&observed), &shell.by_now())?;
    if answer.refusal.is_some() {
        drawer.throw_away(&seal);
    }
    Ok(answer)
}

fn is_closed(answer: &Answer) -> bool {
    answer.events.iter().any(|event| matches!(event, Event::Blind(Blind::Closed(_))))
}

fn close(shell: &mut Shell, engine: &Engine, command: Command) -> Done {
    let issue = IssueId::from(text_in(&command, "issue"));
    match shell.decide(engine, command, &Json::empty_object(), |out, _| out.line("the pass is closed"))? {
        CommandOutcome::Done => reveal(shell, engine, &issue),
        other @ (CommandOutcome::Refused | CommandOutcome::Exit(_)) => Ok(other),
    }
}

/// Brings what lies here; where that is nothing new, the rules say why. Of a pass that goes on nothing is read.
fn bring(shell: &mut Shell, arguments: &IssueArguments) -> Done {
    let engine = &shell.engine()?;
    let issue = &find(shell, engine, &arguments.issue)?;
    if reveal_each(shell, engine, issue)? > 0 {
        return Ok(CommandOutcome::Done);
    }
    let waiting = shell.ask(engine, |world| {
        let pass = world.rooms.blind.pass(issue).filter(|pass| !pass.is_open())?;
        let opinions = || pass.opinions.iter();
        let first = opinions().find(|(_, sealed)| !sealed.fate.is_final()).or_else(|| opinions().next());
        first.map(|(agent, sealed)| (agent.clone(), sealed.seal.clone()))
    })?;
    let (agent, opinion) = match waiting {
        Some((agent, seal)) => (agent, Drawer::of(&shell.environment)?.get(&seal)?),
        None => (shell.actor(), None),
    };
    let command = Decision::Reveal(Reveal { issue: issue.clone(), agent });
    shell.decide(engine, command, &Json::of(&Observed { opinion, ..Observed::default() }), |_, _| Ok(()))
}

fn reveal(shell: &mut Shell, engine: &Engine, issue: &IssueId) -> Done {
    reveal_each(shell, engine, issue).map(|_| CommandOutcome::Done)
}

/// Records the texts of a closed pass, each in an entry of its own, and says how many. What does not lie here may lie in
/// another clone.
fn reveal_each(shell: &mut Shell, engine: &Engine, issue: &IssueId) -> anyhow::Result<usize> {
    let mut count = raw::record(shell, engine, issue)?;
    let sealed = shell.ask(engine, |world| {
        let pass = world.rooms.blind.pass(issue).filter(|pass| !pass.is_open());
        let opinions = pass.into_iter().flat_map(|pass| &pass.opinions);
        let waiting = opinions.filter(|(_, sealed)| !sealed.fate.is_final());
        waiting.map(|(agent, sealed)| (agent.clone(), sealed.clone())).collect::<Vec<_>>()
    })?;
    let drawer = Drawer::of(&shell.environment)?;
    for (agent, sealed) in sealed {
        let opinion = drawer.get(&sealed.seal)?;
        let fate = match &opinion {
            None => OpinionFate::Missing,
            Some(opinion) if opinion.seal(issue, &agent) != sealed.seal => OpinionFate::Changed,
            Some(_) => OpinionFate::Revealed,
        };
        if sealed.fate == fate {
            continue;
        }
        let observed = Observed { opinion, ..Observed::default() };
        let command = Decision::Reveal(Reveal { issue: issue.clone(), agent: agent.clone() });
        let answer = engine.decide(command, &Json::of(&observed), &shell.by_now())?;
        let became = became(&answer, fate, &agent);
        if became.is_recorded {
            drawer.throw_away(&sealed.seal);
        }
        count += 1;
        shell.report(&answer, |out| out.line(became.line))?;
    }
    Ok(count)
}

/// What became of an opinion that was brought.
struct Became {
    /// Whether its text stands in the history.
    is_recorded: bool,
    /// For people.
    line: String,
}

fn became(answer: &Answer, fate: OpinionFate, agent: &AgentId) -> Became {
    let is_in = answer.events.iter().any(|event| matches!(event, Event::Issue(issue::Event::OpinionRevealed(_))));
    let stopped = answer.events.iter().find_map(|event| {
        let Event::Breaker(breaker::Event::TextRejected(stopped)) = event else { return None };
        Some(stopped.violations.iter().map(said_of).collect::<Vec<_>>().join("; "))
    });
    let line = match (is_in, &stopped, fate) {
        (true, _, _) => format!("the opinion of {agent} stands in the thread"),
        (false, Some(why), _) => format!("the opinion of {agent} is left out: {why}"),
        (false, None, OpinionFate::Missing) => format!("the opinion of {agent} is missing here"),
        (false, None, _) => format!("the opinion of {agent} is not what was sealed; it is left out"),
    };
    Became { is_recorded: is_in || stopped.is_some(), line }
}
