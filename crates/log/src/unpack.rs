//! Packed segments: decoded in pieces of a few megabytes, however long they are.
//!
//! Does not pack.

use std::io::{self, BufReader, Read};

use zstd::stream::read::Decoder;

use super::batch::{Batch, TroubleKind};
use super::blob::WINDOW_LOG;
use super::disk::ReadAt;
use super::read::{CHUNK_BYTES, MAX_LINE_BYTES, Means};
use super::segment::Packing;

/// Of a packed segment so many bytes are unpacked, whatever it says.
const LEAST_BYTES: u64 = 64 << 20;

/// And so many more for each of its bytes. A line of ours has an id and a hash that cannot be packed; `rewrite::pack`
/// leaves a day alone that is so uniform that it would be taken for a bomb.
const MOST_TIMES: u64 = 1000;

/// To how many bytes a packed segment of a size may unpack.
pub(super) const fn most_unpacked(packed_bytes: u64) -> u64 {
    LEAST_BYTES.saturating_add(packed_bytes.saturating_mul(MOST_TIMES))
}

/// Many packed segments together unpack to so many bytes, whatever they say.
const LEAST_TOGETHER_BYTES: u64 = 4 * LEAST_BYTES;

/// And to so many more for each of theirs: one day may be uniform, but not all of them.
const MOST_TIMES_TOGETHER: u64 = 200;

/// How much packed segments that are in memory may still unpack to.
#[derive(Debug)]
pub(super) struct Allowance {
    most: u64,
    left: u64,
    /// How much each packed byte adds.
    times: u64,
}

impl Allowance {
    /// That of one segment.
    pub(super) fn of_one() -> Self {
        Self { most: LEAST_BYTES, left: LEAST_BYTES, times: MOST_TIMES }
    }

    /// That of many together.
    pub(super) fn of_many() -> Self {
        Self { most: LEAST_TOGETHER_BYTES, left: LEAST_TOGETHER_BYTES, times: MOST_TIMES_TOGETHER }
    }

    fn grow(&mut self, packed_bytes: u64) {
        let more = packed_bytes.saturating_mul(self.times);
        (self.most, self.left) = (self.most.saturating_add(more), self.left.saturating_add(more));
    }
}

/// Bytes that are read as a file is.
struct HeldBytes(Vec<u8>);

impl ReadAt for HeldBytes {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.0.get(offset..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

/// Hands over the lines of a segment that is in memory, piece by piece where it is packed. Returns why that is not all, where
/// it is packed badly, or unpacks to more than it may: what lies behind counts as not there.
pub(super) fn each_batch(
    packing: Packing,
    bytes: Vec<u8>,
    allowance: &mut Allowance,
    take: &mut dyn FnMut(Batch),
) -> Option<String> {
    match packing {
        Packing::Plain => {
            take(Batch::decode(bytes, 0));
            None
        }
        Packing::Zstd => allowance.unpack(bytes, take).unwrap_or_else(|error| Some(error.to_string())),
    }
}

impl Allowance {
    fn unpack(&mut self, bytes: Vec<u8>, take: &mut dyn FnMut(Batch)) -> io::Result<Option<String>> {
        self.grow(bytes.len() as u64);
        let (own, means) = (most_unpacked(bytes.len() as u64), Means::default());
        let most = own.min(self.left);
        let mut unpacker = Unpacker::within(Box::new(HeldBytes(bytes)), most)?;
        let mut fault = None;
        while let Some(batch) = unpacker.next(&means)? {
            let why =
                |kind: &TroubleKind| if let TroubleKind::PackedBadly(why) = kind { Some(why.clone()) } else { None };
            fault = batch.troubles.iter().find_map(|trouble| why(&trouble.kind));
            take(batch);
        }
        self.left -= (most - unpacker.decoder.limit()).min(self.left);
        let is_spent = self.left == 0 && most < own;
        Ok(fault.map(|fault| if is_spent { self.spent() } else { fault }))
    }

    fn spent(&self) -> String {
        format!("with the others it unpacks to more than {} bytes", self.most)
    }
}

/// Reads an open file from its beginning, and remembers whether that failed.
struct Stream {
    file: Box<dyn ReadAt>,
    offset: u64,
    failed: bool,
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(buffer, self.offset).inspect_err(|_| self.failed = true)?;
        self.offset += count as u64;
        Ok(count)
    }
}

/// A packed segment in memory.
pub(super) struct Unpacked {
    /// Its bytes, as far as it can be unpacked.
    pub(super) bytes: Vec<u8>,
    /// Why that is not all, where it is packed badly.
    pub(super) fault: Option<io::Error>,
}

/// Unpacks a segment into memory; an error is only one of the disk.
pub(super) fn unpack_whole(file: Box<dyn ReadAt>, packed_bytes: u64) -> io::Result<Unpacked> {
    let mut unpacker = Unpacker::new(file, packed_bytes)?;
    let mut bytes = Vec::new();
    let read = unpacker.decoder.read_to_end(&mut bytes).and_then(|_| unpacker.require_end());
    match read.err() {
        Some(error) if unpacker.has_failed() => Err(error),
        fault => Ok(Unpacked { bytes, fault }),
    }
}

/// Hands over the lines of a packed segment, piece by piece, in order.
pub(super) struct Unpacker {
    decoder: io::Take<Decoder<'static, BufReader<Stream>>>,
    most: u64,
    base: u64,
    rest: Vec<u8>,
    is_at_end: bool,
}

impl Unpacker {
    /// A segment of so many packed bytes.
    pub(super) fn new(file: Box<dyn ReadAt>, packed_bytes: u64) -> io::Result<Self> {
        Self::within(file, most_unpacked(packed_bytes))
    }

