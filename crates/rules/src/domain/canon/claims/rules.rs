//! The patterns: "X's Y is Z", "X has Z Y", "X's Z Y", "X arrives on Z", and what belongs to them.

use super::phrase::{ClaimAbout, about, behind, from, join, name, only_helps};
use super::sentence::PhraseWord;
use super::words::{
    AdjectiveKind, compound, dimension, event, is_adverb, is_article, is_copula, is_having, is_number, is_one_of_many,
    is_passing, is_pronoun, is_stop, is_vague, kind, measure, state,
};
use crate::domain::canon::claim::{Claim, NONE, THERE};

/// The longest value, in words.
const VALUE_WORDS: usize = 6;

/// The claims of a sentence.
pub(super) fn claims(words: &[PhraseWord]) -> Vec<Claim> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if is_having(&word.lower) {
            found.extend(having(words, at));
        } else if is_copula(&word.lower) {
            found.extend(being(words, at));
        } else if word.owns {
            found.extend(owning(words, at));
        } else if compound(&word.lower).is_some() {
            found.extend(compounded(words, at));
        } else {
            found.extend(timed(words, at));
            found.extend(measured(words, at));
        }
    }
    found
}

fn claim(subject: &str, attribute: &str, value: &str) -> Claim {
    Claim::new(subject, attribute, value)
}

/// "Seryn has amber eyes and no scar".
fn having(words: &[PhraseWord], verb: usize) -> Vec<Claim> {
    // "has always had": what the second one is about stands before the first.
    let before = (0..verb).rev().find(|at| !is_adverb(&words[*at].lower));
    let helper = before.filter(|at| is_having(&words[*at].lower)).unwrap_or(verb);
    let about = about(words, helper);
    let (mut phrase, mut end) = behind(words, verb);
    let mut found = Vec::new();
    if only_helps(&phrase, words.get(verb + 1)) {
        return found;
    }
    loop {
        let whole = about.iter().filter(|about| about.attribute.is_none());
        found.extend(whole.flat_map(|about| possession(&about.subject, &phrase)));
        // "amber eyes and red hair": the list goes on where a noun phrase without a verb follows.
        let is_joined = words.get(end).is_some_and(|word| word.lower == "and");
        let start = end + usize::from(is_joined);
        let is_listed = is_joined || words.get(end - 1).is_some_and(|word| word.ends);
        if !is_listed || !goes_on(words, start) {
            return found;
        }
        (phrase, end) = from(words, start);
    }
}

/// Whether a list of things goes on behind a place: words, and no verb before the phrase ends.
fn goes_on(words: &[PhraseWord], start: usize) -> bool {
    let (phrase, end) = from(words, start);
    let is_clause = words.get(end).is_some_and(|word| is_copula(&word.lower) || is_having(&word.lower));
    let begins = |word: &&PhraseWord| is_article(&word.lower) || word.lower == "no" || kind(&word.lower).is_some();
    phrase.first().is_some_and(begins) && !is_clause
}

