//! `annals message list`: messages, the latest first.

use serde::Serialize;

use crate::act::resident::Inbox;
use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::resident::{Approval, Delivery, InboxMessage, MessagePhase};
use crate::kernel::id::EntryId;
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
    /// Only those that wait for your word: held or set aside by a tick, or from another clone
    #[arg(long)]
    held: bool,
    /// Only those whose answer waits for its channel; of those that this clone answered
    #[arg(long)]
    outbox: bool,
}

impl Only {
    fn takes(&self, inbox: Inbox<'_>, row: &MessageRow) -> bool {
        let MessageRow { id, message, is_from_elsewhere } = row;
        let is_pending = matches!(message.delivery, Some(Delivery::Pending | Delivery::Failed));
        (!self.waiting || message.phase == MessagePhase::Waiting && !is_from_elsewhere)
            && (!self.held || message.phase == MessagePhase::Held || *is_from_elsewhere)
            && (!self.outbox || is_pending && inbox.is_answered_here(*id, message))
    }
}

/// A message, as it is listed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MessageRow {
    id: EntryId,
    #[serde(flatten)]
    message: InboxMessage,
    /// It waits for the person: another clone brought it, or another's word on it.
    is_from_elsewhere: bool,
}

impl MessageRow {
    fn of(inbox: Inbox<'_>, id: &str, message: &InboxMessage) -> Option<Self> {
        let id = id.parse().ok()?;
        Some(Self { id, message: message.clone(), is_from_elsewhere: inbox.is_from_elsewhere(id, message) })
    }
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct MessageRows {
    messages: Vec<MessageRow>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let own = engine.own_entries()?;
    let messages: Vec<_> = shell.ask(&engine, |world| {
        let inbox = Inbox { world, own: &own, settings: engine.settings() };
        let all = world.rooms.resident.latest(usize::MAX).into_iter();
        let rows = all.filter_map(|(id, message)| MessageRow::of(inbox, id, message));
        rows.filter(|row| arguments.only.takes(inbox, row)).take(arguments.limit).collect()
    })?;
    if shell.wants_json() {
        shell.out.answer(&MessageRows { messages })?;
        return Ok(CommandOutcome::Done);
    }
    let text = |text: &str| fold(&clean(&engine, text));
    let rows: Vec<_> = messages
        .iter()
        .map(|MessageRow { id, message, is_from_elsewhere }| {
            vec![
                id.to_string(),
                if *is_from_elsewhere { "from elsewhere".to_owned() } else { state(message) },
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
        (MessagePhase::Held, _) if message.set_aside.is_some() => "set aside".to_owned(),
        (MessagePhase::Done, _) if message.approval == Some(Approval::No) => "you said no".to_owned(),
        (MessagePhase::Waiting | MessagePhase::Held, _) | (MessagePhase::Done, None) => message.phase.to_string(),
        (MessagePhase::Done, Some(action)) => match message.delivery {
            None | Some(Delivery::Delivered) => action.to_string(),
            Some(delivery @ (Delivery::Pending | Delivery::Failed)) => format!("{action}, {delivery}"),
        },
    }
}
