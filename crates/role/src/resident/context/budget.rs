//! How much of a model's context a history may take (Galatea, track 4, "Config").

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::share::Share;
pub use annals_rules::domain::resident::CompressionStrategy;

/// `context.compression` of the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CompressionSettings {
    /// How.
    pub strategy: CompressionStrategy,
    /// So many characters are a token, where the model's tokens are not known.
    pub chars_per_token: u32,
    /// What is left for the answer.
    pub reserve_ratio: Share,
    /// The context of each model, in tokens.
    pub model_budgets: BTreeMap<String, u64>,
    /// That of any other.
    pub default_budget: u64,
}

impl Default for CompressionSettings {
    fn default() -> Self {
        let budgets = [("glm-4.7-flash:latest", 8_192), ("gpt-oss:latest", 8_192), ("sonnet", 200_000)];
        Self {
            strategy: CompressionStrategy::default(),
            chars_per_token: 4,
            reserve_ratio: Share::thousandths(100),
            model_budgets: budgets.into_iter().map(|(model, budget)| (model.to_owned(), budget)).collect(),
            default_budget: 8_192,
        }
    }
}

impl CompressionSettings {
    /// What a whole prompt may take: what is configured, and no more than a model that can look at so many tokens holds beside
    /// its answer. The reserve is for what the count is wrong by, there.
    pub fn prompt_budget(&self, model: &str, context: Option<u32>, answer_tokens: u32) -> u64 {
        let held = context.map(|context| u64::from(context.saturating_sub(answer_tokens)));
        held.map_or(u64::MAX, |held| self.unreserved(held)).min(self.history_budget(model, 0))
    }

    /// What the history may take beside the system prompt and the answer; the reserve is rounded up.
    pub fn history_budget(&self, model: &str, system_tokens: u64) -> u64 {
        let total = self.model_budgets.get(model).copied().unwrap_or(self.default_budget);
        self.unreserved(total).saturating_sub(system_tokens)
    }

    fn unreserved(&self, total: u64) -> u64 {
        let reserve = total.saturating_mul(u64::from(self.reserve_ratio.in_thousandths())).div_ceil(1000);
        total.saturating_sub(reserve)
    }
}
