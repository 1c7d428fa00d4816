//! What can be asked of the mind of a session, and of what it sets off.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amount::Amount;
use super::conclusion::{ModeFinding, Recommended};
use super::critic::{Tone, ToneReason};
use super::goal::{GoalKind, GoalStatus};
use super::judged::JudgedFinding;
use super::metacognition::Strategy;
use super::mind::{Measured, What};
use super::snapshot::MindPart;
use super::trigger::SessionMetric;
use annals_kernel::grounding::words;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::json::Json;
use annals_kernel::model_word::ModelWord;
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked.
    pub enum Command each {
        /// In which session.
        session: SessionId as &SessionId
    } {
        /// Say what is felt.
        Feel = "cognitive.feeling.state" derive(Default) {
            /// The mood: `neutral`, `focused`, `frustrated`, …
            mood: Option<Box<str>>,
            /// How strong it is.
            intensity: Option<Share>,
            /// From -1, bad, to 1, good.
            valence: Option<Amount>,
            /// What brought it on.
            trigger: Option<Box<str>>,
            /// How anxious.
            anxiety: Option<Share>,
            /// What causes that.
            sources: Vec<Box<str>>,
            /// What went well.
            satisfied: Option<Box<str>>,
            /// What did not.
            frustrated: Option<Box<str>>,
            /// How much that matters, 1 to 10; 5 where nothing is said.
            strength: Option<u8>,
            /// Frustrations that are over.
            resolved: Vec<Box<str>>,
        },
        /// Say how it is gone about.
        Think = "cognitive.thought.state" derive(Default) {
            /// How it is gone about.
            strategy: Option<Strategy>,
            /// How well that works.
            effectiveness: Option<Share>,
            /// How unsure the agent is.
            uncertainty: Option<Share>,
            /// Why it cannot go on; an empty text: it can again.
            blocked: Option<Box<str>>,
            /// What is in focus, instead of what was; an empty list: the files of the last calls.
            focus: Option<Vec<Box<str>>>,
            /// Metrics that no record gives.
            metrics: BTreeMap<SessionMetric, Amount>,
        },
        /// Say what was corrected.
        Correct = "cognitive.correction.note" {
            /// What was corrected.
            what: Box<str>,
            /// Why, in words.
            #[sparse]
            why: Box<str>,
            /// What came of it.
            #[sparse]
            outcome: Box<str>,
        },
        /// Aim at something.
        AddGoal = "cognitive.goal.add" {
            /// What sort of goal.
            kind: GoalKind,
            /// What it is.
            description: Box<str>,
            /// As the person said it; of a primary goal.
            #[sparse]
            user_stated: Box<str>,
            /// When it is reached; may be given again; of a primary goal.
            success_criteria: Vec<Box<str>>,
            /// What must be kept; may be given again; of a primary goal.
            constraints: Vec<Box<str>>,
            /// Of which goal it is a part [default: the primary goal].
            parent: Option<Box<str>>,
            /// What must be reached before, or what an instrumental goal makes possible; may be given again.
            goals: Vec<Box<str>>,
        },
        /// Say how far a goal is.
        Advance = "cognitive.goal.advance" {
            /// Which goal: its id, or the end of it.
            goal: Box<str>,
            /// How far, 0 to 1; less is 0, more is 1.
            progress: Option<Amount>,
            /// Where it is.
            status: Option<GoalStatus>,
        },
        /// Turn to a goal, or back from it.
        Focus = "cognitive.goal.focus" {
            /// Which goal: its id, or the end of it.
            goal: Option<Box<str>>,
        },
        /// Say what was decided where two goals contradict.
        Reconcile = "cognitive.conflict.resolve" {
            /// The one goal.
            goal_a: Box<str>,
            /// The other.
            goal_b: Box<str>,
            /// What was decided.
            resolution: Box<str>,
        },
        /// Take something for true.
        AddFact = "cognitive.fact.add" {
            /// The fact.
            fact: Box<str>,
            /// How sure, 0 to 1.
            confidence: Share,
            /// From where.
            #[sparse]
            source: Box<str>,
        },
        /// Say that a fact was verified.
        VerifyFact = "cognitive.fact.verify" {
            /// Which fact: its id, or the end of it.
            fact: Box<str>,
            /// Who or what verified it.
            source: Box<str>,
        },
        /// Take a fact for true no more.
        DropFact = "cognitive.fact.drop" {
            /// Which fact: its id, or the end of it.
            fact: Box<str>,
        },
        /// Say that two facts contradict.
        Contradict = "cognitive.contradiction.state" {
            /// The one fact, by its id or in words.
            fact_a: Box<str>,
            /// The other.
            fact_b: Box<str>,
        },
        /// Say what was decided where two facts contradict.
        Settle = "cognitive.contradiction.resolve" {
            /// Which contradiction: its id, or the end of it.
            contradiction: Box<str>,
            /// What was decided.
            resolution: Box<str>,
        },
        /// Say what is not known.
        Wonder = "cognitive.unknown.add" {
            /// The question.
            question: Box<str>,
            /// The work cannot be right without the answer.
            #[serde(default)]
            critical: bool,
        },
        /// Say what is known now.
        Learn = "cognitive.unknown.resolve" {
            /// Which question: its id, or the end of it.
            unknown: Box<str>,
            /// The answer.
            answer: Box<str>,
        },
        /// Take over what another program knows.
        Load = "cognitive.state.load" {
            /// Which part.
            part: MindPart,
            /// As the other program wrote it.
            #[schemars(with = "serde_json::Value")]
            state: Json,
        },
        /// Announce what was computed; the engine asks it.
        Announce = "cognitive.state.announce" {
            /// The entry that set it off.
            cause: EntryId,
            /// What; nothing: that the state is worth a record.
            #[schemars(with = "Option<serde_json::Value>")]
            what: Option<What>,
        },
        /// Fire a trigger; the engine asks it.
        Fire = "analysis.trigger.fire" {
            /// Which: the rule.
            trigger: Box<str>,
            /// The entry that set it off.
            cause: EntryId,
            /// What was measured.
            #[sparse]
            measured: Measured,
        },
        /// Say whether the analysis that a trigger called for may run.
        Answer = "analysis.trigger.answer" {
            /// Which firing: the entry that says so.
            firing: EntryId,
            /// What becomes of it.
            verdict: FiringVerdict,
        },
        /// Say what the analysis found that a trigger called for; the engine asks it.
        Conclude = "analysis.mode.conclude" {
            /// Which firing: the entry that says so.
            firing: EntryId,
            /// What was found, the gravest first.
            found: Vec<ModeFinding>,
            /// How much there is in all.
            #[serde(default)]
            total: u32,
            /// Its figures by their names, as far as they could be computed.
            figures: BTreeMap<Box<str>, Box<str>>,
            /// Another arrangement of agents, where the formula chooses one (AFS 7.3).
            recommended: Option<Recommended>,
        },
        /// Keep what a model finds where a trigger called for a look, beside what the rules found.
        Judge = "analysis.mode.judge" {
            /// Which firing: the entry that says so.
            firing: EntryId,
            /// Its figures by their names.
            figures: BTreeMap<Box<str>, Box<str>>,
            /// What it found; each quotes what it was shown.
            found: Vec<JudgedFinding>,
            /// Findings whose quote was not in what it was shown.
            #[serde(default)]
            #[sparse]
            dropped: u32,
            /// Why its answer is of no use; nothing where it could be read.
            unread: Option<Box<str>>,
        },
        /// Set the tone of the critic.
        SetTone = "analysis.critic.set_tone" {
            /// The tone.
            tone: Tone,
            /// Why.
            reason: ToneReason,
            /// The entry that set it off, where nobody asked.
            cause: Option<EntryId>,
        },
    }
}

/// What was found out for a command before it was decided.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// For `judge`: what the model said.
    pub model: Option<ModelWord>,
}

words! {
    /// What a person says to a firing.
    pub enum FiringVerdict {
        /// It may run.
        Accept = "accept",
        /// It may not.
        Deny = "deny",
    }
}
