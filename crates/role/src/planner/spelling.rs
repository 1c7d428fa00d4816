//! Texts as they are compared, so that another spelling of the same input is the same: `./a`, `a//b`, `x/../a`, `A`, `"a"`,
//! `src\a`, full-width letters, letters that are not seen.
//!
//! Compares words, and knows no files: what a pattern, a variable or a change of folders comes to is not seen.

use unicode_normalization::UnicodeNormalization;

use super::between::is_quote;

/// A text, word by word.
#[derive(Debug, Clone, Default)]
pub(super) struct Spelling {
    words: Vec<SpelledWord>,
    /// What stands between quotes, and what stands around them: each as it is compared.
    between_quotes: Vec<String>,
    key: String,
}

#[derive(Debug, Clone)]
pub(super) struct SpelledWord {
    pub(super) text: String,
    /// Whether a clause begins with it.
    pub(super) opens: bool,
    /// Whether a colon or a bracket follows, as behind the name of what is called.
    pub(super) calls: bool,
}

/// What a clause begins behind, beside punctuation.
const OPENERS: &[&str] = &[
    "and", "by", "can", "finally", "first", "let", "lets", "must", "next", "now", "or", "please", "shall", "should",
    "then", "through", "to", "via", "will", "with", "would", "you",
];
/// What puts a word to use that may also be no more than a word.
const USES: &[&str] = &[
    "call", "cat", "edit", "execute", "fetch", "find", "for", "get", "glob", "grep", "list", "ls", "load", "open",
    "path", "query", "read", "run", "search", "try", "use", "using", "with", "write",
];
/// So many words before it are looked at.
const USE_REACH: usize = 3;

impl Spelling {
    pub(super) fn of(text: &str) -> Self {
        let folded = folded(text);
        let words = spelled(&folded);
        let has_quotes = folded.contains(is_quote);
        let parts = folded.split(is_quote).filter(|_| has_quotes).map(|part| key(&spelled(part), part));
        Self { between_quotes: parts.filter(|part| !part.is_empty()).collect(), key: key(&words, &folded), words }
    }

    pub(super) fn words(&self) -> &[SpelledWord] {
        &self.words
    }

    /// What stands between quotes.
    pub(super) fn between_quotes(&self) -> &[String] {
        &self.between_quotes
    }

    /// Whether an input or a command line holds a target: of a word that is only letters, anywhere but where the program
    /// stands.
    pub(super) fn takes(&self, target: &Self) -> bool {
        let holds = |at: &usize| !target.is_plain() || !self.words[*at].opens;
        self.key == target.key || self.places(target).any(|at| holds(&at)) || self.quotes(target)
    }

    /// Whether prose puts a target to use. A word that is only letters is often no more than a word: it counts between
    /// quotes, and behind a word of use.
    pub(super) fn uses(&self, target: &Self) -> bool {
        let is_used = |at: usize| {
            let before = &self.words[at.saturating_sub(USE_REACH)..at];
            before.iter().any(|word| USES.contains(&word.text.as_str()))
        };
        self.quotes(target) || self.places(target).any(|at| !target.is_plain() || is_used(at))
    }

    fn quotes(&self, target: &Self) -> bool {
        self.between_quotes.contains(&target.key)
    }

    /// Where the words of a target stand, one behind the other.
    fn places<'s>(&'s self, target: &'s Self) -> impl Iterator<Item = usize> + 's {
        let length = target.words.len();
        let windows = self.words.windows(length.max(1)).enumerate().filter(move |_| length > 0);
        let is_same = |window: &[SpelledWord]| {
            window.iter().zip(&target.words).all(|(word, wanted)| is_same_path(&word.text, &wanted.text))
        };
        windows.filter(move |(_, window)| is_same(window)).map(|(at, _)| at)
    }

    fn is_plain(&self) -> bool {
        matches!(self.words.as_slice(), [word] if word.text.chars().all(char::is_alphabetic))
    }
}

/// Whether two inputs of a tool are the same but for detours of paths, quotes and white space.
pub(crate) fn is_same_input(one: &str, other: &str) -> bool {
    let (one, other) = (tidy_input(one), tidy_input(other));
    let (one, other): (Vec<_>, Vec<_>) = (one.split(' ').collect(), other.split(' ').collect());
    let is_same = |(one, other): (&&str, &&str)| is_same_path(one, other) || is_same_path(other, one);
    one.len() == other.len() && one.iter().zip(&other).all(is_same)
}

