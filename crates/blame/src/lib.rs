//! Blame: which call of an agent wrote which line of a file, as far as the record shows it.
//!
//! Pure. `deed` says what a call did to files, `model` follows the text of one file through these deeds, `history` goes from
//! version to version as git has them and gives each line to a call or to nobody. A line whose coming no call explains is
//! *unknown*: a person typed it, or a program whose effect is not recorded. Reads neither files nor git.

pub mod deed;
mod files;
mod fit;
mod guess;
pub mod history;
mod hunk;
mod island;
mod model;
mod output;
mod patch;
mod place;
mod script;
mod shell;
pub mod text;
mod tool;
mod ways;

#[cfg(test)]
mod tests;

pub use self::deed::{Deed, What};
pub use self::history::{Age, Blamed, History, Passed, Target, Version, ages, blame};
pub use self::text::Text;
