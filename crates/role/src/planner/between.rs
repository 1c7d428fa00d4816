//! A check that looks past what the person put between quotes: "mark 'call Ann' as done" is not done where a file holds "done".
//!
//! Compares letters. What is quoted and is a file of the workspace names a place, and no content.

use annals_kernel::script::is_spaced;

use super::said::looked_for;
use crate::plan::CriterionCheck;
use crate::wanted::is_listed;

/// What quotes begin with, and what each may end with.
const MARKS: &[(char, &str)] = &[
    ('\'', "'"),
    ('"', "\""),
    ('`', "`"),
    ('‘', "’"),
    ('’', "’"),
    ('“', "”"),
    ('”', "”"),
    ('„', "“”"),
    ('«', "»"),
    ('»', "«"),
    ('「', "」"),
    ('『', "』"),
    ('｢', "｣"),
];

/// Whether a quote begins or ends with it.
pub(super) fn is_quote(letter: char) -> bool {
    MARKS.iter().any(|(open, close)| *open == letter || close.contains(letter))
}

/// Whether a check looks into a file that is there for none of what the words put between quotes, nor for what they end with
/// behind a colon; where nothing is quoted, there is nothing to miss.
pub fn misses_quotes(check: &CriterionCheck, words: &str, place: &str) -> bool {
    let quoted: Vec<_> = quotes(words).into_iter().filter(|quote| !is_listed(place, quote)).collect();
    let last = words.rsplit_once(": ").map(|(_, last)| last.trim().trim_end_matches('.'));
    !quoted.is_empty()
        && looked_for(check, place)
            .is_some_and(|text| !quoted.into_iter().chain(last).any(|quote| agrees(&text, quote)))
}

/// Whether one holds the other; a part of a quote is half of it or more.
fn agrees(text: &str, quote: &str) -> bool {
    let (text, quote) = (text.trim().to_lowercase(), quote.trim().to_lowercase());
    text.contains(&quote) || quote.contains(&text) && text.chars().count() * 2 >= quote.chars().count()
}

/// What stands between quotes, as words do: an apostrophe within a word is none.
fn quotes(words: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = words;
    while let Some((at, close)) = opening(rest) {
        let within = &rest[at..];
        let Some((quote, behind)) = closing(within, close) else {
            rest = within;
            continue;
        };
        found.push(quote);
        rest = behind;
    }
    found.retain(|quote| !quote.trim().is_empty());
    found
}

/// Behind the first mark that may begin a quote, and what ends it.
fn opening(text: &str) -> Option<(usize, &'static str)> {
    let is_free = |at: usize| !text[..at].ends_with(is_spaced);
    text.char_indices().find_map(|(at, letter)| {
        let (_, close) = MARKS.iter().find(|(open, _)| *open == letter && is_free(at))?;
        Some((at + letter.len_utf8(), *close))
    })
}

/// What stands before the first mark of its line that ends a quote, and behind it.
fn closing<'t>(within: &'t str, close: &str) -> Option<(&'t str, &'t str)> {
    let line = within.lines().next().unwrap_or_default();
    let marks = line.match_indices(|letter| close.contains(letter));
    let mut parted = marks.map(|(at, mark)| (&within[..at], &within[at + mark.len()..]));
    parted.find(|(_, behind)| !behind.starts_with(is_spaced))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_told_from_apostrophes() {
        for (words, expected) in [
            ("mark 'call Ann' as done", vec!["call Ann"]),
            ("don't touch the users' files, it's 'x y'", vec!["x y"]),
            ("add a line \"it's on\" and `b`", vec!["it's on", "b"]),
            ("schreibe „so“ und «anders»", vec!["so", "anders"]),
            ("标题改成「菜单」就好", vec!["菜单"]),
            ("nenne »so« und „anders”", vec!["so", "anders"]),
            ("skriv ”så” och ’inte så’, that’s it", vec!["så", "inte så"]),
            ("『題』と｢名｣", vec!["題", "名"]),
            ("an 'open one", vec![]),
            ("'' and '\n'", vec![]),
        ] {
            assert_eq!(quotes(words), expected, "{words}");
        }
    }
}
