//! A share of something: 0 to 1 in thousandths, written as JSON and people write it (`0.67`).
//!
//! Confidence, weight, threshold, progress. Does not fade; `fade` does.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// 0 to 1, in thousandths: finer differences than that are nobody's intention.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Share(u16);

/// Why a number is not a share.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{given}\" is not a number from 0 to 1")]
pub struct NotAShare {
    given: String,
}

impl Share {
    /// Nothing of it.
    pub const NONE: Self = Self(0);
    /// All of it.
    pub const WHOLE: Self = Self(1000);

    /// So many thousandths; more than all of it is all of it.
    pub const fn thousandths(count: u16) -> Self {
        if count > 1000 { Self::WHOLE } else { Self(count) }
    }

    /// In thousandths.
    pub const fn in_thousandths(self) -> u16 {
        self.0
    }

    /// As a number, 0 to 1.
    pub fn number(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// The nearest share to a number, a half up; nothing below 0 or above 1.
    pub fn of(number: f64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is 0 to 1000")]
        (0.0..=1.0).contains(&number).then_some(Self((number * 1000.0 + 0.5) as u16))
    }

    /// So many of so many, rounded down; nothing where there are none.
    pub fn of_count(some: u64, all: u64) -> Option<Self> {
        // Down and never up: 1999 of 2000 are not all of them, and a threshold of 1 must not be reached by rounding.
        let thousandths = some.min(all).saturating_mul(1000).checked_div(all)?;
        Some(Self(u16::try_from(thousandths).unwrap_or(1000)))
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.number().to_string())
    }
}

impl FromStr for Share {
    type Err = NotAShare;

    fn from_str(text: &str) -> Result<Self, NotAShare> {
        let number = text.parse().ok().and_then(Self::of);
        number.ok_or_else(|| NotAShare { given: text.chars().take(40).collect() })
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0 => serializer.serialize_u8(0),
            1000 => serializer.serialize_u8(1),
            _ => serializer.serialize_f64(self.number()),
        }
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Self::of(number).ok_or_else(|| D::Error::custom(NotAShare { given: number.to_string() }))
    }
}

impl JsonSchema for Share {
    fn schema_name() -> Cow<'static, str> {
        "Share".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "number",
            "description": "A share, in steps of a thousandth.",
            "minimum": 0,
            "maximum": 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_written_as_it_is_read() {
        for text in ["0", "1", "0.5", "0.671", "0.001", "0.999"] {
            let share: Share = serde_json::from_str(text).expect("a share");
            let written = serde_json::to_string(&share).expect("JSON");
            assert_eq!((written.as_str(), share.to_string().as_str()), (text, text));
        }
    }

    #[test]
    fn every_thousandth_comes_back() {
        let all = (0..=1000).map(Share::thousandths);
        let back = |share: Share| share.to_string().parse::<Share>();
        assert!(all.clone().all(|share| back(share) == Ok(share)));
        assert!(all.clone().all(|share| Share::of(share.number()) == Some(share)));
    }

    #[test]
    fn nothing_else_is_a_share() {
        for text in ["-0.1", "1.001", "NaN", "inf", "much", ""] {
            assert!(text.parse::<Share>().is_err(), "{text} was taken for a share");
        }
        assert_eq!(Share::of(0.670_6), Some(Share::thousandths(671)));
    }

    #[test]
    fn some_of_all_is_a_share_and_some_of_none_is_not() {
        assert_eq!(Share::of_count(2, 3), Some(Share::thousandths(666)));
        assert_eq!((Share::of_count(0, 0), Share::of_count(9, 3)), (None, Some(Share::WHOLE)));
    }
}
