//! What is left, and what a call would take.

use std::sync::Arc;

use annals_kernel::time::Day;
use proptest::prelude::*;

use super::{Budget, BudgetLimits, Ceiling, OverBudget, Price, PriceTable, Purse, Resource, Span, Spending};
use crate::answer::{Finish, RawAnswer};

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn tokens(tokens: u64) -> Spending {
    Spending { tokens, ..Spending::default() }
}

fn limited(task: Ceiling, day: Ceiling) -> Budget {
    Budget::new(BudgetLimits { task, day })
}

#[test]
fn nothing_written_is_no_limit() {
    let most = Spending { tokens: u64::MAX, nano_usd: u64::MAX, ms: u64::MAX };
    let mut budget = Budget::default();
    budget.spend("t", day("2026-11-21"), most);
    budget.spend("t", day("2026-11-21"), most);
    assert_eq!(budget.require_room("t", day("2026-11-21"), most), Ok(()));
}

#[test]
fn a_call_that_could_go_beyond_is_not_made() {
    let ceiling = Ceiling { tokens: Some(100), cents: Some(2), minutes: Some(1) };
    let room = |wanted| limited(ceiling, Ceiling::default()).require_room("t", day("2026-11-21"), wanted);
    let over = |resource, limit, wanted| Err(OverBudget { span: Span::Task, resource, limit, spent: 0, wanted });
    assert_eq!(room(Spending { tokens: 100, nano_usd: 20_000_000, ms: 60_000 }), Ok(()));
    assert_eq!(room(tokens(101)), over(Resource::Tokens, 100, 101));
    assert_eq!(room(Spending { nano_usd: 20_000_001, ..tokens(0) }), over(Resource::Money, 20_000_000, 20_000_001));
    assert_eq!(room(Spending { ms: 60_001, ..tokens(0) }), over(Resource::Time, 60_000, 60_001));
}

#[test]
fn a_spent_budget_has_no_room_even_for_nothing() {
    let mut budget = limited(Ceiling { tokens: Some(10), ..Ceiling::default() }, Ceiling::default());
    budget.spend("t", day("2026-11-21"), tokens(10));
    let error = budget.require_room("t", day("2026-11-22"), tokens(0)).unwrap_err();
    assert_eq!(error, OverBudget { span: Span::Task, resource: Resource::Tokens, limit: 10, spent: 10, wanted: 0 });
    assert_eq!(budget.require_room("u", day("2026-11-21"), tokens(10)), Ok(()));
}

#[test]
fn a_day_is_shared_by_its_tasks_and_the_next_begins_anew() {
    let mut budget = limited(Ceiling::default(), Ceiling { tokens: Some(10), ..Ceiling::default() });
    budget.spend("t", day("2026-11-21"), tokens(6));
    budget.spend("u", day("2026-11-21"), tokens(3));
    let room = |wanted| budget.require_room("v", day("2026-11-21"), tokens(wanted));
    assert_eq!(room(1), Ok(()));
    assert_eq!(
        room(2),
        Err(OverBudget { span: Span::Day, resource: Resource::Tokens, limit: 10, spent: 9, wanted: 2 })
    );
    assert_eq!(budget.require_room("v", day("2026-11-22"), tokens(10)), Ok(()));
    assert_eq!((budget.of_task("t"), budget.of_day(day("2026-11-21"))), (tokens(6), tokens(9)));
}

#[test]
fn a_backends_own_figure_counts_before_the_table() {
    let prices: PriceTable =
        [("a".to_owned(), Price { nano_usd_in: 3_000, nano_usd_out: 15_000 })].into_iter().collect();
    let answer = |tokens_in, tokens_out, nano_usd| RawAnswer {
        text: String::new(),
        thinking: None,
        finish: Finish::Stop,
        model: "m".to_owned(),
        tokens_in,
        tokens_out,
        nano_usd,
        raw: String::new(),
    };
    let spent = |answer| prices.of_answer("a", &answer, 7);
    assert_eq!(spent(answer(Some(1_000), Some(100), None)), Spending { tokens: 1_100, nano_usd: 4_500_000, ms: 7 });
    assert_eq!(spent(answer(Some(1_000), Some(100), Some(9))), Spending { tokens: 1_100, nano_usd: 9, ms: 7 });
    assert_eq!(spent(answer(None, None, None)), Spending { tokens: 0, nano_usd: 0, ms: 7 });
    assert_eq!(
        spent(answer(Some(u64::MAX), Some(u64::MAX), None)),
        Spending { tokens: u64::MAX, nano_usd: u64::MAX, ms: 7 }
    );
    assert_eq!(prices.of_answer("b", &answer(Some(1), Some(1), None), 7), Spending { tokens: 2, nano_usd: 0, ms: 7 });
}

