//! What an agent is told of what is known, piece by piece, the weightiest first.
//!
//! Pure: chooses from the state and words it. A piece that holds words of the log names the entry that says them, so that the
//! caller tells only what this clone's user said. Neither asks nor records; `hook::voice` and `cli::prime` do.

mod asked;
mod command;
mod failure;
mod prompt;
mod start;
mod stop;
mod used;
mod waiting;

use crate::domain::voice::ToldSession;
use crate::domain::voice::command::{Piece, PieceTopic};
use crate::kernel::counted::counted;
use crate::kernel::id::EntryId;
use crate::view::escape;

pub use command::{command, does};
pub use failure::failure;
pub use prompt::prompt;
pub use start::{Listener, start};
pub use stop::contradicted;
pub use used::used;
pub use waiting::{waiting, waiting_line};

/// A text of the log is told up to here, in characters.
const MOST_CHARS: usize = 400;
/// So many of one kind are told at most.
const MOST_OF_A_KIND: usize = 20;
/// The line that counts what others wrote, in tokens.
const COUNTED: u32 = 30;
/// Tokens are at least so many bytes: the upper bound that the budget promises.
const BYTES_A_TOKEN: usize = 3;

/// Words of the log within a piece, and the entry that says them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted {
    /// The entry.
    pub entry: EntryId,
    /// The words as they stand in it, whole.
    pub words: Vec<Box<str>>,
}

/// One thing that could be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PieceText {
    /// What it is about.
    pub topic: PieceTopic,
    /// Which one, in which version.
    pub key: Box<str>,
    /// What is told, in lines.
    pub text: String,
    /// The words of the log in it; none where all of it is ours.
    pub quoted: Option<Quoted>,
}

impl PieceText {
    fn own(topic: PieceTopic, key: impl Into<Box<str>>, text: impl Into<String>) -> Self {
        Self { topic, key: key.into(), text: text.into(), quoted: None }
    }

    /// What it costs at most.
    pub fn tokens(&self) -> u32 {
        // The line break that parts it from the next one counts, too.
        u32::try_from((self.text.len() + 1).div_ceil(BYTES_A_TOKEN)).unwrap_or(u32::MAX)
    }

    /// Whether it is new to a session, and of no topic that is left out.
    pub fn is_wanted(&self, told: Option<&ToldSession>, left_out: &[PieceTopic]) -> bool {
        !left_out.contains(&self.topic) && !told.is_some_and(|told| told.has_heard(&self.key))
    }

    /// As it is recorded.
    pub fn piece(&self) -> Piece {
        Piece { topic: self.topic, key: self.key.clone(), tokens: self.tokens() }
    }
}

/// A text of the log as data: in one line, between quotes, without what moves a cursor or hides a letter.
fn quote(text: &str) -> String {
    let short: String = text.chars().take(MOST_CHARS).collect();
    let mark = if short.len() < text.len() { "…" } else { "" };
    format!("\"{}{mark}\"", escape::line(&short.replace('"', "'")))
}

/// What is told, and how many pieces are not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fitted {
    /// Those that are told, in order.
    pub pieces: Vec<PieceText>,
    /// Those that are not this clone's user's.
    pub others: u32,
    /// Those that are over the budget.
    pub over: u32,
}

/// The pieces that are new to a session, wanted, and said by `own`, as far as the budget goes.
pub fn fit(
    pieces: Vec<PieceText>,
    told: Option<&ToldSession>,
    left_out: &[PieceTopic],
    budget: u32,
    own: impl Fn(&Quoted) -> bool,
) -> Fitted {
    let wanted = pieces.into_iter().filter(|piece| piece.is_wanted(told, left_out));
    let (mut fitted, mut left) = (Fitted::default(), budget.saturating_sub(COUNTED));
    for piece in wanted {
        // Whose words they are comes first: whoever floods a kind must not push the user's own out of it.
        if !piece.quoted.as_ref().is_none_or(&own) {
            fitted.others += 1;
            continue;
        }
        let alike = fitted.pieces.iter().filter(|told| told.topic == piece.topic).count();
        match left.checked_sub(piece.tokens()).filter(|_| alike < MOST_OF_A_KIND) {
            Some(rest) => {
                left = rest;
                fitted.pieces.push(piece);
            }
            None => fitted.over += 1,
        }
    }
    fitted
}

impl Fitted {
    /// Whether there is nothing to tell: how to act alone is nothing, unless others wrote what the agent may come across.
    pub fn is_empty(&self) -> bool {
        let is_guide = |piece: &PieceText| piece.topic == PieceTopic::Guide;
        self.pieces.is_empty() || self.others == 0 && self.pieces.iter().all(is_guide)
    }

    /// As an agent reads it. Of what others say only the number is told.
    pub fn text(&self) -> String {
        let mut lines: Vec<String> = self.pieces.iter().map(|piece| piece.text.clone()).collect();
        if self.others > 0 {
            let others = counted(self.others.into(), "piece");
            lines.push(format!("{others} by other authors stayed out."));
        }
        lines.join("\n")
    }
}
