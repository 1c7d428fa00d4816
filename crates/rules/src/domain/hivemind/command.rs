//! What can be asked of hivemind.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::row::{EntryCategory, NewEntry};
use annals_kernel::grounding::words;
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of hivemind.
    pub enum Command {
        /// Keep something that was learnt (AFS 6.1).
        Add = "hivemind.entry.add" {
            /// What sort.
            category: EntryCategory,
            /// Its name: use-postgres.
            key: Box<str>,
            /// What was learnt.
            value: Box<str>,
            /// How sure it is, 0 to 1 [default: as configured, 0.8].
            confidence: Option<Share>,
            /// Why it is worth keeping.
            reason: Option<Box<str>>,
            /// A word to find it by.
            tags: Vec<Box<str>>,
            /// The key of an entry that belongs to it.
            related: Vec<Box<str>>,
        },
        /// Say that an entry was used: it is as strong as on its first day.
        Access = "hivemind.entry.access" {
            /// Which entry: its key.
            key: Box<str>,
            /// What for.
            reason: Option<Box<str>>,
        },
        /// Say that an entry is wrong, and what is right.
        Contest = "hivemind.entry.contest" {
            /// Which entry: its key.
            key: Box<str>,
            /// Why it is wrong.
            reason: Box<str>,
            /// The alternative [default: the value that another branch has under this key].
            alternative: Option<Box<str>>,
        },
        /// Propose an entry as golden, or as one for other projects, too.
        Nominate = "hivemind.entry.nominate" {
            /// Which entry: its key.
            key: Box<str>,
            /// As what.
            rise: Rise,
            /// Why, in words.
            reason: Box<str>,
        },
        /// Give a key a new value.
        Supersede = "hivemind.entry.supersede" {
            /// Which entry: its key.
            key: Box<str>,
            /// What holds from now on.
            value: Box<str>,
            /// How sure it is, 0 to 1 [default: as configured, 0.8].
            confidence: Option<Share>,
            /// Why, in words.
            reason: Option<Box<str>>,
        },
        /// End a contest or nomination without a council.
        Settle = "hivemind.entry.settle" {
            /// Which entry: its key.
            key: Box<str>,
            /// approve: what was proposed holds; reject: everything stays as it was.
            verdict: ContestVerdict,
        },
        /// Take an entry away.
        Remove = "hivemind.entry.remove" {
            /// Which entry: its key.
            key: Box<str>,
            /// Why, in words.
            reason: Box<str>,
        },
        /// Announce which entries have expired.
        Announce = "hivemind.decay.announce" derive(Default) {},
        // What is offered was observed.
        /// Take over what another store offers (AFS 6.5).
        Pull = "hivemind.sync.pull" {
            /// The store or project that offers.
            from: Box<str>,
            /// What becomes of a key that has another value here.
            conflicts: Clash,
        },
        /// Note which entries another store has taken over.
        Push = "hivemind.sync.push" {
            /// The store that took them over.
            to: Box<str>,
            /// Which: those that it has now.
            #[always]
            keys: Vec<Box<str>>,
        },
    }
}

words! {
    /// What an entry is proposed as.
    pub enum Rise {
        /// One that fades no more.
        Golden = "golden",
        /// As one for other projects, too [default: as golden, which fades no more].
        Global = "global",
    }
}

words! {
    /// How a contest or nomination ends.
    pub enum ContestVerdict {
        /// What was proposed holds.
        Approve = "approve",
        /// Everything stays as it was.
        Reject = "reject",
    }
}

words! {
    /// What becomes of a key that has another value here (AFS 6.5).
    pub enum Clash {
        /// Ours stays.
        Skip = "skip",
        /// Theirs takes its place.
        Replace = "replace",
        /// A council decides: ours is contested.
        Council = "council",
    }
}

/// What was found out for a command before it was decided.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// For `hivemind.sync.pull`: what the other store offers.
    pub offers: Vec<NewEntry>,
}
