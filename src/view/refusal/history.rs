//! Words for refusals of `history`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "history.not_the_user",
        "only the user decides what counts of the log, not {actor}",
        "ask the user to run it",
    ),
    Words::of(
        "history.acknowledged_already",
        "the hole behind line {n} of writer {writer} is acknowledged already",
        "`annals state history` shows what was decided",
    ),
    Words::of(
        "history.no_such_lines",
        "a writer has no lines {from} to {to}: they are counted from 1",
        "`annals verify --json` has each writer's count",
    ),
    Words::of(
        "history.no_conflict",
        "no two lines with the id {id} say different things",
        "`annals verify` names the ids of which several lines are there",
    ),
    Words::of(
        "history.no_such_version",
        "no line with the id {id} has the hash {hash}",
        "`annals verify` names the lines and their hashes",
    ),
    Words::of(
        "history.nothing_to_mend",
        "lines {from} to {to} of writer {writer} would count as of the time that they count as of now",
        "`annals state history` shows what was decided",
    ),
    Words::of(
        "history.conflict_open",
        "{versions} lines have the id {id} and say different things: none of them counts",
        "`annals verify` names them; `annals history settle {id} HASH` says which counts, as {hashes}",
    ),
];
