//! What can be asked of debates and failures, and what is found out first.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::csp::{Doubt, FailureDiagnosis, Message, Objection, PlanClaim, Resolved, Stakes};
use super::stakes::DebateCategory;
use annals_kernel::call::effect::Effect;
use annals_kernel::grounding::words;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::model_word::ModelWord;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of debates and failures.
    pub enum Command {
        /// Argue before something is done, or after it failed.
        Request = "dialectic.debate.request" {
            /// What is to be done.
            task: Box<str>,
            /// Before or after.
            kind: DebateKind,
            /// How it is to be done, where that is another text.
            plan: Option<Box<str>>,
            /// 1 to 3.
            rounds: Option<u8>,
            /// What is at stake; where nobody says, the rules of the router do.
            stakes: Option<Stakes>,
            /// What the router is told.
            #[serde(default)]
            facts: Facts,
            /// Attempts that failed, where they were not recorded.
            attempts: Vec<Box<str>>,
            /// Their errors.
            errors: Vec<Box<str>>,
        },
        /// The advocate or the critic speaks.
        Argue = "dialectic.position.take" {
            /// Which debate: its id, or the end of it.
            debate: Box<str>,
            /// What is said.
            position: Position,
        },
        // Everything but the debate may be left to the rules.
        /// What the debate comes to, by the rules of synthesis.
        Resolve = "dialectic.debate.resolve" derive(Default) {
            /// Which debate: its id, or the end of it.
            debate: Box<str>,
            /// The word, where somebody thinks to know it: the rules must give the same.
            resolution: Option<Resolved>,
            /// Why, in a sentence.
            rationale: Option<Box<str>>,
            /// The changes.
            modifications: Vec<Box<str>>,
            /// What to do next; for a failure it is the alternative that the rules ask for.
            next_approach: Option<Box<str>>,
            /// Who decides.
            escalate_to: Option<Box<str>>,
            /// How many attempts may follow: no more than the rules give.
            next_attempt_limit: Option<u8>,
        },
        /// What became of what was resolved.
        Judge = "dialectic.debate.judge" {
            /// Which debate: its id, or the end of it.
            debate: Box<str>,
            /// What became of it.
            outcome: ResolvedEnding,
            /// The debate made a difference.
            helped: bool,
        },
        /// An attempt failed.
        Fail = "dialectic.attempt.fail" {
            /// What was attempted, or the id of the task.
            task: Box<str>,
            /// What came of it.
            error: Box<str>,
            /// How it was attempted.
            approach: Option<Box<str>>,
        },
        /// An attempt succeeded.
        Succeed = "dialectic.attempt.succeed" {
            /// What was attempted, or the id of the task.
            task: Box<str>,
        },
        /// Failures so far count no more.
        Reset = "dialectic.task.reset" {
            /// What was attempted, or the id of the task.
            task: Box<str>,
            /// Why, in words.
            reason: Option<Box<str>>,
        },
        /// Whether two tasks are the same.
        Relate = "dialectic.task.relate" {
            /// The task that is asked about, as text or id.
            task: Box<str>,
            /// The earlier one, as text or id; where nothing is known of it, the first is taken for the earlier one.
            other: Box<str>,
            /// What they are to each other.
            relation: Relation,
        },
        /// Debates are switched off or on for a session.
        Switch = "dialectic.session.switch" {
            /// Which session [default: `$ANNALS_SESSION`].
            session: SessionId,
            /// On or off.
            debates: Debates,
        },
        /// The engine says that recorded calls failed with the same error again.
        Announce = "dialectic.failure.announce" {
            /// Which task, by its id.
            task: Box<str>,
            /// In which session.
            session: SessionId,
            /// Which error.
            fingerprint: Box<str>,
            /// The entry of its last failure.
            cause: EntryId,
        },
        /// The engine hands a task to a person: recorded calls failed too often.
        Escalate = "dialectic.task.escalate" {
            /// Which task, by its id.
            task: Box<str>,
            /// The entry of its last failure.
            cause: EntryId,
        },
        /// The engine says that a debate is due.
        CallForDebate = "dialectic.debate.call" {
            /// For which task, by its id.
            task: Box<str>,
            /// In which session.
            session: SessionId,
            /// Before or after.
            kind: DebateKind,
            /// What a command does, where that is the cause.
            effect: Option<Effect>,
            /// The error that came again, where that is.
            fingerprint: Option<Box<str>>,
            /// The command.
            command: Option<Box<str>>,
            /// Of which kind that is, by the words of the task.
            category: DebateCategory,
            /// The entry that caused it.
            cause: EntryId,
        },
        /// The hook holds a command that is hard to undo.
        Hold = "dialectic.command.hold" {
            /// In which session.
            session: SessionId,
            /// The command.
            text: Box<str>,
            /// What it does.
            effects: Vec<Effect>,
            /// What becomes of it.
            answer: AtDestructive,
        },
        /// Approve a command that was held, word for word.
        Approve = "dialectic.command.approve" {
            /// Which: the id that the refusal names, or the end of it.
            command: Box<str>,
            /// How far [default: once].
            span: Option<ApprovalSpan>,
        },
        /// A command that was approved once runs.
        Pass = "dialectic.command.pass" {
            /// The entry that held it.
            held: Box<str>,
        },
    }
}

