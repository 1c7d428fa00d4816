//! Identities: entries are ULIDs, everything else is a name.
//!
//! Does not mint ids from a clock or from chance: `engine` does, and hands them in.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use ulid::Ulid;

use super::time::Timestamp;

/// An id further ahead of the machine's clock than this moves no clock: clocks of two machines do not differ by more
/// than a day unless one of them is wrong (decision 45).
pub const MOST_AHEAD_MS: i64 = 24 * 60 * 60 * 1000;

/// The ULID of an entry (AFS appendix A): 48 bits of milliseconds, 80 bits of chance or of content.
///
/// The order of ids is the order of the fold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct EntryId(u128);

/// Why a text is not a ULID.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is not a ULID in canonical form: 26 characters of Crockford base 32, upper case, 7ZZZ… at most")]
pub struct BadId {
    text: String,
}

impl EntryId {
    /// The id with every bit set to zero: before all others.
    pub const MIN: Self = Self(0);
    /// The id with every bit set to one: after all others.
    pub const MAX: Self = Self(u128::MAX);

    const RANDOM_BITS: u32 = 80;
    const RANDOM_MASK: u128 = (1 << Self::RANDOM_BITS) - 1;

    /// An id of this time, with the low 80 bits of `low`.
    pub fn new(at: Timestamp, low: u128) -> Self {
        let millis = u128::try_from(at.millis()).unwrap_or(0) & ((1 << 48) - 1);
        Self(millis << Self::RANDOM_BITS | low & Self::RANDOM_MASK)
    }

    /// An id of this time whose other bits are the hash of `parts`: the same parts give the same id.
    pub fn derived(at: Timestamp, parts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part.len().to_be_bytes());
            hash.update(part);
        }
        let digest = hash.finalize();
        let low = digest.iter().take(10).fold(0u128, |sum, byte| sum << 8 | u128::from(*byte));
        Self::new(at, low)
    }

    /// An id of this time, with the low 80 bits of `low`; none where 48 bits do not hold the time.
    pub fn at(time: Timestamp, low: u128) -> Option<Self> {
        let id = Self::new(time, low);
        (id.time() == time).then_some(id)
    }

    /// The next id after this one, whatever its time; none after the last there is.
    pub fn next(self) -> Option<Self> {
        self.0.checked_add(1).map(Self)
    }

    /// The id before this one, whatever its time; none before the first.
    pub fn previous(self) -> Option<Self> {
        self.0.checked_sub(1).map(Self)
    }

    /// The id with the same lower bits so many milliseconds later, as far as 48 bits hold the time.
    #[must_use]
    pub fn shifted(self, millis: i64) -> Self {
        const LAST_MILLIS: i64 = (1 << 48) - 1;
        let time = self.time().millis().saturating_add(millis).clamp(0, LAST_MILLIS);
        Self::new(Timestamp::from_millis(time), self.0)
    }

    /// The highest id that may be true where a clock shows this time: whatever lies above moves no clock (decision 45).
    pub fn last_believed(now: Timestamp) -> Self {
        Self::at(now.plus_millis(MOST_AHEAD_MS), u128::MAX).unwrap_or(Self::MAX)
    }

    /// The id in sixteen bytes, which sort as the id does.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// From the sixteen bytes of `to_bytes`.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(bytes))
    }

    /// The time in the id's first 48 bits.
    pub fn time(self) -> Timestamp {
        let millis = self.0 >> Self::RANDOM_BITS;
        Timestamp::from_millis(i64::try_from(millis).expect("BUG: 48 bits fit in an i64"))
    }

    /// Reads 26 ASCII characters, in canonical form only.
    pub fn parse(text: &[u8]) -> Option<Self> {
        if text.len() != 26 || text[0] > b'7' {
            return None;
        }
        let mut value = 0u128;
        for byte in text {
            let digit = DIGITS[usize::from(*byte)];
            if digit == BAD_DIGIT {
                return None;
            }
            value = value << 5 | u128::from(digit);
        }
        Some(Self(value))
    }
}

const BAD_DIGIT: u8 = 255;

/// Crockford base 32, upper case only: lower case and the letters it takes for digits are not canonical.
const DIGITS: [u8; 256] = {
    let alphabet = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let mut table = [BAD_DIGIT; 256];
    let mut index: u8 = 0;
    while index < 32 {
        table[alphabet[index as usize] as usize] = index;
        index += 1;
    }
    table
};

impl FromStr for EntryId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        Self::parse(text.as_bytes()).ok_or_else(|| BadId { text: text.chars().take(64).collect() })
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut buffer = [0; ulid::ULID_LEN];
        f.pad(Ulid(self.0).array_to_str(&mut buffer))
    }
}

