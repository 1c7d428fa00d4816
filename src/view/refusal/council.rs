//! Words for refusals of `council`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "council.unknown_council",
        "there is no council {council}",
        "`annals council list` shows those there are",
    ),
    Words::of(
        "council.over",
        "council {council} is over: {status}",
        "contest or nominate the entry again, and another council is called",
    ),
    Words::of(
        "council.open_already",
        "council {council} on {key} is open already",
        "`annals council list` shows those there are",
    ),
    Words::of(
        "council.bad_key",
        "a key is 1 to {most} characters without control characters",
        "the key of the entry, or a short name",
    ),
    Words::of("council.bad_text", "the {what:words} is 1 to {most} characters", "say it in a few sentences"),
    Words::of(
        "council.not_a_member",
        "{who} is not a member of this council: {members} are",
        "hivemind.council.council_agents names who is called into the next councils",
    ),
    Words::of(
        "council.voted",
        "{member} has voted already: {vote}",
        "what else there is to say belongs into the debate",
    ),
    Words::of(
        "council.not_voting",
        "votes are taken no more: the council is {status}",
        "`annals council show` lists the votes and arguments that are missing",
    ),
    Words::of(
        "council.no_quorum",
        "{voices} of {quorum} members needed have approved or rejected",
        "`annals council show` tells whose vote is awaited",
    ),
    Words::of(
        "council.too_early",
        "members have not voted yet, and have until {until}",
        "the user or the team lead may close it before",
    ),
    Words::of(
        "council.votes_decide",
        "the votes are counted; nobody decides in their place while members vote",
        "resolve without a decision counts the votes that are in",
    ),
    Words::of(
        "council.not_debating",
        "there is no debate: the council is {status}",
        "`annals council show` lists the votes and arguments that are missing",
    ),
    Words::of(
        "council.no_more_rounds",
        "the debate has had its {most} rounds",
        "the arbitrator resolves it: `annals council resolve`",
    ),
    Words::of(
        "council.both_sides",
        "{who} cannot be both for it and against it",
        "another agent, or the user, speaks for the other side",
    ),
    Words::of(
        "council.one_side",
        "one act speaks for one side: nobody says what another one thinks",
        "`annals council debate COUNCIL --pro TEXT`, or `--con TEXT`, each by an agent of that opinion",
    ),
    Words::of(
        "council.side_taken",
        "{who} has spoken for this side ({side}) in this round; the other side comes first",
        "`annals council show` tells what was said",
    ),
    Words::of("council.no_round", "the debate has had no round yet", "`annals council debate` holds one"),
    Words::of(
        "council.no_synthesis",
        "a debate ends with a decision and a synthesis",
        "give --decision and --synthesis",
    ),
    Words::of(
        "council.no_decision",
        "the votes tied; give the decision and its reason",
        "give --decision and --synthesis",
    ),
    Words::of(
        "council.not_the_arbitrator",
        "{actor} does not have the last word here: {arbitrator}, {leads:phrase}",
        "ask an agent that has it",
    ),
    Words::of(
        "council.not_the_arbitrator",
        "{actor} does not have the last word here: {leads:phrase}",
        "ask an agent that has it",
    ),
    Words::of(
        "council.needs_confirmation",
        "a recommendation is confirmed by the user, never by votes",
        "`annals council confirm`, by the user",
    ),
    Words::of(
        "council.no_recommendation",
        "only recommendations are confirmed; this council is for {purpose}",
        "`annals council resolve` ends it",
    ),
    Words::of("council.enough", "{most} questions and answers are enough", "approve or reject it"),
];
