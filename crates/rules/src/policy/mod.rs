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
mod subscribe;
mod tags;
mod tasks;
mod team;
mod topics;

use crate::domain::{Ask, Asking, BadObservation, Command, Event, Rooms, RoomsDecided, events};
use annals_kernel::decision::Moment;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::time::Timestamp;

pub use blind::{forewarned, participants};
pub use breakers::explain;
pub use citations::Weight;
pub use conflicts::open_conflicts;
pub use due::{DueRule, DueTurn, due};
pub use forecast::{FileForecast, Forecast, OtherForecast, forecast};
pub use health::report;
pub(crate) use refusal::is_want_of_proof;
pub use refusal::rule_docs;
pub use standing::{RULES as STANDING_RULES, note};
use subscribe::{LessonRule, on};
pub use subscribe::{On, PolicyRule};

/// What an event comes from.
#[derive(Debug, Clone, Copy)]
pub struct EventSource<'f> {
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

impl<'f> EventSource<'f> {
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

/// All policies, in the order in which they react to an event that has been taken in.
pub const POLICIES: &[PolicyRule] = on! { reacts
    [Breaker::Tripped] => breakers::freeze;
    [Breaker::Tripped] => breakers::report;
    [Issue::Frozen] => notices::of_freeze;
    [Roster::Changed] => notices::of_second_agent;
    [Canon::Promoted] => canon::found;
    [Issue::{CommentAdded, Resolved}] => canon::anchors;
    [Issue::{CommentAdded, Resolved}] => citations::judge;
    [Breaker::*] => credits::stopped;
    [Issue::Resolved] => credits::resolved;
    [Issue::Marked] => credits::marked;
    [Issue::Refuted] => credits::refuted;
    [Issue::{Resolved, Closed}] => credits::settled;
    [Canon::Promoted] => credits::founded;
    [Advocate::Called] => advocate::answer;
    [Issue::CommentAdded] => advocate::trigger;
    [Advocate::Made] => advocate::task;
    [Advocate::Failed] => advocate::tell;
    [Issue::{CommentAdded, Resolved, Closed}] => advocate::expire;
    [Advocate::Expired] => advocate::finish;
    [Blind::Revealed] => blind::thread;
    [Issue::{Resolved, Closed}] => blind::end;
    [Issue::{Opened, Raised, Edited, WasRead, Marked}] => topics::watch;
    [Topic::Flagged] => topics::report;
    [Moderation::Escalated] => moderation::escalate;
    [Moderation::Consolidated] => moderation::consolidate;
    [Breaker::*] => moderation::assist;
    [Issue::CommentAdded] => moderation::unassist;
    [Canon::Prevented] => merits::caught;
    [Advocate::Fulfilled] => merits::consulted;
    [Issue::Marked] => merits::heeded;
    [Issue::*] => ladder::acted;
    [Breaker::*] => ladder::acted;
    [Credit::Awarded] => ladder::awarded;
    [Reliability::LevelChanged] => ladder::tell;
    [*] => team::goals;
    [Credit::GoalAchieved] => team::goal_reached;
    [Milestone::Ended] => team::milestone_reached;
    [Moderation::ReportCalled] => health::record;
    [Milestone::*] => health::session;
    [Roster::Barred] => standing::tell;
    [Dialectic::Escalated] => dialectic::tell;
    [Dialectic::Called] => dialectic::due_debate;
    [Session::Completed] => hivemind::expire;
    [Resident::Ticked] => hivemind::expire_by_tick;
    [Hivemind::Contested] => council::call;
    [Council::Created] => manning::man;
    [Roster::Changed] => manning::remain;
    [Council::Manned] => manning::end;
    [Council::{Created, Tied, DebateOpened}] => manning::tell;
    [Council::Resolved] => council::carry;
    [Task::Sent] => tasks::remember;
    [Cognition::ModeActivated] => council::disagree;
    [Cognition::ModeConcluded] => notices::of_conclusion;
    [Cognition::ModeConcluded] => council::recommend;
    [Hivemind::{Added, Updated, PromotedGolden, PromotedGlobal, Upheld, Removed}] => council::lapse;
};

/// What rooms learn from the events of others before these are taken in, while what was before shows.
const LEARN_BEFORE: &[LessonRule] = on! { learns
    [Issue::Opened] => topics::opened;
    [Issue::Raised] => topics::raised;
    [Issue::Edited] => topics::retagged;
    [Issue::WasRead] => topics::was_read;
    [Issue::Marked] => topics::marked;
};

/// What rooms learn from the events of others when these have been taken in.
const LEARN_AFTER: &[LessonRule] = on! { learns
    [Roster::Changed] => records::joined;
    [Milestone::Begun] => records::begun;
    [Milestone::Ended] => records::ended;
    [Issue::Opened] => records::opened;
    [Issue::CommentAdded] => records::commented;
    [Issue::Resolved] => records::resolved;
    [Issue::Marked] => records::marked;
    [Issue::Refuted] => records::refuted;
    [Issue::Frozen] => records::frozen;
    [Issue::Unfrozen] => records::unfrozen;
    [Breaker::*] => records::stopped;
    [Credit::Awarded] => records::penalised;
    [Issue::*] => breakers::learn;
    [Issue::CommentAdded] => advocate::heard;
    [Issue::Raised] => advocate::told;
    [Breaker::*] => moderation::stopped;
    [Issue::CommentAdded] => moderation::passed;
    [Config::*] => cognition::configured;
    [Cognition::*] => cognition::learn;
    [Council::Created] => council::learn;
};

/// Which events cause what: what rooms learn from events that are not theirs, then the policies, each in their order.
pub fn subscriptions() -> impl Iterator<Item = (&'static str, On)> {
    let lessons = LEARN_BEFORE.iter().chain(LEARN_AFTER).map(|lesson| (lesson.name, lesson.on));
    lessons.chain(POLICIES.iter().map(|policy| (policy.name, policy.on)))
}

/// A guard: it may answer in place of the room.
type Guard = fn(&Rooms, &Ask, &Moment<'_>) -> Option<RoomsDecided>;

/// All guards, in the order in which they are asked; the first that answers is heard.
const GUARDS: &[Guard] = &[
    // First of all: nothing is decided on a state of which it is not known what belongs to it (decision 44).
    entry::conflict,
    entry::clock,
    // Before the proof, because in an agent's shell no name is believed, whether tokens are required or not (decision
    // 55).
    entry::shell,
    entry::proof,
    credits::guard,
    credits::unchanged,
    configured::triggers,
    configured::thresholds,
    configured::quorum,
    // Only behind the proof, because a name that is not proved is nobody's membership.
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
pub fn guard(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    GUARDS.iter().find_map(|guard| guard(rooms, ask, moment))
}

/// Looks at what a room would do, with eyes that see other rooms, too.
pub fn review(rooms: &Rooms, ask: &Ask, decided: RoomsDecided, moment: &Moment<'_>) -> RoomsDecided {
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

/// Takes an event in: its own room, and those that learn from it.
pub fn take_in(rooms: &mut Rooms, event: &Event, from: &EventSource<'_>) {
    for lesson in LEARN_BEFORE {
        (lesson.learn)(rooms, event, from);
    }
    rooms.evolve(event, from.asking, from.id, from.at, from.actor);
    for lesson in LEARN_AFTER {
        (lesson.learn)(rooms, event, from);
    }
}
