//! Reading what a model answered: the JSON object in it and its members, or a verdict of one word.
//!
//! Models fence, quote, explain, think aloud, trail off, repeat themselves, refuse, and say nothing. What is read here is
//! well-formed and no more: the role that asked holds it against its own rules. Takes time in proportion to the answer, and
//! never fails otherwise than with a `BadAnswer`.

mod field;
mod grounded;
mod json;
mod object;
mod signs;
#[cfg(test)]
mod tests;
mod verdict;

pub use field::{BODY_CHARS, MOST_ITEMS, NAME_CHARS, ReplyObject, TEXT_CHARS, cleaned};
pub use grounded::{is_grounded, shares_a_word};
pub use object::{LOOKED_AT_BYTES, object};
pub use signs::is_endless;
pub use verdict::word;
