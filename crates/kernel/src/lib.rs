//! The words that everyone speaks. Pure: no clock, no file, no chance, and no knowledge of any room.

// `words!` names it by this path, here as in the crates that use it.
extern crate self as annals_kernel;

#[doc(hidden)]
pub use schemars;

pub mod actor;
pub mod annals;
pub mod base64;
pub mod call;
pub mod counted;
pub mod credits;
pub mod cut;
pub mod decision;
pub mod entry;
pub mod envelope;
pub mod fade;
pub mod fingerprint;
pub mod fold;
pub mod grounding;
pub mod grounds;
pub mod grown;
pub mod id;
pub mod joined;
pub mod json;
pub mod lookalike;
pub mod mix;
pub mod model_word;
pub mod own_words;
pub mod pattern;
pub mod period;
pub mod record;
pub mod refusal;
pub mod report;
pub mod rows;
pub mod script;
pub mod settings;
pub mod share;
pub mod signed;
pub mod ssh;
pub mod stem;
pub mod time;
pub mod unchecked;
pub mod whole;
pub mod wire;
