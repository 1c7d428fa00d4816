//! A command meets the rules: under the lock, recorded, and what follows from it kept at hand; or only rehearsed.
//!
//! Does not say what is decided; rooms and policies do.

use super::clock::Stopwatch;
use super::group_commit::{AllWritten, Writing};
use super::live::Live;
use super::{Engine, EngineError, Touched, touched};
use annals_kernel::decision::Refusal;
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::json::Json;
use annals_log::position::IdSource;
use annals_log::writer::Pen;
use annals_rules::domain::breaker::Check;
use annals_rules::domain::{Ask, Command, Event, RoomsDecided, config};
use annals_rules::policy::Forecast;
use annals_rules::world::decision::entry_of;
use annals_rules::world::{Asked, check};

/// Who asks, and in which session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct By {
    /// `user`, or the name of an agent.
    pub actor: AgentId,
    /// The session; decisions about a session belong to that one.
    pub session: SessionId,
    /// SHA-256 of the token that the actor showed.
    pub proof: Option<Box<str>>,
    /// The agent in whose shell it is asked, whoever is said to ask.
    pub shell: Option<Box<str>>,
}

impl By {
    /// Somebody who shows no token, and is in no agent's shell.
    pub fn new(actor: impl Into<AgentId>, session: impl Into<SessionId>) -> Self {
        Self { actor: actor.into(), session: session.into(), proof: None, shell: None }
    }
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The entry that holds the decision; none where a rule said no and that is not worth recording.
    pub entry: Option<EntryId>,
    /// What happened.
    pub events: Vec<Event>,
    /// Why what was asked did not.
    pub refusal: Option<Refusal>,
    /// What failed after the decision was on the disk: it counts, and this clone could not keep up with it.
    pub trouble: Option<Box<str>>,
}

/// What would come of a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Rehearsal {
    /// What would be decided.
    pub decided: RoomsDecided,
    /// What each circuit breaker says, whether it stops the command or not.
    pub checks: Vec<Check>,
    /// What each reference would earn or cost.
    pub citations: Forecast,
}

/// A command that waits for whoever decides next.
pub(super) struct DecideJob {
    ask: Ask,
    by: By,
    stopwatch: Stopwatch,
}

/// Commands that wait.
pub(super) type Decisions = Writing<DecideJob, Answer>;

/// Whether nothing may come before a decision, not even what the file says.
pub(super) fn is_first_of_all(command: &Command) -> bool {
    matches!(command, Command::Config(config::Command::GiveClock(_)))
}

impl Engine {
    /// Decides a command on the state as it is under the lock, and records the decision.
    ///
    /// What several threads ask for is decided by one of them, one command after the other, and waits for the disk once.
    pub fn decide(&self, command: impl Into<Command>, observed: &Json, by: &By) -> Result<Answer, EngineError> {
        let (ask, by) = (self.clean_ask(Self::ask_of(command.into(), observed)), self.clean_by(by));
        let job = DecideJob { ask, by, stopwatch: self.clock.stopwatch() };
        let who = job.by.clone();
        let mut answer = self.write_with_others(&self.decisions, job, |jobs| self.decide_all(jobs))?;
        let entered = self.enter(&answer, &who).and_then(|()| self.keep_own_words(&answer, &who));
        answer.trouble = entered.err().map(|error| error.to_string().into());
        self.keep_up();
        if answer.entry.is_some() {
            self.wrote(&Touched::by(&answer, &who));
        }
        Ok(answer)
    }

    fn decide_all(&self, jobs: &mut [DecideJob]) -> Result<AllWritten<Answer>, EngineError> {
        let decided = self.log.write_on(&mut || self.clock.chance(), |pen| {
            let mut live = self.current()?;
            let live = live.as_mut().expect("BUG: the world was just folded");
            let decide = |DecideJob { ask, by, stopwatch }: &mut DecideJob| {
                if !is_first_of_all(&ask.command) {
                    self.adopt_file(pen, live, by)?;
                }
                self.decide_one(pen, live, ask, by, || stopwatch.millis())
            };
            jobs.iter_mut().map(decide).collect::<Result<Vec<_>, EngineError>>()
        });
        if decided.is_err() {
            // What was folded may have been taken back.
            *self.lock_live() = None;
        }
        decided
    }

    /// Stores what was taken in, if that is due. Where it could not be, whoever asks next folds anew.
    pub(super) fn keep_up(&self) {
        self.lock_live().iter_mut().for_each(Live::store_if_due);
    }

    /// What would come of a command, and what every rule says about it; nothing is recorded.
    pub fn rehearse(&self, command: impl Into<Command>, observed: &Json, by: &By) -> Result<Rehearsal, EngineError> {
        let (ask, by) = (self.clean_ask(Self::ask_of(command.into(), observed)), &self.clean_by(by));
        check(&ask)?;
        let at = self.clock.now();
        let asked = Asked { id: EntryId::new(at, 0), at, actor: by.actor.clone(), session: by.session.clone() };
        self.attempt(|world| {
            let ask = self.configuration.completed(&ask, by, &world.rooms);
            let settings = self.configuration.over(&world.rooms.config.settings);
            Rehearsal {
                decided: world.decide_under(&ask, &asked, &settings),
                checks: world.explain(&ask, &asked, &settings),
                citations: world.forecast(&ask, &asked, &settings),
            }
        })
    }

    pub(super) fn decide_one(
        &self,
        pen: &mut Pen<'_>,
        live: &mut Live,
        ask: &Ask,
        by: &By,
        duration_ms: impl Fn() -> u64,
    ) -> Result<Answer, EngineError> {
        let at = self.clock.now();
        let id = pen.mint(at, self.clock.machine())?;
        let asked = Asked { id, at, actor: by.actor.clone(), session: by.session.clone() };
        let ask = &self.configuration.completed(ask, by, &live.world().rooms);
        // What its room cannot read would otherwise count as nothing found, and a weakening change pass for any other.
        check(ask)?;
        let decided = self.decide_on_past(live, ask, &asked)?;
        let (events, refusal) = (decided.events.clone(), decided.refusal.clone());
        let mut answer = Answer { entry: None, events, refusal, trouble: None };
        if !decided.events.is_empty() {
            let mut entry = entry_of(ask, &asked, &decided, duration_ms());
            let agent = live.world().rooms.roster.agent(&by.actor);
            entry.provenance.model_id = agent.and_then(|agent| agent.model.clone());
            if let Some(session) = touched::session_of(&decided.events) {
                entry.session_id = session.clone();
            }
            self.keep_own_entries(&ask.command, &decided.events, id)?;
            let appended = pen.append(&mut entry, IdSource::Minted)?;
            // From memory: while each line was read back from its file, 64 threads decided no faster than one.
            live.take_in(pen.position(), &appended);
            answer.entry = Some(id);
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests;
