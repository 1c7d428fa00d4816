//! The roles of the control loop, as state machines over what is said between them (artoo R1 to R7).
//!
//! Pure: each takes in what it hears and says what it says. Sends nothing, asks no model, runs no tool.

pub mod ggs;
