//! `annals session …`: the life of a session as decisions; lists and stories have files of their own.

mod list;
mod show;

pub(super) use self::show::latest;
use super::registry::{Row, rows};
use super::seal;
use super::shell::{Done, Shell};
use crate::domain::Command as Asked;
use crate::domain::session::command::{Abort, Complete};
use crate::domain::session::state::Status;
use crate::domain::session::{self, Event, Observed};
use crate::engine::Engine;
use crate::engine::intercept::Unfinished;
use crate::engine::query::filter::Filter;
use crate::kernel::id::{NO_SESSION, SessionId};
use crate::kernel::json::Json;
use crate::view::{story, summary};

/// Commands about sessions.
pub(super) const ROWS: &[Row] = rows! {
    /// Begin a session; prints its id
    "start" => decides(
        "history.session.start",
        "title --parent<SESSION>:parent_session_id --project:project_id",
        start,
    ),
    /// Pause a session
    "suspend" => decides("history.session.suspend", "session --reason", change),
    /// Go on with a paused session
    "resume" => decides("history.session.resume", "session", change),
    /// End a session as it should end, and summarize it
    "complete" => Runs(&With(complete)),
    /// End a session early
    "abort" => Runs(&With(abort)),
    /// List sessions, the latest first
    "list" => Runs(&With(list::run)),
    /// Read a session: prompts, messages, calls, what failed
    "show" => Runs(&With(show::run)),
};

/// Arguments of `annals session complete`.
#[derive(Debug, clap::Args)]
struct CompleteArguments {
    /// Its id, or the beginning or end of it; @, last and -1 are the latest, -2 is the one before
    #[arg(allow_negative_numbers = true)]
    session: String,
}

/// Arguments of `annals session abort`.
#[derive(Debug, clap::Args)]
struct AbortArguments {
    /// Its id, or the beginning or end of it; @, last and -1 are the latest, -2 is the one before
    #[arg(allow_negative_numbers = true)]
    session: String,
    /// Why
    reason: String,
}

fn start(shell: &mut Shell, engine: &Engine, command: Asked) -> Done {
    let answer = engine.decide(command, &Json::empty_object(), &shell.by(&SessionId::from(NO_SESSION)))?;
    let new = answer.events.iter().find_map(|event| {
        let crate::domain::Event::Session(Event::Started(started)) = event else { return None };
        Some(started.session.clone())
    });
    shell.report(&answer, |out| out.line(new.expect("BUG: a started session has an id")))
}

/// Changes the session that the command is about.
fn change(shell: &mut Shell, engine: &Engine, command: Asked) -> Done {
    let id = SessionId::from(command.data().value()["session"].as_str().unwrap_or_default());
    decide(shell, engine, &id, command, &Json::empty_object())
}

/// Summarizes the session first: the summary is part of the decision.
fn complete(shell: &mut Shell, arguments: &CompleteArguments) -> Done {
    let engine = shell.engine()?;
    let id = shell.find_session(&engine, &arguments.session)?;
    end_calls(&engine, &id, Status::Completed)?;
    let filter = Filter { session: Some(id.clone()), ..Filter::default() };
    let mut entries = engine.reader()?.joined(&filter)?;
    story::in_reading_order(&mut entries);
    let summary =
        engine.ask(|world| world.rooms.session.session(&id).map(|session| summary::summarize(session, &entries)))?;
    let observed = engine.clean_summary(&Json::of(&Observed { summary }));
    let done = decide(shell, &engine, &id, session::Command::from(Complete { session: id.clone() }).into(), &observed)?;
    seal::at_end(shell, &engine, done)
}

fn abort(shell: &mut Shell, arguments: &AbortArguments) -> Done {
    let engine = shell.engine()?;
    let id = shell.find_session(&engine, &arguments.session)?;
    end_calls(&engine, &id, Status::Aborted)?;
    let abort = session::Command::from(Abort { session: id.clone(), reason: arguments.reason.as_str().into() });
    let done = decide(shell, &engine, &id, abort.into(), &Json::empty_object())?;
    seal::at_end(shell, &engine, done)
}

/// The calls of a session that ends can no longer end themselves.
fn end_calls(engine: &Engine, id: &SessionId, to: Status) -> anyhow::Result<()> {
    let may_end =
        engine.ask(|world| world.rooms.session.session(id).is_some_and(|session| session.status.may_become(to)))?;
    if may_end {
        engine.recover_calls(Unfinished::WithSession(id), engine.clock().now())?;
    }
    Ok(())
}

fn decide(shell: &mut Shell, engine: &Engine, id: &SessionId, command: Asked, observed: &Json) -> Done {
    let by = shell.by(id);
    let answer = engine.decide(command, observed, &by)?;
    let what = answer.events.first().map_or("", |event| event.name().rsplit('.').next().unwrap_or_default());
    shell.report(&answer, |out| out.line(format_args!("{what} {id}")))
}
