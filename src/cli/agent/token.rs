//! `annals agent token`: a secret that proves who acts. It is shown once; the log keeps its SHA-256.

use crate::cli::shell::{Done, Shell};
use crate::domain::roster::command::Seal;
use crate::kernel::id::AgentId;
use crate::kernel::json::{Json, sha256_hex};

/// Arguments of `annals agent token`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Whose: an agent, or `user`
    id: String,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    // 160 bits of chance.
    let token = format!("annals_{:020x}{:020x}", engine.clock().chance() >> 48, engine.clock().chance() >> 48);
    let seal = Seal { agent: AgentId::from(arguments.id.as_str()), seal: sha256_hex(token.as_bytes()).into() };
    shell.decide(&engine, crate::domain::roster::Command::Seal(seal), &Json::empty_object(), |out, _| {
        out.line(&token)?;
        out.say("keep it: it is shown once. Whoever acts under this name sets ANNALS_TOKEN to it;")?;
        out.say("`annals config set roster.require_token true` makes it required")
    })
}
