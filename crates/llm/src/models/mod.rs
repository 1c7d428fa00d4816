//! The models of a person, and the one way to ask them: chosen by purpose, sanitized, within limits.
//!
//! Keeps no answer: what was asked and answered is recorded by the caller, failed attempts included (decision 65).

mod attempt;
mod call;
mod choice;
mod gate;
mod retry;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use annals_kernel::time::Timestamp;
use tokio::sync::Semaphore;

pub use attempt::{AskError, Asked, Attempt, Embedded, Unasked};
pub use choice::{Chosen, NoModel};
pub use gate::Gate;
pub use retry::Retry;

use crate::availability::Availability;
use crate::backend;
use crate::cancel::Cancel;
use crate::clean::Sanitizer;
use crate::config::{BadModel, ModelConfig, ModelsConfig};
use crate::failure::ModelError;
use crate::model::{Deltas, Model};
use crate::purpose::{Place, Purpose};
use crate::request::GenerateRequest;
use crate::surroundings::Surroundings;
use call::Call;
use gate::Open;

/// A look at a server takes no longer.
pub(crate) const LOOK_MS: u64 = 10_000;

/// The models of a person.
pub struct Models {
    config: ModelsConfig,
    seats: BTreeMap<String, Seat>,
    unusable: Vec<Unusable>,
    sanitizer: Sanitizer,
    surroundings: Arc<dyn Surroundings>,
    retry: Retry,
}

/// A model and its limits.
struct Seat {
    model: Arc<dyn Model>,
    strength: u32,
    permits: Option<Semaphore>,
    deadline_ms: u64,
}

/// A model that cannot be set up, and which.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("[models.{name}]: {error}")]
pub struct Unusable {
    /// As the person calls it.
    pub name: String,
    /// Why.
    pub error: BadModel,
}

impl Models {
    /// As they are configured. Asks nobody; scripts are read. One that cannot be set up is named when it is wanted, and keeps
    /// nobody from the others.
    pub fn new(config: ModelsConfig, sanitizer: Sanitizer, surroundings: Arc<dyn Surroundings>) -> Self {
        let (mut seats, mut unusable) = (BTreeMap::new(), Vec::new());
        for (name, model) in &config.named {
            match Seat::configured(name, model, &surroundings) {
                Ok(seat) => drop(seats.insert(name.clone(), seat)),
                Err(error) => unusable.push(Unusable { name: name.clone(), error }),
            }
        }
        Self { config, seats, unusable, sanitizer, surroundings, retry: Retry::default() }
    }

    /// With other waits between attempts.
    #[must_use]
    pub fn with_retry(self, retry: Retry) -> Self {
        Self { retry, ..self }
    }

    /// With a model that no table of the configuration describes, as recorded answers. It may take any time, and any
    /// number of calls at once.
    #[must_use]
    pub fn with(mut self, model: Arc<dyn Model>, strength: u32) -> Self {
        let name = model.name().to_owned();
        self.seats.insert(name, Seat { model, strength, permits: None, deadline_ms: u64::MAX });
        self
    }

    /// Those that cannot be set up, and why.
    pub fn unusable(&self) -> &[Unusable] {
        &self.unusable
    }

    /// The names of those that can be asked.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.seats.keys().map(String::as_str)
    }

    /// The configuration in force.
    pub fn config(&self) -> &ModelsConfig {
        &self.config
    }

    /// Where a model thinks.
    pub fn place(&self, name: &str) -> Option<Place> {
        self.seats.get(name).map(|seat| seat.model.place())
    }

    /// Whether a model would answer; none where no model goes by that name.
    pub async fn check(&self, name: &str) -> Option<Availability> {
        let seat = self.seats.get(name)?;
        Some(tokio::select! {
            availability = seat.model.available() => availability,
            () = self.surroundings.sleep(LOOK_MS) => Availability::Failing(ModelError::Deadline { ms: LOOK_MS }),
        })
    }

    /// Asks the model of a purpose, and the one that stands in for it where it fails or is slow.
    pub async fn ask(
        &self,
        purpose: Purpose,
        request: &GenerateRequest,
        deltas: &mut Deltas<'_>,
        cancel: &Cancel,
    ) -> Result<Asked, AskError> {
        self.ask_within(purpose, request, deltas, cancel, &Open).await
    }

    /// The same, where each of them is asked only when it is let through.
    pub async fn ask_within(
        &self,
        purpose: Purpose,
        request: &GenerateRequest,
        deltas: &mut Deltas<'_>,
        cancel: &Cancel,
        gate: &dyn Gate,
    ) -> Result<Asked, AskError> {
        let chosen = self.chosen(purpose).map_err(AskError::of_choice)?;
        let asked = self.sanitizer.request(purpose, request);
        Call::new(self, gate).ask(&chosen, &asked, deltas, cancel).await
    }

    /// Asks one model by its name, whatever the purposes say, as `annals model ask` does, when it is let through.
    pub async fn ask_by_name(
        &self,
        name: &str,
        request: &GenerateRequest,
        deltas: &mut Deltas<'_>,
        cancel: &Cancel,
        gate: &dyn Gate,
    ) -> Result<Asked, AskError> {
        let chosen = self.chosen_by_name(name).map_err(AskError::of_choice)?;
        let asked = self.sanitizer.request(Purpose::Ask, request);
        Call::new(self, gate).ask(&chosen, &asked, deltas, cancel).await
    }

    /// Makes vectors of texts. Nobody stands in: vectors of two models cannot be compared.
    pub async fn embed(&self, texts: &[String], cancel: &Cancel) -> Result<Embedded, AskError> {
        let chosen = self.chosen(Purpose::Embedding).map_err(AskError::of_choice)?;
        let texts = self.sanitizer.texts(texts);
        Call::new(self, &Open).embed(chosen.name, &texts, cancel).await
    }

    fn seat(&self, name: &str) -> &Seat {
        self.seats.get(name).expect("BUG: only those are chosen that are there")
    }

    fn now(&self) -> Timestamp {
        self.surroundings.now()
    }
}

impl Seat {
    fn configured(name: &str, config: &ModelConfig, surroundings: &Arc<dyn Surroundings>) -> Result<Self, BadModel> {
        let permits = config.max_concurrent().map(|calls| Semaphore::new(usize::try_from(calls).unwrap_or(usize::MAX)));
        Ok(Self {
            model: backend::configured(name, config, surroundings)?,
            strength: config.strength,
            permits,
            deadline_ms: config.deadline_ms,
        })
    }
}
