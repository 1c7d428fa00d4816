//! Which models answer a command: those that the person wrote down, by purpose; one of them by its name; or a script.
//!
//! Asks nobody.

use std::collections::BTreeMap;
use std::sync::Arc;

use annals_llm::{Models, ModelsConfig, Purpose, Scripted};

use super::{BudgetedModels, config, models};
use crate::cli::shell::{Shell, Usage};
use crate::sanitizer::Sanitizer;

/// How a script is named.
const SCRIPTED: &str = "scripted:";

/// The models that answer a command.
pub(in crate::cli) struct WantedModels {
    /// All that may be asked.
    pub models: Models,
    /// The script, where there is one.
    pub script: Option<Arc<Scripted>>,
}

impl WantedModels {
    /// Those that are wanted: nothing is every purpose's own.
    pub(in crate::cli) fn of(shell: &Shell, wanted: Option<&str>, rules: &Sanitizer) -> anyhow::Result<Self> {
        let own = config(shell)?;
        let Some(file) = wanted.and_then(|name| name.strip_prefix(SCRIPTED)) else {
            let config = match wanted {
                Some(name) => alone(own, name)?,
                None => own,
            };
            return Ok(Self { models: models(shell, config, rules.clone())?, script: None });
        };
        let name = wanted.unwrap_or_default();
        let path = shell.environment.directory.join(file);
        let script = Scripted::open(name, &path.to_string_lossy()).map_err(|error| Usage(error.to_string()))?;
        let script = Arc::new(script);
        let config = ModelsConfig { default: Some(name.to_owned()), budget: own.budget, ..ModelsConfig::default() };
        let models = models(shell, config, rules.clone())?.with(Arc::clone(&script) as Arc<_>, 0);
        Ok(Self { models, script: Some(script) })
    }
}

impl WantedModels {
    /// Those that are wanted, where one of them serves a purpose; that none does is said before anything begins.
    pub(in crate::cli) fn serving(
        shell: &Shell,
        wanted: Option<&str>,
        rules: &Sanitizer,
        purpose: Purpose,
    ) -> anyhow::Result<BudgetedModels> {
        let models = Self::of(shell, wanted, rules)?.models;
        models.chosen(purpose).map_err(|error| {
            Usage(format!("{error}; `annals model list` shows where, and --model scripted:FILE needs none"))
        })?;
        BudgetedModels::of(shell, models)
    }
}

/// One model for all; nobody stands in for it.
fn alone(own: ModelsConfig, name: &str) -> anyhow::Result<ModelsConfig> {
    if !own.named.contains_key(name) {
        let words = format!("--model {name}: no model goes by that name; `annals model list` shows those there are");
        return Err(Usage(format!("{words}, and {SCRIPTED}FILE answers from a file")).into());
    }
    Ok(ModelsConfig { default: Some(name.to_owned()), fallback: None, purposes: BTreeMap::new(), ..own })
}
