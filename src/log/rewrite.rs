//! The only two ways in which a segment changes beside growing: a scrub takes a value out of lines, an archive packs
//! old days. Both under the lock, both putting whole files in place, so that a crash leaves the old one or the new one.
//!
//! Does not decide what is taken out or packed.

use std::io;
use std::path::Path;

use super::LogError;
use super::disk::{Disk, Safety, Sequential};
use super::segment::{Packing, Segment};
use crate::kernel::json::sha256_hex;

/// The whole content of a segment, unpacked.
pub fn content(disk: &dyn Disk, history: &Path, segment: &Segment) -> Result<Vec<u8>, LogError> {
    let path = history.join(&segment.name);
    let failed = LogError::at("read", &path);
    let read = || {
        let file = disk.open(&path)?;
        let mut bytes = Vec::new();
        match segment.packing() {
            Packing::Plain => io::Read::read_to_end(&mut Sequential::new(&*file, 0), &mut bytes)?,
            Packing::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::new(Sequential::new(&*file, 0))?;
                io::Read::read_to_end(&mut decoder, &mut bytes)?
            }
        };
        Ok(bytes)
    };
    read().map_err(failed)
}

/// Puts new content in place of a segment. A packed one gets a new name, for its name is the hash of its content.
pub fn replace(disk: &dyn Disk, history: &Path, segment: &Segment, bytes: &[u8]) -> Result<(), LogError> {
    let path = history.join(&segment.name);
    match segment.packing() {
        Packing::Plain => disk.replace(&path, bytes, Safety::Synced).map_err(LogError::at("write", path)),
        Packing::Zstd => {
            let stem = segment.stem();
            let day = stem.rsplit_once('-').map_or(stem, |(day, _)| day);
            pack(disk, history, day, bytes)?;
            disk.remove(&path).map_err(LogError::at("remove", path))
        }
    }
}

/// Packs lines into a segment of the archive; returns its name. The same lines give the same name.
pub fn pack(disk: &dyn Disk, history: &Path, stem: &str, bytes: &[u8]) -> Result<String, LogError> {
    const LEVEL: i32 = 9;
    let archive = history.join("archive");
    let packed = zstd::encode_all(bytes, LEVEL).map_err(LogError::at("pack", &archive))?;
    let name = format!("archive/{stem}-{}.jsonl.zst", &sha256_hex(&packed)[..16]);
    let path = history.join(&name);
    if disk.look(&archive).map_err(LogError::at("look at", &archive))?.is_none() {
        disk.create_folder(&archive).map_err(LogError::at("make", &archive))?;
        disk.sync_folder(history).map_err(LogError::at("sync", history))?;
    }
    disk.replace(&path, &packed, Safety::Synced).map_err(LogError::at("write", path))?;
    Ok(name)
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
