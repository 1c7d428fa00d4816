//! `annals knowledge expire`, and what decisions about knowledge say.

use crate::cli::output::Output;
use crate::cli::shell::{Done, Shell};
use crate::domain::knowledge;
use crate::domain::{Command as Asked, Event};
use crate::engine::{Answer, Engine};
use crate::kernel::json::Json;

/// Announces what has faded.
pub(super) fn expire(shell: &mut Shell, engine: &Engine, command: Asked) -> Done {
    decide_or(shell, engine, command, "nothing has faded since it was last announced")
}

/// Decides, and says what happened, or that nothing did.
pub(super) fn decide_or(shell: &mut Shell, engine: &Engine, command: Asked, nothing: &str) -> Done {
    shell.decide(engine, command, &Json::empty_object(), |out, answer| {
        if answer.events.is_empty() { out.say(nothing) } else { say(out, answer) }
    })
}

/// Decides, and says what became of knowledge.
pub(super) fn decide(shell: &mut Shell, engine: &Engine, command: Asked) -> Done {
    shell.decide(engine, command, &Json::empty_object(), say)
}

/// What happened to knowledge, a line each.
pub(in crate::cli) fn say(out: &mut Output, answer: &Answer) -> std::io::Result<()> {
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
