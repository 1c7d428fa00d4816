//! Makes a decision again, on the state that it was made on, and compares.
//!
//! Gets the command and the observations, nothing of the outcome. Does not find the state; `engine::replay` does.

use serde::Serialize;

use super::decision::{Outcome, ask_of};
use super::{Asked, RULES_VERSION, World, check};
use crate::domain::Ask;
use crate::kernel::envelope::Envelope;
use crate::kernel::id::{AgentId, SessionId};
use crate::kernel::json::Json;
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
    /// As it stands in the line, whether it can be read or not.
    pub recorded: Option<Json>,
    /// As it came out now; none where nothing can be decided, because its command cannot be read.
    pub replayed: Option<Outcome>,
    /// Under which configuration.
    pub under: Under,
}

/// Under which configuration a decision comes out otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Under {
    /// Under the one that was in force: the line or the rules are not what they were.
    TheRecorded,
    /// Only under the changes on top of it.
    TheOverlay,
}

/// Why a decision was not made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PassedOver {
    /// It was made under older rules than this version has.
    OlderRules,
    /// It claims newer rules than this version has.
    NewerRules,
    /// It claims rules that never were.
    NoRules,
    /// Something was scrubbed from its line.
    Scrubbed,
    /// Something was scrubbed from a line that it is about, and it would be decided otherwise now.
    AboutScrubbed,
    /// A later version asked something that this one does not know.
    UnknownCommand,
    /// Its line was moved by another process while the replay ran.
    Moved,
}

/// Why a decision was passed over that claims rules of the future.
pub const NEWER_RULES: &str = "decided under rules newer than this program's: upgrade annals";
/// Why a decision was passed over that claims rules which never were.
pub const NO_RULES: &str = "decided under rules that never were";

impl PassedOver {
    /// For people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OlderRules => "decided under older rules",
            Self::NewerRules => NEWER_RULES,
            Self::NoRules => NO_RULES,
            Self::Scrubbed => "scrubbed",
            Self::AboutScrubbed => "about something that was scrubbed",
            Self::UnknownCommand => "asked by a later version",
            Self::Moved => "moved meanwhile",
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
    let rules = entry.rules().unwrap_or(0);
    if rules != u64::from(RULES_VERSION) {
        let is_newer = rules > u64::from(RULES_VERSION);
        let other = if is_newer { PassedOver::NewerRules } else { PassedOver::OlderRules };
        return Verdict::PassedOver(if rules == 0 { PassedOver::NoRules } else { other });
    }
    let ask = match ask_of(entry) {
        // Nothing is decided on what cannot be read.
        Ok(Some(ask)) => Some(ask).filter(|ask| check(ask).is_ok()),
        Ok(None) => return Verdict::PassedOver(PassedOver::UnknownCommand),
        Err(_) => None,
    };
    let again = |overlay: &Overlay| ask.as_ref().map(|ask| decide_again(before, entry, ask, overlay));
    let recorded: Option<Outcome> = entry.output();
    let is_recorded = |replayed: &Option<Outcome>| {
        recorded.is_some() && recorded.as_ref().map(values) == replayed.as_ref().map(values)
    };
    let replayed = again(overlay);
    if is_recorded(&replayed) {
        return Verdict::Matched;
    }
    let under = if is_recorded(&again(&Overlay::default())) { Under::TheOverlay } else { Under::TheRecorded };
    Verdict::Differed(Box::new(Difference { recorded: entry.output(), replayed, under }))
}

fn decide_again(before: &World, entry: &Envelope<'_>, ask: &Ask, overlay: &Overlay) -> Outcome {
    let settings = overlay.over(&before.settings_for(ask));
    let asked = Asked {
        id: entry.id(),
        at: entry.at(),
        actor: AgentId::from(entry.agent().unwrap_or_default().as_ref()),
        session: SessionId::from(entry.session().as_ref()),
    };
    Outcome::from(&before.decide_under(ask, &asked, &settings))
}

/// White space and the order of keys do not count.
fn values(outcome: &Outcome) -> serde_json::Value {
    serde_json::to_value(outcome).expect("BUG: an outcome does not serialize")
}
