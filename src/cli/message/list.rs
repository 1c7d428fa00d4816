//! `annals message list`: messages, the latest first.

use serde::Serialize;

use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::resident::{Delivery, InboxMessage, MessagePhase};
use crate::view::gist::fold;

/// Arguments of `annals message list`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    only: Only,
    /// How many
    #[arg(long, default_value_t = 20)]
    limit: usize,
}

/// Which of them.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct Only {
    /// Only those that wait for a tick
    #[arg(long)]
    waiting: bool,
    /// Only those that wait for your word
    #[arg(long)]
    held: bool,
    /// Only those whose answer waits for its channel
    #[arg(long)]
    outbox: bool,
}

impl Only {
    fn takes(&self, message: &InboxMessage) -> bool {
        let is_out = matches!(message.delivery, Some(Delivery::Pending | Delivery::Failed));
        (!self.waiting || message.phase == MessagePhase::Waiting)
            && (!self.held || message.phase == MessagePhase::Held)
            && (!self.outbox || is_out)
    }
}

/// A message, as it is listed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MessageRow {
    id: String,
    #[serde(flatten)]
    message: InboxMessage,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct MessageRows {
    messages: Vec<MessageRow>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let messages = shell.ask(&engine, |world| {
        let all = world.rooms.resident.latest(usize::MAX).into_iter();
        let wanted = all.filter(|(_, message)| arguments.only.takes(message)).take(arguments.limit);
        wanted.map(|(id, message)| MessageRow { id: id.to_owned(), message: message.clone() }).collect::<Vec<_>>()
    })?;
    if shell.wants_json() {
        shell.out.answer(&MessageRows { messages })?;
        return Ok(CommandOutcome::Done);
    }
    let text = |text: &str| fold(&clean(&engine, text));
    let rows: Vec<_> = messages
        .iter()
        .map(|MessageRow { id, message }| {
            vec![
                id.clone(),
                state(message),
                text(&message.from),
                text(&message.channel),
                message.received_at.to_string(),
                text(&message.content),
            ]
        })
        .collect();
    let columns = [Key("message"), Text("state"), Goes(2, "from"), Goes(3, "channel"), Goes(1, "came"), Text("says")];
    shell.out.table(&columns, &rows)?;
    if rows.is_empty() {
        shell.out.say("there is no such message; `annals message send \"…\"` sends one")?;
    }
    Ok(CommandOutcome::Done)
}

/// Where a message stands, in a word or two.
pub(super) fn state(message: &InboxMessage) -> String {
    match (message.phase, message.action) {
        (MessagePhase::Waiting | MessagePhase::Held, _) | (MessagePhase::Done, None) => message.phase.to_string(),
        (MessagePhase::Done, Some(action)) => match message.delivery {
            None | Some(Delivery::Delivered) => action.to_string(),
            Some(delivery @ (Delivery::Pending | Delivery::Failed)) => format!("{action}, {delivery}"),
        },
    }
}
