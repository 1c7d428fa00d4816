//! Words for refusals of `credit`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "credits.self_award",
        "{agent} cannot award credits to itself",
        "others give credits, and the rules; the attempt is recorded",
    ),
    Words::of(
        "credits.same_hands",
        "{by} and {agent} are in the same hands, and nobody awards credits to itself",
        "others give credits, and the rules; the attempt is recorded",
    ),
    Words::of(
        "credits.system_only",
        "{reason} is awarded by the rules alone, never by command",
        "it comes by itself when code has verified it; the attempt is recorded",
    ),
    Words::of(
        "credits.not_entitled",
        "{reason} is for the {heading} to award, not for {by}",
        "agents give peer-marked-helpful, the user user-marked-helpful; the attempt is recorded",
    ),
    Words::of(
        "credits.user_earns_nothing",
        "the user earns no credits",
        "what the user is kept from is the team's credit",
    ),
    Words::of(
        "credits.unknown_agent",
        "there is no agent {agent} in the roster",
        "`annals agent list` shows those there are",
    ),
    Words::of(
        "credits.stranger",
        "{by} is not an active agent of the roster",
        "`annals agent list` shows those there are",
    ),
    Words::of("credits.unknown_issue", "there is no issue {issue}", "`annals issue list` shows those there are"),
    Words::of("credits.no_issue", "{reason} needs the issue that it is about", "`--issue NUMBER`"),
    Words::of(
        "credits.thanked_already",
        "{by} has thanked {agent} for this issue already",
        "one word of thanks counts; another issue is another matter",
    ),
    Words::of(
        "credits.not_due",
        "{reason} is not due: this issue was not unfrozen, was frozen again, or has paid it already",
        "it comes by itself when an issue that was unfrozen is resolved",
    ),
    Words::of(
        "credits.fixed_amount",
        "{reason} has a fixed amount",
        "leave `--amount` out; only the moderator says how many, from 1 to 3",
    ),
    Words::of(
        "credits.not_the_assistant",
        "only the assistant and the user cut tasks into parts and check them off, not {actor}",
        "ask the assistant of the roster",
    ),
    Words::of(
        "credits.bad_slices",
        "a task of {total} credits cannot be cut into {slices} slices",
        "give 1 credit or more, and 1 slice or more",
    ),
    Words::of(
        "credits.too_large",
        "a task may be worth {most} credits and have {most} slices at most",
        "`annals config set credits.max_per_task` changes that",
    ),
    Words::of(
        "credits.cut_already",
        "this issue was cut into parts for {doer} already",
        "`annals credit slice --done` checks the next part off",
    ),
    Words::of(
        "credits.no_part",
        "no part of this issue waits to be done by {doer}",
        "`annals credit slice` cuts a task into parts",
    ),
    Words::of(
        "credits.not_a_goal_setter",
        "only the user and the moderator set goals, not {actor}",
        "propose it in a comment or an issue",
    ),
    Words::of("credits.no_target", "a goal needs a target of 1 or more", "`--target 1`, or more"),
    Words::of(
        "credits.no_deadline",
        "a goal of no penalties needs a deadline, at which it is looked at",
        "`--deadline session-end`, chapter-end, act-end or a time",
    ),
    Words::of("credits.past_deadline", "the deadline is in the past", "give a time to come"),
    Words::of(
        "credits.too_many_goals",
        "{most} goals are open, and no more may be",
        "`annals goal drop` takes one back",
    ),
    Words::of("credits.unknown_goal", "there is no open goal {goal}", "`annals goal list` shows those there are"),
];
