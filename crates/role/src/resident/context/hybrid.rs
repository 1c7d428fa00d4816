//! The sliding window, and a summary of what lies before it that is made anew from time to time.
//!
//! A summary stands for the messages up to a place; it is recorded, so that a replay asks nobody. The next one is made
//! of it and of what was said since.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compressed::{Compressed, Compressor};
use super::message::ContextMessage;
use super::summarizing::most_summary_tokens;
use super::summary;
use super::token::TokenCounter;
use super::unit::{Selection, newest_first, units};
use super::window::SlidingWindow;
use super::zoned::part;
use crate::prompt::{BadAnswer, RolePrompt};
use annals_kernel::share::Share;

/// What is left out without a summary may come to this part of the budget, before a new one is wanted.
const UNTOLD_SHARE: Share = Share::thousandths(250);

/// A summary, and how far it goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedSummary {
    /// It stands for the messages before this place.
    pub upto: usize,
    /// What it says.
    pub text: String,
}

/// A summary that is wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryWanted {
    /// What to ask.
    pub prompt: RolePrompt,
    /// How far the answer will go.
    pub upto: usize,
}

/// Window and summary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HybridCompressor {
    /// The last summary that was recorded.
    pub recorded: Option<RecordedSummary>,
}

impl HybridCompressor {
    /// Whether a new summary is due, and what to ask for it.
    pub fn wanted(
        &self,
        messages: &[ContextMessage],
        budget_tokens: u64,
        counter: &dyn TokenCounter,
        bad: Option<&BadAnswer>,
    ) -> Option<SummaryWanted> {
        let from = self.told_upto(messages).max(1);
        let given = self.compress(messages, budget_tokens, counter);
        let is_out = |place: &usize| given.kept.binary_search(place).is_err();
        let untold: Vec<usize> = (from..messages.len()).filter(is_out).collect();
        let tokens = untold.iter().map(|place| counter.message(&messages[*place])).fold(0, u64::saturating_add);
        if untold.is_empty() || tokens < part(budget_tokens, UNTOLD_SHARE) {
            return None;
        }
        let upto = untold.last().map_or(from, |last| last + 1);
        let told: Vec<_> = messages[from..upto].iter().collect();
        let before = self.recorded.as_ref().map(|recorded| recorded.text.as_str());
        Some(SummaryWanted { prompt: summary::ask(before, &told, most_summary_tokens(budget_tokens), bad), upto })
    }

    fn told_upto(&self, messages: &[ContextMessage]) -> usize {
        self.recorded.as_ref().map_or(0, |recorded| recorded.upto).min(messages.len())
    }
}

impl Compressor for HybridCompressor {
    fn compress(&self, messages: &[ContextMessage], budget_tokens: u64, counter: &dyn TokenCounter) -> Compressed {
        let window = SlidingWindow.compress(messages, budget_tokens, counter);
        let Some(recorded) = self.recorded.as_ref().filter(|_| window.dropped > 0) else { return window };
        let upto = self.told_upto(messages);
        let units = units(messages, counter);
        let mut selection = Selection::new(budget_tokens.saturating_sub(counter.text(&recorded.text)));
        if let Some(first) = units.iter().find(|unit| unit.is_first()) {
            selection.keep(first);
        }
        let untold = units.iter().filter(|unit| !unit.is_first() && unit.last() >= upto);
        for unit in newest_first(untold) {
            selection.try_keep(unit);
        }
        let told = Compressed::of(messages, &selection.places, counter).with_summary(&recorded.text, counter);
        if told.tokens_used > budget_tokens { window } else { told }
    }
}
