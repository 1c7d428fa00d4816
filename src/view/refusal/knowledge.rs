//! Words for refusals of `knowledge`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "knowledge.not_a_reviewer",
        "{actor} may not {what:words}: that is for the user, the team lead and the moderator",
        "`annals knowledge propose` waits for a review; knowledge.agents_may_add lets agents do without",
    ),
    Words::of("knowledge.no_text", "there is no text", "give a sentence"),
    Words::of(
        "knowledge.too_long",
        "an entry of knowledge may have {most} characters at most; this one has {length}",
        "make several entries of it, or a page of canon",
    ),
    Words::of(
        "knowledge.bad_name",
        "a name has 1 to {most} characters and no line breaks",
        "name a person, a file, a library: `--entity sqlite`",
    ),
    Words::of(
        "knowledge.unknown_entry",
        "there is no entry {entry} of knowledge",
        "`annals knowledge list --all` shows those there are",
    ),
    Words::of(
        "knowledge.superseded",
        "{entry} holds no more: {by} holds instead",
        "`annals knowledge show` shows both",
    ),
    Words::of("knowledge.itself", "{entry} cannot take its own place", "name the entry that holds instead"),
    Words::of(
        "knowledge.not_opposed",
        "{entry} and {other} do not contradict each other, as far as words tell",
        "`annals knowledge supersede` puts one in the place of the other",
    ),
    Words::of(
        "knowledge.unsettled",
        "nothing on record says which of {entry} and {other} holds: {why:words}",
        "`annals knowledge settle` shows both; `annals knowledge supersede OLD NEW` says it",
    ),
    Words::of("knowledge.archived", "{entry} is archived already", "`annals knowledge restore` brings it back"),
    Words::of("knowledge.not_archived", "{entry} is not archived", "nothing is left to do"),
    Words::of(
        "knowledge.known",
        "{entry} says so already, from the same source",
        "`annals knowledge feedback` says that it helped",
    ),
    Words::of("knowledge.too_much", "a decision proposes {most} candidates at most", "propose them in several steps"),
    Words::of(
        "knowledge.nothing_new",
        "all that was found waits already, or was reviewed",
        "`annals knowledge review --all` shows it",
    ),
    Words::of(
        "knowledge.no_query",
        "a retrieval needs a query or an entity",
        "`annals knowledge search \"how are tests run\"`, or `--entity sqlite`",
    ),
    Words::of(
        "knowledge.unknown_candidate",
        "there is no candidate {candidate}",
        "`annals knowledge review` shows those that wait",
    ),
    Words::of(
        "knowledge.settled",
        "candidate {candidate} was {review} already",
        "`annals knowledge review --all` shows what became of it",
    ),
    Words::of(
        "knowledge.proposed",
        "candidate {candidate} says so already, and is {review}",
        "`annals knowledge review --all` shows it",
    ),
];
