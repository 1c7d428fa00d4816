//! A model made of a list of what it does, one a question, the last one for ever.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::answer::{Finish, RawAnswer, Vectors};
use crate::availability::Availability;
use crate::clean::{CleanRequest, CleanTexts};
use crate::failure::ModelError;
use crate::model::{Delta, Deltas, Model, Pending, no_vectors};
use crate::purpose::Place;

/// What it does when it is asked.
#[derive(Debug, Clone)]
pub enum Act {
    /// After a while the first byte comes, after another the answer.
    Say(&'static str, u64, u64),
    /// It fails after a while.
    Fail(ModelError, u64),
    /// Nothing comes, ever.
    Hang,
}

/// A model made of a list.
pub struct Fake {
    name: &'static str,
    place: Place,
    acts: Mutex<VecDeque<Act>>,
    /// How often it was asked.
    pub asked: AtomicUsize,
    /// How many questions are under way.
    pub under_way: AtomicUsize,
    /// The most that were.
    pub most: AtomicUsize,
}

impl Fake {
    /// Does one after the other.
    pub fn new(name: &'static str, place: Place, acts: &[Act]) -> Arc<Self> {
        Arc::new(Self {
            name,
            place,
            acts: Mutex::new(acts.iter().cloned().collect()),
            asked: AtomicUsize::new(0),
            under_way: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        })
    }

    /// How often it was asked.
    pub fn times(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    fn next(&self) -> Act {
        let mut acts = self.acts.lock().unwrap();
        if acts.len() > 1 { acts.pop_front().unwrap() } else { acts[0].clone() }
    }

    async fn act(&self, deltas: &mut Deltas<'_>) -> Result<RawAnswer, ModelError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let _guard = UnderWay::of(self);
        match self.next() {
            Act::Say(text, first_ms, then_ms) => {
                tokio::time::sleep(Duration::from_millis(first_ms)).await;
                deltas(Delta::Begun);
                tokio::time::sleep(Duration::from_millis(then_ms)).await;
                deltas(Delta::Text(text));
                Ok(answer(self.name, text))
            }
            Act::Fail(error, ms) => {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                Err(error)
            }
            Act::Hang => std::future::pending().await,
        }
    }
}

struct UnderWay<'f>(&'f Fake);

impl<'f> UnderWay<'f> {
    fn of(fake: &'f Fake) -> Self {
        let now = fake.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        fake.most.fetch_max(now, Ordering::SeqCst);
        Self(fake)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::SeqCst);
    }
}

fn answer(model: &str, text: &str) -> RawAnswer {
    RawAnswer {
        text: text.to_owned(),
        thinking: None,
        finish: Finish::Stop,
        model: model.to_owned(),
        tokens_in: Some(1),
        tokens_out: Some(1),
        nano_usd: None,
        raw: text.to_owned(),
    }
}

impl Model for Fake {
    fn name(&self) -> &str {
        self.name
    }

    fn place(&self) -> Place {
        self.place
    }

    fn generate<'a>(
        &'a self,
        _: &'a CleanRequest,
        deltas: &'a mut Deltas<'_>,
    ) -> Pending<'a, Result<RawAnswer, ModelError>> {
        Box::pin(self.act(deltas))
    }

    fn embed<'a>(&'a self, _: &'a CleanTexts) -> Pending<'a, Result<Vectors, ModelError>> {
        no_vectors(self.name)
    }

    fn available(&self) -> Pending<'_, Availability> {
        Box::pin(std::future::ready(Availability::Ready))
    }
}
