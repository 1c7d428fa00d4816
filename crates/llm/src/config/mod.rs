//! Which models a person has, and which serves what (AFS 5.5 and 13.5; decision 37): `[models]` of the configuration.
//!
//! Names no model by itself: nothing is asked before a person wrote one down. Does not read files.

pub mod kind;
pub mod model;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use kind::{BackendKind, SchemaMode, ThinkOff};
pub use model::{BadModel, ModelConfig};

use crate::budget::{BudgetLimits, NoPrice, Price, PriceTable, Spending};
use crate::purpose::Purpose;
use crate::request::GenerateRequest;

/// `[models]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct ModelsConfig {
    /// What serves a purpose that names none.
    pub default: Option<String>,
    /// What is asked where the first one fails or is slow.
    pub fallback: Option<String>,
    /// How long the first byte may take before that (AFS 5.5).
    pub fallback_delay_ms: u64,
    /// Whether that one may be in the cloud (AFS 5.5).
    pub fallback_to_cloud: bool,
    /// What serves a purpose.
    pub purposes: BTreeMap<Purpose, String>,
    /// What may be spent.
    pub budget: BudgetLimits,
    /// The models by the names they go by here: each other table of `[models]`.
    #[serde(flatten)]
    pub named: BTreeMap<String, ModelConfig>,
}

/// Why `[models]` cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadModels {
    /// It is neither a setting nor a table of a model.
    #[error("`{name}` under [models] is no setting, and no model: a model is a table, [models.{name}]")]
    Neither {
        /// As it is called.
        name: String,
    },
    /// It has a setting that cannot be read.
    #[error("`{name}` under [models]: {reason}")]
    Setting {
        /// As it is called.
        name: String,
        /// Why.
        reason: String,
    },
}

/// The settings without the models.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    default: Option<String>,
    fallback: Option<String>,
    fallback_delay_ms: u64,
    fallback_to_cloud: bool,
    purposes: BTreeMap<Purpose, String>,
    budget: BudgetLimits,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            default: None,
            fallback: None,
            fallback_delay_ms: 5_000,
            fallback_to_cloud: true,
            purposes: BTreeMap::new(),
            budget: BudgetLimits::default(),
        }
    }
}

impl Settings {
    const NAMES: &[&str] = &["default", "fallback", "fallback_delay_ms", "fallback_to_cloud", "purposes", "budget"];
}

impl Default for ModelsConfig {
    fn default() -> Self {
        Self::of(Settings::default(), BTreeMap::new())
    }
}

impl ModelsConfig {
    /// What tokens cost, by the models' names here. Local models cost nothing unless a price is written down.
    pub fn prices(&self) -> PriceTable {
        self.named.iter().filter_map(|(name, model)| Some((name.clone(), model.price()?))).collect()
    }

    /// The most that a question may use up, as far as that can be said before it is asked. A price is needed where
    /// money is limited.
    pub fn most_spending(&self, name: &str, request: &GenerateRequest) -> Result<Spending, NoPrice> {
        let tokens_in = request.estimated_tokens();
        let Some(model) = self.named.get(name) else {
            // A script beside the configuration costs nothing, and may say as much as it is asked for.
            let tokens = tokens_in.saturating_add(u64::from(request.max_tokens));
            return Ok(Spending { tokens, ..Spending::default() });
        };
        let tokens_out = u64::from(model.most_tokens(request));
        let is_money_limited = [self.budget.task, self.budget.day].iter().any(|ceiling| ceiling.cents.is_some());
        let price = if is_money_limited { self.prices().require(name)? } else { Price::default() };
        Ok(Spending { tokens: tokens_in.saturating_add(tokens_out), nano_usd: price.of(tokens_in, tokens_out), ms: 0 })
    }

    fn of(settings: Settings, named: BTreeMap<String, ModelConfig>) -> Self {
        let Settings { default, fallback, fallback_delay_ms, fallback_to_cloud, purposes, budget } = settings;
        Self { default, fallback, fallback_delay_ms, fallback_to_cloud, purposes, budget, named }
    }
}

impl TryFrom<Map<String, Value>> for ModelsConfig {
    type Error = BadModels;

    fn try_from(members: Map<String, Value>) -> Result<Self, BadModels> {
        let (settings, models): (Map<_, _>, Map<_, _>) =
            members.into_iter().partition(|(name, _)| Settings::NAMES.contains(&name.as_str()));
        let settings = serde_json::from_value(Value::Object(settings))
            .map_err(|error| BadModels::Setting { name: "settings".to_owned(), reason: error.to_string() })?;
        Ok(Self::of(settings, models.into_iter().map(|(name, value)| named(name, value)).collect::<Result<_, _>>()?))
    }
}

fn named(name: String, value: Value) -> Result<(String, ModelConfig), BadModels> {
    if !value.is_object() {
        return Err(BadModels::Neither { name });
    }
    match serde_json::from_value(value) {
        Ok(model) => Ok((name, model)),
        Err(error) => Err(BadModels::Setting { name, reason: error.to_string() }),
    }
}
