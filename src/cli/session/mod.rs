//! `annals session …`: the life of a session as decisions; lists and stories have files of their own.

mod list;
mod show;

pub(super) use self::show::latest;
use super::seal;
use super::shell::{Done, Shell};
use crate::domain::session::command::{Abort, Complete, Resume, Start, Suspend};
use crate::domain::session::state::Status;
use crate::domain::session::{self, Event, Observed};
use crate::engine::Engine;
use crate::engine::intercept::Unfinished;
use crate::engine::query::filter::Filter;
use crate::kernel::id::{NO_SESSION, SessionId};
use crate::kernel::json::Json;
use crate::view::{story, summary};

/// Commands about sessions.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Begin a session; prints its id
    Start {
        /// What it is about
        title: Option<String>,
        /// The session that delegates to it
        #[arg(long, value_name = "SESSION")]
        parent: Option<String>,
        /// The project it belongs to
        #[arg(long)]
        project: Option<String>,
    },
    /// Pause a session
    Suspend {
        /// Its id, or the beginning or end of it; @, last and -1 are the latest, -2 is the one before
        #[arg(allow_negative_numbers = true)]
        session: String,
        /// Why
        #[arg(long)]
        reason: Option<String>,
    },
    /// Go on with a paused session
    Resume {
        /// Its id, or the beginning or end of it; @, last and -1 are the latest, -2 is the one before
        #[arg(allow_negative_numbers = true)]
        session: String,
    },
    /// End a session as it should end, and summarize it
    Complete {
        /// Its id, or the beginning or end of it; @, last and -1 are the latest, -2 is the one before
        #[arg(allow_negative_numbers = true)]
        session: String,
    },
    /// End a session early
    Abort {
        /// Its id, or the beginning or end of it; @, last and -1 are the latest, -2 is the one before
        #[arg(allow_negative_numbers = true)]
        session: String,
        /// Why
        reason: String,
    },
    /// List sessions, the latest first
    List(list::Arguments),
    /// Read a session: prompts, messages, calls, what failed
    Show(show::Arguments),
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Start { title, parent, project } => start(shell, title, parent, project),
        Command::Suspend { session, reason } => {
            change(shell, &session, |session| Suspend { session, reason: reason.map(Into::into) }.into())
        }
        Command::Resume { session } => change(shell, &session, |session| Resume { session }.into()),
        Command::Complete { session } => complete(shell, &session),
        Command::Abort { session, reason } => abort(shell, &session, reason),
        Command::List(arguments) => list::run(shell, &arguments),
        Command::Show(arguments) => show::run(shell, &arguments),
    }
}

fn start(shell: &mut Shell, title: Option<String>, parent: Option<String>, project: Option<String>) -> Done {
    let engine = shell.engine()?;
    let parent_session_id = match parent {
        Some(parent) => Some(shell.find_session(&engine, &parent)?),
        None => None,
    };
    let start = Start { title: title.map(Into::into), parent_session_id, project_id: project.map(Into::into) };
    let by = shell.by(&SessionId::from(NO_SESSION));
    let answer = engine.decide(session::Command::from(start), &Json::empty_object(), &by)?;
    let new = answer.events.iter().find_map(|event| {
        let crate::domain::Event::Session(Event::Started(started)) = event else { return None };
        Some(started.session.clone())
    });
    shell.report(&answer, |out| out.line(new.expect("BUG: a started session has an id")))
}

fn change(shell: &mut Shell, text: &str, command: impl FnOnce(SessionId) -> session::Command) -> Done {
    let engine = shell.engine()?;
    let id = shell.find_session(&engine, text)?;
    decide(shell, &engine, &id, command(id.clone()), &Json::empty_object())
}

/// Summarizes the session first: the summary is part of the decision.
fn complete(shell: &mut Shell, text: &str) -> Done {
    let engine = shell.engine()?;
    let id = shell.find_session(&engine, text)?;
    end_calls(&engine, &id, Status::Completed)?;
    let filter = Filter { session: Some(id.clone()), ..Filter::default() };
    let mut entries = engine.reader()?.joined(&filter)?;
    story::in_reading_order(&mut entries);
    let summary =
        engine.ask(|world| world.rooms.session.session(&id).map(|session| summary::summarize(session, &entries)))?;
    let observed = engine.clean_summary(&Json::of(&Observed { summary }));
    let done = decide(shell, &engine, &id, Complete { session: id.clone() }.into(), &observed)?;
    seal::at_end(shell, &engine, done)
}

fn abort(shell: &mut Shell, text: &str, reason: String) -> Done {
    let engine = shell.engine()?;
    let id = shell.find_session(&engine, text)?;
    end_calls(&engine, &id, Status::Aborted)?;
    let abort = Abort { session: id.clone(), reason: reason.into() };
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

fn decide(shell: &mut Shell, engine: &Engine, id: &SessionId, command: session::Command, observed: &Json) -> Done {
    let by = shell.by(id);
    let answer = engine.decide(command, observed, &by)?;
    let what = answer.events.first().map_or("", |event| event.name().rsplit('.').next().unwrap_or_default());
    shell.report(&answer, |out| out.line(format_args!("{what} {id}")))
}
