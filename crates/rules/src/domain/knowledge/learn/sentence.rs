//! A text as sentences, a sentence as words.

use annals_kernel::own_words::{asks, looks_like_code};

/// A longer sentence is a document.
const MOST_WORDS: usize = 50;

/// A sentence as it is written, and its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    /// White space folded, without what only leads to it.
    pub text: String,
    /// Its words.
    pub words: Vec<SentenceWord>,
    /// Whether it asks.
    pub is_question: bool,
}

/// A word in lower case, without what stands around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SentenceWord {
    pub lower: String,
    /// Whether something ends behind it: a comma, a colon, a dash.
    pub is_end: bool,
}

impl Sentence {
    /// The word at a place; nothing there is the empty word.
    pub(super) fn at(&self, place: usize) -> &str {
        self.words.get(place).map_or("", |word| &word.lower)
    }

    /// Whether it begins with these words.
    pub(super) fn begins(&self, words: &str) -> bool {
        self.holds_at(0, words)
    }

    /// Whether these words stand at a place.
    pub(super) fn holds_at(&self, place: usize, words: &str) -> bool {
        words.split(' ').enumerate().all(|(number, word)| self.at(place + number) == word)
    }

    /// Whether it ends with these words.
    pub(super) fn ends(&self, words: &str) -> bool {
        let count = words.split(' ').count();
        self.words.len() >= count && self.holds_at(self.words.len() - count, words)
    }

    /// Where these words stand first.
    pub(super) fn find(&self, words: &str) -> Option<usize> {
        (0..self.words.len()).find(|place| self.holds_at(*place, words))
    }

    /// Whether something ends behind the word at a place.
    pub(super) fn ends_at(&self, place: usize) -> bool {
        self.words.get(place).is_some_and(|word| word.is_end)
    }
}

/// The sentences of a text that can be read as such.
pub(super) fn split(text: &str) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    for block in blocks(text) {
        for part in parts(&block) {
            sentences.extend(read(part));
        }
    }
    sentences
}

/// Lines that belong together: a line that is broken goes on where the next begins small.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines().map(|line| line.trim().trim_end_matches('\\')) {
        let (bare, is_item) = without_bullet(line);
        let is_small = bare.chars().next().is_some_and(char::is_lowercase);
        match blocks.last_mut().filter(|_| goes_on && !is_item && is_small) {
            Some(block) => {
                block.push(' ');
                block.push_str(bare);
            }
            None => blocks.push(bare.to_owned()),
        }
        goes_on = !line.is_empty() && !line.ends_with(['.', '!', '?', ':']);
    }
    blocks
}

/// A line without its bullet or number, and whether it had one.
fn without_bullet(line: &str) -> (&str, bool) {
    let plain = ["- ", "* ", "• ", "– "].iter().find_map(|bullet| line.strip_prefix(bullet));
    let numbered = || {
        let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let rest = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))?;
        (rest.len() < line.len() - 1).then_some(rest)
    };
    plain.or_else(numbered).map_or((line, false), |rest| (rest, true))
}

/// A block cut behind each stop that a space follows; never within backticks.
fn parts(block: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut is_quoted, mut before) = (0, false, ' ');
    for (at, letter) in block.char_indices() {
        is_quoted ^= letter == '`';
        let is_stop = matches!(before, '.' | '!' | '?') && letter.is_whitespace() && !is_quoted;
        if is_stop && !is_abbreviation(&block[start..at]) && !is_bare_no(&block[start..at]) {
            parts.push(&block[start..at]);
            start = at;
        }
        before = letter;
    }
    parts.push(&block[start..]);
    parts
}

/// "No." belongs to what comes behind it.
fn is_bare_no(text: &str) -> bool {
    matches!(text.trim().to_lowercase().as_str(), "no." | "no!" | "nope.")
}

fn is_abbreviation(text: &str) -> bool {
    ["e.g.", "i.e.", "etc.", "vs.", "cf."].iter().any(|end| text.to_lowercase().ends_with(end))
}

/// What leads to a sentence and says nothing.
const LEADS: &str = "also and ok okay so well but yes yeah yep sure great perfect cool thanks hmm hm oh wait sorry right plus then ah please pls now yup yea mmmk mmk k uh uhh agreed hmmm whoa dude man fwiw";

fn read(part: &str) -> Option<Sentence> {
    let mut tokens: Vec<&str> = part.split_whitespace().collect();
    while tokens.first().is_some_and(|token| is_in(LEADS, &bare(token)) || bare(token).is_empty()) {
        tokens.remove(0);
    }
    if !(3..=MOST_WORDS).contains(&tokens.len()) {
        return None;
    }
    let text = tokens.join(" ");
    let words: Vec<SentenceWord> = tokens.iter().map(|token| word(token)).collect();
    let at = |place: usize| words.get(place).map_or("", |word| word.lower.as_str());
    let is_question = text.ends_with('?') || asks(at(0), at(1));
    let is_readable = !looks_like_code(&text);
    is_readable.then_some(Sentence { text, words, is_question })
}

/// A token in lower case, without the signs around it; apostrophes are straight.
fn bare(token: &str) -> String {
    let trimmed = token.trim_matches(|letter: char| !letter.is_alphanumeric() && !"`_'’/@#".contains(letter));
    trimmed.to_lowercase().replace('’', "'").trim_matches('\'').to_owned()
}

fn word(token: &str) -> SentenceWord {
    SentenceWord { lower: bare(token), is_end: token.ends_with([',', ';', ':', '.', '!', ')', '-', '–', '—']) }
}

pub(super) fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}