    /// A segment that may unpack to so many bytes.
    fn within(file: Box<dyn ReadAt>, most: u64) -> io::Result<Self> {
        let mut decoder = Decoder::new(Stream { file, offset: 0, failed: false })?;
        decoder.window_log_max(WINDOW_LOG)?;
        Ok(Self { decoder: decoder.take(most), most, base: 0, rest: Vec::new(), is_at_end: false })
    }

    /// How many bytes were handed over.
    pub(super) fn done_bytes(&self) -> u64 {
        self.base
    }

    /// The next lines; `None` where there are no more. What is packed badly is read as far as it can be unpacked, and named;
    /// an error is only one of the disk.
    pub(super) fn next(&mut self, means: &Means<'_>) -> io::Result<Option<Batch>> {
        while !self.is_at_end {
            let mut bytes = std::mem::take(&mut self.rest);
            let before = bytes.len();
            let count = (&mut self.decoder).take(CHUNK_BYTES).read_to_end(&mut bytes);
            let more = match count {
                Ok(0) => {
                    let end = self.require_end();
                    return self.ended(end, bytes, means);
                }
                Ok(_) => self.whole_lines(bytes, before, means),
                Err(error) => return self.ended(Err(error), bytes, means),
            };
            match more {
                Ok(None) => {}
                Ok(batch) => return Ok(batch),
                Err(error) => return self.ended(Err(error), Vec::new(), means),
            }
        }
        Ok(None)
    }

    /// The last lines, and how it came that there are no more. The line that damage cuts is not among them.
    fn ended(&mut self, how: io::Result<()>, mut bytes: Vec<u8>, means: &Means<'_>) -> io::Result<Option<Batch>> {
        self.is_at_end = true;
        let Err(error) = how else { return Ok(Some(means.batch(bytes, 0, self.base))) };
        if self.has_failed() {
            return Err(error);
        }
        bytes.truncate(memchr::memrchr(b'\n', &bytes).map_or(0, |newline| newline + 1));
        let mut batch = means.batch(bytes, 0, self.base);
        batch.packed_badly(&error);
        Ok(Some(batch))
    }

    /// The lines that end in what was unpacked; its first bytes have none. What is behind them is kept for the next.
    fn whole_lines(&mut self, mut bytes: Vec<u8>, before: usize, means: &Means<'_>) -> io::Result<Option<Batch>> {
        let base = self.base;
        if let Some(newline) = memchr::memrchr(b'\n', &bytes[before..]) {
            self.rest = bytes.split_off(before + newline + 1);
            self.base += bytes.len() as u64;
            return Ok(Some(means.batch(bytes, 0, base)));
        }
        if bytes.len() as u64 > MAX_LINE_BYTES {
            self.base += bytes.len() as u64 + skip_line(&mut self.decoder, &mut self.rest)?;
            return Ok(Some(Batch::too_long(base, self.base)));
        }
        self.rest = bytes;
        Ok(None)
    }

    /// Whether the disk could not be read: then nothing is known of what is packed.
    fn has_failed(&self) -> bool {
        self.decoder.get_ref().get_ref().get_ref().failed
    }

    fn require_end(&mut self) -> io::Result<()> {
        if self.decoder.limit() == 0 && self.decoder.get_mut().read(&mut [0])? > 0 {
            let most = self.most;
            return Err(io::Error::other(format!("it unpacks to more than {most} bytes, which none of ours does")));
        }
        Ok(())
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
    use crate::disk::{Disk, RealDisk};
    use crate::testing::line;

    fn unpack(packed: &[u8], take: &mut dyn FnMut(Batch)) -> io::Result<()> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("packed");
        std::fs::write(&path, packed).expect("written");
        let mut unpacker = Unpacker::new(RealDisk.open(&path).expect("opened"), packed.len() as u64)?;
        while let Some(batch) = unpacker.next(&Means::default())? {
            take(batch);
        }
        Ok(())
    }

    fn read_packed(text: &str) -> (Vec<String>, Vec<(u64, TroubleKind)>, u64) {
        read_bytes(&zstd::encode_all(text.as_bytes(), 0).expect("packed"))
    }

