//! What happens to councils. Names as in AFS 8.3.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::{CouncilPurpose, CouncilSide};
use super::count::{Choice, VoteCount, VoteVerdict};
use super::settings::Rules;
use annals_kernel::grounding::words;
use annals_kernel::id::AgentId;
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What happened to a council.
    pub enum Event each {
        /// Which council: the entry that called it; with `.1`, `.2`, … where one decision called several.
        council: Box<str> as &str
    } {
        /// There is one.
        Created = "council.session.created" {
            /// What for.
            purpose: CouncilPurpose,
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
            /// Who votes: agents by their ids, and `user`.
            #[always]
            members: Vec<Box<str>>,
        },
        /// A member voted.
        Cast = "council.vote.cast" {
            /// Whose vote.
            member: Box<str>,
            /// What.
            vote: Choice,
            /// What it weighs.
            confidence: Share,
            /// Why.
            rationale: Box<str>,
            /// The model that gave it, where one did.
            model: Option<Box<str>>,
        },
        /// The votes are a tie.
        Tied = "council.session.tied" {
            /// What the votes came to.
            count: VoteCount,
        },
        /// There is a debate now.
        DebateOpened = "council.debate.opened" {
            /// Who ends it.
            arbitrator: AgentId,
        },
        /// One side of it was spoken for.
        Pleaded = "council.argument.given" {
            /// In which round, from 1.
            round: u32,
            /// What was said, and by whom.
            #[serde(flatten)]
            plea: Plea,
        },
        /// A round of it was held, by older rules.
        Argued = "council.debate.argued" {
            /// The round.
            #[serde(flatten)]
            round: CouncilRound,
        },
        /// The user wants to know more.
        Requested = "council.information.requested" {
            /// What should be said.
            question: Box<str>,
        },
        /// More was said.
        Informed = "council.information.given" {
            /// What was said.
            text: Box<str>,
        },
        /// It is decided.
        Resolved = "council.session.resolved" {
            /// What it was about.
            key: Box<str>,
            /// What decided.
            by: Means,
            /// What the votes came to.
            count: VoteCount,
            /// What it came to.
            result: Conclusion,
            /// What the arguments came to.
            synthesis: Option<Box<str>>,
        },
        /// What it was about was settled without it.
        Lapsed = "council.session.lapsed" {
            /// What it was about.
            key: Box<str>,
            /// Why it is not needed any more: `settled-otherwise`, `entry-removed` or `entry-replaced`; a sentence in older lines.
            reason: Box<str>,
        },
    }
}

/// What somebody says for one side.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Plea {
    /// For which.
    pub side: CouncilSide,
    /// What.
    pub argument: Box<str>,
    /// Who.
    pub agent: Box<str>,
    /// The model that said it, where one did.
    pub model: Option<Box<str>>,
}

/// A round of a debate (AFS 7.1).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CouncilRound {
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
    /// The model that spoke for it, where one did.
    pub pro_model: Option<Box<str>>,
    /// The model that spoke against it, where one did.
    pub con_model: Option<Box<str>>,
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
    pub final_decision: VoteVerdict,
    /// How sure.
    pub confidence: Share,
    /// Why, as whoever decided says; nothing where votes decided, but in lines from before edges made words of them.
    #[sparse]
    pub rationale: Box<str>,
    /// The model whose word it is, where it is one's.
    pub model: Option<Box<str>>,
}
