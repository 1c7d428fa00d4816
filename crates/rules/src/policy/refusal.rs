//! Why guards say no: what they find where rooms meet.

use crate::domain::RoomsDecided;
use crate::domain::cognition::trigger::SessionMetric;
use crate::domain::issue::number::Label;
use crate::domain::issue::status::IssueStatus;
use annals_kernel::annals::LineHash;
use annals_kernel::decision;
use annals_kernel::grounding::Impact;
use annals_kernel::id::{AgentId, EntryId, IssueId};
use annals_kernel::json::as_text;
use annals_kernel::refusal::{RuleDoc, refusal};

refusal! {
    /// Why a guard says no.
    pub(super) enum Refusal {
        /// An actor did not show its token.
        NotProved = "roster.not_proved" { actor: AgentId },
        /// In an agent's shell the user shows a token.
        NotTheUserHere = "roster.not_the_user_here" { shell: Box<str> },
        /// Lines with one id say different things (decision 44): how many, and the hashes of the first few.
        ConflictOpen = "history.conflict_open" { id: EntryId, versions: usize, hashes: Vec<LineHash> },
        /// A clock is given before anything else is in the log, or never (decision 46).
        ClockTooLate = "config.clock_too_late" { entries: u64 },
        /// A setting names a trigger that is not there.
        UnknownTrigger = "config.unknown_trigger" { key: Box<str>, trigger: Box<str>, known: Vec<Box<str>> },
        /// A setting changes a threshold that a trigger has not.
        UnknownThreshold = "config.unknown_threshold" { trigger: Box<str>, metric: SessionMetric, known: Vec<SessionMetric> },
        /// More members would have to speak than a council has.
        QuorumTooLarge = "config.quorum_too_large" { quorum: u32, members: usize },
        /// Only agents of the roster act in a swarm.
        NotAMember = "roster.not_a_member" { actor: AgentId },
        /// A blind pass about no issue.
        BlindUnknownIssue = "blind.unknown_issue" { issue: IssueId },
        /// A blind pass on what is decided, or about the swarm itself.
        BlindNothingToAsk = "blind.nothing_to_ask" { #[serde(serialize_with = "as_text")] label: Label },
        /// A blind pass that asks somebody who is not there.
        BlindNotAMember = "blind.not_a_member" { agent: AgentId },
        /// A pass stops every discussion: not everybody begins one.
        BlindNotAnOpener = "blind.not_an_opener" { actor: AgentId, roles: Vec<String> },
        /// Only the privileged choose who is asked.
        BlindNotPrivileged = "blind.not_privileged" { actor: AgentId },
        /// Nobody speaks while a pass goes on.
        BlindPassOpen = "blind.pass_open" { #[serde(serialize_with = "as_text")] label: Label },
        /// What would change much waits for a pass.
        BlindPassNeeded = "blind.pass_needed" {
            #[serde(serialize_with = "as_text")] label: Label, impact: Option<Impact>,
        },
        /// A challenge of no issue.
        ChallengeUnknownIssue = "advocate.unknown_issue" { issue: IssueId },
        /// A challenge of what has ended.
        ChallengeEnded = "advocate.nothing_to_challenge" {
            #[serde(serialize_with = "as_text")] label: Label, status: IssueStatus,
        },
        /// A challenge of an issue about the swarm itself.
        ChallengeMeta = "advocate.nothing_to_challenge" { #[serde(serialize_with = "as_text")] label: Label },
        /// A challenge by somebody who cannot.
        ChallengeNotAble = "advocate.not_able" { agent: AgentId },
        /// The moderator names somebody who is not there.
        ModerationUnknownAgent = "moderation.unknown_agent" { agent: AgentId },
        /// The moderator names an issue that is not there.
        ModerationUnknownIssue = "moderation.unknown_issue" { issue: IssueId },
        /// An issue that has ended becomes part of no other.
        ModerationIssueEnded = "moderation.issue_ended" {
            #[serde(serialize_with = "as_text")] label: Label, status: IssueStatus,
        },
        /// A frozen tag takes no new issues.
        TagFrozen = "moderation.tag_frozen" { tag: Box<str>, reason: Box<str> },
        /// A restricted agent decides nothing.
        Restricted = "moderation.restricted" { actor: AgentId },
        /// What an agent of low trust says needs another voice.
        LowTrust = "moderation.low_trust" { agent: AgentId, #[serde(serialize_with = "as_text")] label: Label },
        /// Where no more support than oppose, no agent decides.
        Contested = "moderation.contested" {
            actor: AgentId, #[serde(serialize_with = "as_text")] label: Label, support: usize, oppose: usize,
        },
        /// A file that is as it was shows no change.
        Unchanged = "issues.unchanged" { #[serde(serialize_with = "as_text")] label: Label, file: Box<str> },
        /// Nobody decides alone what changes more than a little.
        NotAlone = "moderation.not_alone" {
            actor: AgentId, #[serde(serialize_with = "as_text")] label: Label, impact: Impact,
        },
    }
}

impl Refusal {
    /// As it is recorded.
    pub(super) fn recorded(&self) -> decision::Refusal {
        decision::Refusal::of(self.rule(), self)
    }
}

/// Whether a "no" only says that its actor showed no token.
pub(crate) fn is_want_of_proof(refusal: &decision::Refusal) -> bool {
    *refusal.rule == *Refusal::NotProved { actor: AgentId::from("") }.rule()
}

/// A "no" that is not worth a line.
impl From<Refusal> for RoomsDecided {
    fn from(refusal: Refusal) -> Self {
        Self { events: Vec::new(), refusal: Some(refusal.recorded()) }
    }
}

/// Every rule by which a guard says no, for documentation.
pub fn rule_docs() -> impl Iterator<Item = &'static RuleDoc> {
    Refusal::RULES.iter()
}
