//! When a failed question is asked again.

use proptest::prelude::*;

use crate::failure::ModelError;
use crate::models::Retry;

fn status(status: u16, retry_after_ms: Option<u64>) -> ModelError {
    ModelError::Status { at: "x".to_owned(), status, said: String::new(), retry_after_ms }
}

#[test]
fn waits_double_up_to_a_most() {
    let waits: Vec<_> = (1..9)
        .map(|failed| Retry { attempts: 9, ..Retry::default() }.wait_ms(failed, &status(500, None), u64::MAX))
        .collect();
    assert_eq!(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000].map(Some));
    assert_eq!(Retry::default().wait_ms(1, &status(500, None), 0), Some(0));
    assert_eq!(Retry::default().wait_ms(4, &status(500, None), 0), None);
}

#[test]
fn the_server_says_how_long_within_our_patience() {
    let wait = |ms, random| Retry::default().wait_ms(1, &status(429, Some(ms)), random);
    assert_eq!(wait(3_000, 0), Some(3_000));
    assert_eq!(wait(3_000, u64::MAX), Some(3_500));
    assert_eq!(wait(60_000, 0), Some(60_000));
    assert_eq!(wait(60_001, 0), None);
    assert_eq!(wait(u64::MAX, 0), None);
}

proptest! {
    #[test]
    fn no_wait_is_shorter_than_asked_or_longer_than_allowed(
        failed in 1u32..100, attempts in 0u32..100, base_ms: u64, most_ms in 0u64..100_000, random: u64,
        asked in prop::option::of(0u64..200_000),
    ) {
        let retry = Retry { attempts, base_ms, most_ms, patience_ms: 60_000 };
        match retry.wait_ms(failed, &status(503, asked), random) {
            Some(ms) => {
                prop_assert!(failed < attempts);
                prop_assert!(ms >= asked.unwrap_or(0) && ms <= asked.unwrap_or(0) + most_ms);
            }
            None => prop_assert!(failed >= attempts || asked.is_some_and(|ms| ms > 60_000)),
        }
    }
}
