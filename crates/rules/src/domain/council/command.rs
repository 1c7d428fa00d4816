//! What can be asked of councils.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::count::{Choice, VoteVerdict};
use annals_kernel::grounding::words;
use annals_kernel::model_word::ModelWord;
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of councils.
    pub enum Command {
        /// Call one by hand; contests and nominations call theirs themselves.
        Open = "council.session.open" {
            /// What for: conflict, `decay_promotion`, `global_promotion`, or architecture for a recommendation.
            purpose: CouncilPurpose,
            /// What it is about: the key of an entry, or a name.
            key: Box<str>,
            /// Why it should be so.
            reason: Box<str>,
            /// How it is; of an entry, it is what it says.
            #[sparse]
            current: Box<str>,
            /// How it should be; of an entry that is proposed as golden or global, it is what it says.
            proposed: Box<str>,
        },
        /// Vote.
        Give = "council.vote.give" {
            /// Which council: its id, an end of it, or the key that it is about.
            council: Box<str>,
            /// As which member; none: the actor or its role. The user brings in that of another, where a model gave it.
            member: Option<Box<str>>,
            /// For it, against it, or neither.
            vote: Choice,
            /// How sure, 0 to 1: what the vote weighs.
            confidence: Share,
            /// Why the member votes so.
            rationale: Box<str>,
        },
        /// Say what speaks for it, or against it, in a debate.
        Plead = "council.argument.give" {
            /// Which council: its id, an end of it, or the key that it is about.
            council: Box<str>,
            /// For which side the actor speaks.
            side: CouncilSide,
            /// What it says.
            argument: Box<str>,
            /// Who speaks; none: the actor. The user brings in what a model said for a member.
            agent: Option<Box<str>>,
        },
        /// Hold a whole round of a debate, as older versions did: nobody speaks for both sides any more.
        Argue = "council.debate.argue" {
            /// Which council: its id, an end of it, or the key that it is about.
            council: Box<str>,
            /// What speaks for it.
            pro_argument: Box<str>,
            /// What speaks against it.
            con_argument: Box<str>,
            /// Who speaks for it.
            pro_agent: Box<str>,
            /// Who speaks against it.
            con_agent: Box<str>,
        },
        /// Count the votes now, or have the last word after a debate or a tie.
        Resolve = "council.session.resolve" {
            /// Which council: its id, an end of it, or the key that it is about.
            council: Box<str>,
            /// The last word, after a debate or a tie [default: the votes are counted].
            decision: Option<VoteVerdict>,
            /// How sure, 0 to 1 [default: as the votes are].
            confidence: Option<Share>,
            /// What the arguments come to.
            synthesis: Option<Box<str>>,
        },
        /// Answer a recommendation (AFS 7.3).
        Confirm = "council.session.confirm" {
            /// Which council: its id, an end of it, or the key that it is about.
            council: Box<str>,
            /// What the user says to it.
            answer: UserAnswer,
            /// Why, or what should be said.
            note: Box<str>,
        },
        /// Say more about a recommendation.
        Inform = "council.information.give" {
            /// Which council: its id, an end of it, or the key that it is about.
            council: Box<str>,
            /// The text.
            text: Box<str>,
        },
    }
}

words! {
    /// What a council is for (AFS 7.1, 7.3).
    pub enum CouncilPurpose {
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

words! {
    /// A side of a debate (AFS 7.1).
    pub enum CouncilSide {
        /// It should be.
        Pro = "pro",
        /// It should not.
        Con = "con",
    }
}

impl CouncilSide {
    /// The one that is against it.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Pro => Self::Con,
            Self::Con => Self::Pro,
        }
    }
}

words! {
    /// What the user says to a recommendation (AFS 7.3).
    pub enum UserAnswer {
        /// Do it.
        Approve = "approve",
        /// Do not.
        Reject = "reject",
        /// Say more.
        MoreInfo = "more_info",
    }
}

/// What was found out for a command before it was decided: votes and arguments are given, by people, agents or models.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// What a model said, where the vote, the argument or the last word is its.
    pub model: Option<ModelWord>,
}
