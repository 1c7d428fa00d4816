//! Whether a message asks for what cannot be taken back.
//!
//! Three looks: at deeds and their objects in one clause, in English and German (`deeds`); at command lines, by the kernel's
//! table of what commands do (`commands`); at orders in other languages, as debates know them. A first look and no fence: it
//! knows words, no meaning; a resident itself only writes, and what is irreversible is asked for where it is done (Law 1,
//! decision 64). A message that only warns of a deed is taken for one that asks for it.

mod commands;
mod deeds;

use annals_kernel::lookalike::plain;
use annals_rules::domain::dialectic::at_stake_abroad;

/// What is grave as it stands, one word after the other.
const PHRASES: &[&[&str]] = &[
    &["start", "over"],
    &["force", "push"],
    &["force-push"],
    &["force-pushed"],
    &["push", "--force"],
    &["push", "-f"],
    &["push", "--force-with-lease"],
    &["reset", "--hard"],
    &["clean", "-fd"],
    &["clean", "-fdx"],
    &["mkfs"],
    &["shred"],
    &["wipe", "it"],
    &["shut", "it", "down"],
    &["go", "live"],
    &["drop", "table"],
    &["delete", "from"],
    &["system", "prune"],
    &["volume", "prune"],
    &["prune", "-a"],
    &["prune", "-af"],
];

/// Whether a message asks for something that cannot be taken back.
pub fn is_destructive(message: &str) -> bool {
    let visible = plain(message);
    let clauses = visible.split([';', '!', '?', ',', '\n', '\r']).flat_map(sentences);
    let is_grave = |clause: &str| {
        let tokens = tokens(clause);
        let has_phrase = |phrase: &&[&str]| tokens.windows(phrase.len()).any(|window| window == *phrase);
        PHRASES.iter().any(has_phrase) || removes_trees(&tokens) || deeds::is_grave(&tokens)
    };
    clauses.into_iter().any(is_grave)
        || commands::has_effect(message)
        || message.lines().any(|line| at_stake_abroad(line).is_some())
}

/// A full stop ends one only where no letter follows at once: `.git` and `a.rs` are names.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let whole = rest?;
        let is_end = |(at, _): &(usize, &str)| !whole[at + 1..].starts_with(char::is_alphanumeric);
        match whole.match_indices('.').find(is_end) {
            Some((at, _)) => {
                rest = Some(&whole[at + 1..]);
                Some(&whole[..at])
            }
            None => rest.take(),
        }
    })
}

/// `rm -rf`, in any of its spellings.
fn removes_trees(tokens: &[&str]) -> bool {
    let behind = tokens.iter().skip_while(|token| **token != "rm");
    behind.take(4).any(|token| *token == "--recursive" || token.starts_with('-') && token.contains('r'))
}

fn tokens(clause: &str) -> Vec<&str> {
    let parts = clause.split(|letter: char| !letter.is_alphanumeric() && letter != '-' && letter != '_');
    parts.filter(|part| !part.is_empty()).collect()
}
