//! What can be asked of the mind of a session, and of what it sets off.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amount::Amount;
use super::critic::{Reason, Tone};
use super::goal::{Kind, Status};
use super::metacognition::Strategy;
use super::mind::{Measured, What};
use super::snapshot::Part;
use super::trigger::Metric;
use annals_kernel::grounding::words;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::json::Json;
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked.
    pub enum Command {
        /// Say what is felt.
        Feel(Feel) = "cognitive.feeling.state",
        /// Say how it is gone about.
        Think(Think) = "cognitive.thought.state",
        /// Say what was corrected.
        Correct(Correct) = "cognitive.correction.note",
        /// Aim at something.
        AddGoal(AddGoal) = "cognitive.goal.add",
        /// Say how far a goal is.
        Advance(Advance) = "cognitive.goal.advance",
        /// Turn to a goal, or back from it.
        Focus(Focus) = "cognitive.goal.focus",
        /// Say what was decided where two goals contradict.
        Reconcile(Reconcile) = "cognitive.conflict.resolve",
        /// Take something for true.
        AddFact(AddFact) = "cognitive.fact.add",
        /// Say that a fact was verified.
        VerifyFact(VerifyFact) = "cognitive.fact.verify",
        /// Take a fact for true no more.
        DropFact(DropFact) = "cognitive.fact.drop",
        /// Say that two facts contradict.
        Contradict(Contradict) = "cognitive.contradiction.state",
        /// Say what was decided where two facts contradict.
        Settle(Settle) = "cognitive.contradiction.resolve",
        /// Say what is not known.
        Wonder(Wonder) = "cognitive.unknown.add",
        /// Say what is known now.
        Learn(Learn) = "cognitive.unknown.resolve",
        /// Take over what another program knows.
        Load(Load) = "cognitive.state.load",
        /// Announce what was computed; the engine asks it.
        Announce(Announce) = "cognitive.state.announce",
        /// Fire a trigger; the engine asks it.
        Fire(Fire) = "analysis.trigger.fire",
        /// Say whether the analysis that a trigger called for may run.
        Answer(Answer) = "analysis.trigger.answer",
        /// Set the tone of the critic.
        SetTone(SetTone) = "analysis.critic.set_tone",
    }
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}

/// Fields of `cognitive.feeling.state`.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Feel {
    /// In which session.
    pub session: SessionId,
    /// The mood: `neutral`, `focused`, `frustrated`, …
    pub mood: Option<Box<str>>,
    /// How strong it is.
    pub intensity: Option<Share>,
    /// From -1, bad, to 1, good.
    pub valence: Option<Amount>,
    /// What brought it on.
    pub trigger: Option<Box<str>>,
    /// How anxious.
    pub anxiety: Option<Share>,
    /// What causes that.
    pub sources: Vec<Box<str>>,
    /// What went well.
    pub satisfied: Option<Box<str>>,
    /// What did not.
    pub frustrated: Option<Box<str>>,
    /// How much that matters, 1 to 10; 5 where nothing is said.
    pub strength: Option<u8>,
    /// Frustrations that are over.
    pub resolved: Vec<Box<str>>,
}

/// Fields of `cognitive.thought.state`.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Think {
    /// In which session.
    pub session: SessionId,
    /// How it is gone about.
    pub strategy: Option<Strategy>,
    /// How well that works.
    pub effectiveness: Option<Share>,
    /// How unsure the agent is.
    pub uncertainty: Option<Share>,
    /// Why it cannot go on; an empty text: it can again.
    pub blocked: Option<Box<str>>,
    /// What is in focus, instead of what was; an empty list: the files of the last calls.
    pub focus: Option<Vec<Box<str>>>,
    /// Metrics that no record gives.
    pub metrics: BTreeMap<Metric, Amount>,
}

/// Fields of `cognitive.correction.note`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Correct {
    /// In which session.
    pub session: SessionId,
    /// What.
    pub what: Box<str>,
    /// Why.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub why: Box<str>,
    /// What came of it.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub outcome: Box<str>,
}

/// Fields of `cognitive.goal.add`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AddGoal {
    /// In which session.
    pub session: SessionId,
    /// What it is for.
    pub kind: Kind,
    /// What it is.
    pub description: Box<str>,
    /// As the person said it; of a primary goal.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub user_stated: Box<str>,
    /// When it is reached; of a primary goal.
    pub success_criteria: Vec<Box<str>>,
    /// What must be kept; of a primary goal.
    pub constraints: Vec<Box<str>>,
    /// Of which it is a part; of a subgoal, the primary goal where nothing is said.
    pub parent: Option<Box<str>>,
    /// Goals: of a subgoal what must be reached before, of an instrumental goal what it makes possible.
    pub goals: Vec<Box<str>>,
}

