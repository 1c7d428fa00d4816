//! Why a council stays as it is.

use super::command::Purpose;
use super::session::Status;
use crate::kernel::id::AgentId;

/// Why a council stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// There is none.
    #[error("there is no council {council}")]
    UnknownCouncil {
        /// The id.
        council: Box<str>,
    },
    /// It is over.
    #[error("council {council} is over: {status}")]
    Over {
        /// The id.
        council: Box<str>,
        /// How it ended.
        status: Status,
    },
    /// One at a time.
    #[error("council {council} on {key} is open already")]
    OpenAlready {
        /// What it is about.
        key: Box<str>,
        /// The id.
        council: Box<str>,
    },
    /// Nobody could name it.
    #[error("a key is 1 to {most} characters without control characters")]
    BadKey {
        /// The most.
        most: usize,
    },
    /// Nobody could judge it.
    #[error("the {what} is 1 to {most} characters")]
    BadText {
        /// Which text.
        what: &'static str,
        /// The most.
        most: usize,
    },
    /// It was not asked (AFS 7.2).
    #[error("{who} is not a member of this council: {members} are")]
    NotAMember {
        /// Who wanted to vote, or as whom.
        who: Box<str>,
        /// Who votes.
        members: Box<str>,
    },
    /// One vote each.
    #[error("{member} has voted already: {vote}")]
    Voted {
        /// Who.
        member: Box<str>,
        /// What.
        vote: Box<str>,
    },
    /// That time is over.
    #[error("votes are taken no more: the council is {status}")]
    NotVoting {
        /// Where it stands.
        status: Status,
    },
    /// Too few have said anything (decision 20).
    #[error("{voices} of {quorum} members needed have approved or rejected")]
    NoQuorum {
        /// How many have.
        voices: u32,
        /// How many must.
        quorum: u32,
    },
    /// The votes say it.
    #[error("the votes are counted; nobody decides in their place while members vote")]
    VotesDecide,
    /// There is nothing to argue about.
    #[error("there is no debate: the council is {status}")]
    NotDebating {
        /// Where it stands.
        status: Status,
    },
    /// All has been said (AFS 13.2).
    #[error("the debate has had its {most} rounds")]
    NoMoreRounds {
        /// The most.
        most: u32,
    },
    /// Nobody argues with itself.
    #[error("{who} cannot be both for it and against it")]
    BothSides {
        /// Who.
        who: Box<str>,
    },
    /// It could be anybody.
    #[error("{who} is neither a member of this council nor an active agent of the roster")]
    UnknownDebater {
        /// As it was named.
        who: Box<str>,
    },
    /// Nothing has been said.
    #[error("the debate has had no round yet")]
    NoRound,
    /// A debate ends with what was learnt from it.
    #[error("a debate ends with a decision and a synthesis")]
    NoSynthesis,
    /// Somebody must say what is decided.
    #[error("the votes tied; say what is decided, and why")]
    NoDecision,
    /// It is for somebody else to say.
    #[error("{actor} does not have the last word here: {who}")]
    NotTheArbitrator {
        /// Who asked.
        actor: AgentId,
        /// Who has it.
        who: Box<str>,
    },
    /// AFS 7.3.
    #[error("a recommendation is confirmed by the user, never by votes")]
    NeedsConfirmation,
    /// AFS 7.3.
    #[error("only recommendations are confirmed; this council is for {purpose}")]
    NoRecommendation {
        /// What it is for.
        purpose: Purpose,
    },
    /// Everything has been asked.
    #[error("{most} questions and answers are enough")]
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
            Self::VotesDecide => "council.votes_decide",
            Self::NotDebating { .. } => "council.not_debating",
            Self::NoMoreRounds { .. } => "council.no_more_rounds",
            Self::BothSides { .. } => "council.both_sides",
            Self::UnknownDebater { .. } => "council.unknown_debater",
            Self::NoRound => "council.no_round",
            Self::NoSynthesis => "council.no_synthesis",
            Self::NoDecision => "council.no_decision",
            Self::NotTheArbitrator { .. } => "council.not_the_arbitrator",
            Self::NeedsConfirmation => "council.needs_confirmation",
            Self::NoRecommendation { .. } => "council.no_recommendation",
            Self::Enough { .. } => "council.enough",
        }
    }

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::UnknownCouncil { .. } | Self::OpenAlready { .. } => "`annals council list` shows those there are",
            Self::Over { .. } => "contest or nominate the entry again, and another council is called",
            Self::BadKey { .. } => "the key of the entry, or a short name",
            Self::BadText { .. } => "say it in a few sentences",
            Self::NotAMember { .. } => "hivemind.council.council_agents names the members of the next councils",
            Self::Voted { .. } => "what else there is to say belongs into the debate",
            Self::NotVoting { .. } | Self::NotDebating { .. } => "`annals council show` tells what is awaited",
            Self::NoQuorum { .. } => "`annals council show` tells whose vote is awaited",
            Self::VotesDecide => "resolve without a decision counts the votes that are in",
            Self::NoMoreRounds { .. } => "the arbitrator resolves it: `annals council resolve`",
            Self::BothSides { .. } => "name two: `--pro-agent NAME --con-agent NAME`",
            Self::UnknownDebater { .. } => "`annals council show` names the members, `annals agent list` the agents",
            Self::NoRound => "`annals council debate` holds one",
            Self::NoSynthesis | Self::NoDecision => "give --decision and --synthesis",
            Self::NotTheArbitrator { .. } => "ask whoever has it",
            Self::NeedsConfirmation => "`annals council confirm`, by the user",
            Self::NoRecommendation { .. } => "`annals council resolve` ends it",
            Self::Enough { .. } => "approve or reject it",
        }
    }
}
