//! What happened to the mind of a session, and what it set off (AFS 8.3; three parts, decision 4).

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::critic::{Reason, Tone};
use super::emotion::Emotions;
use super::epistemic::Epistemic;
use super::goal::{Conflict, Goals, Status};
use super::metacognition::Metacognition;
use super::mind::Firing;
use super::snapshot::Part;
use super::trigger::Mode;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What happened.
    pub enum Event {
        /// Something is felt.
        FeelingStated(FeelingStated) = "cognitive.feeling.stated",
        /// It is gone about in a way.
        ThoughtStated(ThoughtStated) = "cognitive.thought.stated",
        /// Something was corrected.
        CorrectionNoted(CorrectionNoted) = "cognitive.correction.noted",
        /// There is a goal.
        GoalAdded(GoalAdded) = "cognitive.goal.added",
        /// A goal is nearer, or elsewhere.
        GoalAdvanced(GoalAdvanced) = "cognitive.goal.advanced",
        /// A goal is worked on.
        GoalFocused(GoalFocused) = "cognitive.goal.focused",
        /// Two goals contradict.
        ConflictFound(ConflictFound) = "cognitive.conflict.found",
        /// They do so no more.
        ConflictResolved(ConflictResolved) = "cognitive.conflict.resolved",
        /// Something is taken for true.
        FactAdded(FactAdded) = "cognitive.fact.added",
        /// It is.
        FactVerified(FactVerified) = "cognitive.fact.verified",
        /// It is taken for true no more.
        FactDropped(FactDropped) = "cognitive.fact.dropped",
        /// Two facts contradict.
        ContradictionFound(ContradictionFound) = "cognitive.contradiction.found",
        /// They do so no more.
        ContradictionResolved(ContradictionResolved) = "cognitive.contradiction.resolved",
        /// Something is not known.
        UnknownAdded(UnknownAdded) = "cognitive.unknown.added",
        /// It is known now.
        UnknownResolved(UnknownResolved) = "cognitive.unknown.resolved",
        /// The state of another program was taken over.
        StateLoaded(StateLoaded) = "cognitive.state.loaded",
        /// What is felt has changed enough to be told (AFS 4.5).
        EmotionsUpdated(EmotionsUpdated) = "cognitive.emotions.updated",
        /// How it is gone about has changed enough to be told.
        MetacognitionUpdated(MetacognitionUpdated) = "cognitive.metacognition.updated",
        /// What is aimed at has changed enough to be told.
        GoalsUpdated(GoalsUpdated) = "cognitive.goals.updated",
        /// What is known has changed enough to be told.
        EpistemicUpdated(EpistemicUpdated) = "cognitive.epistemic.updated",
        /// The same action is repeated again and again.
        SpinDetected(SpinDetected) = "cognitive.spin.detected",
        /// It works by itself, and well.
        FlowEntered(FlowEntered) = "cognitive.flow_state.entered",
        /// It does so no more.
        FlowExited(FlowExited) = "cognitive.flow_state.exited",
        /// An analysis is due.
        TriggerFired(TriggerFired) = "analysis.trigger.fired",
        /// It may run.
        TriggerAccepted(TriggerAccepted) = "analysis.trigger.accepted",
        /// It may not.
        TriggerDenied(TriggerDenied) = "analysis.trigger.denied",
        /// A mode of analysis is on.
        ModeActivated(ModeActivated) = "analysis.mode.activated",
        /// The critic speaks in another tone.
        ToneChanged(ToneChanged) = "analysis.critic.tone_changed",
    }
}

/// Fields of `cognitive.feeling.stated`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FeelingStated {
    /// In which session.
    pub session: SessionId,
}

/// Fields of `cognitive.thought.stated`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ThoughtStated {
    /// In which session.
    pub session: SessionId,
}

/// Fields of `cognitive.correction.noted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CorrectionNoted {
    /// In which session.
    pub session: SessionId,
}

/// Fields of `cognitive.goal.added`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoalAdded {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub goal: Box<str>,
}

/// Fields of `cognitive.goal.advanced`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoalAdvanced {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub goal: Box<str>,
    /// Where it is.
    pub status: Status,
    /// How far.
    pub progress: Share,
}

/// Fields of `cognitive.goal.focused`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoalFocused {
    /// In which session.
    pub session: SessionId,
    /// Which; nothing: none any more.
    pub goal: Option<Box<str>>,
}

/// Fields of `cognitive.conflict.found`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConflictFound {
    /// In which session.
    pub session: SessionId,
    /// How.
    pub conflict: Conflict,
}

/// Fields of `cognitive.conflict.resolved`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConflictResolved {
    /// In which session.
    pub session: SessionId,
}

/// Fields of `cognitive.fact.added`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FactAdded {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub fact: Box<str>,
}

