//! Of which firings a model is asked without a word of the user for each: what the switch of their own configuration lets
//! through, of this clone, and no more of it than a day may have.
//!
//! What a repository brings is not let through: neither firings of others nor a trigger that accepts itself.

use serde::Serialize;

use super::super::{InSession, firings};
use crate::cli::models::TriggerSwitch;
use crate::cli::shell::Shell;
use crate::domain::cognition::gate::{AutoAccept, Standing};
use crate::domain::cognition::limits::{GATE, PER_TRIGGER};
use crate::domain::cognition::mind::Firing;
use crate::engine::Engine;
use crate::engine::own_word::OwnWords;
use crate::kernel::counted::count;
use crate::kernel::grounding::words;
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::settings::Settings;
use crate::role::judged::analysis::check_asks;

words! {
    /// Why no model is asked of a firing.
    pub enum UnjudgedReason {
        /// The mode is not in the user's switch.
        Off = "off",
        /// It was fired in another clone.
        OtherClone = "other_clone",
        /// Neither the user nor their gate accepted it: its own trigger did.
        AcceptedItself = "accepted_itself",
        /// A day may have no more.
        Spent = "spent",
    }
}

/// A firing of which no model is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct LeftFiring {
    session: SessionId,
    firing: EntryId,
    trigger: Box<str>,
    why: UnjudgedReason,
}

impl LeftFiring {
    /// As it is said.
    pub(super) fn in_words(&self) -> String {
        let why = match self.why {
            UnjudgedReason::Off => "`[triggers] by_model` of your own config.toml does not name its mode",
            UnjudgedReason::OtherClone => "it was fired in another clone",
            UnjudgedReason::AcceptedItself => "its trigger accepted it, and nobody else",
            UnjudgedReason::Spent => "`[triggers] most_a_day` is reached",
        };
        format!("left: {} {}: {why}", self.trigger, self.firing)
    }
}

/// Firings that wait for a model, the latest first: those of which one may be asked, and the others.
pub(super) fn allowed(
    shell: &Shell,
    engine: &Engine,
    switch: &TriggerSwitch,
) -> anyhow::Result<(Vec<InSession>, Vec<LeftFiring>)> {
    let accepted = firings(shell, engine, |firing| firing.standing == Standing::Accepted)?;
    let today = engine.clock().now().day();
    let is_of_today = |found: &&InSession| found.firing.judged.is_some_and(|entry| entry.time().day() == today);
    let mut room = switch.most_a_day.saturating_sub(accepted.iter().filter(is_of_today).count());
    let asks = |found: &InSession| found.firing.judged.is_none() && check_asks(found.firing.mode).is_ok();
    let mut waiting: Vec<InSession> = accepted.into_iter().filter(asks).collect();
    waiting.sort_by_key(|found| std::cmp::Reverse(found.firing.id));
    let own = engine.own_entries()?;
    let (mut let_through, mut left) = (Vec::new(), Vec::new());
    for found in waiting {
        let why = if switch.is_on(found.firing.mode) {
            why_not(&found, &own, engine.settings(), room)
        } else {
            Some(UnjudgedReason::Off)
        };
        match why {
            None => {
                room -= 1;
                let_through.push(found);
            }
            Some(why) => {
                let InSession { session, firing } = found;
                left.push(LeftFiring { session, firing: firing.id, trigger: firing.trigger, why });
            }
        }
    }
    Ok((let_through, left))
}

fn why_not(found: &InSession, own: &OwnWords, settings: &Settings, room: usize) -> Option<UnjudgedReason> {
    if !own.wrote(&found.firing.own_line(&found.session)) {
        Some(UnjudgedReason::OtherClone)
    } else if !was_let_run(&found.firing, settings) {
        Some(UnjudgedReason::AcceptedItself)
    } else {
        (room == 0).then_some(UnjudgedReason::Spent)
    }
}

/// Whether somebody answered it, or the gate accepts it, which weakens and so is of the user's own entering (decision 46).
/// That a trigger of a project skips the question, the project says.
fn was_let_run(firing: &Firing, settings: &Settings) -> bool {
    let own = settings.get(&PER_TRIGGER).get(&firing.trigger).and_then(|own| own.gate);
    firing.by.is_some() || settings.get(&GATE).judge(own, AutoAccept::No) == Standing::Accepted
}

/// Says how many wait for a model that may be asked.
pub(in super::super) fn say_waiting(shell: &mut Shell, engine: &Engine) -> anyhow::Result<()> {
    let switch = TriggerSwitch::of(shell)?;
    if switch == TriggerSwitch::default() {
        return Ok(());
    }
    let waiting = allowed(shell, engine, &switch)?.0.len();
    if waiting > 0 {
        let firings = count(waiting, "firing waits", "firings wait");
        shell.out.say(format_args!("{firings} for a model: `annals triggers judge` asks it"))?;
    }
    Ok(())
}
