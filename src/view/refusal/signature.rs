//! Words for refusals of `signature`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of("signature.missing", "nobody has signed {head}", "`annals seal` signs the last line"),
    Words::of("signature.other_head", "what is signed is {signed}, not {head}", "`annals seal` signs the last line"),
    Words::of("signature.invalid", "the signature does not hold: {problem:words}", "`annals seal` signs the last line"),
    Words::of(
        "signature.behind",
        "line {last} of writer {writer} is signed already, and line {n} stands before it",
        "`annals verify` says up to which line each writer is signed",
    ),
];
