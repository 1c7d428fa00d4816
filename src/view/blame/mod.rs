//! The lines of a file, each with the call that wrote it, its session and the prompt that asked for it.
//!
//! `gather` reads the record, `git` the versions of the file; `annals_blame` decides. Does not print, and changes nothing.

mod gather;
mod git;
mod told;
pub mod why;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use annals_sparse::sparse;
use serde::Serialize;

use self::gather::GatheredCalls;
use crate::blame::{History, Text, blame};
use crate::engine::{Engine, EngineError};
use crate::kernel::id::{AgentId, EntryId, SessionId};
use crate::kernel::time::Timestamp;
use crate::log::git::{GitError, Repository};

pub use self::git::{FilePath, Past};

/// A file whose lines are asked for.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The folder of the project, which has `.context`.
    pub project: PathBuf,
    /// The home of the person who asks.
    pub home: Option<String>,
    /// The file, from there.
    pub path: String,
    /// The commit whose file it is, as a person named it; the work tree's where none is.
    pub revision: Option<String>,
    /// Which sessions count.
    pub sessions: BlameSessions,
}

/// Which sessions may have written a file of the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlameSessions {
    /// Those that ran in the project.
    OfProject,
    /// Those that ran elsewhere, too: in a copy, or before the folder moved.
    All,
}

/// The lines of a file, each with its call.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BlamedFile {
    /// The file, from the folder of the project.
    pub file: String,
    /// The commit whose file it is; none for that of the work tree.
    pub revision: Option<String>,
    /// Its lines.
    pub lines: Vec<BlamedLine>,
    /// The calls that wrote them, the oldest first.
    pub calls: Vec<BlamedCall>,
    /// How many lines calls wrote.
    pub by_agents: usize,
    /// How many lines nobody is known to have written: a person did, or a program whose effect is not recorded.
    pub unknown: usize,
    /// What was passed over.
    pub passed: BlamePassedOver,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BlamedLine {
    /// Its number, from 1.
    pub line: usize,
    /// What it says.
    pub text: String,
    /// The entry of the call that wrote it; none where that is unknown.
    pub call: Option<EntryId>,
}

/// A call that wrote lines.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BlamedCall {
    /// Its entry.
    #[always]
    pub entry: EntryId,
    /// Its session.
    #[always]
    pub session: SessionId,
    /// Who called.
    pub agent: Option<AgentId>,
    /// When it ended.
    #[always]
    pub at: Timestamp,
    /// The tool.
    #[always]
    pub tool: String,
    /// What it did, in a line.
    #[always]
    pub did: String,
    /// The prompt that asked for it: the last one of its session before it.
    pub prompt: Option<BlamedPrompt>,
    /// How many lines of the file it wrote that are there.
    #[always]
    pub lines: usize,
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BlamedPrompt {
    /// Its entry.
    pub entry: EntryId,
    /// What it says.
    pub text: String,
}

/// What was passed over.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BlamePassedOver {
    /// Calls that changed the file in a way that the record does not show: what came of them is unknown.
    pub opaque: Vec<EntryId>,
    /// Calls of sessions that ran in another folder.
    pub elsewhere: usize,
    /// Versions of the file before the oldest that was read.
    pub versions: usize,
    /// Large values that could not be read.
    pub unreadable: usize,
}

/// Why the lines of a file cannot be told.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlameError {
    /// The engine could not read.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Git could not be asked.
    #[error(transparent)]
    Git(#[from] GitError),
    /// There is no such file.
    #[error("there is no file {path}{}", of_revision(revision.as_deref()))]
    NoFile {
        /// The file.
        path: String,
        /// The commit, where one was named.
        revision: Option<String>,
    },
    /// A revision names no commit.
    #[error("{0} names no commit here")]
    NoCommit(String),
    /// The file cannot be read.
    #[error("cannot read {path}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is no text.
    #[error("{0} is no text: it has no lines")]
    NoText(String),
    /// The file is larger than what is read.
    #[error("{path} has {bytes} bytes, more than the {MOST_BYTES} that are read")]
    TooLarge {
        /// The file.
        path: String,
        /// Its size.
        bytes: u64,
    },
}

fn of_revision(revision: Option<&str>) -> String {
    revision.map(|revision| format!(" in {revision}")).unwrap_or_default()
}

/// A longer file is not read, in bytes.
pub const MOST_BYTES: u64 = 4 << 20;

/// Tells whose the lines of a file are.
pub fn blamed(engine: &Engine, repository: Option<&Repository>, asked: &Asked) -> Result<BlamedFile, BlameError> {
    let past = Past::read(repository, asked)?;
    let mut reader = engine.reader()?;
    let gathered = GatheredCalls::read(engine, &mut reader, asked, past.names(asked))?;
    let places = gather::places(asked);
    let history = History { versions: past.versions(&places), events: gathered.events.clone() };
    let (target, shown) = past.target(asked, &places)?;
    let blamed = blame(&history, &target);
    let calls: BTreeMap<EntryId, usize> = counted(&blamed.lines);
    let lines = shown.into_iter().zip(&blamed.lines).enumerate();
    let lines: Vec<_> = lines.map(|(at, (text, call))| BlamedLine { line: at + 1, text, call: *call }).collect();
    let by_agents = lines.iter().filter(|line| line.call.is_some()).count();
    Ok(BlamedFile {
        file: asked.path.clone(),
        revision: past.revision(),
        unknown: lines.len() - by_agents,
        by_agents,
        lines,
        calls: told::calls(&mut reader, &calls)?,
        passed: BlamePassedOver {
            opaque: blamed.passed.opaque.into_iter().collect(),
            elsewhere: gathered.elsewhere,
            versions: past.left_out(),
            unreadable: gathered.unreadable,
        },
    })
}

fn counted(lines: &[Option<EntryId>]) -> BTreeMap<EntryId, usize> {
    let mut counts = BTreeMap::new();
    for call in lines.iter().flatten() {
        *counts.entry(*call).or_default() += 1;
    }
    counts
}

/// A text without what only this machine's paths say, as the record has it.
pub(super) fn recorded(text: &str, places: &crate::import::places::Places) -> Text {
    let lines = text.split_inclusive('\n').map(|line| places.shortened(line).unwrap_or_else(|| line.to_owned()));
    Text::of(&lines.collect::<String>())
}

/// Names of files, as needles that lines of the log may hold.
pub(super) fn base_names(paths: &BTreeSet<String>) -> Vec<String> {
    let bases = paths.iter().map(|path| Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned());
    bases.collect::<BTreeSet<_>>().into_iter().collect()
}
