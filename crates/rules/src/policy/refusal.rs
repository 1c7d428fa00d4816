//! Why guards say no: what they find where rooms meet.

use serde::Serialize;

use crate::domain::Decided;
use crate::domain::cognition::trigger::Metric;
use crate::domain::issue::number::Label;
use crate::domain::issue::status::Status;
use annals_kernel::annals::LineHash;
use annals_kernel::decision;
use annals_kernel::grounding::Impact;
use annals_kernel::id::{AgentId, EntryId, IssueId};
use annals_kernel::json::as_text;

/// Why a guard says no.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(super) enum Refusal {
    /// An actor did not show its token.
    NotProved { actor: AgentId },
    /// In an agent's shell the user shows a token.
    NotTheUserHere { shell: Box<str> },
    /// Lines with one id say different things (decision 44): how many, and the hashes of the first few.
    ConflictOpen { id: EntryId, versions: usize, hashes: Vec<LineHash> },
    /// A clock is given before anything else is in the log, or never (decision 46).
    ClockTooLate { entries: u64 },
    /// A setting names a trigger that is not there.
    UnknownTrigger { key: Box<str>, trigger: Box<str>, known: Vec<Box<str>> },
    /// A setting changes a threshold that a trigger has not.
    UnknownThreshold { trigger: Box<str>, metric: Metric, known: Vec<Metric> },
    /// More members would have to speak than a council has.
    QuorumTooLarge { quorum: u32, members: usize },
    /// Only agents of the roster act in a swarm.
    NotAMember { actor: AgentId },
    /// A blind pass about no issue.
    BlindUnknownIssue { issue: IssueId },
    /// A blind pass on what is decided, or about the swarm itself.
    BlindNothingToAsk {
        #[serde(serialize_with = "as_text")]
        label: Label,
    },
    /// A blind pass that asks somebody who is not there.
    BlindNotAMember { agent: AgentId },
    /// A pass stops every discussion: not everybody begins one.
    BlindNotAnOpener { actor: AgentId, roles: Vec<String> },
    /// Only the privileged choose who is asked.
    BlindNotPrivileged { actor: AgentId },
    /// Nobody speaks while a pass goes on.
    BlindPassOpen {
        #[serde(serialize_with = "as_text")]
        label: Label,
    },
    /// What would change much waits for a pass.
    BlindPassNeeded {
        #[serde(serialize_with = "as_text")]
        label: Label,
        impact: Option<Impact>,
    },
    /// A challenge of no issue.
    ChallengeUnknownIssue { issue: IssueId },
    /// A challenge of what has ended.
    ChallengeEnded {
        #[serde(serialize_with = "as_text")]
        label: Label,
        status: Status,
    },
    /// A challenge of an issue about the swarm itself.
    ChallengeMeta {
        #[serde(serialize_with = "as_text")]
        label: Label,
    },
    /// A challenge by somebody who cannot.
    ChallengeNotAble { agent: AgentId },
    /// The moderator names somebody who is not there.
    ModerationUnknownAgent { agent: AgentId },
    /// The moderator names an issue that is not there.
    ModerationUnknownIssue { issue: IssueId },
    /// An issue that has ended becomes part of no other.
    ModerationIssueEnded {
        #[serde(serialize_with = "as_text")]
        label: Label,
        status: Status,
    },
    /// A frozen tag takes no new issues.
    TagFrozen { tag: Box<str>, reason: Box<str> },
    /// A restricted agent decides nothing.
    Restricted { actor: AgentId },
    /// What an agent of low trust says needs another voice.
    LowTrust {
        agent: AgentId,
        #[serde(serialize_with = "as_text")]
        label: Label,
    },
    /// Where no more support than oppose, no agent decides.
    Contested {
        actor: AgentId,
        #[serde(serialize_with = "as_text")]
        label: Label,
        support: usize,
        oppose: usize,
    },
    /// A file that is as it was shows no change.
    Unchanged {
        #[serde(serialize_with = "as_text")]
        label: Label,
        file: Box<str>,
    },
    /// Nobody decides alone what changes more than a little.
    NotAlone {
        actor: AgentId,
        #[serde(serialize_with = "as_text")]
        label: Label,
        impact: Impact,
    },
}

impl Refusal {
    fn rule(&self) -> &'static str {
        match self {
            Self::NotProved { .. } => "roster.not_proved",
            Self::NotTheUserHere { .. } => "roster.not_the_user_here",
            Self::ConflictOpen { .. } => "history.conflict_open",
            Self::ClockTooLate { .. } => "config.clock_too_late",
            Self::UnknownTrigger { .. } => "config.unknown_trigger",
            Self::UnknownThreshold { .. } => "config.unknown_threshold",
            Self::QuorumTooLarge { .. } => "config.quorum_too_large",
            Self::NotAMember { .. } => "roster.not_a_member",
            Self::BlindUnknownIssue { .. } => "blind.unknown_issue",
            Self::BlindNothingToAsk { .. } => "blind.nothing_to_ask",
            Self::BlindNotAMember { .. } => "blind.not_a_member",
            Self::BlindNotAnOpener { .. } => "blind.not_an_opener",
            Self::BlindNotPrivileged { .. } => "blind.not_privileged",
            Self::BlindPassOpen { .. } => "blind.pass_open",
            Self::BlindPassNeeded { .. } => "blind.pass_needed",
            Self::ChallengeUnknownIssue { .. } => "advocate.unknown_issue",
            Self::ChallengeEnded { .. } | Self::ChallengeMeta { .. } => "advocate.nothing_to_challenge",
            Self::ChallengeNotAble { .. } => "advocate.not_able",
            Self::ModerationUnknownAgent { .. } => "moderation.unknown_agent",
            Self::ModerationUnknownIssue { .. } => "moderation.unknown_issue",
            Self::ModerationIssueEnded { .. } => "moderation.issue_ended",
            Self::TagFrozen { .. } => "moderation.tag_frozen",
            Self::Restricted { .. } => "moderation.restricted",
            Self::LowTrust { .. } => "moderation.low_trust",
            Self::Contested { .. } => "moderation.contested",
            Self::Unchanged { .. } => "issues.unchanged",
            Self::NotAlone { .. } => "moderation.not_alone",
        }
    }

    /// As it is recorded.
    pub(super) fn recorded(&self) -> decision::Refusal {
        decision::Refusal::of(self.rule(), self)
    }
}

/// Whether a "no" only says that its actor showed no token.
pub fn is_want_of_proof(refusal: &decision::Refusal) -> bool {
    *refusal.rule == *Refusal::NotProved { actor: AgentId::from("") }.rule()
}

/// A "no" that is not worth a line.
impl From<Refusal> for Decided {
    fn from(refusal: Refusal) -> Self {
        Self { events: Vec::new(), refusal: Some(refusal.recorded()) }
    }
}
