//! `annals knowledge add|propose|supersede|feedback|archive|restore|expire`: what changes.

use super::{entry, source};
use crate::cli::output::Output;
use crate::cli::shell::{Done, Outcome, Shell, text_of};
use crate::domain::Event;
use crate::domain::knowledge::command::{Add, Archive, Ending, Expire, Give, Propose, Restore, Supersede};
use crate::domain::knowledge::{self, Command, Effect, Kind};
use crate::engine::{Answer, Engine};
use crate::kernel::json::Json;
use crate::kernel::share::Share;

/// Arguments of `annals knowledge add` and `propose`.
#[derive(Debug, clap::Args)]
pub struct AddArguments {
    /// What sort: fact, preference, rule, procedure, correction, decision
    kind: Kind,
    /// The statement, one sentence; - reads it from stdin
    text: String,
    /// A name in it, beside those that are found in the text
    #[arg(long = "entity", value_name = "NAME")]
    entities: Vec<String>,
    /// Whom or what it is about
    #[arg(long)]
    about: Option<String>,
    /// How sure one may be, 0 to 1 [default: as is configured]
    #[arg(long)]
    confidence: Option<Share>,
    /// How much hangs on it: low, medium, high
    #[arg(long)]
    impact: Option<Effect>,
    /// The session in which it was learnt
    #[arg(long, allow_negative_numbers = true)]
    session: Option<String>,
    /// An entry of the history from which it was learnt
    #[arg(long = "from", value_name = "ENTRY")]
    from: Vec<String>,
    /// The entry of knowledge that it takes the place of
    #[arg(long, value_name = "ID")]
    supersedes: Option<String>,
}

/// Arguments of `annals knowledge supersede`.
#[derive(Debug, clap::Args)]
pub struct SupersedeArguments {
    /// The entry that holds no more: its id, or the end of it
    entry: String,
    /// The one that holds instead
    by: String,
}

/// Arguments of `annals knowledge feedback`.
#[derive(Debug, clap::Args)]
pub struct FeedbackArguments {
    /// Which entry: its id, or the end of it
    entry: String,
    /// What came of it: success, failed, neutral
    ending: Ending,
}

/// Arguments of `annals knowledge archive`.
#[derive(Debug, clap::Args)]
pub struct ArchiveArguments {
    /// Which entry: its id, or the end of it
    entry: String,
    /// Why
    #[arg(long)]
    reason: Option<String>,
}

/// Arguments of `annals knowledge restore`.
#[derive(Debug, clap::Args)]
pub struct RestoreArguments {
    /// Which entry: its id, or the end of it
    entry: String,
}

fn names(texts: &[String]) -> Vec<Box<str>> {
    texts.iter().map(|text| text.as_str().into()).collect()
}

pub(super) fn add(shell: &mut Shell, arguments: &AddArguments) -> Done {
    let engine = shell.engine()?;
    let supersedes = arguments.supersedes.as_deref().map(|old| entry(shell, &engine, old)).transpose()?;
    let add = Add {
        kind: arguments.kind,
        content: text_of(&arguments.text)?.into(),
        entities: names(&arguments.entities),
        about: arguments.about.as_deref().map(Into::into),
        confidence: arguments.confidence,
        impact: arguments.impact,
        source: source(shell, &engine, arguments.session.as_deref(), &arguments.from)?,
        supersedes,
    };
    decide(shell, &engine, add)
}

pub(super) fn propose(shell: &mut Shell, arguments: &AddArguments) -> Done {
    let engine = shell.engine()?;
    let propose = Propose {
        kind: arguments.kind,
        content: text_of(&arguments.text)?.into(),
        entities: names(&arguments.entities),
        about: arguments.about.as_deref().map(Into::into),
        confidence: arguments.confidence,
        impact: arguments.impact,
        source: source(shell, &engine, arguments.session.as_deref(), &arguments.from)?,
    };
    decide(shell, &engine, propose)
}

pub(super) fn supersede(shell: &mut Shell, arguments: &SupersedeArguments) -> Done {
    let engine = shell.engine()?;
    let (old, by) = (entry(shell, &engine, &arguments.entry)?, entry(shell, &engine, &arguments.by)?);
    decide(shell, &engine, Supersede { entry: old, by })
}

pub(super) fn feedback(shell: &mut Shell, arguments: &FeedbackArguments) -> Done {
    let engine = shell.engine()?;
    let entry = entry(shell, &engine, &arguments.entry)?;
    decide(shell, &engine, Give { entry, result: arguments.ending })
}

pub(super) fn archive(shell: &mut Shell, arguments: &ArchiveArguments) -> Done {
    let engine = shell.engine()?;
    let entry = entry(shell, &engine, &arguments.entry)?;
    decide(shell, &engine, Archive { entry, reason: arguments.reason.as_deref().map(Into::into) })
}

pub(super) fn restore(shell: &mut Shell, arguments: &RestoreArguments) -> Done {
    let engine = shell.engine()?;
    let entry = entry(shell, &engine, &arguments.entry)?;
    decide(shell, &engine, Restore { entry })
}

pub(super) fn expire(shell: &mut Shell) -> Done {
    let engine = shell.engine()?;
    let answer = engine.decide(Command::from(Expire {}), &Json::empty_object(), &shell.by_now())?;
    if answer.events.is_empty() && answer.refusal.is_none() && !shell.wants_json() {
        shell.out.say("nothing has faded since it was last announced")?;
        return Ok(Outcome::Done);
    }
    shell.report(&answer, |out| say(out, &answer))
}

pub(super) fn decide(shell: &mut Shell, engine: &Engine, command: impl Into<Command>) -> Done {
    shell.decide(engine, command.into(), &Json::empty_object(), say)
}

/// What happened to knowledge, a line each.
pub(super) fn say(out: &mut Output, answer: &Answer) -> std::io::Result<()> {
    for event in &answer.events {
        let Event::Knowledge(event) = event else { continue };
        say_event(out, event)?;
    }
    Ok(())
}

pub(super) fn say_event(out: &mut Output, event: &knowledge::Event) -> std::io::Result<()> {
    use knowledge::Event as E;
    match event {
        E::Added(added) => out.line(format_args!("{} is known, as a {}", added.entry, added.said.kind)),
        E::Superseded(gone) => out.line(format_args!("{} holds in place of {}", gone.by, gone.entry)),
        E::Archived(archived) => out.line(format_args!("{} is archived", archived.entry)),
        E::Restored(restored) => out.line(format_args!("{} is back, and fades anew from now on", restored.entry)),
        E::Faded(faded) => faded.entries.iter().try_for_each(|crossing| {
            out.say(format_args!("{} has faded and is archived since {}", crossing.entry, crossing.at))
        }),
        E::Given(given) => out.line(format_args!("{}: {}", given.entry, given.result)),
        E::Proposed(new) => out.line(format_args!("candidate {} waits for a review", new.candidate)),
        E::Accepted(accepted) => out.line(format_args!("candidate {} is accepted", accepted.candidate)),
        E::Rejected(rejected) => out.line(format_args!("candidate {} is rejected", rejected.candidate)),
        E::Retrieved(_) => Ok(()),
    }
}
