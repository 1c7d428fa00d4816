//! Times as people write and read them: in the zone of their machine, by day, by name, or by how long ago they were.
//!
//! Reads no clock: the caller says what time it is.

use chrono::{
    DateTime, Datelike as _, Days, Local, LocalResult, Months, NaiveDate, NaiveDateTime, NaiveTime, Offset as _,
    TimeDelta, TimeZone, Weekday,
};

use crate::kernel::time::{Day, Timestamp};

/// A span of time, with both of its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    /// Its first moment.
    pub first: Timestamp,
    /// Its last moment.
    pub last: Timestamp,
}

/// What an error says of the forms that a time may have.
pub(super) const FORMS: &str = "give a time, a day, or how long ago, as in 2026-11-21, \"2026-11-21 15:00\", yesterday or 2h; \
                         `annals help times` has every form";

/// The span that a text stands for, in the zone of the machine.
pub(super) fn read(text: &str, now: Timestamp) -> Option<Span> {
    read_in(text, now, &Local)
}

/// A moment as a terminal shows it: `2026-01-20 15:00`, in the zone of the machine.
pub(super) fn shown(at: Timestamp) -> String {
    local(at, &Local).format("%Y-%m-%d %H:%M").to_string()
}

/// The same with seconds: `2026-01-20 15:00:07`.
pub(super) fn shown_with_seconds(at: Timestamp) -> String {
    local(at, &Local).format("%Y-%m-%d %H:%M:%S").to_string()
}

/// The day of a moment in the zone of the machine.
pub(super) fn local_day(at: Timestamp) -> Day {
    Timestamp::from_millis(local(at, &Local).and_utc().timestamp_millis()).day()
}

/// The zone of the machine at a moment: `UTC+01:00`.
pub(super) fn zone_at(at: Timestamp) -> String {
    let offset = Local.offset_from_utc_datetime(&utc(at)).fix();
    if offset.local_minus_utc() == 0 { "UTC".to_owned() } else { format!("UTC{offset}") }
}

fn utc(at: Timestamp) -> NaiveDateTime {
    DateTime::from_timestamp_millis(at.millis()).unwrap_or_default().naive_utc()
}

fn local<Z: TimeZone>(at: Timestamp, zone: &Z) -> NaiveDateTime {
    zone.from_utc_datetime(&utc(at)).naive_local()
}

fn read_in<Z: TimeZone>(text: &str, now: Timestamp, zone: &Z) -> Option<Span> {
    let text = text.trim();
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        let moment = Timestamp::from_millis(time.timestamp_millis());
        return Some(Span { first: moment, last: moment });
    }
    let text = text.to_ascii_lowercase();
    if let Some(moment) = ago(&text, now) {
        return Some(Span { first: moment, last: moment });
    }
    let here = local(now, zone);
    let (begin, end) = named_span(&text, here.date()).or_else(|| day_and_time(&text, here.date()))?;
    let (first, last) = (earliest(zone, begin)?, latest(zone, end)?.plus_millis(-1));
    Some(Span { first, last })
}

/// `now`, `2h`, `90 minutes ago`.
fn ago(text: &str, now: Timestamp) -> Option<Timestamp> {
    if text == "now" {
        return Some(now);
    }
    let text = text.strip_suffix("ago").unwrap_or(text).trim();
    let unit_at = text.find(|letter: char| !letter.is_ascii_digit())?;
    let (number, unit) = text.split_at(unit_at);
    let millis = match unit.trim() {
        "s" | "sec" | "second" | "seconds" => 1000,
        "m" | "min" | "minute" | "minutes" => 60_000,
        "h" | "hour" | "hours" => 3_600_000,
        "d" | "day" | "days" => 86_400_000,
        "w" | "week" | "weeks" => 7 * 86_400_000,
        _ => return None,
    };
    number.parse::<u32>().ok().map(|number| now.plus_millis(-(i64::from(number) * millis)))
}

