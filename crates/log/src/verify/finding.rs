//! What can be wrong with a history: a closed list.
//!
//! Does not look for it, and does not say it; `say` does.

use super::settled::LineStanding;
use super::signed::SignatureFault;
use crate::elsewhere::{Missing, WriterStretch};
use crate::order::LineAt;
use annals_kernel::annals::{Head, LineHash};
use annals_kernel::id::{EntryId, WriterId};

/// Something that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file, below `history/`; none where a whole writer is missing.
    pub file: Option<String>,
    /// The line, from 1; of a removed line the next one of its writer.
    pub line: Option<u64>,
    /// The entry of that line.
    pub entry: Option<EntryId>,
    /// What is wrong.
    pub what: What,
}

/// A line in the chain of its writer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// The writer.
    pub writer: WriterId,
    /// Its count.
    pub count: u64,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A line does not have the hash that others know it by.
    Changed {
        /// Which line it is, or was.
        link: Link,
        /// Who says so.
        evidence: Evidence,
        /// The line that may have been changed instead of this one.
        instead: Option<LineAt>,
        /// Counts of lines before it that may have been changed, too: what it says of them does not count.
        doubtful: Option<(u64, u64)>,
    },
    /// Lines that are missing between others of their writer.
    Removed {
        /// The writer.
        writer: WriterId,
        /// The count of the first.
        first: u64,
        /// The count of the last.
        last: u64,
        /// By which hashes some of them are known.
        known: Vec<Head>,
        /// A line that looks like it.
        perhaps: Option<LineAt>,
    },
    /// A line that is there again.
    Doubled {
        /// Which line it is.
        link: Link,
        /// Where it stands, too.
        also: LineAt,
    },
    /// A line that nobody's chain holds.
    Inserted(Inserted),
    /// A line that is not in its place.
    Reordered {
        /// Which line it is.
        link: Link,
        /// Where it should be.
        place: Misplaced,
    },
    /// Two lines of one writer with one count: the folder was copied and both copies wrote.
    Fork {
        /// Which line they are.
        link: Link,
        /// The other one.
        other: LineAt,
    },
    /// The last lines of a writer are missing.
    CutOff(CutOff),
    /// A line that cannot be read, or not wholly.
    Unreadable {
        /// What is wrong with it.
        problem: String,
        /// Which line it was, where its link can still be read.
        was: Option<Link>,
    },
    /// A large value that is missing or damaged.
    BadBlob {
        /// The hash that it is named by.
        sha256: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A line in the name of this clone, which does not remember it.
    Unremembered {
        /// Which line it claims to be.
        link: Link,
        /// How many lines this clone has written as that writer.
        last: u64,
    },
    /// A decision under rules that this program does not know.
    UnknownRules {
        /// The version that it claims.
        rules: u64,
    },
    /// A line that says something else than another one with the same id: none of them counts.
    Conflict {
        /// Its hash.
        hash: LineHash,
        /// Some of the others.
        others: Vec<Namesake>,
        /// How many others there are beside these.
        more: u64,
    },
    /// Another writer said which of several lines with one id counts, and it is none that this clone wrote, or said.
    Overruled {
        /// The id.
        id: EntryId,
        /// The line of this clone, or what it said itself.
        own: Option<Link>,
        /// Where that stands.
        own_at: LineAt,
        /// The line that counts.
        counts: LineStanding,
        /// Its hash.
        hash: LineHash,
    },
    /// A line that says it was scrubbed, and no decision says so.
    ScrubUnproved {
        /// Which line it is.
        link: Link,
        /// The hash that it says it had.
        former: LineHash,
    },
    /// Something about a signed head.
    Signature(SignatureFault),
}

/// A line with the id of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Namesake {
    /// Where it stands.
    pub at: LineAt,
    /// Its hash.
    pub hash: LineHash,
}

/// Who knows a line by another hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// The next line of its writer.
    Next(LineAt),
    /// Its own link does not hold the hash of its writer's previous line.
    OwnLink(LineAt),
    /// Somebody else, while the writer's own lines fit: they were written anew from here on, or from before.
    Seen(By),
    /// It says that it has seen another line in the place of one that others vouch for.
    Contradicts(LineAt),
    /// Its link says another writer or count than the place in which it fits.
    Misfiled,
    /// The decision that scrubbed it recorded another hash.
    Scrub,
}

/// Who has seen a line, beside its writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// A line of another writer.
    Line {
        /// Which.
        link: Link,
        /// Where it stands.
        at: LineAt,
    },
    /// What this clone remembers in `local/`.
    Local,
    /// A head that was given to compare with.
    Given,
}

/// Why a line belongs to nobody's chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inserted {
    /// It has no link, in a log whose lines have links.
    Unchained {
        /// How many such lines stand here in a row.
        lines: u64,
    },
    /// It has the count of another line and does not follow the line before.
    Unlinked {
        /// The link that it claims.
        link: Link,
        /// The line that has its place.
        other: LineAt,
    },
}

/// Where a line should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misplaced {
    /// Among the lines of its file, elsewhere: counts ascend.
    InFile,
    /// In the file of its day.
    OtherFile,
}

