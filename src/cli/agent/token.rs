//! `annals agent token`: a secret that proves who acts. It is shown once; the log keeps its SHA-256.
//!
//! In a clone that token counts which was given there, or which the clone found first; `--accept` takes over another.

use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::domain::roster::Command;
use crate::domain::roster::command::Seal;
use crate::engine::Engine;
use crate::kernel::id::AgentId;
use crate::kernel::json::{Json, sha256_hex};

/// Arguments of `annals agent token`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Whose: an agent, or `user`
    id: String,
    /// Let the token count in this clone that another clone gave
    #[arg(long)]
    accept: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let agent = shell.find_agent(&engine, &arguments.id)?;
    if arguments.accept { accept(shell, &engine, agent) } else { make(shell, &engine, agent) }
}

fn make(shell: &mut Shell, engine: &Engine, agent: AgentId) -> Done {
    // 160 bits of chance.
    let token = format!("annals_{:020x}{:020x}", engine.clock().chance() >> 48, engine.clock().chance() >> 48);
    let seal = Seal { agent, seal: sha256_hex(token.as_bytes()).into() };
    shell.decide(engine, Command::Seal(seal), &Json::empty_object(), |out, _| {
        out.line(&token)?;
        out.say("keep it: it is shown once. Whoever acts under this name sets ANNALS_TOKEN to it;")?;
        out.say("`annals config set roster.require_token true` makes it required")
    })
}

/// The user says once more, in this clone, what the log has: from then on that counts here.
fn accept(shell: &mut Shell, engine: &Engine, agent: AgentId) -> Done {
    let is_waiting = engine.waiting_tokens()?.contains(&agent);
    let seal = engine.ask(|world| world.rooms.roster.seals.get(&agent).cloned())?;
    let Some(seal) = seal.filter(|_| is_waiting) else {
        shell.out.say(format_args!("no other token of {agent} waits"))?;
        return Ok(CommandOutcome::Done);
    };
    let done = format!("the token of {agent} that the log has counts here now");
    shell.decide(engine, Command::Seal(Seal { agent, seal }), &Json::empty_object(), |out, _| out.line(done))
}
