//! Three zones: what is pinned, what is recent without a gap, and of the middle what the person said before the rest.
//!
//! The recent zone ends with the first message that does not fit its share; what it leaves over is the middle's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compressed::{Compressed, Compressor};
use super::message::ContextMessage;
use super::token::TokenCounter;
use super::unit::{Fit, Selection, Unit, newest_first, units};
use annals_kernel::share::Share;

/// How what the pinned zone leaves is parted; the middle zone has the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ZoneShares {
    /// The recent zone's part.
    pub recent: Share,
}

impl Default for ZoneShares {
    fn default() -> Self {
        Self { recent: Share::thousandths(600) }
    }
}

/// The zones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ZonedCompressor {
    /// How large they are.
    pub shares: ZoneShares,
}

impl Compressor for ZonedCompressor {
    fn compress(&self, messages: &[ContextMessage], budget_tokens: u64, counter: &dyn TokenCounter) -> Compressed {
        let units = units(messages, counter);
        let (pinned, free): (Vec<&Unit>, Vec<&Unit>) =
            units.iter().partition(|unit| unit.is_first() || unit.is_pinned(messages));
        let mut selection = Selection::new(budget_tokens);
        for unit in pinned {
            selection.keep(unit);
        }
        let free = newest_first(free.into_iter());
        let left = budget_tokens.saturating_sub(selection.used);
        selection.budget = selection.used.saturating_add(part(left, self.shares.recent)).min(budget_tokens);
        let recent = free.iter().take_while(|unit| selection.try_keep(unit) == Fit::Kept).count();
        selection.budget = budget_tokens;
        let (said, others): (Vec<&Unit>, Vec<&Unit>) =
            free[recent..].iter().partition(|unit| unit.is_persons(messages));
        for unit in said.into_iter().chain(others) {
            selection.try_keep(unit);
        }
        Compressed::of(messages, &selection.places, counter)
    }
}

/// A part of so many, rounded down.
pub(super) fn part(of: u64, share: Share) -> u64 {
    of.saturating_mul(u64::from(share.in_thousandths())) / 1000
}