/// `last week`, `this month`, `2026-01`: from its first midnight to the one behind it.
fn named_span(text: &str, today: NaiveDate) -> Option<(NaiveDateTime, NaiveDateTime)> {
    let monday = monday_of(today);
    let month = today.with_day(1)?;
    let (begin, end) = match text {
        "this week" => (monday, monday.checked_add_days(Days::new(7))?),
        "last week" => (monday.checked_sub_days(Days::new(7))?, monday),
        "this month" => (month, month.checked_add_months(Months::new(1))?),
        "last month" => (month.checked_sub_months(Months::new(1))?, month),
        _ => {
            let first =
                // By its length, because chrono takes more forms than those that are promised.
                NaiveDate::parse_from_str(&format!("{text}-01"), "%Y-%m-%d").ok().filter(|_| text.len() == 7)?;
            (first, first.checked_add_months(Months::new(1))?)
        }
    };
    Some((midnight(begin), midnight(end)))
}

/// A day, a time of day, or both.
fn day_and_time(text: &str, today: NaiveDate) -> Option<(NaiveDateTime, NaiveDateTime)> {
    let (day, clock) = match text.rsplit_once([' ', 't']) {
        Some((day, clock)) if clock.contains(':') => (day.trim(), Some(clock)),
        None if text.contains(':') => ("today", Some(text)),
        _ => (text, None),
    };
    let day = day_of(day, today)?;
    let Some(clock) = clock else { return Some((midnight(day), midnight(day.checked_add_days(Days::new(1))?))) };
    let (time, length) = time_of_day(clock)?;
    let begin = day.and_time(time);
    Some((begin, begin.checked_add_signed(length)?))
}

/// `today`, `yesterday`, `monday`, `last monday`, `2026-01-20`.
fn day_of(text: &str, today: NaiveDate) -> Option<NaiveDate> {
    let last = |weekday: Weekday, from: NaiveDate| {
        let back = (from.weekday().num_days_from_monday() + 7 - weekday.num_days_from_monday()) % 7;
        from.checked_sub_days(Days::new(u64::from(back)))
    };
    let yesterday = today.pred_opt()?;
    match text {
        "today" => Some(today),
        "yesterday" => Some(yesterday),
        _ => {
            let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|_| text.len() == 10);
            let before = || last(text.strip_prefix("last ")?.trim().parse().ok()?, yesterday);
            date.or_else(before).or_else(|| last(text.parse().ok()?, today))
        }
    }
}

/// A time of day, and how long the span is that it names: a minute, a second or a millisecond.
fn time_of_day(text: &str) -> Option<(NaiveTime, TimeDelta)> {
    let (form, length) = match (text.matches(':').count(), text.contains('.')) {
        (1, false) => ("%H:%M", TimeDelta::minutes(1)),
        (2, false) => ("%H:%M:%S", TimeDelta::seconds(1)),
        (2, true) => ("%H:%M:%S%.f", TimeDelta::milliseconds(1)),
        _ => return None,
    };
    NaiveTime::parse_from_str(text, form).ok().map(|time| (time, length))
}

fn monday_of(day: NaiveDate) -> NaiveDate {
    day.week(Weekday::Mon).first_day()
}

fn midnight(day: NaiveDate) -> NaiveDateTime {
    day.and_time(NaiveTime::MIN)
}

/// An hour that comes twice counts from its first time on.
fn earliest<Z: TimeZone>(zone: &Z, at: NaiveDateTime) -> Option<Timestamp> {
    resolved(zone, at).map(|(first, _)| first)
}

/// And up to its second time.
fn latest<Z: TimeZone>(zone: &Z, at: NaiveDateTime) -> Option<Timestamp> {
    resolved(zone, at).map(|(_, last)| last)
}

