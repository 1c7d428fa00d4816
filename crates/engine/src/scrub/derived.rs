//! What the rules make of a text and keep in its place: hashes by which a text is known, and what is left of an error.
//!
//! Whoever has the rest of a text can guess a short secret by such a hash; so they go with it.

use std::collections::BTreeSet;

use annals_kernel::fingerprint;
use annals_kernel::json::sha256_hex;
use annals_rules::domain::dialectic::identity;
use annals_rules::domain::knowledge::{KnowledgeKind, text};

/// A hash is kept with at least so many digits.
// The id of a task is the shortest of them (decision 24).
pub(super) const DIGITS: usize = 16;

/// Longer texts are known by no hash.
pub(super) const LONGEST: usize = 1 << 20;

/// Forms with fewer letters and digits tell nothing.
const LEAST_LETTERS: usize = 6;

/// Every hash that is made of a text, in the same order for every text; none where nothing is left of it.
pub(super) fn digests(of: &str) -> Vec<Option<String>> {
    let folded = of.split_whitespace().collect::<Vec<_>>().join(" ");
    // One for each way in which some part of the program hashes a text: with its blanks, without them, as a file,
    // folded, and as the name of a task.
    let texts = [of.to_owned(), of.trim().to_owned(), format!("{}\n", of.trim_end()), folded, identity::canonical(of)];
    let normal = text::normal(of);
    let kinds = KnowledgeKind::ALL
        .iter()
        .map(|kind| if normal.is_empty() { String::new() } else { format!("{kind}\n{normal}") });
    let hash = |text: String| (!text.trim().is_empty()).then(|| sha256_hex(text.as_bytes()));
    texts.into_iter().chain(kinds).map(hash).collect()
}

/// What is kept of an error.
pub(super) fn fingerprint(error: &str) -> String {
    fingerprint::of(error).into()
}

/// Forms of a value that hold all of its letters and digits, or its first words, as the name of an intent does.
pub(super) fn variants(value: &str) -> BTreeSet<String> {
    // As many as the slug of an intent has (decision 36).
    const INTENT_WORDS: usize = 3;
    let letters =
        |text: &str| text.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
    let own = letters(value);
    // A few letters among signs are found everywhere.
    let is_telling = own.chars().count() >= LEAST_LETTERS && own.chars().count() * 2 > value.chars().count();
    let words: Vec<_> = value.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let joined = ["-", "_", " ", ""].map(|between| words.join(between).to_lowercase());
    let forms = [fingerprint(value), identity::canonical(value), text::normal(value)];
    let whole = forms.into_iter().chain(joined).filter(|form| letters(form) == own && form.as_str() != value);
    let intent = (words.len() > INTENT_WORDS).then(|| words[..INTENT_WORDS].join("_").to_lowercase());
    let intent = intent.filter(|intent| letters(intent).chars().count() >= LEAST_LETTERS);
    whole.chain(intent).filter(|_| is_telling).collect()
}

/// What is kept of an error that held a value, where something of the value is kept with it.
pub(super) fn made_of(value: &str, error: &str) -> Option<String> {
    const LEAST: usize = 4;
    let (kept, made) = (fingerprint(value), fingerprint(error));
    (kept.len() >= LEAST && made.contains(' ') && made.contains(&kept)).then_some(made)
}
