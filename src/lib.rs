//! Annals: append-only records of what AI agents do in a project.
//!
//! The map of the house, from the pure middle to the edges; `docs/ARCHITECTURE.md` walks through it. Each room below `view`
//! is a crate of its own (`crates/`), so that the compiler guards which may know which.

pub use annals_act as act;
pub use annals_analysis as analysis;
pub use annals_blame as blame;
pub use annals_engine as engine;
pub use annals_import as import;
pub use annals_kernel as kernel;
pub use annals_log as log;
pub use annals_role as role;
pub use annals_rules::{domain, policy, world};
pub use annals_sanitizer as sanitizer;
pub use annals_search as search;

pub mod cli;
pub mod hook;
#[cfg(test)]
mod testing;
pub mod tool;
pub mod view;

/// What the README says is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
