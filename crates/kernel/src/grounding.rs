//! What a claim stands on: how much it would change, what it cites, why it was looked up and what came of it.
//!
//! Words of several rooms (control-room 5, 11.2, 11.3). Does not look at files and does not judge.

use std::fmt;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::id::{AgentId, IssueId};

/// Declares an enum that is written as one of a few words.
#[macro_export]
macro_rules! words {
    (
        $(#[$outer:meta])*
        pub enum $type:ident { $( $(#[$inner:meta])* $variant:ident = $word:literal, )* }
    ) => {
        $(#[$outer])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
            $crate::schemars::JsonSchema,
        )]
        #[schemars(crate = "annals_kernel::schemars")]
        pub enum $type {
            $( $(#[$inner])* #[serde(rename = $word)] $variant, )*
        }

        impl $type {
            /// All of them, in order.
            pub const ALL: &[Self] = &[$( Self::$variant, )*];

            /// As it is written.
            pub fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $word, )* }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::grounding::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $( $word => Ok(Self::$variant), )*
                    _ => Err($crate::grounding::UnknownWord {
                        word: text.chars().take(40).collect(),
                        known: [$( $word, )*].join(", "),
                    }),
                }
            }
        }
    };
}
pub use words;

/// A word that is none of those that may stand there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{word}\" is none of {known}")]
pub struct UnknownWord {
    /// What was given.
    pub word: String,
    /// What may be given.
    pub known: String,
}

words! {
    /// What a comment says to the proposal. `triggers`, votes and `agreed` count it.
    #[derive(Default)]
    pub enum Stance {
        /// For it.
        Support = "support",
        /// Against it.
        Oppose = "oppose",
        /// Neither.
        #[default]
        Neutral = "neutral",
    }
}

words! {
    /// How much a change would change (control-room 5.1), the least first.
    pub enum Impact {
        /// Only how it looks.
        Cosmetic = "cosmetic",
        /// A little.
        Minor = "minor",
        /// How the work is built.
        Structural = "structural",
        /// What holds in the project.
        CanonChanging = "canon-changing",
    }
}

words! {
    /// Why something was looked up (control-room 11.2).
    pub enum Trigger {
        /// Somebody asked.
        AnswerToQuestion = "answer-to-question",
        /// It backs a proposal.
        SupportProposal = "support-proposal",
        /// Two disagreed.
        ResolveConflict = "resolve-conflict",
        /// Consistency was checked.
        VerifyContinuity = "verify-continuity",
        /// The devil's advocate checked a fact.
        ChallengeConsensus = "challenge-consensus",
        /// Canon was looked for that does not exist.
        CanonGapSearch = "canon-gap-search",
        /// No reason.
        Unprompted = "unprompted",
    }
}

words! {
    /// What came of a citation (control-room 11.2).
    pub enum CitationOutcome {
        /// A decision was made on it.
        InformedDecision = "informed-decision",
        /// A file was changed.
        LedToFileChange = "led-to-file-change",
        /// The issue was resolved with it.
        ResolvedIssue = "resolved-issue",
        /// A mistake was caught.
        PreventedError = "prevented-error",
        /// There is no canon on it.
        IdentifiedCanonGap = "identified-canon-gap",
        /// There was no canon on it; now there is.
        EstablishedNewCanon = "established-new-canon",
        /// The user would have contradicted canon.
        PreventedUserConflict = "prevented-user-conflict",
        /// Nothing yet.
        NoActionYet = "no-action-yet",
        /// Nothing.
        NoAction = "no-action",
    }
}

words! {
    /// Why somebody is to dissent (control-room 13.1).
    pub enum DissentReason {
        /// Too many approvals too fast.
        QuickConsensus = "quick-consensus",
        /// Agreement without a file.
        NoEvidenceConsensus = "no-evidence-consensus",
        /// The moderator wants it.
        ModeratorOverride = "moderator-override",
        /// A structural or canon-changing proposal needs a challenge.
        HighImpactProposal = "high-impact-proposal",
    }
}

/// Lines of a file, counted from 1; one line where there is no end.
#[sparse]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lines {
    /// The first.
    pub start: u32,
    /// The last.
    pub end: Option<u32>,
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.end {
            Some(end) => write!(f, "{}-{end}", self.start),
            None => write!(f, "{}", self.start),
        }
    }
}

