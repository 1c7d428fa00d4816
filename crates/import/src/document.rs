//! One JSON document, however large: the elements of its long arrays one by one, its other members whole.
//!
//! Memory holds one element at a time. A document that is cut short gives what stands before the cut. Bytes that are
//! not UTF-8 are decoded with a mark. Does not look into elements.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::{self, BufRead, Read};

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{ImportError, PassedOver};

/// An element or member longer than this ends the reading, so that memory stays bounded.
const MAX_PART_BYTES: usize = 64 << 20;

/// What a document is expected to hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DocumentShape {
    /// Members whose arrays are given element by element.
    pub arrays: &'static [&'static str],
    /// Members that are given whole.
    pub members: &'static [&'static str],
}

/// A piece of the document.
#[derive(Debug)]
pub(crate) struct Part<'k> {
    /// The member that it is, or stands in; empty for an element of a document that is an array.
    pub key: &'k str,
    /// As it was written.
    pub text: &'k str,
    /// The line that it ends on, from 1.
    pub line: u64,
}

/// How the reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ending {
    /// Why it ended before the end of the document, where it did.
    pub broken: Option<PassedOver>,
    /// The last line that was read, from 1.
    pub line: u64,
}

/// Who takes the parts.
pub(crate) type Take<'t> = dyn FnMut(Part<'_>) -> Result<(), ImportError> + 't;

/// Calls `take` for every part of a document that its shape names. An array at the top gives its elements.
pub(crate) fn each_part(
    input: &mut dyn BufRead,
    shape: DocumentShape,
    take: &mut Take<'_>,
) -> Result<Ending, ImportError> {
    let progress = Progress::default();
    let source = CleanSource { input, progress: &progress, clean: Vec::new(), at: 0, tail: Vec::new(), begun: false };
    let failure = RefCell::new(None);
    let walk = Walk { shape, progress: &progress, take: RefCell::new(take), failure: &failure };
    let mut document = serde_json::Deserializer::from_reader(source);
    let walked = document.deserialize_any(&walk).and_then(|()| document.end());
    if let Some(failure) = failure.take() {
        return Err(failure);
    }
    let line = progress.line.get();
    let broken = match walked {
        Ok(()) => None,
        // Asked first, because the parser knows of it only that it could not read on.
        Err(_) if progress.left.get() == 0 => Some(PassedOver::TooLong),
        Err(error) if error.is_io() => return Err(ImportError::Read(error.into())),
        Err(_) => Some(PassedOver::Damaged),
    };
    Ok(Ending { broken, line })
}

/// The first bytes of a source, from the first on that is neither white space nor a BOM; nothing is taken.
pub(crate) fn beginning(input: &mut dyn BufRead) -> io::Result<&[u8]> {
    let buffer = input.fill_buf()?;
    let blank = |byte: &u8| byte.is_ascii_whitespace() || b"\xEF\xBB\xBF\0".contains(byte);
    Ok(&buffer[buffer.iter().take_while(|byte| blank(byte)).count()..])
}

/// What reader and walk know of each other.
struct Progress {
    line: Cell<u64>,
    /// Bytes that the part being read may still have.
    left: Cell<usize>,
}

impl Progress {
    /// Counts bytes that were read; an error where the part is too long.
    fn advance(&self, bytes: &[u8]) -> io::Result<()> {
        let newlines = bytes.iter().filter(|byte| **byte == b'\n').map(|_| 1).sum::<u64>();
        self.line.set(self.line.get() + newlines);
        let Some(left) = self.left.get().checked_sub(bytes.len()) else {
            self.left.set(0);
            return Err(io::Error::other("a part of the document is too long"));
        };
        self.left.set(left);
        Ok(())
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self { line: Cell::new(1), left: Cell::new(usize::MAX) }
    }
}

struct Walk<'w> {
    shape: DocumentShape,
    progress: &'w Progress,
    take: RefCell<&'w mut Take<'w>>,
    failure: &'w RefCell<Option<ImportError>>,
}

