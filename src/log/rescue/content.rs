//! What files of the history hold: whether one that has the name of another holds what that one held, and which large
//! values are named in some.
//!
//! Reads no files.

use std::collections::BTreeSet;

use memchr::memmem;

use crate::kernel::id::EntryId;
use crate::log::batch::Batch;
use crate::log::blob::{check_packed, hash_of, is_hash};
use crate::log::segment::Owner;

/// Whether a path below `.context` is that of a segment that is not packed.
pub(super) fn is_segment(path: &str) -> bool {
    path.strip_prefix("history/").is_some_and(|name| Owner::of(name).is_some())
}

/// The hash of the large value at a path below `.context`.
pub(super) fn hash_at(path: &str) -> Option<&str> {
    path.rsplit('/').next().and_then(hash_of)
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
    hash_at(path).is_none_or(|hash| check_packed(content, hash).is_ok())
}

fn ids(lines: &[u8]) -> BTreeSet<EntryId> {
    Batch::decode(lines.to_vec(), 0).entries().map(|entry| entry.envelope.id()).collect()
}

/// The hashes of the large values that lines, or a large value itself, name.
pub(super) fn named(text: &[u8]) -> BTreeSet<String> {
    const BEFORE: &[u8] = br#""sha256":""#;
    let hash = |at| std::str::from_utf8(text.get(at + BEFORE.len()..)?.get(..64)?).ok();
    memmem::find_iter(text, BEFORE).filter_map(hash).filter(|hash| is_hash(hash)).map(str::to_owned).collect()
}
