//! Models that may be asked: by purpose, sanitized, within limits, and never before a person configured one.
//!
//! # The way of a question
//! A role writes a [`GenerateRequest`]. [`Models::ask`] chooses who is asked ([`Purpose`], `[models.purposes]`), lets
//! the [`Sanitizer`] make a [`CleanRequest`] of it, waits for its turn, asks the backend, asks again where that is of
//! use, turns to the stand-in where the first fails or is slow, and gives a [`RawAnswer`] with all that failed before.
//! The caller records that before anybody parses it.
//!
//! # The map
//! | module | what |
//! |---|---|
//! | `purpose` | what models are asked for, and whom that may ask |
//! | `request`, `answer` | question and answer, as data |
//! | `model` | what each backend can do |
//! | `failure`, `availability` | why there is no answer, and what to do about it |
//! | `clean` | the one door through which texts leave |
//! | `surroundings`, `cancel` | time, chance, environment; a caller's word that it is over |
//! | `config` | `[models]` |
//! | `models` | choice, turns, retries, deadlines, stand-in |
//! | `budget` | tokens, money and time, by task and day; what calls on their way hold of it |
//! | `backend` | those who answer |
//! | `wire` | HTTP, lines and events within limits |
//!
//! # Invariants
//! - No text reaches a backend unsanitized: only a [`Sanitizer`] makes what they take.
//! - No key is held: it is read from its variable when it is sent, and redirects are not followed.
//! - `emotional` and `documentation` reach no model in the cloud.
//! - Dropping a call ends it: connections are closed, process groups killed.
//! - Nothing here reads a clock, a variable or chance but through [`Surroundings`].
//!
//! It runs on a tokio runtime with I/O and time.

pub mod purpose;

pub mod answer;
pub mod request;

pub mod model;

pub mod availability;
pub mod failure;

pub mod clean;

pub mod cancel;
pub mod surroundings;

pub mod config;

pub mod models;

pub mod budget;

mod backend;
mod wire;

#[cfg(test)]
mod testing;

pub use answer::{Finish, RawAnswer, Vectors};
pub use availability::Availability;
pub use backend::recorded::{Recorded, Recordings};
pub use backend::scripted::Scripted;
pub use budget::{Budget, BudgetLimits, Ceiling, Hold, NoPrice, OverBudget, Price, PriceTable, Purse, Spending};
pub use cancel::Cancel;
pub use clean::{CleanRequest, CleanTexts, Sanitizer};
pub use config::{BackendKind, BadModel, BadModels, ModelConfig, ModelsConfig, SchemaMode, ThinkOff};
pub use failure::ModelError;
pub use model::{Delta, Deltas, Model, Pending};
pub use models::{AskError, Asked, Attempt, Chosen, Embedded, Gate, Models, NoModel, Retry, Unasked, Unusable};
pub use purpose::{Audience, Place, Purpose};
pub use request::{GenerateRequest, Speaker, Turn};
pub use surroundings::{Surroundings, Waiting};
pub use wire::address::BadAddress;
