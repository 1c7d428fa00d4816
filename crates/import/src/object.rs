//! A record of another tool, looked at where it lies: members by name, each still as it was written.
//!
//! Never fails: a member of another type than expected is a member that is not there. Does not build trees, so that
//! depth is no danger.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;

use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use annals_kernel::json::Json;
use annals_kernel::time::Timestamp;

/// The members of a JSON object. A name that is there twice means its last value.
#[derive(Debug, Clone, Default)]
pub struct Object<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Object<'a> {
    /// Reads an object; anything else has no members.
    pub fn of(text: &'a str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// A member that is there and is not null, as it was written.
    pub fn raw(&self, key: &str) -> Option<&'a RawValue> {
        let found = self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| *value);
        found.filter(|value| value.get() != "null")
    }

    /// Whether the member is there and is not null.
    pub fn has(&self, key: &str) -> bool {
        self.raw(key).is_some()
    }

    /// A member, to be kept.
    pub fn json(&self, key: &str) -> Option<Json> {
        self.raw(key).map(keep)
    }

    /// A string.
    pub fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        self.raw(key).and_then(text)
    }

    /// An object; without members where it is none.
    #[must_use]
    pub fn object(&self, key: &str) -> Self {
        self.raw(key).map(|value| Self::of(value.get())).unwrap_or_default()
    }

    /// The elements of an array; none where it is none.
    pub fn list(&self, key: &str) -> Vec<&'a RawValue> {
        self.raw(key).map(list).unwrap_or_default()
    }

    /// A whole number; a fraction is rounded.
    pub fn integer(&self, key: &str) -> Option<i64> {
        let text = self.raw(key)?.get();
        text.parse().ok().or_else(|| rounded(text.parse().ok()?))
    }

    /// A number.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.raw(key)?.get().parse().ok()
    }

    /// True or false.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.raw(key)?.get().parse().ok()
    }

    /// A time.
    pub fn time(&self, key: &str) -> Option<Timestamp> {
        self.text(key).and_then(|text| time(&text))
    }

    /// Names and values.
    pub fn members(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, value)| (&**name, *value))
    }
}

/// Texts of members, as far as they stand before all of them are found: what is behind is not looked at.
pub fn early<'a, const N: usize>(text: &'a str, keys: [&str; N]) -> [Option<Cow<'a, str>>; N] {
    let found = RefCell::new([const { None }; N]);
    // Stopping in the middle is an error to the reader; so is text that is no object.
    let _ = serde_json::Deserializer::from_str(text).deserialize_map(EarlyKeys { keys, found: &found });
    found.into_inner()
}

struct EarlyKeys<'k, 'a, const N: usize> {
    keys: [&'k str; N],
    found: &'k RefCell<[Option<Cow<'a, str>>; N]>,
}

impl<'de, const N: usize> Visitor<'de> for EarlyKeys<'_, 'de, N> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Name(name)) = map.next_key()? {
            match self.keys.iter().position(|key| *key == name) {
                Some(index) => self.found.borrow_mut()[index] = text(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
            if self.found.borrow().iter().all(Option::is_some) {
                return Err(A::Error::custom("found"));
            }
        }
        Ok(())
    }
}

/// The nearest whole number, where there is one in reach.
#[expect(clippy::cast_possible_truncation, reason = "checked to be in range")]
pub fn rounded(number: f64) -> Option<i64> {
    (number.abs() < 9e15).then(|| number.round() as i64)
}

/// A time: what is in our own form without asking for help.
pub fn time(text: &str) -> Option<Timestamp> {
    Timestamp::parse_canonical(text.as_bytes()).or_else(|| text.parse().ok())
}

/// Seconds as milliseconds.
pub fn millis(seconds: f64) -> Option<u64> {
    rounded(seconds * 1000.0).and_then(|millis| millis.try_into().ok())
}

/// A value, to be kept.
pub fn keep(value: &RawValue) -> Json {
    Json::from_text(value.get().to_owned()).expect("BUG: a raw value is not JSON")
}

/// A string; half of a surrogate pair, which JavaScript may write, becomes a mark.
pub fn text(value: &RawValue) -> Option<Cow<'_, str>> {
    let inside = value.get().strip_prefix('"')?.strip_suffix('"')?;
    if !inside.contains('\\') {
        return Some(Cow::Borrowed(inside));
    }
    let whole = serde_json::from_str::<String>(value.get()).ok();
    whole.or_else(|| serde_json::from_str::<Lossy>(value.get()).ok().map(|lossy| lossy.0)).map(Cow::Owned)
}

/// The elements of an array; none where it is none.
pub fn list(value: &RawValue) -> Vec<&RawValue> {
    serde_json::from_str::<List<'_>>(value.get()).map(|list| list.0).unwrap_or_default()
}

#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut members = Vec::with_capacity(12);
                while let Some(Name(name)) = map.next_key()? {
                    members.push((name, map.next_value()?));
                }
                Ok(Object(members))
            }
        }

        deserializer.deserialize_map(MembersVisitor)
    }
}

struct List<'a>(Vec<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for List<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ElementsVisitor;

        impl<'de> Visitor<'de> for ElementsVisitor {
            type Value = List<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<List<'de>, A::Error> {
                let mut list = Vec::new();
                while let Some(element) = elements.next_element()? {
                    list.push(element);
                }
                Ok(List(list))
            }
        }

        deserializer.deserialize_seq(ElementsVisitor)
    }
}

struct Lossy(String);

impl<'de> Deserialize<'de> for Lossy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ByteKeys;

        impl Visitor<'_> for ByteKeys {
            type Value = Lossy;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Lossy, E> {
                Ok(Lossy(String::from_utf8_lossy(bytes).into_owned()))
            }

            fn visit_str<E>(self, text: &str) -> Result<Lossy, E> {
                Ok(Lossy(text.to_owned()))
            }
        }

        deserializer.deserialize_bytes(ByteKeys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_by_name_and_type() {
        let object = Object::of(r#"{"a":"x\ny","b":[1,"2"],"c":{"d":true},"e":2.6,"f":null,"e":3}"#);
        assert_eq!(object.text("a").as_deref(), Some("x\ny"));
        assert_eq!(object.list("b").len(), 2);
        assert_eq!(object.object("c").flag("d"), Some(true));
        assert_eq!((object.integer("e"), object.has("f"), object.text("b")), (Some(3), false, None));
        assert_eq!(Object::of(r#"{"n":2.6}"#).integer("n"), Some(3));
    }

    #[test]
    fn what_is_no_object_has_no_members() {
        assert!(!Object::of("[1]").has("a"));
        assert!(!Object::of(r#"{"a":[]}"#).object("a").has("b"));
    }

    #[test]
    fn texts_are_found_without_reading_on() {
        let [a, b] = early(r#"{"a":"x","n":1,"b":"\u0079","c":[torn"#, ["a", "b"]);
        assert_eq!((a.as_deref(), b.as_deref()), (Some("x"), Some("y")));
        assert_eq!(early(r#"{"a":1}"#, ["a", "b"]), [None, None]);
        assert_eq!(early("[]", ["a"]), [None]);
    }

    #[test]
    fn half_a_surrogate_pair_becomes_a_mark() {
        let object = Object::of(r#"{"a":"x\ud83dy"}"#);
        assert_eq!(object.text("a").map(|text| text.contains('\u{FFFD}')), Some(true));
    }
}
