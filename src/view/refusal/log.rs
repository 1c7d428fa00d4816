//! Words for what the log itself refuses.

use super::Words;

pub(super) const WORDS: &[Words] = &[Words::of(
    "log.cause_ahead",
    "this rests on an entry whose id lies above its own: ids go up to {ahead} ({until}), and this would be {id} ({at})",
    "`annals doctor` names the entries ahead; it can be decided when this clock has come as far",
)];
