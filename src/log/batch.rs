//! A stretch of a segment, taken apart into lines: entries, and trouble by line.
//!
//! Reads every line as far as it can be read, and never fails. Does not order lines and does not check chains.

use std::sync::{Arc, Mutex, PoisonError};

use memchr::memmem;
use serde_json::value::RawValue;

use crate::kernel::entry::HistoryEntry;
use crate::kernel::envelope::{Envelope, Span};

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum TroubleKind {
    /// Cut short; what follows it on the same line is read.
    #[error("cut short: {0}")]
    Torn(String),
    /// JSON, but not an entry.
    #[error("not an entry: {0}")]
    NotAnEntry(String),
    /// The mark of an unresolved merge; the lines between the marks are read.
    #[error("conflict marker of an unresolved merge")]
    ConflictMarker,
    /// A run of NUL bytes, as a crash leaves them behind.
    #[error("{0} NUL bytes")]
    NulRun(usize),
    /// Bytes that are not UTF-8; read with a mark in their place.
    #[error("bytes that are not UTF-8")]
    NotUtf8,
    /// Several entries without a newline between them; all are read.
    #[error("{0} entries without a newline between them")]
    Glued(usize),
    /// Too long to be read.
    #[error("a line of more than 64 MiB")]
    TooLong,
    /// The last line has no newline; it is read if it is whole.
    #[error("the last line has no newline")]
    Unfinished,
}

/// Something wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// The line, from 1; in a batch, from its first line.
    pub line: u64,
    /// What is wrong.
    pub kind: TroubleKind,
}

/// What is known of the bytes of a batch as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Encoding {
    #[default]
    Utf8,
    Doubtful,
}

/// Lines that were read together.
#[derive(Debug, Default)]
pub struct Batch {
    encoding: Encoding,
    bytes: Vec<u8>,
    rewritten: Vec<u8>,
    lines: Vec<Line>,
    /// What is wrong with some of the lines.
    pub troubles: Vec<Trouble>,
    /// How many lines it holds, blank ones and troubled ones included.
    pub line_count: u64,
    /// The offset in the segment behind its last newline.
    pub end: u64,
    /// The offset in the segment of its first line.
    pub start: u64,
    /// The offset in the segment of its first byte.
    base: u64,
    pool: Option<Arc<Pool>>,
}

/// Buffers that were used before: their memory is there already, which makes reading twice as fast.
#[derive(Debug, Default)]
pub struct Pool {
    bytes: Mutex<Vec<Vec<u8>>>,
    lines: Mutex<Vec<Vec<Line>>>,
}

impl Pool {
    /// A buffer, holding whatever it held before.
    pub fn take(&self) -> Vec<u8> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Gives a buffer back.
    pub fn give(&self, bytes: Vec<u8>) {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).push(bytes);
    }

    fn take_lines(&self) -> Vec<Line> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        let Some(pool) = self.pool.take() else { return };
        pool.give(std::mem::take(&mut self.bytes));
        let mut lines = std::mem::take(&mut self.lines);
        lines.clear();
        pool.lines.lock().unwrap_or_else(PoisonError::into_inner).push(lines);
    }
}

/// One entry of a batch.
#[derive(Debug)]
struct Line {
    number: u32,
    original: (usize, usize),
    /// Where it was written anew, if it was not in our own shape.
    rewritten: Option<(usize, usize)>,
    span: Span,
}

/// An entry and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// The line, from 1; in a batch, from its first line.
    pub line: u64,
    /// The offset of the entry in its segment.
    pub offset: u64,
    /// The bytes of the entry as they stand there.
    pub original: &'a [u8],
    /// The entry.
    pub envelope: Envelope<'a>,
}

impl Batch {
    /// Takes bytes apart that begin at a line's first byte. Only the last line may lack its newline.
    pub fn decode(bytes: Vec<u8>, start: u64) -> Self {
        Self::default().decoded(bytes, 0, start)
    }