fn resolved<Z: TimeZone>(zone: &Z, at: NaiveDateTime) -> Option<(Timestamp, Timestamp)> {
    let stamp = |time: DateTime<Z>| Timestamp::from_millis(time.timestamp_millis());
    match zone.from_local_datetime(&at) {
        LocalResult::Single(time) => Some((stamp(time.clone()), stamp(time))),
        LocalResult::Ambiguous(one, other) => {
            Some((stamp(one.clone()).min(stamp(other.clone())), stamp(one).max(stamp(other))))
        }
        // An hour that does not come: as clocks that nobody has changed yet would show it.
        LocalResult::None => {
            let before = zone.from_local_datetime(&at.checked_sub_signed(TimeDelta::hours(3))?).earliest()?;
            let moment = stamp(before).plus_millis(3 * 3_600_000);
            Some((moment, moment))
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::FixedOffset;
    use proptest::prelude::*;

    use super::*;

    fn span(text: &str) -> Option<(String, String)> {
        // A Wednesday, 15:30 in the zone.
        let now: Timestamp = "2026-11-25T14:30:00.000Z".parse().expect("a time");
        let zone = FixedOffset::east_opt(3600).expect("a zone");
        read_in(text, now, &zone).map(|span| (span.first.to_string(), span.last.to_string()))
    }

    #[test]
    fn a_text_stands_for_a_span_in_the_zone() {
        let rows = [
            ("2026-01-20T15:00:00Z", "2026-01-20T15:00:00.000Z", "2026-01-20T15:00:00.000Z"),
            ("2026-01-20T15:00:00.123+02:00", "2026-01-20T13:00:00.123Z", "2026-01-20T13:00:00.123Z"),
            ("2026-01-20 15:00", "2026-01-20T14:00:00.000Z", "2026-01-20T14:00:59.999Z"),
            ("2026-01-20T15:00:07", "2026-01-20T14:00:07.000Z", "2026-01-20T14:00:07.999Z"),
            ("2026-01-20 15:00:07.5", "2026-01-20T14:00:07.500Z", "2026-01-20T14:00:07.500Z"),
            ("2026-01-20", "2026-01-19T23:00:00.000Z", "2026-01-20T22:59:59.999Z"),
            ("2026-01", "2025-12-31T23:00:00.000Z", "2026-01-31T22:59:59.999Z"),
            ("15:00", "2026-11-25T14:00:00.000Z", "2026-11-25T14:00:59.999Z"),
            ("today", "2026-11-24T23:00:00.000Z", "2026-11-25T22:59:59.999Z"),
            ("Yesterday 9:05", "2026-11-24T08:05:00.000Z", "2026-11-24T08:05:59.999Z"),
            ("monday", "2026-11-22T23:00:00.000Z", "2026-11-23T22:59:59.999Z"),
            ("wednesday", "2026-11-24T23:00:00.000Z", "2026-11-25T22:59:59.999Z"),
            ("last wednesday", "2026-11-17T23:00:00.000Z", "2026-11-18T22:59:59.999Z"),
            ("last mon 10:00", "2026-11-23T09:00:00.000Z", "2026-11-23T09:00:59.999Z"),
            ("this week", "2026-11-22T23:00:00.000Z", "2026-11-29T22:59:59.999Z"),
            ("last week", "2026-11-15T23:00:00.000Z", "2026-11-22T22:59:59.999Z"),
            ("last month", "2026-09-30T23:00:00.000Z", "2026-10-31T22:59:59.999Z"),
            ("2h", "2026-11-25T12:30:00.000Z", "2026-11-25T12:30:00.000Z"),
            ("90 minutes ago", "2026-11-25T13:00:00.000Z", "2026-11-25T13:00:00.000Z"),
            (" now ", "2026-11-25T14:30:00.000Z", "2026-11-25T14:30:00.000Z"),
        ];
        for (text, first, last) in rows {
            assert_eq!(span(text), Some((first.to_owned(), last.to_owned())), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_stands_for_none() {
        for text in [
            "", "soon", "2026-13", "2026-02-30", "25:00", "12:60", "next week", "2x", "h", "-2h", "last", "1:2:3:4",
            "99999999999h", "é2h",
        ] {
            assert_eq!(span(text), None, "{text}");
        }
    }

    proptest! {
        /// What a terminal shows can be typed back, in any zone: its moment lies in the span.
        #[test]
        fn what_is_shown_can_be_typed_back(millis in 0i64..4_102_444_800_000, east in -50_000i32..50_000) {
            let (at, zone) = (Timestamp::from_millis(millis), FixedOffset::east_opt(east / 60 * 60).expect("a zone"));
            let text = local(at, &zone).format("%Y-%m-%d %H:%M").to_string();
            let span = read_in(&text, at, &zone).expect("a time");
            prop_assert!(span.first <= at && at <= span.last, "{text}: {span:?}");
            let iso = read_in(&at.to_string(), at, &zone).expect("a time");
            prop_assert_eq!(iso, Span { first: at, last: at });
        }

        #[test]
        fn no_text_breaks_the_reader(text in "\\PC{0,40}", millis in any::<i64>()) {
            let _ = read_in(&text, Timestamp::from_millis(millis), &chrono::Utc);
        }
    }
}
