//! What is known of tasks, debates and sessions, folded from events. What records add is in `observe`.

use serde::{Deserialize, Serialize};

use super::command::{Command, DebateKind, DebateSide, Debates, Observed, Relation, Request, ResolvedEnding};
use super::event::{Argued, Event, Failed, Judged, Related, Repeated, Requested, ResolvedDebate};
use super::held::HeldCommand;
use super::identity::{canonical, is_id, own_id, task_id};
use super::row::{Debate, DebateRound, EndedError, Judgement, Resolving, Spoken, Trail, summary};
use super::task::{Attempt, DebatedTask, Planned, Run, Used};
use annals_kernel::decision::Cause;
use annals_kernel::id::SessionId;
use annals_kernel::rows::Rows;

type Why<'c> = Cause<'c, Command, Observed>;

/// Counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// Declared attempts that failed.
    pub attempts: u64,
    /// Recorded calls that failed while a task was known.
    pub calls: u64,
    /// Of those, the ones whose error had come before.
    pub repeated: u64,
    /// Debates.
    pub debates: u64,
    /// Commands that were held, and wait or were approved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<HeldCommand>,
}

/// All of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Counts.
    pub totals: Totals,
    /// Tasks by id.
    pub tasks: Rows<Box<str>, DebatedTask>,
    /// Debates by id.
    pub debates: Rows<Box<str>, Debate>,
    /// Sessions that were given a task.
    pub trails: Rows<SessionId, Trail>,
    /// What ended errors, by fingerprint.
    pub ends: Rows<Box<str>, EndedError>,
}

/// A task that is the same as one that is the same as one, and so on, is followed so far.
const MOST_LINKS: usize = 8;

impl State {
    /// The id under which a task counts: that of the task that it is the same as.
    pub fn root(&self, id: &str) -> Box<str> {
        self.links(id).last().unwrap_or_else(|| id.into())
    }

    /// A task, the one that it is the same as, and so on.
    pub(super) fn links(&self, id: &str) -> impl Iterator<Item = Box<str>> {
        let links = std::iter::successors(Some(Box::<str>::from(id)), |id| self.tasks.get(id)?.same_as.clone());
        links.take(MOST_LINKS + 1)
    }

    /// Whether a task was joined to another one, directly or through others.
    pub(super) fn is_joined(&self, id: &str, other: &str) -> bool {
        self.links(id).skip(1).any(|link| *link == *other)
    }

    /// A task by its text, or by its id: the one under which it counts.
    pub fn id_of(&self, text: &str) -> Option<Box<str>> {
        own_id(text).map(|id| self.root(&id))
    }

    /// A task by its id.
    pub fn task(&self, id: &str) -> Option<&DebatedTask> {
        self.tasks.get(id)
    }

    /// A debate by its id.
    pub fn debate(&self, id: &str) -> Option<&Debate> {
        self.debates.get(id)
    }

    /// Whether debates are off in a session.
    pub fn is_off(&self, session: &SessionId) -> bool {
        self.trails.get(session.as_str()).is_some_and(|trail| trail.debates_off)
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Why<'_>) {
        match event {
            Event::Requested(requested) => self.requested(requested, cause),
            Event::Argued(argued) => self.argued(argued, cause),
            Event::Resolved(resolution) => self.resolved(resolution, cause),
            Event::Judged(judged) => self.judged(judged),
            Event::Failed(failed) => self.failed(failed, cause),
            Event::Succeeded(succeeded) => {
                self.ended(&succeeded.task, ResolvedEnding::Success);
                self.cleared(&succeeded.task);
            }
            Event::Cleared(cleared) => self.cleared(&cleared.task),
            Event::Escalated(escalated) => {
                self.ended(&escalated.task, ResolvedEnding::Failure);
                if let Some(task) = self.tasks.get_mut(&escalated.task) {
                    task.escalate(escalated.why, cause.at);
                }
            }
            Event::Related(related) => self.related(related, cause),
            Event::Switched(switched) => {
                let trail = self.trails.entry(switched.session.as_str(), Trail::default);
                trail.debates_off = switched.debates == Debates::Off;
            }
            Event::Repeated(repeated) => self.announced(repeated),
            Event::Called(called) => self.called(called),
            Event::Held(held) => self.held(held, cause),
            Event::Approved(approved) => self.approved(approved),
            Event::Passed(passed) => self.passed(passed),
        }
    }

