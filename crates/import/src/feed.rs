//! The records of a JSONL source in the order in which they happened, each once.
//!
//! Tools append, so that the order of the file nearly is the order of time; a window of a few megabytes repairs what
//! was shuffled or flushed late. Does not look into records beyond what its caller tells.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Read};

use sha2::{Digest, Sha256};

use super::document::{DocumentShape, beginning, each_part};
use super::records::{Found, each_record};
use super::{ImportError, PassedOver, Sink};
use annals_kernel::json::hex;
use annals_kernel::time::Timestamp;

/// How much may be waiting for its turn.
const WINDOW_BYTES: usize = 8 << 20;

/// A record whose turn has come.
#[derive(Debug)]
pub(crate) struct DueRecord {
    /// The object, as it was written.
    pub text: String,
    /// The line that it stands on, from 1.
    pub number: u64,
    /// SHA-256 of it, the first 128 bits in hexadecimal.
    pub hash: String,
    /// Its own time, or that of the record before it in the file.
    pub at: Option<Timestamp>,
}

/// What the window must know about a record.
pub(crate) struct WindowPlace {
    /// When it was written.
    pub at: Option<Timestamp>,
    /// Whether it comes before all others whatever its time.
    pub rank: Rank,
}

/// Where a record belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// It says which session this is.
    Head,
    /// By its time.
    Timed,
}

/// Calls `take` for every record of a source, in order, each once.
pub(crate) fn each_line(
    input: &mut dyn BufRead,
    sink: &mut dyn Sink,
    place: impl Fn(&str) -> WindowPlace,
    mut take: impl FnMut(&mut dyn Sink, DueRecord) -> Result<(), ImportError>,
) -> Result<(), ImportError> {
    let mut window = Window::default();
    each_found(input, &mut |found| {
        match found {
            Found::Other { line, reason } => sink.passed_over(reason, line),
            Found::Record { line, text } => match window.push(text, line, &place) {
                Ok(()) => {}
                Err(Again) => sink.passed_over(PassedOver::Repeated, line),
            },
        }
        while let Some(line) = window.pop_over(WINDOW_BYTES) {
            take(sink, line)?;
        }
        Ok(())
    })?;
    while let Some(line) = window.pop() {
        take(sink, line)?;
    }
    Ok(())
}

/// What stands in a source: records line by line, or pretty-printed in one document.
fn each_found(
    input: &mut dyn BufRead,
    take: &mut dyn FnMut(Found) -> Result<(), ImportError>,
) -> Result<(), ImportError> {
    match beginning(input)? {
        [b'[', b'\n' | b'\r', ..] => each_element(input, take),
        // One record: as the element of an array it is read whole.
        [b'{', b'\n' | b'\r', ..] => each_element(&mut io::BufReader::new(b"[".chain(input).chain(&b"]"[..])), take),
        _ => each_record(input, take),
    }
}

fn each_element(
    input: &mut dyn BufRead,
    take: &mut dyn FnMut(Found) -> Result<(), ImportError>,
) -> Result<(), ImportError> {
    let shape = DocumentShape { arrays: &[], members: &[] };
    let ending = each_part(input, shape, &mut |part| {
        let (line, text) = (part.line, part.text.to_owned());
        let is_object = text.starts_with('{');
        take(if is_object {
            Found::Record { line, text }
        } else {
            Found::Other { line, reason: PassedOver::NotAnObject }
        })
    })?;
    ending.broken.map_or(Ok(()), |reason| take(Found::Other { line: ending.line, reason }))
}

#[derive(Default)]
struct Window {
    waiting: BTreeMap<(Rank, Timestamp, u64), DueRecord>,
    bytes: usize,
    count: u64,
    last: Option<Timestamp>,
    /// The first 64 bits of each record's hash: sixteen megabytes for a million records.
    seen: BTreeSet<u64>,
}

/// The same record was there before.
struct Again;

impl Window {
    fn push(&mut self, text: String, line: u64, place: impl Fn(&str) -> WindowPlace) -> Result<(), Again> {
        let digest = Sha256::digest(text.as_bytes());
        let head = digest[..8].try_into().expect("BUG: SHA-256 has 32 bytes");
        if !self.seen.insert(u64::from_be_bytes(head)) {
            return Err(Again);
        }
        let place = place(&text);
        self.last = place.at.or(self.last);
        self.count += 1;
        self.bytes += text.len();
        let line = DueRecord { text, number: line, hash: hex(&digest[..16]), at: self.last };
        self.waiting.insert((place.rank, self.last.unwrap_or_default(), self.count), line);
        Ok(())
    }

    fn pop_over(&mut self, bytes: usize) -> Option<DueRecord> {
        if self.bytes > bytes { self.pop() } else { None }
    }

    fn pop(&mut self) -> Option<DueRecord> {
        let (_, line) = self.waiting.pop_first()?;
        self.bytes -= line.text.len();
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::Object;
    use crate::testing::Collected;

    fn texts(source: &str) -> (Vec<String>, Collected) {
        let mut all = Vec::new();
        let mut sink = Collected::default();
        let place = |text: &str| {
            let object = Object::of(text);
            WindowPlace { at: object.time("t"), rank: if object.has("head") { Rank::Head } else { Rank::Timed } }
        };
        let fed = each_line(&mut source.as_bytes(), &mut sink, place, |_, line| {
            all.push(line.text);
            Ok(())
        });
        fed.expect("memory can be read");
        (all, sink)
    }

    #[test]
    fn shuffled_records_come_in_the_order_of_time() {
        let (one, two) = (r#"{"t":"2026-01-01T00:00:01.000Z"}"#, r#"{"t":"2026-01-01T00:00:02.000Z"}"#);
        let head = r#"{"head":1,"t":"2026-01-01T00:00:03.000Z"}"#;
        assert_eq!(texts(&format!("{two}\n{head}\n{one}\n")).0, [head, one, two]);
    }

    #[test]
    fn a_record_without_a_time_stays_behind_the_one_before_it() {
        let (one, two) = (r#"{"t":"2026-01-01T00:00:01.000Z"}"#, r#"{"t":"2026-01-01T00:00:02.000Z"}"#);
        assert_eq!(texts(&format!("{one}\n{{}}\n{two}\n")).0, [one, "{}", two]);
    }

    #[test]
    fn the_same_record_again_is_passed_over() {
        let (all, sink) = texts("{\"a\":1}\n{\"a\":2}\n{\"a\":1}\n");
        assert_eq!(all, [r#"{"a":1}"#, r#"{"a":2}"#]);
        assert_eq!(sink.passed, [(PassedOver::Repeated, 3)]);
    }

    #[test]
    fn records_may_be_pretty_printed_in_one_document() {
        assert_eq!(texts("[\n  {\n \"a\":1},\n  2,\n{\"a\":2}\n]\n").0, ["{\n \"a\":1}", "{\"a\":2}"]);
        assert_eq!(texts("{\n  \"a\":1\n}\n").0, ["{\n  \"a\":1\n}"]);
        assert_eq!(texts("[1]\n{\"a\":1}\n").0, ["{\"a\":1}"], "a line that is an array is no document");
    }

    #[test]
    fn what_waits_is_bounded() {
        let mut window = Window::default();
        for number in 0..4u64 {
            let text = format!("{{\"n\":{number},\"pad\":\"{}\"}}", "x".repeat(3 << 20));
            assert!(window.push(text, number, |_| WindowPlace { at: None, rank: Rank::Timed }).is_ok());
            while window.pop_over(WINDOW_BYTES).is_some() {}
            assert!(window.bytes <= WINDOW_BYTES);
        }
    }
}
