//! What lies at a path, told by what it holds: the same at another time, and after a restart.
//!
//! Reads files to the end. Knows nothing of who put them there.

use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use annals_kernel::json::{Hasher, sha256_hex};

use crate::beneath::{Beneath, Kind, NotReached};

/// What lies at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Held {
    /// Nothing.
    Absent,
    /// A folder of this mode.
    Folder(u32),
    /// A file of this mode, and the hash of what is in it.
    File { mode: u32, hash: String },
    /// A link, and the hash of where it leads.
    Link { hash: String },
    /// A pipe, a socket, a device.
    Special,
    /// It cannot be looked at: a folder on the way is closed.
    Closed,
}

impl Held {
    /// What lies there now.
    pub(super) fn at(root: &Beneath, path: &Path) -> Result<Self, NotReached> {
        let about = match root.about(path) {
            Ok(about) => about,
            // A folder on the way that is a link now: nothing is behind it, for us.
            Err(NotReached::LinkInTheWay { .. }) => return Ok(Self::Absent),
            Err(error) if error.is_absent() => return Ok(Self::Absent),
            Err(error) => return Err(error),
        };
        Ok(match about.kind {
            Kind::Folder => Self::Folder(about.mode),
            Kind::File => Self::File { mode: about.mode, hash: hash(root, path)? },
            Kind::Link => Self::Link { hash: sha256_hex(root.link(path)?.as_os_str().as_bytes()) },
            Kind::Other(_) => Self::Special,
        })
    }

    /// The same where something is known in any case.
    pub(super) fn found(root: &Beneath, path: &Path) -> Self {
        Self::at(root, path).unwrap_or(Self::Closed)
    }

    /// Whether it is a file or a link.
    pub(super) fn is_file(&self) -> bool {
        match self {
            Self::File { .. } | Self::Link { .. } => true,
            Self::Absent | Self::Folder(_) | Self::Special | Self::Closed => false,
        }
    }

    /// As a word of the journal.
    pub(super) fn word(&self) -> String {
        match self {
            Self::Absent => "a".to_owned(),
            Self::Special => "s".to_owned(),
            Self::Closed => "x".to_owned(),
            Self::Folder(mode) => format!("d{mode:o}"),
            Self::File { mode, hash } => format!("f{mode:o}:{hash}"),
            Self::Link { hash } => format!("l{hash}"),
        }
    }

    /// The same read again.
    pub(super) fn of_word(word: &str) -> Option<Self> {
        let mode = |digits: &str| u32::from_str_radix(digits, 8).ok();
        let mut letters = word.chars();
        let first = letters.next()?;
        let rest = letters.as_str();
        match first {
            'a' => Some(Self::Absent),
            's' => Some(Self::Special),
            'x' => Some(Self::Closed),
            'd' => Some(Self::Folder(mode(rest)?)),
            'l' => Some(Self::Link { hash: rest.to_owned() }),
            'f' => {
                let (digits, hash) = rest.split_once(':')?;
                Some(Self::File { mode: mode(digits)?, hash: hash.to_owned() })
            }
            _ => None,
        }
    }
}

fn hash(root: &Beneath, path: &Path) -> Result<String, NotReached> {
    let mut file = root.own_file(path)?;
    let (mut hasher, mut part) = (Hasher::default(), vec![0; 64 << 10]);
    loop {
        match file.read(&mut part).map_err(|error| NotReached::io(path, error))? {
            0 => return Ok(hasher.hex()),
            length => hasher.update(&part[..length]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_read_as_it_was_written() {
        for held in [
            Held::Absent,
            Held::Special,
            Held::Closed,
            Held::Folder(0o755),
            Held::File { mode: 0o600, hash: "ab".to_owned() },
            Held::Link { hash: "cd".to_owned() },
        ] {
            assert_eq!(Held::of_word(&held.word()), Some(held));
        }
        for word in ["", "y", "d9", "f644", "fx:ab"] {
            assert_eq!(Held::of_word(word), None, "{word}");
        }
    }
}
