//! The words that everyone speaks. Pure: no clock, no file, no chance, and no knowledge of any room.

pub mod id;
pub mod time;
pub mod json;
pub mod annals;
pub mod entry;
pub mod envelope;
pub mod wire;
pub mod decision;
pub mod settings;
pub mod rows;
