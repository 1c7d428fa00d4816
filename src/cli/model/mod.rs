//! `annals model …`: the models that the person wrote down, whether they would answer, and a question to one.

mod ask;
mod check;
mod list;

pub(super) use ask::AskedModel;
pub(super) use check::CheckedModels;
pub(super) use list::ModelRows;

use super::registry::{CommandRow, rows};
use super::shell::Shell;

/// Commands about models.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// List the models that you wrote down, and what each is asked for
    "list" => Runs(&Bare(list::run)),
    /// Look whether models would answer
    "check" => Runs(&With(check::run)),
    /// Ask a model; nothing of it is recorded
    "ask" => Runs(&With(ask::run)),
};

/// How a first model is written down.
fn say_how(shell: &mut Shell) -> anyhow::Result<()> {
    let path = super::models::config_file(shell)?;
    let table = "[models]\ndefault = \"local\"\n\n[models.local]\nbackend = \"ollama\"\nmodel = \"qwen2.5-coder:7b\"";
    shell.out.say(format_args!("no model is written down; nobody is asked until one is, in {}:", path.display()))?;
    shell.out.say(format_args!("\n{table}"))?;
    Ok(())
}
