//! Texts: words, what of a prompt a person wrote, what of an output is kept, places as characters.
//!
//! Everything here takes any text, in time linear in its length.

use std::collections::BTreeMap;

use regex::Regex;

use super::pasted;
pub use annals_kernel::cut::head;

/// The end of a text, at most so many bytes.
pub fn tail(text: &str, bytes: usize) -> &str {
    let least = text.len().saturating_sub(bytes);
    let start = (least..=text.len()).find(|start| text.is_char_boundary(*start));
    &text[start.unwrap_or(text.len())..]
}

/// A text, or of a long one so many bytes of its beginning and of its end.
pub fn ends(text: &str, bytes: usize) -> String {
    if text.len() <= bytes * 2 {
        return text.to_owned();
    }
    format!("{}\n…\n{}", head(text, bytes), tail(text, bytes))
}

/// A text in which everything is blank that a person did not write as prose: code in fences and in backticks, quotes,
/// what was pasted from a terminal or a log, what stands between tags. Every character stays at its place.
pub fn prose(text: &str) -> String {
    let mut prose = String::with_capacity(text.len());
    pasted::without(text).split_inclusive('\n').for_each(|line| without_ticks(line, &mut prose));
    prose
}

/// A text without its code: fences and backticks are blank, and every character stays at its place.
pub fn without_code(text: &str) -> String {
    let mut rest = String::with_capacity(text.len());
    pasted::without_fences(text).split_inclusive('\n').for_each(|line| without_ticks(line, &mut rest));
    rest
}

/// What of a prompt its writer said then and there: prose, as far as the first heading and so many characters. A document
/// was written beforehand, often by a program; so was a prompt that a template has made.
pub fn own_words(text: &str, most_characters: usize) -> String {
    let own = &text[..own_end(text)];
    let end = own.char_indices().nth(most_characters).map_or(own.len(), |(at, _)| at);
    prose(&own[..end])
}

/// Lines that begin a document in the templates of some tools.
const HEADS: [&str; 6] = ["INSTRUCTIONS:", "ISSUE:", "TASK:", "CONTEXT:", "REQUIREMENTS:", "RULES:"];

/// Where the words of its writer end and a document begins, in bytes.
pub fn own_end(text: &str) -> usize {
    if pasted::is_template(text) {
        return 0;
    }
    let is_heading = |line: &str| {
        let is_marked = line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
        is_marked || HEADS.contains(&line.trim_end())
    };
    text.split_inclusive('\n').take_while(|line| !is_heading(line)).map(str::len).sum()
}

/// One of our own patterns, of letters of every script; where those of ASCII will do, `Pattern` is ready sooner.
pub(super) fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("BUG: a pattern of ours")
}

/// A line of blanks as long as this one.
pub(super) fn blank(line: &str, into: &mut String) {
    into.extend(line.chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }));
}

fn without_ticks(line: &str, into: &mut String) {
    let mut pieces = line.split('`').enumerate().peekable();
    while let Some((number, piece)) = pieces.next() {
        // A last tick without its partner is no code.
        if number % 2 == 1 && pieces.peek().is_some() {
            blank(piece, into);
        } else {
            into.push_str(piece);
        }
        if pieces.peek().is_some() {
            into.push(' ');
        }
    }
}

/// Turns growing places in bytes into places in characters, reading the text once.
pub struct Places<'t> {
    text: &'t str,
    bytes: usize,
    characters: usize,
}

impl<'t> Places<'t> {
    /// At the start of a text.
    pub fn new(text: &'t str) -> Self {
        Self { text, bytes: 0, characters: 0 }
    }

    /// The place of a byte, which must not lie before the last one asked for.
    pub fn character(&mut self, byte: usize) -> usize {
        let between = self.text.get(self.bytes..byte).unwrap_or_default();
        self.characters += between.chars().count();
        self.bytes = self.bytes.max(byte);
        self.characters
    }
}

/// The words of a text, in lower case.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// How often each word stands in a text.
pub fn terms(text: &str) -> BTreeMap<String, u32> {
    let mut terms = BTreeMap::new();
    for word in words(text) {
        let count: &mut u32 = terms.entry(word).or_default();
        *count = count.saturating_add(1);
    }
    terms
}

/// At most so many characters on one line, for the eye.
pub fn short(text: &str, most: usize) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if folded.chars().count() <= most {
        return folded;
    }
    folded.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The last part of a path.
pub fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Whether more than every fourth letter of a text is none of ASCII: the rules read English, and a little beside it.
pub fn is_foreign(text: &str) -> bool {
    let letters = text.chars().filter(|letter| letter.is_alphabetic());
    let (all, foreign) =
        letters.fold((0, 0), |(all, foreign), letter| (all + 1, foreign + i32::from(!letter.is_ascii())));
    foreign * 4 > all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_quotes_are_no_prose_and_every_character_keeps_its_place() {
        let text = "Ünter `let x = 1` we?\n```\nare you sure\n```\n> I disagree\nfn main() {\nyes ` no";
        let prose = prose(text);
        assert_eq!(prose.chars().count(), text.chars().count());
        assert_eq!(words(&prose).collect::<Vec<_>>(), ["ünter", "we", "yes", "no"]);
    }

    #[test]
    fn places_are_counted_in_characters() {
        let mut places = Places::new("äöü abc");
        assert_eq!([0, 2, 7].map(|byte| places.character(byte)), [0, 1, 4]);
        assert_eq!(places.character(99), 4);
    }

    #[test]
    fn of_a_long_text_the_ends_stay() {
        assert_eq!(ends("ääääää", 3), "ä\n…\nä");
        assert_eq!(ends("short", 3), "short");
    }
}
