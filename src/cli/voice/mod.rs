//! `annals voice …`, `annals mute` and `annals unmute`: what agents were told, and where they are told nothing.

pub(super) mod accept;
pub(super) mod report;

use super::registry::{self, rows};
use super::session::latest;
use super::shell::{Done, Shell};
use crate::domain::voice::command::{Mute, MuteSpan, Unmute};
use crate::domain::voice::{Command, Event};
use crate::domain::{self};
use crate::engine::{Answer, Engine};
use crate::kernel::id::SessionId;
use crate::kernel::json::Json;

/// Commands about the voice.
pub(super) const ROWS: &[registry::CommandRow] = rows! {
    /// Show what agents were told, what it cost, and what followed
    "report" => Runs(&With(report::run)),
    /// Let agents be told what somebody else wrote
    "accept" => Runs(&With(accept::run)),
};

/// Arguments of `annals mute`.
#[derive(Debug, clap::Args)]
pub(super) struct MuteArguments {
    #[command(flatten)]
    which: WhichArguments,
    /// Only for the next prompt, and what follows it
    #[arg(long)]
    prompt: bool,
}

/// Which session.
#[derive(Debug, clap::Args)]
pub(super) struct WhichArguments {
    /// Its id, the beginning or end of it, or the id of its own tool [default: the latest]
    #[arg(allow_negative_numbers = true)]
    session: Option<String>,
}

impl WhichArguments {
    fn find(&self, shell: &Shell, engine: &Engine) -> anyhow::Result<SessionId> {
        match &self.session {
            Some(text) => shell.find_session(engine, text),
            None => latest(shell, engine),
        }
    }
}

pub(super) fn mute(shell: &mut Shell, arguments: &MuteArguments) -> Done {
    let engine = shell.engine()?;
    let session = arguments.which.find(shell, &engine)?;
    let span = Some(if arguments.prompt { MuteSpan::Prompt } else { MuteSpan::Session });
    let answer = decide(shell, &engine, Mute { session, span }.into())?;
    report(shell, &answer)
}

pub(super) fn unmute(shell: &mut Shell, arguments: &WhichArguments) -> Done {
    let engine = shell.engine()?;
    let session = arguments.find(shell, &engine)?;
    let answer = decide(shell, &engine, Unmute { session }.into())?;
    report(shell, &answer)
}

fn decide(shell: &Shell, engine: &Engine, command: Command) -> anyhow::Result<Answer> {
    Ok(engine.decide(command, &Json::empty_object(), &shell.by_now())?)
}

fn report(shell: &mut Shell, answer: &Answer) -> Done {
    let line = answer.events.iter().find_map(|event| {
        let domain::Event::Voice(event) = event else { return None };
        Some(match event {
            Event::Given(given) => format!("{} was told something", given.session),
            Event::Unmuted(unmuted) => format!("{} is told what is known again", unmuted.session),
            Event::Muted(muted) => match muted.span {
                MuteSpan::Session => format!("{} is told nothing more; `annals unmute` ends that", muted.session),
                MuteSpan::Prompt => format!("{} is told nothing with the next prompt", muted.session),
            },
        })
    });
    shell.report(answer, |out| out.line(line.unwrap_or_default()))
}
