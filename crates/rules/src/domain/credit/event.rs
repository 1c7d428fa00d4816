//! What happens to credits.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::AwardSubject;
use super::formula::QuoteFinding;
use super::reason::CreditReason;
use annals_kernel::credits::Credits;
use annals_kernel::grounding::{CitationOutcome, Trigger, words};
use annals_kernel::id::{AgentId, IssueId, ModelId};
use annals_kernel::wire::wire;

wire! {
    /// What happened to credits.
    pub enum Event {
        /// An agent got credits, or lost some.
        Awarded = "credits.credit.awarded" {
            /// Who.
            agent: AgentId,
            /// The model behind it, whose record this goes to (control-room 12).
            model: ModelId,
            /// How many, in thousandths; less than nothing where they were taken.
            amount: Credits,
            /// Why.
            reason: CreditReason,
            /// Who verified it: `system`, `user`, or an agent.
            by: AgentId,
            /// What the giver's word weighs, in thousandths, where that is an agent (decision 16).
            weight: Option<u32>,
            /// What it is about.
            #[sparse]
            about: AwardSubject,
            /// The citations that it is for.
            citations: Vec<Cited>,
        },
        /// An issue ended: citations that waited there for an outcome wait no more.
        Settled = "credits.citation.settled" {
            /// On which issue.
            issue: IssueId,
            /// Which of those that waited there; what the others earned, awards say.
            #[always]
            citations: Vec<Waited>,
        },
        // a security event (control-room 11.6).
        /// Somebody tried to award what is not theirs to award.
        Refused = "credits.award.refused" {
            /// Who should have got them.
            agent: AgentId,
            /// Who tried.
            by: AgentId,
            /// Why they should have been given.
            reason: CreditReason,
            /// The rule that refused.
            rule: Box<str>,
        },
        /// A task was cut into parts, as the command says.
        Sliced = "credits.task.sliced" {
            /// The issue that is the task.
            issue: IssueId,
        },
        /// A part was done.
        Completed = "credits.slice.completed" {
            /// The issue that is the task.
            issue: IssueId,
            /// Who did it.
            doer: AgentId,
            /// Which part, from 1.
            number: u32,
        },
        /// A goal was set, as the command says.
        GoalSet = "credits.goal.added" {
            /// Its id.
            goal: Box<str>,
        },
        /// A goal was reached.
        GoalAchieved = "credits.goal.achieved" {
            /// Which.
            goal: Box<str>,
            /// Whose it was; none: the team's.
            agent: Option<AgentId>,
            /// How far it had come, as it is counted.
            current: i64,
        },
        /// A goal was not reached in its time.
        GoalMissed = "credits.goal.missed" {
            /// Which.
            goal: Box<str>,
            /// How far it had come, as it is counted.
            current: i64,
        },
        /// A goal was taken back.
        GoalDropped = "credits.goal.dropped" {
            /// Which.
            goal: Box<str>,
        },
    }
}

/// One citation as it was judged (control-room 11.3, 11.4).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cited {
    /// The file, as it was cited.
    pub file: Box<str>,
    /// SHA-256 of the file as it was.
    pub sha256: Option<Box<str>>,
    /// What code found.
    pub finding: QuoteFinding,
    /// Why it was looked up.
    pub trigger: Trigger,
    /// What came of it.
    pub outcome: CitationOutcome,
    /// What it is worth now, all in all.
    pub worth: Credits,
}

impl Cited {
    /// Whether a file is the one that is cited: the same path, or the same content under another name.
    pub fn is_of(&self, file: &str, sha256: Option<&str>) -> bool {
        NamedFile { path: &self.file, sha256: self.sha256.as_deref() }.is(&NamedFile { path: file, sha256 })
    }
}

/// A file, and its content's hash where there is one.
pub struct NamedFile<'a> {
    /// As it is cited.
    pub path: &'a str,
    /// Of its content.
    pub sha256: Option<&'a str>,
}

impl NamedFile<'_> {
    /// Whether two files are one: the same path, or the same content under another name.
    pub fn is(&self, other: &Self) -> bool {
        parts(self.path).eq(parts(other.path)) || self.sha256.is_some() && self.sha256 == other.sha256
    }
}

/// The parts of a path that lead anywhere.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".")
}

words! {
    /// Why a citation waits no more, and earned nothing by that.
    pub enum Settling {
        /// The issue was closed, and nothing decided.
        Undecided = "undecided",
        /// Its own author resolved the issue, and nobody else cited the file: nobody's own word shows an outcome.
        OwnWord = "own-word",
        /// It led to something that is worth no more than the citation was.
        WorthNoMore = "worth-no-more",
    }
}

/// A citation that waits no more.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Waited {
    /// Whose.
    pub agent: AgentId,
    /// Of which file.
    pub file: Box<str>,
    /// Why.
    pub because: Settling,
    /// What it came to; none: it lapsed, and nothing makes it worth more any more.
    pub outcome: Option<CitationOutcome>,
}
