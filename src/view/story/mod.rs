//! A session as one reads it: who said what, which calls ended how, what went wrong.
//!
//! Pure. Does not print and does not read; its caller brings the entries in the order of the fold.

use crate::kernel::record::{Event, Input, Kind, Speech};
use serde_json::Value;

use super::gist;
use crate::kernel::entry::HistoryEntry;
pub(crate) use crate::kernel::joined::in_reading_order;
use crate::kernel::json::Json;
use crate::kernel::time::Timestamp;

/// One step of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub agent: String,
    /// What.
    pub piece: Piece,
}

/// What happened in a step.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Somebody said something.
    Words {
        /// Who, for the eye.
        voice: StoryVoice,
        /// All of it.
        text: String,
    },
    /// A call that ended.
    Call {
        /// The tool.
        name: String,
        /// Its arguments, in a line.
        input: String,
        /// What came out, in a line.
        outcome: Result<String, String>,
        /// How long it took.
        duration_ms: Option<u64>,
    },
    /// Something that a reader must not overlook.
    Mark {
        /// How grave.
        mark: StoryMark,
        /// The name of the entry.
        name: String,
        /// What it says, in a line.
        text: String,
    },
    /// Another session was begun below this one.
    Child {
        /// Its id.
        session: String,
    },
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoryVoice {
    /// A person.
    Person,
    /// An agent.
    Agent,
    /// An agent, to itself.
    Thought,
}

/// How grave something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoryMark {
    /// A person or a rule said no, or stopped the agent.
    Stop,
    /// Something failed that was no call.
    Failure,
    /// It is good to know.
    Note,
}

/// The steps of a session. Entries of another session are those that begin one below it.
pub fn steps(session: &str, entries: &[HistoryEntry]) -> Vec<Step> {
    entries.iter().filter_map(|entry| step(session, entry)).collect()
}

fn step(session: &str, entry: &HistoryEntry) -> Option<Step> {
    let piece = if entry.session_id.as_str() == session {
        piece(entry)?
    } else {
        Piece::Child { session: entry.session_id.as_str().to_owned() }
    };
    let agent = entry.provenance.agent_id.as_ref().map(|agent| agent.as_str().to_owned()).unwrap_or_default();
    Some(Step { at: entry.timestamp, agent, piece })
}

fn piece(entry: &HistoryEntry) -> Option<Piece> {
    let name = entry.operation.name.as_ref();
    let words = |voice| gist::words(entry).map(|text| Piece::Words { voice, text });
    let mark = |mark| Some(Piece::Mark { mark, name: name.to_owned(), text: gist::gist(entry) });
    match entry.record() {
        Kind::Call => Some(call(entry)),
        Kind::Speech(Speech::Thinking) => words(StoryVoice::Thought),
        Kind::Speech(_) => words(StoryVoice::Agent).or_else(|| mark(StoryMark::Note)),
        Kind::Input(Input::Interrupt | Input::Rejection) | Kind::Event(Event::Denial) => mark(StoryMark::Stop),
        // A command sets the tool up and is a note; what a person ran beside the agent is theirs.
        Kind::Input(Input::Prompt | Input::Queued | Input::Shell) => words(StoryVoice::Person),
        Kind::Event(Event::SessionStart | Event::Title | Event::Usage) => None,
        Kind::Event(_) if !entry.operation.success => mark(StoryMark::Failure),
        Kind::Input(_) | Kind::Event(_) | Kind::State | Kind::Other => mark(StoryMark::Note),
    }
}

fn call(entry: &HistoryEntry) -> Piece {
    let operation = &entry.operation;
    let output = operation.output.as_ref().map_or(Value::Null, Json::value);
    let error = || operation.error.as_deref().map(gist::error_line).filter(|line| !line.is_empty());
    Piece::Call {
        name: operation.name.to_string(),
        input: gist::asked(entry),
        outcome: if operation.success {
            Ok(gist::outcome(&output))
        } else {
            Err(error().unwrap_or_else(|| gist::outcome(&output)))
        },
        duration_ms: operation.duration_ms,
    }
}

#[cfg(test)]
mod tests;
