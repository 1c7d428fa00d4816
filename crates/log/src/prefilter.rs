//! Looks at the bytes of a line before it is decoded: most lines of a log are none that a question is about.
//!
//! Does not know questions; `engine::query` makes a prefilter of one.

use annals_kernel::envelope::Span;
use annals_kernel::id::EntryId;

/// Whether a question may be about a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chance {
    /// It may: the line is decoded.
    Possible,
    /// It cannot.
    Impossible,
}

/// Judges the bytes of a line.
pub(crate) type Prefilter<'s> = dyn Fn(&[u8]) -> Chance + Sync + 's;

/// The id of a line that need not be decoded. A line that does not begin like one of ours is always decoded.
pub(super) fn passes_over(prefilter: Option<&Prefilter<'_>>, line: &[u8]) -> Option<EntryId> {
    let id = Span::scan_id(line)?;
    (prefilter?(line) == Chance::Impossible).then_some(id)
}
