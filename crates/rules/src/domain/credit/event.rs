//! What happens to credits.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::About;
use super::formula::Finding;
use super::reason::Reason;
use annals_kernel::credits::Credits;
use annals_kernel::grounding::{Outcome, Trigger, words};
use annals_kernel::id::{AgentId, IssueId, ModelId};
use annals_kernel::wire::wire;

wire! {
    /// What happened to credits.
    pub enum Event {
        /// An agent got credits, or lost some.
        Awarded(Awarded) = "credits.credit.awarded",
        /// An issue ended: citations that waited there for an outcome wait no more.
        Settled(Settled) = "credits.citation.settled",
        /// Somebody tried to award what is not theirs to award.
        Refused(Refused) = "credits.award.refused",
        /// A task was cut into parts, as the command says.
        Sliced(Sliced) = "credits.task.sliced",
        /// A part was done.
        Completed(Completed) = "credits.slice.completed",
        /// A goal was set, as the command says.
        GoalSet(GoalSet) = "credits.goal.added",
        /// A goal was reached.
        GoalAchieved(GoalAchieved) = "credits.goal.achieved",
        /// A goal was not reached in its time.
        GoalMissed(GoalMissed) = "credits.goal.missed",
        /// A goal was taken back.
        GoalDropped(GoalDropped) = "credits.goal.dropped",
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
    pub finding: Finding,
    /// Why it was looked up.
    pub trigger: Trigger,
    /// What came of it.
    pub outcome: Outcome,
    /// What it is worth now, all in all.
    pub worth: Credits,
}

impl Cited {
    /// Whether a file is the one that is cited: the same path, or the same content under another name.
    pub fn is_of(&self, file: &str, sha256: Option<&str>) -> bool {
        is_same_file((&self.file, self.sha256.as_deref()), (file, sha256))
    }
}

/// Whether two files, each with its content's hash, are one: the same path, or the same content under another name.
pub fn is_same_file(one: (&str, Option<&str>), other: (&str, Option<&str>)) -> bool {
    parts(one.0).eq(parts(other.0)) || one.1.is_some() && one.1 == other.1
}

/// The parts of a path that lead anywhere.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".")
}

/// Fields of `credits.credit.awarded`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Awarded {
    /// Who.
    pub agent: AgentId,
    /// The model behind it, whose record this goes to (control-room 12).
    pub model: ModelId,
    /// How many, in thousandths; less than nothing where they were taken.
    pub amount: Credits,
    /// Why.
    pub reason: Reason,
    /// Who verified it: `system`, `user`, or an agent.
    pub by: AgentId,
    /// What the giver's word weighs, in thousandths, where that is an agent (decision 16).
    pub weight: Option<u32>,
    /// What it is about.
    #[serde(default, skip_serializing_if = "About::is_empty")]
    pub about: About,
    /// The citations that it is for.
    pub citations: Vec<Cited>,
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
    pub outcome: Option<Outcome>,
}

/// Fields of `credits.citation.settled`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settled {
    /// On which issue.
    pub issue: IssueId,
    /// Which of those that waited there; what the others earned, awards say.
    pub citations: Vec<Waited>,
}

/// Fields of `credits.award.refused`: a security event (control-room 11.6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refused {
    /// Who should have got them.
    pub agent: AgentId,
    /// Who tried.
    pub by: AgentId,
    /// Why they should have been given.
    pub reason: Reason,
    /// The rule that refused.
    pub rule: Box<str>,
}

/// Fields of `credits.task.sliced`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sliced {
    /// The issue that is the task.
    pub issue: IssueId,
}

/// Fields of `credits.slice.completed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Completed {
    /// The issue that is the task.
    pub issue: IssueId,
    /// Who did it.
    pub doer: AgentId,
    /// Which part, from 1.
    pub number: u32,
}

/// Fields of `credits.goal.added`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoalSet {
    /// Its id.
    pub goal: Box<str>,
}

/// Fields of `credits.goal.achieved`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoalAchieved {
    /// Which.
    pub goal: Box<str>,
    /// Whose it was; none: the team's.
    pub agent: Option<AgentId>,
    /// How far it had come, as it is counted.
    pub current: i64,
}

/// Fields of `credits.goal.missed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoalMissed {
    /// Which.
    pub goal: Box<str>,
    /// How far it had come, as it is counted.
    pub current: i64,
}

/// Fields of `credits.goal.dropped`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoalDropped {
    /// Which.
    pub goal: Box<str>,
}
