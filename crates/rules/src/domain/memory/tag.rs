//! Tags: what a megram is about, as a pair of space and entity (artoo R5, tag conventions).

use super::refusal::Refusal;

/// The longest tag, in characters.
pub(crate) const TAG_CHARS: usize = 300;
/// Stands between the parts of a row's key; no tag can hold it.
pub(crate) const SEPARATOR: char = '\u{1f}';
/// The entity of what is learnt about an intent.
pub const LOCAL: &str = "env:local";

/// The key of a pair's row.
pub fn key(space: &str, entity: &str) -> String {
    format!("{space}{SEPARATOR}{entity}")
}

/// The space of a tool.
pub fn tool(name: &str) -> String {
    format!("tool:{name}")
}

/// The entity of what a tool was used on.
pub fn path(target: &str) -> String {
    format!("path:{target}")
}

/// The space of an intent: its first three words, whatever their letters (decision 36).
pub fn intent(text: &str) -> String {
    const WORDS: usize = 3;
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || is_mark(letter);
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !is_part(letter)).filter(|word| !word.is_empty());
    format!("intent:{}", words.take(WORDS).collect::<Vec<_>>().join("_"))
}

/// Marks that belong to the letter before them and are no letters themselves: accents, vowel signs, joiners.
fn is_mark(letter: char) -> bool {
    matches!(letter,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{981}'..='\u{983}'
        | '\u{9bc}'..='\u{9cd}' | '\u{bbe}'..='\u{bcd}' | '\u{c3e}'..='\u{c56}' | '\u{d3e}'..='\u{d4d}'
        | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{200c}' | '\u{200d}' | '\u{20d0}'..='\u{20ff}' | '\u{3099}' | '\u{309a}')
}

/// Whether a tag can stand in a key and in a line of a table.
pub(super) fn checked(what: &'static str, tag: &str) -> Result<(), Refusal> {
    let most = TAG_CHARS;
    let is_plain = tag.chars().all(|letter| !letter.is_control());
    let is_short = (1..=most).contains(&tag.chars().count());
    if is_plain && is_short { Ok(()) } else { Err(Refusal::BadTag { what, most }) }
}
