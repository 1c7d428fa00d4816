//! Why a council stays as it is.

use annals_sparse::sparse;
use serde::Serialize;

use super::command::{Purpose, Side};
use super::session::Status;
use annals_kernel::grounding::words;
use annals_kernel::id::AgentId;
use annals_kernel::time::Timestamp;

words! {
    /// Who has a last word by what they are.
    pub enum Leads {
        /// The user and the team lead.
        All = "user_and_lead",
        /// The user alone.
        User = "user",
    }
}

/// Why a council stays as it is.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Refusal {
    /// There is none.
    UnknownCouncil {
        /// The id.
        council: Box<str>,
    },
    /// It is over.
    Over {
        /// The id.
        council: Box<str>,
        /// How it ended.
        status: Status,
    },
    /// One at a time.
    OpenAlready {
        /// What it is about.
        key: Box<str>,
        /// The id.
        council: Box<str>,
    },
    /// Nobody could name it.
    BadKey {
        /// The most.
        most: usize,
    },
    /// Nobody could judge it.
    BadText {
        /// Which text.
        what: &'static str,
        /// The most.
        most: usize,
    },
    /// It was not asked (AFS 7.2).
    NotAMember {
        /// Who wanted to vote, or as whom.
        who: Box<str>,
        /// Who votes.
        members: Box<str>,
    },
    /// One vote each.
    Voted {
        /// Who.
        member: Box<str>,
        /// What.
        vote: Box<str>,
    },
    /// That time is over.
    NotVoting {
        /// Where it stands.
        status: Status,
    },
    /// Too few have said anything (decision 20).
    NoQuorum {
        /// How many have.
        voices: u32,
        /// How many must.
        quorum: u32,
    },
    /// Members have not voted yet, and have time to.
    TooEarly {
        /// Until when their votes are awaited.
        until: Timestamp,
    },
    /// The votes say it.
    VotesDecide,
    /// There is nothing to argue about.
    NotDebating {
        /// Where it stands.
        status: Status,
    },
    /// All has been said (AFS 13.2).
    NoMoreRounds {
        /// The most.
        most: u32,
    },
    /// Nobody argues with itself.
    BothSides {
        /// Who.
        who: Box<str>,
    },
    /// Nobody says what another one thinks.
    OneSide,
    /// The other side comes first.
    SideTaken {
        /// Which side.
        side: Side,
        /// Who spoke for it.
        who: Box<str>,
    },
    /// Nothing has been said.
    NoRound,
    /// A debate ends with what was learnt from it.
    NoSynthesis,
    /// Somebody must say what is decided.
    NoDecision,
    /// It is for somebody else to say.
    NotTheArbitrator {
        /// Who asked.
        actor: AgentId,
        /// Who was named for it.
        arbitrator: Option<AgentId>,
        /// Who has it beside or without that one.
        leads: Leads,
    },
    /// AFS 7.3.
    NeedsConfirmation,
    /// AFS 7.3.
    NoRecommendation {
        /// What it is for.
        purpose: Purpose,
    },
    /// Everything has been asked.
    Enough {
        /// The most.
        most: usize,
    },
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::UnknownCouncil { .. } => "council.unknown_council",
            Self::Over { .. } => "council.over",
            Self::OpenAlready { .. } => "council.open_already",
            Self::BadKey { .. } => "council.bad_key",
            Self::BadText { .. } => "council.bad_text",
            Self::NotAMember { .. } => "council.not_a_member",
            Self::Voted { .. } => "council.voted",
            Self::NotVoting { .. } => "council.not_voting",
            Self::NoQuorum { .. } => "council.no_quorum",
            Self::TooEarly { .. } => "council.too_early",
            Self::VotesDecide => "council.votes_decide",
            Self::NotDebating { .. } => "council.not_debating",
            Self::NoMoreRounds { .. } => "council.no_more_rounds",
            Self::BothSides { .. } => "council.both_sides",
            Self::OneSide => "council.one_side",
            Self::SideTaken { .. } => "council.side_taken",
            Self::NoRound => "council.no_round",
            Self::NoSynthesis => "council.no_synthesis",
            Self::NoDecision => "council.no_decision",
            Self::NotTheArbitrator { .. } => "council.not_the_arbitrator",
            Self::NeedsConfirmation => "council.needs_confirmation",
            Self::NoRecommendation { .. } => "council.no_recommendation",
            Self::Enough { .. } => "council.enough",
        }
    }
}
