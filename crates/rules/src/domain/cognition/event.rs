//! What happened to the mind of a session, and what it set off (AFS 8.3; three parts, decision 4).

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
        FeelingStated = "cognitive.feeling.stated" {
            /// In which session.
            session: SessionId,
        },
        /// It is gone about in a way.
        ThoughtStated = "cognitive.thought.stated" {
            /// In which session.
            session: SessionId,
        },
        /// Something was corrected.
        CorrectionNoted = "cognitive.correction.noted" {
            /// In which session.
            session: SessionId,
        },
        /// There is a goal.
        GoalAdded = "cognitive.goal.added" {
            /// In which session.
            session: SessionId,
            /// Which.
            goal: Box<str>,
        },
        /// A goal is nearer, or elsewhere.
        GoalAdvanced = "cognitive.goal.advanced" {
            /// In which session.
            session: SessionId,
            /// Which.
            goal: Box<str>,
            /// Where it is.
            status: Status,
            /// How far.
            progress: Share,
        },
        /// A goal is worked on.
        GoalFocused = "cognitive.goal.focused" {
            /// In which session.
            session: SessionId,
            /// Which; nothing: none any more.
            goal: Option<Box<str>>,
        },
        /// Two goals contradict.
        ConflictFound = "cognitive.conflict.found" {
            /// In which session.
            session: SessionId,
            /// How.
            conflict: Conflict,
        },
        /// They do so no more.
        ConflictResolved = "cognitive.conflict.resolved" {
            /// In which session.
            session: SessionId,
        },
        /// Something is taken for true.
        FactAdded = "cognitive.fact.added" {
            /// In which session.
            session: SessionId,
            /// Which.
            fact: Box<str>,
        },
        /// It is.
        FactVerified = "cognitive.fact.verified" {
            /// In which session.
            session: SessionId,
            /// Which.
            fact: Box<str>,
        },
        /// It is taken for true no more.
        FactDropped = "cognitive.fact.dropped" {
            /// In which session.
            session: SessionId,
            /// Which.
            fact: Box<str>,
        },
        /// Two facts contradict.
        ContradictionFound = "cognitive.contradiction.found" {
            /// In which session.
            session: SessionId,
            /// Which.
            contradiction: Box<str>,
        },
        /// They do so no more.
        ContradictionResolved = "cognitive.contradiction.resolved" {
            /// In which session.
            session: SessionId,
            /// Which.
            contradiction: Box<str>,
        },
        /// Something is not known.
        UnknownAdded = "cognitive.unknown.added" {
            /// In which session.
            session: SessionId,
            /// Which.
            unknown: Box<str>,
        },
        /// It is known now.
        UnknownResolved = "cognitive.unknown.resolved" {
            /// In which session.
            session: SessionId,
            /// Which.
            unknown: Box<str>,
        },
        /// The state of another program was taken over.
        StateLoaded = "cognitive.state.loaded" {
            /// In which session.
            session: SessionId,
            /// Which part.
            part: Part,
        },
        /// What is felt has changed enough to be told (AFS 4.5).
        EmotionsUpdated = "cognitive.emotions.updated" {
            /// In which session.
            session: SessionId,
            /// What is felt.
            state: Emotions,
        },
        /// How it is gone about has changed enough to be told.
        MetacognitionUpdated = "cognitive.metacognition.updated" {
            /// In which session.
            session: SessionId,
            /// How.
            state: Metacognition,
        },
        /// What is aimed at has changed enough to be told.
        GoalsUpdated = "cognitive.goals.updated" {
            /// In which session.
            session: SessionId,
            /// What.
            state: Goals,
        },
        /// What is known has changed enough to be told.
        EpistemicUpdated = "cognitive.epistemic.updated" {
            /// In which session.
            session: SessionId,
            /// What.
            state: Epistemic,
        },
        /// The same action is repeated again and again.
        SpinDetected = "cognitive.spin.detected" {
            /// In which session.
            session: SessionId,
            /// How often, after the first time.
            action_count: u32,
            /// The last of them.
            cause: EntryId,
        },
        /// It works by itself, and well.
        FlowEntered = "cognitive.flow_state.entered" {
            /// In which session.
            session: SessionId,
            /// What holds.
            #[always]
            conditions: Vec<Box<str>>,
            /// The entry since which it does.
            cause: EntryId,
        },
        /// It does so no more.
        FlowExited = "cognitive.flow_state.exited" {
            /// In which session.
            session: SessionId,
            /// Why.
            reason: Box<str>,
            /// The entry since which it does not.
            cause: EntryId,
        },
        /// An analysis is due.
        TriggerFired = "analysis.trigger.fired" {
            /// In which session.
            session: SessionId,
            /// Which, and why.
            #[serde(flatten)]
            firing: Firing,
        },
        /// It may run.
        TriggerAccepted = "analysis.trigger.accepted" {
            /// In which session.
            session: SessionId,
            /// Which.
            firing: EntryId,
        },
        /// It may not.
        TriggerDenied = "analysis.trigger.denied" {
            /// In which session.
            session: SessionId,
            /// Which.
            firing: EntryId,
        },
        /// A mode of analysis is on.
        ModeActivated = "analysis.mode.activated" {
            /// In which session.
            session: SessionId,
            /// Which.
            mode: Mode,
            /// The firing that called for it.
            firing: EntryId,
        },
        /// The critic speaks in another tone.
        ToneChanged = "analysis.critic.tone_changed" {
            /// In which session.
            session: SessionId,
            /// The tone before.
            from: Tone,
            /// The tone now.
            to: Tone,
            /// Why.
            reason: Reason,
            /// The entry that set it off, where nobody asked.
            cause: Option<EntryId>,
        },
    }
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
