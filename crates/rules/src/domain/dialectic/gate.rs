//! The question before each attempt: go, debate, ask a person, or hand over (Dialectic, "Query Before Each Attempt";
//! decisions 26, 26a).
//!
//! Only answers. Nothing changes by asking.

use annals_sparse::sparse;
use serde::Serialize;

use super::command::{DebateKind, Facts};
use super::csp::Stakes;
use super::event::EscalationReason;
use super::identity::{canonical, common_words, id_of};
use super::limits::{DEBATE_AFTER, ESCALATE_AFTER, SIMILAR, STALE_HOURS};
use super::named::Named;
use super::stakes::{Bypass, DebateCategory, DebateRequest, RequestVoice, at_stake, bypass};
use super::state::State;
use super::task::{Attempt, DebatedTask, Used};
use annals_kernel::grounding::words;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

words! {
    /// The answer.
    pub enum GateVerdict {
        /// Make the attempt.
        Go = "go",
        /// Argue first.
        Debate = "debate",
        /// A person decides.
        Escalate = "escalate",
        /// A person says first whether it is the same task as before.
        Ask = "ask",
    }
}

/// Who asks, and what is known beside the state.
#[derive(Debug, Clone, Copy)]
pub struct Question<'q> {
    /// What is to be done.
    pub task: &'q Named,
    /// How, where that is another text.
    pub plan: Option<&'q str>,
    /// What the router is told.
    pub facts: &'q Facts,
    /// Who says so.
    pub voice: RequestVoice,
    /// Whether debates are off: the user has switched them off.
    pub is_off: bool,
    /// Now.
    pub at: Timestamp,
    /// The configuration in force.
    pub settings: &'q Settings,
}

/// An earlier task that looks like this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Similar {
    /// Its id.
    pub task: Box<str>,
    /// What it is, in a few words.
    pub summary: Box<str>,
    /// Failures in a row.
    pub failures: u32,
}

/// What the gate says, and why.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct GateAnswer {
    /// The task, by its id.
    pub task: Box<str>,
    /// Its text without what makes no difference.
    pub canonical: Box<str>,
    /// The answer.
    pub verdict: GateVerdict,
    /// Which debate.
    pub debate: Option<DebateKind>,
    /// The debate that goes on.
    pub open: Option<Box<str>>,
    /// Why a person decides.
    pub why: Option<EscalationReason>,
    /// Failures in a row.
    pub failures: u32,
    /// Attempts that a debate has left.
    pub attempts_left: Option<u32>,
    /// The last failure is older than a day: it counts all the same.
    pub stale: bool,
    /// When the last one failed.
    pub failed_at: Option<Timestamp>,
    /// What is at stake.
    pub stakes: Stakes,
    /// Of which kind that is.
    pub category: DebateCategory,
    /// Why no planning debate is due.
    pub bypass: Option<Bypass>,
    /// What it may be the same as.
    pub similar: Option<Similar>,
    /// The last two attempts: what an advocate is told.
    #[always]
    pub attempts: Vec<Attempt>,
}

/// The hash of a plan: that of the task, where there is no plan of its own.
pub(crate) fn plan_id(task: &Named, plan: Option<&str>) -> Box<str> {
    plan.map_or_else(|| task.id.clone(), |plan| id_of(&canonical(plan)))
}

/// What counts against a task: who is called, or which debate is due.
enum GateCount {
    Escalate(EscalationReason),
    Debate,
    /// Nothing, or the attempt that a debate has left.
    Go,
}

fn count(task: Option<&DebatedTask>, settings: &Settings) -> GateCount {
    let Some(task) = task else { return GateCount::Go };
    if let Some(why) = task.escalated.map(|(why, _)| why).or(task.overdue(settings)) {
        return GateCount::Escalate(why);
    }
    let is_debate_due = task.used.is_none() && task.failures() >= settings.get(&DEBATE_AFTER);
    if is_debate_due { GateCount::Debate } else { GateCount::Go }
}

impl DebatedTask {
    /// Why a person has to decide, by what is counted.
    pub(crate) fn overdue(&self, settings: &Settings) -> Option<EscalationReason> {
        match &self.used {
            Some(used) => (used.left() == 0).then_some(EscalationReason::DebateUsed),
            None => (self.failures() >= settings.get(&ESCALATE_AFTER)).then_some(EscalationReason::Count),
        }
    }

    /// The same, where nobody was called yet.
    pub(crate) fn uncalled(&self, settings: &Settings) -> Option<EscalationReason> {
        if self.escalated.is_some() { None } else { self.overdue(settings) }
    }
}

