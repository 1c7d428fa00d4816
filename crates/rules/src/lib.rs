//! The rules: rooms, the policies that join them, and the world that they make of the log.
//!
//! Pure: no clock, no file, no environment, no chance, and no sentence for people.

pub mod domain;
pub mod policy;
pub mod world;
