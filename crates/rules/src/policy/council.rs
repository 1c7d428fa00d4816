//! Councils among the other rooms: what is contested or nominated in hivemind calls one, one that is called by hand about
//! an entry contests or nominates it, and what it comes to is carried back in the same decision (AFS 7).

use super::{EventSource, Setting};
use crate::domain::cognition::trigger::AnalysisMode;
use crate::domain::council::command::{CouncilPurpose, Open};
use crate::domain::council::count::VoteVerdict;
use crate::domain::council::event::{Created, Lapsed};
use crate::domain::council::settings::Rules;
use crate::domain::hivemind::command::{Contest, Nominate, Observed, Rise};
use crate::domain::hivemind::key_of;
use crate::domain::{Ask, Command, Event, Rooms, RoomsDecided, cognition, council, hivemind};
use annals_kernel::decision::Moment;
use annals_kernel::id::{AgentId, IssueId};

/// More councils are not called at once.
const MOST_AT_ONCE: usize = 8;
/// So many councils are looked through for an answer that was given already.
const LOOKED_THROUGH: usize = 256;
/// Why one is called on what a session takes for true; the words are made where somebody reads it.
const CONTRADICT: &str = "facts-contradict";
/// In whose name a council acts.
const COUNCIL: &str = "council";

fn purpose(of: hivemind::ContestPurpose) -> CouncilPurpose {
    match of {
        hivemind::ContestPurpose::Conflict => CouncilPurpose::Conflict,
        hivemind::ContestPurpose::DecayPromotion => CouncilPurpose::DecayPromotion,
        hivemind::ContestPurpose::GlobalPromotion => CouncilPurpose::GlobalPromotion,
    }
}

/// Who calls a council by hand about an entry contests or nominates it, by the rules of hivemind: the council follows from
/// that, and what it comes to is carried. About what is in no hivemind the room itself calls one.
pub(super) fn contest(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    let Command::Council(council::Command::Open(open)) = &ask.command else { return None };
    let key = key_of(&open.key).filter(|key| rooms.hivemind.entry(key).is_some())?;
    let Open { purpose, reason, proposed, .. } = open.clone();
    let asked = match purpose {
        CouncilPurpose::Conflict => Contest { key, reason, alternative: Some(proposed) }.into(),
        CouncilPurpose::DecayPromotion => Nominate { key, rise: Rise::Golden, reason }.into(),
        CouncilPurpose::GlobalPromotion => Nominate { key, rise: Rise::Global, reason }.into(),
        CouncilPurpose::Architecture => return None,
    };
    // By the rules of hivemind, because a contest beside this council would otherwise call no council of its own, and
    // stay open for ever.
    Some(hivemind::decide(&rooms.hivemind, &asked, &Observed::default(), moment).into())
}

/// A contest or nomination calls a council, unless one on that key is open already. A recommendation decides nothing about
/// an entry, and does not stand in its way.
pub(super) fn call(rooms: &Rooms, contested: &hivemind::event::Contested, setting: &Setting<'_>) -> Vec<Event> {
    let is_running = rooms.council.running(&contested.key).any(|council| is_about_entry(rooms, council));
    let Some(entry) = rooms.hivemind.entry(&contested.key).filter(|_| !is_running) else { return Vec::new() };
    let created = Created {
        council: rooms.council.next_id(setting.moment.id),
        purpose: purpose(contested.purpose),
        key: contested.key.clone(),
        reason: contested.reason.clone(),
        current: entry.value.clone(),
        proposed: contested.alternative.clone().unwrap_or_else(|| entry.value.clone()),
        config: Rules::of(setting.moment.settings),
        initiated_by: setting.moment.actor.clone(),
    };
    vec![Event::Council(created.into())]
}

/// An accepted call for a debate about what contradicts itself (AFS 5.3) calls a council on each open contradiction of
/// the session. What it decides stands in its audit; whoever knows which fact holds resolves the contradiction.
pub(super) fn disagree(
    rooms: &Rooms,
    activated: &cognition::event::ModeActivated,
    setting: &Setting<'_>,
) -> Vec<Event> {
    let mind = rooms.cognition.mind(activated.session.as_str()).filter(|_| activated.mode == AnalysisMode::Council);
    let Some(known) = mind.and_then(|mind| mind.epistemic.as_ref()) else { return Vec::new() };
    let open = known.contradictions.iter().filter(|one| one.resolution.is_none());
    let keyed = open.map(|one| (format!("contradiction {}", one.id), one));
    let new = keyed.filter(|(key, _)| rooms.council.running(key).next().is_none());
    let created = new.enumerate().map(|(count, (key, contradiction))| Created {
        council: IssueId::of(setting.moment.id, count).as_str().into(),
        purpose: CouncilPurpose::Conflict,
        key: key.into(),
        reason: CONTRADICT.into(),
        current: known.in_words(&contradiction.fact_a).into(),
        proposed: known.in_words(&contradiction.fact_b).into(),
        config: Rules::of(setting.moment.settings),
        initiated_by: setting.moment.actor.clone(),
    });
    created.take(MOST_AT_ONCE).map(|created| Event::Council(created.into())).collect()
}

