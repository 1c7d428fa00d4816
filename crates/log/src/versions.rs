//! Several lines with one id: which of them counts, as a function of the lines alone (decision 44).
//!
//! Equal ones count once. Of imports of one source record, and of what two scrubs have left of one line, the one counts
//! of which more was taken out, then the one with the lower hash. Of any others none does, until the user names one.

use super::amend::Amendments;
use super::batch::Placed;
use super::notices::Notices;
use annals_kernel::annals::{LineHash, Source};
use annals_kernel::id::EntryId;

/// What stands in place of what was taken out of a text: by the sanitizer before it was written, by a scrub afterwards.
const MARKERS: [&[u8]; 2] = [b"[REDACTED", b"[SCRUBBED"];

/// A line and the segment that it stands in.
pub(super) type LineVersion<'v> = (Placed<'v>, &'v str);

/// Of all lines with one id the one that counts; `None` where none does.
pub(super) fn choose<'v>(
    versions: &[LineVersion<'v>],
    amendments: &Amendments,
    notices: &mut Notices,
) -> Option<LineVersion<'v>> {
    let id = versions[0].0.envelope.id();
    let hashed = versions.iter().map(|version| (LineHash::of(version.0.original), *version));
    let mut left: Vec<_> = hashed.filter(|(hash, _)| !amendments.is_gone(id, *hash)).collect();
    notices.suppressed += (versions.len() - left.len()) as u64;
    // By hash and not by place: where lines stand in files differs from clone to clone, and the choice must not.
    left.sort_by_key(|(hash, _)| *hash);
    let before = left.len();
    left.dedup_by_key(|(hash, _)| *hash);
    notices.repeated += (before - left.len()) as u64;
    if left.len() < 2 {
        return left.pop().map(|(_, version)| version);
    }
    let is_left = |(hash, _): &(LineHash, LineVersion<'_>)| amendments.is_left(id, *hash);
    if left.iter().all(is_left) || are_one_import(id, &left) {
        notices.copies += left.len() as u64 - 1;
        return left.into_iter().min_by_key(|(hash, version)| (redactions(version), *hash)).map(|(_, version)| version);
    }
    notices.conflicts.entry(id).or_default().extend(left.iter().map(|(hash, _)| *hash));
    let named = amendments.named(id);
    left.into_iter().find(|(hash, _)| named.contains(hash)).map(|(_, version)| version)
}

/// Whether imports have made all lines of one record of another tool: the id says which. None is a decision: an import makes
/// none. What a hook has recorded names its source, too, under an id of its own, and has no other version.
fn are_one_import(id: EntryId, versions: &[(LineHash, LineVersion<'_>)]) -> bool {
    let is_of_record = |source: Source| source.entry_id(id.time()) == id;
    versions.iter().all(|(_, version)| source_of(version).is_some_and(is_of_record))
}

fn source_of((placed, _): &LineVersion<'_>) -> Option<Source> {
    if placed.envelope.rules().is_some() { None } else { placed.envelope.source() }
}

/// How much was taken out, what has more first: whether the line says so, and how many marks there are.
fn redactions((placed, _): &LineVersion<'_>) -> std::cmp::Reverse<(bool, usize)> {
    let marks = MARKERS.iter().map(|marker| memchr::memmem::find_iter(placed.original, marker).count()).sum();
    std::cmp::Reverse((placed.envelope.is_redacted(), marks))
}
