//! What a task cost.

use super::super::{Account, ModelCall, RoleCost};
use super::*;
use proptest::prelude::*;

fn call(role: Party, started: i64, ended: i64) -> ModelCall {
    let at = Timestamp::from_millis;
    ModelCall { role, started: at(started), ended: at(ended), prompt_tokens: 100, answer_tokens: 10, cost_micro_usd: 7 }
}

fn account(calls: &[ModelCall]) -> Account {
    let mut account = Account::default();
    for call in calls {
        account.heard(call);
    }
    account
}

#[test]
fn a_plain_task_takes_five_calls_one_after_another() {
    let roles = [Party::Perceiver, Party::Planner, Party::Executor, Party::AgentValidator, Party::MetaValidator];
    let calls: Vec<_> = roles.iter().zip(0i64..).map(|(role, at)| call(*role, at * 10, at * 10 + 10)).collect();
    assert_eq!(account(&calls).sequential_calls(), 5);
}

#[test]
fn parallel_calls_count_once() {
    let cases: [(&[(i64, i64)], u64); 6] = [
        (&[], 0),
        (&[(0, 10), (0, 10), (1, 9)], 1),
        (&[(0, 10), (10, 20)], 2),
        (&[(0, 10), (9, 20)], 1),
        (&[(0, 30), (0, 10), (10, 20), (20, 30)], 3),
        (&[(5, 5), (5, 5), (5, 5)], 3),
    ];
    for (spans, expected) in cases {
        let calls: Vec<_> = spans.iter().map(|(from, to)| call(Party::Executor, *from, *to)).collect();
        assert_eq!(account(&calls).sequential_calls(), expected, "{spans:?}");
    }
}

#[test]
fn rows_are_by_role_and_add_up() {
    let account = account(&[call(Party::Planner, 0, 5), call(Party::Executor, 5, 9), call(Party::Executor, 5, 11)]);
    let row = |calls, model_ms| RoleCost {
        calls,
        prompt_tokens: calls * 100,
        answer_tokens: calls * 10,
        model_ms,
        cost_micro_usd: calls * 7,
    };
    let rows: Vec<_> = account.rows().iter().map(|(role, row)| (*role, *row)).collect();
    assert_eq!(rows, [(Party::Planner, row(1, 5)), (Party::Executor, row(2, 10))]);
    assert_eq!(account.total(), row(3, 15));
}

#[test]
fn a_clock_that_ran_back_breaks_nothing() {
    let mut late = call(Party::Planner, 10, 5);
    late.prompt_tokens = u64::MAX;
    let account = account(&[late, late]);
    assert_eq!((account.sequential_calls(), account.total().prompt_tokens), (2, u64::MAX));
}

proptest! {
    /// The order in which calls are heard does not matter, and no chain is longer than the calls.
    #[test]
    fn the_path_does_not_depend_on_the_order(spans in proptest::collection::vec((0i64..50, 0i64..50), 0..20)) {
        let calls: Vec<_> = spans.iter().map(|(at, long)| call(Party::Executor, *at, at + long)).collect();
        let backwards: Vec<_> = calls.iter().rev().copied().collect();
        let path = account(&calls).sequential_calls();
        prop_assert_eq!(path, account(&backwards).sequential_calls());
        prop_assert!(path <= u64::try_from(calls.len()).unwrap());
        prop_assert_eq!(path == 0, calls.is_empty());
    }
}
