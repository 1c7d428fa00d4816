//! `annals session …`: the life of a session as decisions, and lists.

use super::shell::{Done, Outcome, Shell, find_session};
use crate::domain::session::command::{Abort, Complete, Resume, Start, Suspend};
use crate::domain::session::state::Status;
use crate::domain::session::{self, Event};
use crate::engine::intercept::Unfinished;
use crate::engine::settings::IDLE_MINUTES;
use crate::kernel::id::SessionId;
use crate::kernel::json::Json;

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
        /// Its id, or the beginning or end of it
        session: String,
        /// Why
        #[arg(long)]
        reason: Option<String>,
    },
    /// Go on with a paused session
    Resume {
        /// Its id, or the beginning or end of it
        session: String,
    },
    /// End a session as it should end, and summarize it
    Complete {
        /// Its id, or the beginning or end of it
        session: String,
    },
    /// End a session early
    Abort {
        /// Its id, or the beginning or end of it
        session: String,
        /// Why
        reason: String,
    },
    /// List sessions, the latest first
    List {
        /// How many
        #[arg(short = 'n', long, default_value_t = 20)]
        lines: usize,
    },
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Start { title, parent, project } => start(shell, title, parent, project),
        Command::Suspend { session, reason } => {
            change(shell, &session, |session| Suspend { session, reason: reason.map(Into::into) }.into())
        }
        Command::Resume { session } => change(shell, &session, |session| Resume { session }.into()),
        Command::Complete { session } => end(shell, &session, Status::Completed, |session| Complete { session }.into()),
        Command::Abort { session, reason } => {
            end(shell, &session, Status::Aborted, |session| Abort { session, reason: reason.into() }.into())
        }
        Command::List { lines } => list(shell, lines),
    }
}

fn start(shell: &mut Shell, title: Option<String>, parent: Option<String>, project: Option<String>) -> Done {
    let engine = shell.engine()?;
    let parent_session_id = match parent {
        Some(parent) => Some(find_session(&mut shell.world(&engine)?, &parent)?),
        None => None,
    };
    let start = Start { title: title.map(Into::into), parent_session_id, project_id: project.map(Into::into) };
    let by = shell.by(&SessionId::from("new"));
    let answer = engine.decide(session::Command::from(start), &Json::empty_object(), &by)?;
    let new = answer.events.iter().find_map(|event| {
        let crate::domain::Event::Session(Event::Started(started)) = event else { return None };
        Some(started.session.clone())
    });
    shell.report(&answer, |out| out.line(new.expect("BUG: a started session has an id")))
}

fn change(shell: &mut Shell, text: &str, command: impl FnOnce(SessionId) -> session::Command) -> Done {
    let engine = shell.engine()?;
    let id = find_session(&mut shell.world(&engine)?, text)?;
    let by = shell.by(&id);
    let answer = engine.decide(command(id.clone()), &Json::empty_object(), &by)?;
    let what = answer.events.first().map_or("", |event| event.name().rsplit('.').next().unwrap_or_default());
    shell.report(&answer, |out| out.line(format_args!("{what} {id}")))
}

/// The calls of a session that ends can no longer end themselves.
fn end(shell: &mut Shell, text: &str, to: Status, command: impl FnOnce(SessionId) -> session::Command) -> Done {
    let engine = shell.engine()?;
    let id = find_session(&mut shell.world(&engine)?, text)?;
    let may_end = shell
        .ask(&engine, |world| world.rooms.session.session(&id).is_some_and(|session| session.status.may_become(to)))?;
    if may_end {
        engine.recover_calls(Unfinished::WithSession(&id), engine.clock().now())?;
    }
    change(shell, id.as_str(), command)
}

fn list(shell: &mut Shell, lines: usize) -> Done {
    let engine = shell.engine()?;
    let (now, silent_ms) = (shell.now(&engine)?, engine.settings().get(&IDLE_MINUTES) * 60_000);
    let rows = shell.ask(&engine, |world| {
        let sessions = world.rooms.session.sessions.first_by_rank(lines);
        let row = |(id, session): (&SessionId, &session::Session)| {
            vec![
                id.to_string(),
                session.status_at(now, silent_ms).to_string(),
                session.updated_at.to_string(),
                session.stats.operation_count.to_string(),
                session.title.as_ref().map_or("", |title| title.as_str()).to_owned(),
            ]
        };
        sessions.into_iter().map(row).collect::<Vec<_>>()
    })?;
    shell.out.table(&["session", "status", "last entry", "entries", "title"], &rows)?;
    Ok(Outcome::Done)
}
