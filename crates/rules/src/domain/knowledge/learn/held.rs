//! What holds beyond the task at hand: how things are here, whose matter something is, what nobody wants.
//!
//! A sentence that only asks for work says none of it. In doubt a sentence is left out.

use super::order::is_order;
use super::sentence::{Sentence, is_in};

/// "Remember: …", "keep in mind that …", "never do that again".
pub(super) fn remember(sentence: &Sentence) -> bool {
    let starts = [
        "remember that", "remember to", "remember we", "remember the", "remember this", "always remember",
        "please remember", "keep in mind", "bear in mind", "make a note that", "note for next time",
        "note for the future", "for next time", "for future reference", "next time",
    ];
    let named = sentence.at(0) == "remember" && sentence.ends_at(0);
    let again = sentence.words.last().is_some_and(|word| word.lower == "again")
        && is_in("never don't stop not", sentence.at(0));
    sentence.words.len() >= 4 && (named || again || starts.iter().any(|start| sentence.begins(start)))
}

/// Words that a person writes in capitals when it was not heard the first time.
const STRESSED: &str = "NOT ONLY NEVER ALWAYS DON'T MUST WON'T EXACTLY AREN'T ISN'T DOESN'T SHOULDN'T ANYTHING";

/// "We should NOT put it there", "DON'T match versions": among words in small letters.
pub(super) fn stressed(sentence: &Sentence) -> bool {
    let tokens = || sentence.text.split_whitespace().map(|token| token.trim_matches(|at: char| !at.is_alphabetic()));
    let capitals = tokens().filter(|token| token.chars().count() > 1 && *token == token.to_uppercase()).count();
    let small = tokens().filter(|token| token.chars().any(char::is_lowercase)).count();
    let is_said = tokens().any(|token| is_in(STRESSED, token));
    let does = is_order(sentence) && !sentence.ends_at(0);
    let tells = does || is_in("take start look that this read i", sentence.at(0));
    is_said && !tells && sentence.words.len() >= 4 && small >= capitals * 2
}

/// "We don't want X", "don't need X", "no desire to …": nobody wants it.
pub(super) fn unwanted(sentence: &Sentence) -> bool {
    let starts = [
        "don't want", "dont want", "don't need", "we don't need", "we don't want", "we dont want", "we do not want",
        "we have no", "we never", "we won't", "we will not", "we can't have", "i don't need",
    ];
    let found = starts.iter().any(|start| sentence.begins(start)) || sentence.find("we don't want").is_some();
    let is_talk = ["don't need to", "we don't need to", "don't want to know", "i don't need to"];
    found && is_named(sentence) && !is_talk.iter().any(|start| sentence.begins(start))
}

/// Whether it names what it speaks of: "we don't want that" holds no longer than the talk.
pub(super) fn is_named(sentence: &Sentence) -> bool {
    let last = sentence.words.last().map_or("", |word| &word.lower);
    let is_pointed = sentence.words.iter().any(|word| is_in("this that these those", &word.lower));
    let is_short = sentence.words.len() <= 8;
    sentence.words.len() >= 4
        && !(is_short && is_in("that this it them there", last))
        && !(is_pointed && sentence.words.len() <= 6)
}

/// "We want the code path to be …", "we want it to work like …": how it is meant; what is wanted to be done is a task.
pub(super) fn wanted(sentence: &Sentence) -> bool {
    let is_meant = sentence.begins("we want") && !is_in("to you", sentence.at(2));
    is_meant && is_named(sentence) && sentence.words.len() >= 5
}

/// "We don't care about X", "X is not a goal": what does not count.
pub(super) fn no_matter(sentence: &Sentence) -> bool {
    let parts = [
        "don't care about", "doesn't care about", "doesn't care", "not concerned about", "is not a goal",
        "isn't a goal", "not a key use", "not really a key", "is fine to break", "no need for backwards",
        "edge case we",
    ];
    sentence.words.len() >= 4 && parts.iter().any(|part| sentence.find(part).is_some())
}

/// "X is the preferred approach", "that's the responsibility of the callee", "like we do everywhere else".
pub(super) fn custom(sentence: &Sentence) -> bool {
    let parts = [
        "preferred approach", "preferred pattern", "preferred way", "general pattern", "responsibility of",
        "everywhere else", "like we do in", "like we always", "as we do in", "as we always", "is what we use",
        "that's what we use", "our convention", "the convention is", "our pattern", "the pattern is",
        "the pattern was", "the rule is", "our rule", "by convention", "should always", "should never", "must always",
        "must never",
    ];
    let is_purpose = sentence.find("that's what").is_some_and(|place| sentence.words.len() > place + 4)
        && is_in("for", sentence.words.last().map_or("", |word| &word.lower));
    !is_in("consider", sentence.at(0))
        && sentence.words.len() >= 4
        && (is_purpose || parts.iter().any(|part| sentence.find(part).is_some()))
}

