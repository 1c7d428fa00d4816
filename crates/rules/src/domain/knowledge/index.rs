//! Which entries hold a word, a name or a text, so that a query opens no others.
//!
//! Rows are bounded: of a word that more entries hold, the latest are found by it, and it is counted on.

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::row::KnowledgeText;
use super::{entity, text};
use annals_kernel::id::EntryId;
use annals_kernel::rows::Ranked;

/// The most entries that one row names.
pub(crate) const MOST_IDS: usize = 512;

/// Entries that have something in common, the oldest first.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Posting {
    /// How many there ever were.
    pub count: u64,
    /// The latest of them.
    #[always]
    pub ids: Vec<EntryId>,
    /// As it was first written, where it is a name.
    pub name: Option<Box<str>>,
}

impl Posting {
    /// Takes in an entry. The latest stay, in whatever order they come.
    pub fn add(&mut self, id: EntryId) {
        let Err(place) = self.ids.binary_search(&id) else { return };
        self.count += 1;
        if self.ids.len() < MOST_IDS {
            self.ids.insert(place, id);
        } else if place > 0 {
            self.ids.insert(place, id);
            self.ids.remove(0);
        }
    }

    /// Takes out an entry.
    pub fn remove(&mut self, id: EntryId) {
        if let Ok(place) = self.ids.binary_search(&id) {
            self.ids.remove(place);
            self.count = self.count.saturating_sub(1);
        }
    }

    /// Whether it names fewer than there are.
    pub fn is_cut(&self) -> bool {
        usize::try_from(self.count).is_ok_and(|count| count > self.ids.len())
    }
}

impl Ranked for Posting {
    /// Those that most entries share first.
    fn rank(&self) -> i64 {
        i64::try_from(self.count).unwrap_or(i64::MAX)
    }
}

/// The words by which what is said is found: those of its text and of its names.
pub(crate) fn words_of(said: &KnowledgeText) -> Vec<Box<str>> {
    let names = said.entities.iter().chain(&said.about).map(|name| &**name);
    let all: Vec<&str> = std::iter::once(&*said.content).chain(names).collect();
    text::words(&all.join("\n"))
}

/// The names by which it is found.
pub(crate) fn names_of(said: &KnowledgeText) -> Vec<Box<str>> {
    entity::unlike(said.about.iter().chain(&said.entities).map(|name| &**name))
}
