//! How far a message is trusted: the lower of who sends it and through what.
//!
//! Says nothing of what is done for it then; `role::resident` does.

use super::command::Send;
use super::settings::{CHANNELS, PEOPLE};
use super::state::InboxMessage;
use super::word::MessageTrust;
use annals_kernel::actor::Standing;
use annals_kernel::settings::Settings;

/// The lower of sender and channel; and who hands in another's message vouches for no more than for themselves.
pub(super) fn sent(send: &Send, actor: &str, standing: &Standing, settings: &Settings) -> MessageTrust {
    worth(&send.from, actor, &send.channel, standing, settings)
}

/// What is left of the trust of a message that another clone brought: no more than its sender and its channel are worth here, by
/// the standing here of whom it says that handed it in; and never all, which is the person's own.
pub fn brought(message: &InboxMessage, standing: &Standing, settings: &Settings) -> MessageTrust {
    let InboxMessage { from, sent_by, channel, trust, .. } = message;
    let Some(actor) = sent_by else { return MessageTrust::None };
    let here = worth(from, actor.as_str(), channel, standing, settings);
    here.min(*trust).min(MessageTrust::High)
}

fn worth(from: &str, actor: &str, channel: &str, standing: &Standing, settings: &Settings) -> MessageTrust {
    let own = vouched(standing);
    let identity = if from == actor { Some(own) } else { settings.get(&PEOPLE).get(from).map(|known| own.min(*known)) };
    MessageTrust::of(identity, settings.get(&CHANNELS).get(channel).copied())
}

fn vouched(standing: &Standing) -> MessageTrust {
    match standing {
        Standing::User => MessageTrust::Absolute,
        Standing::System => MessageTrust::High,
        Standing::Agent(_) => MessageTrust::Medium,
        Standing::Stranger => MessageTrust::None,
    }
}
