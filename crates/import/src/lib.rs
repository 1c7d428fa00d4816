//! Other tools' transcripts → entries to be. `docs/IMPORT.md` says what becomes of each record.
//!
//! Streams: memory does not grow with the file. Does not write, sanitize or chain; `engine` does.

pub(crate) mod aider;
pub mod beads;
pub mod claude_code;
pub mod codex;
pub(crate) mod copilot_cli;
pub(crate) mod gemini_cli;
pub(crate) mod openhands;
pub mod swarm;
pub(crate) mod swe_agent;

pub mod calls;
mod common;
pub mod discover;
mod document;
mod entries;
mod feed;
mod first;
mod known;
#[cfg(test)]
mod newer;
pub mod object;
pub mod places;
pub mod plain;
#[cfg(test)]
mod private;
#[cfg(test)]
mod real;
pub mod records;
pub mod run;
mod seen;
pub mod sidecar;
pub mod sniff;
pub(crate) mod tested;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod todays;
mod typed;
pub mod unread;
pub mod watch;

use std::fmt;
use std::io::{self, BufRead};
use std::str::FromStr;

use annals_kernel::annals::{Source, Usage};
use annals_kernel::entry::{Metadata, Operation, Provenance};
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::time::Timestamp;

pub use self::sidecar::Given;
pub use self::unread::{Count, Keeping};

/// Declares the kinds: each a module with `KIND` and `import`, in the order of the documentation.
macro_rules! kinds {
    ($( $(#[$doc:meta])* $kind:ident = $module:ident; )*) => {
        /// A tool whose sessions can be imported.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Kind {
            $( $(#[$doc])* $kind, )*
        }

        impl Kind {
            /// Every kind, in the order of the documentation.
            pub const ALL: &[Self] = &[$( Self::$kind, )*];

            /// As it is written, in `source.kind` and on the command line.
            pub fn as_str(self) -> &'static str {
                match self {
                    $( Self::$kind => $module::KIND, )*
                }
            }

            /// Imports a source of this kind.
            pub fn import<'g>(
                self,
                given: impl Into<Given<'g>>,
                input: &mut dyn BufRead,
                sink: &mut dyn Sink,
            ) -> Result<(), ImportError> {
                let given = &given.into();
                match self {
                    $( Self::$kind => $module::import(given, input, sink), )*
                }
            }
        }
    };
}

kinds! {
    /// Claude Code.
    ClaudeCode = claude_code;
    /// Codex.
    Codex = codex;
    /// GitHub Copilot CLI.
    CopilotCli = copilot_cli;
    /// Gemini CLI.
    GeminiCli = gemini_cli;
    /// SWE-agent.
    SweAgent = swe_agent;
    /// `OpenHands`.
    OpenHands = openhands;
    /// aider.
    Aider = aider;
}

/// Why a text names no kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is no kind that can be imported; those are {}", Kind::names())]
pub struct UnknownKind {
    text: String,
}

impl Kind {
    /// All names, for messages.
    pub fn names() -> String {
        Self::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        let found = Self::ALL.iter().copied().find(|kind| kind.as_str() == text);
        found.ok_or_else(|| UnknownKind { text: text.chars().take(64).collect() })
    }
}

/// An entry as an importer found it. Its ids follow from its source, so that the same record gives the same entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// When it happened; a call, when it ended.
    pub at: Timestamp,
    /// What was done.
    pub operation: Operation,
    /// Who did it.
    pub provenance: Provenance,
    /// For retrieval.
    pub metadata: Metadata,
    /// The record that it was made from.
    pub source: Source,
    /// Tokens that it adds to its session.
    pub usage: Option<Usage>,
}

impl Draft {
    /// The id: the record's time, and a hash of which record of which session of which tool it is.
    pub fn id(&self) -> EntryId {
        self.source.entry_id(self.at)
    }

    /// The session, by the name that its tool gave it.
    pub fn session(&self) -> SessionId {
        SessionId::derived(&self.source.kind, &self.source.session)
    }
}

/// Why a record of a source made no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PassedOver {
    /// Not JSON: torn, cut short, NUL bytes.
    Damaged,
    /// A line of more than 64 MiB.
    TooLong,
    /// JSON, but not an object.
    NotAnObject,
    /// The same record was there before.
    Repeated,
    /// A second copy of what another record says.
    Copy,
    /// Progress of something whose end is recorded.
    Transient,
    /// Notes of the tool to itself.
    Bookkeeping,
    /// Text that the tool put before the model, not typed by a person.
    Injected,
    /// An example in the prompt, not part of the run.
    Example,
    /// A message without content.
    Empty,
    /// A call that has no result yet.
    Unanswered,
    /// A result whose call is not in the file.
    Orphaned,
}

impl PassedOver {
    /// Every reason, in the order of the report.
    pub const ALL: [Self; 12] = [
        Self::Damaged,
        Self::TooLong,
        Self::NotAnObject,
        Self::Repeated,
        Self::Copy,
        Self::Transient,
        Self::Bookkeeping,
        Self::Injected,
        Self::Example,
        Self::Empty,
        Self::Unanswered,
        Self::Orphaned,
    ];

    /// For the report.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Damaged => "damaged: not JSON",
            Self::TooLong => "a line of more than 64 MiB",
            Self::NotAnObject => "JSON, but not an object",
            Self::Repeated => "the same record again",
            Self::Copy => "a second copy of another record",
            Self::Transient => "progress of something whose end is recorded",
            Self::Bookkeeping => "notes of the tool to itself",
            Self::Injected => "text that the tool put before the model",
            Self::Example => "an example in the prompt",
            Self::Empty => "without content",
            Self::Unanswered => "a call without a result yet",
            Self::Orphaned => "a result without its call",
        }
    }
}

/// A record of a type that its importer does not know.
#[derive(Debug, Clone, PartialEq)]
pub struct Unread {
    /// The type, as the tool names it: `attachment/hologram`.
    pub kind: Box<str>,
    /// The size of the record.
    pub bytes: u64,
    /// The version of the tool that wrote it, where the source says so.
    pub version: Option<Box<str>>,
    /// The entry that keeps it whole, for who wants that.
    pub whole: Draft,
}

/// Where an importer puts what it finds.
pub trait Sink {
    /// An entry to be.
    fn entry(&mut self, draft: Draft) -> Result<(), ImportError>;

    /// A record of a type that nobody knows: counted, and kept only where a person wants that.
    fn unread(&mut self, unread: Unread) -> Result<(), ImportError>;

    /// A record that makes no entry, and the line (from 1) that it stands on.
    fn passed_over(&mut self, reason: PassedOver, line: u64);
}

/// Why a source cannot be imported at all. A damaged record is not an error; it is passed over.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The source cannot be read.
    #[error("cannot read: {0}")]
    Read(#[from] io::Error),
    /// The source is not of the kind that was asked for.
    #[error("is not {expected}: {problem}")]
    WrongKind {
        /// The kind.
        expected: &'static str,
        /// What does not fit.
        problem: String,
    },
    /// The source is of no kind that can be imported.
    #[error("{problem}")]
    Unknown {
        /// What it is, as far as that is known.
        problem: String,
    },
    /// Whoever takes the entries failed.
    #[error("{0}")]
    Sink(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_as_they_are_written_and_an_error_names_them() {
        for kind in Kind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(*kind));
        }
        let error = "vim".parse::<Kind>().map_err(|error| error.to_string());
        let expected = format!("\"vim\" is no kind that can be imported; those are {}", Kind::names());
        assert_eq!(error, Err(expected));
        assert!(Kind::names().starts_with("claude-code, codex, "), "{}", Kind::names());
    }
}
