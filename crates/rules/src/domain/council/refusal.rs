//! Why a council stays as it is.

use annals_sparse::sparse;

use super::command::{CouncilPurpose, CouncilSide};
use super::session::CouncilStatus;
use annals_kernel::grounding::words;
use annals_kernel::id::AgentId;
use annals_kernel::refusal::refusal;
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

refusal! {
    /// Why a council stays as it is.
    #[sparse]
    pub enum Refusal {
        /// There is none.
        UnknownCouncil = "council.unknown_council" { council: Box<str> },
        /// It is over.
        Over = "council.over" { council: Box<str>, status: CouncilStatus },
        /// One at a time.
        OpenAlready = "council.open_already" { key: Box<str>, council: Box<str> },
        /// Nobody could name it.
        BadKey = "council.bad_key" { most: usize },
        /// Nobody could judge it.
        BadText = "council.bad_text" { what: &'static str, most: usize },
        /// It was not asked (AFS 7.2).
        NotAMember = "council.not_a_member" { who: Box<str>, members: Box<str> },
        /// One vote each.
        Voted = "council.voted" { member: Box<str>, vote: Box<str> },
        /// That time is over.
        NotVoting = "council.not_voting" { status: CouncilStatus },
        /// Too few have said anything (decision 20).
        NoQuorum = "council.no_quorum" { voices: u32, quorum: u32 },
        /// Members have not voted yet, and have time to.
        TooEarly = "council.too_early" { until: Timestamp },
        /// The votes say it.
        VotesDecide = "council.votes_decide",
        /// There is nothing to argue about.
        NotDebating = "council.not_debating" { status: CouncilStatus },
        /// All has been said (AFS 13.2).
        NoMoreRounds = "council.no_more_rounds" { most: u32 },
        /// Nobody argues with itself.
        BothSides = "council.both_sides" { who: Box<str> },
        /// Nobody says what another one thinks.
        OneSide = "council.one_side",
        /// The other side comes first.
        SideTaken = "council.side_taken" { side: CouncilSide, who: Box<str> },
        /// Nothing has been said.
        NoRound = "council.no_round",
        /// A debate ends with what was learnt from it.
        NoSynthesis = "council.no_synthesis",
        /// Somebody must say what is decided.
        NoDecision = "council.no_decision",
        /// It is for somebody else to say.
        NotTheArbitrator = "council.not_the_arbitrator" {
            actor: AgentId,
            arbitrator: Option<AgentId>,
            /// Who has it beside or without that one.
            leads: Leads,
        },
        /// AFS 7.3.
        NeedsConfirmation = "council.needs_confirmation",
        /// AFS 7.3.
        NoRecommendation = "council.no_recommendation" { purpose: CouncilPurpose },
        /// Everything has been asked.
        Enough = "council.enough" { most: usize },
    }
}
