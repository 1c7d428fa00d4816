//! Spans say who, how long and how much, and no text.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::failure::ModelError;
use crate::purpose::Place;
use crate::testing::{Act, Fake, OnTokio, ask, models, question};

/// Keeps all that is said in spans of ours.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<String>>);

impl Visit for Kept {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        write!(self.0.lock().unwrap(), "{field}={value:?} ").unwrap();
    }
}

impl Subscriber for Kept {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("annals_llm")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        write!(self.0.lock().unwrap(), "{}: ", span.metadata().name()).unwrap();
        span.record(&mut self.clone());
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[tokio::test(start_paused = true)]
async fn a_span_says_who_how_long_and_how_much() {
    let failure = ModelError::Broken { at: "x".to_owned(), reason: "secret words".to_owned(), received: String::new() };
    let first = Fake::new("first", Place::Local, &[Act::Fail(failure, 100), Act::Say("secret words", 20, 3)]);
    let config = crate::ModelsConfig { default: Some("first".to_owned()), ..crate::ModelsConfig::default() };
    let models = models(config, OnTokio::new()).with(first, 0);
    let kept = Kept::default();
    let guard = tracing::subscriber::set_default(kept.clone());
    ask(&models, &question()).await.unwrap();
    drop(guard);
    assert_eq!(
        *kept.0.lock().unwrap(),
        "model.ask: purpose=\"planner\" name=\"first\" ms=623 failed_attempts=1 answered_by=\"first\" tokens_in=1 \
         tokens_out=1 "
    );
}
