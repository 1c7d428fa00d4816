//! Annals: append-only records of what AI agents do in a project.
//!
//! The map of the house, from the pure middle to the edges; `docs/ARCHITECTURE.md` walks through it.

pub mod analysis;
pub mod cli;
pub mod domain;
pub mod engine;
pub mod hook;
pub mod import;
pub mod kernel;
pub mod log;
pub mod policy;
pub mod sanitizer;
pub mod tool;
pub mod view;
pub mod world;

/// What the README says is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
