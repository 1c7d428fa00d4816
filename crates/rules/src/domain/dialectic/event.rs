//! What happens in debates and to counts of failures.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::{Because, Debates, Ending, Kind, Relation, Side};
use super::csp::{Resolved, Stakes};
use super::stakes::Category;
use super::synthesis::Rule;
use annals_kernel::grounding::words;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::wire::wire;

wire! {
    /// What happened in a debate, or to a count.
    pub enum Event {
        /// A debate began.
        Requested(Requested) = "dialectic.debate.requested",
        /// One side spoke.
        Argued(Argued) = "dialectic.position.taken",
        /// It came to something.
        Resolved(Resolution) = "dialectic.debate.resolved",
        /// Somebody said what became of it.
        Judged(Judged) = "dialectic.debate.judged",
        /// An attempt failed.
        Failed(Failed) = "dialectic.attempt.failed",
        /// An attempt succeeded, and failures before it count no more.
        Succeeded(Succeeded) = "dialectic.attempt.succeeded",
        /// Failures so far count no more; a debate about them is over.
        Cleared(Cleared) = "dialectic.task.cleared",
        /// A person has to decide how it goes on.
        Escalated(Escalated) = "dialectic.task.escalated",
        /// Two tasks count together, or apart.
        Related(Related) = "dialectic.task.related",
        /// Debates were switched off or on for a session.
        Switched(Switched) = "dialectic.session.switched",
        /// Recorded calls failed with the same error again: a debate is due.
        Repeated(Repeated) = "dialectic.failure.repeated",
    }
}

words! {
    /// Why a person has to decide.
    pub enum Why {
        /// Too many failures in a row.
        Count = "count",
        /// The debate is used up: the attempt after it failed.
        DebateUsed = "debate-used",
        /// The debate came to that.
        Resolution = "resolution",
    }
}

/// Fields of `dialectic.debate.requested`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Requested {
    /// Its id: that of the entry.
    pub debate: Box<str>,
    /// The task, by its id.
    pub task: Box<str>,
    /// Before or after.
    pub kind: Kind,
    /// The plan, by the hash of its text.
    pub plan: Box<str>,
    /// What is at stake.
    pub stakes: Stakes,
    /// Of which kind that is.
    pub category: Category,
    /// 1 to 3.
    pub rounds: u8,
    /// Failures in a row.
    pub failures: u32,
}

/// Fields of `dialectic.position.taken`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Argued {
    /// Which debate.
    pub debate: Box<str>,
    /// Who spoke.
    pub side: Side,
    /// In which round, from 1.
    pub round: u8,
    /// How long it is, in tokens as they are counted here.
    pub tokens: u32,
}

/// Fields of `dialectic.debate.resolved`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resolution {
    /// Which debate.
    pub debate: Box<str>,
    /// The task, by its id.
    pub task: Box<str>,
    /// The word.
    pub resolution: Resolved,
    /// The row of the table of synthesis.
    pub rule: Rule,
    /// Why, as somebody says; nothing where the rule says it, but in lines from before edges made words of it.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub rationale: Box<str>,
    /// The changes.
    pub modifications: Vec<Box<str>>,
    /// What to do next.
    pub next_approach: Option<Box<str>>,
    /// Who decides.
    pub escalate_to: Option<Box<str>>,
    /// How many attempts may follow.
    pub next_attempt_limit: Option<u8>,
}

/// Fields of `dialectic.debate.judged`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    /// Which debate.
    pub debate: Box<str>,
    /// What became of it.
    pub outcome: Ending,
    /// Whether the debate made a difference.
    pub helped: bool,
}

/// Fields of `dialectic.attempt.failed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failed {
    /// The task, by its id.
    pub task: Box<str>,
    /// The so-manyeth failure in a row.
    pub attempt: u32,
    /// Which error.
    pub fingerprint: Box<str>,
}

/// Fields of `dialectic.attempt.succeeded`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Succeeded {
    /// The task, by its id.
    pub task: Box<str>,
    /// So many failures counted before.
    pub cleared: u32,
}

/// Fields of `dialectic.task.cleared`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cleared {
    /// The task, by its id.
    pub task: Box<str>,
    /// So many failures counted before.
    pub cleared: u32,
    /// Why.
    pub because: Because,
}

/// Fields of `dialectic.task.escalated`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Escalated {
    /// The task, by its id.
    pub task: Box<str>,
    /// Why.
    pub why: Why,
    /// Failures in a row.
    pub failures: u32,
}

/// Fields of `dialectic.task.related`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Related {
    /// The task that was asked about, by its id.
    pub task: Box<str>,
    /// The other one, by its id.
    pub other: Box<str>,
    /// What they are to each other.
    pub relation: Relation,
}

/// Fields of `dialectic.session.switched`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Switched {
    /// Which session.
    pub session: SessionId,
    /// On or off.
    pub debates: Debates,
}

/// Fields of `dialectic.failure.repeated`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Repeated {
    /// The task, by its id.
    pub task: Box<str>,
    /// What it is, in a few words.
    pub summary: Box<str>,
    /// In which session.
    pub session: SessionId,
    /// Which error.
    pub fingerprint: Box<str>,
    /// With which tool, about what.
    pub approach: Box<str>,
    /// The entry of its last failure.
    pub cause: EntryId,
    /// So many times without a success in between.
    pub count: u32,
}
