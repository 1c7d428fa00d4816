//! What happens to councils. Names as in AFS 8.3.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::{Purpose, Side};
use super::count::{Choice, Count, Verdict};
use super::settings::Rules;
use annals_kernel::grounding::words;
use annals_kernel::id::AgentId;
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What happened to a council.
    pub enum Event {
        /// There is one.
        Created = "council.session.created" {
            /// Its id: that of the entry; with `.1`, `.2`, … where one decision called several.
            council: Box<str>,
            /// What for.
            purpose: Purpose,
            /// What it is about.
            key: Box<str>,
            /// Why.
            reason: Box<str>,
            /// How it is.
            #[sparse]
            current: Box<str>,
            /// How it should be.
            proposed: Box<str>,
            /// The rules that hold for it, whatever is configured later.
            config: Rules,
            /// Who called it.
            initiated_by: AgentId,
        },
        /// Its seats are taken.
        Manned = "council.session.manned" {
            /// Which council.
            council: Box<str>,
            /// Who votes: agents by their ids, and `user`.
            #[always]
            members: Vec<Box<str>>,
        },
        /// A member voted.
        Cast = "council.vote.cast" {
            /// Which council.
            council: Box<str>,
            /// Whose vote.
            member: Box<str>,
            /// What.
            vote: Choice,
            /// What it weighs.
            confidence: Share,
            /// Why.
            rationale: Box<str>,
        },
        /// The votes are a tie.
        Tied = "council.session.tied" {
            /// Which council.
            council: Box<str>,
            /// What the votes came to.
            count: Count,
        },
        /// There is a debate now.
        DebateOpened = "council.debate.opened" {
            /// Which council.
            council: Box<str>,
            /// Who ends it.
            arbitrator: AgentId,
        },
        /// One side of it was spoken for.
        Pleaded = "council.argument.given" {
            /// Which council.
            council: Box<str>,
            /// In which round, from 1.
            round: u32,
            /// What was said, and by whom.
            #[serde(flatten)]
            plea: Plea,
        },
        /// A round of it was held, by older rules.
        Argued = "council.debate.argued" {
            /// Which council.
            council: Box<str>,
            /// The round.
            #[serde(flatten)]
            round: Round,
        },
        /// The user wants to know more.
        Requested = "council.information.requested" {
            /// Which council.
            council: Box<str>,
            /// What should be said.
            question: Box<str>,
        },
        /// More was said.
        Informed = "council.information.given" {
            /// Which council.
            council: Box<str>,
            /// What was said.
            text: Box<str>,
        },
        /// It is decided.
        Resolved = "council.session.resolved" {
            /// Which council.
            council: Box<str>,
            /// What it was about.
            key: Box<str>,
            /// What decided.
            by: Means,
            /// What the votes came to.
            count: Count,
            /// What it came to.
            result: Conclusion,
            /// What the arguments came to.
            synthesis: Option<Box<str>>,
        },
        /// What it was about was settled without it.
        Lapsed = "council.session.lapsed" {
            /// Which council.
            council: Box<str>,
            /// What it was about.
            key: Box<str>,
            /// Why it is not needed any more: `settled-otherwise`, `entry-removed` or `entry-replaced`; a sentence in older lines.
            reason: Box<str>,
        },
    }
}

impl Event {
    /// The council that it is about.
    pub fn council(&self) -> &str {
        match self {
            Self::Created(created) => &created.council,
            Self::Manned(manned) => &manned.council,
            Self::Cast(cast) => &cast.council,
            Self::Tied(tied) => &tied.council,
            Self::DebateOpened(opened) => &opened.council,
            Self::Pleaded(pleaded) => &pleaded.council,
            Self::Argued(argued) => &argued.council,
            Self::Requested(requested) => &requested.council,
            Self::Informed(informed) => &informed.council,
            Self::Resolved(resolved) => &resolved.council,
            Self::Lapsed(lapsed) => &lapsed.council,
        }
    }
}

/// What somebody says for one side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Plea {
    /// For which.
    pub side: Side,
    /// What.
    pub argument: Box<str>,
    /// Who.
    pub agent: Box<str>,
}

/// A round of a debate (AFS 7.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Round {
    /// Its number, from 1.
    pub round: u32,
    /// What speaks for it.
    pub pro_argument: Box<str>,
    /// What speaks against it.
    pub con_argument: Box<str>,
    /// Who spoke for it.
    pub pro_agent: Box<str>,
    /// Who spoke against it.
    pub con_agent: Box<str>,
}

words! {
    /// What decided.
    pub enum Means {
        /// The votes.
        Votes = "votes",
        /// The arbitrator, after a debate.
        Arbitration = "arbitration",
        /// A lead, where the votes tied.
        LastWord = "last_word",
        /// The user, on a recommendation.
        Confirmation = "confirmation",
    }
}

/// What a council came to (AFS 7.1).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conclusion {
    /// What is decided.
    pub final_decision: Verdict,
    /// How sure.
    pub confidence: Share,
    /// Why, as whoever decided says; nothing where votes decided, but in lines from before edges made words of them.
    #[sparse]
    pub rationale: Box<str>,
}
