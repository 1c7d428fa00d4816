//! A stretch of a segment, taken apart into lines: entries, and trouble by line.
//!
//! Reads every line as far as it can be read, and never fails. Does not order lines and does not check chains.

use std::any::Any;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;
use serde_json::value::RawValue;

use super::mending::Mending;
use super::pool::Pool;
use super::prefilter::{Prefilter, passes_over};
use super::prepare::{Prepare, Prepared};
use annals_kernel::annals::Link;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::envelope::{Envelope, Span};
use annals_kernel::id::EntryId;

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
    /// From here on the packed segment cannot be unpacked.
    #[error("packed badly, from here on nothing is read: {0}")]
    PackedBadly(String),
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
    lines: Vec<BatchLine>,
    /// What is wrong with some of the lines.
    pub troubles: Vec<Trouble>,
    /// The ids of lines that a prefilter passed over.
    pub passed_over: Vec<EntryId>,
    /// How many lines it holds, blank ones and troubled ones included.
    pub line_count: u64,
    /// The offset in the segment behind its last newline.
    pub end: u64,
    /// The offset in the segment of its first line.
    pub start: u64,
    /// The offset in the segment of its first byte.
    base: u64,
    pool: Option<Arc<Pool>>,
    /// What was made of each entry, where something was asked for.
    prepared: Vec<Prepared>,
}

/// One entry of a batch.
#[derive(Debug)]
pub(super) struct BatchLine {
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
    /// Its turn in the fold: the id, but where a clock was mended; lines with one id have one.
    pub turn: EntryId,
    /// Links of other lines with the same id, for which this one stands.
    pub copies: &'a [Link],
    /// What was made of it by the thread that decoded it.
    pub prepared: Option<&'a (dyn Any + Send + Sync)>,
}

impl Batch {
    /// Takes bytes apart that begin at a line's first byte. Only the last line may lack its newline.
    pub fn decode(bytes: Vec<u8>, start: u64) -> Self {
        Self::default().decoded(bytes, 0, start, None)
    }

    /// Takes bytes apart from a place on where a line begins; `base` is the offset of the first byte in its segment.
    /// The buffers come from the pool, and go back to it with the batch. Lines that the prefilter passes over are not there.
    pub fn decode_from(
        bytes: Vec<u8>,
        from: usize,
        base: u64,
        pool: &Arc<Pool>,
        prefilter: Option<&Prefilter<'_>>,
    ) -> Self {
        let lines = pool.take_lines();
        let mut batch = Self::default();
        (batch.lines, batch.pool) = (lines, Some(Arc::clone(pool)));
        let mut batch = batch.decoded(bytes, from, base, prefilter);
        batch.shed();
        batch
    }

    /// Makes of each entry what is asked for.
    #[must_use]
    pub fn prepared(mut self, prepare: &Prepare<'_>) -> Self {
        self.prepared = self.entries().map(|placed| prepare(&placed.envelope)).collect();
        self
    }

    /// Has lines of clocks that were mended count as of the right time.
    #[must_use]
    pub fn mended(mut self, mending: &Mending) -> Self {
        if mending.is_empty() {
            return self;
        }
        for index in 0..self.lines.len() {
            let shift = mending.shift_of(&self.entry(index).envelope);
            if shift != 0 {
                self.lines[index].span.count_later(shift);
            }
        }
        self
    }

