//! `annals mcp`: the Model Context Protocol over standard input and output, for agents that call tools.
//!
//! Each tool is an intent: what it does goes through the commands of the command line, so that guards, breakers, tokens and
//! checks of evidence hold as they do there. Who acts is bound when the server starts. `annals_mcp` knows the protocol.

mod ask;
mod bench;
mod canon;
mod debates;
mod history;
mod issues;
mod known;
mod line;
mod pages;
mod prompts;
mod resources;
mod schema;
mod tools;
mod wire;

use std::path::PathBuf;

use annals_mcp::Desk;
use anyhow::{Context as _, anyhow};

use self::bench::Bench;
use super::environment::Environment;
use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::engine::clock::Clock;
use crate::kernel::actor::USER;

/// Arguments of `annals mcp`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A file that holds the token of the agent, where the roster asks for one [default: `ANNALS_TOKEN`]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

/// A longer one is no token.
const MOST_TOKEN_BYTES: u64 = 4096;

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let mut environment = shell.environment.clone();
    if let Some(file) = &arguments.token_file {
        environment.token = Some(token(&environment.directory.join(file))?);
    }
    let actor = shell.named_actor().map(str::to_owned);
    if actor.as_deref().is_some_and(|actor| actor.trim().eq_ignore_ascii_case(USER)) {
        let says = "agents act through this, and none of them as the user: name the agent, as in --as critic";
        return Err(Usage(says.to_owned()).into());
    }
    let context = shell.named_context().map(|named| environment.directory.join(named));
    annals_mcp::serve(Bench::new(environment, context, actor, Clock::default().chance()))?;
    Ok(CommandOutcome::Done)
}

/// The token in a file, without the white space around it.
fn token(file: &std::path::Path) -> anyhow::Result<String> {
    let text = || -> std::io::Result<String> {
        use std::io::Read as _;
        let mut text = String::new();
        std::fs::File::open(file)?.take(MOST_TOKEN_BYTES).read_to_string(&mut text)?;
        Ok(text)
    };
    let text = text().with_context(|| format!("cannot read the token in {}", file.display()))?;
    let token = text.trim();
    if token.is_empty() {
        return Err(anyhow!(Usage(format!("{} holds no token: `annals agent token` makes one", file.display()))));
    }
    Ok(token.to_owned())
}

/// What `annals mcp` serves on a folder, for the example that serves it over loopback HTTP.
pub fn desk(context: PathBuf, actor: Option<String>) -> impl Desk {
    Bench::new(Environment::read(), Some(context), actor, Clock::default().chance())
}
