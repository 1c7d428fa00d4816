//! Words for refusals of `dialectic`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of("dialectic.no_task", "a task has at least one word", "name the task in words"),
    Words::of(
        "dialectic.too_long",
        "a text is {chars} characters long; at most {most} are taken",
        "say it in fewer words",
    ),
    Words::of(
        "dialectic.goes_on",
        "debate {debate} about this task goes on",
        "`annals debate show` says whose turn it is; `annals debate reset TASK` calls it off",
    ),
    Words::of("dialectic.unknown_debate", "there is no debate {debate}", "`annals debate list` shows those there are"),
    Words::of("dialectic.over", "debate {debate} is over", "`annals debate request` begins another"),
    Words::of("dialectic.bad_rounds", "a debate has 1 to {most} rounds, not {rounds}", "one round is enough for most"),
    Words::of(
        "dialectic.too_few_failures",
        "{count} failures in a row are no reason for a debate; {least} are",
        "`annals debate fail TASK ERROR` records an attempt that failed",
    ),
    Words::of(
        "dialectic.debate_used",
        "these failures were debated already, in {debate}",
        "the attempt that is left may be made; after it a person decides",
    ),
    Words::of(
        "dialectic.debated_already",
        "this plan was debated already, in {debate}",
        "another plan (--plan) may be debated; this one may be carried out",
    ),
    Words::of(
        "dialectic.disabled",
        "debates are off in session {session}",
        "`annals debate enable --session ID` switches them on again",
    ),
    Words::of(
        "dialectic.other_kind",
        "this is a {debate} debate, and that a position for a {position} debate",
        "a plan is argued about with CLAIM and OBJECTION, a failure with DIAGNOSIS and PATTERN",
    ),
    Words::of(
        "dialectic.not_your_turn",
        "it is not the {side}'s turn",
        "the advocate speaks first, then the critic, as many rounds as were asked for",
    ),
    Words::of("dialectic.both_sides", "{actor} is the {side} here already", "let another agent take this side (--as)"),
    Words::of(
        "dialectic.too_many_tokens",
        "{tokens} tokens are too many; at most {most} are taken",
        "say it in fewer words; the limits are dialectic.*_max_tokens",
    ),
    Words::of("dialectic.not_heard", "the {side} has not spoken yet", "both speak before anything is resolved"),
    Words::of(
        "dialectic.not_by_rule",
        "by the rule {rule} it is {expected}, not {given}",
        "leave the word out, or let the sides speak again",
    ),
    Words::of(
        "dialectic.too_many_attempts",
        "after {resolution} at most {most} attempts follow, not {given}",
        "leave it out",
    ),
    Words::of("dialectic.not_resolved", "debate {debate} has come to nothing yet", "`annals debate resolve` does that"),
    Words::of("dialectic.not_allowed", "only the user and who leads may do that, not {actor}", "ask the user"),
    Words::of(
        "dialectic.not_the_user",
        "only the user switches debates off, not {actor}",
        "`annals debate gate` says what is due, and why",
    ),
    Words::of(
        "dialectic.nothing_counts",
        "nothing is counted against this task",
        "`annals debate failures` shows what counts",
    ),
    Words::of(
        "dialectic.same_task",
        "both are task {task}",
        "texts that differ in case, punctuation and articles alone are one task",
    ),
    Words::of(
        "dialectic.joined_already",
        "both count as task {task} already",
        "`annals debate same A B --different` parts them",
    ),
    Words::of(
        "dialectic.unknown_task",
        "nothing is known of a task {task}",
        "`annals debate failures` shows those that failed",
    ),
    Words::of("dialectic.as_it_is", "debates are {debates} in session {session} already", "nothing is left to do"),
    Words::of("dialectic.not_due", "nothing new calls a person to task {task}", "a person is called once"),
    Words::of(
        "dialectic.approved_by_user",
        "only the user approves a command that was held, not {actor}",
        "ask the user to type it in a terminal of their own",
    ),
    Words::of(
        "dialectic.nothing_held",
        "no command {command} waits to be approved",
        "the refusal names its id; one that was approved once and ran is asked about anew",
    ),
    Words::of("dialectic.announced", "nothing new repeats in session {session}", "it is announced once"),
];
