//! Words for refusals of `voice`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "voice.not_system",
        "what agents are told comes from the rules, not from {actor}",
        "agents write in threads",
    ),
    Words::of("voice.not_user", "only the user decides what agents hear, not {actor}", "ask the user"),
    Words::of("voice.nothing", "there is nothing to tell {session}", "`annals prime` shows what would be told"),
    Words::of("voice.silent", "{session} is to be told nothing", "`annals unmute` ends that"),
    Words::of("voice.not_muted", "{session} is not muted", "`annals voice report` shows which sessions are"),
];
