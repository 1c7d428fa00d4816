//! Who or what a clause is about, and what stands behind its verb.

use super::sentence::PhraseWord;
use super::words::{is_adverb, is_article, is_participle, is_pronoun, is_stop};

/// The longest name, in words.
const SUBJECT_WORDS: usize = 4;

/// Whom something is said of, and of which side, where that is named: "Seryn's eyes", "the colour of the gate".
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClaimAbout {
    pub(super) subject: String,
    pub(super) attribute: Option<String>,
}

/// The phrases that a verb at a place is about, the nearest first: "Seryn and Mara have".
pub(super) fn about(words: &[PhraseWord], verb: usize) -> Vec<ClaimAbout> {
    let begin = clause(words, verb);
    let mut found: Vec<ClaimAbout> = one(&words[begin..verb]).into_iter().collect();
    let is_plural = matches!(words[verb].lower.as_str(), "have" | "are" | "were");
    if is_plural && begin > 0 && words[begin - 1].lower == "and" && !found.is_empty() {
        let first = clause(words, begin - 1);
        let other = one(&words[first..begin - 1]);
        // "Seryn's eyes and hair are" is about nobody called hair.
        found = if found[0].attribute.is_none() { found.into_iter().chain(other).collect() } else { Vec::new() };
    }
    found
}

/// Where the clause before a place begins.
fn clause(words: &[PhraseWord], end: usize) -> usize {
    let breaks = |at: &usize| {
        let word = &words[*at];
        word.ends || is_stop(&word.lower) && word.lower != "of" && !(word.lower == "in" && *at == 0)
    };
    (0..end).rev().find(breaks).map_or(0, |at| at + 1)
}

fn one(phrase: &[PhraseWord]) -> Option<ClaimAbout> {
    let skipped = phrase.iter().take_while(|word| is_adverb(&word.lower)).count();
    let end = phrase.len() - phrase.iter().rev().take_while(|word| is_adverb(&word.lower)).count();
    let phrase = phrase.get(skipped..end)?;
    if let Some(owner) = phrase.iter().rposition(|word| word.owns) {
        let (attribute, subject) = (join(&phrase[owner + 1..]), name(&phrase[..=owner])?);
        let is_noun = (1..=3).contains(&(phrase.len() - owner - 1)) && phrase[owner + 1..].iter().all(is_plain);
        return is_noun.then_some(ClaimAbout { subject, attribute: Some(attribute) });
    }
    match phrase.iter().position(|word| word.lower == "of") {
        Some(at) if at >= 2 && phrase[0].lower == "the" && !phrase[at - 1].is_name() => {
            let (attribute, subject) = (join(&phrase[1..at]), name(&phrase[at + 1..])?);
            Some(ClaimAbout { subject, attribute: Some(attribute) })
        }
        Some(_) | None => Some(ClaimAbout { subject: name(phrase)?, attribute: None }),
    }
}

fn is_plain(word: &PhraseWord) -> bool {
    !is_stop(&word.lower) && !is_pronoun(&word.lower) && word.text == word.lower
}

pub(super) fn join(words: &[PhraseWord]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// A name ("Seryn", "Gate of Ash") or a thing that is known ("the old gate"); nothing for anything else.
pub(super) fn name(phrase: &[PhraseWord]) -> Option<String> {
    let has_article = phrase.first().is_some_and(|word| word.lower == "the");
    let own = if has_article { &phrase[1..] } else { phrase };
    let is_short = (1..=SUBJECT_WORDS).contains(&own.len());
    let is_link = |word: &PhraseWord| matches!(word.lower.as_str(), "of" | "the" | "von" | "van" | "de" | "da");
    let is_known = |word: &PhraseWord| word.is_name() || word.text.starts_with(|letter: char| letter.is_ascii_digit());
    let is_a_name = own.iter().all(|word| is_known(word) || is_link(word)) && own.first().is_some_and(is_known);
    let is_a_thing = has_article && own.iter().all(|word| !is_stop(&word.lower) || word.lower == "of");
    let is_unclear = own.iter().any(|word| is_pronoun(&word.lower)) || own.iter().any(|word| word.ends && word.owns);
    let is_clear = is_short && !is_unclear && !is_article(&own.first()?.lower);
    let subject = join(own);
    (is_clear && (is_a_name || is_a_thing)).then_some(subject)
}

/// The words behind a verb, up to where the phrase ends, without adverbs; and where that is.
pub(super) fn behind(words: &[PhraseWord], verb: usize) -> (Vec<&PhraseWord>, usize) {
    if words[verb].ends { (Vec::new(), verb + 1) } else { from(words, verb + 1) }
}

/// The words from a place on, up to where the phrase ends, without adverbs; and where that is.
pub(super) fn from(words: &[PhraseWord], start: usize) -> (Vec<&PhraseWord>, usize) {
    let (mut phrase, mut at) = (Vec::new(), start);
    while let Some(word) = words.get(at).filter(|word| !is_stop(&word.lower)) {
        at += 1;
        if !is_adverb(&word.lower) {
            phrase.push(word);
        }
        if word.ends {
            break;
        }
    }
    (phrase, at)
}

/// Whether a phrase goes on after "has": "has been", "has to".
pub(super) fn only_helps(phrase: &[&PhraseWord], next: Option<&PhraseWord>) -> bool {
    phrase.first().map_or_else(|| next.is_none_or(|word| is_stop(&word.lower)), |word| is_participle(&word.lower))
}