    /// A task that a command names. Its words are its own, not those of what was joined to it.
    fn task_named(&mut self, id: &str, text: Option<&str>) -> &mut DebatedTask {
        let task = self.tasks.entry(id, DebatedTask::default);
        if let Some(text) = text.filter(|text| task_id(text).as_deref() == Some(id)) {
            task.call(|| (summary(text), summary(&canonical(text))));
        }
        task
    }

    fn requested(&mut self, requested: &Requested, cause: &Why<'_>) {
        let asked = cause.command().and_then(|command| {
            let Command::Request(request) = command else { return None };
            Some(request)
        });
        self.totals.debates += 1;
        let id = requested.debate.clone();
        self.task_named(&requested.task, asked.map(|asked| &*asked.task)).open = Some(id);
        let debate = self.begun(requested, asked, cause);
        self.debates.entry(&requested.debate, || debate);
    }

    fn begun(&self, requested: &Requested, asked: Option<&Request>, cause: &Why<'_>) -> Debate {
        const LAST: usize = 2;
        let task = self.tasks.get(&requested.task);
        let is_failure = requested.kind == DebateKind::Failure;
        let known = task.filter(|_| is_failure).map_or(&[][..], |task| task.latest(LAST));
        let (mut attempts, mut errors) =
            asked.map(|asked| (asked.attempts.clone(), asked.errors.clone())).unwrap_or_default();
        if errors.is_empty() {
            attempts.extend(known.iter().map(|attempt| attempt.approach.clone().unwrap_or_default()));
            errors.extend(known.iter().map(|attempt| attempt.error.clone()));
        }
        Debate {
            task: requested.task.clone(),
            summary: asked
                .filter(|asked| !is_id(&asked.task))
                .map(|asked| summary(&asked.task))
                .or(task.map(|task| task.summary.clone()))
                .unwrap_or_default(),
            plan: asked.and_then(|asked| asked.plan.as_deref()).map(summary),
            plan_id: requested.plan.clone(),
            kind: requested.kind,
            stakes: requested.stakes,
            category: requested.category,
            rounds: requested.rounds,
            by: cause.actor.clone(),
            at: cause.at,
            failures: requested.failures,
            attempts: attempts.iter().map(|text| summary(text)).collect(),
            errors: errors.iter().map(|text| summary(text)).collect(),
            spoken: Vec::new(),
            resolved: None,
            called_off: false,
            judgement: None,
        }
    }

    fn argued(&mut self, argued: &Argued, cause: &Why<'_>) {
        let Some(Command::Argue(argue)) = cause.command() else { return };
        let Some(debate) = self.debates.get_mut(&argued.debate) else { return };
        let spoken = Spoken { by: cause.actor.clone(), position: argue.position.clone(), model: model(cause) };
        match (argued.side, debate.spoken.last_mut()) {
            (DebateSide::Advocate, _) => debate.spoken.push(DebateRound { advocate: spoken, critic: None }),
            (DebateSide::Critic, Some(round)) => round.critic = Some(spoken),
            (DebateSide::Critic, None) => {}
        }
    }

