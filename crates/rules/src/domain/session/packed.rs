//! Many small things of one size as one text: what thousands of reports of a session take in a checkpoint.
//!
//! Does not know what the bytes mean; their owner does.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

use annals_kernel::base64;

/// Writes them one after the other.
pub(super) fn serialize<const BYTES: usize, S: Serializer>(
    things: impl Iterator<Item = [u8; BYTES]>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&base64::encode(&things.flatten().collect::<Vec<u8>>()))
}

/// Reads them again; fails where one cannot be read.
pub(super) fn deserialize<'de, const BYTES: usize, T, D: Deserializer<'de>>(
    deserializer: D,
    read: impl Fn(&[u8; BYTES]) -> Option<T>,
) -> Result<Vec<T>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let bytes = base64::decode(&text).ok_or_else(|| D::Error::custom("is not base64"))?;
    let (stored, []) = bytes.as_chunks::<BYTES>() else { return Err(D::Error::custom("is cut short")) };
    stored.iter().map(read).collect::<Option<_>>().ok_or_else(|| D::Error::custom("has a code that is none"))
}
