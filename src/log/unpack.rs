//! Packed segments: decoded in pieces of a few megabytes, however long they are.
//!
//! Does not pack.

use std::io::{self, Read};

use super::batch::Batch;
use super::disk::{ReadAt, Sequential};
use super::read::{CHUNK_BYTES, MAX_LINE_BYTES, Means};

/// Hands over the lines of a packed segment, piece by piece, in order.
pub(super) fn unpack(file: &dyn ReadAt, means: &Means<'_>, take: &mut dyn FnMut(Batch)) -> io::Result<()> {
    let mut decoder = zstd::stream::read::Decoder::new(Sequential::new(file, 0))?;
    let (mut base, mut rest) = (0, Vec::new());
    loop {
        let mut bytes = std::mem::take(&mut rest);
        let before = bytes.len();
        let is_end = (&mut decoder).take(CHUNK_BYTES).read_to_end(&mut bytes)? == 0;
        match memchr::memrchr(b'\n', &bytes[before..]) {
            _ if is_end => {
                take(means.batch(bytes, 0, base));
                return Ok(());
            }
            Some(newline) => {
                rest = bytes.split_off(before + newline + 1);
                let length = bytes.len() as u64;
                take(means.batch(bytes, 0, base));
                base += length;
            }
            None if bytes.len() as u64 > MAX_LINE_BYTES => {
                let length = bytes.len() as u64 + skip_line(&mut decoder, &mut rest)?;
                take(Batch::too_long(base, base + length));
                base += length;
            }
            None => rest = bytes,
        }
    }
}

/// Reads on to the end of a line; what follows it goes to `rest`. Returns how long the rest of the line was.
fn skip_line(decoder: &mut dyn Read, rest: &mut Vec<u8>) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        rest.clear();
        decoder.take(CHUNK_BYTES).read_to_end(rest)?;
        if let Some(newline) = memchr::memchr(b'\n', rest) {
            rest.drain(..=newline);
            return Ok(skipped + newline as u64 + 1);
        }
        if rest.is_empty() {
            return Ok(skipped);
        }
        skipped += rest.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::batch::TroubleKind;
    use crate::log::disk::{Disk, RealDisk};
    use crate::log::testing::line;

    fn read_packed(text: &str) -> (Vec<String>, Vec<(u64, TroubleKind)>, u64) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("packed");
        std::fs::write(&path, zstd::encode_all(text.as_bytes(), 0).expect("packed")).expect("written");
        let (mut lines, mut troubles, mut before, mut end) = (Vec::new(), Vec::new(), 0, 0);
        let done = unpack(&*RealDisk.open(&path).expect("opened"), &Means::default(), &mut |batch| {
            lines.extend(batch.entries().map(|entry| String::from_utf8_lossy(entry.original).into_owned()));
            troubles.extend(batch.troubles.iter().map(|trouble| (before + trouble.line, trouble.kind.clone())));
            before += batch.line_count;
            end = batch.end;
        });
        done.expect("unpacked");
        (lines, troubles, end)
    }

    #[test]
    fn the_lines_of_all_pieces_arrive_in_order() {
        let lengths = [0, 100, 3 << 20, 7, 2 << 20, 40_000, 1];
        let lines: Vec<_> = (0..50).map(|number| line(number, lengths[number % lengths.len()])).collect();
        let text = lines.join("\n") + "\n";
        let (read, troubles, end) = read_packed(&text);
        assert!(read == lines, "{} of {} lines", read.len(), lines.len());
        assert_eq!((troubles, end), (vec![], text.len() as u64));
    }

    #[test]
    fn a_line_that_is_too_long_is_named_and_its_neighbours_are_read() {
        let text = format!("{}\n{}\n{}\n{}", line(1, 5), line(2, 80 << 20), line(3, 5), line(4, 5));
        let (read, troubles, _) = read_packed(&text);
        assert_eq!(read, [line(1, 5), line(3, 5), line(4, 5)]);
        assert_eq!(troubles, [(2, TroubleKind::TooLong), (4, TroubleKind::Unfinished)]);
    }
}
