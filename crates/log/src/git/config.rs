//! The keys of a git directory's `config` that say what the directory is.
//!
//! Follows no includes: git does not, either, for these keys, and writes `promisor` into this file. Knows no other key.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use super::{GitError, HashKind};

const MOST_BYTES: u64 = 16 << 20;

/// What a git directory says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Config {
    /// `core.bare`.
    pub is_bare: bool,
    /// `core.worktree`.
    pub work_tree: Option<Vec<u8>>,
    /// `extensions.worktreeConfig`: a linked work tree has a file of its own.
    pub has_own: bool,
    /// `extensions.objectFormat`.
    pub hash: HashKind,
    /// `extensions.partialClone`, or `remote.NAME.promisor`: what was not fetched is missing, and nothing is wrong.
    pub is_partial: bool,
}

impl Config {
    /// Reads a file on top of what is known; where there is none, nothing changes.
    pub(super) fn read(&mut self, path: &Path) -> Result<(), GitError> {
        let text = match bounded(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(GitError::at("read", path)(error)),
        };
        let mut section = Vec::new();
        for line in text.split(|byte| *byte == b'\n') {
            let mut line = line.trim_ascii();
            if let Some((name, rest)) = header(line) {
                section = name;
                line = rest.trim_ascii();
            }
            if let Some((key, value)) = assignment(line) {
                self.take(&section, &key, value, path)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, section: &[u8], key: &[u8], value: Option<Vec<u8>>, path: &Path) -> Result<(), GitError> {
        match (section, key) {
            (b"core", b"bare") => self.is_bare = is_true(value.as_deref()),
            (b"core", b"worktree") => self.work_tree = value,
            (b"extensions", b"worktreeconfig") => self.has_own = is_true(value.as_deref()),
            (b"extensions", b"objectformat") => {
                self.hash = match value.unwrap_or_default().to_ascii_lowercase().as_slice() {
                    b"sha1" => HashKind::Sha1,
                    b"sha256" => HashKind::Sha256,
                    other => {
                        // An error and no default, because what cannot be read counts as tracked, and nothing is added
                        // to it.
                        let why = format!("its objects are named by `{}`", String::from_utf8_lossy(other));
                        return Err(GitError::Broken { path: path.to_owned(), why });
                    }
                }
            }
            (b"extensions", b"partialclone") => self.is_partial = true,
            (section, b"promisor") if section.starts_with(b"remote ") => self.is_partial |= is_true(value.as_deref()),
            (_, _) => {}
        }
        Ok(())
    }
}

fn bounded(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    fs::File::open(path)?.take(MOST_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

/// The name of a section, and what stands behind it in its line: git takes a key there, too.
fn header(line: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let line = line.strip_prefix(b"[")?;
    let end = line.iter().position(|byte| *byte == b']')?;
    Some((line[..end].trim_ascii().to_ascii_lowercase(), &line[end + 1..]))
}

fn assignment(line: &[u8]) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
    if !line.first()?.is_ascii_alphabetic() {
        return None;
    }
    match line.iter().position(|byte| *byte == b'=') {
        Some(at) => {
            let key = line[..at].trim_ascii().to_ascii_lowercase();
            Some((key, Some(unquoted(line[at + 1..].trim_ascii()))))
        }
        None => Some((line.to_ascii_lowercase(), None)),
    }
}

/// A value without its quotes, escapes and comment.
fn unquoted(text: &[u8]) -> Vec<u8> {
    let (mut value, mut is_quoted, mut kept) = (Vec::new(), false, 0);
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'#' | b';' if !is_quoted => break,
            b'\\' => value.push(match bytes.next() {
                Some(b'n') => b'\n',
                Some(b't') => b'\t',
                Some(other) => other,
                None => b'\\',
            }),
            other => value.push(other),
        }
        if is_quoted || !byte.is_ascii_whitespace() {
            kept = value.len();
        }
    }
    value.truncate(kept);
    value
}

/// A key without a value is true.
fn is_true(value: Option<&[u8]>) -> bool {
    let Some(value) = value else { return true };
    // Git takes any number but 0 for true.
    let is_number = value.first().is_some_and(u8::is_ascii_digit) && value != b"0";
    is_number || [&b"true"[..], b"yes", b"on"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Config {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config");
        fs::write(&path, text).expect("written");
        let mut config = Config::default();
        config.read(&path).expect("read");
        config
    }

    #[test]
    fn keys_are_read_in_every_way_that_git_writes_them() {
        let text = "[core]\n\trepositoryformatversion = 1 ; one\n\tBare\n\tworktree = \"../a b # c\" # d\n\
                    [extensions] objectFormat = SHA256\n[remote \"core\"]\n\tbare = false\n";
        let work_tree = Some(b"../a b # c".to_vec());
        let hash = HashKind::Sha256;
        assert_eq!(of(text), Config { is_bare: true, work_tree, has_own: false, hash, is_partial: false });
    }

    #[test]
    fn a_partial_clone_says_so_in_two_ways() {
        let partial = ["[remote \"origin\"]\n\turl = x\n\tpromisor = true\n", "[extensions]\npartialClone = origin\n"];
        assert_eq!(partial.map(|text| of(text).is_partial), [true, true]);
        let whole = ["[remote \"origin\"]\n\tpromisor = false\n", "[remotes]\npromisor\n", "[core]\npromisor\n"];
        assert_eq!(whole.map(|text| of(text).is_partial), [false; 3]);
    }

    #[test]
    fn what_is_not_there_has_gits_default() {
        let mut config = Config::default();
        config.read(Path::new("/nowhere/config")).expect("nothing");
        assert_eq!(config, of("[core]\n\tbare = false\n[extensions]\n\tworktreeConfig = no\n"));
    }

    #[test]
    fn a_hash_that_nobody_knows_is_an_error() {
        let mut config = Config::default();
        let taken = config.take(b"extensions", b"objectformat", Some(b"sha512".to_vec()), Path::new("config"));
        assert!(matches!(taken, Err(GitError::Broken { .. })));
    }
}
