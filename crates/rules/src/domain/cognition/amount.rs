//! A number in thousandths: what is measured, also where it is more than all of something.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use annals_kernel::share::Share;

/// A number with three digits behind the point, from -1,000,000 to 1,000,000.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(i32);

/// Why something is not such a number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{given}\" is not a number from -1000000 to 1000000")]
pub struct NotAnAmount {
    given: String,
}

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// One.
    pub const ONE: Self = Self(1000);

    /// So many thousandths.
    pub const fn thousandths(count: i32) -> Self {
        Self(count)
    }

    /// So many.
    pub fn count(count: impl TryInto<i32>) -> Self {
        const MOST: i32 = 1_000_000;
        Self(count.try_into().unwrap_or(MOST).clamp(0, MOST).saturating_mul(1000))
    }

    /// In thousandths.
    pub const fn in_thousandths(self) -> i32 {
        self.0
    }

    /// The next whole number; none below 0.
    pub fn whole(self) -> usize {
        usize::try_from(self.0.div_euclid(1000) + i32::from(self.0.rem_euclid(1000) > 0)).unwrap_or(0)
    }

    /// The nearest share: nothing below 0, all above 1 (AFS 4.3).
    pub fn clamped(self) -> Share {
        Share::thousandths(u16::try_from(self.0.clamp(0, 1000)).expect("BUG: clamped"))
    }

    fn of(number: f64) -> Option<Self> {
        const MOST: f64 = 1_000_000.0;
        // A half goes away from zero, as `Share` has it.
        #[expect(clippy::cast_possible_truncation, reason = "it is within the range of an i32")]
        (-MOST..=MOST).contains(&number).then_some(Self((number * 1000.0).round() as i32))
    }
}

impl From<Share> for Amount {
    fn from(share: Share) -> Self {
        Self(share.in_thousandths().into())
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&(f64::from(self.0) / 1000.0).to_string())
    }
}

impl FromStr for Amount {
    type Err = NotAnAmount;

    fn from_str(text: &str) -> Result<Self, NotAnAmount> {
        let number = text.parse().ok().and_then(Self::of);
        number.ok_or_else(|| NotAnAmount { given: text.chars().take(40).collect() })
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 1000 == 0 {
            serializer.serialize_i32(self.0 / 1000)
        } else {
            serializer.serialize_f64(f64::from(self.0) / 1000.0)
        }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Self::of(number).ok_or_else(|| D::Error::custom(NotAnAmount { given: number.to_string() }))
    }
}

impl JsonSchema for Amount {
    fn schema_name() -> Cow<'static, str> {
        "Amount".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "description": "A number, in steps of a thousandth." })
    }
}
