//! What the breakers remember of a thread: hashes of what was said and cited in it, and how often it only echoed.
//!
//! Bounded: of a thread that is longer, the oldest is forgotten, so that what repeats it counts as new.

use std::collections::BTreeSet;

use annals_sparse::sparse;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::gist::Gist;
use annals_kernel::base64;
use annals_kernel::grounding::{Checked, FileReference};
use annals_kernel::id::EntryId;
use annals_kernel::mix::mix;
use annals_kernel::rows::Ranked;

/// So many words, and so many runs, numbers, paths and names of a thread are remembered.
const MOST_HASHES: usize = 4096;
/// So many places in files, and so many turns that brought one.
const MOST_PLACES: usize = 256;
/// So many places of one file are new in a thread.
// Line by line through one file two agents could otherwise alternate for ever, and one could echo: a third place needs
// another file.
const MOST_NEW_PLACES: usize = 2;

/// A thread, as far as the breakers need it.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Thread {
    /// Words of content.
    #[sparse]
    words: Hashes,
    /// Runs of them, numbers, paths and names.
    #[sparse]
    units: Hashes,
    /// Places in files that were there when somebody cited them.
    #[sparse]
    places: Hashes,
    /// Files that were cited so, by path and by content, each as often as it was new.
    #[sparse]
    files: Hashes,
    /// The turns that cited one first, the latest last.
    grounded: Vec<EntryId>,
    /// Texts that only echoed, since the last freeze.
    #[sparse]
    pub echoes: u32,
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
        for place in found(files, checked) {
            if let Some(times) = self.times_new(&place) {
                self.files.add(&place.files.iter().map(|file| numbered(*file, times + 1)).collect(), MOST_PLACES);
            }
            self.places.add(&BTreeSet::from([place.hash]), MOST_PLACES);
        }
        self.grounded.push(turn);
        if self.grounded.len() > MOST_PLACES {
            self.grounded.remove(0);
        }
    }

    /// Whether files are cited, with lines that are there, that nobody cited in the thread (decision 10). A second place
    /// of a file is new, too; a third is not, so that nobody walks through a file line by line.
    pub(crate) fn is_new_ground(&self, files: &[FileReference], checked: &[Checked]) -> bool {
        found(files, checked).any(|place| self.times_new(&place).is_some())
    }

    /// How often the file of a place brought something new before; none where this place brings nothing.
    fn times_new(&self, place: &FilePlace) -> Option<usize> {
        let brought = |times: usize| place.files.iter().any(|file| self.files.has(numbered(*file, times)));
        let times = (1..=MOST_NEW_PLACES).rev().find(|times| brought(*times)).unwrap_or_default();
        (times < MOST_NEW_PLACES && !self.places.has(place.hash)).then_some(times)
    }

    /// Whether a turn brought evidence that was new then.
    pub(crate) fn is_grounded(&self, turn: EntryId) -> bool {
        self.grounded.contains(&turn)
    }
}

/// A place in a file that is there.
struct FilePlace {
    /// Of the path and the lines.
    hash: u32,
    /// Of the path, and of the content, which may stand under other paths, too.
    files: Vec<u64>,
}

/// The places that are there, of files with lines or a quote.
fn found<'c>(files: &'c [FileReference], checked: &'c [Checked]) -> impl Iterator<Item = FilePlace> + 'c {
    let both = files.iter().zip(checked);
    let found = both.filter(|(_, checked)| checked.escape.is_none() && checked.is_verified());
    found.filter(|(file, _)| file.lines.is_some() || file.quote.is_some()).map(|(file, checked)| place(file, checked))
}

fn place(file: &FileReference, checked: &Checked) -> FilePlace {
    let lines = file.lines.map(|lines| lines.to_string()).unwrap_or_default();
    let parts = file.path.split('/').filter(|part| !part.is_empty() && *part != ".");
    let path = parts.fold(0, |hash, part| mix(mix(hash, b"/"), part.as_bytes()));
    // A copy of a file under another path is nothing new.
    let content = checked.sha256.as_deref().map(|sha256| mix(mix(0, b"content"), sha256.as_bytes()));
    FilePlace { hash: upper(mix(path, lines.as_bytes())), files: std::iter::once(path).chain(content).collect() }
}

/// A file, as one that brought something new for this time.
fn numbered(file: u64, times: usize) -> u32 {
    upper(mix(file, times.to_string().as_bytes()))
}

fn upper(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Hashes, the oldest first; written as base64 of four bytes each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Hashes(Vec<u32>);

impl Hashes {
    fn has(&self, hash: u32) -> bool {
        self.0.contains(&hash)
    }

    /// Those that are not here: the few are looked up for each of the many, without a set of the many.
    fn unknown(&self, others: &BTreeSet<u32>) -> BTreeSet<u32> {
        // A set of the thread's 4,096 hashes was once built three times for every comment of a fold.
        let mut unknown = others.clone();
        for hash in &self.0 {
            unknown.remove(hash);
        }
        unknown
    }

    fn missing(&self, others: &BTreeSet<u32>) -> usize {
        self.unknown(others).len()
    }

    fn add(&mut self, others: &BTreeSet<u32>, most: usize) {
        self.0.extend(self.unknown(others));
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

    fn cited(path: &str, line: u32) -> FileReference {
        let lines = Some(annals_kernel::grounding::Lines { start: line, end: None });
        FileReference { path: path.into(), lines, quote: None }
    }

    fn there(path: &str, content: &str) -> Checked {
        let sha256 = Some(content.into());
        Checked { path: path.into(), exists: true, lines_valid: true, sha256, ..Checked::default() }
    }

    /// Decision 10: line by line through a file brings nothing new.
    #[test]
    fn two_places_of_a_file_are_new_and_further_ones_are_not() {
        let mut thread = Thread::default();
        let mut brings = |path: &str, line: u32, content: &str| {
            let (file, checked) = ([cited(path, line)], [there(path, content)]);
            let is_new = thread.is_new_ground(&file, &checked);
            thread.ground(EntryId::MIN, &file, &checked);
            is_new
        };
        let news: Vec<_> = [1, 1, 2, 3, 4, 5, 90].map(|line| brings("src/lib.rs", line, "a")).into();
        assert_eq!(news, [true, false, true, false, false, false, false]);
        assert!(brings("src/main.rs", 1, "b"), "another file");
        for (path, content) in [("./src//lib.rs", "a"), ("src/lib.rs", "changed"), ("copy.rs", "a")] {
            assert!(!brings(path, 7, content), "{path} is the same file");
        }
    }

    /// Several places in one turn count as they would in several.
    #[test]
    fn a_list_of_lines_uses_up_a_file() {
        let (mut thread, lines) = (Thread::default(), [1, 2, 3].map(|line| cited("a.rs", line)));
        let checked = [1, 2, 3].map(|_| there("a.rs", "a"));
        thread.ground(EntryId::MIN, &lines, &checked);
        assert!(!thread.is_new_ground(&[cited("a.rs", 4)], &checked));
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
