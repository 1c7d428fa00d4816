//! What every command needs: the engine, the output, who acts, and what becomes of errors.
//!
//! Exit codes: 0 done, 1 refused by a rule, 2 usage, 3 the world failed, 101 our bug.

use std::cell::OnceCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;

use super::Common;
use super::decided::Decided;
use super::environment::Environment;
use super::given::not_given;
use super::output::{Output, say_anyway, say_usage};
use super::time::{self, Span};
use super::{help, hint};
use crate::act::RunError;
use crate::domain::{Command, Event, canon};
use crate::engine::clock::Clock;
use crate::engine::live::Cache;
use crate::engine::settings::VIEWS_AUTO;
use crate::engine::{Answer, By, Engine, EngineError, Touched};
use crate::kernel::actor::USER;
use crate::kernel::counted::count;
use crate::kernel::decision::Refusal;
use crate::kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use crate::kernel::json::{Json, sha256_hex};
use crate::kernel::time::Timestamp;
use crate::log::LogError;
use crate::log::disk::RealDisk;
use crate::log::kept::Kept;
use crate::log::order::Notices;
use crate::log::tail::Repair;
use crate::log::taken::{Asks, Git};
use crate::log::writer::Writes;
use crate::sanitizer::{Context as SanitizerContext, Source};
use crate::view::refusal::{ToldRefusal, told};
use crate::view::render;
use crate::world::World;

/// What a command comes to.
pub(super) type Done = anyhow::Result<CommandOutcome>;

/// How a command that did not fail ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommandOutcome {
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
pub(super) struct Usage(pub String);

/// Which end of a span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    /// Its first moment.
    First,
    /// Its last moment.
    Last,
}

/// What every command needs.
pub(super) struct Shell {
    /// The environment.
    pub environment: Environment,
    /// Options of every command.
    common: Common,
    /// The agent of the roster that the program in whose shell this is acts as.
    bound: OnceCell<AgentId>,
    /// Where it prints.
    pub out: Output,
}

impl Shell {
    pub(super) fn new(environment: Environment, common: Common, out: Output) -> Self {
        Self { environment, common, bound: OnceCell::new(), out }
    }

    /// Whether JSON was asked for.
    pub(super) fn wants_json(&self) -> bool {
        self.common.json
    }

    /// Who acts: who is named; else the agent whose shell this is; else the user (decision 55).
    pub(super) fn actor(&self) -> AgentId {
        let named = self.named_actor().map(AgentId::from);
        let program = || self.environment.agent.as_deref().map(AgentId::from);
        named.or_else(|| self.bound.get().cloned()).or_else(program).unwrap_or_else(|| AgentId::from(USER))
    }

    /// Who is to act, where that was said.
    pub(super) fn named_actor(&self) -> Option<&str> {
        self.common.actor.as_deref().or(self.environment.actor.as_deref())
    }

    /// Learns which agent of the roster acts, where it is a program's.
    fn learn_actor(&self, engine: &Engine) {
        let Some(program) = self.environment.agent.as_deref().filter(|_| self.named_actor().is_none()) else { return };
        // Where the roster cannot be read, the program acts under its own name.
        if let Ok(Some(agent)) = engine.ask(|world| world.rooms.roster.bound_to(program).cloned()) {
            let _ = self.bound.set(agent);
        }
    }

    /// Who acts, in a session.
    pub(super) fn by(&self, session: &SessionId) -> By {
        let proof = self.environment.token.as_ref().map(|token| sha256_hex(token.as_bytes()).into());
        By { proof, shell: self.environment.agent.clone(), ..By::new(self.actor(), session.clone()) }
    }

    /// Who acts, in the session that the environment names, or in none.
    pub(super) fn by_now(&self) -> By {
        self.by(&SessionId::from(self.environment.session.as_deref().unwrap_or(NO_SESSION)))
    }

    /// Decides something that belongs to no session of its own, and says what came of it.
    pub(super) fn decide(
        &mut self,
        engine: &Engine,
        command: impl Into<Command>,
        observed: &Json,
        done: impl FnOnce(&mut Output, &Answer) -> std::io::Result<()>,
    ) -> Done {
        let answer = engine.decide(command, observed, &self.by_now())?;
        self.report(&answer, |out| done(out, &answer))
    }

    /// The .context folder that was named, or the nearest one above the working directory.
    pub(super) fn context(&self) -> Result<PathBuf, EngineError> {
        if let Some(named) = &self.common.context {
            let path = self.environment.directory.join(named);
            return if path.is_dir() { Ok(path) } else { Err(EngineError::NoContext { from: path }) };
        }
        let from = &self.environment.directory;
        let found = from.ancestors().map(|folder| folder.join(".context")).find(|path| path.is_dir());
        found.ok_or_else(|| EngineError::NoContext { from: from.clone() })
    }

    /// The .context folder that was named, whether it is there or not.
    pub(super) fn named_context(&self) -> Option<&Path> {
        self.common.context.as_deref()
    }

