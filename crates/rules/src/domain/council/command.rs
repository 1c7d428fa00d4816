//! What can be asked of councils.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::count::{Choice, Verdict};
use annals_kernel::grounding::words;
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of councils.
    pub enum Command {
        /// Call one by hand; contests and nominations call theirs themselves.
        Open(Open) = "council.session.open",
        /// Vote.
        Give(Give) = "council.vote.give",
        /// Say what speaks for it, or against it, in a debate.
        Plead(Plead) = "council.argument.give",
        /// Hold a whole round of a debate, as older versions did: nobody speaks for both sides any more.
        Argue(Argue) = "council.debate.argue",
        /// Count the votes now, or have the last word after a debate or a tie.
        Resolve(Resolve) = "council.session.resolve",
        /// Answer a recommendation (AFS 7.3).
        Confirm(Confirm) = "council.session.confirm",
        /// Say more about a recommendation.
        Inform(Inform) = "council.information.give",
    }
}

words! {
    /// What a council is for (AFS 7.1, 7.3).
    pub enum Purpose {
        /// Something should say something else.
        Conflict = "conflict",
        /// Something should fade no more.
        DecayPromotion = "decay_promotion",
        /// Something should be for other projects, too.
        GlobalPromotion = "global_promotion",
        /// The work should be organised in another way: votes are advice, and the user decides.
        Architecture = "architecture",
    }
}

/// Fields of `council.session.open`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Open {
    /// What for.
    pub purpose: Purpose,
    /// What it is about: the key of an entry, or a name.
    pub key: Box<str>,
    /// Why.
    pub reason: Box<str>,
    /// How it is.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub current: Box<str>,
    /// How it should be.
    pub proposed: Box<str>,
}

/// Fields of `council.vote.give`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Give {
    /// Which council.
    pub council: Box<str>,
    /// As which member; none: the actor, or in a council of roles, its role.
    pub member: Option<Box<str>>,
    /// What.
    pub vote: Choice,
    /// How sure: what the vote weighs.
    pub confidence: Share,
    /// Why.
    pub rationale: Box<str>,
}

words! {
    /// A side of a debate (AFS 7.1).
    pub enum Side {
        /// It should be.
        Pro = "pro",
        /// It should not.
        Con = "con",
    }
}

impl Side {
    /// The one that is against it.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Pro => Self::Con,
            Self::Con => Self::Pro,
        }
    }
}

/// Fields of `council.argument.give`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Plead {
    /// Which council.
    pub council: Box<str>,
    /// For which side the actor speaks.
    pub side: Side,
    /// What it says.
    pub argument: Box<str>,
}

/// Fields of `council.debate.argue`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Argue {
    /// Which council.
    pub council: Box<str>,
    /// What speaks for it.
    pub pro_argument: Box<str>,
    /// What speaks against it.
    pub con_argument: Box<str>,
    /// Who speaks for it.
    pub pro_agent: Box<str>,
    /// Who speaks against it.
    pub con_agent: Box<str>,
}

/// Fields of `council.session.resolve`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resolve {
    /// Which council.
    pub council: Box<str>,
    /// The last word, after a debate or a tie; none: the votes are counted.
    pub decision: Option<Verdict>,
    /// How sure; none: as the votes are.
    pub confidence: Option<Share>,
    /// What the arguments come to.
    pub synthesis: Option<Box<str>>,
}

words! {
    /// What the user says to a recommendation (AFS 7.3).
    pub enum Answer {
        /// Do it.
        Approve = "approve",
        /// Do not.
        Reject = "reject",
        /// Say more.
        MoreInfo = "more_info",
    }
}

/// Fields of `council.session.confirm`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Confirm {
    /// Which council.
    pub council: Box<str>,
    /// What is said to it.
    pub answer: Answer,
    /// Why, or what should be said.
    pub note: Box<str>,
}

/// Fields of `council.information.give`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Inform {
    /// Which council.
    pub council: Box<str>,
    /// What there is to say.
    pub text: Box<str>,
}

/// Nothing is observed for these commands: votes and arguments are given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
