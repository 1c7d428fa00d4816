//! Words for refusals of `memory`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "memory.not_the_solver",
        "only the goal-gradient solver writes experience, not {actor}",
        "`annals memory feedback` says that something remembered is wrong",
    ),
    Words::of(
        "memory.stranger",
        "{actor} is not an active agent of the roster",
        "`annals agent list` shows those there are",
    ),
    Words::of(
        "memory.not_the_dreamer",
        "only the user, the solver and those who lead let the dreamer run, not {actor}",
        "`annals memory potentials` already counts what has faded as faded",
    ),
    Words::of(
        "memory.bad_tag",
        "the {what:words} is 1 to {most} characters, none of them a control character",
        "as in tool:grep and path:src/main.rs, or intent:find_all_go and env:local",
    ),
    Words::of("memory.bad_content", "the content is 1 to {most} characters", "say in a sentence what happened"),
    Words::of(
        "memory.no_weight",
        "without a state, strength and sign must be given",
        "give a state, or --f and --sigma",
    ),
    Words::of(
        "memory.bad_rate",
        "level C does not fade and levels M and K do: k is {k} at level {level}",
        "leave k out, and it is as the level and the state have it",
    ),
    Words::of(
        "memory.law",
        "level T is not written: its laws are in the configuration",
        "`annals config set memory.laws '[\"…\"]'` sets them",
    ),
    Words::of(
        "memory.full",
        "{space} {entity} has {most} pieces of common sense already",
        "`annals memory feedback` takes trust away from what holds no more",
    ),
    Words::of("memory.unknown_megram", "there is no megram {megram}", "`annals memory list` shows those there are"),
    Words::of(
        "memory.forgotten",
        "megram {megram} was forgotten at {at}",
        "`annals memory list` shows those there are",
    ),
    Words::of("memory.bad_count", "1 to {most} megrams are recalled at once", "recall them in several steps"),
    Words::of("memory.too_much", "a decision keeps {most} experiences at most", "keep them in several steps"),
    Words::of(
        "memory.nothing_new",
        "all that the session came to is remembered already",
        "`annals memory list` shows what is remembered",
    ),
    Words::of(
        "memory.no_common_sense",
        "there is no common sense about {space} {entity}",
        "`annals memory potentials` tells what single experiences say",
    ),
];
