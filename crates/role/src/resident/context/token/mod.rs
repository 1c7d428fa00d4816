//! How many tokens a text is.
//!
//! `FourCharacters` is the source's rule. `TokenEstimate` knows the families of tokenizers and counts what they differ
//! by; where the tokenizer itself is at hand, it is another `TokenCounter`. Keeps no vocabulary.

pub mod cost;
pub mod counter;
pub mod english;
pub mod family;
pub mod feature;

pub use counter::{AsShown, FourCharacters, TokenCounter, TokenEstimate};
pub use family::TokenFamily;
