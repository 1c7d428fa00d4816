//! What every backend can do (AFS 10.1).
//!
//! Whom to ask, how often and how long is decided in `models`, for all backends alike.

use std::future::Future;
use std::pin::Pin;

use crate::answer::{RawAnswer, Vectors};
use crate::availability::Availability;
use crate::clean::{CleanRequest, CleanTexts};
use crate::failure::ModelError;
use crate::purpose::Place;

/// Work of a backend that is under way. Dropping it ends the work: connections are closed, processes killed.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a listener hears of an answer that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta<'t> {
    /// The first byte is here.
    Begun,
    /// More of the model's thoughts.
    Thinking(&'t str),
    /// More of the answer.
    Text(&'t str),
    /// It failed and is asked again: what was heard so far counts no more.
    Again,
}

/// A listener. The answer is complete without one.
pub type Deltas<'l> = dyn FnMut(Delta<'_>) + Send + 'l;

/// A model that can be asked.
pub trait Model: Send + Sync {
    /// As the person calls it.
    fn name(&self) -> &str;

    /// Where it thinks.
    fn place(&self) -> Place;

    /// Asks once.
    fn generate<'a>(
        &'a self,
        asked: &'a CleanRequest,
        deltas: &'a mut Deltas<'_>,
    ) -> Pending<'a, Result<RawAnswer, ModelError>>;

    /// Makes vectors of texts.
    fn embed<'a>(&'a self, texts: &'a CleanTexts) -> Pending<'a, Result<Vectors, ModelError>>;

    /// Whether it would answer, without asking it anything that costs.
    fn available(&self) -> Pending<'_, Availability>;
}

/// For backends without vectors.
pub(crate) fn no_vectors<'a>(name: &str) -> Pending<'a, Result<Vectors, ModelError>> {
    let error = ModelError::CannotEmbed { name: name.to_owned() };
    Box::pin(std::future::ready(Err(error)))
}
