//! `annals message approve` and `deliver`: the person's word, and a connector's.

use super::one;
use crate::act::resident::Inbox;
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::domain::Event;
use crate::domain::resident::command::{Approve, Command, Deliver};
use crate::domain::resident::event::{Approved, Delivered, Event as OfResident};
use crate::domain::resident::{Approval, Delivery};
use crate::engine::Engine;
use crate::kernel::id::EntryId;
use crate::kernel::json::Json;

/// Arguments of `annals message approve`.
#[derive(Debug, clap::Args)]
pub(super) struct ApproveArguments {
    /// Which message: its id, or the beginning or end of it
    #[arg(required_unless_present = "elsewhere")]
    message: Option<String>,
    /// All that came from another clone, to whatever agent
    #[arg(long, conflicts_with = "message")]
    elsewhere: bool,
    /// It may not
    #[arg(long)]
    no: bool,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// Arguments of `annals message deliver`.
#[derive(Debug, clap::Args)]
pub(super) struct DeliverArguments {
    /// Which message: its id, or the beginning or end of it
    message: String,
    /// The channel could not take it, and why
    #[arg(long, value_name = "REASON")]
    failed: Option<String>,
}

pub(super) fn approve(shell: &mut Shell, arguments: &ApproveArguments) -> Done {
    let engine = shell.engine()?;
    let approval = if arguments.no { Approval::No } else { Approval::Yes };
    let messages = match &arguments.message {
        Some(message) => vec![one(shell, &engine, message)?],
        None => elsewhere(shell, &engine, approval)?,
    };
    for message in messages {
        let approve = Approve { message, approval, reason: arguments.reason.as_deref().map(Box::from) };
        if said(shell, &engine, approve.into())? != CommandOutcome::Done {
            return Ok(CommandOutcome::Refused);
        }
    }
    Ok(CommandOutcome::Done)
}

/// Those that another clone brought. What the person was asked for is allowed one by one: a yes to all lets messages in.
fn elsewhere(shell: &mut Shell, engine: &Engine, approval: Approval) -> anyhow::Result<Vec<EntryId>> {
    let (asked, messages): (Vec<_>, Vec<_>) = Inbox::ask(engine, |inbox| {
        let room = &inbox.world.rooms.resident;
        let all = room.agents.iter().flat_map(|(agent, _)| inbox.from_elsewhere(agent));
        let is_asked = |id: EntryId| room.message(id).is_some_and(|message| inbox.is_asked_here(id, message));
        all.partition(|id| approval == Approval::Yes && is_asked(*id))
    })?;
    for message in &asked {
        let hint = format!("you were asked for what it asks: `annals message approve {message}` allows that");
        shell.out.say(format_args!("message {message} waits on; {hint}"))?;
    }
    if messages.is_empty() && asked.is_empty() {
        shell.out.say("no message from another clone waits for your word")?;
    }
    Ok(messages)
}

pub(super) fn deliver(shell: &mut Shell, arguments: &DeliverArguments) -> Done {
    let engine = shell.engine()?;
    let message = one(shell, &engine, &arguments.message)?;
    let delivery = if arguments.failed.is_some() { Delivery::Failed } else { Delivery::Delivered };
    let deliver = Deliver { message, delivery, reason: arguments.failed.as_deref().map(Box::from) };
    said(shell, &engine, deliver.into())
}

fn said(shell: &mut Shell, engine: &Engine, command: Command) -> Done {
    shell.decide(engine, command, &Json::empty_object(), |out, answer| {
        answer.events.iter().filter_map(told).try_for_each(|line| out.line(line))
    })
}

fn told(event: &Event) -> Option<String> {
    let Event::Resident(event) = event else { return None };
    match event {
        OfResident::Approved(Approved { message, approval: Approval::Yes, .. }) => {
            Some(format!("message {message} waits for a tick"))
        }
        OfResident::Approved(Approved { message, approval: Approval::No, .. }) => {
            Some(format!("message {message}: no; where its sender was told to wait, the next tick tells them"))
        }
        OfResident::Delivered(Delivered { message, delivery }) => {
            Some(format!("the answer to message {message} is {delivery}"))
        }
        OfResident::Queued(_)
        | OfResident::Taken(_)
        | OfResident::Released(_)
        | OfResident::Overridden(_)
        | OfResident::Ticked(_) => None,
    }
}