    fn decoded(self, bytes: Vec<u8>, from: usize, base: u64, prefilter: Option<&Prefilter<'_>>) -> Self {
        let is_utf8 = simdutf8::basic::from_utf8(&bytes[from..]).is_ok();
        let encoding = if is_utf8 { Encoding::Utf8 } else { Encoding::Doubtful };
        let mut batch = self;
        (batch.base, batch.start, batch.encoding) = (base, base + from as u64, encoding);
        let mut at = from;
        for newline in memchr::memchr_iter(b'\n', &bytes[from..]) {
            let newline = from + newline;
            batch.line(&bytes, at, newline, prefilter);
            at = newline + 1;
        }
        batch.end = base + at as u64;
        if at < bytes.len() {
            batch.line(&bytes, at, bytes.len(), prefilter);
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

    /// What follows these lines cannot be unpacked.
    pub(super) fn packed_badly(&mut self, error: &io::Error) {
        self.line_count += 1;
        self.trouble(TroubleKind::PackedBadly(short(&error.to_string())));
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
        let envelope = Envelope::new(text, &line.span);
        Placed {
            line: u64::from(line.number),
            offset: self.base + line.original.0 as u64,
            original: if self.bytes.is_empty() { text } else { &self.bytes[line.original.0..line.original.1] },
            turn: envelope.turn(),
            envelope,
            copies: &[],
            prepared: self.prepared.get(index).and_then(Option::as_deref),
        }
    }

    /// Whether an entry has its line for itself, but for the line end and byte order mark of another system.
    pub fn is_alone(&self, placed: &Placed<'_>) -> bool {
        let at = usize::try_from(placed.offset - self.base).expect("BUG: an entry of the batch");
        let (before, behind) = (&self.bytes[..at], &self.bytes[at + placed.original.len()..]);
        let begins = before.is_empty() || before.ends_with(b"\n") || (self.base == 0 && before == b"\xEF\xBB\xBF");
        begins && matches!(behind, [] | [b'\n', ..] | [b'\r'] | [b'\r', b'\n', ..])
    }

    /// The bytes that it was read from.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes between the newlines, whatever they are.
    pub fn raw_lines(&self) -> impl Iterator<Item = &[u8]> {
        let from = usize::try_from(self.start - self.base).unwrap_or(usize::MAX);
        self.bytes.get(from..).unwrap_or_default().split(|byte| *byte == b'\n')
    }

    /// How many of its lines have their newline.
    pub fn finished_lines(&self) -> u64 {
        let unfinished = self.troubles.iter().any(|trouble| trouble.kind == TroubleKind::Unfinished);
        self.line_count - u64::from(unfinished)
    }

    /// How many bytes it keeps in memory.
    pub fn weight(&self) -> usize {
        self.bytes.len() + self.rewritten.len() + self.lines.len() * size_of::<BatchLine>()
    }

    /// Where a prefilter left little of many bytes, only that little is kept in memory.
    fn shed(&mut self) {
        let kept: usize = self.lines.iter().map(|line| line.original.1 - line.original.0).sum();
        if self.passed_over.is_empty() || kept > self.bytes.len() / 4 || !self.rewritten.is_empty() {
            return;
        }
        for line in &mut self.lines {
            let start = self.rewritten.len();
            self.rewritten.extend_from_slice(&self.bytes[line.original.0..line.original.1]);
            line.rewritten = Some((start, self.rewritten.len()));
        }
        let bytes = std::mem::take(&mut self.bytes);
        if let Some(pool) = &self.pool {
            pool.give(bytes);
        }
    }

    fn trouble(&mut self, kind: TroubleKind) {
        self.troubles.push(Trouble { line: self.line_count, kind });
    }

    fn line(&mut self, bytes: &[u8], start: usize, end: usize, prefilter: Option<&Prefilter<'_>>) {
        self.line_count += 1;
        if let Some(id) = passes_over(prefilter, &bytes[start..end]) {
            self.passed_over.push(id);
            return;
        }
        match self.scan(&bytes[start..end]) {
            Some(span) => self.push(span, start..end, None),
            None => self.odd_line(bytes, start, end),
        }
    }

    fn scan(&self, line: &[u8]) -> Option<Span> {
        match self.encoding {
            Encoding::Utf8 => Span::scan(line),
            Encoding::Doubtful => std::str::from_utf8(line).ok().and_then(|line| Span::scan(line.as_bytes())),
        }
    }

    fn push(&mut self, span: Span, original: Range<usize>, rewritten: Option<(usize, usize)>) {
        let number = u32::try_from(self.line_count).expect("BUG: a batch of more than 4 billion lines");
        self.lines.push(BatchLine { number, original: (original.start, original.end), rewritten, span });
    }

    /// A line that is not in our own shape: padded, of another tool, damaged, or no entry at all.
    fn odd_line(&mut self, bytes: &[u8], mut start: usize, mut end: usize) {
        if self.base == 0 && start == 0 && bytes.starts_with(b"\xEF\xBB\xBF") {
            start = 3;
        }
        let nuls = memchr::memchr_iter(0, &bytes[start..end]).count();
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
            self.push(span, start..end, None);
        } else {
            self.read_slowly(bytes, start, end);
        }
    }

    fn read_slowly(&mut self, bytes: &[u8], start: usize, end: usize) {
        let Ok(text) = std::str::from_utf8(&bytes[start..end]) else {
            self.trouble(TroubleKind::NotUtf8);
            let lossy = String::from_utf8_lossy(&bytes[start..end]).into_owned();
            // The marks move the offsets, so that all objects of the line stand for the whole of it.
            return self.objects(&lossy, &|_, _| start..end);
        };
        self.objects(text, &|from, to| start + from..start + to);
    }

    /// Every object of a line. Behind a torn one the next that looks like one of ours is tried.
    fn objects(&mut self, text: &str, place: &dyn Fn(usize, usize) -> Range<usize>) {
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

    fn object(&mut self, text: &str, original: Range<usize>) {
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

impl Drop for Batch {
    fn drop(&mut self) {
        if let Some(pool) = self.pool.take() {
            if !self.bytes.is_empty() {
                pool.give(std::mem::take(&mut self.bytes));
            }
            pool.give_lines(std::mem::take(&mut self.lines));
        }
    }
}

#[cfg(test)]
mod tests;
