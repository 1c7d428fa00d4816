//! One council: what it is about, who voted what, and what came of it (AFS 7.1).

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::command::{CouncilPurpose, CouncilSide};
use super::count::{Choice, VoteCount};
use super::event::{Conclusion, CouncilRound, Means, Plea};
use super::settings::{DEFAULT_HOURS, Rules};
use annals_kernel::actor::{Standing, USER};
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::rows::Ranked;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

words! {
    /// Where a council stands (AFS 7.1).
    pub enum CouncilStatus {
        /// Votes, or an answer, are awaited.
        Voting = "voting",
        /// What was proposed holds.
        Approved = "approved",
        /// It does not.
        Rejected = "rejected",
        /// The votes do not say, and somebody must.
        Tie = "tie",
        /// The votes do not say, and it is debated.
        Debating = "debating",
        /// It was settled without the council.
        Lapsed = "lapsed",
    }
}

impl CouncilStatus {
    /// Whether nothing is decided yet.
    pub fn is_open(self) -> bool {
        match self {
            Self::Voting | Self::Tie | Self::Debating => true,
            Self::Approved | Self::Rejected | Self::Lapsed => false,
        }
    }
}

/// A vote (AFS 7.1).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Vote {
    /// Whose.
    pub agent_role: Box<str>,
    /// What.
    pub vote: Choice,
    /// What it weighs.
    pub confidence: Share,
    /// Why.
    pub rationale: Box<str>,
    /// When.
    pub timestamp: Timestamp,
    /// Who brought it in.
    pub cast_by: AgentId,
    /// The model that gave it, where one did.
    pub model: Option<Box<str>>,
}

/// A debate (AFS 7.1).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct CouncilDebate {
    /// Its rounds.
    #[always]
    pub rounds: Vec<CouncilRound>,
    /// What was said in a round to which the other side has not answered.
    pub unanswered: Option<Plea>,
    /// Who ends it.
    pub arbitrator_agent: AgentId,
    /// What the arguments came to.
    pub final_synthesis: Option<Box<str>>,
}

/// A question about a recommendation, or an answer to one (AFS 7.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct CouncilRemark {
    /// Who.
    pub by: AgentId,
    /// When.
    pub at: Timestamp,
    /// What.
    pub text: Box<str>,
}

/// How it came to be, and to an end (AFS 7.1).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Audit {
    /// Who called it.
    pub initiated_by: AgentId,
    /// When.
    pub initiated_at: Timestamp,
    /// The entry in which it was called.
    pub initiated_in: EntryId,
    /// When it was over.
    pub completed_at: Option<Timestamp>,
    /// Who brought that about.
    pub completed_by: Option<AgentId>,
    /// What decided.
    pub decided_by: Option<Means>,
    /// Why it was not needed any more.
    pub lapsed_because: Option<Box<str>>,
}

/// A council.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct CouncilSession {
    /// What for.
    pub purpose: CouncilPurpose,
    /// What it is about.
    pub entry_key: Box<str>,
    /// Why.
    pub contest_reason: Box<str>,
    /// How it is.
    pub current_value: Box<str>,
    /// How it should be.
    pub proposed_value: Box<str>,
    /// One a member, in the order in which they came.
    #[always]
    pub votes: Vec<Vote>,
    /// The rules that hold for it.
    pub config: Rules,
    /// Who has its seats; empty: whoever is named as one is named, or has that role.
    pub members: Vec<Box<str>>,
    /// Where it stands.
    pub status: CouncilStatus,
    /// What it came to.
    pub result: Option<Conclusion>,
    /// The debate, where there was one.
    pub debate: Option<CouncilDebate>,
    /// What was asked and answered about a recommendation.
    pub remarks: Vec<CouncilRemark>,
    /// How it came to be, and to an end.
    pub audit: Audit,
}

impl CouncilSession {
    /// What the votes come to.
    pub fn count(&self) -> VoteCount {
        VoteCount::of(self.votes.iter().map(|vote| (vote.vote, vote.confidence)))
    }

    /// Whether enough have approved or rejected (decision 20).
    pub(crate) fn has_quorum(&self) -> bool {
        self.count().voices >= self.config.quorum
    }

