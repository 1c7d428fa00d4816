//! What this clone remembers of its log: the last line it wrote, and the last line of each writer that it has read.
//!
//! Only looks: nothing is repaired or caught up with.

use super::witness::{Memory, Remembered, Rememberer};
use crate::log::LogError;
use crate::log::bookmark::Bookmark;
use crate::log::disk::Disk;
use crate::log::place::Place;
use crate::log::position::Position;

/// Whether `local/` is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Local {
    /// What it remembers must be there.
    #[default]
    Compare,
    /// Another branch is checked out, or only the files as they are matter.
    Ignore,
}

/// The heads that `local/` holds.
pub(super) fn memories(disk: &dyn Disk, place: &Place) -> Result<Vec<Memory>, LogError> {
    let bookmark = Bookmark::read(disk, &place.bookmark()).map_err(LogError::at("read", place.bookmark()))?;
    let position = Position::load(disk, place)?;
    let marks = position.marks().iter().flat_map(|(_, mark)| mark.heads.clone());
    let heads = marks.chain(bookmark.map(|bookmark| (bookmark.writer, bookmark.head)));
    let memory = |(writer, head)| Memory { by: Rememberer::Local, head: Remembered::Head(writer, head) };
    Ok(heads.map(memory).collect())
}
