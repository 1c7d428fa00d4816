//! Words for refusals of `session`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "session.unknown_session",
        "there is no session {session}",
        "`annals session list` shows those there are",
    ),
    Words::of(
        "session.unknown_parent",
        "there is no parent session {parent}",
        "`annals session list` shows those there are",
    ),
    Words::of(
        "session.illegal_transition",
        "session {session} is {from}, and {from} → {to} is not allowed",
        "allowed: active → suspended, completed, aborted; suspended → active, aborted",
    ),
    Words::of(
        "session.no_summary",
        "nothing was said of session {session}",
        "`annals session summary --by-model` asks a model",
    ),
];
