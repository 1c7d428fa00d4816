//! Words for refusals of `erasure`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "erasure.structure",
        "{path} is part of the entry's structure and stays",
        "values below operation.input, operation.output and operation.error can be scrubbed",
    ),
    Words::of(
        "erasure.nothing_there",
        "no line holds a value at {path} of {entry}",
        "`annals show ENTRY` shows what is there",
    ),
    Words::of("erasure.nothing_there", "no line holds the value", "`annals show ENTRY` shows what is there"),
    Words::of("erasure.not_confirmed", "a scrub needs the name of a person who confirms it", "give --as NAME"),
];
