//! Large values, each stored once under its hash, compressed (DESIGN 3.6). A line keeps hash, size and the beginning.
//!
//! Does not decide which values are large for a decision: commands and events are never blobs.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::LogError;
use super::disk::{Disk, Safety, Sequential};
use crate::kernel::json::{Json, sha256_hex};

/// How much of a value stays in its line, in characters.
const PREVIEW_CHARS: usize = 200;

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

    fn path(blobs: &Path, sha256: &str) -> PathBuf {
        blobs.join(sha256.get(..2).unwrap_or("00")).join(format!("{sha256}.zst"))
    }
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
    let path = BlobRef::path(blobs, sha256);
    let folder = path.parent().unwrap_or(blobs);
    if disk.look(&path).map_err(LogError::at("look at", &path))?.is_some() {
        // Whoever put it there may have ended before its name was on the disk.
        return disk.sync_folder(folder).map_err(LogError::at("sync", folder));
    }
    make_folders(disk, blobs, folder)?;
    let packed = zstd::encode_all(text.as_bytes(), 0).map_err(LogError::at("pack", &path))?;
    disk.replace(&path, &packed, Safety::Synced).map_err(LogError::at("write", path))
}

/// Removes a blob; it may be gone already.
pub fn remove(disk: &dyn Disk, blobs: &Path, sha256: &str) -> Result<(), LogError> {
    let path = BlobRef::path(blobs, sha256);
    disk.remove(&path).map_err(LogError::at("remove", path))
}

/// The hashes of all blobs.
pub fn list(disk: &dyn Disk, blobs: &Path) -> Result<Vec<String>, LogError> {
    let mut names = Vec::new();
    for prefix in 0..=255u8 {
        let folder = blobs.join(format!("{prefix:02x}"));
        let files = disk.list(&folder).map_err(LogError::at("list", &folder))?;
        names.extend(files.into_iter().filter_map(|file| Some(file.name.strip_suffix(".zst")?.to_owned())));
    }
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
    let path = BlobRef::path(blobs, sha256);
    let open = || {
        let mut bytes = Vec::new();
        let file = disk.open(&path)?;
        io::Read::read_to_end(&mut zstd::stream::read::Decoder::new(Sequential::new(&*file, 0))?, &mut bytes)?;
        if sha256_hex(&bytes) == sha256 {
            String::from_utf8(bytes).map_err(io::Error::other)
        } else {
            Err(io::Error::other("its content does not have the hash that it is named by"))
        }
    };
    open().map_err(LogError::at("read", &path))
}

/// Puts every blob of a value back in its place.
pub fn expand(disk: &dyn Disk, blobs: &Path, value: &mut Value) -> Result<(), LogError> {
    if let Some(reference) = BlobRef::of(value) {
        let text = load(disk, blobs, &reference.sha256)?;
        *value = match reference.is {
            BlobKind::Text => Value::String(text),
            BlobKind::Json => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        };
        return if reference.is == BlobKind::Json { expand(disk, blobs, value) } else { Ok(()) };
    }
    match value {
        Value::Array(items) => items.iter_mut().try_for_each(|item| expand(disk, blobs, item)),
        Value::Object(members) => members.values_mut().try_for_each(|item| expand(disk, blobs, item)),
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
            let end = (0..=limit).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            *text = format!("{}… [{} bytes cut]", &text[..end], text.len() - end);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| cut(item, limit)),
        Value::Object(members) => members.values_mut().for_each(|item| cut(item, limit)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::disk::RealDisk;

    fn long(letter: &str) -> String {
        letter.repeat(5000)
    }

    #[test]
    fn a_large_text_goes_and_comes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = serde_json::json!({ "stdout": long("a"), "small": "b", "list": [long("a"), 1] });
        let line = shrink(&RealDisk, folder.path(), Json::of(&whole), 4000).expect("stored");
        assert!(line.text().len() < 1000, "{line:?}");
        let mut value = line.value();
        expand(&RealDisk, folder.path(), &mut value).expect("read");
        assert_eq!(value, whole);
        let files = walk(folder.path());
        assert_eq!(files.len(), 1, "the same text is stored once: {files:?}");
    }

    fn walk(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
    }

    #[test]
    fn many_small_values_go_as_a_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = serde_json::json!((0..5000).collect::<Vec<_>>());
        let line = shrink(&RealDisk, folder.path(), Json::of(&whole), 4000).expect("stored");
        let mut value = line.value();
        assert!(BlobRef::of(&value).is_some());
        expand(&RealDisk, folder.path(), &mut value).expect("read");
        assert_eq!(value, whole);
    }

    #[test]
    fn a_changed_blob_is_not_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        shrink(&RealDisk, folder.path(), Json::of(&long("a")), 4000).expect("stored");
        let path = walk(folder.path()).pop().expect("one blob");
        std::fs::write(&path, zstd::encode_all(&b"other"[..], 0).expect("packed")).expect("written");
        let error = load(&RealDisk, folder.path(), &sha256_hex(long("a").as_bytes())).expect_err("it was changed");
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(cause.contains("does not have the hash"), "{error}: {cause}");
    }

    #[test]
    fn a_cut_text_says_how_much_is_gone() {
        let cut = truncate(Json::of(&"ü".repeat(10)), 7);
        assert_eq!(cut.value(), Value::String("üüü… [14 bytes cut]".to_owned()));
    }
}
