//! The newest messages that fit, and a summary of the others.
//!
//! Where no summary was given, or it does not fit, this is the sliding window.

use super::compressed::{Compressed, Compressor};
use super::message::ContextMessage;
use super::summary;
use super::token::TokenCounter;
use super::window::SlidingWindow;
use super::zoned::part;
use crate::prompt::{BadAnswer, RolePrompt};
use annals_kernel::share::Share;

/// A summary takes this part of a budget.
const SUMMARY_SHARE: Share = Share::thousandths(150);

/// And no more tokens than this.
const MOST_SUMMARY_TOKENS: u32 = 2_000;

/// The newest, and a summary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SummarizingCompressor {
    /// What a model made of what is left out (`read_summary`); none where none was asked, or none came.
    pub summary: Option<String>,
}

impl SummarizingCompressor {
    /// What to ask; none where everything fits.
    pub fn question(
        &self,
        messages: &[ContextMessage],
        budget_tokens: u64,
        counter: &dyn TokenCounter,
        bad: Option<&BadAnswer>,
    ) -> Option<RolePrompt> {
        let whole = SlidingWindow.compress(messages, budget_tokens, counter);
        if whole.dropped == 0 {
            return None;
        }
        let most = most_summary_tokens(budget_tokens);
        let left = SlidingWindow.compress(messages, budget_tokens.saturating_sub(u64::from(most)), counter);
        let is_out = |place: &usize| left.kept.binary_search(place).is_err();
        let out: Vec<_> = (0..messages.len()).filter(is_out).map(|place| &messages[place]).collect();
        Some(summary::ask(None, &out, most, bad))
    }
}

impl Compressor for SummarizingCompressor {
    fn compress(&self, messages: &[ContextMessage], budget_tokens: u64, counter: &dyn TokenCounter) -> Compressed {
        let whole = SlidingWindow.compress(messages, budget_tokens, counter);
        let Some(summary) = self.summary.as_deref().filter(|_| whole.dropped > 0) else { return whole };
        let left = budget_tokens.saturating_sub(counter.text(summary));
        let shortened = SlidingWindow.compress(messages, left, counter).with_summary(summary, counter);
        if shortened.tokens_used > budget_tokens { whole } else { shortened }
    }
}

/// So long a summary may be: what `question` asks for, and what `read_summary` is to be told.
pub fn most_summary_tokens(budget_tokens: u64) -> u32 {
    u32::try_from(part(budget_tokens, SUMMARY_SHARE)).unwrap_or(u32::MAX).clamp(1, MOST_SUMMARY_TOKENS)
}
