//! Names of git's objects.
//!
//! Computes them; looks nothing up.

use std::fmt;

use gix_index::hash;
use serde::{Deserialize, Serialize};

use annals_kernel::json::hex;

/// How a repository names its objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HashKind {
    /// The usual one.
    #[default]
    Sha1,
    /// `git init --object-format=sha256`.
    Sha256,
}

impl HashKind {
    /// The id of a blob with these bytes; `None` for bytes made to collide under SHA-1, which git refuses, too.
    pub(crate) fn blob_id(self, bytes: &[u8]) -> Option<BlobId> {
        let mut hasher = hash::hasher(self.kind());
        hasher.update(format!("blob {}\0", bytes.len()).as_bytes());
        hasher.update(bytes);
        hasher.try_finalize().ok().map(|id| BlobId(id.to_hex().to_string()))
    }

    /// Bytes of an id.
    pub(super) fn len(self) -> usize {
        self.kind().len_in_bytes()
    }

    pub(super) fn kind(self) -> hash::Kind {
        match self {
            Self::Sha1 => hash::Kind::Sha1,
            Self::Sha256 => hash::Kind::Sha256,
        }
    }
}

/// The name of a content in git, in lower-case hexadecimal digits: 40 of them, or 64.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BlobId(String);

impl BlobId {
    /// Takes a text for an id if it looks like one.
    pub fn parse(text: &str) -> Option<Self> {
        let is_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (is_hex && matches!(text.len(), 40 | 64)).then(|| Self(text.to_owned()))
    }

    /// From the bytes of an id.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self(hex(bytes))
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
