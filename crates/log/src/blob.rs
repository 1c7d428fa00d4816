//! Large values, each stored once under its hash, compressed (DESIGN 3.6). A line keeps hash, size and the beginning.
//!
//! Does not decide which values are large for a decision: commands and events are never blobs.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::LogError;
use super::disk::{Disk, Safety, Sequential};
use annals_kernel::cut::head;
use annals_kernel::json::{Hasher, Json, sha256_hex};

mod names;

pub(super) use names::hash_of;
use names::{locate, names};

/// How much of a value stays in its line, in characters.
const PREVIEW_CHARS: usize = 200;

/// A blob that unpacks to more than this is not read: nothing of ours is larger, and a few kilobytes can unpack to any size.
const MOST_BYTES: u64 = 512 << 20;

/// Putting blobs in their places stops here: each may refer to others, several times each.
const MOST_EXPANDED_BYTES: u64 = 1 << 30;

/// The most memory that unpacking takes beside what is unpacked: ours needs a quarter of it.
pub(super) const WINDOW_LOG: u32 = 25;

/// Stands in a line for a large value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlobRef {
    /// SHA-256 of the value.
    pub sha256: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Whether it is a text or other JSON.
    pub is: BlobKind,
    /// Its beginning.
    pub preview: String,
}

/// What a blob holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlobKind {
    /// A text, as it is.
    Text,
    /// A JSON value.
    Json,
}

/// The key under which a reference stands, alone in its object.
const KEY: &str = "$blob";

impl BlobRef {
    /// The reference, if a value is one.
    pub fn of(value: &Value) -> Option<Self> {
        let members = value.as_object().filter(|members| members.len() == 1)?;
        Self::deserialize(members.get(KEY)?).ok()
    }

    /// A reference to a text.
    pub fn to(text: &str, is: BlobKind) -> Self {
        let preview = text.chars().take(PREVIEW_CHARS).collect();
        Self { sha256: sha256_hex(text.as_bytes()), bytes: text.len() as u64, is, preview }
    }

    /// The reference as it stands in a line.
    pub fn into_value(self) -> Value {
        serde_json::json!({ KEY: self })
    }

    /// What is not 64 digits came from somebody else and is made no path of: it has the path of no value.
    fn path(blobs: &Path, sha256: &str) -> PathBuf {
        let name = if is_hash(sha256) { sha256 } else { "none" };
        blobs.join(&name[..2]).join(format!("{name}.zst"))
    }
}

/// Whether a text is a hash as blobs are named by.
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Moves what is too large out of a value. A text inside goes alone; what is still too large then goes as a whole.
pub fn shrink(disk: &dyn Disk, blobs: &Path, json: Json, limit: usize) -> Result<Json, LogError> {
    if json.text().len() <= limit {
        return Ok(json);
    }
    let Ok(mut value) = json.read::<Value>() else {
        // Too deep for a tree: it goes as it is.
        return store(disk, blobs, json.text(), BlobKind::Json).map(|stored| Json::of(&stored));
    };
    shrink_texts(disk, blobs, &mut value, limit)?;
    let smaller = Json::of(&value);
    if smaller.text().len() <= limit {
        return Ok(smaller);
    }
    store(disk, blobs, smaller.text(), BlobKind::Json).map(|stored| Json::of(&stored))
}

