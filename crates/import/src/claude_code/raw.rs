//! A member of a record, as it was written: may be missing, null, or of a type that nobody expected.
//!
//! Nothing here fails and nothing recurses, so that one odd member, or one nested a hundred thousand deep, spoils no
//! record. Does not know what members mean; `line` does.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeOwned, Error, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::common::decoded;
use annals_kernel::json::Json;
use annals_kernel::time::Timestamp;

/// A value that is looked into only where somebody asks.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(transparent)]
pub struct Raw<'a>(#[serde(borrow)] Option<&'a RawValue>);

impl<'a> Raw<'a> {
    /// `true`.
    pub fn truth() -> Self {
        serde_json::from_str("true").expect("BUG: true is JSON")
    }

    /// This value, or another where there is none.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }

    /// The bytes, where there is a value.
    pub fn written(self) -> Option<&'a str> {
        self.0.map(RawValue::get)
    }

    /// Reads it as a type that borrows from the record.
    pub fn read<T: Deserialize<'a>>(self) -> Option<T> {
        serde_json::from_str(self.written()?).ok()
    }

    /// Reads it as a type of its own.
    pub fn owned<T: DeserializeOwned>(self) -> Option<T> {
        serde_json::from_str(self.written()?).ok()
    }

    /// A string, decoded.
    pub fn text(self) -> Option<Cow<'a, str>> {
        self.0.filter(|raw| raw.get().starts_with('"'))?;
        self.read::<RawText<'a>>().map(|text| text.0)
    }

    /// A string that has something in it.
    pub fn name(self) -> Option<Box<str>> {
        self.text().filter(|text| !text.is_empty()).map(Into::into)
    }

    /// Whether it is `true`.
    pub fn is_true(self) -> bool {
        self.written() == Some("true")
    }

    /// A whole number that is not negative.
    pub fn number(self) -> Option<u64> {
        self.owned()
    }

    /// A point in time.
    pub fn time(self) -> Option<Timestamp> {
        let text = self.text()?;
        Timestamp::parse_canonical(text.as_bytes()).or_else(|| text.parse().ok())
    }

    /// The elements of a list.
    pub fn list(self) -> Option<Vec<Self>> {
        self.0.filter(|raw| raw.get().starts_with('['))?;
        self.read()
    }

    /// Whether it is `{…}`.
    pub fn is_object(self) -> bool {
        self.0.is_some_and(|raw| raw.get().starts_with('{'))
    }

    /// Keeps it, byte for byte.
    pub fn json(self) -> Option<Json> {
        self.0.map(Json::of)
    }
}

/// A decoded string. JavaScript writes halves of surrogate pairs; they become U+FFFD instead of an error.
struct RawText<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for RawText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RawBytes;

        impl<'de> Visitor<'de> for RawBytes {
            type Value = RawText<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<RawText<'de>, E> {
                Ok(RawText(decoded(bytes)))
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<RawText<'de>, E> {
                Ok(RawText(Cow::Owned(String::from_utf8_lossy(bytes).into_owned())))
            }
        }

        // As bytes, because `serde_json` lets half a surrogate pair through only there.
        deserializer.deserialize_bytes(RawBytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Raw<'_> {
        serde_json::from_str(text).expect("JSON")
    }

    #[test]
    fn a_value_of_another_type_is_no_value() {
        assert_eq!((raw("42").text(), raw("null").text(), raw("[1]").text()), (None, None, None));
        assert_eq!((raw("\"x\"").number(), raw("-1").number(), raw("1e400").number()), (None, None, None));
        assert!(raw("\"x\"").list().is_none() && raw("{}").list().is_none());
        assert!(!raw("\"true\"").is_true() && raw("true").is_true());
    }

    #[test]
    fn half_a_surrogate_pair_is_marked_and_loses_nothing_else() {
        assert_eq!(raw(r#""cut \ud83d here""#).text().as_deref(), Some("cut \u{FFFD}\u{FFFD}\u{FFFD} here"));
        assert_eq!(raw(r#""whole \ud83d\ude80""#).text().as_deref(), Some("whole 🚀"));
    }
}
