//! A query: the words and names that are looked for, and which entries the index names for them.
//!
//! Opens rows of the index, and no entry.

use std::collections::{BTreeMap, BTreeSet};

use super::command::Retrieve;
use super::index::Posting;
use super::settings::STOP_WORDS;
use super::state::State;
use super::{entity, text};
use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;

/// More keywords of one query are not looked for.
const MOST_KEYWORDS: usize = 32;
/// In so many words of a query names are looked for.
const MOST_TOKENS: usize = 64;
/// A longer phrase is no name.
const NAME_WORDS: usize = 3;

/// A query as it is looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Query {
    /// Words that are no stop words.
    pub keywords: Vec<Keyword>,
    /// Names that are known, as they are written.
    pub names: Vec<Box<str>>,
    /// Words and names of which the index names only the latest entries.
    pub cut: Vec<Box<str>>,
    /// What the index says of each entry.
    pub shared: BTreeMap<EntryId, Shared>,
    /// Whether any keyword is in the index.
    pub holds_known_words: bool,
}

/// A word that is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Keyword {
    /// As the index has it.
    pub stem: Box<str>,
    /// As it was written.
    pub written: Box<str>,
}

/// How much an entry shares with a query, as the index says: first what is rare, then all of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shared {
    /// Of words and names that the index has in full.
    rare: u64,
    all: u64,
}

impl Query {
    /// Reads a query; a name counts for so many words.
    pub(super) fn read(state: &State, ask: &Retrieve, settings: &Settings, weight: u64) -> Self {
        let stops: BTreeSet<Box<str>> = settings.get(&STOP_WORDS).into_iter().collect();
        let is_stop = |(stem, written): &(Box<str>, Box<str>)| stops.contains(stem) || stops.contains(written);
        let terms = text::terms(&ask.query).into_iter().filter(|term| !is_stop(term)).take(MOST_KEYWORDS);
        let keywords = terms.map(|(stem, written)| Keyword { stem, written }).collect();
        let mut query = Self { keywords, ..Self::default() };
        query.find_names(state, ask, &stops, weight);
        for number in 0..query.keywords.len() {
            let Keyword { stem, written } = query.keywords[number].clone();
            let Some(posting) = state.words.get(&stem) else { continue };
            query.holds_known_words = true;
            query.share(posting, &written, 1);
        }
        query
    }

    fn share(&mut self, posting: &Posting, word: &str, weight: u64) {
        let is_cut = posting.is_cut();
        self.cut.extend(is_cut.then(|| word.into()));
        for id in &posting.ids {
            let shared = self.shared.entry(*id).or_default();
            shared.all += weight;
            // A word of which the index has dropped entries stands nearly everywhere: it must not hide what is rare.
            shared.rare += if is_cut { 0 } else { weight };
        }
    }

    /// Names that were given, and phrases of the query that are names of something known.
    fn find_names(&mut self, state: &State, ask: &Retrieve, stops: &BTreeSet<Box<str>>, weight: u64) {
        let given = entity::unlike(ask.entities.iter().map(|name| &**name));
        let keys = given.iter().map(|name| entity::key(name)).chain(phrases(&ask.query, stops));
        let mut known = BTreeSet::new();
        for key in keys.filter(|key| known.insert(key.clone())) {
            let Some(posting) = state.entities.get(&key) else { continue };
            let name = posting.name.clone().unwrap_or(key);
            self.share(posting, &name, weight);
            self.names.push(name);
        }
    }
}

/// One to three words of a query that stand together.
fn phrases(query: &str, stops: &BTreeSet<Box<str>>) -> Vec<Box<str>> {
    let bare = |word: &str| -> String {
        word.trim_matches(|letter: char| !letter.is_alphanumeric() && !"_@#/".contains(letter)).to_lowercase()
    };
    let tokens: Vec<String> =
        query.split_whitespace().take(MOST_TOKENS).map(bare).filter(|token| !token.is_empty()).collect();
    let mut phrases = Vec::new();
    for length in (1..=NAME_WORDS).rev() {
        for window in tokens.windows(length) {
            let is_stop = length == 1 && stops.contains(window[0].as_str());
            if !is_stop {
                phrases.push(window.join(" ").into());
            }
        }
    }
    phrases
}