/// What is known of lines that are missing at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CutOff {
    /// Lines of a writer.
    Lines {
        /// The writer.
        writer: WriterId,
        /// The count of the first that is missing.
        first: u64,
        /// The highest count that somebody has seen.
        last: u64,
        /// By which hashes some of them are known.
        known: Vec<Head>,
        /// Who.
        by: By,
    },
    /// Nothing is there of more writers that a line has seen, beside those of whom it is said.
    Others {
        /// How many.
        writers: u64,
        /// Who has seen them.
        by: By,
    },
    /// No line has a hash that was given.
    Hash(LineHash),
}

impl What {
    /// One word, or two: the same for the same kind of finding.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Changed { .. } => "changed",
            Self::Removed { .. } => "removed",
            Self::Doubled { .. } => "doubled",
            Self::Inserted(_) => "inserted",
            Self::Reordered { .. } => "reordered",
            Self::Fork { .. } => "fork",
            Self::CutOff(_) => "cut off",
            Self::Unreadable { .. } => "unreadable",
            Self::BadBlob { .. } => "bad blob",
            Self::Conflict { .. } => "conflict",
            Self::Overruled { .. } => "overruled",
            Self::Unremembered { .. } => "unremembered",
            Self::UnknownRules { .. } => "unknown rules",
            Self::ScrubUnproved { .. } => "scrub unproved",
            Self::Signature(fault) => fault.kind(),
        }
    }

    /// The line of a chain that it is about; of several the first.
    pub fn link(&self) -> Option<Link> {
        match self {
            Self::Changed { link, .. }
            | Self::Doubled { link, .. }
            | Self::Inserted(Inserted::Unlinked { link, .. })
            | Self::Reordered { link, .. }
            | Self::Fork { link, .. }
            | Self::Unremembered { link, .. }
            | Self::ScrubUnproved { link, .. } => Some(link.clone()),
            Self::Removed { writer, first, .. } | Self::CutOff(CutOff::Lines { writer, first, .. }) => {
                Some(Link { writer: writer.clone(), count: *first })
            }
            Self::Unreadable { was, .. } => was.clone(),
            Self::Overruled { own, .. } => own.clone(),
            Self::Signature(fault) => fault.link(),
            Self::Inserted(Inserted::Unchained { .. })
            | Self::CutOff(CutOff::Others { .. } | CutOff::Hash(_))
            | Self::BadBlob { .. }
            | Self::Conflict { .. }
            | Self::UnknownRules { .. } => None,
        }
    }

    /// The lines that it says are missing.
    pub fn missing(&self) -> Option<Missing> {
        match self {
            Self::Removed { writer, first, last, known, .. }
            | Self::CutOff(CutOff::Lines { writer, first, last, known, .. }) => {
                let stretch = WriterStretch { writer: writer.clone(), first: *first, last: *last };
                Some(Missing { stretch, known: known.clone() })
            }
            Self::Changed { .. }
            | Self::Doubled { .. }
            | Self::Inserted(_)
            | Self::Reordered { .. }
            | Self::Fork { .. }
            | Self::CutOff(CutOff::Others { .. } | CutOff::Hash(_))
            | Self::Unreadable { .. }
            | Self::BadBlob { .. }
            | Self::Conflict { .. }
            | Self::Overruled { .. }
            | Self::Unremembered { .. }
            | Self::UnknownRules { .. }
            | Self::ScrubUnproved { .. }
            | Self::Signature(_) => None,
        }
    }

    /// Whether it is about nothing but where or how often a line stands. The fold takes every line once, by its id.
    pub fn is_of_place(&self) -> bool {
        match self {
            Self::Doubled { .. } | Self::Reordered { .. } => true,
            Self::Changed { .. }
            | Self::Removed { .. }
            | Self::Inserted(_)
            | Self::Fork { .. }
            | Self::CutOff(_)
            | Self::Unreadable { .. }
            | Self::BadBlob { .. }
            | Self::Conflict { .. }
            | Self::Overruled { .. }
            | Self::Unremembered { .. }
            | Self::UnknownRules { .. }
            | Self::ScrubUnproved { .. }
            | Self::Signature(_) => false,
        }
    }

    /// How many other lines have the same id, where that is what is wrong.
    pub fn others(&self) -> Option<u64> {
        if let Self::Conflict { others, more, .. } = self { Some(others.len() as u64 + more) } else { None }
    }

    /// The other line that it names, where it names one.
    pub fn other(&self) -> Option<&LineAt> {
        match self {
            Self::Changed { instead: at, .. } | Self::Removed { perhaps: at, .. } => at.as_ref(),
            Self::Doubled { also: at, .. }
            | Self::Fork { other: at, .. }
            | Self::Inserted(Inserted::Unlinked { other: at, .. }) => Some(at),
            Self::Conflict { others, .. } => others.first().map(|other| &other.at),
            Self::Overruled { own_at, .. } => Some(own_at),
            Self::Signature(fault) => fault.other(),
            Self::Inserted(Inserted::Unchained { .. })
            | Self::Reordered { .. }
            | Self::CutOff(_)
            | Self::Unreadable { .. }
            | Self::BadBlob { .. }
            | Self::Unremembered { .. }
            | Self::UnknownRules { .. }
            | Self::ScrubUnproved { .. } => None,
        }
    }
}