    /// The engine on that folder.
    pub(super) fn engine(&self) -> anyhow::Result<Engine> {
        self.engine_on(&self.context()?)
    }

    /// The engine on a folder. What git took away is put back.
    pub(super) fn engine_on(&self, context: &Path) -> anyhow::Result<Engine> {
        let engine = self.open(context)?;
        super::doctor::say_set_aside(&engine);
        if self.common.at.is_none()
            && let Err(error) = engine.log().put_back()
        {
            say_unrescued(&error);
        }
        let engine = engine.with_own_entries()?;
        self.learn_actor(&engine);
        // What hooks put aside; where it cannot be recorded now, it waits on, and `doctor` says so.
        let _ = crate::hook::spool::drain(&engine);
        // What hooks had no means to decide; it waits on, too.
        let _ = crate::hook::due::settle(&engine);
        // What was written beside --at would be of now, whatever it said.
        let writes = if self.common.at.is_some() { Writes::Refused } else { Writes::Allowed };
        let engine = engine.with_writes(writes);
        if engine.settings().get(&VIEWS_AUTO) { Ok(engine.after_writing(Box::new(keep_views))) } else { Ok(engine) }
    }

    /// The engine on the folder of the command, which stays as it is.
    pub(super) fn engine_as_it_stands(&self) -> anyhow::Result<Engine> {
        self.open(&self.context()?)
    }

    /// The engine on a folder, in the time that the environment gives, where the folder takes one.
    fn open(&self, context: &Path) -> anyhow::Result<Engine> {
        let engine = self.open_in_machine_time(context)?;
        match self.environment.giving() {
            None => Ok(engine),
            Some(_) if engine.is_clock_given()? => Ok(engine.with_clock(self.environment.given_clock()?)),
            Some(variable) => Err(not_given(variable).into()),
        }
    }

    /// The engine on a folder whatever the environment says of time, for the command that settles whether that counts.
    pub(super) fn open_in_machine_time(&self, context: &Path) -> anyhow::Result<Engine> {
        let cache = if self.common.fresh { Cache::Ignored } else { Cache::Used };
        let git = Git::find(context, &self.environment.git, Asks::Branches);
        let disk = Kept::new(RealDisk, git.as_ref().and_then(Git::seconds).cloned());
        let engine = Engine::open(Arc::new(disk), context, Clock::default())?;
        for flaw in engine.config_flaws() {
            say_anyway(format_args!("annals: {flaw}"));
        }
        Ok(engine.within(git)?.with_cache(cache).telling_repairs(Box::new(say_repair)))
    }

    /// Says how many lines could not be read as they stand.
    pub(super) fn say_noticed(&mut self, notices: &Notices) -> std::io::Result<()> {
        match notices.trouble_count {
            0 => Ok(()),
            1 => self.out.say("1 line is damaged: what could be read of it is here; `annals verify` names it"),
            many => self.out.say(format_args!(
                "{many} lines are damaged: what could be read of them is here; `annals verify` names them"
            )),
        }
    }

    /// Says how much of files that hold secrets a model is not told.
    pub(super) fn say_withheld(&mut self, left_out: usize) -> std::io::Result<()> {
        if left_out == 0 {
            return Ok(());
        }
        let what = count(left_out, "call or line of", "calls and lines of");
        self.out.say(format_args!("not told to the model: {what} files that hold secrets"))
    }

    /// The last entry of the state that was asked for with `--at`.
    pub(super) fn until(&self) -> anyhow::Result<EntryId> {
        let Some(at) = &self.common.at else { return Ok(EntryId::MAX) };
        if let Ok(entry) = at.parse::<EntryId>() {
            return Ok(entry);
        }
        self.bound("--at", at, Edge::Last)
    }

    /// The span of time that a text stands for, in any form that `time` reads.
    pub(super) fn span(&self, text: &str) -> Option<Span> {
        time::read(text, self.environment.given_clock().unwrap_or_default().now())
    }

    /// The first or last id of a time, in any form that `time` reads.
    pub(super) fn bound(&self, option: &str, text: &str, edge: Edge) -> anyhow::Result<EntryId> {
        let span = self.span(text).ok_or_else(|| Usage(format!("{option} {text}: {}", time::FORMS)))?;
        Ok(match edge {
            Edge::First => EntryId::new(span.first, 0),
            Edge::Last => EntryId::new(span.last, u128::MAX),
        })
    }

    /// The time of the state that was asked for: now, unless `--at` says otherwise.
    pub(super) fn now(&self, engine: &Engine) -> anyhow::Result<Timestamp> {
        let until = self.until()?;
        Ok(if until == EntryId::MAX { engine.clock().now() } else { engine.turn_of(until)?.time() })
    }

    /// Asks the world that was asked for with `--at`.
    pub(super) fn ask<T>(&self, engine: &Engine, question: impl FnMut(&World) -> T) -> anyhow::Result<T> {
        let until = self.until()?;
        if until == EntryId::MAX {
            return Ok(engine.ask(question)?);
        }
        Ok(engine.world_at(until)?.ask(question)?)
    }

