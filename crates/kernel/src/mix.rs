//! A hash of bytes that is the same in every run and on every machine. Not against forgery.
//!
//! For tables, for telling whether two texts are the same, for damage in a cache. What must be proved is hashed with SHA-256.

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Takes in bytes, eight at a time, and how many they are, so that parts do not run together. Each step can be undone, so
/// that no change of one word goes unnoticed.
pub fn mix(start: u64, bytes: &[u8]) -> u64 {
    let hash = start ^ (bytes.len() as u64).wrapping_mul(ODD);
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(hash, |hash, word| step(hash, u64::from_le_bytes(*word)));
    if rest.is_empty() {
        return hash;
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    step(hash, u64::from_le_bytes(last))
}

fn step(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_mul(ODD);
    mixed ^ (mixed >> 29)
}
