//! Lets a model be asked when the budget has room for the most that the question may use up, and holds that meanwhile.
//!
//! Settles nothing: who asks does, with what was used up.

use std::sync::{Mutex, PoisonError};

use annals_llm::{Gate, GenerateRequest, Hold, ModelError, Pending};

use super::budgeted::{BudgetedModels, NoHold};

/// A model that may be asked, and what is held for it.
pub(super) struct HeldModel<'b> {
    /// As the person calls it.
    pub(super) name: String,
    pub(super) hold: Hold<'b>,
}

/// What one question holds of the budget, for the model that is asked just now.
pub(super) struct Admitted<'b> {
    models: &'b BudgetedModels,
    task: &'b str,
    request: &'b GenerateRequest,
    held: Mutex<Option<HeldModel<'b>>>,
}

impl<'b> Admitted<'b> {
    /// Nothing is held yet.
    pub(super) fn new(models: &'b BudgetedModels, task: &'b str, request: &'b GenerateRequest) -> Self {
        Self { models, task, request, held: Mutex::new(None) }
    }

    /// Who was asked in the end, and what is held for it.
    pub(super) fn into_last(self) -> Option<HeldModel<'b>> {
        self.held.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    async fn admitted(&self, name: &str) -> Result<(), ModelError> {
        self.put(None); // who waits for room holds none
        let held = self.models.hold(self.task, name, self.request).await;
        let name_of = || name.to_owned();
        let over = |NoHold { reason, is_lasting }| ModelError::OverBudget { name: name_of(), reason, is_lasting };
        let hold = held.map_err(over)?;
        self.put(Some(HeldModel { name: name.to_owned(), hold }));
        Ok(())
    }

    fn put(&self, held: Option<HeldModel<'b>>) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = held;
    }
}

impl Gate for Admitted<'_> {
    fn admit<'g>(&'g self, name: &'g str) -> Pending<'g, Result<(), ModelError>> {
        Box::pin(self.admitted(name))
    }
}
