//! What recorded sessions say: prompts give a task, failed calls count for it, a success of what failed puts it right.
//!
//! Only the count of a call's error in its session counts for the task: that one call failed is how agents look around.
//! A task of a session has *succeeded* when everything that failed in it has worked there since: the same tool, about the
//! same thing. A new prompt is another task, and says nothing about the one before. What can be read of an entry alone is
//! in `heard`.

use annals_kernel::record::{Event, Kind, Speech};
use serde::Deserialize;

use super::background::{BackgroundRun, RunSeen};
use super::command::ResolvedEnding;
use super::heard::{Asks, FailedCall, GivenTask, HeardTask, approach};
use super::phrases::reset_by;
use super::row::{EndedError, OpenFailure, Trail};
use super::state::State;
use super::task::{Attempt, DebatedTask};
use annals_kernel::actor::USER;
use annals_kernel::call::job::may_begin;
use annals_kernel::call::{Call, Finished, asked_at};
use annals_kernel::envelope::{Ending as CallEnding, Envelope};
use annals_kernel::id::{EntryId, NO_SESSION, SessionId};
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// The input of `session_start`, as far as it is read here.
#[derive(Deserialize)]
struct Start {
    parent_session: Option<SessionId>,
}

/// Which call an attempt was.
struct TriedCall<'t> {
    /// The name of its tool.
    tool: &'t str,
    entry: EntryId,
    began: Timestamp,
}

impl State {
    /// Takes in one entry, whoever wrote it: the call that it is, and what was heard in it.
    pub fn observe(
        &mut self,
        entry: &Envelope<'_>,
        call: Option<&Finished<'_>>,
        heard: Option<&HeardTask>,
        settings: &Settings,
    ) {
        if let Some(finished) = call.filter(|finished| !finished.effects.is_empty()) {
            self.acted(entry, &finished.effects);
        }
        let call = call.map(|finished| &finished.call);
        if entry.record() == Kind::Call && self.looked(entry, settings) {
            return;
        }
        match (entry.record(), heard) {
            (Kind::Call, Some(HeardTask::Failure(failure))) => {
                let tried = TriedCall { tool: &entry.name(), entry: entry.id(), began: asked_at(entry) };
                self.call_failed(entry, failure, &tried);
            }
            (Kind::Call, _) if entry.ending() == CallEnding::Succeeded => {
                self.call_succeeded(entry, call, settings);
            }
            (Kind::Input(_), Some(HeardTask::Prompt(given))) => self.prompted(entry, given, settings),
            (Kind::Speech(Speech::Message), _) => self.told(entry),
            (Kind::Event(Event::SessionStart), _) => self.begun_below(entry),
            (Kind::Call | Kind::Input(_) | Kind::Speech(_) | Kind::Event(_) | Kind::State | Kind::Other, _) => {}
        }
    }

    fn prompted(&mut self, entry: &Envelope<'_>, given: &GivenTask, settings: &Settings) {
        if entry.session() == NO_SESSION {
            return;
        }
        let session = entry.session();
        let current = self.trails.get(session.as_ref()).map(|trail| trail.task.clone()).unwrap_or_default();
        let is_persons = entry.agent().is_none_or(|agent| agent == USER);
        let is_reset = is_persons && !current.is_empty() && self.is_reset(&current, entry, settings);
        if current.is_empty() || !is_reset && given.asks == Asks::Anew {
            self.given(&session, given);
            if let Some(trail) = self.trails.get_mut(session.as_ref()) {
                trail.asked = Some(entry.id());
            }
        }
    }

    /// A person's words end the count of what the session is at. Only looked for where something counts.
    fn is_reset(&mut self, current: &str, entry: &Envelope<'_>, settings: &Settings) -> bool {
        let task = self.root(current);
        let counts = self.tasks.get(&task).is_some_and(|task| task.failures() > 0 || task.escalated.is_some());
        if !counts || entry.words().and_then(|text| reset_by(&text, settings)).is_none() {
            return false;
        }
        self.cleared(&task);
        true
    }

    fn given(&mut self, session: &str, given: &GivenTask) {
        if given.task.is_empty() {
            return;
        }
        let trail = self.trails.entry(session, Trail::default);
        (trail.task, trail.awaits) = (given.task.clone(), false);
        (trail.summary, trail.canonical) = (given.summary.clone(), given.canonical.clone());
    }

    /// A session that another one began: a sub-agent, whose task is the first message.
    fn begun_below(&mut self, entry: &Envelope<'_>) {
        let parent = entry.input::<Start>().and_then(|start| start.parent_session);
        if parent.is_some() {
            self.trails.entry(entry.session().as_ref(), || Trail { awaits: true, ..Trail::default() });
        }
    }

    fn told(&mut self, entry: &Envelope<'_>) {
        let session = entry.session();
        if !self.trails.get(session.as_ref()).is_some_and(|trail| trail.awaits) {
            return;
        }
        if let Some(text) = entry.words() {
            self.given(&session, &GivenTask::of(&text));
        }
    }

