//! What files of the history hold: whether one that has the name of another holds what that one held, and which large
//! values are named in some.
//!
//! Reads no files.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use crate::batch::Placed;
use crate::blob::{check_packed, hash_of, is_hash};
use crate::segment::{Packing, SegmentOwner};
use crate::unpack::{Allowance, each_batch};
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;

/// Whether a path below `.context` is that of a segment that is not packed.
pub(super) fn is_segment(path: &str) -> bool {
    path.strip_prefix("history/").is_some_and(|name| SegmentOwner::of(name).is_some())
}

/// The hash of the large value at a path below `.context`.
pub(super) fn hash_at(path: &str) -> Option<&str> {
    path.rsplit('/').next().and_then(hash_of)
}

/// Whether some content of a path holds all that another one does: every line, be it as a scrub left it; the same large
/// value, however it was packed.
pub(super) fn holds_all(path: &str, content: &[u8], other: &[u8]) -> bool {
    if content == other {
        return true;
    }
    if is_segment(path) || Packing::of(path) == Packing::Zstd {
        let lines = |bytes: &[u8]| ContentLines::of(path, bytes.to_vec());
        return lines(content).hold_all(&lines(other));
    }
    hash_at(path).is_none_or(|hash| check_packed(content, hash).is_ok())
}

/// What lines of one content claim that scrubs have made of lines of another.
pub(super) fn claims(path: &str, content: &[u8], other: &[u8]) -> BTreeSet<Step> {
    if content == other || !(is_segment(path) || Packing::of(path) == Packing::Zstd) {
        return BTreeSet::new();
    }
    let lines = |bytes: &[u8]| ContentLines::of(path, bytes.to_vec());
    lines(content).claims(&lines(other))
}

/// A scrub of a line: its entry, and the hashes of the line before and after.
pub(super) type Step = (EntryId, LineHash, LineHash);

/// Lines, each known by its id and hash, and by the hashes that it had before scrubs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ContentLines(BTreeMap<(EntryId, LineHash), Vec<LineHash>>);

impl ContentLines {
    /// Those of a file, packed or not, as far as it can be read.
    pub(super) fn of(path: &str, bytes: Vec<u8>) -> Self {
        let (mut own, mut allowance) = (Self::default(), Allowance::of_one());
        own.read(path, bytes, &mut allowance);
        own
    }

    /// Adds those of one of many files: what lies beyond what all may unpack to is not there, so that what vanished is put
    /// back.
    pub(super) fn read(&mut self, path: &str, bytes: Vec<u8>, allowance: &mut Allowance) {
        let line = |entry: Placed<'_>| {
            let hash = LineHash::of(entry.original);
            ((entry.envelope.id(), hash), entry.envelope.scrubbed())
        };
        each_batch(Packing::of(path), bytes, allowance, &mut |batch| self.0.extend(batch.entries().map(line)));
    }

    pub(super) fn add(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether each of some lines is among these, before or after a scrub.
    pub(super) fn hold_all(&self, others: &Self) -> bool {
        let own: BTreeSet<_> = self.versions().collect();
        // By id and hash, not by id alone: a line with the same id and other words is not ours, and ours would be
        // lost for it.
        let is_here = |((id, hash), formers): (&(EntryId, LineHash), &Vec<LineHash>)| {
            formers.iter().chain([hash]).any(|hash| own.contains(&(*id, *hash)))
        };
        others.0.iter().all(is_here)
    }

    /// What these claim that scrubs have made of some lines that are not among them as they were.
    pub(super) fn claims(&self, others: &Self) -> BTreeSet<Step> {
        let gone: BTreeSet<_> = others.0.keys().filter(|key| !self.0.contains_key(key)).collect();
        let mut steps = BTreeSet::new();
        for ((id, hash), formers) in &self.0 {
            let from = formers.iter().position(|former| gone.contains(&(*id, *former)));
            let all: Vec<_> = formers.iter().skip(from.unwrap_or(formers.len())).chain([hash]).collect();
            steps.extend(all.windows(2).map(|step| (*id, *step[0], *step[1])));
        }
        steps
    }

    fn versions(&self) -> impl Iterator<Item = (EntryId, LineHash)> {
        self.0.iter().flat_map(|((id, hash), formers)| formers.iter().chain([hash]).map(|hash| (*id, *hash)))
    }
}

/// The hashes of the large values that lines, or a large value itself, name.
pub(super) fn named(text: &[u8]) -> BTreeSet<String> {
    // By the bytes, because a large value may be any text; a hash too many names nothing that is there.
    const BEFORE: &[u8] = br#""sha256":""#;
    let hash = |at| std::str::from_utf8(text.get(at + BEFORE.len()..)?.get(..64)?).ok();
    memmem::find_iter(text, BEFORE).filter_map(hash).filter(|hash| is_hash(hash)).map(str::to_owned).collect()
}

/// The same of a file, packed or not, as far as it can be read.
pub(super) fn named_in(path: &str, bytes: Vec<u8>, allowance: &mut Allowance) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    each_batch(Packing::of(path), bytes, allowance, &mut |batch| found.extend(named(batch.bytes())));
    found
}

/// Whether some lines say that something was scrubbed out of one.
pub(super) fn has_scrubs(lines: &[u8]) -> bool {
    memmem::find(lines, br#""scrubbed":["#).is_some()
}
