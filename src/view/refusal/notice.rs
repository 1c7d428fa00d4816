//! Words for refusals of `notice`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "notices.unknown_notice",
        "there is no notice {notice}",
        "`annals notice list --all` shows those there are",
    ),
    Words::of(
        "notices.not_for_you",
        "notice {notice} is for {to}, not for {actor}",
        "the one whom it is for acknowledges it, or the user",
    ),
    Words::of("notices.heard", "notice {notice} was acknowledged already, by {by}", "nothing is left to do"),
];
