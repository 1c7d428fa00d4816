//! What joins rooms: guards that may refuse before a room decides, reviews of what it decided, policies that make one
//! thing follow from another, what one room learns from the events of another, and what records set off.
//!
//! Pure. The rooms do not know each other; here they meet. One file a subject.

mod advocate;
mod blind;
mod breakers;
mod canon;
mod citations;
mod cognition;
mod configured;
mod conflicts;
mod council;
mod credits;
mod dialectic;
mod due;
mod entry;
mod forecast;
mod health;
mod hivemind;
mod ladder;
mod manning;
mod merits;
mod moderation;
mod notices;
mod prompting;
mod records;
mod refusal;
mod standing;
mod tags;
mod team;
mod topics;

use crate::domain::{Ask, Asking, BadObservation, Command, Decided, Event, Rooms};
use annals_kernel::decision::Moment;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::time::Timestamp;

pub use blind::{forewarned, participants};
pub use breakers::explain;
pub use citations::Weight;
pub use conflicts::open_conflicts;
pub use due::{DUE, Due, Turn, due};
pub use forecast::{FileForecast, Forecast, OtherForecast, forecast};
pub use health::report;
pub use refusal::{is_want_of_proof, rule_docs};
pub use standing::{RULES as STANDING_RULES, note};

/// What an event comes from.
#[derive(Debug, Clone, Copy)]
pub struct From<'f> {
    /// What was asked, where this version knows it.
    pub asking: Option<&'f Asking<'f>>,
    /// The entry that holds the decision.
    pub id: EntryId,
    /// Its time.
    pub at: Timestamp,
    /// Who asked.
    pub actor: &'f AgentId,
    /// Under which version of the rules it was decided.
    pub rules: u64,
}

impl<'f> From<'f> {
    /// The command, where this version knows it.
    fn command(&self) -> Option<&'f Command> {
        self.asking.map(|asking| &asking.ask.command)
    }
}

/// In which decision a policy reacts.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'s> {
    /// What was asked.
    pub ask: &'s Ask,
    /// When and by whom.
    pub moment: &'s Moment<'s>,
}

/// What follows from an event that has been taken in already.
pub type Policy = fn(&Rooms, &Event, &Setting<'_>) -> Vec<Event>;

/// All policies, in the order in which they react.
pub const POLICIES: &[Policy] = &[
    breakers::freeze,
    breakers::report,
    notices::of_freeze,
    notices::of_second_agent,
    canon::found,
    canon::anchors,
    citations::judge,
    credits::stopped,
    credits::used,
    credits::settled,
    credits::founded,
    advocate::answer,
    advocate::trigger,
    advocate::tell,
    advocate::expire,
    advocate::finish,
    blind::thread,
    blind::end,
    topics::watch,
    topics::report,
    moderation::escalate,
    moderation::consolidate,
    moderation::assist,
    merits::caught,
    merits::consulted,
    merits::heeded,
    ladder::step,
    ladder::tell,
    team::goals,
    team::goal_reached,
    team::milestone_reached,
    health::record,
    health::session,
    standing::tell,
    dialectic::tell,
    hivemind::expire,
    council::call,
    manning::man,
    manning::remain,
    manning::end,
    manning::tell,
    council::carry,
    council::disagree,
    council::lapse,
];

/// A guard: it may answer in place of the room.
type Guard = fn(&Rooms, &Ask, &Moment<'_>) -> Option<Decided>;

/// All guards, in the order in which they are asked; the first that answers is heard.
const GUARDS: &[Guard] = &[
    entry::conflict,
    entry::clock,
    entry::shell,
    entry::proof,
    credits::guard,
    credits::unchanged,
    configured::triggers,
    configured::thresholds,
    configured::quorum,
    entry::membership,
    entry::health,
    canon::guard,
    canon::citations,
    advocate::call,
    blind::opening,
    blind::waiting,
    moderation::known,
    moderation::frozen_tag,
    council::contest,
];

/// Asks the guards.
pub fn guard(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<Decided> {
    GUARDS.iter().find_map(|guard| guard(rooms, ask, moment))
}

/// Looks at what a room would do, with eyes that see other rooms, too.
pub fn review(rooms: &Rooms, ask: &Ask, decided: Decided, moment: &Moment<'_>) -> Decided {
    let is_taken = decided.refusal.is_none();
    let not_alone = is_taken.then(|| moderation::approval(rooms, ask, moment)).flatten();
    let decided = not_alone.unwrap_or_else(|| breakers::review(rooms, ask, decided, moment));
    let decided = blind::review(rooms, ask, decided, moment);
    tags::review(rooms, ask, decided)
}

/// Whether guards can read what was found out.
pub fn check(ask: &Ask) -> Result<(), BadObservation> {
    entry::check(ask)
}

/// Takes an event in: its own room, then those that learn from it; topics learn first, while what was before shows.
pub fn take_in(rooms: &mut Rooms, event: &Event, from: &From<'_>) {
    topics::learn(rooms, event, from);
    rooms.evolve(event, from.asking, (from.id, from.at, from.actor));
    records::learn(rooms, event, from);
    breakers::learn(rooms, event, from);
    advocate::learn(rooms, event, from);
    moderation::learn(rooms, event, from);
    cognition::learn(rooms, event, from);
    council::learn(rooms, event, from);
}
