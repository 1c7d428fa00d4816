//! Orders: sentences that begin with a verb, or with "don't" and a verb.

use super::sentence::{Sentence, is_in};

/// What an order begins with.
pub(super) const VERBS: &str = "accept add allow append apply ask avoid build cache call catch change check clone commit compare convert copy create delete describe \
    disable display drop edit emit enable ensure expect export fix follow format generate give group handle have hide ignore import \
    include insert install just keep leave let limit link list load log look make merge mock mention move name only open \
    parse pass pick place prefer print provide pull push put read refactor remove rename render replace report reset \
    restore return revert rewrite run save set show simplify skip sort spawn split start stick stop store switch test treat \
    try update use wait wrap write";

/// An order: it begins with a verb.
pub(super) fn is_order(sentence: &Sentence) -> bool {
    is_in(VERBS, sentence.at(0)) || is_negation(sentence, 0).is_some()
}

/// An order, or one that begins behind "in X,".
pub(super) fn is_order_or_clause(sentence: &Sentence) -> bool {
    let clause = (1..sentence.words.len().min(6)).find(|place| sentence.ends_at(*place));
    let behind = clause.is_some_and(|place| is_in(VERBS, sentence.at(place + 1)));
    is_order(sentence) || sentence.at(0) == "in" && behind || is_in("do", sentence.at(0))
}

/// Where a negated order goes on: "don't use", "do not use", "never use".
pub(super) fn is_negation(sentence: &Sentence, place: usize) -> Option<usize> {
    if is_in("don't dont", sentence.at(place)) {
        return Some(place + 1);
    }
    sentence.holds_at(place, "do not").then_some(place + 2)
}