impl State {
    /// Answers, for whatever it was joined to.
    pub fn gate(&self, question: &Question<'_>) -> GateAnswer {
        const TOLD: usize = 2;
        let id = self.root(&question.task.id);
        let task = self.task(&id);
        let texts = [Some(&*question.task.text), question.plan];
        let texts: Vec<_> = texts.into_iter().flatten().collect();
        let asked = DebateRequest { texts: &texts, facts: question.facts, voice: question.voice };
        let at_stake = at_stake(asked, question.settings);
        let failed_at = task.and_then(|task| task.failed_at);
        let mut gate = GateAnswer {
            task: id,
            canonical: question.task.canonical.clone(),
            verdict: GateVerdict::Go,
            debate: None,
            open: task.and_then(|task| task.open.clone()),
            why: None,
            failures: task.map_or(0, DebatedTask::failures),
            attempts_left: task.and_then(|task| task.used.as_ref()).map(Used::left),
            stale: failed_at.is_some_and(|failed| is_stale(failed, question.at, question.settings)),
            failed_at,
            stakes: at_stake.stakes,
            category: at_stake.category,
            bypass: None,
            similar: None,
            attempts: task.map(|task| task.latest(TOLD).to_vec()).unwrap_or_default(),
        };
        self.judge(&mut gate, task, question, bypass(asked, at_stake, question.settings));
        gate
    }

    fn judge(&self, gate: &mut GateAnswer, task: Option<&DebatedTask>, question: &Question<'_>, told: Option<Bypass>) {
        match count(task, question.settings) {
            GateCount::Escalate(why) => {
                gate.verdict = GateVerdict::Escalate;
                gate.why = Some(why);
                return;
            }
            GateCount::Debate if question.is_off => gate.bypass = Some(Bypass::Disabled),
            GateCount::Debate => {
                (gate.verdict, gate.debate) = (GateVerdict::Debate, Some(DebateKind::Failure));
                return;
            }
            GateCount::Go => {}
        }
        if gate.failures == 0 && task.is_none_or(|task| task.used.is_none()) {
            gate.similar = self.similar(gate, task, question.settings);
        }
        let due = planning(gate, task, question, told);
        if gate.similar.is_some() {
            gate.verdict = GateVerdict::Ask;
        } else if due {
            let open = gate.open.as_ref().and_then(|id| self.debate(id)).map(|debate| debate.kind);
            (gate.verdict, gate.debate) = (GateVerdict::Debate, open.or(Some(DebateKind::Planning)));
        }
    }

    /// A task with failures that shares most of its words with this one.
    fn similar(&self, gate: &GateAnswer, task: Option<&DebatedTask>, settings: &Settings) -> Option<Similar> {
        const RECENT: usize = 200;
        let least = u64::from(settings.get(&SIMILAR).in_thousandths());
        let is_apart = |id: &str| task.is_some_and(|task| task.apart.contains(id));
        let candidates = self.tasks.first_by_rank(RECENT).into_iter().filter(|(id, other)| {
            other.failures() > 0 && **id != gate.task && !is_apart(id) && !other.apart.contains(&gate.task)
        });
        let alike = candidates.filter_map(|(id, other)| {
            let (both, either) = common_words(&gate.canonical, &other.canonical);
            // Compared as fractions, exactly.
            let is_alike = either > 0 && both as u64 * 1000 >= least * either as u64;
            is_alike.then_some((id, other))
        });
        let (id, other) = alike.into_iter().next()?;
        Some(Similar { task: id.clone(), summary: other.summary.clone(), failures: other.failures() })
    }
}

/// Whether a planning debate is due; where not, why.
fn planning(gate: &mut GateAnswer, task: Option<&DebatedTask>, question: &Question<'_>, told: Option<Bypass>) -> bool {
    if gate.open.is_some() && !question.is_off {
        return true;
    }
    let plan = plan_id(question.task, question.plan);
    let is_debated = task.is_some_and(|task| task.planned.iter().any(|planned| planned.plan == plan));
    let debated = || is_debated.then_some(Bypass::Debated);
    let off = || question.is_off.then_some(Bypass::Disabled);
    let passed = told.or_else(debated).or_else(off);
    gate.bypass = gate.bypass.or(passed);
    passed.is_none()
}

/// Whether a failure is so old that somebody should be told (decision 26). It counts all the same.
pub fn is_stale(failed: Timestamp, at: Timestamp, settings: &Settings) -> bool {
    const HOUR_MS: u64 = 3_600_000;
    at.since(failed) > u64::from(settings.get(&STALE_HOURS)) * HOUR_MS
}