    fn read_bytes(packed: &[u8]) -> (Vec<String>, Vec<(u64, TroubleKind)>, u64) {
        let (mut lines, mut troubles, mut before, mut end) = (Vec::new(), Vec::new(), 0, 0);
        let done = unpack(packed, &mut |batch| {
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
        // What packs too well is taken for a bomb: noise again and again, further apart than zstd looks back.
        let mut state = 1u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b'a' + (state >> 28) as u8)
        };
        let long: String = (0..8 << 20).map(|_| noise()).collect::<String>().repeat(10);
        let text = format!("{}\n{long}\n{}\n{}", line(1, 5), line(3, 5), line(4, 5));
        let (read, troubles, _) = read_packed(&text);
        assert_eq!(read, [line(1, 5), line(3, 5), line(4, 5)]);
        assert_eq!(troubles, [(2, TroubleKind::TooLong), (4, TroubleKind::Unfinished)]);
    }

    #[test]
    fn a_few_kilobytes_that_unpack_to_gigabytes_are_named_and_little_of_them_is_in_memory() {
        let blank = vec![b'\n'; 1 << 20];
        let mut bomb = zstd::stream::write::Encoder::new(Vec::new(), 19).expect("packs");
        for _ in 0..400 {
            io::Write::write_all(&mut bomb, &blank).expect("packed");
        }
        let bomb = bomb.finish().expect("packed");
        let (mut bytes, mut longest, mut troubles) = (0, 0, Vec::new());
        let done = unpack(&bomb, &mut |batch| {
            longest = longest.max(batch.end - bytes);
            bytes = batch.end;
            troubles.extend(batch.troubles.iter().map(|trouble| trouble.kind.to_string()));
        });
        done.expect("the disk is well");
        let most = most_unpacked(bomb.len() as u64);
        let said = format!("it unpacks to more than {most} bytes, which none of ours does");
        assert_eq!(troubles, [format!("packed badly, from here on nothing is read: {said}")]);
        assert!(bytes <= most && longest <= 2 * CHUNK_BYTES, "{bytes} {longest}");
    }

    /// What unpacks to so many blank lines, behind one of its own.
    fn bomb(name: usize, megabytes: usize) -> Vec<u8> {
        let mut bomb = zstd::encode_all((line(name, 5) + "\n").as_bytes(), 1).expect("packed");
        let blank = vec![b' '; megabytes << 20];
        bomb.extend(zstd::encode_all(blank.as_slice(), 1).expect("packed"));
        bomb
    }

    #[test]
    fn segments_in_memory_are_read_to_a_bound_each_and_all_together() {
        let bombs: Vec<_> = (1..=5).map(|name| bomb(name, 120)).collect();
        let mut allowance = Allowance::of_many();
        let own = |bomb: &Vec<u8>| most_unpacked(bomb.len() as u64);
        let each = |bomb| format!("it unpacks to more than {} bytes, which none of ours does", own(bomb));
        let packed = |count: usize| bombs[..count].iter().map(|bomb| bomb.len() as u64).sum::<u64>();
        let most = |count: usize| LEAST_TOGETHER_BYTES + MOST_TIMES_TOGETHER * packed(count);
        let mut expected: Vec<_> = bombs[..3].iter().map(each).collect();
        expected.extend([4, 5].map(|count| format!("with the others it unpacks to more than {} bytes", most(count))));
        let (mut entries, mut longest) = (Vec::new(), 0);
        let faults = bombs.into_iter().map(|bomb| {
            each_batch(Packing::Zstd, bomb, &mut allowance, &mut |batch| {
                longest = longest.max(batch.bytes().len() as u64);
                entries.push(batch.entries().count());
            })
        });
        let faults: Vec<_> = faults.map(|fault| fault.expect("it is not read to its end")).collect();
        assert_eq!(faults, expected);
        assert!(longest <= 2 * CHUNK_BYTES, "{longest}");
        assert_eq!(entries.iter().sum::<usize>(), 5, "the first line of each");
    }

    #[test]
    fn wherever_it_is_cut_the_lines_before_are_read_and_the_rest_is_named() {
        let lines: Vec<_> = (0..40).map(|number| line(number, 50)).collect();
        let packed = zstd::encode_all((lines.join("\n") + "\n").as_bytes(), 1).expect("packed");
        for cut in 1..packed.len() {
            let (read, troubles, _) = read_bytes(&packed[..cut]);
            assert!(lines.starts_with(&read), "{cut}: {} lines", read.len());
            let [(number, TroubleKind::PackedBadly(_))] = &troubles[..] else { panic!("{cut}: {troubles:?}") };
            assert_eq!(*number, read.len() as u64 + 1, "{cut}");
        }
    }

    #[test]
    fn what_is_not_packed_at_all_is_named() {
        let (read, troubles, _) = read_bytes(b"version 1\nsize 12345\n");
        assert_eq!((read, troubles.len()), (vec![], 1));
    }

    #[test]
    fn a_disk_that_fails_is_no_damage() {
        struct Failing;
        impl ReadAt for Failing {
            fn read_at(&self, _: &mut [u8], _: u64) -> io::Result<usize> {
                Err(io::Error::other("the cable"))
            }
        }
        let mut unpacker = Unpacker::new(Box::new(Failing), 100).expect("a decoder");
        let error = unpacker.next(&Means::default()).expect_err("it fails");
        assert_eq!(error.to_string(), "the cable");
        assert!(unpack_whole(Box::new(Failing), 100).is_err());
    }
}
