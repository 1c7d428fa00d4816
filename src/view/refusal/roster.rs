//! Words for refusals of `roster`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "roster.not_a_lead",
        "only the user or the team lead changes the roster, not {actor}",
        "the user asks without `--as`",
    ),
    Words::of("roster.taken", "{agent} is in the roster already", "`annals agent edit` changes it"),
    Words::of(
        "roster.alike",
        "{agent} would be taken for {other}, which is in the roster already",
        "take a name that nobody confuses with another",
    ),
    Words::of(
        "roster.reserved",
        "\"{agent}\" cannot be the name of an agent",
        "letters, digits and .-_/ make a name; user and system are taken",
    ),
    Words::of(
        "roster.unknown_agent",
        "there is no agent {agent} in the roster",
        "`annals agent list` shows those there are, `annals agent add` adds one",
    ),
    Words::of("roster.nothing_to_change", "nothing about {agent} would change", "`annals agent list` tells how it is"),
    Words::of(
        "roster.bad_seal",
        "a seal is 64 hexadecimal digits",
        "`annals agent token ID` makes a token and its seal",
    ),
    Words::of(
        "roster.not_proved",
        "{actor} did not show its token",
        "set ANNALS_TOKEN; `annals agent token ID`, by the user, makes a new one",
    ),
    Words::of(
        "roster.not_the_user_here",
        "this is a shell of {shell}, and in it nobody is the user without the user's token",
        "leave out `--as user` to act as the agent; a person makes a token in a terminal of their own (`annals agent token \
         user`) and sets ANNALS_TOKEN",
    ),
    Words::of(
        "roster.not_a_member",
        "{actor} is not an active agent of the roster",
        "`annals agent add ID --role ROLE` adds it; `annals agent list` shows those there are",
    ),
    Words::of(
        "roster.invalid_assistant_count",
        "team mode needs exactly one active assistant; there are {count}",
        "`annals agent add ID --role assistant` adds one, `annals agent edit ID --retire` takes one out",
    ),
    Words::of(
        "roster.no_moderator",
        "a swarm needs an active agent with the role moderator, and there is none",
        "`annals agent add ID --role moderator`",
    ),
    Words::of(
        "roster.no_devils_advocate",
        "a swarm needs an active agent that can be devil's advocate, and there is none",
        "`annals agent edit ID --devils-advocate yes`, for a critic or continuity agent",
    ),
    Words::of(
        "roster.circuit_breakers_disabled",
        "circuit breakers are disabled (sanity.enabled is false), and without them no agent may act",
        "`annals config set sanity.enabled true`",
    ),
];
