//! Conversations of many agents, as other programs left them → messages: who said what, and when.
//!
//! Reads four shapes, told apart by content; `docs/CONTROL.md` says which. Does not judge what was said; `view::swarm`
//! plays it to the control room.

mod autodream;
mod lines;
#[cfg(test)]
mod tests;
mod threads;
mod who_and_when;

use serde::Serialize;

use crate::records::{Found, each_record};
use annals_kernel::actor::{SYSTEM, USER};
use annals_kernel::grounding::{Evidence, Impact, Stance, UnknownWord, words};
use annals_kernel::id::AgentId;
use annals_kernel::time::{BadTime, Timestamp};

words! {
    /// The shape of a file.
    pub enum Shape {
        /// A line a message: `{speaker, text, time?, stance?, impact?, evidence?}`.
        Lines = "lines",
        /// One document of the benchmark Who&When, made by AG2: the speaker is a name.
        AlgorithmGenerated = "who-and-when/algorithm-generated",
        /// One document of the benchmark Who&When, made by Magentic-One: the speaker is a role.
        HandCrafted = "who-and-when/hand-crafted",
        /// A line a letter, out of the inboxes of the `AutoDream` swarm.
        AutoDream = "autodream",
        /// A line a thread of a tracker: `{project, issue, title, description, comments}`.
        Threads = "threads",
    }
}

/// A conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// The shape of its file.
    pub shape: Shape,
    /// What it is about, where the file says so.
    pub topic: Option<Box<str>>,
    /// Its threads; at least one.
    pub threads: Vec<SwarmThread>,
    /// What was said, in the order of the file.
    pub messages: Vec<SwarmMessage>,
    /// What was not taken.
    pub passed_over: Vec<SwarmPassedOver>,
}

/// A thread: an issue of a tracker, an inbox, or all that was said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SwarmThread {
    /// What it is called.
    pub title: Box<str>,
    /// What it begins with.
    pub body: Box<str>,
    /// Who opened it; none: the user.
    pub author: Option<AgentId>,
    /// When it was opened; none: when something was said in it first.
    pub at: Option<Timestamp>,
}

impl SwarmThread {
    /// The one thread of a conversation that has no more.
    fn only() -> Vec<Self> {
        vec![Self { title: "A conversation".into(), ..Self::default() }]
    }
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwarmMessage {
    /// In which thread: its place in the list.
    pub thread: usize,
    /// Who: `user`, `system`, or a name that a roster takes.
    pub speaker: AgentId,
    /// What.
    pub text: Box<str>,
    /// When; a minute after the one before where the file does not say.
    pub at: Timestamp,
    /// For, against, or neither, where the file says.
    pub stance: Option<Stance>,
    /// How much it would change.
    pub impact: Option<Impact>,
    /// What it cites.
    pub evidence: Evidence,
    /// How many of its words praise, where the file counts them.
    pub praise_words: Option<u64>,
}

/// A record that is no message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SwarmPassedOver {
    /// Where it stands, from 1: a line, or a place in the document.
    pub line: u64,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// Why a file is no conversation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadConversation {
    /// It has none of the shapes.
    #[error("this is no conversation that is known: give lines of {{speaker, text}}, threads, Who&When or AutoDream")]
    Unknown,
    /// Nobody says anything in it.
    #[error("nobody says anything in it")]
    Empty,
    /// A line of our own shape lacks something.
    #[error("line {line}: {problem}")]
    BadLine {
        /// Which.
        line: u64,
        /// What is wrong.
        problem: BadMessage,
    },
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Why a line is no message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadMessage {
    /// It is not JSON, or members are missing or of another type.
    #[error(transparent)]
    Shape(#[from] serde_json::Error),
    /// Nobody speaks.
    #[error("the speaker has no name")]
    Nameless,
    /// Its stance or impact.
    #[error(transparent)]
    Word(#[from] UnknownWord),
    /// Its time.
    #[error(transparent)]
    Time(#[from] BadTime),
    /// It is no JSON object.
    #[error("it is no JSON object")]
    NoObject,
}

impl Conversation {
    /// Reads a file, whatever its shape.
    pub fn read(bytes: &[u8]) -> Result<Self, BadConversation> {
        let conversation = match who_and_when::read(bytes) {
            Some(conversation) => conversation,
            None => of_records(&records(bytes)?)?,
        };
        if conversation.messages.is_empty() { Err(BadConversation::Empty) } else { Ok(conversation) }
    }
}

/// An object of a file of lines, or that a line is none.
type SwarmRecord = (u64, Option<String>);

fn records(bytes: &[u8]) -> Result<Vec<SwarmRecord>, std::io::Error> {
    let (mut records, mut input) = (Vec::new(), bytes);
    each_record(&mut input, |found| {
        records.push(match found {
            Found::Record { line, text } => (line, Some(text)),
            Found::Other { line, .. } => (line, None),
        });
        Ok::<_, std::io::Error>(())
    })?;
    Ok(records)
}

fn of_records(records: &[SwarmRecord]) -> Result<Conversation, BadConversation> {
    let first = records.iter().find_map(|(_, text)| text.as_deref());
    let keys = first.and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok()).unwrap_or_default();
    if keys.get("speaker").is_some() {
        return lines::read(records);
    }
    if keys.get("owner").is_some() && keys.get("body").is_some() {
        return Ok(autodream::read(records));
    }
    if keys.get("issue").is_some() && keys.get("comments").is_some() {
        return Ok(threads::read(records));
    }
    Err(BadConversation::Unknown)
}

/// The times of a conversation, in the order of its file.
struct Times {
    last: Option<Timestamp>,
}

impl Times {
    /// Where nobody says when it began: a Monday.
    const BEGINNING: Timestamp = Timestamp::from_millis(1_767_571_200_000);
    const MINUTE_MS: i64 = 60_000;

    fn new() -> Self {
        Self { last: None }
    }

    /// As the file says, or a minute after the one before.
    fn next(&mut self, said: Option<Timestamp>) -> Timestamp {
        let later = |last: Timestamp| last.plus_millis(Self::MINUTE_MS);
        let at = said.unwrap_or_else(|| self.last.map_or(Self::BEGINNING, later));
        self.last = Some(at);
        at
    }
}

/// The name of a speaker, as a roster takes it: what stands in brackets is a remark about it, other signs become `-`.
fn speaker(text: &str) -> Option<AgentId> {
    const MOST_CHARS: usize = 64;
    let name = text.split('(').next().unwrap_or_default().trim();
    let plain = |letter: char| if letter.is_alphanumeric() || ".-_/".contains(letter) { letter } else { '-' };
    let name: String = name.chars().map(plain).take(MOST_CHARS).collect();
    // Names below `annals/` are those of the agents that watch over a replay.
    let name = if name.starts_with("annals/") { name.replacen('/', "-", 1) } else { name };
    match name.to_lowercase().as_str() {
        "" => None,
        "user" | "human" => Some(AgentId::from(USER)),
        "system" => Some(AgentId::from(SYSTEM)),
        _ => Some(AgentId::from(name)),
    }
}
