//! What a notice is about, as facts. Its words are made of them when somebody reads it.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::grounding::{DissentReason, words};
use annals_kernel::id::{AgentId, ModelId, SessionId};
use annals_kernel::time::Timestamp;

words! {
    /// What a council asks of somebody.
    pub enum CouncilRequest {
        /// A vote.
        Vote = "vote",
        /// The last word: its members cannot come to one.
        LastWord = "last-word",
        /// The last word on a debate.
        Synthesis = "synthesis",
        /// An answer to a recommendation.
        Answer = "answer",
    }
}

/// What a notice is about; the issue, where there is one, stands beside it.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Matter {
    /// The issue is frozen (control-room 3.3).
    Freeze {
        /// The rule, or the reason that somebody gave.
        reason: Box<str>,
        /// From when on anyone may act again.
        until: Timestamp,
    },
    /// Nobody can challenge the issue (control-room 13.2).
    Unchallenged {
        /// Why it should be challenged.
        reason: DissentReason,
    },
    /// The issue is the reader's to decide (control-room 9.3).
    Escalation {
        /// What whoever hands it on says of it.
        summary: Box<str>,
    },
    /// A tag is circled without results (control-room 8.1).
    Leech {
        /// Which.
        tag: Box<str>,
    },
    /// An agent is penalised often (control-room 12.2).
    Reliability {
        /// Which.
        agent: AgentId,
        /// With which model.
        model: ModelId,
        /// Where it stands now: `watch` or `flagged`.
        level: Box<str>,
        /// Penalties among its last actions.
        penalties: u64,
        /// How many actions those are.
        actions: u64,
    },
    /// A council waits for the reader (decision 56).
    Council {
        /// Which.
        council: Box<str>,
        /// What it is about.
        key: Box<str>,
        /// Why it was called.
        reason: Box<str>,
        /// What it waits for.
        asked: CouncilRequest,
    },
    /// An agent tried what it may not.
    Barred {
        /// Which.
        actor: AgentId,
        /// The rule that said no.
        rule: Box<str>,
        /// What was asked.
        command: Box<str>,
    },
    /// An analysis that a trigger called for has found something (AFS 5.3).
    Analysis {
        /// In which session.
        session: SessionId,
        /// What called for it.
        trigger: Box<str>,
        /// In which mode it was looked at.
        mode: Box<str>,
        /// How much was found.
        total: u32,
        /// Of which kinds the gravest are.
        #[always]
        kinds: Vec<Box<str>>,
    },
    /// A second agent takes part: what held for one alone holds no more (decision 60).
    Swarm,
    /// A task fails again and again, and a person has to decide (dialectic).
    Task {
        /// Which.
        task: Box<str>,
        /// What it is.
        summary: Box<str>,
        /// Why a person has to decide: `count`, `debate-used` or `resolution`.
        why: Box<str>,
        /// Failures in a row.
        failures: u32,
        /// What the last attempt said.
        error: Option<Box<str>>,
    },
    /// A debate is due (dialectic).
    Debate {
        /// For which task.
        task: Box<str>,
        /// What it is.
        summary: Box<str>,
        /// Before or after: `planning` or `failure`.
        #[serde(rename = "debate")]
        kind: Box<str>,
        /// What is at stake.
        category: Box<str>,
        /// What a command does, where that is the cause.
        effect: Option<Box<str>>,
        /// The command.
        command: Option<Box<str>>,
        /// Failures in a row.
        failures: u32,
    },
}
