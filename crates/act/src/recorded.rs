//! What is on the record of a task, in order: messages, and what came of effects.
//!
//! Data; `journal` reads it, and `replay` goes on from it.

use annals_kernel::annals::Usage;
use annals_kernel::time::Timestamp;
use annals_role::auditor::{Account, ModelCall};
use annals_role::bus::Party;
use annals_role::criterion::CheckResult;
use annals_role::delegate::AgentOutcome;
use annals_role::evidence::is_effectful;
use annals_role::ggs::FinalResult;
use annals_role::message::BusMessage;
use annals_role::plan::TaskRequest;
use annals_role::run::{BusSaid, EffectKey, Pace, RunSetting, Undone};
use annals_role::tool::ToolCall;

use crate::record::Read;

/// One thing on the record of a task, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A message.
    Said {
        /// Its number.
        n: u32,
        /// What was said.
        said: BusSaid,
        /// When, in the task's own time.
        alive_ms: u64,
    },
    /// What came of an effect.
    Came(Came),
}

/// What came of an effect.
#[derive(Debug, Clone, PartialEq)]
pub enum Came {
    /// An answer.
    Answer {
        /// The key of the question.
        key: EffectKey,
        /// Who asked.
        role: Party,
        /// The answer.
        text: String,
        /// How fast it came.
        pace: Pace,
        /// What it took.
        usage: Usage,
        /// When, in the task's own time.
        alive_ms: u64,
    },
    /// A tool's result.
    Tool {
        /// The key of the job.
        key: EffectKey,
        /// The call.
        call: ToolCall,
        /// When.
        alive_ms: u64,
    },
    /// What came of an agent.
    Agent {
        /// The key of the job.
        key: EffectKey,
        /// How it ended, and what it wrote.
        outcome: AgentOutcome,
        /// What it says it used up.
        usage: Usage,
        /// How long it took, in milliseconds.
        ms: u64,
        /// When.
        alive_ms: u64,
    },
    /// What code found.
    Check {
        /// The key of the job.
        key: EffectKey,
        /// What.
        result: CheckResult,
        /// When.
        alive_ms: u64,
    },
    /// What became of the workspace before a new approach.
    Undo {
        /// The key of the job.
        key: EffectKey,
        /// What.
        undone: Undone,
        /// When.
        alive_ms: u64,
    },
}

/// What is on the record of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// What it was given.
    pub setting: RunSetting,
    /// What was asked for.
    pub request: TaskRequest,
    /// Which hosts the person allowed, as they were written.
    pub hosts: Vec<String>,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// How long it has been alive, in milliseconds.
    pub alive_ms: u64,
}

impl Recorded {
    /// Whether anything that it did may have changed files.
    pub fn has_acted(&self) -> bool {
        self.steps.iter().any(|step| match step {
            Step::Came(Came::Tool { call, .. }) => is_effectful(&call.request),
            Step::Came(Came::Agent { .. }) => true,
            Step::Came(Came::Answer { .. } | Came::Check { .. } | Came::Undo { .. }) | Step::Said { .. } => false,
        })
    }

    /// What the models took, by role.
    pub fn account(&self) -> Account {
        let mut account = Account::default();
        for step in &self.steps {
            match step {
                Step::Came(Came::Answer { role, pace, usage, alive_ms, .. }) => {
                    account.heard(&model_call(*role, *pace, *usage, *alive_ms));
                }
                Step::Came(Came::Agent { usage, ms, alive_ms, .. }) => {
                    let pace = Pace { tokens: 0, ms: *ms };
                    account.heard(&model_call(Party::Executor, pace, *usage, *alive_ms));
                }
                Step::Said { .. } | Step::Came(Came::Tool { .. } | Came::Check { .. } | Came::Undo { .. }) => {}
            }
        }
        account
    }

    /// What was said, in order.
    pub fn messages(&self) -> impl Iterator<Item = &BusMessage> {
        self.steps.iter().filter_map(|step| match step {
            Step::Said { said, .. } => Some(&said.message),
            Step::Came(_) => None,
        })
    }

    /// How it ended, where it has.
    pub fn result(&self) -> Option<&FinalResult> {
        self.steps.iter().rev().find_map(|step| match step {
            Step::Said { said: BusSaid { message: BusMessage::FinalResult(result), .. }, .. } => Some(result),
            Step::Said { .. } | Step::Came(_) => None,
        })
    }
}

impl Step {
    /// When, in the task's own time.
    pub(crate) fn alive_ms(&self) -> u64 {
        match self {
            Self::Said { alive_ms, .. }
            | Self::Came(
                Came::Answer { alive_ms, .. }
                | Came::Tool { alive_ms, .. }
                | Came::Agent { alive_ms, .. }
                | Came::Check { alive_ms, .. }
                | Came::Undo { alive_ms, .. },
            ) => *alive_ms,
        }
    }
}

/// What an entry says came.
pub(crate) fn came(read: Read) -> Came {
    match read {
        Read::Answer { of, role, text, pace, usage } => {
            let alive_ms = of.alive_ms + pace.ms;
            Came::Answer { key: of.key, role, text, pace, usage, alive_ms }
        }
        Read::Tool { of, call, ms } => Came::Tool { key: of.key, call, alive_ms: of.alive_ms + ms },
        Read::Agent { of, outcome, usage, ms } => {
            Came::Agent { key: of.key, outcome, usage, ms, alive_ms: of.alive_ms + ms }
        }
        Read::Undo { of, undone, ms } => Came::Undo { key: of.key, undone, alive_ms: of.alive_ms + ms },
        Read::Check { of, result, ms } => Came::Check { key: of.key, result, alive_ms: of.alive_ms + ms },
    }
}

/// Times in the task's own time.
fn model_call(role: Party, pace: Pace, usage: Usage, alive_ms: u64) -> ModelCall {
    let at = |ms: u64| Timestamp::from_millis(i64::try_from(ms).unwrap_or(i64::MAX));
    let count = |count: i64| u64::try_from(count).unwrap_or(0);
    ModelCall {
        role,
        started: at(alive_ms.saturating_sub(pace.ms)),
        ended: at(alive_ms),
        prompt_tokens: count(usage.input),
        answer_tokens: count(usage.output),
        cost_micro_usd: count(usage.cost_micro_usd),
    }
}