impl fmt::Debug for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for EntryId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { serializer.serialize_u128(self.0) }
    }
}

impl<'de> Deserialize<'de> for EntryId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return u128::deserialize(deserializer).map(Self);
        }
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for EntryId {
    fn schema_name() -> Cow<'static, str> {
        "EntryId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A ULID in canonical form.",
            "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$"
        })
    }
}

/// Declares a name that must not be mixed with another kind of name.
macro_rules! name {
    ($(#[$doc:meta])* $type:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $type(Box<str>);

        impl $type {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<T: Into<Box<str>>> From<T> for $type {
            fn from(text: T) -> Self {
                Self(text.into())
            }
        }

        impl std::borrow::Borrow<str> for $type {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}

name! {
    /// Groups the entries of one session: a ULID of ours, or whatever another program wrote.
    SessionId
}
name! {
    /// Who acts: an agent's name, or `user`.
    AgentId
}
name! {
    /// The model behind an agent.
    ModelId
}
name! {
    /// A clone of the log that writes: eight characters, new whenever the clone's own past is not what it remembers.
    WriterId
}

name! {
    /// An issue: the id of the entry that opened it; with `.1`, `.2`, … where one decision opened several.
    IssueId
}

impl IssueId {
    /// The id of the so-manyeth issue (from 0) that a decision opens.
    pub fn of(entry: EntryId, count: usize) -> Self {
        if count == 0 { Self::from(entry.to_string()) } else { Self::from(format!("{entry}.{count}")) }
    }
}

/// The session of entries that belong to none: changes of configuration, scrubs.
pub const NO_SESSION: &str = "annals";

impl SessionId {
    /// The id of a session that another program named: the same name gives the same id, in every clone.
    ///
    /// It carries a time only where the other name does (UUID version 7); otherwise its first ten characters are zeros.
    pub fn derived(kind: &str, native: &str) -> Self {
        Self::from(EntryId::derived(uuid7_time(native), &["session", kind, native]).to_string())
    }
}

/// The time in a UUID of version 7, the epoch for every other text.
fn uuid7_time(text: &str) -> Timestamp {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == 36 && bytes[14] == b'7' && bytes[8] == b'-' && bytes[13] == b'-';
    let millis = text.get(0..8).zip(text.get(9..13)).filter(|_| shaped);
    let millis = millis.and_then(|(high, low)| i64::from_str_radix(&format!("{high}{low}"), 16).ok());
    Timestamp::from_millis(millis.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_canonical_form_is_an_id() {
        let text = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
        assert_eq!(text.parse::<EntryId>().map(|id| id.to_string()), Ok(text.to_owned()));
        for bad in
            ["8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "01arz3ndektsv4rrffq69g5fav", "01ARZ3NDEKTSV4RRFFQ69G5FAI", "01ARZ", ""]
        {
            assert!(bad.parse::<EntryId>().is_err(), "{bad} was taken for an id");
        }
    }

    #[test]
    fn an_id_carries_its_time() {
        let at = Timestamp::from_millis(1_763_700_000_123);
        assert_eq!(EntryId::new(at, 7).time(), at);
        assert_eq!(EntryId::derived(at, &["a", "b"]).time(), at);
    }

    #[test]
    fn the_ids_end_and_nothing_pretends_that_they_go_on() {
        let end = Timestamp::from_millis((1 << 48) - 1);
        assert_eq!(EntryId::at(end, u128::MAX), Some(EntryId::MAX));
        assert_eq!(EntryId::at(end.plus_millis(1), 0), None);
        assert_eq!(EntryId::at(Timestamp::from_millis(-1), 0), None);
        assert_eq!((EntryId::MAX.next(), EntryId::MIN.previous()), (None, None));
        assert_eq!(EntryId::MIN.next().and_then(EntryId::previous), Some(EntryId::MIN));
        assert_eq!(EntryId::last_believed(end), EntryId::MAX);
    }

    #[test]
    fn derived_ids_keep_their_parts_apart() {
        let at = Timestamp::from_millis(0);
        assert_ne!(EntryId::derived(at, &["ab", "c"]), EntryId::derived(at, &["a", "bc"]));
        assert_eq!(EntryId::derived(at, &["ab", "c"]), EntryId::derived(at, &["ab", "c"]));
    }

    #[test]
    fn a_session_named_by_a_version_7_uuid_keeps_its_time() {
        let dated = SessionId::derived("codex", "01a1fc38-1834-7fb3-83fa-b7c5c03dc7c7");
        assert!(dated.as_str().starts_with("01M7Y3G61M"), "{dated}");
        let undated = SessionId::derived("claude-code", "b0846297-e746-4b1f-b90c-1fb4c85928e0");
        assert!(undated.as_str().starts_with("0000000000"), "{undated}");
    }
}