/// A place in a file of the project (control-room 5.1).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileReference {
    /// Relative to the project.
    pub path: Box<str>,
    /// Which lines.
    pub lines: Option<Lines>,
    /// What stands there.
    pub quote: Option<Box<str>>,
}

/// What a comment cites (control-room 5.1).
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Places in files.
    pub files: Vec<FileReference>,
    /// Issues.
    pub issues: Vec<IssueId>,
    /// Entries of canon: a key, or `key@version` (improvement B).
    pub canon: Vec<Box<str>>,
}

impl Evidence {
    /// Whether nothing is cited.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.issues.is_empty() && self.canon.is_empty()
    }
}

/// Why something was cited, and what came of it (control-room 11.2).
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Citation {
    /// Why it was looked up; none: unprompted.
    pub trigger: Option<Trigger>,
    /// Who prompted it.
    pub triggered_by: Option<AgentId>,
    /// The comment or question that prompted it.
    pub trigger_ref: Option<Box<str>>,
    /// What came of it, as its author says. Earns no more than `no-action-yet` (decision 15).
    pub outcome: Option<CitationOutcome>,
    /// What shows that.
    pub outcome_ref: Option<Box<str>>,
}

words! {
    /// Why a path was not looked at (decision 14).
    pub enum Escape {
        /// It begins at the root.
        Absolute = "absolute",
        /// It goes up.
        Parent = "parent",
        /// A symbolic link leads out of the project.
        LinkOut = "link-out",
        /// It is not a plain file, or not a text.
        NotAText = "not-a-text",
        /// It is the record of what was said, which cannot prove what was said.
        OwnRecord = "own-record",
        /// It cannot be a path: empty, or with a NUL.
        Malformed = "malformed",
    }
}

/// What code found out about a place in a file (control-room 11.3, decision 14). Observed by the shell, never by a rule.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Checked {
    /// The path as it was cited.
    pub path: Box<str>,
    /// Why it was not looked at.
    pub escape: Option<Escape>,
    /// Whether there is such a file.
    pub exists: bool,
    /// Whether nothing that can be read stands in it, or in the cited lines.
    #[serde(rename = "blank")]
    #[sparse]
    pub is_blank: bool,
    /// Whether the lines are there; true where none were cited.
    pub lines_valid: bool,
    /// How close the quote is to the best place in the cited lines, in thousandths; none where nothing was quoted.
    pub similarity: Option<u32>,
    /// SHA-256 of the file as it was.
    pub sha256: Option<Box<str>>,
}

impl Checked {
    /// More than this, in thousandths, is the same text (control-room 11.3).
    const SAME: u32 = 800;
    /// More than this is precise (control-room 11.4).
    const PRECISE: u32 = 950;

    /// Whether the quote stands there; true where nothing was quoted.
    pub fn quote_matches(&self) -> bool {
        self.similarity.is_none_or(|similarity| similarity > Self::SAME)
    }

    /// Whether what was cited is so, be it nothing.
    pub fn is_so(&self) -> bool {
        self.exists && self.lines_valid && self.quote_matches()
    }

    /// Whether every check passed, and something stands there.
    pub fn is_verified(&self) -> bool {
        self.is_so() && !self.is_blank
    }

    /// Whether the quote is exact enough for the precision bonus.
    pub fn is_precise(&self) -> bool {
        self.is_verified() && self.similarity.is_some_and(|similarity| similarity > Self::PRECISE)
    }

    /// 0 to 3: one for each check that passed, none without a file with something in it (control-room 11.3).
    pub fn score(&self) -> u32 {
        let points = u32::from(self.lines_valid) + u32::from(self.quote_matches()) + 1;
        if self.exists && !self.is_blank { points } else { 0 }
    }
}
