//! Words for refusals of `hivemind`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "hivemind.bad_key",
        "\"{key}\" cannot be a key",
        "letters, digits, spaces and -_.:/@+ make a key, 100 characters at most",
    ),
    Words::of("hivemind.no_value", "there is no value", "say what was learnt"),
    Words::of(
        "hivemind.too_long",
        "a {what:words} may have {most} characters at most; this one has {length}",
        "say it shorter, and name the file that says more",
    ),
    Words::of(
        "hivemind.bad_words",
        "an entry has {most} tags and related keys each at most, of 1 to {chars} characters without spaces",
        "`--tag deploy --related use-postgres`",
    ),
    Words::of(
        "hivemind.too_weak",
        "an entry that fades needs a confidence of {least} or more; this one has {confidence}",
        "knowledge and preferences do not fade; of what is not sure, open an issue",
    ),
    Words::of("hivemind.known", "{key} says so already", "`annals hivemind access KEY` says that it was used"),
    Words::of(
        "hivemind.other_value",
        "{key} has another value",
        "`annals hivemind contest KEY` says that it is wrong; its author and the user can `supersede` it",
    ),
    Words::of("hivemind.unknown_entry", "there is no entry {key}", "`annals hivemind list` shows those there are"),
    Words::of("hivemind.expired", "{key} expired {at}", "`annals hivemind add` with the same key takes it up again"),
    Words::of(
        "hivemind.contested_already",
        "{key} is contested already",
        "`annals hivemind show KEY` says by whom and why",
    ),
    Words::of(
        "hivemind.not_contested",
        "{key} is not contested",
        "`annals hivemind contest` and `nominate` begin what this ends",
    ),
    Words::of(
        "hivemind.golden",
        "{key} is golden: only the user and the team lead question it",
        "open an issue and let the user or the team lead decide",
    ),
    Words::of("hivemind.golden_already", "{key} is golden already", "`annals hivemind show KEY` shows it"),
    Words::of("hivemind.global_already", "{key} is global already", "`annals hivemind show KEY` shows it"),
    Words::of(
        "hivemind.stays_here",
        "a {category} stays in its project",
        "knowledge, decisions and preferences mean something in other projects",
    ),
    Words::of(
        "hivemind.global_disabled",
        "nothing goes to other projects here, and nothing comes from them",
        "`annals config set hivemind.global_enabled true` allows it",
    ),
    Words::of(
        "hivemind.no_reason",
        "there is no reason",
        "`--because TEXT`: those who judge it have nothing else to go by",
    ),
    Words::of("hivemind.no_alternative", "nothing is said to be right instead", "`--alternative TEXT`"),
    Words::of("hivemind.same_value", "that is what {key} says", "`annals hivemind show KEY` shows what it says"),
    Words::of(
        "hivemind.not_its_author",
        "{actor} may not give {key} a new value: that is for {author}, the user and the team lead",
        "`annals hivemind contest KEY` says that it is wrong",
    ),
    Words::of(
        "hivemind.not_a_lead",
        "{actor} may not {what:words}: that is for the user and the team lead",
        "ask one of them",
    ),
    Words::of(
        "hivemind.not_the_user",
        "{actor} may not take an entry away: that is for the user",
        "`annals hivemind contest KEY` says that it is wrong",
    ),
    Words::of(
        "hivemind.bad_store",
        "\"{name}\" cannot be the name of a store or project",
        "letters, digits, dots, dashes and underscores, `/` before the name of a group",
    ),
    Words::of(
        "hivemind.too_many",
        "{count} entries are too many for one decision: {most} at most",
        "`annals hivemind sync` asks for fewer at a time",
    ),
];
