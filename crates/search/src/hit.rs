//! What a search finds, and by which provider.

use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::time::Timestamp;
use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::excerpt::Excerpt;
use crate::texts::Part;

/// Who found something (AFS 9.1, `modes`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The texts of entries (`ripgrep` in AFS 9.1).
    Text,
    /// Names that are nearly those of the query.
    Fuzzy,
    /// What is joined with what the query names (`knowledge_graph` in AFS 9.1).
    Graph,
    /// What means nearly the same.
    Semantic,
}

impl Source {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Text, Self::Fuzzy, Self::Graph, Self::Semantic];

    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Fuzzy => "fuzzy",
            Self::Graph => "graph",
            Self::Semantic => "semantic",
        }
    }

    /// By its name, ours or that of AFS 9.1.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "text" | "ripgrep" => Some(Self::Text),
            "fuzzy" => Some(Self::Fuzzy),
            "graph" | "knowledge_graph" => Some(Self::Graph),
            "semantic" => Some(Self::Semantic),
            _ => None,
        }
    }

    pub(crate) fn index(self) -> usize {
        match self {
            Self::Text => 0,
            Self::Fuzzy => 1,
            Self::Graph => 2,
            Self::Semantic => 3,
        }
    }
}

/// What sort of thing was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HitKind {
    /// An entry of the log.
    Entry,
    /// A session.
    Session,
    /// An issue.
    Issue,
    /// An entry of canon.
    Canon,
    /// Something that is known of the person or the project.
    Knowledge,
    /// A belief of the hivemind.
    Belief,
    /// An experience that is remembered.
    Memory,
    /// A file.
    File,
    /// An error, by its fingerprint.
    Error,
    /// A tool.
    Tool,
    /// A person or an agent.
    Agent,
    /// A name in code that prompts and messages mention.
    Symbol,
}

impl HitKind {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Session => "session",
            Self::Issue => "issue",
            Self::Canon => "canon",
            Self::Knowledge => "knowledge",
            Self::Belief => "belief",
            Self::Memory => "memory",
            Self::File => "file",
            Self::Error => "error",
            Self::Tool => "tool",
            Self::Agent => "agent",
            Self::Symbol => "symbol",
        }
    }
}

/// What came of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Came {
    /// The call did what it was asked.
    Succeeded,
    /// The call failed.
    Failed,
}

/// One thing that was found.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Hit {
    /// Who found it.
    pub source: Source,
    /// How well it answers, 0 to 1.
    pub score: f64,
    /// The same by the weight of its provider; the order of the answer.
    pub weighted_score: f64,
    /// What sort of thing it is.
    pub kind: HitKind,
    /// Its id, number, key or name, to be given to the command that shows it.
    pub id: String,
    /// The line around the match, with its marks.
    pub excerpt: Excerpt,
    /// In which part of the entry it stands.
    pub part: Option<Part>,
    /// The entry.
    pub entry: Option<EntryId>,
    /// Its tool, event or state.
    pub name: Option<String>,
    /// Who acted.
    pub agent: Option<String>,
    /// The session it belongs to.
    pub session: Option<SessionId>,
    /// When it happened, or happened last.
    pub at: Option<Timestamp>,
    /// What came of the call.
    pub came: Option<Came>,
    /// The call that ended a failure.
    pub ended_by: Option<EntryId>,
    /// How it is joined with what the query names.
    pub because: Option<String>,
    /// Near copies of it that are not shown.
    pub copies: u64,
}

impl Hit {
    /// Something with a name.
    pub(crate) fn of(source: Source, kind: HitKind, id: impl Into<String>, excerpt: Excerpt) -> Self {
        Self {
            source,
            score: 0.0,
            weighted_score: 0.0,
            kind,
            id: id.into(),
            excerpt,
            part: None,
            entry: None,
            name: None,
            agent: None,
            session: None,
            at: None,
            came: None,
            ended_by: None,
            because: None,
            copies: 0,
        }
    }
}
