//! What every command needs: the engine, the output, who acts, and what becomes of errors.
//!
//! Exit codes: 0 done, 1 refused by a rule, 2 usage, 3 the world failed, 101 our bug.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};

use super::Common;
use super::environment::Environment;
use super::output::Output;
use crate::engine::clock::Clock;
use crate::engine::live::Live;
use crate::engine::{Answer, By, Engine, EngineError};
use crate::kernel::id::{AgentId, EntryId, SessionId};
use crate::kernel::time::{Day, Timestamp};
use crate::log::disk::RealDisk;
use crate::world::World;

/// What a command comes to.
pub type Done = anyhow::Result<Outcome>;

/// How a command that did not fail ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It did what was asked.
    Done,
    /// A rule or a check said no, and the command has said so.
    Refused,
    /// It ran another program, and ends as that did.
    Exit(u8),
}

/// A command that was used wrongly in a way that its arguments alone do not show.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// What every command needs.
pub struct Shell {
    /// The environment.
    pub environment: Environment,
    /// Options of every command.
    common: Common,
    /// Where it prints.
    pub out: Output,
}

impl Shell {
    pub(super) fn new(environment: Environment, common: Common, out: Output) -> Self {
        Self { environment, common, out }
    }

    /// Whether JSON was asked for.
    pub fn wants_json(&self) -> bool {
        self.common.json
    }

    /// Who acts.
    pub fn actor(&self) -> AgentId {
        AgentId::from(self.common.actor.as_str())
    }

    /// Who acts, in a session.
    pub fn by(&self, session: &SessionId) -> By {
        By { actor: self.actor(), session: session.clone() }
    }

    /// Time and chance, as the environment fixes them.
    pub fn clock(&self) -> anyhow::Result<Clock> {
        let now = self.environment.now.as_deref().map(str::parse::<Timestamp>).transpose();
        Ok(Clock::new(now.context("ANNALS_NOW")?, self.environment.seed.clone()))
    }

    /// The .context folder that was named, or the nearest one above the working directory.
    pub fn context(&self) -> Result<PathBuf, EngineError> {
        if let Some(named) = &self.common.context {
            let path = self.environment.directory.join(named);
            return if path.is_dir() { Ok(path) } else { Err(EngineError::NoContext { from: path }) };
        }
        let from = &self.environment.directory;
        let found = from.ancestors().map(|folder| folder.join(".context")).find(|path| path.is_dir());
        found.ok_or_else(|| EngineError::NoContext { from: from.clone() })
    }

    /// The .context folder that was named, whether it is there or not.
    pub fn named_context(&self) -> Option<&Path> {
        self.common.context.as_deref()
    }

    /// The engine on that folder.
    pub fn engine(&self) -> anyhow::Result<Engine> {
        self.engine_on(&self.context()?)
    }

    /// The engine on a folder.
    pub fn engine_on(&self, context: &Path) -> anyhow::Result<Engine> {
        let engine = Engine::open(Arc::new(RealDisk), context, self.clock()?)?;
        // What hooks put aside; where it cannot be recorded now, it waits on, and `doctor` says so.
        let _ = crate::hook::spool::drain(&engine);
        Ok(engine)
    }

    /// The last entry of the state that was asked for with `--at`.
    pub fn until(&self) -> anyhow::Result<EntryId> {
        let Some(at) = &self.common.at else { return Ok(EntryId::MAX) };
        if let Ok(entry) = at.parse::<EntryId>() {
            return Ok(entry);
        }
        let end_of_day = |day: Day| day.plus(1).start().plus_millis(-1);
        let time = at.parse::<Timestamp>().ok().or_else(|| at.parse::<Day>().ok().map(end_of_day));
        let time = time.ok_or_else(|| Usage(format!("--at {at}: give a time, a day or the id of an entry")))?;
        Ok(EntryId::new(time, u128::MAX))
    }

    /// The time of the state that was asked for: now, unless `--at` says otherwise.
    pub fn now(&self, engine: &Engine) -> anyhow::Result<Timestamp> {
        let until = self.until()?;
        Ok(if until == EntryId::MAX { engine.clock().now() } else { until.time() })
    }

