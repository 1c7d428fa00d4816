//! A line that this process has just written is folded from memory: what was read of its segment ends where it begins.
//!
//! Does not decide and does not write.

use super::Live;
use crate::EngineError;
use annals_kernel::id::EntryId;
use annals_log::order::{Ordered, Taker, UnreadPart};
use annals_log::position::Position;
use annals_log::read::ReadError;
use annals_log::segment::Segment;
use annals_log::writer::Appended;

/// Whether the world is that of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    KeepsUp,
    /// A line could not be taken in: everything must be folded anew.
    FellBehind,
}

/// What is not folded yet.
pub(super) enum UnfoldedNews<'n> {
    /// Rests of segments.
    Parts(Vec<UnreadPart>),
    /// One line, without its newline, and the part that it is.
    Line(UnreadPart, &'n str),
}

impl UnfoldedNews<'_> {
    /// Hands over its entries, in order.
    pub(super) fn read(self, ordered: &mut Ordered<'_>, take: &mut Taker<'_>) -> Result<(), ReadError> {
        match self {
            Self::Parts(parts) => ordered.together(parts, take),
            Self::Line(part, line) => {
                ordered.line(&part, line, take);
                Ok(())
            }
        }
    }
}

impl Live {
    /// Takes in a line that this process has just written, under the lock. Where that fails, the line stands all the same,
    /// and whoever asks next folds anew.
    pub fn take_in(&mut self, position: &Position, appended: &Appended) {
        if self.try_take_in(position, appended).is_err() {
            self.pace = Pace::FellBehind;
        }
    }

    /// Whether nothing failed to be taken in.
    pub fn keeps_up(&self) -> bool {
        self.pace == Pace::KeepsUp
    }

    fn try_take_in(&mut self, position: &Position, appended: &Appended) -> Result<(), EngineError> {
        match self.part_of(position, appended) {
            Some(part) if self.world.last != EntryId::MIN => self.fold_news(UnfoldedNews::Line(part, &appended.line)),
            Some(_) | None => self.catch_up(),
        }
    }

    /// The part that a line is, where everything before it in its segment was read, and nothing is behind it.
    fn part_of(&self, position: &Position, appended: &Appended) -> Option<UnreadPart> {
        let read = self.known.mark_of_plain(&appended.segment)?;
        let look = position.marks().get(&appended.segment)?.look;
        let is_next = read.end == read.look.len
            && read.look.number == look.number
            && read.end + appended.line.len() as u64 + 1 == look.len;
        let segment = Segment { name: appended.segment.clone(), look };
        is_next.then(|| UnreadPart::rest(segment, read.clone()))
    }
}