/// Where metrics find another arrangement of agents than the one that worked, the user is asked, and nothing changes by
/// itself (AFS 7.3). One recommendation at a time about the same change: a second session that says so adds nothing.
pub(super) fn recommend(
    rooms: &Rooms,
    concluded: &cognition::event::ModeConcluded,
    setting: &Setting<'_>,
) -> Vec<Event> {
    let Some(recommended) = &concluded.recommended else { return Vec::new() };
    let key: Box<str> = format!("architecture: {} to {}", recommended.current, recommended.proposed).into();
    let recent = rooms.council.sessions.first_by_rank(LOOKED_THROUGH);
    let is_answered = recent.iter().any(|(_, council)| council.entry_key == key && council.result.is_some());
    if is_answered || rooms.council.running(&key).next().is_some() {
        return Vec::new();
    }
    let created = Created {
        council: rooms.council.next_id(setting.moment.id),
        purpose: CouncilPurpose::Architecture,
        key,
        reason: recommended.because.clone(),
        current: recommended.current.clone(),
        proposed: recommended.proposed.clone(),
        config: Rules::of(setting.moment.settings),
        initiated_by: setting.moment.actor.clone(),
    };
    vec![Event::Council(created.into())]
}

/// Hivemind learns which council was called for what is contested there.
pub(super) fn learn(rooms: &mut Rooms, created: &Created, _: &EventSource<'_>) {
    if created.purpose != CouncilPurpose::Architecture {
        rooms.hivemind.learn_council(&created.key, &created.council);
    }
}

/// What a council came to is so, where it was called for what is contested still.
pub(super) fn carry(rooms: &Rooms, resolved: &council::event::Resolved, setting: &Setting<'_>) -> Vec<Event> {
    let contest = rooms.hivemind.entry(&resolved.key).and_then(|entry| entry.contest.as_ref());
    // A council that ran while its entry was settled otherwise must not settle it again.
    if contest.and_then(|contest| contest.council.as_ref()) != Some(&resolved.council) {
        return Vec::new();
    }
    let verdict = match resolved.result.final_decision {
        VoteVerdict::Approve => hivemind::command::ContestVerdict::Approve,
        VoteVerdict::Reject => hivemind::command::ContestVerdict::Reject,
    };
    let (by, council) = (AgentId::from(COUNCIL), Some(&*resolved.council));
    let event = rooms.hivemind.settled(&resolved.key, verdict, &by, council, setting.moment.settings);
    event.map(Event::Hivemind).into_iter().collect()
}

/// Where something was settled otherwise, its councils are not needed any more.
pub(super) fn lapse(rooms: &Rooms, event: &hivemind::Event, _: &Setting<'_>) -> Vec<Event> {
    let reason = match event {
        hivemind::Event::Removed(_) => "entry-removed",
        hivemind::Event::Added(_) => "entry-replaced",
        hivemind::Event::Updated(_)
        | hivemind::Event::PromotedGolden(_)
        | hivemind::Event::PromotedGlobal(_)
        | hivemind::Event::Upheld(_)
        | hivemind::Event::Accessed(_)
        | hivemind::Event::Contested(_)
        | hivemind::Event::EntryExpired(_)
        | hivemind::Event::Pulled(_)
        | hivemind::Event::Pushed(_) => "settled-otherwise",
    };
    let Some(key) = event.key() else { return Vec::new() };
    let is_contested = rooms.hivemind.entry(key).is_some_and(|entry| entry.contest.is_some());
    let running = rooms.council.running(key).filter(|id| !is_contested && is_about_entry(rooms, id));
    let lapsed = running.map(|council| Lapsed { council: council.into(), key: key.into(), reason: reason.into() });
    lapsed.map(|lapsed| Event::Council(lapsed.into())).collect()
}

fn is_about_entry(rooms: &Rooms, council: &str) -> bool {
    rooms.council.session(council).is_some_and(|session| session.purpose != CouncilPurpose::Architecture)
}
