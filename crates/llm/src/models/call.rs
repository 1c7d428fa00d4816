//! One question on its way: turns, retries, deadline, stand-in, cancellation, and its span.
//!
//! The span holds who, how long and how much, and no text.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};

use annals_kernel::time::Timestamp;
use tokio::sync::SemaphorePermit;
use tracing::{Instrument, Span, field};

use super::attempt::{AskError, Asked, Attempt, Embedded, Unasked};
use super::choice::Chosen;
use super::gate::Gate;
use super::{Models, Seat};
use crate::answer::{RawAnswer, Vectors};
use crate::cancel::Cancel;
use crate::clean::{CleanRequest, CleanTexts};
use crate::failure::ModelError;
use crate::model::{Delta, Deltas};

/// One question on its way.
pub struct Call<'m> {
    models: &'m Models,
    gate: &'m dyn Gate,
    attempts: Vec<Attempt>,
}

/// What an attempt gave, by whom and how soon.
struct Given<T> {
    name: String,
    what: T,
    ms: u64,
}

impl<'m> Call<'m> {
    /// Nothing was asked yet.
    pub fn new(models: &'m Models, gate: &'m dyn Gate) -> Self {
        Self { models, gate, attempts: Vec::new() }
    }

    /// Asks the first, then the one that stands in.
    pub async fn ask(
        mut self,
        chosen: &Chosen<'_>,
        asked: &CleanRequest,
        deltas: &mut Deltas<'_>,
        cancel: &Cancel,
    ) -> Result<Asked, AskError> {
        let span = tracing::info_span!(
            "model.ask",
            purpose = asked.purpose().as_str(),
            name = chosen.name,
            stand_in = chosen.stand_in,
            answered_by = field::Empty,
            failed_attempts = field::Empty,
            tokens_in = field::Empty,
            tokens_out = field::Empty,
            ms = field::Empty,
        );
        let started = self.models.now();
        let work = self.first_or_other(chosen, asked, deltas);
        let given = or_cancelled(work, cancel).instrument(span.clone()).await;
        span.record("ms", self.since(started)).record("failed_attempts", self.attempts.len());
        let Given { name, what: answer, ms } = self.unless_failed(given)?;
        record(&span, &name, &answer);
        Ok(Asked { answer, name, at: self.models.now(), ms, attempts: self.attempts })
    }

    /// Makes vectors.
    pub async fn embed(mut self, name: &str, texts: &CleanTexts, cancel: &Cancel) -> Result<Embedded, AskError> {
        let span = tracing::info_span!("model.embed", name, texts = texts.texts().len(), ms = field::Empty);
        let started = self.models.now();
        let given = or_cancelled(self.vectors(name, texts), cancel).instrument(span.clone()).await;
        span.record("ms", self.since(started));
        let Given { name, what: vectors, .. } = self.unless_failed(given)?;
        Ok(Embedded { vectors, name, at: self.models.now(), attempts: self.attempts })
    }

    async fn first_or_other(
        &mut self,
        chosen: &Chosen<'_>,
        asked: &CleanRequest,
        deltas: &mut Deltas<'_>,
    ) -> Result<Given<RawAnswer>, ModelError> {
        self.gate.admit(chosen.name).await?;
        let Some(other) = chosen.stand_in else {
            return self.answer(chosen.name, asked, deltas, None).await;
        };
        let delay_ms = self.models.config.fallback_delay_ms;
        if let Ok(given) = self.answer(chosen.name, asked, deltas, Some(delay_ms)).await {
            return Ok(given);
        }
        deltas(Delta::Again);
        self.gate.admit(other).await?;
        self.answer(other, asked, deltas, None).await
    }