    fn resolved(&mut self, resolution: &ResolvedDebate, cause: &Why<'_>) {
        let Some(debate) = self.debates.get_mut(&resolution.debate) else { return };
        debate.resolved = Some(Resolving { resolution: resolution.clone(), at: cause.at, model: model(cause) });
        let planned = Planned { plan: debate.plan_id.clone(), debate: resolution.debate.clone() };
        let (kind, pattern) =
            (debate.kind, debate.last_round().and_then(|(_, critic)| critic.pattern().map(Box::from)));
        let Some(task) = self.tasks.get_mut(&resolution.task) else { return };
        task.open = None;
        if let Some(pattern) = pattern {
            task.seen(pattern);
        }
        if kind == DebateKind::Planning {
            task.debated(planned);
        } else {
            let limit = resolution.next_attempt_limit.unwrap_or(0);
            let (debate, resolution) = (resolution.debate.clone(), resolution.resolution);
            task.used = Some(Used { debate, resolution, limit, failed: 0 });
        }
    }

    fn judged(&mut self, judged: &Judged) {
        if let Some(debate) = self.debates.get_mut(&judged.debate) {
            let Judged { outcome, helped, .. } = *judged;
            debate.judgement = Some(Judgement { outcome, helped, declared: true });
        }
    }

    fn failed(&mut self, failed: &Failed, cause: &Why<'_>) {
        let Some(Command::Fail(fail)) = cause.command() else { return };
        self.totals.attempts += 1;
        let attempt = Attempt {
            attempt: failed.attempt,
            at: cause.at,
            error: summary(&fail.error),
            fingerprint: failed.fingerprint.clone(),
            approach: fail.approach.as_deref().map(summary),
            session: None,
            entry: cause.id,
        };
        self.task_named(&failed.task, Some(&fail.task)).failed(attempt);
    }

    /// What came after the debates of a task says what they were worth.
    pub(super) fn ended(&mut self, task: &str, outcome: ResolvedEnding) {
        let Some(task) = self.tasks.get(task) else { return };
        let planned = task.planned.last().map(|planned| planned.debate.clone());
        let debates: Vec<_> = task.used.iter().map(|used| used.debate.clone()).chain(planned).collect();
        for id in debates {
            if let Some(debate) = self.debates.get_mut(&id)
                && debate.judgement.is_none()
            {
                debate.turned_out(outcome);
            }
        }
    }

    /// Failures so far count no more, and a debate about them is over.
    pub(super) fn cleared(&mut self, task: &str) {
        let Some(task) = self.tasks.get_mut(task) else { return };
        task.clear();
        if let Some(debate) = task.open.take().and_then(|id| self.debates.get_mut(&id)) {
            debate.called_off = true;
        }
    }

    fn related(&mut self, related: &Related, cause: &Why<'_>) {
        let text = cause.command().and_then(|command| {
            let Command::Relate(relate) = command else { return None };
            [&*relate.task, &*relate.other].into_iter().find(|text| own_id(text).as_ref() == Some(&related.task))
        });
        let Related { task: id, other, relation } = related;
        let (is_joined, is_turned) = (self.is_joined(id, other), self.is_joined(other, id));
        let task = self.task_named(id, text);
        match relation {
            Relation::Different => {
                // What was counted while they were one stays with the other.
                task.same_as = task.same_as.take().filter(|_| !is_joined);
                task.keep_apart(other.clone());
            }
            // Another branch has joined them the other way round: they count as one already.
            Relation::Same if is_turned => {}
            Relation::Same => {
                let (summary, canonical) = (task.summary.clone(), task.canonical.clone());
                let joined = DebatedTask { summary, canonical, same_as: Some(other.clone()), ..DebatedTask::default() };
                let counted = std::mem::replace(task, joined);
                self.tasks.entry(other, DebatedTask::default).join(counted);
            }
        }
    }

    fn announced(&mut self, repeated: &Repeated) {
        self.totals.repeated += 1;
        let Some(task) = self.tasks.get_mut(&repeated.task) else { return };
        let same = |run: &&mut Run| run.session == repeated.session && run.fingerprint == repeated.fingerprint;
        task.runs.iter_mut().filter(same).for_each(|run| run.announced = true);
    }
}

/// The model whose word a decision rests on, where it is one's.
fn model(cause: &Why<'_>) -> Option<Box<str>> {
    Some(cause.observed()?.model.as_ref()?.model.clone())
}
