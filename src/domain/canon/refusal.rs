//! Why canon stays as it is.

use super::event::Conflict;
use crate::kernel::id::AgentId;

/// Why canon stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Control-room 6.2.
    #[error("{actor} may not {what}: that is for the user and the team lead")]
    NotALead {
        /// Who asked.
        actor: AgentId,
        /// What was asked.
        what: &'static str,
    },
    /// Control-room 6.2.
    #[error("an agent may promote an issue that {needed} agents support; this one has {has}")]
    TooFewVotes {
        /// How many it needs.
        needed: u32,
        /// How many it has.
        has: usize,
    },
    /// Control-room 6.2.
    #[error("canon says otherwise: {}", list(conflicts))]
    Contradicted {
        /// Where.
        conflicts: Vec<Conflict>,
    },
    /// It would be a file name that is none.
    #[error("\"{key}\" cannot be the key of an entry")]
    BadKey {
        /// The key.
        key: Box<str>,
    },
    /// What its supporters did not read.
    #[error("an agent promotes an issue with its own text, and with no other and no claims of its own")]
    NotItsText,
    /// What another issue made canon is not replaced by the way.
    #[error("there is an entry {key} already, and it does not come from this issue")]
    Taken {
        /// The key.
        key: Box<str>,
    },
    /// There is no such entry, or no such version of it.
    #[error("there is no canon {anchor}")]
    UnknownEntry {
        /// As it was named.
        anchor: Box<str>,
    },
    /// It was retired.
    #[error("{key} holds no more already")]
    RetiredAlready {
        /// The key.
        key: Box<str>,
    },
    /// Nothing is said.
    #[error("there is no text")]
    NoText,
    /// A text that nobody could read.
    #[error("a text of canon may have {most} characters at most; this one has {length}")]
    TooLong {
        /// How many it has.
        length: usize,
        /// The most.
        most: usize,
    },
    /// A claim that says nothing, or too much.
    #[error("a claim has a subject, an attribute and a value of 1 to {most} characters each")]
    BadClaim {
        /// The most.
        most: usize,
    },
    /// More than anybody could compare.
    #[error("an entry may make {most} claims at most; this one makes {count}")]
    TooManyClaims {
        /// How many it makes.
        count: usize,
        /// The most.
        most: usize,
    },
    /// It is so already.
    #[error("{key} says so already")]
    NothingToChange {
        /// The key.
        key: Box<str>,
    },
    /// Nothing contradicts canon.
    #[error("nothing in the text contradicts canon")]
    NoConflict,
    /// What whoever leads would have to be told.
    #[error("a discussion needs an issue")]
    NoIssue,
}

/// What contradicts what.
fn list(conflicts: &[Conflict]) -> String {
    let all = conflicts.iter().map(|conflict| {
        let Conflict { claim, key, version, value, .. } = conflict;
        let (subject, attribute, claimed) = (&claim.subject, &claim.attribute, &claim.value);
        format!("{key}@{version} has {subject}, {attribute}: {value} (not {claimed})")
    });
    all.collect::<Vec<_>>().join("; ")
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::NotALead { .. } => "canon.not_a_lead",
            Self::TooFewVotes { .. } => "canon.too_few_votes",
            Self::Contradicted { .. } => "canon.contradicted",
            Self::BadKey { .. } => "canon.bad_key",
            Self::NotItsText => "canon.not_its_text",
            Self::Taken { .. } => "canon.taken",
            Self::UnknownEntry { .. } => "canon.unknown_entry",
            Self::RetiredAlready { .. } => "canon.retired_already",
            Self::NoText => "canon.no_text",
            Self::TooLong { .. } => "canon.too_long",
            Self::BadClaim { .. } => "canon.bad_claim",
            Self::TooManyClaims { .. } => "canon.too_many_claims",
            Self::NothingToChange { .. } => "canon.nothing_to_change",
            Self::NoConflict => "canon.no_conflict",
            Self::NoIssue => "canon.no_issue",
        }
    }

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotALead { .. } => "open an issue and let the user or the team lead decide",
            Self::TooFewVotes { .. } => "agents support an issue with `annals issue comment --stance support`",
            Self::Contradicted { .. } => {
                "open an issue tagged #canon-conflict; the user can override with `annals canon state`"
            }
            Self::BadKey { .. } => "lower-case letters, digits and -_. make a key: `--key seryn-eyes`",
            Self::NotItsText => "leave out `--text` and `--claim`; front matter of the issue may state `claims:`",
            Self::Taken { .. } => "`--key KEY` makes a new version of it, or another entry",
            Self::UnknownEntry { .. } => "`annals canon list` shows those there are",
            Self::RetiredAlready { .. } => "`annals canon state` makes it hold again",
            Self::NoText => {
                "say what holds: the text of `canon state`, or `canon promote --text TEXT` where the issue has none"
            }
            Self::TooLong { .. } | Self::TooManyClaims { .. } => "make several entries of it",
            Self::BadClaim { .. } => "`--claim \"Seryn | eyes | amber\"`",
            Self::NothingToChange { .. } => "`annals canon show` shows it",
            Self::NoConflict => "`annals canon check` without an answer shows what is compared",
            Self::NoIssue => "`annals canon check --discuss` opens one",
        }
    }
}