#[test]
fn what_is_left_is_said_in_tokens_dollars_and_minutes() {
    let over = |resource, spent, limit, wanted| OverBudget { span: Span::Day, resource, limit, spent, wanted };
    for (over, said) in [
        (over(Resource::Tokens, 9, 10, 2), "the day has used 9 of 10 tokens, and up to 2 more would be used"),
        (
            over(Resource::Money, 1_044_000_000, 10_000_000, 1),
            "the day has used $1.0440 of $0.0100, and up to $0.0001 more would be used",
        ),
        (
            over(Resource::Time, 61_000, 60_000, 0),
            "the day has used 1 min 1 s of 1 min 0 s, and up to 0 min 0 s more would be used",
        ),
    ] {
        assert_eq!(over.to_string(), said);
    }
}

#[test]
fn what_others_say_of_a_day_never_makes_it_less() {
    let mut budget = Budget::default();
    budget.spend("t", day("2026-11-21"), Spending { tokens: 5, nano_usd: 1, ms: 3 });
    budget.at_least(day("2026-11-21"), Spending { tokens: 2, nano_usd: 7, ms: 3 });
    assert_eq!(budget.of_day(day("2026-11-21")), Spending { tokens: 5, nano_usd: 7, ms: 3 });
    assert_eq!(budget.of_task("t"), Spending { tokens: 5, nano_usd: 1, ms: 3 });
}

/// The adversary: calls at once, each of which would fit alone.
#[tokio::test(start_paused = true)]
async fn calls_at_once_never_use_up_more_than_there_is() {
    let limits =
        BudgetLimits { task: Ceiling { tokens: Some(8_000), ..Ceiling::default() }, ..BudgetLimits::default() };
    let purse = Arc::new(Purse::new(limits));
    let calls = (0..10).map(|_| {
        let purse = Arc::clone(&purse);
        tokio::spawn(async move {
            let hold = purse.hold("t", day("2026-11-21"), tokens(5_000)).await.ok()?;
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            hold.settle(tokens(2_000));
            Some(())
        })
    });
    let mut made = 0;
    for call in calls.collect::<Vec<_>>() {
        made += usize::from(call.await.unwrap().is_some());
    }
    // The second waits for the first, and has room then; behind it there is none for the most that a third may use up.
    assert_eq!((made, purse.with(|budget| budget.of_task("t"))), (2, tokens(4_000)));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_holds_nothing_any_more() {
    let limits = BudgetLimits { day: Ceiling { tokens: Some(10), ..Ceiling::default() }, ..BudgetLimits::default() };
    let purse = Purse::new(limits);
    let first = purse.hold("t", day("2026-11-21"), tokens(10)).await.unwrap();
    let dropped = async {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        drop(first);
    };
    let (second, ()) = tokio::join!(purse.hold("u", day("2026-11-21"), tokens(10)), dropped);
    assert_eq!(second.unwrap().day(), day("2026-11-21"));
    assert_eq!(purse.with(|budget| budget.of_day(day("2026-11-21"))), tokens(0));
    let over = purse.hold("u", day("2026-11-21"), tokens(11)).await.unwrap_err();
    assert_eq!((over.spent, over.wanted), (0, 11));
}

proptest! {
    #[test]
    fn who_asks_for_room_first_never_goes_beyond(
        limit in 0u64..500, calls in prop::collection::vec((0u64..100, 0u64..=100), 0..40),
    ) {
        let mut budget = limited(Ceiling { tokens: Some(limit), ..Ceiling::default() }, Ceiling::default());
        for (most, share) in calls {
            if budget.require_room("t", day("2026-11-21"), tokens(most)).is_ok() {
                budget.spend("t", day("2026-11-21"), tokens(most * share / 100));
            }
        }
        prop_assert!(budget.of_task("t").tokens <= limit);
    }
}