    /// The vote of a member.
    pub(crate) fn vote_of(&self, member: &str) -> Option<&Vote> {
        self.votes.iter().find(|vote| *vote.agent_role == *member)
    }

    /// The vote that an actor gave for itself: who brings in what a model said for a member has still its own.
    pub(super) fn own_vote_of(&self, actor: &AgentId) -> Option<&Vote> {
        let is_own = |vote: &&Vote| vote.cast_by == *actor && (vote.model.is_none() || actor.as_str() != USER);
        self.votes.iter().find(is_own)
    }

    /// Who votes.
    pub fn members(&self) -> &[Box<str>] {
        if self.members.is_empty() { &self.config.council_agents } else { &self.members }
    }

    /// Whose vote is awaited.
    pub fn awaited(&self) -> impl Iterator<Item = &str> {
        self.members().iter().map(|member| &**member).filter(|member| self.vote_of(member).is_none())
    }

    /// The names under which an actor may vote: its own; where the seats are names of roles still, its role's, too (AFS 7.2,
    /// decision 56).
    pub(super) fn seats_of<'a>(&self, actor: &'a AgentId, standing: &'a Standing) -> impl Iterator<Item = &'a str> {
        let role = match standing {
            Standing::Agent(role) if self.members.is_empty() => Some(role.as_str()),
            Standing::Agent(_) | Standing::User | Standing::System | Standing::Stranger => None,
        };
        std::iter::once(actor.as_str()).chain(role).filter(|name| self.has_member(name))
    }

    /// Whether the vote of an actor is awaited.
    pub fn awaits(&self, actor: &AgentId, standing: &Standing) -> bool {
        let has_cast = self.own_vote_of(actor).is_some();
        let is_free = |seat| self.vote_of(seat).is_none();
        self.status == CouncilStatus::Voting && !has_cast && self.seats_of(actor, standing).any(is_free)
    }

    /// Whether a name is that of a member.
    pub fn has_member(&self, name: &str) -> bool {
        self.members().iter().any(|member| **member == *name)
    }

    /// Whether so few are left to vote that the quorum cannot come about.
    pub fn is_hopeless(&self) -> bool {
        let awaited = u32::try_from(self.awaited().count()).unwrap_or(u32::MAX);
        self.count().voices.saturating_add(awaited) < self.config.quorum.max(1)
    }

    /// Until when votes are awaited.
    pub fn votes_until(&self) -> Timestamp {
        self.after_votings(1)
    }

    /// Until when a debate is awaited: as long again.
    pub(crate) fn debate_until(&self) -> Timestamp {
        self.after_votings(2)
    }

    fn after_votings(&self, count: i64) -> Timestamp {
        const HOUR_MS: i64 = 3_600_000;
        let hours = i64::from(self.config.voting_hours.unwrap_or(DEFAULT_HOURS));
        self.audit.initiated_at.plus_millis(hours.saturating_mul(HOUR_MS).saturating_mul(count))
    }

    /// What waits for an answer of the other side.
    pub fn unanswered(&self) -> Option<&Plea> {
        self.debate.as_ref().and_then(|debate| debate.unanswered.as_ref())
    }

    /// Whether somebody spoke for a side in its debate.
    pub fn has_spoken(&self, who: &str, side: CouncilSide) -> bool {
        let of = |round: &CouncilRound| match side {
            CouncilSide::Pro => *round.pro_agent == *who,
            CouncilSide::Con => *round.con_agent == *who,
        };
        self.rounds().iter().any(of) || self.unanswered().is_some_and(|plea| plea.side == side && *plea.agent == *who)
    }

    /// The rounds of its debate.
    pub fn rounds(&self) -> &[CouncilRound] {
        self.debate.as_ref().map_or(&[], |debate| &debate.rounds)
    }
}

impl Ranked for CouncilSession {
    /// Those that are open first, the latest first.
    fn rank(&self) -> i64 {
        // As many bits as the time of an id has.
        const MILLIS_BITS: u32 = 48;
        let called = self.audit.initiated_at.millis().clamp(0, (1 << MILLIS_BITS) - 1);
        i64::from(self.status.is_open()) << MILLIS_BITS | called
    }
}
