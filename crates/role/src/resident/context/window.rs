//! The first message, and the newest ones that fit (Galatea, track 4, `SlidingWindowCompressor`).
//!
//! One that does not fit is passed over, and an older one that does is kept: so the source's formula has it.

use super::compressed::{Compressed, Compressor};
use super::message::ContextMessage;
use super::token::TokenCounter;
use super::unit::{Selection, newest_first, units};

/// The sliding window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SlidingWindow;

impl Compressor for SlidingWindow {
    fn compress(&self, messages: &[ContextMessage], budget_tokens: u64, counter: &dyn TokenCounter) -> Compressed {
        let units = units(messages, counter);
        let mut selection = Selection::new(budget_tokens);
        if let Some(first) = units.iter().find(|unit| unit.is_first()) {
            selection.keep(first);
        }
        for unit in newest_first(units.iter().filter(|unit| !unit.is_first())) {
            selection.try_keep(unit);
        }
        Compressed::of(messages, &selection.places, counter)
    }
}
