//! One line by its id, without reading what stands before it: lines of a segment mostly stand in the order of their ids.
//!
//! Finds what stands in order and in our own shape. Where it finds nothing, the line may still be there.

use std::io;

use super::disk::ReadAt;
use annals_kernel::id::EntryId;

/// Lines are mostly shorter than this.
const STEP_BYTES: usize = 4 << 10;

/// A stretch this short is read through.
const SHORT_BYTES: u64 = 32 << 10;

/// No line of ours is longer than this.
const LONGEST_LINE: usize = 64 << 20;

/// The line of an entry, without its newline, in a file of so many bytes.
pub fn find_line(file: &dyn ReadAt, length: u64, id: EntryId) -> io::Result<Option<Vec<u8>>> {
    let (mut low, mut high) = (0, length);
    while high - low > SHORT_BYTES {
        let middle = low + (high - low) / 2;
        let Some((start, found)) = next_line(file, middle, high)? else {
            high = middle;
            continue;
        };
        match found {
            // Halving the stretch reads a dozen places of a day's file instead of all of it.
            Some(found) if found == id => return line_from(file, start, length).map(Some),
            Some(found) if found < id => low = start,
            Some(_) => high = middle,
            None => return Ok(None),
        }
    }
    through(file, low, high.max(low), length, id)
}

/// The first line that begins behind an offset, and its id where it has our shape.
fn next_line(file: &dyn ReadAt, from: u64, until: u64) -> io::Result<Option<(u64, Option<EntryId>)>> {
    let (mut offset, mut bytes) = (from, vec![0; STEP_BYTES]);
    while offset < until {
        let count = file.read_at(&mut bytes, offset)?;
        if count == 0 {
            return Ok(None);
        }
        if let Some(newline) = memchr::memchr(b'\n', &bytes[..count]) {
            let start = offset + newline as u64 + 1;
            let mut head = [0; HEAD_BYTES];
            let count = file.read_at(&mut head, start)?;
            return Ok((start < until).then(|| (start, id_of(&head[..count]))));
        }
        offset += count as u64;
    }
    Ok(None)
}

const HEAD: &[u8] = b"{\"id\":\"";
const HEAD_BYTES: usize = HEAD.len() + 26;

/// The id of a line in our own shape.
pub(super) fn id_of(line: &[u8]) -> Option<EntryId> {
    EntryId::parse(line.strip_prefix(HEAD)?.get(..26)?)
}

fn line_from(file: &dyn ReadAt, start: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut size = STEP_BYTES;
    loop {
        let mut bytes = vec![0; size];
        let count = file.read_at(&mut bytes, start)?;
        bytes.truncate(count);
        if let Some(newline) = memchr::memchr(b'\n', &bytes) {
            bytes.truncate(newline);
            return Ok(bytes);
        }
        if start + count as u64 >= length || size >= LONGEST_LINE {
            return Ok(bytes);
        }
        size *= 8;
    }
}

/// Reads line after line from one that begins at `low`, or behind it, until one begins behind `high`.
fn through(file: &dyn ReadAt, low: u64, high: u64, length: u64, id: EntryId) -> io::Result<Option<Vec<u8>>> {
    let mut start = low;
    while start <= high && start < length {
        let mut head = [0; HEAD_BYTES];
        let count = file.read_at(&mut head, start)?;
        if id_of(&head[..count]) == Some(id) {
            return line_from(file, start, length).map(Some);
        }
        match next_line(file, start, length)? {
            Some((next, _)) => start = next,
            None => return Ok(None),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::{Disk, RealDisk};
    use crate::testing::line;

    fn id(number: usize) -> EntryId {
        format!("01ARZ3NDEKTSV4RRFF{number:08}").parse().expect("an id")
    }

    #[test]
    fn every_line_is_found_and_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.jsonl");
        for padding in [0, 300, 40_000] {
            let count = if padding > 1000 { 40 } else { 900 };
            let lines: Vec<String> = (1..=count).map(|number| line(number * 2, padding + number)).collect();
            let text = lines.join("\n") + "\n";
            std::fs::write(&path, &text).expect("written");
            let file = RealDisk.open(&path).expect("opened");
            let find = |number| find_line(&*file, text.len() as u64, id(number)).expect("read");
            for (number, line) in (1..).zip(&lines) {
                assert_eq!(find(number * 2).as_deref(), Some(line.as_bytes()), "{number}");
                assert_eq!(find(number * 2 - 1), None);
            }
            assert_eq!(find(count * 2 + 1), None);
        }
    }

    #[test]
    fn a_last_line_without_newline_is_found_and_foreign_lines_end_the_search() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.jsonl");
        let text = format!("{}\n{}", line(1, 10), line(2, 10));
        std::fs::write(&path, &text).expect("written");
        let file = RealDisk.open(&path).expect("opened");
        assert_eq!(find_line(&*file, text.len() as u64, id(2)).expect("read"), Some(line(2, 10).into_bytes()));
        assert_eq!(find_line(&*file, 0, id(2)).expect("read"), None);
    }
}