/// An input without detours, quotes and more than one blank.
pub(super) fn tidy_input(text: &str) -> String {
    let bare: String = text.chars().filter(|letter| !is_quote(*letter) && *letter != '\\').collect();
    let tidy = |word: &str| if word.contains('/') { without_detours(word) } else { word.to_owned() };
    bare.split_whitespace().map(tidy).collect::<Vec<_>>().join(" ")
}

/// Equal, or one of them from a root on that is not known here, and the other its end.
fn is_same_path(word: &str, wanted: &str) -> bool {
    let ends = |whole: &str, end: &str| {
        let rest = whole.starts_with(['/', '~', '$']).then(|| whole.strip_suffix(end)).flatten();
        !end.is_empty() && !end.starts_with(['/', '~', '$']) && rest.is_some_and(|rest| rest.ends_with('/'))
    };
    word == wanted || ends(word, wanted) || word.contains('/') && ends(wanted, word)
}

/// One form for letters that look alike by design, in small letters, without those that are not seen.
fn folded(text: &str) -> String {
    let is_seen = |letter: &char| !is_invisible(*letter) && (!letter.is_control() || letter.is_whitespace());
    text.nfkc().flat_map(char::to_lowercase).filter(is_seen).collect()
}

/// The words as one text; a text without words as it stands.
fn key(words: &[SpelledWord], folded: &str) -> String {
    if words.is_empty() {
        return folded.trim().to_owned();
    }
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn spelled(folded: &str) -> Vec<SpelledWord> {
    let mut speller = Speller { opens: true, ..Speller::default() };
    for letter in folded.chars() {
        if is_part(letter) {
            speller.word.push(letter);
        } else if !is_quote(letter) {
            speller.end_word(letter);
        }
    }
    speller.end_word('\n');
    without_schemes(speller.words)
}

/// An address is the same whichever way it is fetched.
fn without_schemes(mut words: Vec<SpelledWord>) -> Vec<SpelledWord> {
    let is_path: Vec<_> = words.iter().skip(1).map(|word| word.text.starts_with('/')).chain([false]).collect();
    let is_scheme = |word: &SpelledWord| word.calls && matches!(word.text.as_str(), "http" | "https" | "file" | "ftp");
    let mut is_path = is_path.into_iter();
    words.retain(|word| !(is_path.next().unwrap_or_default() && is_scheme(word)));
    words
}

#[derive(Default)]
struct Speller {
    words: Vec<SpelledWord>,
    word: String,
    opens: bool,
}

impl Speller {
    fn end_word(&mut self, behind: char) {
        let raw = std::mem::take(&mut self.word);
        let word = tidied(&raw);
        let is_word = word.contains(char::is_alphanumeric);
        if is_word {
            self.push(&word);
            self.words.last_mut().into_iter().for_each(|word| word.calls = matches!(behind, ':' | '('));
        }
        let breaks = raw.ends_with('.') || !raw.is_empty() && !is_word;
        self.opens |= breaks || !matches!(behind, ' ' | '\t');
    }

    /// Writing that parts no words stands apart from the paths in it: `读取src/a.rs文件`.
    fn push(&mut self, word: &str) {
        let mut is_ascii = word.starts_with(|letter: char| letter.is_ascii());
        let mut text = String::new();
        for letter in word.chars() {
            if letter.is_ascii() != is_ascii {
                is_ascii = letter.is_ascii();
                self.add(std::mem::take(&mut text));
            }
            text.push(letter);
        }
        self.add(text);
    }

    fn add(&mut self, text: String) {
        let opens = std::mem::take(&mut self.opens);
        self.opens = OPENERS.contains(&text.as_str());
        self.words.push(SpelledWord { text, opens, calls: false });
    }
}

/// A word without a full stop at its end, and as a path without detours.
fn tidied(word: &str) -> String {
    let mut plain = String::new();
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            // Windows parts folders so; shells and expressions only shield what follows.
            '\\' if letters.peek().is_some_and(|next| next.is_alphanumeric()) => plain.push('/'),
            '\\' => {}
            _ => plain.push(letter),
        }
    }
    let plain = plain.trim_end_matches('.');
    if plain.contains('/') { without_detours(plain) } else { plain.to_owned() }
}

/// A path without `//`, `.` and, as far as they lead back, `..`.
pub(super) fn without_detours(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '/' | '\\' | '*' | '~' | '+' | '#' | '%' | '$' | '^')
}

fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}
