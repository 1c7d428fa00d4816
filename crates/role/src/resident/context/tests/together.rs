//! Calls stay with their results, whatever a model makes of their ids.

use super::*;

fn message(length: usize) -> ContextMessage {
    ContextMessage::new(ContextRole::User, "x".repeat(length))
}

#[test]
fn a_call_and_its_results_are_kept_or_left_out_together() {
    let messages = [
        message(40),
        calling(&"c".repeat(40), &["1", "2"]),
        answering(&"r".repeat(400), "1"),
        message(40),
        answering(&"r".repeat(40), "2"),
        message(40),
    ];
    // The call and its two results are 120 tokens together.
    assert_eq!(window(&messages, 139).kept, [0, 3, 5]);
    assert_eq!(window(&messages, 149).kept, [0, 1, 2, 4, 5]);
    assert_eq!(window(&messages, 150).kept, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_result_belongs_to_the_last_call_of_its_id() {
    let messages = [
        message(40),
        calling(&"c".repeat(400), &["1"]),
        answering(&"r".repeat(400), "1"),
        calling(&"c".repeat(40), &["1"]),
        answering(&"r".repeat(40), "1"),
    ];
    assert_eq!(window(&messages, 40).kept, [0, 3, 4]);
}

#[test]
fn a_call_in_flight_and_a_result_without_its_call_stand_alone() {
    let messages = [
        message(40),
        answering(&"r".repeat(40), "gone"),
        calling(&"c".repeat(400), &["gone"]),
        calling(&"c".repeat(40), &["now"]),
    ];
    assert_eq!(window(&messages, 30).kept, [0, 1, 3]);
}

#[test]
fn a_call_that_answers_and_an_answer_that_calls_are_one() {
    let both = ContextMessage { calls: vec!["2".to_owned()], ..answering(&"r".repeat(40), "1") };
    let messages = [message(40), calling(&"c".repeat(40), &["1"]), both, answering(&"r".repeat(40), "2")];
    assert_eq!(window(&messages, 39).kept, [0]);
    assert_eq!(window(&messages, 40).kept, [0, 1, 2, 3]);
}

#[test]
fn the_first_message_brings_its_results_with_it() {
    let messages = [calling("c", &["1"]), message(4_000), answering(&"r".repeat(40), "1")];
    assert_eq!(window(&messages, 20).kept, [0, 2]);
}

#[test]
fn one_id_for_ten_thousand_calls_is_shortened_at_once() {
    let mut messages = vec![message(40)];
    for _ in 0..10_000 {
        messages.push(calling("call", &["same"]));
        messages.push(answering("result", "same"));
    }
    let given = window(&messages, 100);
    assert_eq!((given.kept.len(), given.tokens_used), (61, 100));
}