    /// Takes bytes apart from a place on where a line begins; `base` is the offset of the first byte in its segment.
    /// The buffers come from the pool, and go back to it with the batch.
    pub fn decode_from(bytes: Vec<u8>, from: usize, base: u64, pool: &Arc<Pool>) -> Self {
        let lines = pool.take_lines();
        let mut batch = Self::default();
        (batch.lines, batch.pool) = (lines, Some(Arc::clone(pool)));
        batch.decoded(bytes, from, base)
    }

    fn decoded(self, bytes: Vec<u8>, from: usize, base: u64) -> Self {
        let is_utf8 = std::str::from_utf8(&bytes[from..]).is_ok();
        let encoding = if is_utf8 { Encoding::Utf8 } else { Encoding::Doubtful };
        let mut batch = self;
        (batch.base, batch.start, batch.encoding) = (base, base + from as u64, encoding);
        let mut at = from;
        for newline in memchr::memchr_iter(b'\n', &bytes[from..]) {
            let newline = from + newline;
            batch.line(&bytes, at, newline);
            at = newline + 1;
        }
        batch.end = base + at as u64;
        if at < bytes.len() {
            batch.line(&bytes, at, bytes.len());
            batch.trouble(TroubleKind::Unfinished);
        }
        batch.bytes = bytes;
        batch
    }

    /// A batch for a line that is too long to be read.
    pub fn too_long(start: u64, end: u64) -> Self {
        let mut batch = Self::default();
        (batch.start, batch.end, batch.line_count) = (start, end, 1);
        batch.trouble(TroubleKind::TooLong);
        batch
    }