    /// Says what came of a command that decides.
    pub(super) fn report(&mut self, answer: &Answer, done: impl FnOnce(&mut Output) -> std::io::Result<()>) -> Done {
        if let Some(trouble) = &answer.trouble {
            self.out.say(format_args!("recorded, but this clone could not keep it: {trouble}; say it again"))?;
        }
        let Some(refusal) = &answer.refusal else {
            if self.wants_json() {
                self.out.answer(&Decided::of(answer))?;
            } else {
                done(&mut self.out)?;
                self.say_outdated(answer)?;
                super::credit::say_follows(&mut self.out, answer)?;
            }
            return Ok(CommandOutcome::Done);
        };
        if self.wants_json() {
            self.out.answer(&Decided::of(answer))?;
        } else {
            self.say_refused(refusal)?;
            super::credit::say_follows(&mut self.out, answer)?;
        }
        Ok(CommandOutcome::Refused)
    }

    /// Says why something was refused, and what can be done about it.
    pub(super) fn say_refused(&mut self, refusal: &Refusal) -> std::io::Result<()> {
        let ToldRefusal { message, hint, .. } = told(refusal);
        self.out.say(format_args!("refused: {message}"))?;
        hint.map_or(Ok(()), |hint| self.out.say(format_args!("hint: {hint}")))
    }

    /// Says which canon that was cited holds no more (control-room, improvement B).
    fn say_outdated(&mut self, answer: &Answer) -> std::io::Result<()> {
        for event in &answer.events {
            let Event::Canon(canon::Event::Outdated(outdated)) = event else { continue };
            let key = outdated.cited.split('@').next().unwrap_or_default();
            let current: Vec<_> = outdated.current.iter().map(|number| format!("{key}@{number}")).collect();
            let current = if current.is_empty() { String::new() } else { format!(": {} holds", current.join(" and ")) };
            self.out.say(format_args!("note: canon {} was {}{current}", outdated.cited, outdated.because))?;
        }
        Ok(())
    }

    /// Ends the program: prints what went wrong and gives the exit code.
    pub(super) fn finish(mut self, result: Done) -> ExitCode {
        if self.out.is_empty
            && result.is_ok()
            && let Some(says) = help::empty(&self.environment.arguments)
        {
            // When stderr is gone, there is nobody left to tell.
            let _ = self.out.say(says);
        }
        let flushed = self.out.end().map_err(anyhow::Error::from);
        match result.and_then(|outcome| flushed.map(|()| outcome)) {
            Ok(CommandOutcome::Done) => ExitCode::SUCCESS,
            Ok(CommandOutcome::Refused) => ExitCode::from(1),
            Ok(CommandOutcome::Exit(code)) => ExitCode::from(code),
            // Who stops reading, as `head` does, has what it wanted.
            Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
            Err(error) => {
                if let Some(RunError::Refused(refusal)) = error.downcast_ref() {
                    let _ = self.say_refused(refusal);
                    return ExitCode::from(1);
                }
                // When stderr is gone, too, there is nobody left to tell.
                let _ = self.out.say(format_args!("annals: {error:#}"));
                if let Some(hint) = hint::of(&error) {
                    let _ = self.out.say(format_args!("hint: {hint}"));
                }
                ExitCode::from(if error.is::<Usage>() { 2 } else { 3 })
            }
        }
    }
}

/// A text that was given as an argument; `-` reads it from stdin.
pub(super) fn text_of(argument: &str) -> anyhow::Result<String> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut text = String::new();
    std::io::Read::read_to_string(&mut std::io::stdin(), &mut text).context("stdin is no text")?;
    Ok(text)
}

/// What the sanitizer leaves of a text before it is shown (AFS 11.2).
pub(super) fn clean(engine: &Engine, text: &str) -> String {
    engine.sanitizer().sanitize_text(text, &SanitizerContext::of(Source::Output)).text.into_owned()
}

/// Writes the views of what was written to. What was recorded counts, whatever becomes of them.
fn keep_views(engine: &Engine, touched: &Touched) {
    let lines = match render::touched(engine, touched) {
        Ok(rendered) => super::render::left_alone(&rendered),
        Err(error) => vec![format!("the views are not current: {:#}", anyhow::Error::from(error))],
    };
    for line in lines {
        say_anyway(format_args!("annals: {line}"));
    }
}

/// Says what a crash had left behind.
fn say_repair(repair: &Repair) {
    say_anyway(format_args!("annals: {repair}"));
}

/// Says that nobody could look for what vanished, or put it back; the next command tries again.
fn say_unrescued(error: &LogError) {
    say_anyway(format_args!("annals: what git took away is not put back yet: {error}"));
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    kinds.into_iter().any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Prints help or what was wrong with the arguments.
pub(super) fn usage(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    say_usage(error, arguments);
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}