/// What somebody has: "amber eyes", "a scar", "no scar", "two brothers".
fn possession(subject: &str, phrase: &[&PhraseWord]) -> Vec<Claim> {
    let is_none = phrase.first().is_some_and(|word| word.lower == "no");
    let skipped = usize::from(is_none || phrase.first().is_some_and(|word| is_article(&word.lower)));
    let Some((noun, values)) = phrase.get(skipped..).and_then(<[_]>::split_last) else { return Vec::new() };
    let is_known = noun.text == noun.lower && !is_vague(&noun.lower) && kind(&noun.lower).is_none();
    if !is_known || values.len() > 3 || values.iter().any(|word| is_vague(&word.lower) || word.owns) {
        return Vec::new();
    }
    if is_none {
        let noun = [values.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "), noun.text.clone()];
        return vec![claim(subject, noun.join(" ").trim(), NONE)];
    }
    if values.is_empty() {
        return if skipped == 1 { vec![claim(subject, &noun.text, THERE)] } else { Vec::new() };
    }
    described(subject, values, &noun.text)
}

/// What adjectives say: one claim for each side of the thing.
fn described(subject: &str, values: &[&PhraseWord], noun: &str) -> Vec<Claim> {
    let kinds: Vec<_> = values.iter().map(|word| kind(&word.lower)).collect();
    if kinds.iter().any(Option::is_none) {
        let is_telling = !is_one_of_many(noun) && values.iter().all(|word| !is_passing(&word.lower));
        let value = values.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        return if is_telling { vec![claim(subject, noun, &value)] } else { Vec::new() };
    }
    let has_colour = kinds.contains(&Some(AdjectiveKind::Colour));
    let sides = values.iter().zip(kinds).filter_map(|(word, kind)| Some((word, kind?)));
    let sides = sides.filter(|(_, kind)| match kind {
        AdjectiveKind::Shade => !has_colour,
        AdjectiveKind::Number => true,
        AdjectiveKind::Colour
        | AdjectiveKind::Size
        | AdjectiveKind::Age
        | AdjectiveKind::Material
        | AdjectiveKind::Shape => !is_one_of_many(noun),
    });
    sides.map(|(word, kind)| claim(subject, &kind.side(noun), tone(&word.lower))).collect()
}

/// The same colour by one name.
fn tone(word: &str) -> &str {
    match word {
        "gray" => "grey",
        "blonde" => "blond",
        "golden" => "gold",
        "woolen" => "wool",
        _ => word,
    }
}

/// "Seryn's green eyes narrowed".
fn owning(words: &[PhraseWord], owner: usize) -> Vec<Claim> {
    let begin = (0..owner).rev().take_while(|at| part_of_name(words, *at)).last().unwrap_or(owner);
    let Some(subject) = name(&words[begin..=owner]) else { return Vec::new() };
    let (phrase, _) = behind(words, owner);
    let values = phrase.iter().take_while(|word| kind(&word.lower).is_some() && !word.ends).count();
    let Some(noun) = phrase.get(values).filter(|noun| values > 0 && noun.text == noun.lower) else { return Vec::new() };
    if is_vague(&noun.lower) || noun.owns { Vec::new() } else { described(&subject, &phrase[..values], &noun.text) }
}

fn part_of_name(words: &[PhraseWord], at: usize) -> bool {
    let word = &words[at];
    let is_thing = words.get(at + 1).is_some_and(|next| next.text == next.lower) && word.lower == "the";
    !word.ends && !word.owns && (word.is_name() && !is_stop(&word.lower) && !is_pronoun(&word.lower) || is_thing)
}

/// "green-eyed Seryn"; "Seryn is green-eyed" is seen to at the verb.
fn compounded(words: &[PhraseWord], at: usize) -> Vec<Claim> {
    let Some((value, part)) = compound(&words[at].lower) else { return Vec::new() };
    let named = words.get(at + 1).filter(|word| word.is_name() && !words[at].ends);
    named.map(|word| claim(&word.text, part, tone(value))).into_iter().collect()
}

/// "Seryn's eyes are amber", "Mara is Seryn's mother", "the gate is made of iron".
fn being(words: &[PhraseWord], verb: usize) -> Vec<Claim> {
    let (mut phrase, end) = behind(words, verb);
    // "are not green": the word that stops a phrase is a part of this one.
    let is_not = words.get(verb + 1).is_some_and(|word| word.lower == "not" || word.lower == "never");
    if is_not {
        phrase = behind(words, verb + 1).0;
    }
    let not = |value: String| if is_not { format!("not {value}") } else { value };
    let mut found = Vec::new();
    for ClaimAbout { subject, attribute } in about(words, verb) {
        match attribute {
            Some(attribute) => found.extend(attributed(&subject, &attribute, &phrase, &not)),
            None if is_not => {
                found.extend(stated(&subject, &phrase).map(|(side, value)| claim(&subject, side, &not(value))));
            }
            None => {
                found.extend(stated(&subject, &phrase).map(|(side, value)| claim(&subject, side, &value)));
                found.extend(related(words, verb, &subject));
                found.extend(made(words, verb, &subject, end));
            }
        }
    }
    found
}

/// "Seryn's eyes" and what they are.
fn attributed(subject: &str, attribute: &str, phrase: &[&PhraseWord], not: &dyn Fn(String) -> String) -> Vec<Claim> {
    let skipped = usize::from(phrase.first().is_some_and(|word| is_article(&word.lower)));
    let values = phrase.get(skipped..).unwrap_or_default();
    let kinds: Vec<_> = values.iter().map(|word| kind(&word.lower)).collect();
    if values.is_empty() || values.len() > VALUE_WORDS || values.iter().any(|word| is_vague(&word.lower) || word.owns) {
        return Vec::new();
    }
    let all_known = kinds.iter().all(|kind| kind.is_some_and(|kind| kind != AdjectiveKind::Number));
    if all_known && skipped == 0 {
        return described(subject, values, attribute).into_iter().map(|claim| negated(claim, not)).collect();
    }
    let is_passing = skipped == 0 && values.len() == 1 && is_passing(&values[0].lower);
    let value = values.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let begins = !is_passing && !values[0].lower.ends_with("ing") && !is_one_of_many(attribute);
    begins.then(|| claim(subject, attribute, &not(value))).into_iter().collect()
}

fn negated(claim: Claim, not: &dyn Fn(String) -> String) -> Claim {
    Claim { value: not(claim.value.into()).into(), ..claim }
}

/// What is said of somebody as a whole: dead, nine years old, green-eyed, thirty seconds.
fn stated<'w>(subject: &str, phrase: &[&'w PhraseWord]) -> Option<(&'static str, String)> {
    let lower = |at: usize| phrase.get(at).map(|word| word.lower.as_str());
    let text = |phrase: &[&PhraseWord]| phrase.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let first: &'w PhraseWord = phrase.first()?;
    if let Some((value, part)) = compound(&first.lower) {
        return Some((part, tone(value).to_owned()));
    }
    if let Some(side) = state(&first.lower).filter(|_| phrase.len() == 1) {
        return Some((side, tone(&first.lower).to_owned()));
    }
    if is_number(&first.lower) && (1..=VALUE_WORDS).contains(&phrase.len()) {
        let last = phrase.len() - 1;
        let side = lower(last).and_then(dimension).filter(|_| last > 0);
        let value = if side.is_some() { text(&phrase[..last]) } else { text(phrase) };
        return Some((side.unwrap_or("value"), value));
    }
    let is_called = matches!(lower(0), Some("called" | "named")) && phrase.len() > 1;
    (is_called && !subject.is_empty()).then(|| ("name", text(&phrase[1..])))
}

