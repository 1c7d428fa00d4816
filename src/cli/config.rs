//! `annals config`: settings by key. A change goes into `config.toml` and into the log.
//!
//! What weakens holds only after the user entered it in this clone: `set` does, and `accept` takes it over from the file.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::config::{Accept, Change, Command as Decision};
use crate::engine::consent::{Held, Waiting};
use crate::engine::{Engine, settings};
use crate::kernel::id::{NO_SESSION, SessionId};
use crate::kernel::json::Json;
use crate::kernel::settings::AnySetting;
use crate::sanitizer::{Context, Source};

/// Commands about settings.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
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
    /// List settings, those that were changed first
    List {
        /// Only those whose keys begin so, such as sanity
        prefix: Option<String>,
    },
    /// Let hold what config.toml asks for and what weakens; without a key, show what that is
    Accept {
        /// Such as views.auto
        #[arg(conflicts_with = "all")]
        keys: Vec<String>,
        /// All that waits
        #[arg(long)]
        all: bool,
    },
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Get { key } => get(shell, &key),
        Command::Set { key, value, default: _ } => set(shell, &key, value.as_deref()),
        Command::List { prefix } => list(shell, prefix.as_deref().unwrap_or_default()),
        Command::Accept { keys, all } => accept(shell, &keys, if all { Chosen::All } else { Chosen::Named }),
    }
}

/// Which of the waiting values are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chosen {
    All,
    Named,
}

fn get(shell: &mut Shell, key: &str) -> Done {
    let engine = shell.engine()?;
    let setting = settings::find(key).map_err(|error| Usage(error.to_string()))?;
    let row = SettingRow::of(&engine, setting);
    if shell.wants_json() {
        shell.out.answer(&row)?;
    } else {
        shell.out.line(plain(&row.value))?;
    }
    say_waiting(shell, &engine, |waiting| waiting == key)?;
    Ok(CommandOutcome::Done)
}

/// A setting, as it is listed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SettingRow {
    key: &'static str,
    value: Value,
    /// `set` or `default`.
    from: &'static str,
    meaning: &'static str,
}

/// Settings, as they are listed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SettingRows {
    settings: Vec<SettingRow>,
}

/// Values that config.toml asks for and that do not hold.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct NotInForce<'n> {
    waiting: &'n [Waiting],
}

impl SettingRow {
    fn of(engine: &Engine, setting: &'static dyn AnySetting) -> Self {
        let stored = engine.settings().stored(setting.key()).cloned();
        let from = if stored.is_some() { "set" } else { "default" };
        let value = stored.unwrap_or_else(|| setting.default_value());
        Self { key: setting.key(), value, from, meaning: setting.meaning() }
    }

    fn cells(&self, entered: &[Held]) -> Vec<String> {
        let is_entered = entered.iter().any(|held| held.key == self.key);
        let from = match self.from {
            "set" if is_entered => "entered here",
            "set" => "config.toml",
            default => default,
        };
        vec![self.key.to_owned(), self.value.to_string(), from.to_owned(), self.meaning.to_owned()]
    }
}

/// What the file asks for and does not hold.
pub(super) fn not_in_force(waiting: &Waiting) -> String {
    let Waiting { key, asked, holds: _ } = waiting;
    format!("config.toml asks for {key} = {asked}; not in force: `annals config accept {key}`")
}

fn say_waiting(shell: &mut Shell, engine: &Engine, is_meant: impl Fn(&str) -> bool) -> std::io::Result<()> {
    for waiting in engine.waiting_settings().iter().filter(|waiting| is_meant(waiting.key)) {
        shell.out.say(not_in_force(waiting))?;
    }
    Ok(())
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
    require_no_secret(&engine, key, value.as_ref())?;
    let path = engine.place().context().join("config.toml");
    // Before it is decided: a file that cannot be changed would leave log and file with different values.
    settings::require_toml(&**engine.disk(), &path)?;
    let values = BTreeMap::from([(Box::from(key), value.clone())]);
    let by = shell.by(&SessionId::from(NO_SESSION));
    let decide = |decision: Decision| engine.decide(decision, &Json::empty_object(), &by);
    let mut answer = decide(Change { values: values.clone() }.into())?;
    // The log may have it from another clone, and then it does not hold here.
    let is_entered = engine.entered_here(setting, value.as_ref());
    if answer.refusal.as_ref().is_some_and(|refusal| &*refusal.rule == "config.nothing_to_change") && !is_entered {
        answer = decide(Accept { values }.into())?;
    }
    if answer.refusal.is_none() {
        settings::store(&**engine.disk(), &path, key, value.as_ref())?;
    }
    let shown = value.unwrap_or_else(|| setting.default_value());
    shell.report(&answer, |out| out.line(format_args!("{key} = {}", plain(&shown))))
}

