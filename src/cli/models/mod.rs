//! The models of the person: `[models]` of the person's own configuration, and what they need of this machine.
//!
//! Never of a project: a repository that somebody else wrote must not choose who is told what. Names no model by itself.

mod admitted;
mod budgeted;
mod day;
mod embedder;
mod heard;
mod judge;
mod judged;
mod spent;
mod switch;
mod told_file;
mod wanted;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use annals_llm::{Models, ModelsConfig, Sanitizer, Surroundings};
use anyhow::Context as _;
use serde::Deserialize;

pub(super) use self::budgeted::{BudgetedModels, request_of};
pub(super) use self::embedder::{EmbedPurpose, Embedder};
pub(super) use self::judge::{ByModel, Judge, Keeping, Unheard};
pub(super) use self::judged::{HeardWord, Judgements, by, unseen};
pub(super) use self::switch::TriggerSwitch;
pub(super) use self::told_file::may_be_told;
pub(super) use self::wanted::WantedModels;
use super::environment::Environment;
use super::shell::{Shell, Usage};
use crate::engine::clock::Clock;
use crate::kernel::time::Timestamp;
use crate::sanitizer::{self, Context, Source};

/// The person's configuration.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct PersonConfig {
    models: ModelsConfig,
    triggers: TriggerSwitch,
}

/// Where the person's configuration is.
pub(super) fn config_file(shell: &Shell) -> anyhow::Result<PathBuf> {
    let folder = shell.environment.config().context("there is no home for settings: set HOME or XDG_CONFIG_HOME")?;
    Ok(folder.join("annals/config.toml"))
}

/// What the person wrote down; nothing where there is no file.
fn person(shell: &Shell) -> anyhow::Result<PersonConfig> {
    let Ok(path) = config_file(shell) else { return Ok(PersonConfig::default()) }; // who has no home wrote none down
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(PersonConfig::default()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let read: Result<PersonConfig, _> = toml_edit::de::from_str(&text);
    Ok(read.map_err(|error| Usage(format!("{}: {error}", path.display())))?)
}

/// The models that the person wrote down.
pub(super) fn config(shell: &Shell) -> anyhow::Result<ModelsConfig> {
    Ok(person(shell)?.models)
}

/// Those models, ready to be asked; what is asked leaves cleaned by these rules. Asks nobody.
pub(super) fn models(shell: &Shell, config: ModelsConfig, rules: sanitizer::Sanitizer) -> anyhow::Result<Models> {
    let machine: Arc<dyn Surroundings> = Arc::new(ModelSurroundings::of(shell)?);
    let clean = move |text: &str| rules.sanitize_text(text, &Context::of(Source::Output)).text.into_owned();
    Ok(Models::new(config, Sanitizer::new(clean), machine))
}

/// A measured duration would give the same commands other bytes in each run, where time is given.
fn clock(shell: &Shell) -> anyhow::Result<Clock> {
    match shell.environment.giving() {
        Some(_) if shell.context().is_ok() && shell.engine()?.is_clock_given()? => {
            Ok(shell.environment.given_clock()?)
        }
        _ => Ok(Clock::default()),
    }
}

/// What threads and timers the asking of models needs.
pub(super) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().context("cannot start threads")
}

/// The project's rules where there is one: a prompt leaves as clean as a line of the history.
pub(super) fn rules(shell: &Shell) -> anyhow::Result<sanitizer::Sanitizer> {
    match shell.context() {
        Ok(_) => Ok(shell.engine()?.sanitizer().clone()),
        Err(_) => Ok(sanitizer::Sanitizer::new(sanitizer::Config::default())?),
    }
}

/// Time, chance and variables of this machine; the time that was given, in a folder that takes one.
struct ModelSurroundings {
    clock: Clock,
    variables: BTreeMap<String, String>,
}

impl ModelSurroundings {
    fn of(shell: &Shell) -> anyhow::Result<Self> {
        Ok(Self { clock: clock(shell)?, variables: Environment::variables() })
    }
}

impl Surroundings for ModelSurroundings {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn random(&self) -> u64 {
        u64::try_from(self.clock.chance() >> 64).expect("BUG: half of 128 bits are 64")
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    fn scratch(&self) -> PathBuf {
        std::env::temp_dir()
    }
}
