//! Words for refusals of `resident`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "resident.not_user",
        "the user says what the resident agent may do, not {actor}",
        "ask the user for `annals message approve` or `annals resident override`",
    ),
    Words::of(
        "resident.not_host",
        "the program that keeps the resident agent does that, not {actor}",
        "`annals message send` leaves it a message",
    ),
    Words::of(
        "resident.bad_message",
        "a message needs words (at most {most} characters), the name of an agent, a sender and a channel (at most {names}), and at most {keys} keys beside it",
        "put what is longer into a file, and name the file",
    ),
    Words::of(
        "resident.queue_full",
        "{most} messages wait for {agent}, and no more may",
        "`annals resident tick` answers them; `resident.max_pending` says how many may wait",
    ),
    Words::of(
        "resident.unknown_message",
        "there is no message {message}",
        "`annals message list` shows those there are",
    ),
    Words::of(
        "resident.not_held",
        "message {message} does not wait for your word: it is {phase}",
        "`annals message list --held` shows those that do",
    ),
    Words::of(
        "resident.not_waiting",
        "message {message} does not wait for a tick: it is {phase}",
        "`annals message show {message}` shows what became of it",
    ),
    Words::of(
        "resident.nothing_to_deliver",
        "message {message} has no answer that waits for its channel",
        "`annals message list --outbox` shows those that have",
    ),
    Words::of(
        "resident.lease_held",
        "another process has {agent}: {owner}, until {until}",
        "stop that one, or wait until then; where you know that it is gone: `annals resident run --take-over {owner}`",
    ),
    Words::of("resident.no_lease", "{owner} does not have {agent}", "`annals resident status` shows who has it"),
    Words::of(
        "resident.bad_ttl",
        "{ttl_ms} ms is no time to hold something for: 1 to {most}",
        "give a time within a day",
    ),
];
