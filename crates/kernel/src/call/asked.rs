//! When a call was asked for: before what other calls came to was known, or after.
//!
//! Calls that were asked for at once fail at once, which is no second try.

use crate::annals::Source;
use crate::entry::HistoryEntry;
use crate::envelope::Envelope;
use crate::time::Timestamp;

/// No model answers within so many milliseconds. The times of a transcript are those of its lines, which are written when
/// a step is over: calls of one step end within milliseconds of each other, and some agents say that they took none.
const WRITTEN_MS: i64 = 1000;

/// When a call was asked for, at the latest: it ended then, took so many milliseconds, and came from there.
fn asked(at: Timestamp, took_ms: Option<u64>, source: Option<&Source>) -> Timestamp {
    let took = i64::try_from(took_ms.unwrap_or(0)).unwrap_or(i64::MAX);
    let is_of_transcript = source.is_some_and(|source| source.file.is_some());
    let written = if is_of_transcript { WRITTEN_MS } else { 0 };
    at.plus_millis(took.saturating_add(written).saturating_neg())
}

/// When the call of a line was asked for, at the latest.
pub fn asked_at(entry: &Envelope<'_>) -> Timestamp {
    asked(entry.at(), entry.duration_ms(), entry.source().as_ref())
}

/// The same, of an entry that was read whole.
pub fn asked_of(entry: &HistoryEntry) -> Timestamp {
    asked(entry.timestamp, entry.operation.duration_ms, entry.annals.source.as_ref())
}
