//! What is observed of the agent when it is assessed.
//!
//! Data only; who gathered it is not known here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::grounding::words;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;
pub use annals_rules::domain::resident::MessageTrust;

words! {
    /// Who spoke.
    pub enum TurnRole {
        /// A person.
        User = "user",
        /// The agent.
        Agent = "agent",
    }
}

words! {
    /// What a task is at.
    pub enum PhaseName {
        /// Finding out.
        Exploring = "exploring",
        /// Choosing.
        Deciding = "deciding",
        /// Doing.
        Implementing = "implementing",
        /// Looking whether it was done.
        Verifying = "verifying",
        /// Handing it over.
        Finishing = "finishing",
    }
}

/// A phase, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CurrentPhase {
    /// Which.
    pub phase: PhaseName,
    /// Since when.
    pub since: Timestamp,
}

/// A fact that was retrieved for the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RetrievedFact {
    /// What it says.
    pub content: String,
    /// How sure it is.
    pub confidence: Share,
    /// How much retrieval says it is about the message; none: its words are compared.
    #[serde(default)]
    pub relevance: Option<Share>,
}

/// A turn of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResidentTurn {
    /// Who spoke.
    pub role: TurnRole,
    /// What was said.
    pub text: String,
    /// When.
    pub at: Timestamp,
}

/// Work that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkItem {
    /// Which.
    pub id: String,
    /// When anything last happened to it.
    pub last_activity: Timestamp,
    /// When it was handed to another.
    #[serde(default)]
    pub delegated_at: Option<Timestamp>,
    /// How often the agent asked about it since.
    #[serde(default)]
    pub follow_ups: u32,
}

/// What the agent lives on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Vitals {
    /// The part of its scarcest budget (tokens, money, time) that is left, where there is one.
    pub budget_left: Option<Share>,
    /// The part of the disk that is free, where that is known.
    pub disk_left: Option<Share>,
    /// Recent calls of its own, of models and tools.
    pub calls: u32,
    /// Those that failed.
    pub failed_calls: u32,
}

/// All of it. The default is an agent of which nothing is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AgentContext {
    /// What it was told just now; empty at a heartbeat.
    pub message: String,
    /// How far who told it is trusted.
    pub trust: MessageTrust,
    /// What it is about to do, where it says so.
    pub intended_action: Option<String>,
    /// What it knows of the message.
    pub facts: Vec<RetrievedFact>,
    /// What was said before, the oldest first.
    pub history: Vec<ResidentTurn>,
    /// Tasks that are its own.
    pub assigned_tasks: u32,
    /// Work that is under way.
    pub work_items: Vec<WorkItem>,
    /// What its task is at.
    pub phase: Option<CurrentPhase>,
    /// When it last said anything.
    pub last_outbound: Option<Timestamp>,
    /// What it lives on.
    pub vitals: Vitals,
}

impl AgentContext {
    /// When anything was last said.
    pub fn last_message(&self) -> Option<Timestamp> {
        self.history.iter().map(|turn| turn.at).max()
    }

    /// Whether nothing was asked.
    pub fn is_quiet(&self) -> bool {
        self.message.trim().is_empty()
    }
}
