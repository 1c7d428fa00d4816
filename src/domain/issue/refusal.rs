//! Why an issue does not become what was asked.

use super::number::Label;
use super::status::Status;
use crate::kernel::id::{AgentId, IssueId};
use crate::kernel::time::Timestamp;

/// Why an issue does not become what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no such issue.
    #[error("there is no issue {issue}")]
    UnknownIssue {
        /// The id.
        issue: IssueId,
    },
    /// A title says what it is about.
    #[error("an issue needs a title of 1 to {most} characters on one line")]
    BadTitle {
        /// The most.
        most: usize,
    },
    /// A text that nobody could read.
    #[error("a text may have {most} characters at most; this one has {length}")]
    TooLong {
        /// How many it has.
        length: usize,
        /// The most.
        most: usize,
    },
    /// An empty text.
    #[error("there is no text")]
    NoText,
    /// The same source was opened before.
    #[error("{origin} is issue {issue} already")]
    KnownSource {
        /// Where it was known before.
        origin: Box<str>,
        /// What it is here.
        issue: IssueId,
    },
    /// The discussion is stopped (control-room 3.4).
    #[error("issue #{label} is frozen until {until}")]
    Frozen {
        /// Which.
        label: Label,
        /// From when on anyone may act again.
        until: Timestamp,
    },
    /// It was frozen too often (decision 13).
    #[error("issue #{label} was frozen {freezes} times, and only user, moderator or team lead can end that")]
    FrozenForGood {
        /// Which.
        label: Label,
        /// How often.
        freezes: u32,
    },
    /// It has no arrow there.
    #[error("issue #{label} is {from}, and {what} is not allowed then")]
    NotThen {
        /// Which.
        label: Label,
        /// What it is.
        from: Status,
        /// What was asked.
        what: &'static str,
    },
    /// Too few have spoken (decision 12).
    #[error("issue #{label} has {turns} of {least} comments, this one included: too few to resolve it")]
    TooEarly {
        /// Which.
        label: Label,
        /// Comments, with this one.
        turns: usize,
        /// How many it needs.
        least: u32,
    },
    /// Only some may do this.
    #[error("{actor} may not {what}: that is for the user, the team lead and the moderator")]
    NotPrivileged {
        /// Who asked.
        actor: AgentId,
        /// What was asked.
        what: &'static str,
    },
    /// It is so already.
    #[error("nothing about issue #{label} would change")]
    NothingToChange {
        /// Which.
        label: Label,
    },
    /// It would wait for itself.
    #[error("issue #{label} would wait for itself")]
    Circular {
        /// Which.
        label: Label,
    },
    /// What is to show that it was applied is not there.
    #[error("the file or commit that is to show that issue #{label} was applied is not in the project")]
    Refuted {
        /// Which.
        label: Label,
    },
    /// Nothing shows that it was applied.
    #[error("to mark issue #{label} as applied, name a file or a commit of the project that shows it")]
    NotShown {
        /// Which.
        label: Label,
    },
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::UnknownIssue { .. } => "issues.unknown_issue",
            Self::BadTitle { .. } => "issues.bad_title",
            Self::TooLong { .. } => "issues.too_long",
            Self::NoText => "issues.no_text",
            Self::KnownSource { .. } => "issues.known_source",
            Self::Frozen { .. } => "issues.frozen",
            Self::FrozenForGood { .. } => "issues.frozen_for_good",
            Self::NotThen { .. } => "issues.not_then",
            Self::TooEarly { .. } => "issues.too_early",
            Self::NotPrivileged { .. } => "issues.not_privileged",
            Self::NothingToChange { .. } => "issues.nothing_to_change",
            Self::Circular { .. } => "issues.circular",
            Self::Refuted { .. } => "issues.refuted",
            Self::NotShown { .. } => "issues.not_shown",
        }
    }

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::UnknownIssue { .. } => "`annals issue list` shows those there are",
            Self::BadTitle { .. } => "put the rest into the body",
            Self::TooLong { .. } => "put the material into a file of the project and cite it",
            Self::NoText => "give the text as an argument, or `-` to read it from stdin",
            Self::KnownSource { .. } => "`annals issue show` shows it",
            Self::Frozen { .. } => "the moderator can unfreeze it: `annals issue unfreeze`",
            Self::FrozenForGood { .. } => "`annals issue unfreeze`, by one of them",
            Self::NotThen { .. } => {
                "`annals issue show` tells how it is; `annals issue reopen` takes an ended one up again"
            }
            Self::TooEarly { .. } => "let others speak; user and moderator can force it with `--force REASON`",
            Self::NotPrivileged { .. } => "ask the moderator, with a comment or an issue of its own",
            Self::NothingToChange { .. } => "`annals issue show` tells how it is",
            Self::Circular { .. } => "take one of the links back with `annals issue link --remove`",
            Self::Refuted { .. } => "name what is there; a claim that is not true costs credits",
            Self::NotShown { .. } => "`--file PATH` or `--commit HASH`, of something that is there",
        }
    }
}
