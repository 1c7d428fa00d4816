//! The rules: rooms, the policies that join them, the roles of the control loop, and the world that rooms make of the log.
//!
//! Pure: no clock, no file, no environment, no chance, and no sentence for people.

pub mod domain;
pub mod policy;
pub mod world;
