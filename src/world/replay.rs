//! Makes a decision again, on the state that it was made on, and compares.
//!
//! Gets the command and the observations, nothing of the outcome. Does not find the state; `engine::replay` does.

use serde::Serialize;

use super::decision::{Decision, WireEvent};
use super::{Asked, RULES_VERSION, World};
use crate::kernel::decision::{Moment, Refusal};
use crate::kernel::envelope::Envelope;
use crate::kernel::id::{AgentId, SessionId};
use crate::kernel::settings::Settings;

/// What came of a replay.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It gave what was recorded.
    Matched,
    /// It gave something else.
    Differed(Box<Difference>),
    /// It was not made again.
    PassedOver(PassedOver),
}

/// Recorded and replayed outcome of one decision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// As it stands in the line.
    pub recorded: Outcome,
    /// As it came out now.
    pub replayed: Outcome,
}

/// The outcome of a decision, for comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Events, in order.
    pub events: Vec<WireEvent>,
    /// The "no", if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
}

/// Why a decision was not made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PassedOver {
    /// It was made under other rules than this version has.
    OtherRules,
    /// Something was scrubbed from its line.
    Scrubbed,
    /// A later version asked something that this one does not know.
    UnknownCommand,
    /// Its line says that it is a decision and cannot be read as one.
    Unreadable,
}

impl PassedOver {
    /// For people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OtherRules => "decided under other rules",
            Self::Scrubbed => "scrubbed",
            Self::UnknownCommand => "asked by a later version",
            Self::Unreadable => "not readable as a decision",
        }
    }
}

/// The configuration that a replay uses: that of the log, or one with changes on top.
#[derive(Debug, Clone, Default)]
pub struct Overlay(pub Settings);

impl Overlay {
    fn over(&self, settings: &Settings) -> Settings {
        let mut all = settings.clone();
        for (key, value) in self.0.iter() {
            all.set(key, Some(value.clone()));
        }
        all
    }
}

/// Replays the decision of an entry on the world as it was before it.
pub fn replay(before: &World, entry: &Envelope<'_>, overlay: &Overlay) -> Verdict {
    if !entry.scrubbed().is_empty() {
        return Verdict::PassedOver(PassedOver::Scrubbed);
    }
    if entry.rules() != Some(u64::from(RULES_VERSION)) {
        return Verdict::PassedOver(PassedOver::OtherRules);
    }
    let Ok(decision) = Decision::of(entry) else { return Verdict::PassedOver(PassedOver::Unreadable) };
    let Some(ask) = decision.ask else { return Verdict::PassedOver(PassedOver::UnknownCommand) };
    let asked = Asked {
        id: entry.id(),
        at: entry.at(),
        actor: AgentId::from(entry.agent().unwrap_or_default().as_ref()),
        session: SessionId::from(entry.session().as_ref()),
    };
    let settings = overlay.over(&before.rooms.config.settings);
    let Asked { id, at, actor, session } = asked;
    let decided = before.rooms.decide(&ask, &Moment { id, at, actor, session, settings: &settings });
    let replayed = Outcome { events: decided.events.iter().map(WireEvent::of).collect(), refusal: decided.refusal };
    let recorded = Outcome { events: decision.recorded, refusal: decision.refusal };
    if same(&recorded, &replayed) {
        Verdict::Matched
    } else {
        Verdict::Differed(Box::new(Difference { recorded, replayed }))
    }
}

/// Equal as values: white space and the order of keys do not count.
fn same(left: &Outcome, right: &Outcome) -> bool {
    let values = |result: &Outcome| -> Vec<_> {
        result.events.iter().map(|event| (event.name.clone(), event.data.value())).collect()
    };
    values(left) == values(right) && left.refusal == right.refusal
}
