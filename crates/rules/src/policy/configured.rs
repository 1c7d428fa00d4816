//! What is configured must mean something: a trigger or a metric that is named is there, and a quorum can come about.
//!
//! Looks at what a change brings, never at what was set before there was a rule: that stays in force as it was. What a
//! value of one key means is for its type to say; here keys meet.

use std::collections::BTreeSet;

use super::refusal::Refusal;
use crate::domain::cognition::limits::{CUSTOM, DISABLED, PER_TRIGGER, all};
use crate::domain::cognition::trigger::{Condition, SessionMetric, Trigger};
use crate::domain::council::settings::{AGENTS, QUORUM, SIZE, seats};
use crate::domain::{Ask, Command, Rooms, RoomsDecided, config};
use annals_kernel::decision::Moment;
use annals_kernel::settings::{AnySetting, Settings};

/// The configuration as it would be, where a command changes one of these keys.
fn after(ask: &Ask, now: &Settings, keys: &[&str]) -> Option<Settings> {
    let Command::Config(command) = &ask.command else { return None };
    let values = match command {
        config::Command::Change(change) => &change.values,
        config::Command::Accept(accept) => &accept.values,
        config::Command::Adopt(_) | config::Command::GiveClock(_) => return None,
    };
    if !keys.iter().any(|key| values.contains_key(*key)) {
        return None;
    }
    // Only here, because a copy of all settings for each command was time for nothing.
    let mut settings = now.clone();
    for (key, value) in values {
        settings.set(key, value.clone());
    }
    Some(settings)
}

/// A trigger that is disabled or changed is one that there is (AFS 13.3).
pub(super) fn triggers(_: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    let keys = [DISABLED.key(), PER_TRIGGER.key(), CUSTOM.key()];
    let after = after(ask, moment.settings, &keys)?;
    let before = unknown(moment.settings);
    let new = unknown(&after).into_iter().find(|named| !before.contains(named));
    let (key, trigger) = new?;
    let known = all(&after).into_iter().map(|trigger| trigger.id).collect();
    Some(Refusal::UnknownTrigger { key: key.into(), trigger, known }.into())
}

/// Triggers that are named and are not there, with the key that names them.
fn unknown(settings: &Settings) -> Vec<(&'static str, Box<str>)> {
    let known: BTreeSet<Box<str>> = all(settings).into_iter().map(|trigger| trigger.id).collect();
    let disabled = settings.get(&DISABLED).into_iter().map(|id| (DISABLED.key(), id));
    let changed = settings.get(&PER_TRIGGER).into_keys().map(|id| (PER_TRIGGER.key(), id));
    disabled.chain(changed).filter(|(_, id)| !known.contains(id)).collect()
}

/// A threshold is changed of what the trigger measures.
pub(super) fn thresholds(_: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    let after = after(ask, moment.settings, &[PER_TRIGGER.key()])?;
    let before = unmeasured(moment.settings);
    let (trigger, metric) = unmeasured(&after).into_iter().find(|named| !before.contains(named))?;
    let measured = all(&after).iter().find(|known| known.id == trigger).map(metrics);
    Some(Refusal::UnknownThreshold { trigger, metric, known: measured.unwrap_or_default() }.into())
}

/// Thresholds of triggers that there are, for what those do not measure.
fn unmeasured(settings: &Settings) -> Vec<(Box<str>, SessionMetric)> {
    let own = settings.get(&PER_TRIGGER);
    let of = |trigger: &Trigger| {
        let known = metrics(trigger);
        let named = own.get(&trigger.id).into_iter().flat_map(|own| own.thresholds.keys().copied());
        let others = named.filter(|metric| !known.contains(metric)).map(|metric| (trigger.id.clone(), metric));
        others.collect::<Vec<_>>()
    };
    all(settings).iter().flat_map(of).collect()
}

fn metrics(trigger: &Trigger) -> Vec<SessionMetric> {
    match &trigger.condition {
        Condition::Threshold { all } => all.iter().map(|bound| bound.metric).collect(),
        Condition::Pattern { .. } | Condition::Count { .. } | Condition::Time { .. } => Vec::new(),
    }
}

/// A quorum that was set is at most the council (AFS 7.1), whichever of both is changed. Where nobody set one, it is all
/// of a smaller council.
pub(super) fn quorum(_: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    let after = after(ask, moment.settings, &[QUORUM.key(), AGENTS.key(), SIZE.key()])?;
    after.stored(QUORUM.key())?;
    let (quorum, members) = (after.get(&QUORUM), seats(&after).len());
    let is_possible = usize::try_from(quorum).is_ok_and(|quorum| quorum <= members.max(1));
    (!is_possible).then(|| Refusal::QuorumTooLarge { quorum, members }.into())
}
