//! What becomes of a command about knowledge.

use super::command::{Add, Archive, Command, Observed, Restore, Retrieve, Supersede};
use super::decay::{KnowledgeDecay, KnowledgeStatus};
use super::event::{Added, Archived, Crossing, Event, Faded, Given, Restored, Retrieved, Superseded};
use super::refusal::Refusal;
use super::retrieve::retrieve;
use super::review;
use super::row::{KnowledgeEntry, KnowledgeKind, KnowledgeSource, KnowledgeText};
use super::settings::{AGENTS_MAY_ADD, DEFAULT_CONFIDENCE, MAX_LENGTH, RUN_INTERVAL_MINUTES};
use super::state::{Clock, State};
use super::{entity, settle, text};
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::fade::DAY_MS;
use annals_kernel::id::EntryId;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// So many entries one announcement names.
pub(crate) const MOST_ANNOUNCED: usize = 100;

pub(super) type Decided = Result<Outcome<Event, Refusal>, Refusal>;

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    match command {
        Command::Add(add) => added(state, add, moment),
        Command::Supersede(supersede) => superseded(state, *supersede, moment),
        Command::Settle(settle) => settle::settled(state, settle, observed, moment),
        Command::Retrieve(retrieve) => retrieved(state, retrieve, moment),
        Command::Archive(archive) => archived(state, archive, moment),
        Command::Restore(restore) => restored(state, restore, moment),
        Command::Expire(_) => Ok(Outcome { events: faded(state, moment).into_iter().collect(), refusal: None }),
        Command::Consolidate(_) => Ok(review::consolidated(state, moment)),
        Command::Give(give) => {
            known(state, give.entry).map(|_| Outcome::of(Given { entry: give.entry, result: give.result }))
        }
        Command::Propose(propose) => review::proposed(state, propose, moment),
        Command::Gather(gather) => review::gathered(state, gather, moment),
        Command::Accept(accept) => review::accepted(state, accept, moment),
        Command::Reject(reject) => review::rejected(state, reject, moment),
    }
    .into()
}

/// What agents learn is reviewed by somebody else before it counts, unless they may do without.
pub(super) fn may_review(moment: &Moment<'_>, what: &'static str) -> Result<(), Refusal> {
    let may = moment.standing.is_privileged() || moment.settings.get(&AGENTS_MAY_ADD);
    if may { Ok(()) } else { Err(Refusal::NotAReviewer { actor: moment.actor.clone(), what }) }
}

fn known(state: &State, entry: EntryId) -> Result<&KnowledgeEntry, Refusal> {
    state.entry(entry).ok_or(Refusal::UnknownEntry { entry })
}

/// An entry in whose place nothing else holds.
pub(super) fn holding(state: &State, entry: EntryId) -> Result<&KnowledgeEntry, Refusal> {
    let found = known(state, entry)?;
    match &found.superseded_by {
        Some(superseded) => Err(Refusal::Superseded { entry, by: superseded.by }),
        None => Ok(found),
    }
}

pub(super) fn is_a_text(content: &str, moment: &Moment<'_>) -> Result<(), Refusal> {
    let (length, most) = (content.chars().count(), moment.settings.get(&MAX_LENGTH));
    if text::normal(content).is_empty() {
        return Err(Refusal::NoText);
    }
    if length > most { Err(Refusal::TooLong { length, most }) } else { Ok(()) }
}

/// What is said, whole: names that were given and those that are found in the text.
pub(super) fn said(
    kind: KnowledgeKind,
    content: &str,
    confidence: Share,
    entities: &[Box<str>],
    about: Option<&str>,
    source: &KnowledgeSource,
) -> Result<KnowledgeText, Refusal> {
    if !entities.iter().map(|name| &**name).chain(about).all(entity::is_a_name) {
        return Err(Refusal::BadName { most: entity::MOST_CHARS });
    }
    let found = entity::find(content);
    let entities = entity::unlike(entities.iter().chain(&found).map(|name| &**name));
    let (content, about) = (content.trim().into(), about.map(|name| name.trim().into()));
    Ok(KnowledgeText { kind, content, entities, about, confidence, impact: None, source: source.bounded() })
}

fn added(state: &State, add: &Add, moment: &Moment<'_>) -> Decided {
    may_review(moment, "add_knowledge")?;
    is_a_text(&add.content, moment)?;
    let confidence = add.confidence.unwrap_or_else(|| moment.settings.get(&DEFAULT_CONFIDENCE));
    let said = said(add.kind, &add.content, confidence, &add.entities, add.about.as_deref(), &add.source)?;
    let said = KnowledgeText { impact: add.impact, ..said };
    if let Some(entry) = twin(state, &said) {
        return Err(Refusal::Known { entry });
    }
    let old = add.supersedes.map(|old| holding(state, old).map(|_| old)).transpose()?;
    Ok(Outcome { events: add_in_place_of(said, old, moment), refusal: None })
}

/// The events that add an entry, in the place of others.
pub(super) fn add_in_place_of(
    said: KnowledgeText,
    old: impl IntoIterator<Item = EntryId>,
    moment: &Moment<'_>,
) -> Vec<Event> {
    let added = Event::from(Added { entry: moment.id, said });
    let ended = old.into_iter().map(|entry| Superseded { entry, by: moment.id, because: None }.into());
    std::iter::once(added).chain(ended).collect()
}