/// Fields of `cognitive.fact.verified`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FactVerified {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub fact: Box<str>,
}

/// Fields of `cognitive.fact.dropped`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FactDropped {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub fact: Box<str>,
}

/// Fields of `cognitive.contradiction.found`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContradictionFound {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub contradiction: Box<str>,
}

/// Fields of `cognitive.contradiction.resolved`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContradictionResolved {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub contradiction: Box<str>,
}

/// Fields of `cognitive.unknown.added`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnknownAdded {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub unknown: Box<str>,
}

/// Fields of `cognitive.unknown.resolved`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnknownResolved {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub unknown: Box<str>,
}

/// Fields of `cognitive.state.loaded`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateLoaded {
    /// In which session.
    pub session: SessionId,
    /// Which part.
    pub part: Part,
}

/// Fields of `cognitive.emotions.updated`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EmotionsUpdated {
    /// In which session.
    pub session: SessionId,
    /// What is felt.
    pub state: Emotions,
}

/// Fields of `cognitive.metacognition.updated`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetacognitionUpdated {
    /// In which session.
    pub session: SessionId,
    /// How.
    pub state: Metacognition,
}

/// Fields of `cognitive.goals.updated`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoalsUpdated {
    /// In which session.
    pub session: SessionId,
    /// What.
    pub state: Goals,
}

/// Fields of `cognitive.epistemic.updated`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EpistemicUpdated {
    /// In which session.
    pub session: SessionId,
    /// What.
    pub state: Epistemic,
}

/// Fields of `cognitive.spin.detected`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpinDetected {
    /// In which session.
    pub session: SessionId,
    /// How often, after the first time.
    pub action_count: u32,
    /// The last of them.
    pub cause: EntryId,
}

/// Fields of `cognitive.flow_state.entered`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FlowEntered {
    /// In which session.
    pub session: SessionId,
    /// What holds.
    pub conditions: Vec<Box<str>>,
    /// The entry since which it does.
    pub cause: EntryId,
}

/// Fields of `cognitive.flow_state.exited`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FlowExited {
    /// In which session.
    pub session: SessionId,
    /// Why.
    pub reason: Box<str>,
    /// The entry since which it does not.
    pub cause: EntryId,
}

/// Fields of `analysis.trigger.fired`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TriggerFired {
    /// In which session.
    pub session: SessionId,
    /// Which, and why.
    #[serde(flatten)]
    pub firing: Firing,
}

/// Fields of `analysis.trigger.accepted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TriggerAccepted {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub firing: EntryId,
}

/// Fields of `analysis.trigger.denied`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TriggerDenied {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub firing: EntryId,
}

/// Fields of `analysis.mode.activated`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModeActivated {
    /// In which session.
    pub session: SessionId,
    /// Which.
    pub mode: Mode,
    /// The firing that called for it.
    pub firing: EntryId,
}

/// Fields of `analysis.critic.tone_changed`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToneChanged {
    /// In which session.
    pub session: SessionId,
    /// The tone before.
    pub from: Tone,
    /// The tone now.
    pub to: Tone,
    /// Why.
    pub reason: Reason,
    /// The entry that set it off, where nobody asked.
    pub cause: Option<EntryId>,
}

impl Event {
    /// The session that it is about.
    pub fn session(&self) -> &SessionId {
        match self {
            Self::FeelingStated(event) => &event.session,
            Self::ThoughtStated(event) => &event.session,
            Self::CorrectionNoted(event) => &event.session,
            Self::GoalAdded(event) => &event.session,
            Self::GoalAdvanced(event) => &event.session,
            Self::GoalFocused(event) => &event.session,
            Self::ConflictFound(event) => &event.session,
            Self::ConflictResolved(event) => &event.session,
            Self::FactAdded(event) => &event.session,
            Self::FactVerified(event) => &event.session,
            Self::FactDropped(event) => &event.session,
            Self::ContradictionFound(event) => &event.session,
            Self::ContradictionResolved(event) => &event.session,
            Self::UnknownAdded(event) => &event.session,
            Self::UnknownResolved(event) => &event.session,
            Self::StateLoaded(event) => &event.session,
            Self::EmotionsUpdated(event) => &event.session,
            Self::MetacognitionUpdated(event) => &event.session,
            Self::GoalsUpdated(event) => &event.session,
            Self::EpistemicUpdated(event) => &event.session,
            Self::SpinDetected(event) => &event.session,
            Self::FlowEntered(event) => &event.session,
            Self::FlowExited(event) => &event.session,
            Self::TriggerFired(event) => &event.session,
            Self::TriggerAccepted(event) => &event.session,
            Self::TriggerDenied(event) => &event.session,
            Self::ModeActivated(event) => &event.session,
            Self::ToneChanged(event) => &event.session,
        }
    }
}
