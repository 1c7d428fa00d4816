//! Annals: append-only records of what AI agents do in a project.
//!
//! The map of the house, from the pure middle to the edges; `docs/ARCHITECTURE.md` walks through it.

pub mod import;
pub mod kernel;
pub mod sanitizer;
