//! Names in a text: what stands in backticks, files, identifiers, names with capitals.
//!
//! By form alone: knows no list of libraries or people. Prefers to miss a name to taking a word for one.

use std::collections::BTreeSet;

use annals_kernel::cut::head;

/// More names of one text are not kept.
pub(crate) const MOST_ENTITIES: usize = 16;
/// A longer name is none.
pub(crate) const MOST_CHARS: usize = 80;
/// A longer text is read as far as this, in bytes.
const READ_BYTES: usize = 64 * 1024;

/// A name without its accidents: what two names are compared by.
pub(crate) fn key(name: &str) -> Box<str> {
    name.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ").into()
}

/// Whether somebody may give such a name.
pub(crate) fn is_a_name(name: &str) -> bool {
    let length = name.chars().count();
    (1..=MOST_CHARS).contains(&length) && !name.trim().is_empty() && !name.chars().any(char::is_control)
}

/// Names, each once, as they were first written.
pub(crate) fn unlike<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<Box<str>> {
    let mut known = BTreeSet::new();
    let trimmed = names.into_iter().map(str::trim).filter(|name| is_a_name(name));
    trimmed.filter(|name| known.insert(key(name))).map(Box::from).take(MOST_ENTITIES).collect()
}

/// The names in a text, in their order.
pub(crate) fn find(text: &str) -> Vec<Box<str>> {
    let mut names: Vec<&str> = Vec::new();
    for (number, part) in head(text, READ_BYTES).split('`').enumerate() {
        // Between the first and the second backtick stands a name, between the second and the third does not.
        let is_quoted = number % 2 == 1;
        if is_quoted {
            names.extend(Some(part.trim()).filter(|name| is_quotable(name)));
        } else {
            names.extend(plain(part));
        }
    }
    unlike(names)
}

fn is_quotable(name: &str) -> bool {
    is_a_name(name) && name.split_whitespace().count() <= 3
}

/// Names that stand without backticks.
fn plain(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut begins = true;
    let mut capital: Option<(usize, usize)> = None;
    for (start, word) in words(text) {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && !"/_@#.-".contains(letter));
        let bare = bare.trim_end_matches(['.', '-', '/']).trim_start_matches('-');
        let bare = bare.strip_suffix("'s").unwrap_or(bare);
        let ends = word.ends_with(['.', '!', '?', ':', ';', ',', ')']);
        if is_technical(bare) {
            names.extend(capital.take().map(|(from, to)| &text[from..to]));
            names.push(bare);
        } else if is_capital(bare) && !begins {
            let at = start + word.find(bare).unwrap_or_default();
            let from = capital.map_or(at, |(from, _)| from);
            capital = Some((from, at + bare.len()));
        } else {
            names.extend(capital.take().map(|(from, to)| &text[from..to]));
        }
        if ends {
            names.extend(capital.take().map(|(from, to)| &text[from..to]));
        }
        begins = word.ends_with(['.', '!', '?', ':', '\u{2022}']) || matches!(word, "-" | "*" | "–" | "—");
    }
    names.extend(capital.take().map(|(from, to)| &text[from..to]));
    names
}

/// Words and where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// A file, a path, an identifier, a package, an issue.
fn is_technical(word: &str) -> bool {
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    if letters < 2 || word.chars().count() > MOST_CHARS || word.contains("//") {
        return false;
    }
    is_file(word) || is_identifier(word) || word.starts_with('@') && word.len() > 2
}

/// `parser.rs`, `src/lib`, `docs/a.md`.
fn is_file(word: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && part.chars().all(|letter| letter.is_alphanumeric() || "_-.".contains(letter));
    let has_ending = word.rsplit_once('.').is_some_and(|(stem, ending)| {
        let is_ending = (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_ending && ending.bytes().any(|byte| byte.is_ascii_alphabetic()) && stem.chars().any(char::is_alphanumeric)
    });
    let parts: Vec<&str> = word.trim_start_matches("./").trim_start_matches('/').split('/').collect();
    let is_path = parts.len() > 2 && parts.iter().all(|part| is_part(part));
    let is_named = has_ending && parts.iter().all(|part| is_part(part)) && !is_abbreviation(word);
    is_path || is_named
}

/// "e.g", "i.e": dots between single letters.
fn is_abbreviation(word: &str) -> bool {
    word.split('.').all(|part| part.chars().count() <= 1)
}

/// `send_with_retries`, `GitTemporaryDirectory`, `--no-git`.
fn is_identifier(word: &str) -> bool {
    let plain = word.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '.');
    let snake = word.trim_matches('_').contains('_');
    let mut letters = word.chars();
    let mut before = letters.next();
    let camel = letters.any(|letter| {
        let is_hump = letter.is_uppercase() && before.is_some_and(char::is_lowercase);
        before = Some(letter);
        is_hump
    });
    plain && (snake || camel)
}

/// "Postgres", "API", "MQTT"; not "I", and nothing that stands for the speaker.
fn is_capital(word: &str) -> bool {
    let mut letters = word.chars();
    let is_upper = letters.next().is_some_and(char::is_uppercase);
    let is_plain = word.chars().all(|letter| letter.is_alphanumeric() || "-_.".contains(letter));
    is_upper
        && letters.next().is_some()
        && is_plain
        && !matches!(word, "OK" | "Ok" | "PLEASE" | "NOT" | "NEVER" | "ALWAYS")
}