    /// The entries, in the order in which they stand.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Placed<'_>> {
        (0..self.lines.len()).map(|index| self.entry(index))
    }

    /// One entry by its place among the entries.
    pub fn entry(&self, index: usize) -> Placed<'_> {
        let line = &self.lines[index];
        let text = match line.rewritten {
            Some((start, end)) => &self.rewritten[start..end],
            None => &self.bytes[line.original.0..line.original.1],
        };
        Placed {
            line: u64::from(line.number),
            offset: self.base + line.original.0 as u64,
            original: &self.bytes[line.original.0..line.original.1],
            envelope: Envelope::new(text, &line.span),
        }
    }

    /// How many of its lines have their newline.
    pub fn finished_lines(&self) -> u64 {
        let unfinished = self.troubles.iter().any(|trouble| trouble.kind == TroubleKind::Unfinished);
        self.line_count - u64::from(unfinished)
    }

    /// How many bytes it keeps in memory.
    pub fn weight(&self) -> usize {
        self.bytes.len() + self.rewritten.len() + self.lines.len() * size_of::<Line>()
    }

    fn trouble(&mut self, kind: TroubleKind) {
        self.troubles.push(Trouble { line: self.line_count, kind });
    }

    fn line(&mut self, bytes: &[u8], start: usize, end: usize) {
        self.line_count += 1;
        match self.scan(&bytes[start..end]) {
            Some(span) => self.push(span, (start, end), None),
            None => self.odd_line(bytes, start, end),
        }
    }

    fn scan(&self, line: &[u8]) -> Option<Span> {
        match self.encoding {
            Encoding::Utf8 => Span::scan(line),
            Encoding::Doubtful => std::str::from_utf8(line).ok().and_then(|line| Span::scan(line.as_bytes())),
        }
    }

    fn push(&mut self, span: Span, original: (usize, usize), rewritten: Option<(usize, usize)>) {
        let number = u32::try_from(self.line_count).expect("BUG: a batch of more than 4 billion lines");
        self.lines.push(Line { number, original, rewritten, span });
    }

    /// A line that is not in our own shape: padded, of another tool, damaged, or no entry at all.
    fn odd_line(&mut self, bytes: &[u8], mut start: usize, mut end: usize) {
        if self.base == 0 && start == 0 && bytes.starts_with(b"\xEF\xBB\xBF") {
            start = 3;
        }
        let nuls = bytes[start..end].iter().filter(|byte| **byte == 0).count();
        let padding = |byte: u8| byte == 0 || byte.is_ascii_whitespace();
        while start < end && padding(bytes[start]) {
            start += 1;
        }
        while start < end && padding(bytes[end - 1]) {
            end -= 1;
        }
        if nuls > 0 {
            self.trouble(TroubleKind::NulRun(nuls));
        }
        if start == end {
            return;
        }
        if is_conflict_marker(&bytes[start..end]) {
            self.trouble(TroubleKind::ConflictMarker);
        } else if let Some(span) = self.scan(&bytes[start..end]) {
            self.push(span, (start, end), None);
        } else {
            self.read_slowly(bytes, start, end);
        }
    }

    fn read_slowly(&mut self, bytes: &[u8], start: usize, end: usize) {
        let Ok(text) = std::str::from_utf8(&bytes[start..end]) else {
            self.trouble(TroubleKind::NotUtf8);
            let lossy = String::from_utf8_lossy(&bytes[start..end]).into_owned();
            // The marks move the offsets, so that all objects of the line stand for the whole of it.
            self.objects(&lossy, &|_, _| (start, end));
            return;
        };
        self.objects(text, &|from, to| (start + from, start + to));
    }

    /// Every object of a line. Behind a torn one the next that looks like one of ours is tried.
    fn objects(&mut self, text: &str, place: &dyn Fn(usize, usize) -> (usize, usize)) {
        let before = self.lines.len();
        let mut at = 0;
        while at < text.len() {
            let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<&RawValue>();
            match values.next() {
                None => break,
                Some(Ok(value)) => {
                    let end = at + values.byte_offset();
                    self.object(value.get(), place(end - value.get().len(), end));
                    at = end;
                }
                Some(Err(error)) => {
                    self.trouble(TroubleKind::Torn(short(&error.to_string())));
                    let next = memmem::find(&text.as_bytes()[at + 1..], br#"{"id":""#);
                    at = next.map_or(text.len(), |offset| at + 1 + offset);
                }
            }
        }
        if self.lines.len() - before > 1 {
            self.trouble(TroubleKind::Glued(self.lines.len() - before));
        }
    }

    fn object(&mut self, text: &str, original: (usize, usize)) {
        let entry = match HistoryEntry::read(text) {
            Ok(entry) => entry,
            Err(error) => return self.trouble(TroubleKind::NotAnEntry(short(&error.to_string()))),
        };
        let start = self.rewritten.len();
        self.rewritten.extend_from_slice(entry.to_line().as_bytes());
        match Span::scan(&self.rewritten[start..]) {
            Some(span) => self.push(span, original, Some((start, self.rewritten.len()))),
            None => self.trouble(TroubleKind::NotAnEntry("its own form is not read back".to_owned())),
        }
    }
}

