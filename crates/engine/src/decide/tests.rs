//! What several threads ask for is decided as if one had asked for all of it.

use std::sync::Arc;
use std::thread;

use super::*;
use crate::clock::Clock;
use annals_kernel::id::NO_SESSION;
use annals_log::disk::RealDisk;
use annals_rules::domain::issue::Command as Issue;
use annals_rules::domain::issue::command::Open;

const THREADS: usize = 8;
const EACH: usize = 12;

fn engine(folder: &std::path::Path) -> Engine {
    Engine::open(Arc::new(RealDisk), folder, Clock::default()).expect("opened")
}

fn by() -> By {
    By::new("user", SessionId::from(NO_SESSION))
}

/// Every fourth has no title, and is refused.
fn open(number: usize) -> Command {
    let title = if number % 4 == 3 { String::new() } else { format!("Issue {number}") };
    Issue::Open(Open { title: title.as_str().into(), ..Open::default() }).into()
}

fn labels(engine: &Engine) -> Vec<usize> {
    let labels = engine
        .ask(|world| world.rooms.issue.issues.iter().map(|(_, issue)| issue.label.to_string()).collect::<Vec<_>>());
    let mut labels: Vec<_> = labels.expect("asked").iter().map(|label| label.parse().expect("a number")).collect();
    labels.sort_unstable();
    labels
}

#[test]
fn each_decision_stands_on_those_before_it_whoever_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let shared = engine(folder.path());
    let ask = |thread: usize| {
        let answers = (0..EACH).map(|number| shared.decide(open(thread * EACH + number), &Json::empty_object(), &by()));
        answers.filter(|answer| answer.as_ref().expect("decided").refusal.is_none()).count()
    };
    let opened: usize = thread::scope(|scope| {
        let asking: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || ask(thread))).collect();
        asking.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    });
    let numbers: Vec<_> = (1..=THREADS * EACH * 3 / 4).collect();
    assert_eq!((opened, labels(&shared)), (numbers.len(), numbers.clone()));
    assert_eq!(labels(&engine(folder.path())), numbers, "as whoever folds the lines sees them");
}

#[test]
fn what_cannot_be_decided_takes_nothing_of_the_others_along() {
    let folder = tempfile::tempdir().expect("a folder");
    let shared = engine(folder.path());
    let bad = Json::of(&serde_json::json!({ "in_force": 1 }));
    let ask = |thread: usize| {
        let observed = if thread == 0 { &bad } else { &Json::empty_object() };
        (0..EACH).filter(|_| shared.decide(open(0), observed, &by()).is_ok()).count()
    };
    let decided: usize = thread::scope(|scope| {
        let asking: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || ask(thread))).collect();
        asking.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    });
    let numbers: Vec<_> = (1..=(THREADS - 1) * EACH).collect();
    assert_eq!((decided, labels(&shared)), (numbers.len(), numbers.clone()));
    assert_eq!(labels(&engine(folder.path())), numbers, "as whoever folds the lines sees them");
}

#[test]
fn a_line_of_another_process_between_two_decisions_is_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, other) = (engine(folder.path()), engine(folder.path()));
    for number in 0..3 {
        for engine in [&one, &other] {
            engine.decide(open(number), &Json::empty_object(), &by()).expect("decided");
        }
    }
    assert_eq!((labels(&one), labels(&other)), ((1..=6).collect(), (1..=6).collect()));
}
