//! The eight rules, and what each of them says about a comment.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::grounding::{Impact, words};
use annals_kernel::id::AgentId;

words! {
    /// The rules of control-room 3.2, in its order, and `echo`.
    pub enum BreakerRule {
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
        /// So much it must bring that its thread does not have (decision 58).
        Echo = "echo",
    }
}

words! {
    /// In which way a text may be an echo.
    pub enum Echoes {
        /// It says again what the thread says: runs of words, numbers, paths and names are counted.
        Restatement = "restatement",
        /// It agrees: new words of content are counted.
        Agreement = "agreement",
    }
}

words! {
    /// What a violation does.
    pub enum ViolationSeverity {
        /// The comment is not taken.
        Reject = "reject",
        /// The comment is not taken, and the issue is frozen.
        Freeze = "freeze",
    }
}

/// What one rule says about a comment.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// Which.
    pub rule: BreakerRule,
    /// What it measured.
    pub value: u64,
    /// What it is measured against.
    pub limit: u64,
    /// What a violation does; none: the comment may pass.
    pub violation: Option<ViolationSeverity>,
    /// What else words for it name.
    #[sparse]
    pub found: Found,
    /// In words: only in lines from before edges made them of the rest.
    pub message: Option<Box<str>>,
}

/// What a rule found, beside its figures.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// Whose comments were counted.
    pub agent: Option<AgentId>,
    /// With whom that one alternates.
    pub other: Option<AgentId>,
    /// Words of alarm.
    pub keywords: Vec<Box<str>>,
    /// The impact that asks for evidence.
    pub impact: Option<Impact>,
    /// How many of the references are files.
    pub files: Option<u64>,
    /// In which way it may be an echo.
    pub echoes: Option<Echoes>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_read_as_it_was_written() {
        let found = Found { keywords: vec!["urgent".into()], ..Found::default() };
        let check =
            Check { rule: BreakerRule::EscalationLanguage, value: 1, limit: 0, violation: None, found, message: None };
        let text = serde_json::to_string(&check).expect("written");
        assert_eq!(serde_json::from_str::<Check>(&text).expect("read"), check);
        let old = r#"{"rule":"low-vocabulary","value":1,"limit":10,"violation":"reject","message":"too few"}"#;
        let read: Check = serde_json::from_str(old).expect("read");
        assert_eq!(read.message.as_deref(), Some("too few"));
        assert_eq!(serde_json::to_string(&read).expect("written"), old);
    }
}
