//! What tokens cost, by the names that models go by here.
//!
//! Holds no prices by itself: they change, and a person writes them down.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Spending;
use crate::answer::RawAnswer;

/// What tokens of a model cost, in billionths of a dollar: one is a thousandth of a dollar for a million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// A token of a question.
    pub nano_usd_in: u64,
    /// A token of an answer.
    pub nano_usd_out: u64,
}

/// What tokens cost, model by model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceTable(BTreeMap<String, Price>);

/// Nothing says what a model costs, so money cannot be kept within a limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("no price is known for {model}: write `price_in` and `price_out` into [models.{model}]")]
pub struct NoPrice {
    /// As it is called here.
    pub model: String,
}

impl FromIterator<(String, Price)> for PriceTable {
    fn from_iter<I: IntoIterator<Item = (String, Price)>>(prices: I) -> Self {
        Self(prices.into_iter().collect())
    }
}

impl PriceTable {
    /// A model's price.
    pub fn require(&self, model: &str) -> Result<Price, NoPrice> {
        self.0.get(model).copied().ok_or_else(|| NoPrice { model: model.to_owned() })
    }

    /// What an answer used up. The backend's own figure counts before the table; without either, money is not counted.
    pub fn of_answer(&self, model: &str, answer: &RawAnswer, ms: u64) -> Spending {
        let (tokens_in, tokens_out) = (answer.tokens_in.unwrap_or(0), answer.tokens_out.unwrap_or(0));
        let price = self.0.get(model).copied().unwrap_or_default();
        let nano_usd = answer.nano_usd.unwrap_or_else(|| price.of(tokens_in, tokens_out));
        Spending { tokens: tokens_in.saturating_add(tokens_out), nano_usd, ms }
    }
}

impl Price {
    /// What a question and its answer cost.
    pub fn of(self, tokens_in: u64, tokens_out: u64) -> u64 {
        self.nano_usd_in.saturating_mul(tokens_in).saturating_add(self.nano_usd_out.saturating_mul(tokens_out))
    }
}
