//! The messages as values.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::grounding::words;
use annals_kernel::share::Share;

words! {
    /// How much is at stake, the least first.
    pub enum Stakes {
        /// It can be done again.
        Low = "low",
        /// Much work, or not clear what is meant.
        Medium = "medium",
        /// It cannot be taken back, or others feel it.
        High = "high",
    }
}

words! {
    /// How bad an objection is, the least first.
    pub enum ObjectionSeverity {
        /// Worth a word.
        Low = "low",
        /// Worth a change.
        Medium = "medium",
        /// It must not be done so.
        High = "high",
    }
}

words! {
    /// What a debate comes to.
    pub enum Resolved {
        /// The plan as it is.
        Proceed = "PROCEED",
        /// The plan, changed.
        Modify = "MODIFY",
        /// The same approach, adjusted.
        Retry = "RETRY",
        /// Another approach.
        Pivot = "PIVOT",
        /// A person decides.
        Escalate = "ESCALATE",
    }
}

/// Any message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// `DEBATE`: argue about a plan.
    Plan(PlanRequest),
    /// `DEBATE_FAILURE`: argue about what failed.
    Failure(FailureRequest),
    /// `CLAIM`: the advocate on a plan.
    Claim(PlanClaim),
    /// `OBJECTION`: the critic on a plan.
    Objection(Objection),
    /// `DIAGNOSIS`: the advocate on a failure.
    Diagnosis(FailureDiagnosis),
    /// `PATTERN`: the critic on a failure.
    Doubt(Doubt),
    /// `RESOLUTION`: what the debate comes to.
    Resolution(Resolution),
}

/// `DEBATE REQ:… ROUNDS:… STAKES:…`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanRequest {
    /// What is proposed.
    pub proposal: Box<str>,
    /// 1 to 3.
    pub rounds: u8,
    /// What is at stake.
    pub stakes: Stakes,
}

/// `DEBATE_FAILURE REQ:… ATTEMPTS:[…] ERRORS:[…]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureRequest {
    /// What was attempted.
    pub task: Box<str>,
    /// How.
    pub attempts: Vec<Box<str>>,
    /// What came of it.
    pub errors: Vec<Box<str>>,
}

/// The advocate on a plan: `CLAIM SUPPORTS CONFIDENCE`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanClaim {
    /// Why the plan is right.
    pub claim: Box<str>,
    /// What backs that.
    pub supports: Vec<Box<str>>,
    /// How sure the advocate is.
    pub confidence: Share,
}

/// The critic on a plan: `OBJECTION SEVERITY RISKS COUNTER`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Objection {
    /// What is wrong with it.
    pub objection: Box<str>,
    /// How bad that is.
    pub severity: ObjectionSeverity,
    /// What may happen.
    pub risks: Vec<Box<str>>,
    /// What to do instead.
    pub counter: Option<Box<str>>,
}

/// The advocate on a failure: `DIAGNOSIS FIX DIFF_FROM_PREVIOUS`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FailureDiagnosis {
    /// Why it failed.
    pub diagnosis: Box<str>,
    /// What to do.
    pub fix: Box<str>,
    /// What is new about that.
    pub diff: Box<str>,
}

/// The critic on a failure: `PATTERN BLIND_SPOT SHOULD_ESCALATE`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Doubt {
    /// What the failures have in common.
    pub pattern: Option<Box<str>>,
    /// What the advocate does not see.
    pub blind_spot: Option<Box<str>>,
    /// Whether a person should decide.
    pub should_escalate: bool,
}

/// What a debate comes to, with one of three things that follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    /// The word.
    pub resolution: Resolved,
    /// Why, in a sentence.
    pub rationale: Box<str>,
    /// `MODIFY`: the changes.
    pub modifications: Vec<Box<str>>,
    /// `RETRY`, `PIVOT`: what to do next.
    pub next_approach: Option<Box<str>>,
    /// `ESCALATE`: who decides.
    pub escalate_to: Option<Box<str>>,
    /// `MODIFY`, `RETRY`, `PIVOT`: 1 or 2 attempts before the next debate.
    pub next_attempt_limit: Option<u8>,
}
