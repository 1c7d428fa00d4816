//! The only two ways in which a segment changes beside growing: a scrub takes a value out of lines, an archive packs
//! old days. Both under the lock, both putting whole files in place, so that a crash leaves the old one or the new one.
//!
//! Does not decide what is taken out or packed.

use std::io;
use std::path::Path;

use super::LogError;
use super::begun::{self, Begun};
use super::disk::{Append, Disk, Safety, Sequential};
use super::place::Place;
use super::segment::{Packing, Segment};
use super::unpack::{Unpacked, most_unpacked, unpack_whole};
use annals_kernel::json::Hasher;

/// The whole content of a segment, unpacked.
pub fn content(disk: &dyn Disk, history: &Path, segment: &Segment) -> Result<Vec<u8>, LogError> {
    let path = history.join(&segment.name);
    let failed = LogError::at("read", &path);
    let read = || {
        let file = disk.open(&path)?;
        match segment.packing() {
            Packing::Plain => {
                let mut bytes = Vec::new();
                io::Read::read_to_end(&mut Sequential::new(&*file, 0), &mut bytes)?;
                Ok(bytes)
            }
            Packing::Zstd => {
                let Unpacked { bytes, fault } = unpack_whole(file, segment.look.len)?;
                fault.map_or(Ok(bytes), Err)
            }
        }
    };
    read().map_err(failed)
}

/// Puts new content in place of a segment. A packed one gets a new name, for its name is the hash of its content.
pub fn replace(disk: &dyn Disk, place: &Place, segment: &Segment, bytes: &[u8]) -> Result<(), LogError> {
    let history = place.history();
    let path = history.join(&segment.name);
    match segment.packing() {
        Packing::Plain => Begun::around(disk, place, &segment.name, || {
            disk.replace(&path, bytes, Safety::Synced).map_err(LogError::at("write", &path))
        }),
        Packing::Zstd => {
            // `2026-11-21-HASH`, or `2026-11-21-HASH.OWNER.5` where it was put back.
            let stem = segment.stem().split('.').next().unwrap_or_default();
            let day = stem.rsplit_once('-').map_or(stem, |(day, _)| day);
            // The new segment is on the disk before the old one goes: a crash in between leaves lines twice, which
            // count once.
            pack(disk, place, day, bytes)?;
            disk.remove(&path).map_err(LogError::at("remove", &path))?;
            let archive = history.join("archive");
            disk.sync_folder(&archive).map_err(LogError::at("sync", archive))
        }
    }
}

/// Packs lines into a segment of the archive; returns its name. The same lines give the same name.
pub fn pack(disk: &dyn Disk, place: &Place, stem: &str, bytes: &[u8]) -> Result<String, LogError> {
    pack_from(disk, place, stem, &mut &*bytes)
}

/// The same for lines that need not all be in memory.
pub fn pack_from(disk: &dyn Disk, place: &Place, stem: &str, lines: &mut dyn io::Read) -> Result<String, LogError> {
    let history = place.history();
    let archive = history.join("archive");
    if disk.look(&archive).map_err(LogError::at("look at", &archive))?.is_none() {
        disk.create_folder(&archive).map_err(LogError::at("make", &archive))?;
        disk.sync_folder(history).map_err(LogError::at("sync", history))?;
    }
    // Under the lock nobody else packs; what a crash left behind under this name is in nobody's use.
    let temporary = archive.join(format!(".{stem}.packing"));
    let packed = disk.remove(&temporary).and_then(|()| write_packed(disk, &temporary, lines));
    let named = packed.and_then(|hash| {
        // Named by its content, so that two clones that pack the same day make one file, and git has nothing to
        // merge.
        let name = format!("archive/{stem}-{}.jsonl.zst", &hash[..16]);
        Begun::add(disk, place, begun::File { name: name.clone(), number: None }).map_err(io::Error::other)?;
        // What stands there was brought by git, and may be anything: ours takes its place, and the lines are still elsewhere.
        disk.remove(&history.join(&name))?;
        disk.rename(&temporary, &history.join(&name))?;
        disk.sync_folder(&archive)?;
        Ok(name)
    });
    if named.is_err() {
        // The first error says more.
        let _ = disk.remove(&temporary);
    }
    named.map_err(LogError::at("pack into", archive))
}

/// Writes packed lines to a new file; returns their hash when they are on the disk.
fn write_packed(disk: &dyn Disk, path: &Path, lines: &mut dyn io::Read) -> io::Result<String> {
    const LEVEL: i32 = 9;
    let file = disk.append_to(path)?;
    let sink = Sink { file: &*file, hash: Hasher::default(), bytes: 0 };
    let mut encoder = zstd::stream::write::Encoder::new(sink, LEVEL)?;
    let count = io::copy(lines, &mut encoder)?;
    let sink = encoder.finish()?;
    // Our own reader would refuse it as a bomb, and the day's lines would be out of reach for every command.
    if count > most_unpacked(sink.bytes) {
        return Err(io::Error::other("its lines are so much alike that, packed, it would be taken for a bomb"));
    }
    file.sync()?;
    Ok(sink.hash.hex())
}

/// Bytes that go to the end of a file, counted and hashed.
struct Sink<'f> {
    file: &'f dyn Append,
    hash: Hasher,
    bytes: u64,
}

impl io::Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.append(bytes)?;
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The content of a segment with other lines in place of some; one that becomes empty goes, with its newline.
pub fn edit_lines(bytes: &[u8], mut edit: impl FnMut(&[u8]) -> Option<Vec<u8>>) -> Vec<u8> {
    let mut new = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let (text, newline) = line.strip_suffix(b"\n").map_or((line, &b""[..]), |text| (text, &b"\n"[..]));
        match edit(text) {
            Some(changed) if changed.is_empty() => continue,
            Some(changed) => new.extend_from_slice(&changed),
            None => new.extend_from_slice(text),
        }
        new.extend_from_slice(newline);
    }
    new
}
