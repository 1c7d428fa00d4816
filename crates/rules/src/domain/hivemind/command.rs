//! What can be asked of hivemind.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::row::{Category, NewEntry};
use annals_kernel::grounding::words;
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of hivemind.
    pub enum Command {
        /// Keep something that was learnt (AFS 6.1).
        Add(Add) = "hivemind.entry.add",
        /// Say that an entry was used: it is as strong as on its first day.
        Access(Access) = "hivemind.entry.access",
        /// Say that an entry is wrong, and what is right.
        Contest(Contest) = "hivemind.entry.contest",
        /// Propose an entry as golden, or as one for other projects, too.
        Nominate(Nominate) = "hivemind.entry.nominate",
        /// Give a key a new value.
        Supersede(Supersede) = "hivemind.entry.supersede",
        /// End a contest or nomination without a council.
        Settle(Settle) = "hivemind.entry.settle",
        /// Take an entry away.
        Remove(Remove) = "hivemind.entry.remove",
        /// Announce which entries have expired.
        Announce(Announce) = "hivemind.decay.announce",
        /// Take over what another store offers (AFS 6.5).
        Pull(Pull) = "hivemind.sync.pull",
        /// Note which entries another store has taken over.
        Push(Push) = "hivemind.sync.push",
    }
}

/// Fields of `hivemind.entry.add`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Add {
    /// What kind of thing was learnt.
    pub category: Category,
    /// Its name.
    pub key: Box<str>,
    /// What was learnt.
    pub value: Box<str>,
    /// How sure it is; none: as configured.
    pub confidence: Option<Share>,
    /// Why it is worth keeping.
    pub reason: Option<Box<str>>,
    /// Words to find it by.
    pub tags: Vec<Box<str>>,
    /// Keys of entries that belong to it.
    pub related: Vec<Box<str>>,
}

/// Fields of `hivemind.entry.access`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Access {
    /// Which.
    pub key: Box<str>,
    /// What for.
    pub reason: Option<Box<str>>,
}

/// Fields of `hivemind.entry.contest`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contest {
    /// Which.
    pub key: Box<str>,
    /// What is wrong with it.
    pub reason: Box<str>,
    /// What is right; none: what the key was given in another branch.
    pub alternative: Option<Box<str>>,
}

words! {
    /// What an entry is proposed as.
    pub enum Rise {
        /// One that fades no more.
        Golden = "golden",
        /// One for other projects, too.
        Global = "global",
    }
}

/// Fields of `hivemind.entry.nominate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Nominate {
    /// Which.
    pub key: Box<str>,
    /// As what.
    pub rise: Rise,
    /// Why.
    pub reason: Box<str>,
}

/// Fields of `hivemind.entry.supersede`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Supersede {
    /// Which.
    pub key: Box<str>,
    /// What holds from now on.
    pub value: Box<str>,
    /// How sure it is; none: as configured.
    pub confidence: Option<Share>,
    /// Why.
    pub reason: Option<Box<str>>,
}

words! {
    /// How a contest or nomination ends.
    pub enum Verdict {
        /// What was proposed holds.
        Approve = "approve",
        /// Everything stays as it was.
        Reject = "reject",
    }
}

/// Fields of `hivemind.entry.settle`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settle {
    /// Which.
    pub key: Box<str>,
    /// How.
    pub verdict: Verdict,
}

/// Fields of `hivemind.entry.remove`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remove {
    /// Which.
    pub key: Box<str>,
    /// Why.
    pub reason: Box<str>,
}

/// Fields of `hivemind.decay.announce`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Announce {}

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

/// Fields of `hivemind.sync.pull`. What is offered was observed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pull {
    /// The store or project that offers.
    pub from: Box<str>,
    /// What becomes of a key that has another value here.
    pub conflicts: Clash,
}

/// Fields of `hivemind.sync.push`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Push {
    /// The store that took them over.
    pub to: Box<str>,
    /// Which: those that it has now.
    pub keys: Vec<Box<str>>,
}

/// What was found out for a command before it was decided.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// For `hivemind.sync.pull`: what the other store offers.
    pub offers: Vec<NewEntry>,
}
