//! `annals config`: settings by key. A change goes into `config.toml` and into the log.

use std::collections::BTreeMap;

use serde_json::Value;

use super::shell::{Done, Outcome, Shell, Usage};
use crate::domain::config::{Change, Command as Decision};
use crate::engine::settings;
use crate::kernel::id::{NO_SESSION, SessionId};
use crate::kernel::json::Json;

/// Commands about settings.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Print a value
    Get {
        /// Such as history.rotation
        key: String,
    },
    /// Change a value
    Set {
        /// Such as history.rotation
        key: String,
        /// JSON, or a word
        #[arg(required_unless_present = "default")]
        value: Option<String>,
        /// Go back to the default
        #[arg(long, conflicts_with = "value")]
        default: bool,
    },
    /// List every setting
    List,
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Get { key } => get(shell, &key),
        Command::Set { key, value, default: _ } => set(shell, &key, value.as_deref()),
        Command::List => list(shell),
    }
}

fn get(shell: &mut Shell, key: &str) -> Done {
    let engine = shell.engine()?;
    let setting = settings::find(key).map_err(|error| Usage(error.to_string()))?;
    let value = engine.settings().stored(key).cloned().unwrap_or_else(|| setting.default_value());
    shell.out.line(plain(&value))?;
    Ok(Outcome::Done)
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn set(shell: &mut Shell, key: &str, text: Option<&str>) -> Done {
    let setting = settings::find(key).map_err(|error| Usage(error.to_string()))?;
    let value = text.map(|text| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)));
    if let Some(value) = &value {
        setting.check(value).map_err(|error| Usage(error.to_string()))?;
    }
    let engine = shell.engine()?;
    let values = BTreeMap::from([(Box::from(key), value.clone())]);
    let by = shell.by(&SessionId::from(NO_SESSION));
    let answer = engine.decide(Decision::from(Change { values }), &Json::empty_object(), &by)?;
    if answer.refusal.is_none() {
        let path = engine.place().context().join("config.toml");
        settings::store(&**engine.disk(), &path, key, value.as_ref())?;
    }
    let shown = value.unwrap_or_else(|| setting.default_value());
    shell.report(&answer, |out| out.line(format_args!("{key} = {}", plain(&shown))))
}

fn list(shell: &mut Shell) -> Done {
    let engine = shell.engine()?;
    let mut rows = Vec::new();
    for setting in settings::all() {
        let stored = engine.settings().stored(setting.key());
        let value = stored.cloned().unwrap_or_else(|| setting.default_value());
        let origin = if stored.is_some() { "set" } else { "default" };
        rows.push(vec![setting.key().to_owned(), value.to_string(), origin.to_owned(), setting.meaning().to_owned()]);
    }
    shell.out.table(&["key", "value", "from", "meaning"], &rows)?;
    Ok(Outcome::Done)
}