/// Fields of `cognitive.goal.advance`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Advance {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub goal: Box<str>,
    /// How far; below 0 is 0, above 1 is 1.
    pub progress: Option<Amount>,
    /// Where it is.
    pub status: Option<Status>,
}

/// Fields of `cognitive.goal.focus`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Focus {
    /// In which session.
    pub session: SessionId,
    /// Which; nothing: back to the one before.
    pub goal: Option<Box<str>>,
}

/// Fields of `cognitive.conflict.resolve`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reconcile {
    /// In which session.
    pub session: SessionId,
    /// The one goal.
    pub goal_a: Box<str>,
    /// The other.
    pub goal_b: Box<str>,
    /// What was decided.
    pub resolution: Box<str>,
}

/// Fields of `cognitive.fact.add`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AddFact {
    /// In which session.
    pub session: SessionId,
    /// The fact.
    pub fact: Box<str>,
    /// How sure.
    pub confidence: Share,
    /// From where.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub source: Box<str>,
}

/// Fields of `cognitive.fact.verify`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerifyFact {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub fact: Box<str>,
    /// Who or what verified it.
    pub source: Box<str>,
}

/// Fields of `cognitive.fact.drop`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DropFact {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub fact: Box<str>,
}

/// Fields of `cognitive.contradiction.state`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contradict {
    /// In which session.
    pub session: SessionId,
    /// The one fact, by name or in words.
    pub fact_a: Box<str>,
    /// The other.
    pub fact_b: Box<str>,
}

/// Fields of `cognitive.contradiction.resolve`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settle {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub contradiction: Box<str>,
    /// What was decided.
    pub resolution: Box<str>,
}

/// Fields of `cognitive.unknown.add`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wonder {
    /// In which session.
    pub session: SessionId,
    /// The question.
    pub question: Box<str>,
    /// Whether the work cannot be right without the answer.
    #[serde(default)]
    pub critical: bool,
}

/// Fields of `cognitive.unknown.resolve`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Learn {
    /// In which session.
    pub session: SessionId,
    /// Which question.
    pub unknown: Box<str>,
    /// The answer.
    pub answer: Box<str>,
}

/// Fields of `cognitive.state.load`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Load {
    /// In which session.
    pub session: SessionId,
    /// Which part.
    pub part: Part,
    /// As the other program wrote it.
    #[schemars(with = "serde_json::Value")]
    pub state: Json,
}

/// Fields of `cognitive.state.announce`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Announce {
    /// In which session.
    pub session: SessionId,
    /// The entry that set it off.
    pub cause: EntryId,
    /// What; nothing: that the state is worth a record.
    #[schemars(with = "Option<serde_json::Value>")]
    pub what: Option<What>,
}

/// Fields of `analysis.trigger.fire`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fire {
    /// In which session.
    pub session: SessionId,
    /// Which: the rule.
    pub trigger: Box<str>,
    /// The entry that set it off.
    pub cause: EntryId,
    /// What was measured.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measured: Measured,
}

words! {
    /// What a person says to a firing.
    pub enum Verdict {
        /// It may run.
        Accept = "accept",
        /// It may not.
        Deny = "deny",
    }
}

/// Fields of `analysis.trigger.answer`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// In which session.
    pub session: SessionId,
    /// Which firing: the entry that says so.
    pub firing: EntryId,
    /// What becomes of it.
    pub verdict: Verdict,
}

/// Fields of `analysis.critic.set_tone`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SetTone {
    /// In which session.
    pub session: SessionId,
    /// The tone.
    pub tone: Tone,
    /// Why.
    pub reason: Reason,
    /// The entry that set it off, where nobody asked.
    pub cause: Option<EntryId>,
}

impl Command {
    /// The session that it is about.
    pub fn session(&self) -> &SessionId {
        match self {
            Self::Feel(command) => &command.session,
            Self::Think(command) => &command.session,
            Self::Correct(command) => &command.session,
            Self::AddGoal(command) => &command.session,
            Self::Advance(command) => &command.session,
            Self::Focus(command) => &command.session,
            Self::Reconcile(command) => &command.session,
            Self::AddFact(command) => &command.session,
            Self::VerifyFact(command) => &command.session,
            Self::DropFact(command) => &command.session,
            Self::Contradict(command) => &command.session,
            Self::Settle(command) => &command.session,
            Self::Wonder(command) => &command.session,
            Self::Learn(command) => &command.session,
            Self::Load(command) => &command.session,
            Self::Announce(command) => &command.session,
            Self::Fire(command) => &command.session,
            Self::Answer(command) => &command.session,
            Self::SetTone(command) => &command.session,
        }
    }
}