    /// What became of a run in the background belongs to the call that began it. Says whether the call was a look at one.
    fn looked(&mut self, entry: &Envelope<'_>, settings: &Settings) -> bool {
        let session = entry.session();
        if self.trails.get(session.as_ref()).is_none_or(|trail| trail.running.is_empty()) {
            return false;
        }
        let seen = self.trails.get_mut(session.as_ref()).and_then(|trail| trail.look(entry));
        match seen {
            Some(RunSeen::Failed(BackgroundRun { tool, entry: run, at, .. }, failure)) => {
                self.call_failed(entry, &failure, &TriedCall { tool: &tool, entry: run, began: at });
            }
            Some(RunSeen::Worked(BackgroundRun { approach, .. })) => self.has_worked(entry, &approach, settings),
            Some(RunSeen::Nothing) => {}
            None => return false,
        }
        true
    }

    fn call_failed(&mut self, entry: &Envelope<'_>, failure: &FailedCall, tried: &TriedCall<'_>) {
        let session = entry.session();
        let Some(trail) = self.trails.get(session.as_ref()).filter(|trail| !trail.task.is_empty()) else { return };
        let (id, summary, canonical) = (trail.task.clone(), trail.summary.clone(), trail.canonical.clone());
        let FailedCall { error, fingerprint, approach } = failure.clone();
        self.totals.calls += 1;
        let root = self.root(&id);
        let trail = self.trails.entry(session.as_ref(), Trail::default);
        trail.failed = trail.failed.saturating_add(1);
        trail.failed_at = trail.failed_at.max(Some(entry.at()));
        trail.failing(OpenFailure { task: root.clone(), tool: tried.tool.into(), approach: approach.clone() });
        let (at, approach) = (entry.at(), Some(approach));
        let attempt = Attempt { attempt: 0, at, error, fingerprint, approach, session: None, entry: tried.entry };
        let task = self.tasks.entry(&root, DebatedTask::default);
        if root == id {
            task.call(|| (summary, canonical));
        }
        task.call_failed(attempt, &SessionId::from(session.as_ref()), tried.began);
    }

    fn call_succeeded(&mut self, entry: &Envelope<'_>, call: Option<&Call<'_>>, settings: &Settings) {
        let session = entry.session();
        let Some(trail) = self.trails.get(session.as_ref()) else { return };
        let (name, may_begin) = (entry.name(), may_begin(entry.line()));
        if !may_begin && !trail.open.iter().any(|open| *open.tool == *name) {
            return;
        }
        let Some(approach) = call.map(approach) else { return };
        let begun = may_begin.then(|| BackgroundRun::begun_by(entry, &approach)).flatten();
        // What only began to run has not worked yet.
        match begun {
            Some(run) => self.trails.entry(session.as_ref(), Trail::default).begins(run),
            None => self.has_worked(entry, &approach, settings),
        }
    }

    /// What failed in a session works.
    fn has_worked(&mut self, entry: &Envelope<'_>, approach: &str, settings: &Settings) {
        let session = &*entry.session();
        let Some(trail) = self.trails.get(session) else { return };
        let fits = |open: &&OpenFailure| *open.approach == *approach;
        let tasks: Vec<_> = trail.open.iter().filter(fits).map(|open| open.task.clone()).collect();
        if tasks.is_empty() {
            return;
        }
        if let Some(trail) = self.trails.get_mut(session) {
            trail.open.retain(|open| *open.approach != *approach);
        }
        for task in tasks {
            self.errors_ended(&task, entry, approach);
            self.worked(&task, session, approach, settings);
        }
    }

    /// The errors with which it failed are over: who meets one of them again can see how.
    fn errors_ended(&mut self, task: &str, entry: &Envelope<'_>, approach: &str) {
        let session = entry.session();
        let runs = self.tasks.get(task).into_iter().flat_map(|task| &task.runs);
        let over = runs.filter(|run| run.session.as_str() == session.as_ref() && *run.approach == *approach);
        let over: Vec<_> = over.map(|run| (run.fingerprint.clone(), run.at)).collect();
        for (fingerprint, failed_at) in over {
            let times = self.ends.get(&fingerprint).map_or(0, |end| end.times).saturating_add(1);
            let (session, worked, at) = (SessionId::from(session.as_ref()), entry.id(), entry.at());
            let end = EndedError { times, session, failed_at, worked, at };
            let row = self.ends.entry(&fingerprint, || end.clone());
            *row = end;
        }
    }

    fn worked(&mut self, task: &str, session: &str, approach: &str, settings: &Settings) {
        let only = |task: &DebatedTask| task.declared == 0 && task.runs.iter().all(|run| *run.approach == *approach);
        if self.tasks.get(task).is_some_and(only) {
            self.ended(task, ResolvedEnding::Success);
        }
        if let Some(task) = self.tasks.get_mut(task) {
            task.call_succeeded(session, approach);
            task.relieve(settings);
        }
    }
}
