//! What is wrong with a history, in words: after `changed`, `removed` and so on, what exactly and how one knows.
//!
//! Says nothing of file, line and entry: they stand before it.

use std::fmt;

use crate::order::LineAt;
use annals_kernel::annals::{LineHash, RULES_VERSION};

use super::finding::{By, CutOff, Evidence, Inserted, Link, Misplaced, Namesake, What};
use super::settled::{LineStanding, Settled};

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of writer {}", self.count, self.writer)
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { link, at } => write!(f, "{link} ({at}) has seen"),
            Self::Local => f.write_str("local/ remembers"),
            Self::Given => f.write_str("--head gives"),
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Next(at) => write!(f, "the writer's next line ({at}) knows it by another hash"),
            Self::OwnLink(at) => {
                write!(f, "it does not follow the writer's previous line ({at}), which others vouch for")
            }
            Self::Seen(by) => write!(f, "{by} another hash, so it was written anew, here or before"),
            Self::Contradicts(at) => write!(f, "it has seen another line in the place of {at}, which others vouch for"),
            Self::Misfiled => f.write_str("its link names another place, and this is where it fits"),
            Self::Scrub => f.write_str("it was scrubbed, and is not what the scrub has left of it"),
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed { link, evidence, instead, doubtful } => {
                write!(f, "{link}: {evidence}")?;
                instead.iter().try_for_each(|at| write!(f, "; or {at} was changed instead"))?;
                doubtful.iter().try_for_each(|range| write!(f, "; {} before it may be changed, too", Counts(*range)))
            }
            Self::Removed { writer, first, last, perhaps, .. } => {
                let counts = Counts((*first, *last));
                write!(f, "{counts} of writer {writer} stood before this one and cannot be found")?;
                perhaps.iter().try_for_each(|at| write!(f, "; {at} may be what became of it"))
            }
            Self::Doubled { link, also } => write!(f, "{link} stands at {also}, too"),
            Self::Inserted(inserted) => inserted.fmt(f),
            Self::Reordered { link, place: Misplaced::InFile } => {
                write!(f, "{link} stands among lines of other counts")
            }
            Self::Reordered { link, place: Misplaced::OtherFile } => {
                write!(f, "{link} is of another day than its file")
            }
            Self::Fork { link, other } => {
                write!(f, "{link} is another one at {other}: a copied clone has written, too")
            }
            Self::CutOff(cut) => cut.fmt(f),
            Self::Unreadable { problem, was: None } => f.write_str(problem),
            Self::Unreadable { problem, was: Some(link) } => write!(f, "{problem}; it was {link}"),
            Self::BadBlob { sha256, problem } => write!(f, "blob {sha256}: {problem}"),
            Self::Unremembered { link, last } => write!(
                f,
                "{link} is in the name of this clone, which wrote {last} lines as that writer: somebody else made it"
            ),
            Self::UnknownRules { rules: 0 } => {
                f.write_str("it says that it was decided under rules 0, which never were")
            }
            Self::UnknownRules { rules } => write!(
                f,
                "it says that it was decided under rules {rules}, newer than those of this program ({RULES_VERSION}): \
                 a newer annals can say whether they were"
            ),
            Self::Conflict { hash, others, more } => conflict(f, *hash, others, *more),
            Self::Overruled { id, own, own_at, counts, hash } => {
                let own = SaidPlace { link: own.as_ref(), at: own_at };
                write!(
                    f,
                    "it says, and this clone has not, that of the lines with the id {id} {counts} counts, against {own}, \
                     which is this clone's: `annals history settle {id} {}` agrees",
                    Short(*hash)
                )
            }
            Self::ScrubUnproved { link, former } => {
                write!(f, "{link} says that its hash was {former} before a scrub, which no decision records")
            }
            Self::Signature(fault) => fault.fmt(f),
        }
    }
}

fn conflict(f: &mut fmt::Formatter<'_>, hash: LineHash, others: &[Namesake], more: u64) -> fmt::Result {
    write!(f, "{} says something else under the same id:", Short(hash))?;
    for (index, other) in others.iter().enumerate() {
        write!(f, "{} {} ({})", if index == 0 { "" } else { "," }, Short(other.hash), other.at)?;
    }
    if more > 0 {
        write!(f, " and {more} more")?;
    }
    f.write_str("; none of them counts until `annals history settle ENTRY HASH` says which")
}

/// `line 5 of writer W (FILE:LINE)`, or only where it stands.
struct SaidPlace<'p> {
    link: Option<&'p Link>,
    at: &'p LineAt,
}

impl fmt::Display for SaidPlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { link, at } = self;
        match link {
            Some(link) => write!(f, "{link} ({at})"),
            None => write!(f, "the line at {at}"),
        }
    }
}

impl fmt::Display for LineStanding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SaidPlace { link: self.link.as_ref(), at: &self.at }.fmt(f)
    }
}

impl fmt::Display for Settled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, said, counts, .. } = self;
        write!(f, "{id} by {said}: {counts} counts")
    }
}

impl fmt::Display for Inserted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unchained { lines: 1 } => f.write_str("it has no link"),
            Self::Unchained { lines } => write!(f, "{lines} lines have no link"),
            Self::Unlinked { link, other } => {
                write!(f, "it says that it is {link}, which stands at {other}, and it follows no line")
            }
        }
    }
}

impl fmt::Display for CutOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lines { writer, first, last, by, .. } => {
                write!(f, "{} of writer {writer} cannot be found; {by} line {last}", Counts((*first, *last)))
            }
            Self::Others { writers, by } => {
                let s = if *writers == 1 { "" } else { "s" };
                write!(f, "nothing of {writers} more writer{s} can be found; {by} lines of theirs")
            }
            Self::Hash(hash) => write!(f, "no line has the hash {hash} that --head gives"),
        }
    }
}

/// As much of a hash as tells lines with one id apart.
struct Short(LineHash);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_string()[..12])
    }
}

/// `line 5` or `lines 5 to 8`.
struct Counts((u64, u64));

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self((first, last)) = self;
        if first == last { write!(f, "line {first}") } else { write!(f, "lines {first} to {last}") }
    }
}