impl Walk<'_> {
    fn give<E: serde::de::Error>(&self, key: &str, value: &RawValue) -> Result<(), E> {
        let part = Part { key, text: value.get(), line: self.progress.line.get() };
        self.take.borrow_mut()(part).map_err(|failure| {
            self.failure.replace(Some(failure));
            E::custom("the importer stopped")
        })
    }

    fn limited<T, E>(&self, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.progress.left.set(MAX_PART_BYTES);
        let read = read()?;
        self.progress.left.set(usize::MAX);
        Ok(read)
    }

    fn elements<'de, A: SeqAccess<'de>>(&self, key: &str, mut elements: A) -> Result<(), A::Error> {
        while let Some(element) = self.limited(|| elements.next_element::<Box<RawValue>>())? {
            self.give(key, &element)?;
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for &Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<(), A::Error> {
        self.elements("", elements)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if self.shape.arrays.contains(&&*key) {
                map.next_value_seed(ElementsSeed { key: &key, walk: self })?;
            } else if self.shape.members.contains(&&*key) {
                let value = self.limited(|| map.next_value::<Box<RawValue>>())?;
                self.give(&key, &value)?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// The value of a member that should be an array; anything else there is passed by.
struct ElementsSeed<'e, 'w> {
    key: &'e str,
    walk: &'e Walk<'w>,
}

impl<'de> DeserializeSeed<'de> for ElementsSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ElementsSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<(), A::Error> {
        self.walk.elements(self.key, elements)
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
}

/// Gives clean UTF-8, counts lines, and stops where a part is too long.
struct CleanSource<'s> {
    input: &'s mut dyn BufRead,
    progress: &'s Progress,
    clean: Vec<u8>,
    at: usize,
    /// The first bytes of a character whose rest is still to come.
    tail: Vec<u8>,
    /// Whether something was there: a BOM is only one before it.
    begun: bool,
}

impl CleanSource<'_> {
    /// Takes the next bytes; leaves none where there are none.
    fn refill(&mut self) -> io::Result<()> {
        self.clean.clear();
        self.at = 0;
        while self.clean.is_empty() {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                let rest = std::mem::take(&mut self.tail);
                self.clean.extend(String::from_utf8_lossy(&rest).bytes());
                return Ok(());
            }
            let taken = buffer.len();
            self.tail.extend_from_slice(buffer);
            self.input.consume(taken);
            self.clean_tail();
        }
        Ok(())
    }

    fn clean_tail(&mut self) {
        let bytes = std::mem::take(&mut self.tail);
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            let valid = chunk.valid();
            let valid = if self.begun { valid } else { valid.trim_start_matches('\u{FEFF}') };
            self.begun |= !valid.is_empty();
            self.clean.extend_from_slice(valid.as_bytes());
            // Up to three bytes at the very end may be a character whose rest comes with the next bytes.
            if chunks.peek().is_none() && chunk.invalid().len() < 4 && could_go_on(chunk.invalid()) {
                self.tail = chunk.invalid().to_vec();
            } else if !chunk.invalid().is_empty() {
                self.clean.extend_from_slice("\u{FFFD}".as_bytes());
            }
        }
    }
}

/// Whether these bytes are the beginning of a character.
fn could_go_on(bytes: &[u8]) -> bool {
    matches!(std::str::from_utf8(bytes), Err(error) if error.error_len().is_none())
}

impl Read for CleanSource<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.clean.len() {
            self.refill()?;
        }
        let count = into.len().min(self.clean.len() - self.at);
        let bytes = &self.clean[self.at..self.at + count];
        into[..count].copy_from_slice(bytes);
        self.at += count;
        self.progress.advance(bytes)?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: DocumentShape = DocumentShape { arrays: &["list"], members: &["name"] };

    fn parts(bytes: &[u8]) -> (Vec<String>, Ending) {
        let mut all = Vec::new();
        let mut take = |part: Part<'_>| {
            all.push(format!("{}:{}={}", part.line, part.key, part.text));
            Ok(())
        };
        // A tiny buffer, so that characters are cut.
        let mut input = io::BufReader::with_capacity(3, bytes);
        let ending = each_part(&mut input, SHAPE, &mut take).expect("memory can be read");
        (all, ending)
    }

    #[test]
    fn elements_come_one_by_one_and_members_whole() {
        let source = "\u{FEFF}{\"name\": {\"a\": 1},\n \"other\": [[[1]]],\n \"list\": [\n{\"b\": \"ü\"},\n2]\n}\n";
        let expected = ["1:name={\"a\": 1}", "4:list={\"b\": \"ü\"}", "5:list=2"];
        assert_eq!(parts(source.as_bytes()), (expected.map(String::from).to_vec(), Ending { broken: None, line: 7 }));
    }

    #[test]
    fn an_array_at_the_top_gives_its_elements() {
        assert_eq!(parts(b"[{},[1]]").0, ["1:={}", "1:=[1]"]);
    }

    #[test]
    fn a_document_that_is_cut_short_gives_what_stands_before_the_cut() {
        let broken = Ending { broken: Some(PassedOver::Damaged), line: 2 };
        assert_eq!(parts(b"{\"list\": [1,\n2, {\"a\": "), (vec!["1:list=1".into(), "2:list=2".into()], broken));
        assert_eq!(parts(b"{\"name\": 1}\n}").1, broken);
        assert_eq!(parts(b"").1, Ending { broken: Some(PassedOver::Damaged), line: 1 });
    }

    #[test]
    fn what_should_be_an_array_and_is_none_is_passed_by() {
        assert_eq!(parts(br#"{"list": null, "name": 1}"#).0, ["1:name=1"]);
        assert_eq!(parts(br#"{"list": {"a": [1]}, "name": 2}"#).0, ["1:name=2"]);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_marked() {
        assert_eq!(parts(b"[\"a\xFFb\xC3\"]").0, ["1:=\"a\u{FFFD}b\u{FFFD}\""]);
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let (all, ending) = parts(format!("[{deep}]").as_bytes());
        assert_eq!((all.len(), ending.broken), (1, None));
    }

    #[test]
    fn a_failure_of_the_taker_is_passed_on() {
        let mut take = |_: Part<'_>| Err(ImportError::Sink("full".to_owned()));
        let ended = each_part(&mut &b"[1, 2]"[..], SHAPE, &mut take);
        assert!(matches!(ended, Err(ImportError::Sink(text)) if text == "full"));
    }
}
