//! The names of the files that hold large values.
//!
//! Does not look into them.

use std::path::{Path, PathBuf};

use super::{BlobRef, LogError, is_hash};
use crate::log::disk::Disk;

/// Where a blob stands: under its hash, or under that and a number, where it was put back. `git stash pop` would refuse to
/// bring again what stands under the same name. What is nowhere would stand under its hash.
pub(super) fn locate(disk: &dyn Disk, blobs: &Path, sha256: &str) -> Result<PathBuf, LogError> {
    let path = BlobRef::path(blobs, sha256);
    if disk.look(&path).map_err(LogError::at("look at", &path))?.is_some() {
        return Ok(path);
    }
    let again = names(disk, blobs, sha256)?;
    Ok(again.first().map_or(path.clone(), |name| path.with_file_name(name)))
}

/// The names of the files that hold a blob.
pub(super) fn names(disk: &dyn Disk, blobs: &Path, sha256: &str) -> Result<Vec<String>, LogError> {
    let path = BlobRef::path(blobs, sha256);
    let folder = path.parent().unwrap_or(blobs);
    let files = disk.list(folder).map_err(LogError::at("list", folder))?;
    Ok(files.into_iter().map(|file| file.name).filter(|name| hash_of(name) == Some(sha256)).collect())
}

/// The hash of the blob that a file holds, by its name: `HASH.zst`, or `HASH.2.zst` after it was put back.
pub(super) fn hash_of(name: &str) -> Option<&str> {
    let stem = name.strip_suffix(".zst")?;
    let (hash, number) = stem.split_once('.').unwrap_or((stem, "0"));
    (is_hash(hash) && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(hash)
}

/// A name for a blob that is put back, with this number or the next that is free.
pub(in crate::log) fn name_beside(name: &str, number: u64, taken: impl Fn(&str) -> bool) -> Option<String> {
    let hash = hash_of(name)?;
    (number..u64::MAX).map(|number| format!("{hash}.{number}.zst")).find(|name| !taken(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_hash_with_a_number_or_without() {
        let hash = "0a".repeat(32);
        let (first, second) = (format!("{hash}.zst"), format!("{hash}.2.zst"));
        assert_eq!((hash_of(&first), hash_of(&second)), (Some(hash.as_str()), Some(hash.as_str())));
        for name in [hash.clone(), format!("{hash}.x.zst"), format!("{hash}.tmp"), format!(".{hash}.zst.1-0.tmp")] {
            assert_eq!(hash_of(&name), None, "{name}");
        }
        assert_eq!(name_beside(&first, 2, |name| name == second), Some(format!("{hash}.3.zst")));
        assert_eq!(name_beside(&second, 2, |_| false), Some(second));
        assert_eq!(name_beside("2026-11-21.jsonl", 2, |_| false), None);
    }
}
