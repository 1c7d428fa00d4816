//! Words for refusals of `config`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of("config.nothing_to_change", "nothing would change", "`annals config list` shows what is in force"),
    Words::of(
        "config.not_a_lead",
        "only the user or the team lead changes the configuration, not {actor}",
        "the user asks without `--as`",
    ),
    Words::of(
        "config.not_the_user",
        "only the user changes {key}, which weakens what protects the project, not {actor}",
        "the user asks without `--as`",
    ),
    Words::of(
        "config.unknown_trigger",
        "{key} names the trigger {trigger}, and there is none",
        "there are {known}; `annals triggers list` shows them",
    ),
    Words::of(
        "config.unknown_threshold",
        "the trigger {trigger} does not measure {metric}, so no threshold of it can be set",
        "it measures {known}",
    ),
    Words::of(
        "config.quorum_too_large",
        "a quorum of {quorum} is more than the {members} that a council has",
        "change hivemind.council.quorum first, or hivemind.council.council_agents and council_size",
    ),
    Words::of(
        "config.clock_too_late",
        "there are entries in the log ({entries}), so its clock is the machine's for good",
        "`annals init --clock given` is for a new folder",
    ),
];
