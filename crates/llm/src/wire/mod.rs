//! How questions and answers travel: addresses, HTTP within limits, lines, events, and the answer they add up to.
//!
//! Knows no backend's words: those stand in `backend`.

pub mod address;
pub mod after;
pub mod draft;
pub mod gather;
pub mod http;
pub mod json;
pub mod lines;
pub mod schema;
pub mod sse;
pub mod trouble;

#[cfg(test)]
mod tests;

/// An answer that is longer is none.
pub const ANSWER_BYTES: usize = 8 * 1024 * 1024;
/// No event of an answer needs a longer line, except a whole answer in one.
pub const LINE_BYTES: usize = 1024 * 1024;