/// "Mara is Seryn's mother", "Doran is the king of Ash".
fn related(words: &[PhraseWord], verb: usize, subject: &str) -> Option<Claim> {
    let rest: Vec<PhraseWord> = words[verb + 1..].iter().filter(|word| !is_adverb(&word.lower)).cloned().collect();
    let is_relation = |words: &[PhraseWord]| {
        let plain = words.iter().all(|word| word.text == word.lower && !is_stop(&word.lower));
        (1..=3).contains(&words.len()) && plain && words.iter().all(|word| !is_one_of_many(&word.lower))
    };
    let until = |from: usize| {
        let end = (from..rest.len()).find(|at| rest[*at].ends).map_or(rest.len(), |at| at + 1);
        (from..end).find(|at| is_stop(&rest[*at].lower) && rest[*at].lower != "of").unwrap_or(end)
    };
    if let Some(owner) = rest.iter().position(|word| word.owns) {
        let relation = rest.get(owner + 1..until(owner + 1)).filter(|words| is_relation(words))?;
        return Some(claim(&name(&rest[..=owner])?, &join(relation), subject));
    }
    let of = rest.iter().position(|word| word.lower == "of").filter(|of| *of > 1 && rest[0].lower == "the")?;
    let relation = rest.get(1..of).filter(|words| is_relation(words))?;
    Some(claim(&name(rest.get(of + 1..until(of + 1))?)?, &join(relation), subject))
}

