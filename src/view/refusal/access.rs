//! Words for refusals of `access`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "access.forbidden",
        "{agent} may not {intent} {path}: .context/{folder} is {policy:phrase}",
        "agents write in .context/scratchpad; the user can `annals access grant` more",
    ),
    Words::of("access.not_the_user", "only the user gives and takes rights, not {agent}", "ask the user to run it"),
    Words::of(
        "access.not_grantable",
        "no one can be given the right to write {folder}",
        "history/ and local/ are written by Annals alone",
    ),
    Words::of(
        "access.not_granted",
        "{agent} has no right of its own to {folder}",
        "`annals state access` shows the rights that were given",
    ),
];
