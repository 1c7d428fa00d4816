//! Figures: what was computed, or what is missing to compute it. There is no third thing: never a default score.
//!
//! Decimals are counted in thousandths, so that a report is the same on every machine.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use annals_kernel::share::Share;

/// A figure, or what is missing to compute it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Computed<T> {
    /// The figure.
    Is(T),
    /// What is missing, in a few words.
    NotComputable(String),
}

impl<T> Computed<T> {
    /// Says what is missing.
    pub fn missing(what: impl Into<String>) -> Self {
        Self::NotComputable(what.into())
    }

    /// The figure where there is one; else what is missing.
    pub fn of(value: Option<T>, missing: impl FnOnce() -> String) -> Self {
        value.map_or_else(|| Self::NotComputable(missing()), Self::Is)
    }

    /// The figure, if it could be computed.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Is(value) => Some(value),
            Self::NotComputable(_) => None,
        }
    }

    /// A figure made of this one.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Computed<U> {
        match self {
            Self::Is(value) => Computed::Is(make(value)),
            Self::NotComputable(missing) => Computed::NotComputable(missing),
        }
    }
}

impl<T: fmt::Display> fmt::Display for Computed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(value) => value.fmt(f),
            Self::NotComputable(missing) => write!(f, "not computable: {missing}"),
        }
    }
}

impl<T: Serialize> Serialize for Computed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Is(value) => value.serialize(serializer),
            Self::NotComputable(missing) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("not_computable", missing)?;
                map.end()
            }
        }
    }
}

impl<T: JsonSchema> JsonSchema for Computed<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Computed{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        json_schema!({
            "description": "A figure, or what is missing to compute it.",
            "anyOf": [value, {
                "type": "object", "properties": { "not_computable": { "type": "string" } }, "required": ["not_computable"],
            }],
        })
    }
}

/// A decimal in thousandths, of either sign.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(i64);

impl Decimal {
    /// So many thousandths.
    pub const fn thousandths(count: i64) -> Self {
        Self(count)
    }

    /// In thousandths.
    pub const fn in_thousandths(self) -> i64 {
        self.0
    }

    /// A quotient, a half away from zero; nothing where the divisor is zero.
    pub fn ratio(part: i64, whole: i64) -> Option<Self> {
        let (part, whole) = (i128::from(part) * 2000, i128::from(whole));
        let doubled = part.checked_div(whole)?;
        let rounded = i128::midpoint(doubled, doubled.signum());
        i64::try_from(rounded).ok().map(Self)
    }

    /// The nearest decimal to a number; nothing for what is no number, or too large.
    pub fn of(number: f64) -> Option<Self> {
        let thousandths = libm::round(number * 1000.0);
        #[expect(clippy::cast_possible_truncation, reason = "it is in range")]
        (thousandths.abs() < 9e15).then_some(Self(thousandths as i64))
    }
}

impl JsonSchema for Decimal {
    fn schema_name() -> Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "description": "A number, in steps of a thousandth." })
    }
}

impl From<Share> for Decimal {
    fn from(share: Share) -> Self {
        Self(i64::from(share.in_thousandths()))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = (self.0.unsigned_abs() / 1000, self.0.unsigned_abs() % 1000);
        if part == 0 {
            return f.pad(&format!("{sign}{whole}"));
        }
        let part = format!("{part:03}");
        f.pad(&format!("{sign}{whole}.{}", part.trim_end_matches('0')))
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 1000 == 0 {
            return serializer.serialize_i64(self.0 / 1000);
        }
        #[expect(clippy::cast_precision_loss, reason = "what is so large has no thousandths that count")]
        serializer.serialize_f64(self.0 as f64 / 1000.0)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Self::of(number).ok_or_else(|| D::Error::custom("is not a number, or too large"))
    }
}

/// The mean of shares, to the nearest thousandth; nothing of none.
pub(crate) fn mean(shares: impl IntoIterator<Item = Share>) -> Option<Share> {
    let (mut sum, mut count) = (0_u64, 0_u64);
    for share in shares {
        sum += u64::from(share.in_thousandths());
        count += 1;
    }
    let nearest = (sum * 2 + count).checked_div(count * 2)?;
    Some(Share::thousandths(u16::try_from(nearest).unwrap_or(1000)))
}

/// How likely at least one of some independent things is: 1 - (1-a)(1-b)…
pub(crate) fn any_of(shares: impl IntoIterator<Item = Share>) -> Share {
    let none = shares
        .into_iter()
        .fold(1000_u64, |none, share| (none * (1000 - u64::from(share.in_thousandths())) + 500) / 1000);
    Share::thousandths(u16::try_from(1000 - none).unwrap_or(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Analysis: a figure stands as it is, and a missing one says what it lacks.
    #[test]
    fn what_cannot_be_computed_says_what_is_missing() {
        let json = |figure: &Computed<Decimal>| serde_json::to_string(figure).expect("JSON");
        assert_eq!(json(&Computed::Is(Decimal::thousandths(1500))), "1.5");
        assert_eq!(json(&Computed::missing("a baseline")), r#"{"not_computable":"a baseline"}"#);
        assert_eq!(Computed::<Decimal>::missing("a baseline").to_string(), "not computable: a baseline");
    }

    #[test]
    fn decimals_are_rounded_to_the_nearest_thousandth() {
        let cases =
            [(1, 3, "0.333"), (2, 3, "0.667"), (-2, 3, "-0.667"), (5, 1, "5"), (1, 8, "0.125"), (-1, 2000, "-0.001")];
        for (part, whole, text) in cases {
            assert_eq!(Decimal::ratio(part, whole).map(|ratio| ratio.to_string()).as_deref(), Some(text));
        }
        assert_eq!((Decimal::ratio(1, 0), Decimal::of(f64::NAN), Decimal::of(f64::INFINITY)), (None, None, None));
        assert_eq!(Decimal::of(0.346_6), Some(Decimal::thousandths(347)));
    }

    #[test]
    fn a_mean_and_a_chance_stay_shares() {
        let share = Share::thousandths;
        assert_eq!(mean([share(500), share(1000), share(0)]), Some(share(500)));
        assert_eq!((mean([]), any_of([])), (None, Share::NONE));
        assert_eq!(any_of([share(500), share(500)]), share(750));
    }
}