/// "made of iron", "located in Vael".
fn made(words: &[PhraseWord], verb: usize, subject: &str, end: usize) -> Option<Claim> {
    let participle = words.get(end.checked_sub(1).filter(|at| *at > verb)?)?;
    let preposition = words.get(end)?.lower.as_str();
    let side = match (participle.lower.as_str(), preposition) {
        ("made" | "built" | "forged" | "carved", "of" | "from") => "material",
        ("located" | "situated", "in" | "on" | "at" | "near") => "place",
        ("founded" | "built" | "forged" | "written", "by") => "maker",
        ("killed" | "murdered", "by") => "killer",
        _ => return None,
    };
    let (phrase, _) = behind(words, end);
    let value = phrase.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let is_whole = (1..=VALUE_WORDS).contains(&phrase.len()) && !phrase.iter().any(|word| is_vague(&word.lower));
    is_whole.then(|| claim(subject, side, &value))
}

/// "The caravan arrives on Day 47", "Seryn was born in 1203", "Seryn lives in Vael".
fn timed(words: &[PhraseWord], verb: usize) -> Vec<Claim> {
    let word = words[verb].lower.as_str();
    let preposition = words.get(verb + 1).filter(|next| matches!(next.lower.as_str(), "on" | "in" | "at"));
    if preposition.is_none() || words[verb].ends {
        return Vec::new();
    }
    let (phrase, _) = behind(words, verb + 1);
    let is_whole = (1..=VALUE_WORDS).contains(&phrase.len()) && !phrase.iter().any(|word| is_vague(&word.lower));
    let has_number = phrase.iter().any(|word| is_number(&word.lower));
    let is_name = phrase.iter().all(|word| word.is_name() || is_article(&word.lower));
    let side = match (event(word), word) {
        (Some("birth"), _) if !has_number && is_name => Some("birthplace"),
        (Some(side), _) if has_number => Some(side),
        (None, "lives" | "lived" | "live") if is_name => Some("home"),
        (None, "lies" | "stands" | "stood") if is_name => Some("place"),
        (Some(_) | None, _) => None,
    };
    let helped = verb > 0 && is_copula(&words[verb - 1].lower);
    let about = about(words, verb - usize::from(helped));
    let value = phrase.iter().filter(|word| !is_article(&word.lower)).map(|word| word.text.as_str());
    let value = match value.collect::<Vec<_>>().as_slice() {
        // "the 47th day" is day 47.
        [number, unit @ ("day" | "night" | "week" | "month" | "year" | "chapter")] => format!("{unit} {number}"),
        words => words.join(" "),
    };
    let Some(side) = side.filter(|_| is_whole) else { return Vec::new() };
    let whole = about.into_iter().filter(|about| about.attribute.is_none());
    whole.map(|about| claim(&about.subject, side, &value)).collect()
}

/// "The siege lasts twelve days".
fn measured(words: &[PhraseWord], verb: usize) -> Vec<Claim> {
    let Some(side) = measure(&words[verb].lower) else { return Vec::new() };
    let (phrase, _) = behind(words, verb);
    let is_amount = phrase.first().is_some_and(|word| is_number(&word.lower)) && phrase.len() <= VALUE_WORDS;
    let value = phrase.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let whole = about(words, verb).into_iter().filter(|about| is_amount && about.attribute.is_none());
    whole.map(|about| claim(&about.subject, side, &value)).collect()
}
