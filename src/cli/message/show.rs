//! `annals message show`: a message, and what came of it.

use serde::Serialize;

use super::list::state;
use super::one;
use crate::act::resident::Inbox;
use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::domain::resident::{InboxMessage, MessagePhase};
use crate::engine::Engine;
use crate::kernel::id::EntryId;

/// Arguments of `annals message show`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Which: its id, or the beginning or end of it
    message: String,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ReadMessage {
    id: EntryId,
    #[serde(flatten)]
    message: InboxMessage,
    /// It waits for the person: another clone brought it, or another's word on it.
    is_from_elsewhere: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let id = one(shell, &engine, &arguments.message)?;
    let message = shell.ask(&engine, |world| world.rooms.resident.message(id).cloned())?;
    let message = message.ok_or_else(|| crate::cli::named::MESSAGE.noun.unknown(&arguments.message))?;
    let own = engine.own_entries()?;
    let (is_from_elsewhere, trust) = shell.ask(&engine, |world| {
        let inbox = Inbox { world, own: &own, settings: engine.settings() };
        (inbox.is_from_elsewhere(id, &message), inbox.trust(id, &message))
    })?;
    if shell.wants_json() {
        shell.out.answer(&ReadMessage { id, message, is_from_elsewhere })?;
        return Ok(CommandOutcome::Done);
    }
    let text = |text: &str| clean(&engine, text);
    let InboxMessage { from, channel, received_at, .. } = &message;
    shell.out.line(format_args!("message {id}: {}", state(&message)))?;
    shell.out.line(text(&format!("from {from} through {channel}, trust {trust}, {received_at}")))?;
    for (key, value) in &message.metadata {
        shell.out.line(text(&format!("{key}: {value}")))?;
    }
    say_word(shell, &engine, &message)?;
    shell.out.line("")?;
    shell.out.line(text(&message.content))?;
    if let Some(answer) = &message.answer {
        shell.out.line("")?;
        shell.out.line(format_args!("{}:", text(message.agent.as_str())))?;
        shell.out.line(text(answer))?;
    }
    if message.phase == MessagePhase::Held && message.set_aside.is_some() {
        shell.out.say(format_args!(
            "after a higher budget or with another model `annals message approve {id}` has it tried again, and --no ends it"
        ))?;
    }
    if is_from_elsewhere {
        shell
            .out
            .say(format_args!("it came from another clone: no model sees it before `annals message approve {id}`"))?;
    }
    if let Some(entry) = message.ticked_in {
        shell.out.say(format_args!("`annals show {entry}` has the tick: states, facts, time"))?;
    }
    Ok(CommandOutcome::Done)
}

/// What the person said to it and why, and why it was set aside.
fn say_word(shell: &mut Shell, engine: &Engine, message: &InboxMessage) -> std::io::Result<()> {
    let text = |text: &str| clean(engine, text);
    if let Some(approval) = message.approval {
        let reason = message.approval_reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
        shell.out.line(text(&format!("you said {approval}{reason}")))?;
    }
    if let Some(why) = &message.set_aside {
        shell.out.line(text(&format!("set aside: {why}")))?;
    }
    Ok(())
}