/// "X should not be in Y", "it should be DEBUG, not INFO", "we should only …": how it ought to be, of a thing that is named.
pub(super) fn ought(sentence: &Sentence) -> bool {
    let limits = ["should not", "shouldn't", "should only", "should never", "should go", "should live", "should stay"];
    let place = limits.iter().find_map(|limit| sentence.find(limit));
    let is_named = place.is_some_and(|place| (1..=8).contains(&place));
    let is_vague = is_in("that there this it if i we our issue the", sentence.at(0)) && sentence.words.len() < 9;
    let is_vague = is_vague || is_in("i if", sentence.at(0)) || sentence.words.len() < 5;
    is_named && !is_vague
}

/// "Let's keep …", "let's leave … out", "let's just …", "… it is": what was chosen.
pub(super) fn chosen(sentence: &Sentence) -> bool {
    let starts = [
        "let's leave", "let's align", "let's limit", "let's allow", "let's disallow", "let's always", "let's never",
        "let's drop", "let's skip", "let's just stick", "let's just leave", "let's just keep", "let's keep",
        "let's stick", "let's ship", "let's not", "we want to keep", "i want to keep", "we're keeping", "we keep",
        "we are keeping", "we said",
    ];
    let late = ["let's just stick", "let's stick", "let's go with", "let's keep", "let's leave"];
    let is_late = late.iter().any(|part| sentence.find(part).is_some_and(|place| place <= 4));
    sentence.words.len() >= 4 && (is_late || starts.iter().any(|start| sentence.begins(start)))
}

/// "I don't think we need X", "doesn't seem right to …": what a person holds against something.
pub(super) fn doubt(sentence: &Sentence) -> bool {
    let starts =
        ["i don't think", "i dont think", "don't think", "i do not think", "doesn't seem", "i'm not convinced"];
    let is_talk = is_in("that's that it's it", sentence.at(3)) && sentence.words.len() < 8;
    sentence.words.len() >= 6 && !is_talk && starts.iter().any(|start| sentence.begins(start))
}

/// "The default should be X", "project settings should take precedence": how a thing that is named is meant to be.
pub(super) fn should_be(sentence: &Sentence) -> bool {
    let Some(place) = sentence.find("should").filter(|place| (2..=8).contains(place)) else { return false };
    let verbs = "be take match use live go stay keep default only always never";
    let is_vague = is_in(
        "it this that there i we you what which if where he they maybe presumably probably seems and",
        sentence.at(0),
    );
    let is_task = is_in("fixed verified done able updated removed added as", sentence.at(place + 2));
    !is_vague && !is_task && !is_order(sentence) && is_in(verbs, sentence.at(place + 1)) && sentence.words.len() >= 6
}

/// "We already have X", "this is an OSS repo", "X lives in Y", "X is provider agnostic": how it is here.
pub(super) fn here(sentence: &Sentence) -> bool {
    let starts = [
        "we already", "we have a", "we have an", "we call", "we don't call", "this is an", "this is a brand",
        "this is our", "this repo", "this project", "it's a private", "it's a public", "the main use", "it is part of",
        "there is already a", "there's already a", "you have a local",
    ];
    let known = [
        "is only for", "are only for", "only applies to", "only apply to", "lives in", "live in", "belongs in",
        "belong in", "belongs to", "is part of our", "only works for", "only works with", "is only available",
        "are only available", "agnostic", "append only", "is exposed as", "is used by", "is the source of truth",
        "is deprecated",
    ];
    let place = ["is at", "are at", "copy at"].iter().find_map(|part| sentence.find(part)).map(|place| place + 2);
    let is_place = place.is_some_and(|place| {
        // As it was typed: a word has lost the dots before it.
        let named = sentence.text.split(' ').nth(place).unwrap_or_default().trim_start_matches(['`', '(', '"']);
        // A path from the root is of one machine.
        named.contains('/') && !named.starts_with('/')
    });
    let is_problem =
        is_in("problem bug issue error mess failing broken", sentence.words.last().map_or("", |word| &word.lower))
            || sentence.words.iter().take(6).any(|word| is_in("problem issue bug conflict", &word.lower));
    let is_said = is_place
        || starts.iter().any(|start| sentence.begins(start))
        || known.iter().any(|part| sentence.find(part).is_some());
    is_said && sentence.words.len() >= 5 && !is_problem && !is_order(sentence)
}

/// "I said we want X", "I suggested X": it was said before.
pub(super) fn said_before(sentence: &Sentence) -> bool {
    let parts = ["i said", "i suggested", "i told you", "i already told", "i asked for", "i asked you"];
    sentence.words.len() >= 5 && parts.iter().any(|part| sentence.find(part).is_some_and(|place| place <= 5))
}
