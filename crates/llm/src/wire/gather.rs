//! Reads an answer to its end: as events, as lines of JSON, or whole.
//!
//! Decides by what comes, not by what was asked for: servers that were asked for a stream answer whole, and the other
//! way round. What each part means is for the backend's `Piece`.

use serde_json::Value;

use super::draft::{Draft, Piece};
use super::http::Incoming;
use super::lines::Lines;
use super::sse::Sse;
use super::trouble::Trouble;
use crate::answer::RawAnswer;
use crate::failure::ModelError;
use crate::model::{Delta, Deltas};

/// How a backend streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// As server-sent events; what begins with a brace is an answer that came whole.
    Events,
    /// As one JSON a line.
    Lines,
}

/// What is being read.
enum Reader {
    Undecided,
    Whole,
    Events(Sse),
    Lines(Lines),
}

/// Reads an answer to its end.
pub async fn gather(
    mut incoming: Incoming,
    framing: Framing,
    piece: Piece,
    deltas: &mut Deltas<'_>,
) -> Result<RawAnswer, ModelError> {
    let mut draft = Draft::default();
    let mut reader = Reader::new(framing);
    let mut heard = 0usize;
    while !draft.is_ended {
        let Some(bytes) = incoming.next().await? else { break };
        if incoming.is_at_start() {
            deltas(Delta::Begun);
        }
        let each = &mut |data: &str| {
            heard += 1;
            part(data, piece, &mut draft, deltas)
        };
        reader.push(&bytes, each).map_err(|trouble| incoming.blame(trouble))?;
    }
    let last = reader.rest(incoming.received());
    if let Some(last) = last.filter(|_| !draft.is_ended) {
        heard += 1;
        part(&last.data, piece, &mut draft, deltas)
            .or_else(|trouble| last.excuse(trouble))
            .map_err(|trouble| incoming.blame(trouble))?;
    }
    if heard == 0 {
        return Err(incoming.blame(Trouble::unreadable(format!("there is nothing in it; it is {}", incoming.kind()))));
    }
    let raw = incoming.raw();
    draft.complete(raw).ok_or_else(|| incoming.broken("it ended before it was complete"))
}

/// What was left when the answer ended.
struct Rest {
    data: String,
    is_whole: bool,
}

impl Rest {
    /// A part that was cut off says nothing; that the answer is incomplete is seen anyway.
    fn excuse(&self, trouble: Trouble) -> Result<(), Trouble> {
        if self.is_whole { Err(trouble) } else { Ok(()) }
    }
}

fn part(data: &str, piece: Piece, draft: &mut Draft, deltas: &mut Deltas<'_>) -> Result<(), Trouble> {
    if data.trim() == "[DONE]" {
        draft.is_ended = true;
        return Ok(());
    }
    let value: Value = serde_json::from_str(data).map_err(|error| Trouble::unreadable(error.to_string()))?;
    match value.get("error") {
        None | Some(Value::Null) => piece(&value, draft, deltas),
        Some(error) => Err(Trouble::of_error(error)),
    }
}

impl Reader {
    fn new(framing: Framing) -> Self {
        match framing {
            Framing::Events => Self::Undecided,
            Framing::Lines => Self::Lines(Lines::default()),
        }
    }

    fn push(&mut self, bytes: &[u8], each: &mut dyn FnMut(&str) -> Result<(), Trouble>) -> Result<(), Trouble> {
        if let Self::Undecided = self {
            match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
                Some(b'{') => *self = Self::Whole,
                Some(_) => *self = Self::Events(Sse::default()),
                None => {}
            }
        }
        match self {
            Self::Undecided | Self::Whole => Ok(()),
            Self::Events(events) => events.push(bytes, each),
            Self::Lines(lines) => {
                lines.push(bytes, &mut |line| if line.trim().is_empty() { Ok(()) } else { each(line) })
            }
        }
    }

    fn rest(self, received: &[u8]) -> Option<Rest> {
        match self {
            Self::Undecided => None,
            Self::Whole => Some(Rest { data: String::from_utf8_lossy(received).into_owned(), is_whole: true }),
            Self::Events(events) => events.rest().map(|data| Rest { data, is_whole: false }),
            Self::Lines(lines) => lines.rest().map(|data| Rest { data, is_whole: false }),
        }
    }
}
