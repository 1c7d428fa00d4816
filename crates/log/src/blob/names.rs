//! The names of the files that hold large values.
//!
//! Does not look into them.

use std::path::{Path, PathBuf};

use super::{BlobRef, LogError, is_hash};
use crate::disk::Disk;
use crate::second::RESTORED;

/// Where a blob stands: under its hash, or under that and more, where it was put back. `git stash pop` would refuse to
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

/// The hash of the blob that a file holds, by its name: `HASH.zst`, or `HASH.OWNER.5.zst` after it was put back.
pub(crate) fn hash_of(name: &str) -> Option<&str> {
    let stem = name.strip_suffix(".zst")?;
    let Some((hash, again)) = stem.split_once('.') else { return Some(stem).filter(|hash| is_hash(hash)) };
    let (owner, number) = again.split_once('.')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_hash(hash) && is_number && owner.starts_with(RESTORED)).then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_hash_and_may_say_who_put_it_back() {
        let hash = "0a".repeat(32);
        for name in [format!("{hash}.zst"), format!("{hash}.restored-1a2b3c4d.5.zst")] {
            assert_eq!(hash_of(&name), Some(hash.as_str()), "{name}");
        }
        let others = ["", ".x.zst", ".2.zst", ".x.2.zst", ".restored-1a2b3c4d..zst", ".tmp"];
        for name in others.map(|end| format!("{hash}{end}")) {
            assert_eq!(hash_of(&name), None, "{name}");
        }
        assert_eq!(hash_of(&format!(".{hash}.zst.1-0.tmp")), None);
    }
}
