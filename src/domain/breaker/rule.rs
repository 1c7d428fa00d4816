//! The seven rules, and what each of them says about a comment.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::grounding::words;

words! {
    /// The rules of control-room 3.2, in its order.
    pub enum Rule {
        /// So many comments an agent may make on an issue.
        CommentBudgetExceeded = "comment-budget-exceeded",
        /// So many comments an issue may have.
        IssueCommentLimit = "issue-comment-limit",
        /// So long a comment must be.
        InsufficientSubstance = "insufficient-substance",
        /// So many different words it must have.
        LowVocabulary = "low-vocabulary",
        /// So many words of alarm it may have.
        EscalationLanguage = "escalation-language",
        /// So often two may alternate.
        PingPongDetected = "ping-pong-detected",
        /// So much a claim must stand on.
        MissingEvidenceForImpact = "missing-evidence-for-impact",
    }
}

words! {
    /// What a violation does.
    pub enum Severity {
        /// The comment is not taken.
        Reject = "reject",
        /// The comment is not taken, and the issue is frozen.
        Freeze = "freeze",
    }
}

/// What one rule says about a comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// Which.
    pub rule: Rule,
    /// What it measured.
    pub value: u64,
    /// What it is measured against.
    pub limit: u64,
    /// What a violation does; none: the comment may pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violation: Option<Severity>,
    /// In words.
    pub message: Box<str>,
}
