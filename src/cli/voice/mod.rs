//! `annals voice …`, `annals mute` and `annals unmute`: what agents were told, and where they are told nothing.

pub(super) mod accept;
pub(super) mod report;
mod signed;

use super::registry::{self, rows};
use super::session::named_or_latest;
use super::shell::{Done, Shell};
use crate::domain;
use crate::domain::voice::command::{Mute, MuteSpan, Unmute};
use crate::domain::voice::{Command, Event};
use crate::engine::{Answer, Engine};
use crate::kernel::id::SessionId;
use crate::kernel::json::Json;
use crate::view::voice::{Listener, PieceText, start};

/// Commands about the voice.
pub(super) const ROWS: &[registry::CommandRow] = rows! {
    /// Show what agents were told, what it cost, and what followed
    "report" => Runs(&With(report::run)),
    /// Let agents be told words of other authors
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
        named_or_latest(shell, engine, self.session.as_deref())
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

/// What a session could be told when it begins, whoever wrote it.
pub(super) fn pieces(shell: &Shell, engine: &Engine) -> anyhow::Result<Vec<PieceText>> {
    let (agent, at) = (shell.actor(), shell.now(engine)?);
    let listener = Listener { agent: &agent, session: None, at, settings: engine.settings() };
    shell.ask(engine, |world| start(&world.rooms, listener))
}

fn decide(shell: &Shell, engine: &Engine, command: Command) -> anyhow::Result<Answer> {
    Ok(engine.decide(command, &Json::empty_object(), &shell.by_now())?)
}

fn report(shell: &mut Shell, answer: &Answer) -> Done {
    let line = answer.events.iter().find_map(|event| {
        let domain::Event::Voice(event) = event else { return None };
        Some(match event {
            Event::Given(given) => format!("{} was told something", given.session),
            Event::Unmuted(unmuted) => format!("hooks tell {} again", unmuted.session),
            Event::Muted(muted) => match muted.span {
                MuteSpan::Session => format!("{} is told nothing more; `annals unmute` ends that", muted.session),
                MuteSpan::Prompt => format!("{} is told nothing with the next prompt", muted.session),
            },
        })
    });
    shell.report(answer, |out| out.line(line.unwrap_or_default()))
}
