//! What has a say before each model that a question goes to, the one that stands in included: a budget, above all.
//!
//! Counts nothing by itself.

use crate::failure::ModelError;
use crate::model::Pending;

/// Has a say before a model is asked.
pub trait Gate: Send + Sync {
    /// Lets a model be asked, by its name here, when there is room for it. Whoever was let through before has failed.
    fn admit<'g>(&'g self, name: &'g str) -> Pending<'g, Result<(), ModelError>>;
}

/// Lets everybody through.
pub(super) struct Open;

impl Gate for Open {
    fn admit<'g>(&'g self, _: &'g str) -> Pending<'g, Result<(), ModelError>> {
        Box::pin(std::future::ready(Ok(())))
    }
}
