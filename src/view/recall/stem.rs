//! Words of a text as stems, for finding: `tests`, `testing` and `tested` are one, and so are `LoginTest` and `login_test`.
//!
//! English endings by a few rules, German ones where a word is long; the irregular verbs are those of decision 24. Not the
//! words of an id: those never change, these may.

use crate::kernel::cut::head;
use crate::kernel::stem::stem as verb;

/// A longer text is read as far as this, in bytes.
const READ_BYTES: usize = 8 << 10;
/// A longer word says nothing.
const MOST_CHARS: usize = 40;

/// Words that nearly every text holds.
const STOPS: &str = "a an the and or but if then else of to in on at by for from with without into over under is are was were be been \
    being am do does did done has have had having it its this that these those i you he she we they me my your our their \
    them us not no so as than too very can could will would should shall may might must just only also there here what \
    which who when where why how all any each some such own same other more most up down out off again once der die das \
    und oder ein eine einen dem den des ist sind war nicht mit von zu im am auf für an es ich du wir sie please task asked \
    person said times once";

/// The stems of a text, in order, with what a name is made of beside the name.
pub(super) fn stems(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for run in head(text, READ_BYTES).split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
        let parts: Vec<&str> = run.split('_').flat_map(humps).filter(|part| !part.is_empty()).collect();
        if parts.len() > 1 {
            push(&mut found, &parts.concat());
        }
        for part in &parts {
            push(&mut found, part);
        }
    }
    found
}

fn push(found: &mut Vec<String>, word: &str) {
    let lower = word.to_lowercase();
    let count = lower.chars().count();
    let is_word = count > 1 && count <= MOST_CHARS && !STOPS.split_whitespace().any(|stop| stop == lower);
    if is_word {
        found.push(stem(&lower));
    }
}

/// `LoginTest` as `Login` and `Test`, `HTTPServer` as it is.
fn humps(run: &str) -> Vec<&str> {
    let (mut parts, mut start, mut before) = (Vec::new(), 0, None::<char>);
    for (at, letter) in run.char_indices() {
        if letter.is_uppercase() && before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit()) {
            parts.push(&run[start..at]);
            start = at;
        }
        before = Some(letter);
    }
    parts.push(&run[start..]);
    parts
}

/// A word without its ending.
fn stem(word: &str) -> String {
    let word = verb(word);
    if !word.is_ascii() || word.len() < 4 || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word.to_owned();
    }
    let plain = if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 2) {
        format!("{stem}y")
    } else if let Some(stem) =
        ["sses", "shes", "ches", "xes"].iter().find_map(|end| word.ends_with(end).then(|| &word[..word.len() - 2]))
    {
        stem.to_owned()
    } else if word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        word[..word.len() - 1].to_owned()
    } else {
        word.to_owned()
    };
    let cut = ["ation", "ing", "ed", "ly", "ment", "er"].iter().find_map(|end| {
        let stem = plain
            .strip_suffix(end)
            .filter(|stem| stem.len() > 3 && stem.bytes().any(|byte| b"aeiouy".contains(&byte)))?;
        Some(single(stem))
    });
    let stem = cut.unwrap_or(plain);
    let stem = stem.strip_suffix('e').filter(|rest| rest.len() > 2).map_or(stem.clone(), str::to_owned);
    verb(&stem).to_owned()
}

/// `runn` as `run`.
fn single(stem: &str) -> String {
    let bytes = stem.as_bytes();
    let is_double = bytes.len() > 3
        && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
        && !b"lsz".contains(&bytes[bytes.len() - 1]);
    if is_double { stem[..stem.len() - 1].to_owned() } else { stem.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::stems;

    #[test]
    fn forms_of_a_word_are_one() {
        for (text, expected) in [
            ("tests testing tested", "test test test"),
            ("caches caching cached cache", "cach cach cach cach"),
            ("dependencies dependency", "dependency dependency"),
            ("LoginTest login_test", "logintest login test logintest login test"),
            ("the flaky tests of a class", "flaky test class"),
            ("running ran run", "run run run"),
            ("failed failing fails failure", "fail fail fail failur"),
            ("ENOENT utf8 x", "enoent utf8"),
            ("", ""),
        ] {
            assert_eq!(stems(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn no_text_makes_it_fail() {
        for text in ["İ", "ß_", "__", "éed", "ing", "\u{0}", &"a".repeat(100_000), "中文 测试"] {
            let _ = stems(text);
        }
    }
}