fn shrink_texts(disk: &dyn Disk, blobs: &Path, value: &mut Value, limit: usize) -> Result<(), LogError> {
    match value {
        Value::String(text) if text.len() > limit => *value = store(disk, blobs, text, BlobKind::Text)?,
        Value::Array(items) => items.iter_mut().try_for_each(|item| shrink_texts(disk, blobs, item, limit))?,
        Value::Object(members) => members.values_mut().try_for_each(|item| shrink_texts(disk, blobs, item, limit))?,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    Ok(())
}

fn store(disk: &dyn Disk, blobs: &Path, text: &str, is: BlobKind) -> Result<Value, LogError> {
    let reference = BlobRef::to(text, is);
    put(disk, blobs, &reference.sha256, text)?;
    Ok(reference.into_value())
}

/// Writes a blob under its hash, unless it is there already. It is on the disk when this returns.
pub fn put(disk: &dyn Disk, blobs: &Path, sha256: &str, text: &str) -> Result<(), LogError> {
    let path = locate(disk, blobs, sha256)?;
    let folder = path.parent().unwrap_or(blobs);
    if disk.look(&path).map_err(LogError::at("look at", &path))?.is_some() {
        // Whoever put it there may have ended before its name was on the disk.
        return disk.sync_folder(folder).map_err(LogError::at("sync", folder));
    }
    make_folders(disk, blobs, folder)?;
    let packed = zstd::encode_all(text.as_bytes(), 0).map_err(LogError::at("pack", &path))?;
    disk.replace(&path, &packed, Safety::Synced).map_err(LogError::at("write", path))
}

/// Removes a blob; it may be gone already. It does not come back when this has returned.
pub fn remove(disk: &dyn Disk, blobs: &Path, sha256: &str) -> Result<(), LogError> {
    let path = BlobRef::path(blobs, sha256);
    let names = names(disk, blobs, sha256)?;
    for path in names.iter().map(|name| path.with_file_name(name)) {
        disk.remove(&path).map_err(LogError::at("remove", path))?;
    }
    if names.is_empty() {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(blobs);
    disk.sync_folder(folder).map_err(LogError::at("sync", folder))
}

/// The hashes of all blobs.
pub fn list(disk: &dyn Disk, blobs: &Path) -> Result<Vec<String>, LogError> {
    let mut names = Vec::new();
    for prefix in 0..=255u8 {
        let folder = blobs.join(format!("{prefix:02x}"));
        let files = disk.list(&folder).map_err(LogError::at("list", &folder))?;
        names.extend(files.iter().filter_map(|file| hash_of(&file.name)).map(str::to_owned));
    }
    // One that was put back may stand under two names.
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

/// A folder gets its first blob after its name, and those above it, are on the disk; so one that has a blob needs nothing.
fn make_folders(disk: &dyn Disk, blobs: &Path, folder: &Path) -> Result<(), LogError> {
    if !disk.list(folder).map_err(LogError::at("list", folder))?.is_empty() {
        return Ok(());
    }
    disk.create_folder(folder).map_err(LogError::at("make", folder))?;
    for above in [blobs, blobs.parent().unwrap_or(blobs)] {
        disk.sync_folder(above).map_err(LogError::at("sync", above))?;
    }
    Ok(())
}

/// Reads a blob and checks it against its hash.
pub fn load(disk: &dyn Disk, blobs: &Path, sha256: &str) -> Result<String, LogError> {
    load_at_most(disk, blobs, sha256, MOST_BYTES)
}

/// The same for a reference: no more is unpacked than it says.
pub fn load_of(disk: &dyn Disk, blobs: &Path, reference: &BlobRef) -> Result<String, LogError> {
    load_at_most(disk, blobs, &reference.sha256, reference.bytes.min(MOST_BYTES))
}

fn load_at_most(disk: &dyn Disk, blobs: &Path, sha256: &str, most: u64) -> Result<String, LogError> {
    first_whole(disk, blobs, sha256, |packed| {
        let mut bytes = Vec::new();
        unpack_checked(packed, sha256, most, |piece| bytes.extend_from_slice(piece))?;
        String::from_utf8(bytes).map_err(io::Error::other)
    })
}

/// Reads the first file of a blob that can be read: beside one that was put back a stranger's may stand. Where none can,
/// what is wrong with the first.
fn first_whole<T>(
    disk: &dyn Disk,
    blobs: &Path,
    sha256: &str,
    read: impl Fn(Sequential<'_>) -> io::Result<T>,
) -> Result<T, LogError> {
    let read = |path: &Path| disk.open(path).and_then(|file| read(Sequential::new(&*file, 0)));
    let path = locate(disk, blobs, sha256)?;
    read(&path).or_else(|error| {
        let others = names(disk, blobs, sha256)?;
        let whole = others.iter().find_map(|name| read(&path.with_file_name(name)).ok());
        whole.ok_or_else(|| LogError::at("read", &path)(error))
    })
}

/// What was found out of a blob without keeping it in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedBlob {
    /// Its size.
    pub bytes: u64,
    /// Its text, where it is short enough to hold references to others.
    pub text: Option<String>,
}

/// Checks a blob against its hash, however large it is.
pub fn check(disk: &dyn Disk, blobs: &Path, sha256: &str) -> Result<CheckedBlob, LogError> {
    first_whole(disk, blobs, sha256, |packed| check_packed(packed, sha256))
}

/// Checks what a file of a blob holds against its hash.
pub(super) fn check_packed(packed: impl io::Read, sha256: &str) -> io::Result<CheckedBlob> {
    const KEPT_BYTES: usize = 32 << 20;
    let mut kept = Some(Vec::new());
    let keep = |piece: &[u8]| match &mut kept {
        Some(bytes) if bytes.len() + piece.len() <= KEPT_BYTES => bytes.extend_from_slice(piece),
        Some(_) | None => kept = None,
    };
    let bytes = unpack_checked(packed, sha256, MOST_BYTES, keep)?;
    let text = kept.map(String::from_utf8).transpose().map_err(io::Error::other)?;
    Ok(CheckedBlob { bytes, text })
}

/// Hands over a blob piece by piece, and says how long it is. It is an error only at the end if its hash is another.
fn unpack_checked(packed: impl io::Read, sha256: &str, most: u64, mut take: impl FnMut(&[u8])) -> io::Result<u64> {
    const PIECE_BYTES: usize = 128 << 10;
    let mut decoder = zstd::stream::read::Decoder::new(packed)?;
    decoder.window_log_max(WINDOW_LOG)?;
    let (mut hash, mut bytes, mut piece) = (Hasher::default(), 0, vec![0; PIECE_BYTES]);
    loop {
        let count = io::Read::read(&mut decoder, &mut piece)?;
        if count == 0 {
            break;
        }
        bytes += count as u64;
        if bytes > most {
            return Err(io::Error::other(format!("it unpacks to more than {most} bytes, which is all that it may be")));
        }
        hash.update(&piece[..count]);
        take(&piece[..count]);
    }
    if hash.hex() == sha256 {
        Ok(bytes)
    } else {
        Err(io::Error::other("its content does not have the hash that it is named by"))
    }
}

/// As much of a blob as can be unpacked, whatever its name says.
pub fn readable(disk: &dyn Disk, blobs: &Path, sha256: &str) -> Vec<u8> {
    // What cannot be read holds nothing that anybody reads.
    disk.open(&BlobRef::path(blobs, sha256)).map(|file| unpacked(Sequential::new(&*file, 0))).unwrap_or_default()
}

/// As much as can be unpacked, up to the bytes that a blob may have: a file that was made to fill the memory is no reason
/// to stop, and nothing reads what lies behind them.
pub fn unpacked(packed: impl io::Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = |bytes: &mut Vec<u8>| {
        let mut decoder = zstd::stream::read::Decoder::new(packed)?;
        decoder.window_log_max(WINDOW_LOG)?;
        io::Read::read_to_end(&mut io::Read::take(decoder, MOST_BYTES), bytes)
    };
    // What was unpacked before an error stands in `bytes`.
    let _ = read(&mut bytes);
    bytes
}

/// Puts every blob of a value back in its place.
pub fn expand(disk: &dyn Disk, blobs: &Path, value: &mut Value) -> Result<(), LogError> {
    expand_within(disk, blobs, value, &mut { MOST_EXPANDED_BYTES })
}

fn expand_within(disk: &dyn Disk, blobs: &Path, value: &mut Value, left: &mut u64) -> Result<(), LogError> {
    if let Some(reference) = BlobRef::of(value) {
        let text = load_at_most(disk, blobs, &reference.sha256, reference.bytes.min(MOST_BYTES).min(*left))?;
        *left -= text.len() as u64;
        *value = match reference.is {
            BlobKind::Text => Value::String(text),
            BlobKind::Json => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        };
        return if reference.is == BlobKind::Json { expand_within(disk, blobs, value, left) } else { Ok(()) };
    }
    match value {
        Value::Array(items) => items.iter_mut().try_for_each(|item| expand_within(disk, blobs, item, left)),
        Value::Object(members) => members.values_mut().try_for_each(|item| expand_within(disk, blobs, item, left)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

/// Cuts every text of a value at a limit, in bytes, and says so at its end.
pub fn truncate(json: Json, limit: usize) -> Json {
    if json.text().len() <= limit {
        return json;
    }
    let mut value = json.value();
    cut(&mut value, limit);
    Json::of(&value)
}

fn cut(value: &mut Value, limit: usize) {
    match value {
        Value::String(text) if text.len() > limit => {
            let kept = head(text, limit);
            *text = format!("{kept}… [{} bytes cut]", text.len() - kept.len());
        }
        Value::Array(items) => items.iter_mut().for_each(|item| cut(item, limit)),
        Value::Object(members) => members.values_mut().for_each(|item| cut(item, limit)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests;
