//! Answers that were recorded, by the keys of their requests: a replay asks nobody.
//!
//! Does not look them up in the log: they are handed in.

use std::collections::BTreeMap;

use crate::answer::{RawAnswer, Vectors};
use crate::availability::Availability;
use crate::clean::{CleanRequest, CleanTexts};
use crate::failure::ModelError;
use crate::model::{Delta, Deltas, Model, Pending, no_vectors};
use crate::purpose::Place;

/// What was answered, or why nothing was, by key.
pub type Recordings = BTreeMap<String, Result<RawAnswer, ModelError>>;

/// Recorded answers.
pub struct Recorded {
    name: String,
    answers: Recordings,
}

impl Recorded {
    /// By the keys of the requests.
    pub fn new(name: impl Into<String>, answers: Recordings) -> Self {
        Self { name: name.into(), answers }
    }

    fn answer(&self, key: &str) -> Result<RawAnswer, ModelError> {
        self.answers.get(key).cloned().unwrap_or_else(|| Err(ModelError::NotRecorded { key: key.to_owned() }))
    }
}

impl Model for Recorded {
    fn name(&self) -> &str {
        &self.name
    }

    fn place(&self) -> Place {
        Place::Local
    }

    fn generate<'a>(
        &'a self,
        asked: &'a CleanRequest,
        deltas: &'a mut Deltas<'_>,
    ) -> Pending<'a, Result<RawAnswer, ModelError>> {
        deltas(Delta::Begun);
        Box::pin(std::future::ready(self.answer(&asked.request().key)))
    }

    fn embed<'a>(&'a self, _: &'a CleanTexts) -> Pending<'a, Result<Vectors, ModelError>> {
        no_vectors(&self.name)
    }

    fn available(&self) -> Pending<'_, Availability> {
        Box::pin(std::future::ready(Availability::Ready))
    }
}
