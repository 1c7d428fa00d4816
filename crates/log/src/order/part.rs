//! What is to be read of a segment. Does not read.

use crate::segment::{Packing, Segment};
use crate::watermarks::Watermark;

/// A segment, and what was seen of it: reading begins behind that.
#[derive(Debug, Clone)]
pub struct UnreadPart {
    pub(super) segment: Segment,
    pub(super) mark: Watermark,
}

impl UnreadPart {
    /// A whole segment.
    pub fn whole(segment: Segment) -> Self {
        Self { segment, mark: Watermark::unseen() }
    }

    /// What was not seen of a segment yet.
    pub fn rest(segment: Segment, mark: Watermark) -> Self {
        Self { segment, mark }
    }

    /// Whether it is packed: how much is in it is not known before it is read.
    pub fn is_packed(&self) -> bool {
        Packing::of(&self.segment.name) == Packing::Zstd
    }

    /// How many bytes it has.
    pub fn bytes(&self) -> u64 {
        self.segment.look.len.saturating_sub(self.mark.end)
    }
}
