//! `annals model list`: the models that the person wrote down, where each thinks, and what it is asked for. Asks nobody.

use annals_llm::{BackendKind, ModelConfig, ModelsConfig, Place, Purpose};
use serde::Serialize;

use super::say_how;
use crate::cli::models::{config, models, rules};
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Goes, Key, Text};

/// A model, as it is listed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ModelRow {
    name: String,
    #[cfg_attr(test, schemars(with = "String"))]
    backend: BackendKind,
    model: Option<String>,
    /// Where it thinks: `local` or `cloud`.
    #[cfg_attr(test, schemars(with = "String"))]
    place: Place,
    context: Option<u32>,
    strength: u32,
    /// `default`, `fallback`, and purposes that name it.
    serves: Vec<String>,
    /// Why it cannot be asked, where it cannot.
    unusable: Option<String>,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ModelRows {
    models: Vec<ModelRow>,
}

pub(super) fn run(shell: &mut Shell) -> Done {
    let config = config(shell)?;
    // What cannot be used is said now, and not at the first question.
    let models = models(shell, config.clone(), rules(shell)?)?;
    let mut rows: Vec<_> = config.named.iter().map(|(name, model)| row(&config, name, model)).collect();
    for unusable in models.unusable() {
        let row = rows.iter_mut().find(|row| row.name == unusable.name);
        row.expect("BUG: it is one of them").unusable = Some(unusable.error.to_string());
    }
    if shell.wants_json() {
        shell.out.answer(&ModelRows { models: rows })?;
        return Ok(CommandOutcome::Done);
    }
    let columns = [Key("name"), Text("backend"), Text("model"), Text("place"), Goes(2, "strength"), Text("serves")];
    shell.out.table(&columns, &rows.iter().map(cells).collect::<Vec<_>>())?;
    for (row, why) in rows.iter().filter_map(|row| Some((row, row.unusable.as_ref()?))) {
        shell.out.say(format_args!("{} cannot be asked: {why}", row.name))?;
    }
    if rows.is_empty() {
        say_how(shell)?;
    }
    Ok(CommandOutcome::Done)
}

fn row(config: &ModelsConfig, name: &str, model: &ModelConfig) -> ModelRow {
    let is_this = |other: &Option<String>| other.as_deref() == Some(name);
    let standing = [("default", &config.default), ("fallback", &config.fallback)];
    let standing = standing.into_iter().filter(|(_, other)| is_this(other)).map(|(word, _)| word);
    let purposes =
        config.purposes.iter().filter(|(_, other)| *other == name).map(|(purpose, _)| Purpose::as_str(*purpose));
    ModelRow {
        name: name.to_owned(),
        backend: model.backend,
        model: model.model.clone(),
        place: model.place(),
        context: model.context,
        strength: model.strength,
        serves: standing.chain(purposes).map(str::to_owned).collect(),
        unusable: None,
    }
}

fn cells(row: &ModelRow) -> Vec<String> {
    vec![
        row.name.clone(),
        row.backend.to_string(),
        row.model.clone().unwrap_or_default(),
        row.place.to_string(),
        row.strength.to_string(),
        row.serves.join(", "),
    ]
}
