//! Words for refusals of `canon`.

use serde::Deserialize as _;
use serde_json::Value;

use super::Words;
use crate::domain::canon::event::ClaimConflict;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "canon.not_a_lead",
        "{actor} may not {what:words}: that is for the user and the team lead",
        "open an issue and let the user or the team lead decide",
    ),
    Words::of(
        "canon.too_few_votes",
        "an agent may promote an issue that {needed} agents support; this one has {has}",
        "agents support an issue with `annals issue comment --stance support`",
    ),
    Words::of(
        "canon.contradicted",
        "canon says otherwise: {conflicts}",
        "open an issue tagged #canon-conflict; the user can override with `annals canon state`",
    ),
    Words::of(
        "canon.bad_key",
        "\"{key}\" cannot be the key of an entry",
        "lower-case letters, digits and -_. make a key: `--key seryn-eyes`",
    ),
    Words::of(
        "canon.not_its_text",
        "an agent promotes an issue with its own text, and with no other and no claims of its own",
        "leave out `--text` and `--claim`; front matter of the issue may state `claims:`",
    ),
    Words::of(
        "canon.taken",
        "there is an entry {key} already, and it does not come from this issue",
        "`--key KEY` makes a new version of it, or another entry",
    ),
    Words::of("canon.unknown_entry", "there is no canon {anchor}", "`annals canon list` shows those there are"),
    Words::of("canon.retired_already", "{key} holds no more already", "`annals canon state` makes it hold again"),
    Words::of(
        "canon.no_text",
        "there is no text",
        "say what holds: the text of `canon state`, or `canon promote --text TEXT` where the issue has none",
    ),
    Words::of(
        "canon.too_long",
        "a text of canon may have {most} characters at most; this one has {length}",
        "make several entries of it",
    ),
    Words::of(
        "canon.bad_claim",
        "a claim has a subject, an attribute and a value of 1 to {most} characters each",
        "`--claim \"Seryn | eyes | amber\"`",
    ),
    Words::of(
        "canon.too_many_claims",
        "an entry may make {most} claims at most; this one makes {count}",
        "make several entries of it",
    ),
    Words::of("canon.nothing_to_change", "{key} says so already", "`annals canon show` shows it"),
    Words::of(
        "canon.no_conflict",
        "nothing in the text contradicts canon",
        "`annals canon check` without an answer shows what is compared",
    ),
    Words::of("canon.no_issue", "a discussion needs an issue", "`annals canon check --discuss` opens one"),
];

/// What contradicts what.
pub(super) fn shown(conflicts: &Value) -> String {
    let all =
        conflicts.as_array().into_iter().flatten().filter_map(|conflict| ClaimConflict::deserialize(conflict).ok());
    let said = all.map(|ClaimConflict { claim, key, version, value, .. }| {
        let (subject, attribute, claimed) = (&claim.subject, &claim.attribute, &claim.value);
        format!("{key}@{version} has {subject}, {attribute}: {value} (not {claimed})")
    });
    said.collect::<Vec<_>>().join("; ")
}
