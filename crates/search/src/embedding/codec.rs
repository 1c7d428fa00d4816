//! The bytes of `history/embeddings/index.db`: a header, then rows, each with the sum of its words behind it. All numbers
//! are little endian.
//!
//! ```text
//! header: magic 8 | version u32 | dimension u32 | length u32 | {"model","prefix"} and blanks | sum u32
//! row:    length u32 | "kind id" and zeros | hash of the text u128 | time i64 | dimension × f32 | sum u32
//! ```
//!
//! Pure. What is torn, or of another version, is as if it were not there. A sum finds what a crash left, and is no seal:
//! the file is a cache of this clone, and a hit is shown only with the text that the log has.

use annals_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::subject::{Subject, TextHash};
use super::vector::{MOST_NUMBERS, VectorRow};

const MAGIC: &[u8; 8] = b"ANNALSVE";

/// Raised when anything of the format changes, or which part of a text is embedded.
const VERSION: u32 = 1;

/// No header is longer.
pub(super) const MOST_HEADER: usize = 64 * 1024;

/// No name of a subject is longer.
const MOST_NAME: usize = 4096;

const WORD: usize = 4;

/// Begins each sum, so that zeros have none.
const SEED: u32 = 0x616e_6e61;

/// Vectors can be compared that one model made, told the same before each text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorSpace {
    /// As its server calls it.
    pub model: String,
    /// What it is told before each text that is kept.
    pub prefix: String,
}

/// What stands at the beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub space: VectorSpace,
    /// How many numbers a vector has.
    pub dimension: usize,
}

impl Header {
    pub(super) fn write(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec(&self.space).expect("BUG: two texts are JSON");
        text.resize(padded(text.len()), b' ');
        let mut bytes = MAGIC.to_vec();
        for number in [VERSION, count(self.dimension), count(text.len())] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(text);
        let sum = sum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// With how many bytes it has.
    pub(super) fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        let mut rest = Rest(bytes.strip_prefix(MAGIC)?);
        let (version, dimension) = (rest.number()?, rest.number()? as usize);
        let length = rest.number()? as usize;
        if version != VERSION || !(1..=MOST_NUMBERS).contains(&dimension) {
            return None;
        }
        let text = rest.take(length)?;
        let end = bytes.len() - rest.0.len();
        if rest.number()? != sum(&bytes[..end]) {
            return None;
        }
        Some((Self { space: serde_json::from_slice(text).ok()?, dimension }, end + WORD))
    }
}

/// A row where it lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RowView<'b> {
    name: &'b [u8],
    pub hash: TextHash,
    /// The numbers, as bytes.
    pub vector: &'b [u8],
    /// The whole row.
    pub bytes: &'b [u8],
}

impl RowView<'_> {
    /// What it is of; none where no such thing is embedded.
    pub(super) fn subject(&self) -> Option<Subject> {
        Subject::read(std::str::from_utf8(self.name).ok()?.trim_end_matches('\0'))
    }
}

/// What stands at a place where a row should begin.
#[derive(Debug, PartialEq)]
pub(super) enum RowRead<'b> {
    /// A row.
    Whole(RowView<'b>),
    /// The beginning of one.
    Short,
    /// None.
    Torn,
}

impl<'b> RowRead<'b> {
    pub(super) fn of(bytes: &'b [u8], dimension: usize) -> Self {
        let mut rest = Rest(bytes);
        let Some(length) = rest.number() else { return Self::Short };
        let length = length as usize;
        if length == 0 || length > MOST_NAME {
            return Self::Torn;
        }
        let parts = |rest: &mut Rest<'b>| {
            let (name, hash) = (rest.take(padded(length))?, rest.take(16)?);
            let (_at, vector) = (rest.take(8)?, rest.take(WORD * dimension)?);
            Some(RowView { name, hash: TextHash::read(hash)?, vector, bytes: &[] })
        };
        let Some(row) = parts(&mut rest) else { return Self::Short };
        let end = bytes.len() - rest.0.len();
        match rest.number() {
            None => Self::Short,
            Some(found) if found == sum(&bytes[..end]) => Self::Whole(RowView { bytes: &bytes[..end + WORD], ..row }),
            Some(_) => Self::Torn,
        }
    }
}

