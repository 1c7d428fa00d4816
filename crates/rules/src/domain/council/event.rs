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
        Created(Created) = "council.session.created",
        /// Its seats are taken.
        Manned(Manned) = "council.session.manned",
        /// A member voted.
        Cast(Cast) = "council.vote.cast",
        /// The votes are a tie.
        Tied(Tied) = "council.session.tied",
        /// There is a debate now.
        DebateOpened(DebateOpened) = "council.debate.opened",
        /// One side of it was spoken for.
        Pleaded(Pleaded) = "council.argument.given",
        /// A round of it was held, by older rules.
        Argued(Argued) = "council.debate.argued",
        /// The user wants to know more.
        Requested(Requested) = "council.information.requested",
        /// More was said.
        Informed(Informed) = "council.information.given",
        /// It is decided.
        Resolved(Resolved) = "council.session.resolved",
        /// What it was about was settled without it.
        Lapsed(Lapsed) = "council.session.lapsed",
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

/// Fields of `council.session.created`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Created {
    /// Its id: that of the entry; with `.1`, `.2`, … where one decision called several.
    pub council: Box<str>,
    /// What for.
    pub purpose: Purpose,
    /// What it is about.
    pub key: Box<str>,
    /// Why.
    pub reason: Box<str>,
    /// How it is.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub current: Box<str>,
    /// How it should be.
    pub proposed: Box<str>,
    /// The rules that hold for it, whatever is configured later.
    pub config: Rules,
    /// Who called it.
    pub initiated_by: AgentId,
}

/// Fields of `council.session.manned`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Manned {
    /// Which council.
    pub council: Box<str>,
    /// Who votes: agents by their ids, and `user`.
    pub members: Vec<Box<str>>,
}

/// Fields of `council.vote.cast`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cast {
    /// Which council.
    pub council: Box<str>,
    /// Whose vote.
    pub member: Box<str>,
    /// What.
    pub vote: Choice,
    /// What it weighs.
    pub confidence: Share,
    /// Why.
    pub rationale: Box<str>,
}

/// Fields of `council.session.tied`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tied {
    /// Which council.
    pub council: Box<str>,
    /// What the votes came to.
    pub count: Count,
}

/// Fields of `council.debate.opened`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DebateOpened {
    /// Which council.
    pub council: Box<str>,
    /// Who ends it.
    pub arbitrator: AgentId,
}

/// Fields of `council.argument.given`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pleaded {
    /// Which council.
    pub council: Box<str>,
    /// In which round, from 1.
    pub round: u32,
    /// What was said, and by whom.
    #[serde(flatten)]
    pub plea: Plea,
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

/// Fields of `council.debate.argued`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Argued {
    /// Which council.
    pub council: Box<str>,
    /// The round.
    #[serde(flatten)]
    pub round: Round,
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

/// Fields of `council.information.requested`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Requested {
    /// Which council.
    pub council: Box<str>,
    /// What should be said.
    pub question: Box<str>,
}

/// Fields of `council.information.given`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Informed {
    /// Which council.
    pub council: Box<str>,
    /// What was said.
    pub text: Box<str>,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conclusion {
    /// What is decided.
    pub final_decision: Verdict,
    /// How sure.
    pub confidence: Share,
    /// Why, as whoever decided says; nothing where votes decided, but in lines from before edges made words of them.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub rationale: Box<str>,
}

/// Fields of `council.session.resolved`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resolved {
    /// Which council.
    pub council: Box<str>,
    /// What it was about.
    pub key: Box<str>,
    /// What decided.
    pub by: Means,
    /// What the votes came to.
    pub count: Count,
    /// What it came to.
    pub result: Conclusion,
    /// What the arguments came to.
    pub synthesis: Option<Box<str>>,
}

/// Fields of `council.session.lapsed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lapsed {
    /// Which council.
    pub council: Box<str>,
    /// What it was about.
    pub key: Box<str>,
    /// Why it is not needed any more: `settled-otherwise`, `entry-removed` or `entry-replaced`; a sentence in older lines.
    pub reason: Box<str>,
}
