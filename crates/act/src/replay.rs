//! A task as its record left it: what came in is fed again, in the order in which it came, and what is said again must be
//! what was recorded.
//!
//! Asks nobody and changes nothing. What was in flight is what is left to do.

use std::collections::VecDeque;

use annals_role::message::{ApprovalRequest, BusMessage, MemoryQuery};
use annals_role::run::{BusSaid, EffectKey, RunEffect, RunInput, RunSetting, TaskRun};

use crate::error::RunError;
use crate::journal::{Came, Recorded, Step};

/// A task as its record left it.
#[derive(Debug)]
pub struct Replayed {
    /// The task.
    pub run: TaskRun,
    /// What has no result yet, in the order in which it was wanted.
    pub open: Vec<RunEffect>,
    /// What memory was asked and has not answered.
    pub queries: Vec<MemoryQuery>,
    /// What the person was asked and has not answered.
    pub approvals: Vec<ApprovalRequest>,
}

impl Replayed {
    /// How many answers and calls are asked for once more.
    pub fn in_flight(&self) -> usize {
        self.open.iter().filter(|effect| key_of(effect).is_some()).count()
    }
}

/// Feeds a record to a task of the same beginning.
pub fn replay(task: &str, recorded: &Recorded) -> Result<Replayed, RunError> {
    let setting = RunSetting { task_id: task.to_owned(), ..recorded.setting.clone() };
    let (run, effects) = TaskRun::begin(setting, recorded.request.clone());
    let mut again = Again { task, run, open: effects.into(), queries: VecDeque::new(), approvals: Vec::new() };
    for step in &recorded.steps {
        match step {
            Step::Said { n, said, alive_ms } => again.said(*n, said, *alive_ms)?,
            Step::Came(came) => again.came(came),
        }
    }
    let Again { run, open, queries, approvals, .. } = again;
    Ok(Replayed { run, open: open.into(), queries: queries.into(), approvals })
}

/// A task that is gone through again.
struct Again<'t> {
    task: &'t str,
    run: TaskRun,
    /// What it wants done, and the record has not shown yet.
    open: VecDeque<RunEffect>,
    queries: VecDeque<MemoryQuery>,
    approvals: Vec<ApprovalRequest>,
}

impl Again<'_> {
    /// The words of memory and of the person are inputs; what follows from them, these words among it, comes next.
    fn said(&mut self, n: u32, said: &BusSaid, alive_ms: u64) -> Result<(), RunError> {
        if let BusMessage::MemoryQuery(query) = &said.message {
            self.queries.push_back(query.clone());
        }
        if let BusMessage::ApprovalRequest(asked) = &said.message {
            self.asked(asked, alive_ms);
        }
        if is_from_outside(&said.message) {
            self.answered(&said.message);
            self.feed(RunInput::Heard(said.message.clone()), alive_ms);
        }
        self.expect(n, said)
    }

    /// What was asked for is no longer missing.
    fn answered(&mut self, message: &BusMessage) {
        if let BusMessage::Approval(approval) = message {
            self.approvals.retain(|asked| asked.call != approval.call);
        }
        if let BusMessage::MemoryAnswer(_) = message {
            self.queries.pop_front();
        }
    }

    fn asked(&mut self, asked: &ApprovalRequest, alive_ms: u64) {
        let (key, why) = (EffectKey::from(asked.call.clone()), asked.why.clone());
        self.approvals.push(asked.clone());
        self.close(&key);
        self.feed(RunInput::NeedsApproval { key, why }, alive_ms);
    }

    fn came(&mut self, came: &Came) {
        let (key, alive_ms, input) = match came.clone() {
            Came::Answer { key, text, pace, alive_ms, .. } => {
                (key.clone(), alive_ms, RunInput::Answered { key, text, pace })
            }
            Came::Tool { key, call, alive_ms } => (key.clone(), alive_ms, RunInput::Used { key, call }),
            Came::Agent { key, outcome, alive_ms, .. } => (key.clone(), alive_ms, RunInput::Delegated { key, outcome }),
            Came::Undo { key, undone, alive_ms } => (key.clone(), alive_ms, RunInput::Undone { key, undone }),
            Came::Check { key, result, alive_ms } => (key.clone(), alive_ms, RunInput::Checked { key, result }),
        };
        self.close(&key);
        self.feed(input, alive_ms);
    }

    fn feed(&mut self, input: RunInput, alive_ms: u64) {
        self.open.extend(self.run.take(input, alive_ms));
    }

    /// The effect of this key has its result.
    fn close(&mut self, key: &EffectKey) {
        self.open.retain(|effect| key_of(effect) != Some(key));
    }

    /// The first message that the task says next must be the one that was recorded.
    fn expect(&mut self, n: u32, said: &BusSaid) -> Result<(), RunError> {
        let next = self.open.iter().position(|effect| matches!(effect, RunEffect::Say(_)));
        let expected = next.and_then(|next| self.open.remove(next));
        let is_same = matches!(&expected, Some(RunEffect::Say(expected)) if is_alike(expected, said));
        if is_same {
            return Ok(());
        }
        let expected = match expected {
            Some(RunEffect::Say(said)) => told(&said),
            Some(_) | None => "nothing".to_owned(),
        };
        Err(RunError::OtherVersion { task: self.task.to_owned(), n, recorded: told(said), expected })
    }
}

/// The words of memory and of the person: no role says them.
fn is_from_outside(message: &BusMessage) -> bool {
    matches!(message, BusMessage::MemoryAnswer(_) | BusMessage::Approval(_) | BusMessage::Abort(_))
}

/// Texts are compared by the rules that made them, not byte by byte: what was cleaned on its way to the record stays itself.
fn is_alike(one: &BusSaid, other: &BusSaid) -> bool {
    (one.from, one.to, one.message.kind()) == (other.from, other.to, other.message.kind())
}

fn told(said: &BusSaid) -> String {
    format!("{} from {} to {}", said.message.kind(), said.from, said.to)
}

fn key_of(effect: &RunEffect) -> Option<&EffectKey> {
    match effect {
        RunEffect::Say(_) => None,
        RunEffect::Ask(question) => Some(&question.key),
        RunEffect::Use(job) => Some(&job.key),
        RunEffect::Delegate(job) => Some(&job.key),
        RunEffect::Check(job) => Some(&job.key),
        RunEffect::Undo(job) => Some(&job.key),
    }
}
