//! What a model is asked outside of the loop, and what it says: votes, arguments, summaries, analyses, opinions, claims, advice.
//!
//! Pure: questions and their reading, side by side. Asks nobody and decides nothing: what was said is an observation, and
//! the rules decide. What cannot be read is no vote and no argument; nothing is made up in its place.

mod material;
mod member;
mod modes;
mod parts;
mod steps;

pub mod council;
pub mod dialectic;

pub mod analysis;
pub mod claims;
pub mod contradiction;
pub mod distil;
pub mod opinion;
pub mod summary;

use std::str::FromStr;

pub use material::{JudgedQuestion, Material};
pub use member::AskedMember;
pub use parts::{TextPart, TextParts};
pub use steps::{SessionStep, StepVoice};

use crate::prompt::BadAnswer;
use crate::reply::{NAME_CHARS, ReplyObject};
use annals_kernel::share::Share;

/// One of a few words, however its letters are written.
fn word<T: FromStr>(answer: &ReplyObject<'_>, field: &str, problem: &str) -> Result<T, BadAnswer> {
    let word = answer.text(field, NAME_CHARS)?;
    let spellings = [word.to_lowercase(), word.to_uppercase(), word];
    spellings.iter().find_map(|word| word.parse().ok()).ok_or_else(|| answer.bad(field, problem))
}

/// A share that has to be there: nobody knows what a vote without a weight should count (decision 20 has no default either).
fn share(answer: &ReplyObject<'_>, field: &str) -> Result<Share, BadAnswer> {
    let number = answer.number(field)?;
    Share::of(number).ok_or_else(|| answer.bad(field, "is not between 0 and 1"))
}