words! {
    /// What becomes of a command that is hard to undo, where no debate covers it.
    pub enum AtDestructive {
        /// It runs.
        Off = "off",
        /// It runs, and the agent is told what it does.
        Tell = "tell",
        /// The person is asked; an agent that cannot ask is told no, and how the person approves it.
        Ask = "ask",
        /// It does not run until a debate covers it or the person approves it.
        Deny = "deny",
    }
}

words! {
    /// How far an approval goes.
    pub enum ApprovalSpan {
        /// This command runs once.
        Once = "once",
        /// This command may run again in the session.
        Session = "session",
    }
}

words! {
    /// Which debate.
    pub enum DebateKind {
        /// Before something is done.
        Planning = "planning",
        /// After it failed.
        Failure = "failure",
    }
}

words! {
    /// Who argues.
    pub enum DebateSide {
        /// For the plan.
        Advocate = "advocate",
        /// Against it.
        Critic = "critic",
    }
}

words! {
    /// What became of what was resolved.
    pub enum ResolvedEnding {
        /// It worked.
        Success = "success",
        /// It did not.
        Failure = "failure",
    }
}

words! {
    /// What a rule found in a text (decision 26b).
    pub enum TextFinding {
        /// It is so.
        Yes = "yes",
        /// It is not.
        No = "no",
        /// Neither can be said; it is taken for yes.
        Unclear = "unclear",
    }
}

impl TextFinding {
    /// Where in doubt, a difference is substantial and a counter can be acted on.
    pub fn is_accepted(self) -> bool {
        self != Self::No
    }
}

words! {
    /// Why failures count no more (decision 26).
    pub enum ForgivenBecause {
        /// Somebody asked for it.
        Asked = "asked",
        /// A person said that the agent should begin anew.
        StartFresh = "start-fresh",
        /// A person said that something has changed.
        ContextChanged = "context-changed",
    }
}

words! {
    /// Whether two tasks are the same.
    pub enum Relation {
        /// They count together.
        Same = "same",
        /// They are not the same: they count apart, and nobody is asked again.
        Different = "different",
    }
}

words! {
    /// Whether a session debates.
    pub enum Debates {
        /// Yes.
        On = "on",
        /// No.
        Off = "off",
    }
}

/// What the router is told beside the text (decision 26a).
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Facts {
    /// How many files it would touch.
    pub files: Option<u32>,
    /// It changes nothing.
    #[sparse]
    pub read_only: bool,
    /// The user said to just do it.
    #[sparse]
    pub just_do_it: bool,
}

/// What one side says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    /// The advocate on a plan.
    Claim(PlanClaim),
    /// The critic on a plan.
    Objection(Objection),
    /// The advocate on a failure.
    Diagnosis(FailureDiagnosis),
    /// The critic on a failure.
    Doubt(Doubt),
}

impl Position {
    /// Who says such a thing.
    pub fn side(&self) -> DebateSide {
        match self {
            Self::Claim(_) | Self::Diagnosis(_) => DebateSide::Advocate,
            Self::Objection(_) | Self::Doubt(_) => DebateSide::Critic,
        }
    }

    /// In which debate it is said.
    pub fn kind(&self) -> DebateKind {
        match self {
            Self::Claim(_) | Self::Objection(_) => DebateKind::Planning,
            Self::Diagnosis(_) | Self::Doubt(_) => DebateKind::Failure,
        }
    }

    /// What a critic sees in failures.
    pub fn pattern(&self) -> Option<&str> {
        match self {
            Self::Doubt(doubt) => doubt.pattern.as_deref(),
            Self::Claim(_) | Self::Objection(_) | Self::Diagnosis(_) => None,
        }
    }

    /// As a message of CSP/1.
    pub fn message(&self) -> Message {
        match self.clone() {
            Self::Claim(claim) => Message::Claim(claim),
            Self::Objection(objection) => Message::Objection(objection),
            Self::Diagnosis(diagnosis) => Message::Diagnosis(diagnosis),
            Self::Doubt(doubt) => Message::Doubt(doubt),
        }
    }
}

/// What was found in the texts of a debate before it is resolved. What is missing is found by the rules (decision 26b).
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// Whether the difference from earlier attempts is substantial.
    pub substantial: Option<TextFinding>,
    /// Whether the critic's counter can be acted on.
    pub actionable: Option<TextFinding>,
    /// What a model said, where the position, or the word on the texts, is its.
    pub model: Option<ModelWord>,
}