/// A setting with a secret taken out of it would mean something else, and config.toml goes with the project.
fn require_no_secret(engine: &Engine, key: &str, value: Option<&Value>) -> Result<(), Usage> {
    let text = value.map(Value::to_string).unwrap_or_default();
    let cleaned = engine.sanitizer().sanitize_json(&text, &Context::of(Source::History));
    let found = cleaned.findings.first();
    found.map_or(Ok(()), |found| {
        Err(Usage(format!(
            "{key}: the value holds what looks like a secret ({}), and config.toml goes with the project; nothing is set",
            found.rule
        )))
    })
}

fn list(shell: &mut Shell, prefix: &str) -> Done {
    let engine = shell.engine()?;
    let meant = settings::all().iter().copied().filter(|setting| setting.key().starts_with(prefix));
    let mut rows: Vec<_> = meant.map(|setting| SettingRow::of(&engine, setting)).collect();
    if rows.is_empty() {
        return Err(Usage(format!("no setting begins with {prefix}; `annals config list` has them all")).into());
    }
    rows.sort_by_key(|row| row.from == "default");
    if shell.wants_json() {
        shell.out.answer(&SettingRows { settings: rows })?;
    } else {
        let entered = engine.held_settings()?.entered;
        let cells: Vec<_> = rows.iter().map(|row| row.cells(&entered)).collect();
        shell.out.table(&[Key("key"), Text("value"), Goes(1, "from"), Text("meaning")], &cells)?;
    }
    say_waiting(shell, &engine, |key| key.starts_with(prefix))?;
    Ok(CommandOutcome::Done)
}

fn accept(shell: &mut Shell, keys: &[String], chosen: Chosen) -> Done {
    for key in keys {
        settings::find(key).map_err(|error| Usage(error.to_string()))?;
    }
    let engine = shell.engine()?;
    let waiting = engine.waiting_settings();
    let is_meant = |waiting: &&Waiting| chosen == Chosen::All || keys.iter().any(|key| key == waiting.key);
    let meant: Vec<_> = waiting.iter().filter(is_meant).collect();
    for key in keys.iter().filter(|key| waiting.iter().all(|waiting| waiting.key != key.as_str())) {
        shell.out.say(format_args!("{key} does not wait"))?;
    }
    if meant.is_empty() {
        return show_waiting(shell, &waiting);
    }
    let stored = |waiting: &&Waiting| (waiting.key.into(), engine.file_settings().stored(waiting.key).cloned());
    let values = meant.iter().map(stored).collect();
    let by = shell.by(&SessionId::from(NO_SESSION));
    let answer = engine.decide(Decision::from(Accept { values }), &Json::empty_object(), &by)?;
    shell.report(&answer, |out| {
        meant.iter().try_for_each(|waiting| out.line(format_args!("{} = {}", waiting.key, plain(&waiting.asked))))
    })
}

/// What the file asks for, what holds instead, and what the setting does.
fn show_waiting(shell: &mut Shell, waiting: &[Waiting]) -> Done {
    if shell.wants_json() {
        shell.out.answer(&NotInForce { waiting })?;
        return Ok(CommandOutcome::Done);
    }
    let meaning = |key: &str| settings::find(key).map(AnySetting::meaning).unwrap_or_default();
    let row = |Waiting { key, asked, holds }: &Waiting| {
        vec![(*key).to_owned(), asked.to_string(), holds.to_string(), meaning(key).to_owned()]
    };
    let rows: Vec<_> = waiting.iter().map(row).collect();
    shell.out.table(&[Key("key"), Text("config.toml"), Text("in force"), Text("meaning")], &rows)?;
    if !waiting.is_empty() {
        shell.out.say("`annals config accept KEY` lets one hold in this clone, `--all` all of them")?;
    }
    Ok(CommandOutcome::Done)
}
