//! How long a server wants to be left alone: `retry-after`, in seconds or as a date.
//!
//! Reads. Whether that is too long is for the retry to say.

use annals_kernel::time::Timestamp;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// In milliseconds; none where it cannot be read, as if it were not there.
pub fn retry_after_ms(text: &str, now: Timestamp) -> Option<u64> {
    let text = text.trim();
    let seconds = text.parse::<u64>().ok().map(|seconds| seconds.saturating_mul(1000));
    seconds.or_else(|| date(text).map(|date| date.since(now)))
}

/// As in `Wed, 21 Oct 2026 07:28:00 GMT`, the one form that is still written.
fn date(text: &str) -> Option<Timestamp> {
    let mut words = text.split_once(", ")?.1.split(' ');
    let (day, month, year, time) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    Timestamp::parse_canonical(format!("{year}-{month:02}-{day}T{time}.000Z").as_bytes())
}