    /// Asks the world that was asked for with `--at`.
    pub fn ask<T>(&self, engine: &Engine, question: impl FnMut(&World) -> T) -> anyhow::Result<T> {
        let until = self.until()?;
        if until == EntryId::MAX {
            return Ok(engine.ask(question)?);
        }
        Ok(engine.world_at(until)?.ask(question)?)
    }

    /// The world that was asked for with `--at`, for whoever asks more than once.
    pub fn world(&self, engine: &Engine) -> anyhow::Result<Live> {
        Ok(engine.world_at(self.until()?)?)
    }

    /// Says what came of a command that decides.
    pub fn report(&mut self, answer: &Answer, done: impl FnOnce(&mut Output) -> std::io::Result<()>) -> Done {
        let Some(refusal) = &answer.refusal else {
            if self.wants_json() {
                let events = answer.events.iter().map(|event| {
                    serde_json::json!({
                        "name": event.name(), "data": event.data(),
                    })
                });
                let events: Vec<_> = events.collect();
                self.out.json(&serde_json::json!({
                    "schema": "annals.decision/v1", "entry": answer.entry, "events": events,
                }))?;
            } else {
                done(&mut self.out)?;
            }
            return Ok(Outcome::Done);
        };
        if self.wants_json() {
            self.out.json(&serde_json::json!({
                "schema": "annals.decision/v1", "entry": answer.entry, "refusal": refusal,
            }))?;
        } else {
            self.out.say(format_args!("refused: {}", refusal.message))?;
            if let Some(hint) = &refusal.hint {
                self.out.say(format_args!("hint: {hint}"))?;
            }
        }
        Ok(Outcome::Refused)
    }

    /// Ends the program: prints what went wrong and gives the exit code.
    pub(super) fn finish(mut self, result: Done) -> ExitCode {
        let flushed = self.out.flush().map_err(anyhow::Error::from);
        match result.and_then(|outcome| flushed.map(|()| outcome)) {
            Ok(Outcome::Done) => ExitCode::SUCCESS,
            Ok(Outcome::Refused) => ExitCode::from(1),
            Ok(Outcome::Exit(code)) => ExitCode::from(code),
            Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
            Err(error) => {
                // When stderr is gone, too, there is nobody left to tell.
                let _ = self.out.say(format_args!("annals: {error:#}"));
                if let Some(hint) = hint_for(&error) {
                    let _ = self.out.say(format_args!("hint: {hint}"));
                }
                ExitCode::from(if error.is::<Usage>() { 2 } else { 3 })
            }
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    kinds.into_iter().any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

fn hint_for(error: &anyhow::Error) -> Option<&'static str> {
    match error.downcast_ref::<EngineError>()? {
        EngineError::NoContext { .. } => Some("`annals init` makes one"),
        EngineError::Config(_) | EngineError::Pattern(_) => Some("`annals config list` shows keys and types"),
        EngineError::Log(_) | EngineError::UnknownCall { .. } => None,
    }
}

/// Prints help or what was wrong with the arguments.
pub(super) fn usage(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

/// A session by its id, the beginning or end of it, or the id that its own tool gave it.
pub fn find_session(live: &mut Live, text: &str) -> anyhow::Result<SessionId> {
    let exact = SessionId::from(text);
    if live.ask(|world| world.rooms.session.session(&exact).is_some())? {
        return Ok(exact);
    }
    let found: Vec<SessionId> = live.ask(|world| {
        let sessions = world.rooms.session.sessions.iter();
        let fits = |id: &SessionId, native: Option<&str>| {
            let upper = text.to_ascii_uppercase();
            id.as_str().starts_with(&upper)
                || id.as_str().ends_with(&upper)
                || native.is_some_and(|id| id.starts_with(text))
        };
        let native = |session: &crate::domain::session::Session| session.native.as_ref().map(|(_, id)| id.to_string());
        sessions.filter(|(id, session)| fits(id, native(session).as_deref())).map(|(id, _)| id.clone()).collect()
    })?;
    match found.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(anyhow!(Usage(format!("there is no session {text}; `annals session list` shows those there are")))),
        several => Err(anyhow!(Usage(format!("{text} stands for {} sessions; give more of the id", several.len())))),
    }
}
