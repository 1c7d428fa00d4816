//! Which records and calls were there before, at some 20 bytes each.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

/// 64 bits of a hash of names that are kept apart.
pub(crate) fn key(parts: &[&str]) -> u64 {
    let mut hash = Sha256::new();
    for part in parts {
        // With the length before each: `ab`, `c` and `a`, `bc` would be one key otherwise.
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// What was seen.
#[derive(Debug, Default)]
pub(crate) struct Seen(BTreeSet<u64>);

impl Seen {
    /// Notes a name; whether it is new.
    pub(crate) fn is_new(&mut self, kind: &str, name: &str) -> bool {
        self.0.insert(key(&[kind, name]))
    }

    /// Whether a name was noted.
    pub(crate) fn has(&self, kind: &str, name: &str) -> bool {
        self.0.contains(&key(&[kind, name]))
    }
}
