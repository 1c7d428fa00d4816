//! What fades: the curves, as questions with a time, the same to the last bit on every machine (decision 35).
//!
//! Keeps nothing: a strength is computed when somebody asks, never stored and computed on again.

use super::time::Timestamp;

/// A day, in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

/// Days from `earlier` to `now`, with their fraction; zero where `earlier` is later.
pub fn days_between(earlier: Timestamp, now: Timestamp) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of 285,000 years fit")]
    let millis = now.since(earlier) as f64;
    #[expect(clippy::cast_precision_loss, reason = "a day fits")]
    let day = DAY_MS as f64;
    millis / day
}

/// `base` to the power of so many days: what is left where the same part goes every day.
pub fn power(base: f64, days: f64) -> f64 {
    libm::pow(base, days)
}

/// e to the power of `-rate` times so many days: what is left where it fades all the time.
pub fn exponential(rate: f64, days: f64) -> f64 {
    libm::exp(-rate * days)
}

/// After how many days `start`, of which the part `kept` is left every day, is no more than `floor`; never where nothing
/// goes.
pub fn days_of_power(start: f64, kept: f64, floor: f64) -> Option<f64> {
    if start <= floor {
        return Some(0.0);
    }
    if kept <= 0.0 {
        return Some(0.0);
    }
    (kept < 1.0 && floor > 0.0).then(|| libm::log(floor / start) / libm::log(kept))
}

/// After how many days `start`, which fades at `rate`, is no more than `floor`; never where it does not fade.
pub fn days_of_exponential(start: f64, rate: f64, floor: f64) -> Option<f64> {
    if start <= floor {
        return Some(0.0);
    }
    (rate > 0.0 && floor > 0.0).then(|| libm::log(start / floor) / rate)
}

/// The time so many days after another, to the millisecond, rounded up.
pub fn after_days(start: Timestamp, days: f64) -> Timestamp {
    #[expect(clippy::cast_precision_loss, reason = "a day fits")]
    // Rounded up, because at the moment that is named it must have faded: one rounded down would be announced too
    // early.
    let millis = libm::ceil(days * DAY_MS as f64);
    #[expect(clippy::cast_possible_truncation, reason = "what is too large is as large as can be")]
    let millis = millis as i64;
    start.plus_millis(millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(number: i64) -> Timestamp {
        Timestamp::from_millis(number * DAY_MS)
    }

    #[test]
    fn days_have_fractions_and_never_run_back() {
        assert!((days_between(day(1), day(3).plus_millis(DAY_MS / 2)) - 2.5).abs() < f64::EPSILON);
        assert!(days_between(day(3), day(1)).abs() < f64::EPSILON);
    }

    /// AFS 6.2, artoo R5.
    #[test]
    fn the_day_on_which_something_is_gone_is_where_its_curve_says_so() {
        let close = |left: f64, right: f64| (left - right).abs() < 0.005;
        assert!(days_of_power(1.0, 0.98, 0.1).is_some_and(|days| close(days, 113.97)));
        assert!(days_of_exponential(0.9, 0.05, 0.1).is_some_and(|days| close(days, 43.944)));
        assert_eq!((days_of_power(1.0, 1.0, 0.1), days_of_exponential(1.0, 0.0, 0.1)), (None, None));
        assert_eq!((days_of_power(0.1, 0.5, 0.1), days_of_exponential(0.1, 0.5, 0.1)), (Some(0.0), Some(0.0)));
    }

    #[test]
    fn a_time_after_some_days_is_rounded_up() {
        assert_eq!(after_days(day(1), 0.5), Timestamp::from_millis(DAY_MS + DAY_MS / 2));
        assert_eq!(after_days(day(0), 1e-12), Timestamp::from_millis(1));
    }
}
