//! Whether a file that has the name of another holds what that one held.
//!
//! Reads no files.

use std::collections::BTreeSet;

use crate::kernel::id::EntryId;
use crate::log::batch::Batch;
use crate::log::blob::{hash_of, is_whole};
use crate::log::segment::Owner;

/// Whether a path below `.context` is that of a segment that is not packed.
pub(super) fn is_segment(path: &str) -> bool {
    path.strip_prefix("history/").is_some_and(|name| Owner::of(name).is_some())
}

/// Whether some content of a path holds all that another one does: every entry, be it with less in it, as a scrub leaves
/// it; the same large value, however it was packed. A packed segment is named by what is in it.
pub(super) fn holds_all(path: &str, content: &[u8], other: &[u8]) -> bool {
    if content == other {
        return true;
    }
    if is_segment(path) {
        return ids(other).is_subset(&ids(content));
    }
    let hash = path.rsplit('/').next().and_then(hash_of);
    hash.is_none_or(|hash| is_whole(content, hash))
}

fn ids(lines: &[u8]) -> BTreeSet<EntryId> {
    Batch::decode(lines.to_vec(), 0).entries().map(|entry| entry.envelope.id()).collect()
}