fn is_conflict_marker(line: &[u8]) -> bool {
    [b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||"].iter().any(|mark| line.starts_with(*mark))
}

/// The message without `at line 1 column …`, which would mean a place in the line.
fn short(message: &str) -> String {
    message.split(" at line ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: char) -> String {
        format!(
            concat!(
                r#"{{"id":"01ARZ3NDEKTSV4RRFFQ69G5FA{}","timestamp":"2026-11-21T03:10:00.123Z","session_id":"s","#,
                r#""operation":{{"type":"tool_call","name":"Bash","input":{{}},"success":true}},"provenance":{{}},"metadata":{{}}}}"#
            ),
            id
        )
    }

    /// The last characters of the ids that were read, and the troubles.
    fn read(text: &[u8]) -> (String, Vec<(u64, TroubleKind)>) {
        let mut batch = Batch::decode(text.to_vec(), 0);
        let ids = batch.entries().map(|entry| entry.envelope.id().to_string().pop().expect("26 characters")).collect();
        (ids, std::mem::take(&mut batch.troubles).into_iter().map(|trouble| (trouble.line, trouble.kind)).collect())
    }

    fn text(parts: &[&str]) -> Vec<u8> {
        parts.concat().into_bytes()
    }

    #[test]
    fn whole_lines_are_read_in_place() {
        assert_eq!(read(&text(&[&line('A'), "\n", &line('B'), "\n"])), ("AB".to_owned(), vec![]));
    }

    #[test]
    fn bom_crlf_and_blank_lines_are_no_trouble() {
        assert_eq!(read(&text(&["\u{FEFF}", &line('A'), "\r\n\r\n", &line('B'), "\r\n"])), ("AB".to_owned(), vec![]));
    }

    #[test]
    fn glued_lines_come_apart() {
        let glued = text(&[&line('A'), &line('B'), "\n", &line('C'), "\n"]);
        assert_eq!(read(&glued), ("ABC".to_owned(), vec![(1, TroubleKind::Glued(2))]));
    }

    #[test]
    fn behind_a_torn_line_the_next_one_is_read() {
        for cut in 1..line('A').len() - 1 {
            let torn = text(&[&line('A')[..cut], &line('B'), "\n", &line('C'), "\n"]);
            let (ids, troubles) = read(&torn);
            assert_eq!(ids, "BC", "cut at {cut}: {troubles:?}");
            assert!(matches!(troubles[..], [(1, TroubleKind::Torn(_))]), "cut at {cut}: {troubles:?}");
        }
    }

    #[test]
    fn what_a_crash_and_a_merge_leave_behind_is_named() {
        let marked = text(&[
            "<<<<<<< ours\n",
            &line('A'),
            "\n=======\n",
            &line('B'),
            "\n>>>>>>> theirs\n\0\0\0",
            &line('C'),
            "\n",
        ]);
        let expected = vec![
            (1, TroubleKind::ConflictMarker),
            (3, TroubleKind::ConflictMarker),
            (5, TroubleKind::ConflictMarker),
            (6, TroubleKind::NulRun(3)),
        ];
        assert_eq!(read(&marked), ("ABC".to_owned(), expected));
    }

    #[test]
    fn other_tools_lines_are_rewritten_and_the_original_kept() {
        let camel = line('A').replace("session_id", "sessionId").replace(",", ", ");
        let batch = Batch::decode(format!("{camel}\n").into_bytes(), 0);
        let entry = batch.entries().next().expect("one entry");
        assert_eq!((entry.original, entry.envelope.line()), (camel.as_bytes(), line('A').as_bytes()));
    }

    #[test]
    fn damage_is_read_as_far_as_it_goes() {
        let mut bytes = text(&[&line('A').replace("Bash", "B?sh"), "\n[]\n{}\nnull\n"]);
        let mark = bytes.iter().position(|byte| *byte == b'?').expect("the mark");
        bytes[mark] = 0xFF;
        let (ids, troubles) = read(&bytes);
        let kinds: Vec<_> = troubles.iter().map(|(line, kind)| format!("{line}: {kind}")).collect();
        assert_eq!(ids, "A");
        insta::assert_snapshot!(kinds.join("\n"), @r"
        1: bytes that are not UTF-8
        2: not an entry: entry: invalid type: sequence, expected an object
        3: not an entry: id: is missing
        4: not an entry: entry: invalid type: null, expected an object
        ");
    }

    #[test]
    fn an_unfinished_last_line_is_read_if_it_is_whole() {
        assert_eq!(read(line('A').as_bytes()), ("A".to_owned(), vec![(1, TroubleKind::Unfinished)]));
        let (ids, troubles) = read(&line('A').as_bytes()[..100]);
        assert_eq!((ids.as_str(), troubles.len()), ("", 2));
    }

    #[test]
    fn depth_is_no_danger() {
        let deep =
            line('A').replace(r#""input":{}"#, &format!(r#""input":{}{}"#, "[".repeat(200_000), "]".repeat(200_000)));
        assert_eq!(read(format!("{deep}\n").as_bytes()), ("A".to_owned(), vec![]));
        assert_eq!(read(format!(" {deep}}}\n").as_bytes()).0, "A");
    }
}
