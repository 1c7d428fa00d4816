//! What can be wrong with signed heads, and how it is said.

use std::fmt;

use super::super::finding::Link;
use crate::order::LineAt;
use annals_kernel::counted::counted;
use annals_kernel::id::WriterId;
use annals_kernel::ssh::Fingerprint;

/// What is wrong with a signed head, or with what it signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureFault {
    /// It cannot be read, or the key has not signed it.
    Wrong {
        /// What is wrong with it.
        problem: String,
    },
    /// It signs another line than the one before it: it was copied, or lines between were taken out or put in.
    Elsewhere {
        /// The line that it signs.
        said: Link,
        /// The line that holds it.
        stands: Option<Link>,
    },
    /// A line that was signed is not there.
    Missing {
        /// Which.
        link: Link,
        /// Who signed.
        by: String,
    },
    /// A line that was signed is another one now.
    Rewritten {
        /// Which.
        link: Link,
        /// Who signed.
        by: String,
        /// Where the signature stands.
        signature: LineAt,
    },
    /// Two signed heads of one writer with one count and different hashes.
    TwoHeads {
        /// The line that both sign.
        link: Link,
        /// Where the other one stands.
        also: LineAt,
    },
    /// A writer goes on with another key, and nobody says that both are one person's.
    TwoKeys {
        /// The line that the other key signs.
        link: Link,
        /// The key before.
        before: Fingerprint,
        /// The key from here on.
        key: Fingerprint,
    },
    /// A signature is asked for, and the writer has none that counts.
    NotSigned {
        /// The writer.
        writer: WriterId,
        /// How many lines it has.
        lines: u64,
        /// Why none counts.
        why: WhyNot,
    },
    /// Signatures are asked for, and there is none that counts in the whole log.
    NothingSigned,
    /// A signed line was scrubbed, and nobody who is trusted has signed the decision that says so.
    ScrubUnsigned {
        /// Which line.
        link: Link,
    },
    /// Of lines with one id of which one is signed, somebody said which counts, and nobody who is trusted has signed that.
    SettlementUnsigned {
        /// The signed line.
        link: Link,
        /// Where it stands.
        signed: LineAt,
    },
    /// A signed line counts as of another time, and nobody who is trusted has signed the decision that says so.
    MendUnsigned {
        /// The signed line; of several the first.
        link: Link,
        /// Where it stands.
        signed: LineAt,
    },
}

/// Why no signature of a writer counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhyNot {
    /// There is none.
    Never,
    /// Nobody has named the key.
    Unknown(Fingerprint),
    /// The key was somebody's, but not at that time.
    Expired(Box<str>),
    /// The last one that counts is too far back.
    Behind {
        /// So many lines stand behind it.
        after: u64,
        /// So many may.
        most: u64,
    },
}

impl SignatureFault {
    /// One or two words: the same for the same kind of fault.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Wrong { .. } => "signature wrong",
            Self::Elsewhere { .. } => "signature moved",
            Self::Missing { .. } => "signed line missing",
            Self::Rewritten { .. } => "signed line changed",
            Self::TwoHeads { .. } => "two signed heads",
            Self::TwoKeys { .. } => "two keys",
            Self::NotSigned { .. } | Self::NothingSigned => "not signed",
            Self::ScrubUnsigned { .. } => "scrub not signed",
            Self::SettlementUnsigned { .. } => "settlement not signed",
            Self::MendUnsigned { .. } => "mend not signed",
        }
    }

    /// The line of a chain that it is about.
    pub fn link(&self) -> Option<Link> {
        match self {
            Self::Elsewhere { said: link, .. }
            | Self::Missing { link, .. }
            | Self::Rewritten { link, .. }
            | Self::TwoHeads { link, .. }
            | Self::TwoKeys { link, .. }
            | Self::ScrubUnsigned { link }
            | Self::SettlementUnsigned { link, .. }
            | Self::MendUnsigned { link, .. } => Some(link.clone()),
            Self::NotSigned { writer, lines, .. } => Some(Link { writer: writer.clone(), count: *lines }),
            Self::Wrong { .. } | Self::NothingSigned => None,
        }
    }

    /// The other line that it names, where it names one.
    pub fn other(&self) -> Option<&LineAt> {
        match self {
            Self::Rewritten { signature: at, .. }
            | Self::TwoHeads { also: at, .. }
            | Self::SettlementUnsigned { signed: at, .. }
            | Self::MendUnsigned { signed: at, .. } => Some(at),
            Self::Wrong { .. }
            | Self::Elsewhere { .. }
            | Self::Missing { .. }
            | Self::TwoKeys { .. }
            | Self::NotSigned { .. }
            | Self::NothingSigned
            | Self::ScrubUnsigned { .. } => None,
        }
    }
}

impl fmt::Display for SignatureFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong { problem } => f.write_str(problem),
            Self::Elsewhere { said, stands } => elsewhere(f, said, stands.as_ref()),
            Self::Missing { link, by } => write!(f, "{by} has signed {link}, which is not there"),
            Self::Rewritten { link, by, signature } => {
                write!(
                    f,
                    "{link} is not the one that {by} has signed ({signature}): it, or one before it, was written anew"
                )
            }
            Self::TwoHeads { link, also } => {
                write!(f, "{link} is signed with another hash at {also}: the key was used twice")
            }
            Self::TwoKeys { link, before, key } => {
                write!(
                    f,
                    "{link} is signed by {key}, and those before it by {before}: `annals trust add` says if both are one person's"
                )
            }
            Self::NotSigned { writer, lines, why } => not_signed(f, writer, *lines, why),
            Self::NothingSigned => f.write_str("no head here is signed by a key that is trusted"),
            Self::ScrubUnsigned { link } => {
                write!(
                    f,
                    "{link} was signed and then scrubbed, and nobody who is trusted has signed the record of that scrub"
                )
            }
            Self::SettlementUnsigned { link, signed } => write!(
                f,
                "it says which line counts of those with the id of {link} ({signed}), which is signed, and nobody who is trusted has signed it"
            ),
            Self::MendUnsigned { link, signed } => write!(
                f,
                "by it {link} ({signed}), which is signed, counts as of another time, and nobody who is trusted has signed it"
            ),
        }
    }
}

fn elsewhere(f: &mut fmt::Formatter<'_>, said: &Link, stands: Option<&Link>) -> fmt::Result {
    let Some(stands) = stands else { return write!(f, "it signs {said}, and has no link itself") };
    if stands.writer != said.writer {
        return write!(f, "it signs {said}, and stands in a line of writer {}: it was copied", stands.writer);
    }
    let before = stands.count.saturating_sub(1);
    if said.count > before {
        write!(f, "it signs {said}, and only {} stood before it: signed lines were taken out", counted(before, "line"))
    } else {
        write!(
            f,
            "it signs {said}, and stands behind line {before}: an old signature is there again, or lines were put in"
        )
    }
}

fn not_signed(f: &mut fmt::Formatter<'_>, writer: &WriterId, lines: u64, why: &WhyNot) -> fmt::Result {
    let lines = counted(lines, "line");
    match why {
        WhyNot::Never => write!(f, "writer {writer} has signed none of its {lines}"),
        WhyNot::Unknown(key) => write!(f, "writer {writer} ({lines}) is signed by {key}, whom nobody has named"),
        WhyNot::Behind { after, most } => {
            let after = counted(*after, "line");
            write!(f, "writer {writer} has {after} behind its last signed one, and {most} may be")
        }
        WhyNot::Expired(name) => {
            write!(f, "writer {writer} ({lines}) is signed by {name} at a time when that key did not count")
        }
    }
}