/// A kept entry that says the same and was learnt at the same place.
fn twin(state: &State, said: &KnowledgeText) -> Option<EntryId> {
    let posting = state.texts.get(&text::key(said.kind.as_str(), &said.content))?;
    let same = |id: &&EntryId| {
        let source = state.entry(**id).map(|entry| &entry.said.source);
        source.is_some_and(|source| (&source.session, &source.entries) == (&said.source.session, &said.source.entries))
    };
    posting.ids.iter().rev().find(same).copied()
}

fn superseded(state: &State, Supersede { entry, by }: Supersede, moment: &Moment<'_>) -> Decided {
    may_review(moment, "change_knowledge")?;
    if entry == by {
        return Err(Refusal::Itself { entry });
    }
    holding(state, entry)?;
    holding(state, by)?;
    Ok(Outcome::of(Superseded { entry, by, because: None }))
}

/// What came is recorded with the counts of each stage; what has faded since is announced by the way.
fn retrieved(state: &State, ask: &Retrieve, moment: &Moment<'_>) -> Decided {
    if ask.query.trim().is_empty() && ask.entities.is_empty() {
        return Err(Refusal::NoQuery);
    }
    if !ask.entities.iter().all(|name| entity::is_a_name(name)) {
        return Err(Refusal::BadName { most: entity::MOST_CHARS });
    }
    let trace = retrieve(state, ask, moment.settings, moment.at);
    let mut events = vec![Retrieved { entries: trace.results, stages: trace.stages }.into()];
    let interval = u64::from(moment.settings.get(&RUN_INTERVAL_MINUTES)) * 60_000;
    let is_due = state.totals.announced_at.is_none_or(|last| moment.at.since(last) >= interval);
    if is_due {
        events.extend(faded(state, moment));
    }
    Ok(Outcome { events, refusal: None })
}

fn archived(state: &State, archive: &Archive, moment: &Moment<'_>) -> Decided {
    may_review(moment, "archive_knowledge")?;
    let entry = archive.entry;
    let found = holding(state, entry)?;
    match KnowledgeDecay::of(moment.settings).status(found, moment.at) {
        KnowledgeStatus::Archived => Err(Refusal::Archived { entry }),
        KnowledgeStatus::Active | KnowledgeStatus::Decaying | KnowledgeStatus::Superseded => {
            Ok(Outcome::of(Archived { entry, reason: archive.reason.clone() }))
        }
    }
}

/// Brings back what was put away or has faded; from now on it fades anew.
fn restored(state: &State, Restore { entry }: &Restore, moment: &Moment<'_>) -> Decided {
    may_review(moment, "restore_knowledge")?;
    let entry = *entry;
    let found = holding(state, entry)?;
    match KnowledgeDecay::of(moment.settings).status(found, moment.at) {
        KnowledgeStatus::Archived => Ok(Outcome::of(Restored { entry })),
        KnowledgeStatus::Active | KnowledgeStatus::Decaying | KnowledgeStatus::Superseded => {
            Err(Refusal::NotArchived { entry })
        }
    }
}

/// What has faded and was not announced, those that faded first come first; nothing where there is none.
///
/// Clocks lie in the order of the document's own curve. Where that is configured, the first that runs on is the last
/// that is looked at; under another curve, all whose grace is over, and those of rules only where rules fade.
fn faded(state: &State, moment: &Moment<'_>) -> Option<Event> {
    let decay = KnowledgeDecay::of(moment.settings);
    if !decay.is_enabled {
        return None;
    }
    let rules_fade = !decay.exempt.contains(&KnowledgeKind::Rule);
    let end = horizon(&decay, moment.at);
    let is_last = |clock: &Clock| {
        !clock.is_open() || (clock.is_rule || !rules_fade) && (clock.fades_at > end || clock.is_rule && !rules_fade)
    };
    let is_due = |clock: &Clock| {
        let may_fade = clock.is_open() && (rules_fade || !clock.is_rule);
        may_fade && decay.is_below(clock.confidence, clock.since, moment.at)
    };
    let mut count = 2 * MOST_ANNOUNCED;
    loop {
        let clocks = state.clocks.first_by_rank(count);
        let due = clocks.iter().filter(|(_, clock)| is_due(clock));
        let crossings: Vec<Crossing> = due.filter_map(|(id, _)| crossing(state, id, &decay, moment)).collect();
        let is_done = clocks.len() < count || clocks.last().is_some_and(|(_, clock)| is_last(clock));
        if is_done || crossings.len() >= MOST_ANNOUNCED {
            return announcement(crossings);
        }
        count = count.saturating_mul(2);
    }
}

/// What fades later than this by the document's own curve has not faded yet.
fn horizon(decay: &KnowledgeDecay, now: Timestamp) -> Timestamp {
    /// No confidence lasts longer by that curve.
    const LONGEST_DAYS: i64 = 54;
    if *decay == KnowledgeDecay::documented() {
        return now;
    }
    now.plus_millis((LONGEST_DAYS - i64::from(decay.start_days)).saturating_mul(DAY_MS))
}

fn crossing(state: &State, id: &str, decay: &KnowledgeDecay, moment: &Moment<'_>) -> Option<Crossing> {
    let entry = state.entries.get(id).filter(|entry| decay.has_faded(entry, moment.at))?;
    Some(Crossing { entry: id.parse().ok()?, since: entry.touched_at(), at: decay.archives_at(entry)? })
}

fn announcement(mut crossings: Vec<Crossing>) -> Option<Event> {
    crossings.sort_by_key(|crossing| (crossing.at, crossing.entry));
    crossings.truncate(MOST_ANNOUNCED);
    (!crossings.is_empty()).then(|| Faded { entries: crossings }.into())
}
