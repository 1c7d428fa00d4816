//! What each way of shortening keeps, and laws that hold for all of them.

use super::super::message::Hold;
use super::super::{
    HybridCompressor, RecordedSummary, SummarizingCompressor, TokenCounter, TokenEstimate, TokenFamily, ZoneShares,
};
use super::*;
use annals_kernel::share::Share;
use proptest::prelude::*;

fn pinned(mut message: ContextMessage) -> ContextMessage {
    message.hold = Hold::Pinned;
    message
}

#[test]
fn the_recent_zone_has_no_gap_and_the_person_goes_first_in_the_middle() {
    let mut messages = of_lengths(&[40, 40, 40, 40, 40, 40, 40, 40]);
    messages[3] = pinned(messages[3].clone());
    // 10 tokens each; first and pinned 20; of the 50 left, 30 are recent; of the 20, the person's 2 and 4.
    let given = zoned(&messages, 70);
    assert_eq!(given.kept, [0, 2, 3, 4, 5, 6, 7]);
    messages[4] = ContextMessage::new(ContextRole::Assistant, "x".repeat(40));
    messages[1] = ContextMessage::new(ContextRole::User, "x".repeat(40));
    assert_eq!(zoned(&messages, 70).kept, [0, 1, 2, 3, 5, 6, 7]);
}

#[test]
fn what_the_recent_zone_leaves_over_is_the_middles() {
    let messages = of_lengths(&[40, 40, 40, 400, 40]);
    // After the first 50 tokens are left, 30 of them recent: message 4 fits, 3 does not, and 1 and 2 have the rest.
    assert_eq!(zoned(&messages, 60).kept, [0, 1, 2, 4]);
    let all_recent = ZonedCompressor { shares: ZoneShares { recent: Share::WHOLE } };
    assert_eq!(all_recent.compress(&messages, 60, &four()).kept, [0, 1, 2, 4]);
}

#[test]
fn the_system_and_what_is_pinned_are_kept_whatever_they_cost() {
    let mut messages = of_lengths(&[40, 40, 40]);
    messages.insert(1, ContextMessage::new(ContextRole::System, "s".repeat(400)));
    let given = zoned(&messages, 20);
    assert_eq!((given.kept, given.tokens_used), (vec![0, 1], 110));
}

fn any_messages() -> impl Strategy<Value = Vec<ContextMessage>> {
    let role = proptest::sample::select(ContextRole::ALL.to_vec());
    let hold = proptest::sample::select(vec![Hold::Free, Hold::Free, Hold::Free, Hold::Pinned]);
    let ids = || proptest::collection::vec("[a-d]", 0..3);
    let message = (role, ".{0,80}", hold, ids(), proptest::option::of("[a-d]"))
        .prop_map(|(role, content, hold, calls, answers)| ContextMessage { role, content, hold, calls, answers });
    proptest::collection::vec(message, 0..20)
}

fn compressors(upto: usize) -> Vec<Box<dyn Compressor>> {
    let summary = "what was said before".to_owned();
    vec![
        Box::new(SlidingWindow),
        Box::new(ZonedCompressor::default()),
        Box::new(SummarizingCompressor::default()),
        Box::new(SummarizingCompressor { summary: Some(summary.clone()) }),
        Box::new(HybridCompressor::default()),
        Box::new(HybridCompressor { recorded: Some(RecordedSummary { upto, text: summary }) }),
    ]
}

/// The places of a call and of each of its results.
fn pairs(messages: &[ContextMessage]) -> Vec<(usize, usize)> {
    let call_of = |at: usize, id: &String| (0..at).rev().find(|before| messages[*before].calls.contains(id));
    let results = messages.iter().enumerate().filter_map(|(at, message)| Some((at, message.answers.as_ref()?)));
    results.filter_map(|(at, id)| call_of(at, id).map(|call| (call, at))).collect()
}

proptest! {
    /// Whatever is said and whatever the budget: messages are whole, in order, counted; a call is where its results are;
    /// the first is there; and nothing but what is always kept goes over the budget.
    #[test]
    fn every_compressor_keeps_its_promises(messages in any_messages(), budget in 0u64..400, upto in 0usize..25) {
        for counter in [&four() as &dyn TokenCounter, &TokenEstimate { family: TokenFamily::Claude }] {
            for compressor in compressors(upto) {
                let given = compressor.compress(&messages, budget, counter);
                prop_assert_eq!(given.kept.len() + given.dropped, messages.len());
                prop_assert!(given.kept.is_sorted());
                prop_assert!(given.kept.iter().zip(&given.messages).all(|(at, message)| &messages[*at] == message));
                let tokens: u64 = given.messages.iter().map(|message| counter.message(message)).sum();
                let of_summary = given.summary.as_deref().map_or(0, |summary| counter.text(summary));
                prop_assert_eq!(given.tokens_used, tokens + of_summary);
                prop_assert_eq!(given.kept.first() == Some(&0), !messages.is_empty());
                for (call, result) in pairs(&messages) {
                    prop_assert_eq!(given.kept.contains(&call), given.kept.contains(&result), "{} {}", call, result);
                }
                let is_free = given.kept.iter().any(|at| {
                    *at > 0 && messages[*at].hold == Hold::Free && messages[*at].role != ContextRole::System
                        && pairs(&messages).iter().all(|(call, result)| call != at && result != at)
                });
                prop_assert!(!is_free || given.tokens_used <= budget);
            }
        }
    }

    /// A larger budget never keeps fewer tokens of the window's newest message.
    #[test]
    fn all_is_kept_where_all_fits(messages in any_messages()) {
        for compressor in compressors(0) {
            let given = compressor.compress(&messages, u64::MAX, &four());
            prop_assert_eq!((given.messages, given.dropped, given.summary), (messages.clone(), 0, None));
        }
    }
}
