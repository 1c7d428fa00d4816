//! What sets something right that was taken for something else.

use super::order::{VERBS, is_negation, is_order_or_clause};
use super::sentence::{Sentence, is_in};

/// "No, …" and then what is so.
pub(super) fn says_no(sentence: &Sentence) -> bool {
    let is_talk = is_in("then problem thanks worries need", sentence.at(1)) || is_reaction(sentence);
    let no = is_in("no nope wrong nah", sentence.at(0))
        && (sentence.ends_at(0) || is_in("it's it that's don't the we i you man dude no", sentence.at(1)));
    no && !is_talk && sentence.words.len() >= 4
}

/// "No, you didn't", "no, that did nothing": how it went, not how it should be.
fn is_reaction(sentence: &Sentence) -> bool {
    let reactions = [
        "you sure", "you didn't", "you did", "that did", "that didn't", "it did", "it didn't", "it still", "still",
        "i still", "i don't like", "i mean", "i just want", "let's", "lets", "in", "not yet", "reread", "try again",
        "that's simply", "the same",
    ];
    reactions.iter().any(|start| sentence.holds_at(1, start))
}

/// "Not X but Y", "X, not Y".
pub(super) fn not_but(sentence: &Sentence) -> bool {
    let Some(not) = sentence.find("not") else { return false };
    let but = sentence.words.iter().skip(not + 1).take(8).any(|word| word.lower == "but");
    let is_contrast = not >= 2 && sentence.ends_at(not - 1) && sentence.words.len() - not <= 8;
    // "Catch this error not that one."
    let is_order = is_order_or_clause(sentence) && not >= 2 && sentence.words.len() - not <= 7;
    if is_order
        && sentence.at(0) != "try"
        && !is_in("if only or that when whether is are was does do will", sentence.at(not - 1))
        && !is_in("in be been to exist already", sentence.at(not + 1))
    {
        return true;
    }
    let is_stated =
        sentence.words.iter().take(not).any(|word| is_in("is are should it's that's use be means mean", &word.lower));
    (but && (not == 0 || is_in("is are it's that's be was were", sentence.at(not - 1)))
        && !sentence.holds_at(not + 1, "only"))
        || is_contrast && is_stated && !is_in("sure yet necessarily", sentence.at(not + 1))
}

/// "Use X instead of Y", "instead of X, use Y".
pub(super) fn instead(sentence: &Sentence) -> bool {
    let Some(place) = sentence.find("instead") else { return false };
    let of = sentence.at(place + 1) == "of" && sentence.words.len() >= place + 3;
    // Another verb asks for a change of the moment: "make the lines 12 characters instead of 10".
    let is_said = is_in("use prefer mock we i'd instead", sentence.at(0));
    is_said && of && sentence.words.len() >= 5
}

/// "I meant …", "what I mean is …".
pub(super) fn meant(sentence: &Sentence) -> bool {
    let starts = [
        "i meant", "i mean", "what i meant", "what i mean", "by that i mean", "i was talking about", "i was referring",
    ];
    starts.iter().any(|start| sentence.begins(start)) && sentence.words.len() >= 4
}

/// "That's not right: …", "you marked X, but …".
pub(super) fn wrong(sentence: &Sentence) -> bool {
    let starts = [
        "that's not", "that is not", "that's wrong", "this is wrong", "this is not", "it's not", "it is not",
        "that's incorrect",
    ];
    let is_wrong = starts.iter().any(|start| sentence.begins(start)) && sentence.words.len() >= 5;
    let verbs = "marked said assumed used missed forgot misunderstood deleted removed ignored broke put added changed";
    let you = sentence.at(0) == "you" && is_in(verbs, sentence.at(1)) && sentence.find("but").is_some();
    is_wrong && !is_in("working clear loading", sentence.at(2)) || you
}

/// "Actually, …".
pub(super) fn actually(sentence: &Sentence) -> bool {
    let is_first = sentence.at(0) == "actually" && sentence.words.len() >= 4;
    is_first && !is_in("can could let's lets i'm i", sentence.at(1)) && !sentence.holds_at(1, "never mind")
}

/// "Don't …", "do not …", "avoid …", "stop …ing".
pub(super) fn do_not(sentence: &Sentence) -> bool {
    // Other verbs speak of the task at hand: "don't touch the parser".
    const HABITS: &str = "use assume allow commit push mock write put run ask guess make add include create import rely copy \
        duplicate hardcode skip ignore edit delete merge rebase";
    let order = is_negation(sentence, 0).is_some_and(|next| is_in(HABITS, sentence.at(next)));
    let stop = is_in("avoid stop", sentence.at(0)) && sentence.at(1).ends_with("ing") && sentence.words.len() >= 5;
    let late = sentence.words.windows(2).enumerate().any(|(place, _)| {
        let is_clause = place >= 3 && (sentence.ends_at(place - 1) || is_in("but and", sentence.at(place - 1)));
        is_clause && is_negation(sentence, place).is_some_and(|next| is_in(HABITS, sentence.at(next)))
    });
    (order || stop || late) && sentence.words.len() >= 3
}

/// "Again, …": it was said before.
pub(super) fn again(sentence: &Sentence) -> bool {
    let is_repeated = sentence.at(0) == "again" && sentence.ends_at(0) || sentence.begins("as i said");
    is_repeated && sentence.words.len() >= 4
}

/// "Only count lines …".
pub(super) fn only(sentence: &Sentence) -> bool {
    sentence.at(0) == "only"
        && is_in(&format!("{VERBS} count consider do apply match"), sentence.at(1))
        && sentence.words.len() >= 4
}
