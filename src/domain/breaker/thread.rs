//! What the breakers remember of a thread: hashes of what was said and cited in it, and how often it only echoed.
//!
//! Bounded: of a thread that is longer, the oldest is forgotten, so that what repeats it counts as new.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::gist::Gist;
use crate::kernel::base64;
use crate::kernel::grounding::{Checked, FileReference};
use crate::kernel::id::EntryId;
use crate::kernel::mix::mix;
use crate::kernel::rows::Ranked;

/// So many words, and so many runs, numbers, paths and names of a thread are remembered.
const MOST_HASHES: usize = 4096;
/// So many places in files, and so many turns that brought one.
const MOST_PLACES: usize = 256;

/// A thread, as far as the breakers need it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Thread {
    /// Words of content.
    #[serde(skip_serializing_if = "Hashes::is_empty")]
    words: Hashes,
    /// Runs of them, numbers, paths and names.
    #[serde(skip_serializing_if = "Hashes::is_empty")]
    units: Hashes,
    /// Places in files that were there when somebody cited them.
    #[serde(skip_serializing_if = "Hashes::is_empty")]
    places: Hashes,
    /// The turns that cited one first, the latest last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    grounded: Vec<EntryId>,
    /// Texts that only echoed, since the last freeze.
    #[serde(skip_serializing_if = "is_none")]
    pub echoes: u32,
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

impl Ranked for Thread {
    fn rank(&self) -> i64 {
        0
    }
}

/// What a text brings that its thread does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Novelty {
    /// Words of content.
    pub words: usize,
    /// Runs of them, numbers, paths and names.
    pub units: usize,
}

impl Thread {
    /// What a text brings.
    pub fn novelty(&self, gist: &Gist) -> Novelty {
        Novelty { words: self.words.missing(&gist.words), units: self.units.missing(&gist.units) }
    }

    /// Takes in what was said.
    pub fn hear(&mut self, gist: &Gist) {
        self.words.add(&gist.words, MOST_HASHES);
        self.units.add(&gist.units, MOST_HASHES);
    }

    /// Takes in what a turn cites.
    pub fn ground(&mut self, turn: EntryId, files: &[FileReference], checked: &[Checked]) {
        if !self.is_new_ground(files, checked) {
            return;
        }
        self.places.add(&places(files, checked), MOST_PLACES);
        self.grounded.push(turn);
        if self.grounded.len() > MOST_PLACES {
            self.grounded.remove(0);
        }
    }

    /// Whether files are cited, with lines that are there, that nobody cited in the thread (decision 10).
    pub fn is_new_ground(&self, files: &[FileReference], checked: &[Checked]) -> bool {
        self.places.missing(&places(files, checked)) > 0
    }

    /// Whether a turn brought evidence that was new then.
    pub fn is_grounded(&self, turn: EntryId) -> bool {
        self.grounded.contains(&turn)
    }
}

/// Places in files that are there: the path and the lines.
fn places(files: &[FileReference], checked: &[Checked]) -> BTreeSet<u32> {
    let found = files.iter().zip(checked).filter(|(_, checked)| checked.escape.is_none() && checked.is_verified());
    let place = |(file, _): (&FileReference, &Checked)| {
        let lines = file.lines.map(|lines| lines.to_string()).unwrap_or_default();
        (mix(mix(0, file.path.as_bytes()), lines.as_bytes()) >> 32) as u32
    };
    found.filter(|(file, _)| file.lines.is_some() || file.quote.is_some()).map(place).collect()
}

/// Hashes, the oldest first; written as base64 of four bytes each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Hashes(Vec<u32>);

impl Hashes {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn missing(&self, others: &BTreeSet<u32>) -> usize {
        let known: BTreeSet<_> = self.0.iter().collect();
        others.iter().filter(|hash| !known.contains(hash)).count()
    }

    fn add(&mut self, others: &BTreeSet<u32>, most: usize) {
        let known: BTreeSet<_> = self.0.iter().copied().collect();
        self.0.extend(others.difference(&known));
        let over = self.0.len().saturating_sub(most);
        self.0.drain(..over);
    }
}

impl Serialize for Hashes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = self.0.iter().flat_map(|hash| hash.to_be_bytes()).collect();
        serializer.serialize_str(&base64::encode(&bytes))
    }
}

impl<'de> Deserialize<'de> for Hashes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = base64::decode(&text).ok_or_else(|| serde::de::Error::custom("hashes are base64"))?;
        let (hashes, _) = bytes.as_chunks::<4>();
        Ok(Self(hashes.iter().map(|bytes| u32::from_be_bytes(*bytes)).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_read_as_it_was_written_and_an_empty_one_is_nothing() {
        let mut thread = Thread::default();
        assert_eq!(serde_json::to_string(&thread).expect("written"), "{}");
        thread.hear(&Gist::of("The pump of chapter 3 fails in src/pump.rs"));
        let text = serde_json::to_string(&thread).expect("written");
        assert_eq!(serde_json::from_str::<Thread>(&text).expect("read"), thread);
    }

    #[test]
    fn a_long_thread_forgets_its_oldest_words() {
        let mut thread = Thread::default();
        let word = |number: usize| format!("{}{}", "a".repeat(number % 90 + 3), "b".repeat(number / 90 + 1));
        let all: Vec<String> = (0..MOST_HASHES + 10).map(word).collect();
        for part in all.chunks(1000) {
            thread.hear(&Gist::of(&part.join(" ")));
        }
        assert_eq!(thread.words.0.len(), MOST_HASHES);
        let lost = all[..1000].iter().filter(|word| thread.novelty(&Gist::of(word)).words > 0).count();
        assert_eq!(lost, 10);
    }
}