impl VectorRow {
    /// Its bytes; none where its name is longer than any that is read.
    pub(super) fn write(&self) -> Option<Vec<u8>> {
        let mut name = self.subject.to_string().into_bytes();
        if name.len() > MOST_NAME {
            return None;
        }
        let mut bytes = count(name.len()).to_le_bytes().to_vec();
        name.resize(padded(name.len()), 0);
        bytes.extend(name);
        bytes.extend(self.hash.bytes());
        bytes.extend(Timestamp::millis(self.at).to_le_bytes());
        bytes.extend(self.vector.iter().flat_map(|number| number.to_le_bytes()));
        let sum = sum(&bytes);
        bytes.extend(sum.to_le_bytes());
        Some(bytes)
    }
}

/// What is left to be read.
struct Rest<'b>(&'b [u8]);

impl<'b> Rest<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        let bytes = self.take(WORD)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }
}

fn padded(length: usize) -> usize {
    length.next_multiple_of(WORD)
}

fn count(length: usize) -> u32 {
    u32::try_from(length).expect("BUG: it is bounded")
}

/// Of its words, in whatever order: as fast as the bytes are read.
fn sum(bytes: &[u8]) -> u32 {
    let words = bytes.as_chunks::<WORD>().0.iter();
    words.fold(SEED, |sum, word| sum.wrapping_add(u32::from_le_bytes(*word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hit::HitKind;

    fn header() -> Header {
        let space = VectorSpace { model: "nomic-embed-text".to_owned(), prefix: "search_document: ".to_owned() };
        Header { space, dimension: 3 }
    }

    fn row(id: &str) -> VectorRow {
        let subject = Subject { kind: HitKind::Belief, id: id.into() };
        VectorRow::new(subject, TextHash::of("a text"), Timestamp::from_millis(7), &[1.0, -2.0, 2.0]).expect("a row")
    }

    #[test]
    fn a_header_is_read_as_it_was_written_and_not_at_all_where_a_byte_differs_or_lacks() {
        let bytes = header().write();
        assert_eq!(Header::read(&bytes), Some((header(), bytes.len())));
        for at in 0..bytes.len() {
            assert_eq!(Header::read(&bytes[..at]), None, "{at}");
            let mut other = bytes.clone();
            other[at] ^= 0x41;
            assert_eq!(Header::read(&other), None, "{at}");
        }
    }

    #[test]
    fn a_row_is_read_as_it_was_written_whatever_its_name() {
        for id in ["a", "ab", "abc", "ключ and a blank", "x\0y"] {
            let bytes = [row(id).write().expect("written"), b"more".to_vec()].concat();
            let RowRead::Whole(view) = RowRead::of(&bytes, 3) else { panic!("{id}") };
            assert_eq!((view.subject(), view.hash), (Some(row(id).subject), TextHash::of("a text")), "{id}");
            assert_eq!((view.vector.len(), view.bytes.len()), (12, bytes.len() - 4), "{id}");
        }
        assert_eq!(row(&"x".repeat(MOST_NAME)).write(), None);
    }

    #[test]
    fn a_row_that_is_cut_is_short_and_one_of_which_a_byte_differs_is_torn() {
        let bytes = row("key").write().expect("written");
        for at in 0..bytes.len() {
            assert_eq!(RowRead::of(&bytes[..at], 3), RowRead::Short, "{at}");
            let mut other = bytes.clone();
            other[at] ^= 0x41;
            assert!(!matches!(RowRead::of(&other, 3), RowRead::Whole(_)), "{at}");
        }
        assert_eq!(RowRead::of(&[0; 64], 3), RowRead::Torn);
        assert_eq!(RowRead::of(&[255; 64], 3), RowRead::Torn);
    }
}
