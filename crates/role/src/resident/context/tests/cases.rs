//! The cases that came with the documents (`context.json`), and the configuration they are read with.

use super::super::{CompressionSettings, CompressionStrategy};
use super::*;

/// Lengths in characters, the budget, how many are left out, what the rest costs, and which they are.
type Row = (&'static [usize], u64, usize, u64, &'static [usize]);

/// `context.sliding_window`. The last row's `kept_indices` ([0, 4]) do not go with its own `dropped` (2) and `tokens`
/// (30); by the formula index 2 fits, too, and what follows from the formula stands here.
#[test]
fn context_sliding_window() {
    let cases: [Row; 4] = [
        (&[], 1_000, 0, 0, &[]),
        (&[5, 6, 5, 6, 5], 15, 0, 10, &[0, 1, 2, 3, 4]),
        (&[100, 100, 100, 100, 100], 60, 3, 50, &[0, 4]),
        (&[40, 400, 40, 400, 40], 45, 2, 30, &[0, 2, 4]),
    ];
    for (lengths, budget, dropped, tokens, kept) in cases {
        let given = window(&of_lengths(lengths), budget);
        assert_eq!((given.dropped, given.tokens_used, given.kept.as_slice()), (dropped, tokens, kept), "{lengths:?}");
    }
}

/// Galatea, track 4, "Testing".
#[test]
fn ten_messages_of_which_five_fit_leave_the_first_and_the_last_four() {
    let given = window(&of_lengths(&[40; 10]), 50);
    assert_eq!((given.kept, given.dropped), (vec![0, 6, 7, 8, 9], 5));
}

#[test]
fn a_single_message_is_always_kept() {
    let given = window(&of_lengths(&[4_000]), 10);
    assert_eq!((given.kept, given.dropped, given.tokens_used), (vec![0], 0, 1_000));
}

#[test]
fn nothing_is_touched_where_everything_fits() {
    let messages = of_lengths(&[10, 20, 30]);
    assert_eq!(window(&messages, 1_000).messages, messages);
}

#[test]
fn a_history_has_what_system_prompt_and_answer_leave() {
    let settings = CompressionSettings::default();
    let cases = [
        ("sonnet", 10_000, 170_000),
        ("gpt-oss:latest", 0, 7_372),
        ("another", 372, 7_000),
        ("another", 7_372, 0),
        ("another", 999_999, 0),
    ];
    for (model, system, expected) in cases {
        assert_eq!(settings.history_budget(model, system), expected, "{model}, {system} tokens of system prompt");
    }
}

#[test]
fn settings_are_written_as_the_source_names_them() {
    let written = serde_json::to_value(CompressionSettings::default()).expect("JSON");
    let expected = serde_json::json!({
        "strategy": "sliding_window",
        "chars_per_token": 4,
        "reserve_ratio": 0.1,
        "model_budgets": { "glm-4.7-flash:latest": 8_192, "gpt-oss:latest": 8_192, "sonnet": 200_000 },
        "default_budget": 8_192,
    });
    assert_eq!(written, expected);
    assert_eq!(CompressionStrategy::ALL.len(), 4);
}
