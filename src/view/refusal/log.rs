//! Words for what the log and the world themselves refuse.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "log.cause_ahead",
        "this rests on an entry whose id lies above its own: ids go up to {ahead} ({until}), and this would be {id} ({at})",
        "`annals doctor` names the entries ahead; it can be decided when this clock has come as far",
    ),
    Words::of(
        "world.consequences.endless",
        "what would follow from it has no end: after {steps} steps the rules still set each other off, and nothing was done",
        "report it with the command: this is a fault of the rules",
    ),
];
