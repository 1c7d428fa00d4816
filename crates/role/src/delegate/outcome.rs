//! Which agents there are, what one is to do, and how it ended.
//!
//! Data only.

use std::collections::BTreeMap;

use annals_kernel::grounding::words;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::run::EffectKey;

words! {
    /// An agent that can stand in for the executor.
    pub enum AgentProgram {
        /// `claude -p`.
        Claude = "claude",
        /// `codex exec`.
        Codex = "codex",
    }
}

/// A subtask for an agent, or another attempt at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentJob {
    /// What it is for.
    pub key: EffectKey,
    /// Which subtask.
    pub subtask_id: String,
    /// Which agent.
    pub program: AgentProgram,
    /// Everything that it is told.
    pub prompt: String,
    /// How long it may take, in milliseconds: what is left of the task's time.
    pub deadline_ms: u64,
}

/// How the process ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum AgentEnd {
    /// By itself, with this code; by a signal: 128 and its number.
    Exited {
        /// The code.
        code: i32,
    },
    /// Its time was up.
    OutOfTime,
    /// It was not started.
    NotStarted {
        /// Why.
        why: String,
    },
    /// What became of it is not known: the run was killed while it was at work, or something ended it.
    Unknown {
        /// What is known.
        why: String,
    },
}

/// What came of an agent, as it is recorded before anybody reads it (decision 65).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentOutcome {
    /// How it ended.
    #[serde(flatten)]
    pub end: AgentEnd,
    /// The folder that it worked in.
    #[serde(default)]
    pub folder: String,
    /// What it wrote; of what is too long the beginning and the end.
    #[serde(default)]
    pub output: String,
    /// Hosts that it asked for and may not reach, and how often.
    #[serde(default)]
    pub refused: BTreeMap<String, u64>,
    /// How many of its hooks were heard.
    #[serde(default)]
    pub hooks: u64,
    /// How it names its session: under that name its hooks are on record.
    #[serde(default)]
    pub session: Option<String>,
    /// The entry that records it.
    #[serde(skip)]
    pub entry: Option<String>,
}

impl AgentOutcome {
    /// Of one that wrote nothing.
    pub fn silent(end: AgentEnd) -> Self {
        let (folder, output, refused) = (String::new(), String::new(), BTreeMap::new());
        Self { end, folder, output, refused, hooks: 0, session: None, entry: None }
    }
}

/// What an agent says it used up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AgentUsage {
    /// Tokens read, from a cache or not.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// Money, in millionths of a dollar.
    pub micro_usd: u64,
}
