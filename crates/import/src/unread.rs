//! Records of types that no importer knows: counted by type with their size, and the entry that says so.
//!
//! A tool's next version writes types of its own. What stands in them nobody has looked at, so that it is not stored
//! unasked; what was passed over is told in one entry a file (`import_note`). Does not decide whether they are kept.

use annals_kernel::record::Event;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::common::hash;
use super::entries::{EntryClock, EntryStep, Fields, Origin, Spot};
use super::tested::Version;
use super::{Draft, Kind, Unread};
use annals_kernel::time::Timestamp;

/// So many types are told apart; a source that names more is odd, and the others are counted together.
const KINDS: usize = 64;

/// The longest name of a type.
const KIND_CHARS: usize = 80;

/// How many records of a type there were, and how large they were together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Count {
    /// How many.
    pub count: u64,
    /// Bytes.
    pub bytes: u64,
}

/// Whether records of unknown types are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// As they are, without secrets.
    Whole,
    /// Only how many there were.
    Counts,
}

/// The records of unknown types of one source.
#[derive(Debug, Default)]
pub struct Tally {
    /// By type.
    pub kinds: BTreeMap<Box<str>, Count>,
    version: Option<Box<str>>,
    /// The session of the first, and the time of the last: a longer snapshot has another note.
    place: Option<(Box<str>, Timestamp)>,
}

impl Tally {
    /// Counts a record.
    pub fn add(&mut self, unread: &Unread) {
        let is_new = !self.kinds.contains_key(&unread.kind);
        let kind = if is_new && self.kinds.len() >= KINDS { "other".into() } else { unread.kind.clone() };
        let sum = self.kinds.entry(kind).or_default();
        sum.count += 1;
        sum.bytes += unread.bytes;
        let known = self.version.as_deref().map(Version::of);
        let newer = unread.version.as_ref().filter(|version| known < Some(Version::of(version)));
        self.version = newer.cloned().or_else(|| self.version.take());
        let first = self.place.take().map_or_else(|| unread.whole.source.session.clone(), |(first, _)| first);
        self.place = Some((first, unread.whole.at));
    }

    /// The entry that says what there was; `None` where every type is known.
    pub fn note(&self, kind: Kind, file: &str, keeping: Keeping) -> Option<Draft> {
        let (session, at) = self.place.as_ref()?;
        let origin = Origin::new(kind.as_str(), session, file);
        let input = Fields::new()
            .with("tool", kind.as_str())
            .some("version", self.version.as_deref())
            .with("file", &origin.file)
            .some("kept", (keeping == Keeping::Whole).then_some(&true))
            .with("records", &self.kinds);
        let record = format!("{}/{}", Event::ImportNote.name(), hash(input.clone().json().text())).into();
        Some(
            EntryStep::event(Event::ImportNote, input)
                .at(&origin, Spot { at: *at, clock: EntryClock::Tool, record, line: None }),
        )
    }
}

/// A type as it may be written down: a name, not a text.
pub fn label(kind: &str) -> Box<str> {
    // What a newer version puts into a type nobody has looked at: it may be a person's own words.
    let fits = |char: &char| char.is_ascii_alphanumeric() || "_-./:$".contains(*char);
    let label: String = kind.chars().filter(fits).take(KIND_CHARS).collect();
    if label.is_empty() { "without a type".into() } else { label.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unread(kind: &str, version: &str, second: i64) -> Unread {
        let origin = Origin::new("codex", "s1", "/home/ada/a.jsonl");
        let at = Timestamp::from_millis(second * 1000);
        let whole = EntryStep::unknown("{}")
            .at(&origin, Spot { at, clock: EntryClock::Tool, record: "r".into(), line: Some(1) });
        Unread { kind: label(kind), bytes: 10, version: Some(version.into()), whole }
    }

    #[test]
    fn a_note_says_what_there_was_and_of_which_version() {
        let mut tally = Tally::default();
        assert_eq!(tally.note(Kind::Codex, "a.jsonl", Keeping::Counts), None);
        for (kind, version) in [("b", "0.9.0"), ("a/x", "0.10.0"), ("b", "0.9.1")] {
            tally.add(&unread(kind, version, 1));
        }
        let note = tally.note(Kind::Codex, "/home/ada/a.jsonl", Keeping::Counts).expect("a note");
        let expected = r#"{"tool":"codex","version":"0.10.0","file":"a.jsonl","records":{"a/x":{"count":1,"bytes":10},"b":{"count":2,"bytes":20}}}"#;
        assert_eq!(note.operation.input.text(), expected);
        tally.add(&unread("b", "0.9.0", 2));
        let longer = tally.note(Kind::Codex, "a.jsonl", Keeping::Counts).expect("a note");
        assert!(note.id() < longer.id() && note.session() == longer.session());
    }

    #[test]
    fn a_type_is_a_name_and_there_are_not_too_many() {
        assert_eq!(&*label("event_msg/New Thing\n\"x\""), "event_msg/NewThingx");
        assert_eq!(&*label("…"), "without a type");
        let mut tally = Tally::default();
        (0..100).for_each(|number| tally.add(&unread(&format!("t{number}"), "1", 1)));
        assert_eq!((tally.kinds.len(), tally.kinds["other"].count), (KINDS + 1, 100 - KINDS as u64));
    }
}
