//! Makes a decision again, on the state that it was made on, and compares.
//!
//! Gets the command and the observations, nothing of the outcome. Does not find the state; `engine::replay` does.

use serde::Serialize;

use super::decision::{Outcome, ask_of};
use super::{Asked, RULES_VERSION, World, check};
use crate::domain::Ask;
use annals_kernel::envelope::Envelope;
use annals_kernel::id::{AgentId, SessionId};
use annals_kernel::json::{Json, tree};
use annals_kernel::settings::Settings;

/// What came of a replay.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplayVerdict {
    /// It gave what was recorded.
    Matched,
    /// It gave something else.
    Differed(Box<Difference>),
    /// It was not made again.
    PassedOver(PassedOver),
}

/// Recorded and replayed outcome of one decision.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Difference {
    /// As it stands in the line, whether it can be read or not.
    pub recorded: Option<Json>,
    /// As it came out now; none where nothing can be decided, because its command cannot be read.
    pub replayed: Option<Outcome>,
}

/// Why a decision was not made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
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

/// Why the decision of an entry is not made again, by what the entry alone says.
pub fn passed_over(entry: &Envelope<'_>) -> Option<PassedOver> {
    if !entry.scrubbed().is_empty() {
        return Some(PassedOver::Scrubbed);
    }
    let (rules, own) = (entry.rules().unwrap_or(0), u64::from(RULES_VERSION));
    match rules {
        0 => Some(PassedOver::NoRules),
        newer if newer > own => Some(PassedOver::NewerRules),
        older if older < own => Some(PassedOver::OlderRules),
        _ => matches!(ask_of(entry), Ok(None)).then_some(PassedOver::UnknownCommand),
    }
}

/// Replays the decision of an entry on the world as it was before it.
pub fn replay(before: &mut World, entry: &Envelope<'_>) -> ReplayVerdict {
    if let Some(reason) = passed_over(entry) {
        return ReplayVerdict::PassedOver(reason);
    }
    let replayed = readable(entry).map(|ask| {
        let settings = before.settings_for(&ask);
        decide_again(before, entry, &ask, &settings)
    });
    if is_recorded(entry, replayed.as_ref()) {
        return ReplayVerdict::Matched;
    }
    ReplayVerdict::Differed(Box::new(Difference { recorded: entry.output(), replayed }))
}

/// What was asked, where it can be read: nothing is decided on what cannot.
pub(super) fn readable(entry: &Envelope<'_>) -> Option<Ask> {
    ask_of(entry).ok().flatten().filter(|ask| check(ask).is_ok())
}

/// Whether an outcome is the one that stands in the line.
pub(super) fn is_recorded(entry: &Envelope<'_>, replayed: Option<&Outcome>) -> bool {
    let recorded: Option<Outcome> = entry.output();
    // White space and the order of keys do not count.
    recorded.is_some() && recorded.as_ref().map(tree) == replayed.map(tree)
}

/// What comes of an entry's command under some configuration.
pub(super) fn decide_again(before: &mut World, entry: &Envelope<'_>, ask: &Ask, settings: &Settings) -> Outcome {
    let asked = Asked {
        id: entry.id(),
        at: entry.at(),
        actor: AgentId::from(entry.agent().unwrap_or_default().as_ref()),
        session: SessionId::from(entry.session().as_ref()),
    };
    Outcome::from(&before.decide_under(ask, &asked, settings))
}
