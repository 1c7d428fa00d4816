//! Time as the log writes it: milliseconds since 1970, in UTC, as `2026-11-21T03:10:00.123Z` (AFS appendix B).
//!
//! Does not read a clock: `engine::Clock` does.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, NaiveDate, NaiveDateTime, SecondsFormat};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

/// Why a text is not a time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is not a time: write it as 2026-11-21T03:10:00.123Z")]
pub struct BadTime {
    text: String,
}

impl Timestamp {
    /// From milliseconds since 1970.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Milliseconds from `earlier` to here; zero where `earlier` is later.
    pub fn since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }

    /// This time moved by so many milliseconds.
    #[must_use]
    pub fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// The UTC day it falls on.
    pub fn day(self) -> Day {
        Day(self.0.div_euclid(86_400_000))
    }

    /// Reads exactly `2026-11-21T03:10:00.123Z`, without asking for help: the form that we write.
    pub fn parse_canonical(text: &[u8]) -> Option<Self> {
        const SHAPE: &[u8; 24] = b"dddd-dd-ddTdd:dd:dd.dddZ";
        let text: &[u8; 24] = text.try_into().ok()?;
        let fits = |(byte, shape): (&u8, &u8)| if *shape == b'd' { byte.is_ascii_digit() } else { byte == shape };
        if !text.iter().zip(SHAPE).all(fits) {
            return None;
        }
        let number = |range: std::ops::Range<usize>| {
            text[range].iter().fold(0i64, |sum, byte| sum * 10 + i64::from(byte - b'0'))
        };
        let (month, day, hour, minute, second) =
            (number(5..7), number(8..10), number(11..13), number(14..16), number(17..19));
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        if day > 28 {
            return std::str::from_utf8(text).ok()?.parse().ok(); // lets the calendar say which months are short
        }
        let days = days_from_civil(number(0..4), month, day);
        Some(Self(((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + number(20..23)))
    }
}

/// Days since 1970 of a date in the proleptic Gregorian calendar.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year - era * 400;
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

impl FromStr for Timestamp {
    type Err = BadTime;

    /// RFC 3339 with any offset; a time without an offset is taken as UTC (state files of protocol 0.1 have none).
    fn from_str(text: &str) -> Result<Self, BadTime> {
        let zoned = || DateTime::parse_from_rfc3339(text).map(|time| time.timestamp_millis()).ok();
        let plain = || {
            NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f")
                .map(|time| time.and_utc().timestamp_millis())
                .ok()
        };
        let millis = zoned().or_else(plain).ok_or_else(|| BadTime { text: text.chars().take(64).collect() })?;
        Ok(Self(millis))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = DateTime::from_timestamp_millis(self.0).unwrap_or_default();
        f.pad(&time.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { serializer.serialize_i64(self.0) }
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return i64::deserialize(deserializer).map(Self);
        }
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for Timestamp {
    fn schema_name() -> Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "format": "date-time",
            "description": "RFC 3339. Annals writes milliseconds and Z; it reads any offset."
        })
    }
}

/// A UTC day, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

impl Day {
    /// Its first moment.
    pub fn start(self) -> Timestamp {
        Timestamp(self.0 * 86_400_000)
    }

    /// The Monday of its week, so that a week's file sorts among the days.
    #[must_use]
    pub fn monday(self) -> Self {
        Self(self.0 - (self.0 + 3).rem_euclid(7))
    }

    /// The day so many days later.
    #[must_use]
    pub fn plus(self, days: u32) -> Self {
        Self(self.0 + i64::from(days))
    }

    /// The day so many days before.
    #[must_use]
    pub fn minus(self, days: u32) -> Self {
        Self(self.0 - i64::from(days))
    }

    /// Days from an earlier day to this one.
    pub fn days_since(self, earlier: Self) -> i64 {
        self.0 - earlier.0
    }
}

impl FromStr for Day {
    type Err = BadTime;

    fn from_str(text: &str) -> Result<Self, BadTime> {
        let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|_| text.len() == 10);
        let date = date.ok_or_else(|| BadTime { text: text.chars().take(64).collect() })?;
        Ok(Timestamp(date.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_millis()).day())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.start().to_string()[..10])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_reader_agrees_with_the_long_one() {
        for millis in (-100_000_000_000i64..4_000_000_000_000).step_by(86_399_777_123 / 3) {
            let time = Timestamp::from_millis(millis);
            let text = time.to_string();
            assert_eq!(text.parse(), Ok(time), "{text}");
            if millis >= 0 {
                assert_eq!(Timestamp::parse_canonical(text.as_bytes()), Some(time), "{text}");
            }
        }
    }

    #[test]
    fn offsets_and_missing_offsets_are_read() {
        let noon = "2025-12-12T12:00:00.000Z".parse::<Timestamp>().ok();
        assert_eq!("2025-12-12T14:00:00+02:00".parse().ok(), noon);
        assert_eq!("2025-12-12T12:00:00.000000".parse().ok(), noon);
        assert!("yesterday".parse::<Timestamp>().is_err());
        assert_eq!(Timestamp::parse_canonical(b"2025-13-12T12:00:00.000Z"), None);
        assert_eq!(Timestamp::parse_canonical(b"2025-02-29T12:00:00.000Z"), None);
    }

    #[test]
    fn a_week_begins_on_monday() {
        let day = |text: &str| text.parse::<Day>().expect("a day");
        assert_eq!(day("2026-11-21").monday(), day("2026-11-16"));
        assert_eq!(day("2026-11-16").monday(), day("2026-11-16"));
        assert_eq!(day("1970-01-01").monday().to_string(), "1969-12-29");
    }
}
