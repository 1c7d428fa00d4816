//! Why an entry stays as it is.

use super::row::Category;
use crate::kernel::id::AgentId;
use crate::kernel::share::Share;
use crate::kernel::time::Timestamp;

/// Why an entry stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Nobody could write it twice.
    #[error("\"{key}\" cannot be a key")]
    BadKey {
        /// As it was given.
        key: Box<str>,
    },
    /// Nothing was learnt.
    #[error("there is no value")]
    NoValue,
    /// Nobody could read it.
    #[error("a {what} may have {most} characters at most; this one has {length}")]
    TooLong {
        /// Value, reason or alternative.
        what: &'static str,
        /// How many it has.
        length: usize,
        /// The most.
        most: usize,
    },
    /// Nobody could find it.
    #[error("an entry has {most} tags and related keys each at most, of 1 to {chars} characters without spaces")]
    BadWords {
        /// The most.
        most: usize,
        /// The longest.
        chars: usize,
    },
    /// It would be gone at once.
    #[error("an entry that fades needs a confidence of {least} or more; this one has {confidence}")]
    TooWeak {
        /// What it has.
        confidence: Share,
        /// What it needs.
        least: Share,
    },
    /// It is there, and says so.
    #[error("{key} says so already")]
    Known {
        /// The key.
        key: Box<str>,
    },
    /// It is there, and says something else.
    #[error("{key} has another value")]
    OtherValue {
        /// The key.
        key: Box<str>,
    },
    /// Nothing has this key.
    #[error("there is no entry {key}")]
    UnknownEntry {
        /// The key.
        key: Box<str>,
    },
    /// Decision 21.
    #[error("{key} expired {at}")]
    Expired {
        /// The key.
        key: Box<str>,
        /// When.
        at: Timestamp,
    },
    /// One thing at a time.
    #[error("{key} is contested already")]
    ContestedAlready {
        /// The key.
        key: Box<str>,
    },
    /// Nothing to settle.
    #[error("{key} is not contested")]
    NotContested {
        /// The key.
        key: Box<str>,
    },
    /// It was decided to keep it for good.
    #[error("{key} is golden: only the user and the team lead question it")]
    Golden {
        /// The key.
        key: Box<str>,
    },
    /// It is that already.
    #[error("{key} is golden already")]
    GoldenAlready {
        /// The key.
        key: Box<str>,
    },
    /// It is that already.
    #[error("{key} is global already")]
    GlobalAlready {
        /// The key.
        key: Box<str>,
    },
    /// AFS 6.5.
    #[error("a {category} stays in its project")]
    StaysHere {
        /// Its category.
        category: Category,
    },
    /// AFS 13.2.
    #[error("nothing goes to other projects here, and nothing comes from them")]
    GlobalDisabled,
    /// Nobody could judge it.
    #[error("there is no reason")]
    NoReason,
    /// Nothing to choose from.
    #[error("nothing is said to be right instead")]
    NoAlternative,
    /// Nothing would change.
    #[error("that is what {key} says")]
    SameValue {
        /// The key.
        key: Box<str>,
    },
    /// What one agent has learnt, another does not overwrite.
    #[error("{actor} may not give {key} a new value: that is for {author}, the user and the team lead")]
    NotItsAuthor {
        /// Who asked.
        actor: AgentId,
        /// The key.
        key: Box<str>,
        /// Whose it is.
        author: AgentId,
    },
    /// A council, or who leads.
    #[error("{actor} may not {what}: that is for the user and the team lead")]
    NotALead {
        /// Who asked.
        actor: AgentId,
        /// What was asked.
        what: &'static str,
    },
    /// Agents contest; they do not take away.
    #[error("{actor} may not take an entry away: that is for the user")]
    NotTheUser {
        /// Who asked.
        actor: AgentId,
    },
    /// It stands in paths.
    #[error("\"{name}\" cannot be the name of a store or project")]
    BadStore {
        /// As it was given.
        name: Box<str>,
    },
    /// More than a line should hold.
    #[error("{count} entries are too many for one decision: {most} at most")]
    TooMany {
        /// How many there are.
        count: usize,
        /// The most.
        most: usize,
    },
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::BadKey { .. } => "hivemind.bad_key",
            Self::NoValue => "hivemind.no_value",
            Self::TooLong { .. } => "hivemind.too_long",
            Self::BadWords { .. } => "hivemind.bad_words",
            Self::TooWeak { .. } => "hivemind.too_weak",
            Self::Known { .. } => "hivemind.known",
            Self::OtherValue { .. } => "hivemind.other_value",
            Self::UnknownEntry { .. } => "hivemind.unknown_entry",
            Self::Expired { .. } => "hivemind.expired",
            Self::ContestedAlready { .. } => "hivemind.contested_already",
            Self::NotContested { .. } => "hivemind.not_contested",
            Self::Golden { .. } => "hivemind.golden",
            Self::GoldenAlready { .. } => "hivemind.golden_already",
            Self::GlobalAlready { .. } => "hivemind.global_already",
            Self::StaysHere { .. } => "hivemind.stays_here",
            Self::GlobalDisabled => "hivemind.global_disabled",
            Self::NoReason => "hivemind.no_reason",
            Self::NoAlternative => "hivemind.no_alternative",
            Self::SameValue { .. } => "hivemind.same_value",
            Self::NotItsAuthor { .. } => "hivemind.not_its_author",
            Self::NotALead { .. } => "hivemind.not_a_lead",
            Self::NotTheUser { .. } => "hivemind.not_the_user",
            Self::BadStore { .. } => "hivemind.bad_store",
            Self::TooMany { .. } => "hivemind.too_many",
        }
    }

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::BadKey { .. } => "letters, digits, spaces and -_.:/@+ make a key, 100 characters at most",
            Self::NoValue => "say what was learnt",
            Self::TooLong { .. } => "say it shorter, and name the file that says more",
            Self::BadWords { .. } => "`--tag deploy --related use-postgres`",
            Self::TooWeak { .. } => "knowledge and preferences do not fade; of what is not sure, open an issue",
            Self::Known { .. } => "`annals hivemind access KEY` says that it was used",
            Self::OtherValue { .. } => {
                "`annals hivemind contest KEY` says that it is wrong; its author and the user can `supersede` it"
            }
            Self::UnknownEntry { .. } => "`annals hivemind list` shows those there are",
            Self::Expired { .. } => "`annals hivemind add` with the same key takes it up again",
            Self::ContestedAlready { .. } => "`annals hivemind show KEY` says by whom and why",
            Self::NotContested { .. } => "`annals hivemind contest` and `nominate` begin what this ends",
            Self::Golden { .. } => "open an issue and let the user or the team lead decide",
            Self::GoldenAlready { .. } | Self::GlobalAlready { .. } => "`annals hivemind show KEY` shows it",
            Self::StaysHere { .. } => "knowledge, decisions and preferences mean something in other projects",
            Self::GlobalDisabled => "`annals config set hivemind.global_enabled true` allows it",
            Self::NoReason => "`--because TEXT`: those who judge it have nothing else to go by",
            Self::NoAlternative => "`--alternative TEXT`",
            Self::SameValue { .. } => "`annals hivemind show KEY` shows what it says",
            Self::NotItsAuthor { .. } => "`annals hivemind contest KEY` says that it is wrong",
            Self::NotALead { .. } => "ask one of them",
            Self::NotTheUser { .. } => "`annals hivemind contest KEY` says that it is wrong",
            Self::BadStore { .. } => "letters, digits, dots, dashes and underscores, `/` before the name of a group",
            Self::TooMany { .. } => "`annals hivemind sync` asks for fewer at a time",
        }
    }
}
