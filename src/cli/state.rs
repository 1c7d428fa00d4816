//! `annals state`: the folded state as JSON, whole or one room, or its hash.

use serde_json::Value;

use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::world::World;

/// Arguments of `annals state`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A room: session, access, usage, config, erasure, history
    room: Option<String>,
    /// The SHA-256 of the canonical form
    #[arg(long)]
    hash: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let state = shell.ask(&engine, World::tree)?;
    let state = match &arguments.room {
        None => state,
        Some(room) => state.get(room).cloned().ok_or_else(|| Usage(unknown_room(room, &state)))?,
    };
    if arguments.hash {
        shell.out.line(crate::kernel::json::sha256_hex(state.to_string().as_bytes()))?;
    } else {
        shell.out.json(&state)?;
    }
    Ok(CommandOutcome::Done)
}

fn unknown_room(room: &str, state: &Value) -> String {
    let rooms: Vec<_> = state.as_object().into_iter().flat_map(|rooms| rooms.keys()).map(String::as_str).collect();
    format!("there is no room {room}; there are {}", rooms.join(", "))
}
