//! Turns, deadlines, stand-ins and cancellation, on a clock that stands still until everybody waits.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

use crate::cancel::Cancel;
use crate::config::{BackendKind, ModelConfig, ModelsConfig};
use crate::failure::ModelError;
use crate::model::{Model, Pending};
use crate::models::gate::Open;
use crate::models::{Asked, Gate, Models, Unasked};
use crate::purpose::{Place, Purpose};
use crate::testing::{Act, Fake, Notes, OnTokio, ask, models, question};

fn busy() -> ModelError {
    ModelError::Status { at: "x".to_owned(), status: 503, said: String::new(), retry_after_ms: None }
}

fn bad() -> ModelError {
    ModelError::Status { at: "x".to_owned(), status: 400, said: "too long".to_owned(), retry_after_ms: None }
}

fn two(first: &Arc<Fake>, other: &Arc<Fake>) -> Models {
    let some = |name: &str| Some(name.to_owned());
    let config = ModelsConfig { default: some("first"), fallback: some("other"), ..ModelsConfig::default() };
    models(config, OnTokio::new()).with(first.clone(), 0).with(other.clone(), 0)
}

fn fakes(first: &[Act], other: &[Act]) -> (Arc<Fake>, Arc<Fake>) {
    (Fake::new("first", Place::Local, first), Fake::new("other", Place::Local, other))
}

async fn heard(models: &Models) -> (Asked, String) {
    let mut notes = Notes::default();
    let asked = models.ask(Purpose::Eval, &question(), &mut *notes.listen(), &Cancel::new()).await.unwrap();
    (asked, notes.0)
}

#[tokio::test(start_paused = true)]
async fn a_first_byte_in_time_is_waited_for_to_the_end() {
    let (first, other) = fakes(&[Act::Say("one", 4_999, 90_000)], &[Act::Say("two", 0, 0)]);
    let (asked, notes) = heard(&two(&first, &other)).await;
    assert_eq!((asked.name.as_str(), asked.ms, notes.as_str()), ("first", 94_999, "!one"));
    assert_eq!((asked.attempts, other.times()), (Vec::new(), 0));
}

#[tokio::test(start_paused = true)]
async fn without_a_first_byte_in_time_the_other_is_asked_and_the_first_is_left() {
    let (first, other) = fakes(&[Act::Say("one", 5_001, 0)], &[Act::Say("two", 10_000, 0)]);
    let (asked, notes) = heard(&two(&first, &other)).await;
    assert_eq!((asked.name.as_str(), asked.ms, notes.as_str()), ("other", 10_000, "?!two"));
    assert_eq!((asked.attempts.len(), asked.attempts[0].error.clone()), (1, ModelError::Slow { ms: 5_000 }));
    assert_eq!(first.under_way.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn whatever_fails_the_other_is_asked() {
    for error in [bad(), ModelError::NoKey { variable: "K".to_owned() }, ModelError::Deadline { ms: 1 }] {
        let (first, other) = fakes(&[Act::Fail(error.clone(), 10)], &[Act::Say("two", 0, 0)]);
        let (asked, _) = heard(&two(&first, &other)).await;
        assert_eq!((asked.name.as_str(), &asked.attempts[0].error, asked.attempts[0].ms), ("other", &error, 10));
    }
}

#[tokio::test(start_paused = true)]
async fn retries_that_take_too_long_are_slow_too() {
    let (first, other) = fakes(&[Act::Fail(busy(), 1_000), Act::Hang], &[Act::Say("two", 0, 0)]);
    let (asked, _) = heard(&two(&first, &other)).await;
    let errors: Vec<_> = asked.attempts.iter().map(|attempt| attempt.error.clone()).collect();
    assert_eq!(errors, [busy(), ModelError::Slow { ms: 5_000 }]);
    assert_eq!(first.times(), 2);
}

#[tokio::test(start_paused = true)]
async fn where_both_fail_both_are_named() {
    let (first, other) = fakes(&[Act::Hang], &[Act::Fail(bad(), 0)]);
    let error = two(&first, &other).ask(Purpose::Eval, &question(), &mut |_| {}, &Cancel::new()).await.unwrap_err();
    assert_eq!(error.to_string(), "x answers with status 400: too long (before, first: no first byte within 5000 ms)");
    assert_eq!((error.why, error.attempts.len()), (Unasked::Model(bad()), 2));
}

#[tokio::test(start_paused = true)]
async fn who_has_nobody_to_stand_in_may_take_its_time() {
    let first = Fake::new("first", Place::Local, &[Act::Say("one", 500_000, 0)]);
    let config = ModelsConfig { default: Some("first".to_owned()), ..ModelsConfig::default() };
    let (asked, _) = heard(&models(config, OnTokio::new()).with(first, 0)).await;
    assert_eq!(asked.ms, 500_000);
}

/// A script whose answers take time, so that a table of the configuration says what else holds.
fn scripted(lines: &str, config: ModelConfig) -> Models {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), lines).unwrap();
    let config = ModelConfig { file: Some(file.path().to_string_lossy().into_owned()), ..config };
    models(crate::testing::only(config), OnTokio::new())
}

#[tokio::test(start_paused = true)]
async fn the_deadline_holds_for_the_whole() {
    let config = ModelConfig { deadline_ms: 30_000, ..ModelConfig::new(BackendKind::Scripted) };
    let models = scripted("{\"role\": \"*\", \"answer\": \"x\", \"delay_ms\": 30001}", config);
    let started = Instant::now();
    let error = ask(&models, &question()).await.unwrap_err();
    assert_eq!(error.why, Unasked::Model(ModelError::Deadline { ms: 30_000 }));
    assert_eq!((error.attempts.len(), error.attempts[0].ms, started.elapsed()), (1, 30_000, Duration::from_secs(30)));
}

