//! `annals session …`: the life of a session as decisions; lists and stories have files of their own.

pub(super) mod handoff;
pub(super) mod list;
mod sections;
pub(super) mod show;
pub(super) mod summary;

pub(super) use self::show::named_or_latest;
use super::registry::{CommandRow, rows, text_in};
use super::seal;
use super::shell::{Done, Shell};
use crate::domain::Command as Asked;
use crate::domain::session::state::SessionStatus;
use crate::domain::session::{Event, Observed};
use crate::engine::Engine;
use crate::engine::intercept::Unfinished;
use crate::engine::query::filter::Filter;
use crate::engine::withheld::withhold_all;
use crate::kernel::id::{NO_SESSION, SessionId};
use crate::kernel::json::Json;
use crate::view::story;
use crate::view::summary::summarize;

/// Commands about sessions.
pub(super) const ROWS: &[CommandRow] = rows! {
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
    "complete" => decides("history.session.complete", "session", complete),
    /// End a session early
    "abort" => decides("history.session.abort", "session reason", abort),
    /// List sessions, the latest first
    "list" => Runs(&With(list::run)),
    /// Read a session: prompts, messages, calls, what failed
    "show" => Runs(&With(show::run)),
    /// Tell the next one what to know of a session, within a budget of tokens
    "handoff" => Runs(&With(handoff::run)),
    /// Show what was done in a session, by rule; let a model say it, too
    "summary" => Runs(&With(summary::run)),
};

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
    let id = SessionId::from(text_in(&command, "session"));
    decide(shell, engine, &id, command, &Json::empty_object())
}

/// Summarizes the session first: the summary is part of the decision.
fn complete(shell: &mut Shell, engine: &Engine, command: Asked) -> Done {
    let id = SessionId::from(text_in(&command, "session"));
    end_calls(engine, &id, SessionStatus::Completed)?;
    let filter = Filter { session: Some(id.clone()), ..Filter::default() };
    let mut entries = engine.reader()?.joined(&filter)?;
    story::in_reading_order(&mut entries);
    // A summary is embedded, and told to agents and models.
    withhold_all(engine.sanitizer(), &mut entries);
    let summary = engine.ask(|world| world.rooms.session.session(&id).map(|session| summarize(session, &entries)))?;
    let observed = engine.clean_summary(&Json::of(&Observed { summary, model: None }));
    let done = decide(shell, engine, &id, command, &observed)?;
    seal::at_end(shell, engine, done)
}

fn abort(shell: &mut Shell, engine: &Engine, command: Asked) -> Done {
    let id = SessionId::from(text_in(&command, "session"));
    end_calls(engine, &id, SessionStatus::Aborted)?;
    let done = decide(shell, engine, &id, command, &Json::empty_object())?;
    seal::at_end(shell, engine, done)
}

/// The calls of a session that ends can no longer end themselves.
fn end_calls(engine: &Engine, id: &SessionId, to: SessionStatus) -> anyhow::Result<()> {
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
