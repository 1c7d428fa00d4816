//! `annals model check`: whether models would answer, and else what to do. Asks servers what they have, and no question.

use serde::Serialize;

use super::say_how;
use crate::cli::models::{config, models, rules, runtime};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::cli::table::Column::{Key, Text};

/// Arguments of `annals model check`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// One of them, by its name [default: all]
    name: Option<String>,
}

/// How one stands.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CheckedModel {
    name: String,
    is_ready: bool,
    /// `ready`, or what is wrong and what to do.
    says: String,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct CheckedModels {
    models: Vec<CheckedModel>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let models = models(shell, config(shell)?, rules(shell)?)?;
    let names: Vec<_> = match &arguments.name {
        Some(name) => vec![name.as_str()],
        None => models.config().named.keys().map(String::as_str).collect(),
    };
    let runtime = runtime()?;
    let mut rows = Vec::new();
    for name in names {
        if let Some(unusable) = models.unusable().iter().find(|unusable| unusable.name == name) {
            rows.push(CheckedModel { name: name.to_owned(), is_ready: false, says: unusable.error.to_string() });
            continue;
        }
        let unknown = || Usage(format!("no model goes by the name {name}; `annals model list` shows those there are"));
        let found = runtime.block_on(models.check(name)).ok_or_else(unknown)?;
        rows.push(CheckedModel { name: name.to_owned(), is_ready: found.is_ready(), says: found.to_string() });
    }
    let is_ready = rows.iter().all(|row| row.is_ready);
    if shell.wants_json() {
        shell.out.answer(&CheckedModels { models: rows })?;
    } else {
        let cells: Vec<_> = rows.iter().map(|row| vec![row.name.clone(), row.says.clone()]).collect();
        shell.out.table(&[Key("name"), Text("says")], &cells)?;
        if rows.is_empty() {
            say_how(shell)?;
        }
    }
    Ok(if is_ready { CommandOutcome::Done } else { CommandOutcome::Refused })
}
