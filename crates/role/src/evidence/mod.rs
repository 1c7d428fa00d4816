//! What tools gave, as roles read it: cut, laid into a prompt, summed up in a line, and searched for a quote (artoo R3, R4a).
//!
//! A tool's output is the only truth about what was done, and it is hostile: it is shown as data and never believed to be
//! an instruction. Judges nothing.

pub mod absence;
pub mod brief;
pub mod call;
pub mod cut;
mod dressing;
pub mod fence;
pub mod figures;
pub mod looks;
pub mod own_words;
pub mod quote;
pub mod sentence;
pub mod speech;
#[cfg(test)]
mod tests;
pub mod transcript;

pub use call::{canonical_input, evidence, found_nothing, is_good, target, tool_use};
pub use cut::{first_chars, head_tail, one_line};
pub use fence::{fenced, plain};
pub use looks::is_effectful;
pub use quote::LiteralQuote;
pub use transcript::transcript;