    /// The clocks start when it is its turn: waiting for other calls of ours is not the model's fault.
    async fn answer(
        &mut self,
        name: &str,
        asked: &CleanRequest,
        deltas: &mut Deltas<'_>,
        first_byte_ms: Option<u64>,
    ) -> Result<Given<RawAnswer>, ModelError> {
        let models = self.models;
        let seat = models.seat(name);
        let _turn = seat.turn().await;
        let has_begun = AtomicBool::new(false);
        let mut heard = |delta: Delta<'_>| {
            has_begun.store(delta != Delta::Again, Ordering::Relaxed);
            deltas(delta);
        };
        let started = models.now();
        let over = tokio::select! {
            biased;
            given = self.asked_again(name, asked, &mut heard) => return given,
            () = models.surroundings.sleep(seat.deadline_ms) => ModelError::Deadline { ms: seat.deadline_ms },
            ms = models.without_a_byte(first_byte_ms, &has_begun) => ModelError::Slow { ms },
        };
        Err(self.noted(name, over, started))
    }

    async fn asked_again(
        &mut self,
        name: &str,
        asked: &CleanRequest,
        deltas: &mut Deltas<'_>,
    ) -> Result<Given<RawAnswer>, ModelError> {
        let model = &self.models.seat(name).model;
        for failed in 1.. {
            let started = self.models.now();
            match model.generate(asked, deltas).await {
                Ok(answer) => return Ok(Given { name: name.to_owned(), what: answer, ms: self.since(started) }),
                Err(error) => self.pause(name, failed, error, started).await?,
            }
            deltas(Delta::Again);
        }
        unreachable!("BUG: patience ends before numbers do")
    }

    async fn vectors(&mut self, name: &str, texts: &CleanTexts) -> Result<Given<Vectors>, ModelError> {
        let models = self.models;
        let seat = models.seat(name);
        let _turn = seat.turn().await;
        let started = models.now();
        tokio::select! {
            biased;
            given = self.vectors_again(name, texts) => return given,
            () = models.surroundings.sleep(seat.deadline_ms) => {}
        }
        Err(self.noted(name, ModelError::Deadline { ms: seat.deadline_ms }, started))
    }

    async fn vectors_again(&mut self, name: &str, texts: &CleanTexts) -> Result<Given<Vectors>, ModelError> {
        let model = &self.models.seat(name).model;
        for failed in 1.. {
            let started = self.models.now();
            match model.embed(texts).await {
                Ok(vectors) => return Ok(Given { name: name.to_owned(), what: vectors, ms: self.since(started) }),
                Err(error) => self.pause(name, failed, error, started).await?,
            }
        }
        unreachable!("BUG: patience ends before numbers do")
    }

    /// Notes a failure, and waits until it is of use to ask again; gives the failure back where it never is.
    async fn pause(
        &mut self,
        name: &str,
        failed: u32,
        error: ModelError,
        started: Timestamp,
    ) -> Result<(), ModelError> {
        let surroundings = &self.models.surroundings;
        let wait = self.models.retry.wait_ms(failed, &error, surroundings.random());
        let error = self.noted(name, error, started);
        let Some(ms) = wait else { return Err(error) };
        surroundings.sleep(ms).await;
        Ok(())
    }

    fn noted(&mut self, name: &str, error: ModelError, started: Timestamp) -> ModelError {
        let ms = self.since(started);
        self.attempts.push(Attempt { name: name.to_owned(), error: error.clone(), ms });
        error
    }

    fn unless_failed<T>(&mut self, given: Result<Given<T>, ModelError>) -> Result<Given<T>, AskError> {
        given.map_err(|error| {
            let attempts = std::mem::take(&mut self.attempts);
            AskError { why: Unasked::Model(error), attempts }
        })
    }

    fn since(&self, started: Timestamp) -> u64 {
        self.models.now().since(started)
    }
}

impl Models {
    /// Ends when no byte came in time; never, where nobody waits for it.
    async fn without_a_byte(&self, ms: Option<u64>, has_begun: &AtomicBool) -> u64 {
        if let Some(ms) = ms {
            self.surroundings.sleep(ms).await;
            if !has_begun.load(Ordering::Relaxed) {
                return ms;
            }
        }
        std::future::pending().await
    }
}

impl Seat {
    async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        let permits = self.permits.as_ref()?;
        Some(permits.acquire().await.expect("BUG: nobody closes it"))
    }
}

/// Drops the work when it is not wanted any more, and with it its connection or process.
async fn or_cancelled<T>(work: impl Future<Output = Result<T, ModelError>>, cancel: &Cancel) -> Result<T, ModelError> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(ModelError::Cancelled),
        given = work => given,
    }
}

fn record(span: &Span, name: &str, answer: &RawAnswer) {
    span.record("answered_by", name).record("tokens_in", answer.tokens_in).record("tokens_out", answer.tokens_out);
}