#[tokio::test(start_paused = true)]
async fn only_so_many_are_asked_at_once_and_waiting_costs_no_deadline() {
    let line = "{\"role\": \"*\", \"answer\": \"x\", \"delay_ms\": 1000}\n";
    let config = ModelConfig { deadline_ms: 1_500, max_concurrent: Some(2), ..ModelConfig::new(BackendKind::Scripted) };
    let models = Arc::new(scripted(&line.repeat(6), config));
    let started = Instant::now();
    let calls = (0..6).map(|_| {
        let models = models.clone();
        tokio::spawn(async move { ask(&models, &question()).await.unwrap().ms })
    });
    for call in calls.collect::<Vec<_>>() {
        assert_eq!(call.await.unwrap(), 1_000);
    }
    assert_eq!(started.elapsed(), Duration::from_secs(3));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_its_turn_can_be_cancelled() {
    let line = "{\"role\": \"*\", \"answer\": \"x\", \"delay_ms\": 1000}\n";
    let config = ModelConfig { max_concurrent: Some(1), ..ModelConfig::new(BackendKind::Scripted) };
    let models = Arc::new(scripted(&line.repeat(2), config));
    let cancel = Cancel::new();
    let (first, second) = (models.clone(), models.clone());
    let first = tokio::spawn(async move { ask(&first, &question()).await.is_ok() });
    let waits = cancel.clone();
    let second = tokio::spawn(async move { second.ask(Purpose::Ask, &question(), &mut |_| {}, &waits).await });
    tokio::time::sleep(Duration::from_millis(500)).await;
    cancel.cancel();
    assert_eq!(second.await.unwrap().unwrap_err().why, Unasked::Model(ModelError::Cancelled));
    assert!(first.await.unwrap());
    assert!(ask(&models, &question()).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn who_cancels_while_it_is_retried_ends_that() {
    let first = Fake::new("first", Place::Local, &[Act::Fail(busy(), 100)]);
    let config = ModelsConfig { default: Some("first".to_owned()), ..ModelsConfig::default() };
    let models = models(config, OnTokio::new()).with(first.clone(), 0);
    let cancel = Cancel::new();
    let later = cancel.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        later.cancel();
    });
    let error = models.ask(Purpose::Eval, &question(), &mut |_| {}, &cancel).await.unwrap_err();
    assert_eq!((error.why, error.attempts.len()), (Unasked::Model(ModelError::Cancelled), 1));
    assert!(cancel.is_cancelled());
}

#[tokio::test(start_paused = true)]
async fn a_thousand_scripted_questions_at_once_are_all_answered() {
    let line = "{\"role\": \"*\", \"answer\": \"x\", \"delay_ms\": 1000}\n";
    let models = Arc::new(scripted(&line.repeat(1_000), ModelConfig::new(BackendKind::Scripted)));
    let started = Instant::now();
    let calls: Vec<_> = (0..1_000)
        .map(|_| {
            let models = models.clone();
            tokio::spawn(async move { ask(&models, &question()).await })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap().unwrap().answer.text, "x");
    }
    assert_eq!(started.elapsed(), Duration::from_secs(1));
    assert!(ask(&models, &question()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_model_is_asked_by_its_name_and_nobody_stands_in() {
    let (first, other) = fakes(&[Act::Say("one", 9_000, 0)], &[Act::Say("two", 0, 0)]);
    let models = two(&first, &other);
    let by_name = models.ask_by_name("first", &question(), &mut |_| {}, &Cancel::new(), &Open).await.unwrap();
    assert_eq!((by_name.name.as_str(), other.times()), ("first", 0));
    assert!(models.ask_by_name("none", &question(), &mut |_| {}, &Cancel::new(), &Open).await.is_err());
    assert_eq!(
        (models.names().collect::<Vec<_>>(), models.place("first")),
        (vec!["first", "other"], Some(Place::Local))
    );
    assert_eq!(first.name(), "first");
}

/// Lets everybody through but one, and remembers who came.
struct AllBut(&'static str, Mutex<Vec<String>>);

impl Gate for AllBut {
    fn admit<'g>(&'g self, name: &'g str) -> Pending<'g, Result<(), ModelError>> {
        self.1.lock().unwrap().push(name.to_owned());
        let over =
            || ModelError::OverBudget { name: name.to_owned(), reason: "too dear".to_owned(), is_lasting: false };
        Box::pin(std::future::ready((name != self.0).then_some(()).ok_or_else(over)))
    }
}

/// The adversary of a budget: a dear model that stands in for a cheap one that fails.
#[tokio::test(start_paused = true)]
async fn who_stands_in_is_asked_only_when_it_is_let_through_too() {
    for (barred, heard, asked) in [("first", &["first"][..], [0, 0]), ("other", &["first", "other"], [1, 0])] {
        let (first, other) = fakes(&[Act::Fail(bad(), 0)], &[Act::Say("two", 0, 0)]);
        let gate = AllBut(barred, Mutex::default());
        let (models, cancel) = (two(&first, &other), Cancel::new());
        let error = models.ask_within(Purpose::Eval, &question(), &mut |_| {}, &cancel, &gate).await.unwrap_err();
        let why = ModelError::OverBudget { name: barred.to_owned(), reason: "too dear".to_owned(), is_lasting: false };
        assert_eq!((error.why, error.attempts.len()), (Unasked::Model(why), heard.len() - 1));
        assert_eq!(([first.times(), other.times()], gate.1.into_inner().unwrap().as_slice()), (asked, &*own(heard)));
    }
}

fn own(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
