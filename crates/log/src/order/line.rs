//! A line that was just written, read from memory. Does not write.

use super::{Gathered, Ordered, Taker, UnreadPart};
use crate::batch::Batch;

impl Ordered<'_> {
    /// Hands over the line, without its newline, that the part of a segment is.
    pub fn line(&mut self, part: &UnreadPart, line: &str, take: &mut Taker<'_>) {
        self.begin([part].into_iter());
        let bytes = [line.as_bytes(), b"\n"].concat();
        let batch = Batch::decode(bytes, part.mark.end).mended(&self.amendments.mending);
        let mut gathered = Gathered::default();
        self.gather(&mut gathered, part, batch);
        self.hand_over(&mut gathered, take);
    }
}
