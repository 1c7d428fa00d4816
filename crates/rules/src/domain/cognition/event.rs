//! What happened to the mind of a session, and what it set off (AFS 8.3; three parts, decision 4).

use std::collections::BTreeMap;

use super::conclusion::{ModeFinding, Recommended};
use super::critic::{Tone, ToneReason};
use super::emotion::Emotions;
use super::epistemic::EpistemicState;
use super::goal::{GoalConflict, GoalStatus, Goals};
use super::metacognition::Metacognition;
use super::mind::Firing;
use super::snapshot::MindPart;
use super::trigger::AnalysisMode;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What happened.
    pub enum Event each {
        /// In which session.
        session: SessionId as &SessionId
    } {
        /// Something is felt.
        FeelingStated = "cognitive.feeling.stated" {},
        /// It is gone about in a way.
        ThoughtStated = "cognitive.thought.stated" {},
        /// Something was corrected.
        CorrectionNoted = "cognitive.correction.noted" {},
        /// There is a goal.
        GoalAdded = "cognitive.goal.added" {
            /// Which.
            goal: Box<str>,
        },
        /// A goal is nearer, or elsewhere.
        GoalAdvanced = "cognitive.goal.advanced" {
            /// Which.
            goal: Box<str>,
            /// Where it is.
            status: GoalStatus,
            /// How far.
            progress: Share,
        },
        /// A goal is worked on.
        GoalFocused = "cognitive.goal.focused" {
            /// Which; nothing: none any more.
            goal: Option<Box<str>>,
        },
        /// Two goals contradict.
        ConflictFound = "cognitive.conflict.found" {
            /// How.
            conflict: GoalConflict,
        },
        /// They do so no more.
        ConflictResolved = "cognitive.conflict.resolved" {},
        /// Something is taken for true.
        FactAdded = "cognitive.fact.added" {
            /// Which.
            fact: Box<str>,
        },
        /// It is.
        FactVerified = "cognitive.fact.verified" {
            /// Which.
            fact: Box<str>,
        },
        /// It is taken for true no more.
        FactDropped = "cognitive.fact.dropped" {
            /// Which.
            fact: Box<str>,
        },
        /// Two facts contradict.
        ContradictionFound = "cognitive.contradiction.found" {
            /// Which.
            contradiction: Box<str>,
        },
        /// They do so no more.
        ContradictionResolved = "cognitive.contradiction.resolved" {
            /// Which.
            contradiction: Box<str>,
        },
        /// Something is not known.
        UnknownAdded = "cognitive.unknown.added" {
            /// Which.
            unknown: Box<str>,
        },
        /// It is known now.
        UnknownResolved = "cognitive.unknown.resolved" {
            /// Which.
            unknown: Box<str>,
        },
        /// The state of another program was taken over.
        StateLoaded = "cognitive.state.loaded" {
            /// Which part.
            part: MindPart,
        },
        /// What is felt has changed enough to be told (AFS 4.5).
        EmotionsUpdated = "cognitive.emotions.updated" {
            /// What is felt.
            state: Emotions,
        },
        /// How it is gone about has changed enough to be told.
        MetacognitionUpdated = "cognitive.metacognition.updated" {
            /// How.
            state: Metacognition,
        },
        /// What is aimed at has changed enough to be told.
        GoalsUpdated = "cognitive.goals.updated" {
            /// What.
            state: Goals,
        },
        /// What is known has changed enough to be told.
        EpistemicUpdated = "cognitive.epistemic.updated" {
            /// What.
            state: EpistemicState,
        },
        /// The same action is repeated again and again.
        SpinDetected = "cognitive.spin.detected" {
            /// How often, after the first time.
            action_count: u32,
            /// The last of them.
            cause: EntryId,
        },
        /// It works by itself, and well.
        FlowEntered = "cognitive.flow_state.entered" {
            /// What holds.
            #[always]
            conditions: Vec<Box<str>>,
            /// The entry since which it does.
            cause: EntryId,
        },
        /// It does so no more.
        FlowExited = "cognitive.flow_state.exited" {
            /// Why.
            reason: Box<str>,
            /// The entry since which it does not.
            cause: EntryId,
        },
        /// An analysis is due.
        TriggerFired = "analysis.trigger.fired" {
            /// Which, and why.
            #[serde(flatten)]
            firing: Firing,
        },
        /// It may run.
        TriggerAccepted = "analysis.trigger.accepted" {
            /// Which.
            firing: EntryId,
        },
        /// It may not.
        TriggerDenied = "analysis.trigger.denied" {
            /// Which.
            firing: EntryId,
        },
        /// A mode of analysis is on.
        ModeActivated = "analysis.mode.activated" {
            /// Which.
            mode: AnalysisMode,
            /// The firing that called for it.
            firing: EntryId,
        },
        /// It has looked: what it found, without a sentence.
        ModeConcluded = "analysis.mode.concluded" {
            /// The firing that called for it.
            firing: EntryId,
            /// Its trigger.
            trigger: Box<str>,
            /// Which mode.
            mode: AnalysisMode,
            /// What it found, the gravest first.
            #[always]
            found: Vec<ModeFinding>,
            /// How much there is in all.
            total: u32,
            /// Its figures by their names, as far as they could be computed.
            figures: BTreeMap<Box<str>, Box<str>>,
            /// Another arrangement of agents, where the formula chooses one (AFS 7.3).
            recommended: Option<Recommended>,
        },
        /// A model has looked, too: what it found stands in the command, beside what the rules found.
        ModeJudged = "analysis.mode.judged" {
            /// The firing that called for it.
            firing: EntryId,
            /// Its trigger.
            trigger: Box<str>,
            /// Which mode.
            mode: AnalysisMode,
            /// Which model.
            model: Box<str>,
            /// How much it found.
            found: u32,
        },
        /// The critic speaks in another tone.
        ToneChanged = "analysis.critic.tone_changed" {
            /// The tone before.
            from: Tone,
            /// The tone now.
            to: Tone,
            /// Why.
            reason: ToneReason,
            /// The entry that set it off, where nobody asked.
            cause: Option<EntryId>,
        },
    }
}
