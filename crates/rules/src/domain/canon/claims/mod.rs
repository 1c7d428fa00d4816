//! Finds claims in a text by rules, without a model (decision 19).
//!
//! Prefers to miss a claim to making one up: pronouns are not resolved, and what is asked, hoped, feared or said by a
//! character is no claim. English only; front matter (`claims:`) works in any language.

mod matter;
mod phrase;
mod rules;
mod sentence;
#[cfg(test)]
mod tests;
mod words;

use super::claim::Claim;
use annals_kernel::cut::head;

/// A longer text is read as far as this, in bytes.
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// A longer sentence is a table or a listing.
const MOST_WORDS: usize = 60;

/// All claims of a text, each once, in their order: those of its front matter, then those of its sentences.
pub fn extract(text: &str) -> Vec<Claim> {
    let (mut claims, body) = matter::read(head(text, MOST_BYTES));
    for sentence in sentence::split(body) {
        let words = sentence::words(&sentence);
        if words.len() <= MOST_WORDS && !words::is_doubtful(&words) {
            claims
                .extend(rules::claims(&words).into_iter().map(|claim| Claim { said: Some(said(&sentence)), ..claim }));
        }
    }
    unlike(claims)
}

fn said(sentence: &str) -> Box<str> {
    sentence.split_whitespace().collect::<Vec<_>>().join(" ").into()
}

/// Each claim once; the first that says it.
fn unlike(claims: Vec<Claim>) -> Vec<Claim> {
    let mut seen = std::collections::BTreeSet::new();
    let key = |claim: &Claim| (claim.fact(), super::claim::normal(&claim.value));
    claims.into_iter().filter(|claim| claim.is_whole() && seen.insert(key(claim))).collect()
}
