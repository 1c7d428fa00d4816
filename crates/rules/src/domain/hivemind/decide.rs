//! What becomes of a command (AFS 6; decisions 21, 22).

use super::command::{Access, Add, Command, Contest, Nominate, Observed, Remove, Rise, Settle, Supersede};
use super::event::{Accessed, Added, Contested, Event, Removed};
use super::key::key_of;
use super::refusal::Refusal;
use super::row::{ContestPurpose, EntryCategory, EntrySource, HivemindEntry, NewEntry, Scope};
use super::settings::{DEFAULT_CONFIDENCE, EXPIRES_BELOW, GLOBAL_ENABLED, MAX_LENGTH, rate_of};
use super::state::State;
use super::sync;
use annals_kernel::actor::{SYSTEM, Standing, USER};
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;

/// The longest reason, in characters.
const REASON_CHARS: usize = 500;
/// The most tags, and the most related keys.
const MOST_WORDS: usize = 16;
/// The longest of them, in characters.
const WORD_CHARS: usize = 100;
/// So many expiries one decision announces: what follows from them must fit into its line, too.
pub(crate) const MOST_ANNOUNCED: usize = 16;

pub(super) type Decided = Result<Outcome<Event, Refusal>, Refusal>;

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    match command {
        Command::Add(add) => added(state, add, moment),
        Command::Access(access) => accessed(state, access, moment),
        Command::Contest(contest) => contested(state, contest, moment),
        Command::Nominate(nominate) => nominated(state, nominate, moment),
        Command::Supersede(supersede) => superseded(state, supersede, moment),
        Command::Settle(settle) => settled(state, settle, moment),
        Command::Remove(remove) => removed(state, remove, moment),
        Command::Announce(_) => {
            let expired = state.expiries(moment.at, MOST_ANNOUNCED);
            Ok(Outcome { events: expired.into_iter().map(Event::from).collect(), refusal: None })
        }
        Command::Pull(pull) => sync::pulled(state, pull, &observed.offers, moment),
        Command::Push(push) => sync::pushed(state, push, moment),
    }
    .into()
}

pub(super) fn key(text: &str) -> Result<Box<str>, Refusal> {
    key_of(text).ok_or_else(|| Refusal::BadKey { key: text.chars().take(WORD_CHARS).collect() })
}

/// An entry that is there and has not expired.
fn live<'s>(state: &'s State, key: &str, moment: &Moment<'_>) -> Result<&'s HivemindEntry, Refusal> {
    let entry = state.entry(key).ok_or_else(|| Refusal::UnknownEntry { key: key.into() })?;
    let expired = entry.expires_at().filter(|at| *at <= moment.at);
    expired.map_or(Ok(entry), |at| Err(Refusal::Expired { key: key.into(), at }))
}

pub(super) fn is_for_leads(moment: &Moment<'_>, what: &'static str) -> Result<(), Refusal> {
    let is_lead = moment.standing.is_lead();
    if is_lead { Ok(()) } else { Err(Refusal::NotALead { actor: moment.actor.clone(), what }) }
}

fn short(what: &'static str, text: &str, most: usize) -> Result<(), Refusal> {
    let length = text.chars().count();
    if length > most { Err(Refusal::TooLong { what, length, most }) } else { Ok(()) }
}

fn reason(text: &str) -> Result<Box<str>, Refusal> {
    short("reason", text, REASON_CHARS)?;
    if text.trim().is_empty() { Err(Refusal::NoReason) } else { Ok(text.trim().into()) }
}

pub(super) fn value(what: &'static str, text: &str, settings: &Settings) -> Result<Box<str>, Refusal> {
    short(what, text, settings.get(&MAX_LENGTH))?;
    if text.trim().is_empty() { Err(Refusal::NoValue) } else { Ok(text.trim().into()) }
}

fn words(words: &[Box<str>]) -> Result<Vec<Box<str>>, Refusal> {
    let is_word = |word: &str| {
        (1..=WORD_CHARS).contains(&word.chars().count())
            && !word.chars().any(|letter| letter.is_whitespace() || letter.is_control())
    };
    let bad = || Refusal::BadWords { most: MOST_WORDS, chars: WORD_CHARS };
    let mut words: Vec<Box<str>> = words.iter().map(|word| word.trim().trim_start_matches('#').into()).collect();
    words.sort();
    words.dedup();
    if words.len() <= MOST_WORDS && words.iter().all(|word| is_word(word)) { Ok(words) } else { Err(bad()) }
}

/// As what somebody learnt it.
fn role_of(moment: &Moment<'_>) -> Box<str> {
    match &moment.standing {
        Standing::User => USER.into(),
        Standing::System => SYSTEM.into(),
        Standing::Agent(role) => role.as_str().into(),
        Standing::Stranger => "stranger".into(),
    }
}

/// How sure a new entry is: one that would be gone at once is none.
fn confidence(given: Option<Share>, category: EntryCategory, moment: &Moment<'_>) -> Result<Share, Refusal> {
    let confidence = given.unwrap_or_else(|| moment.settings.get(&DEFAULT_CONFIDENCE));
    let least = moment.settings.get(&EXPIRES_BELOW);
    let fades = rate_of(category, moment.settings) != Share::NONE;
    if fades && confidence < least { Err(Refusal::TooWeak { confidence, least }) } else { Ok(confidence) }
}

fn added(state: &State, add: &Add, moment: &Moment<'_>) -> Decided {
    let key = key(&add.key)?;
    let value = value("value", &add.value, moment.settings)?;
    let confidence = confidence(add.confidence, add.category, moment)?;
    let promotion_reason = add.reason.as_deref().map(reason).transpose()?.unwrap_or_default();
    let (tags, related_entries) = (words(&add.tags)?, words(&add.related)?);
    let original_entry_id = match state.row(&key) {
        None => None,
        Some(old) if old.removed.is_some() || old.is_expired_at(moment.at) => Some(old.id.clone()),
        Some(old) if old.value == value => return Err(Refusal::Known { key }),
        Some(_) => return Err(Refusal::OtherValue { key }),
    };
    let entry = NewEntry {
        id: moment.id.to_string().into(),
        key,
        category: add.category,
        scope: Scope::Project,
        value,
        confidence,
        source: source(promotion_reason, moment),
        decay_rate: rate_of(add.category, moment.settings),
        expires_below: moment.settings.get(&EXPIRES_BELOW),
        tags,
        related_entries,
        original_entry_id,
        source_project: None,
        last_accessed: None,
    };
    Ok(Outcome::of(Added { entry }))
}

fn source(promotion_reason: Box<str>, moment: &Moment<'_>) -> EntrySource {
    EntrySource {
        session_id: moment.session.clone(),
        agent_role: role_of(moment),
        agent_id: moment.actor.clone(),
        timestamp: moment.at,
        promotion_reason,
    }
}

fn accessed(state: &State, access: &Access, moment: &Moment<'_>) -> Decided {
    let key = key(&access.key)?;
    access.reason.as_deref().map(reason).transpose()?;
    live(state, &key, moment)?;
    Ok(Outcome::of(Accessed { key }))
}

/// An entry that somebody may question: it is there, and nobody questions it yet.
fn uncontested<'s>(state: &'s State, key: &str, moment: &Moment<'_>) -> Result<&'s HivemindEntry, Refusal> {
    let entry = live(state, key, moment)?;
    if entry.contest.is_some() { Err(Refusal::ContestedAlready { key: key.into() }) } else { Ok(entry) }
}

fn unless_golden(entry: &HivemindEntry, key: &str, moment: &Moment<'_>) -> Result<(), Refusal> {
    let is_closed = entry.golden.is_some() && !moment.standing.is_lead();
    if is_closed { Err(Refusal::Golden { key: key.into() }) } else { Ok(()) }
}

fn contested(state: &State, contest: &Contest, moment: &Moment<'_>) -> Decided {
    let key = key(&contest.key)?;
    let reason = reason(&contest.reason)?;
    let entry = uncontested(state, &key, moment)?;
    unless_golden(entry, &key, moment)?;
    let alternative = match &contest.alternative {
        Some(text) => value("alternative", text, moment.settings)?,
        None => entry.rivals.first().map(|rival| rival.value.clone()).ok_or(Refusal::NoAlternative)?,
    };
    if alternative == entry.value {
        return Err(Refusal::SameValue { key });
    }
    Ok(Outcome::of(Contested { key, purpose: ContestPurpose::Conflict, reason, alternative: Some(alternative) }))
}

fn nominated(state: &State, nominate: &Nominate, moment: &Moment<'_>) -> Decided {
    let key = key(&nominate.key)?;
    let reason = reason(&nominate.reason)?;
    let entry = uncontested(state, &key, moment)?;
    let purpose = match nominate.rise {
        Rise::Golden if entry.golden.is_some() => return Err(Refusal::GoldenAlready { key }),
        Rise::Golden => ContestPurpose::DecayPromotion,
        Rise::Global if !moment.settings.get(&GLOBAL_ENABLED) => return Err(Refusal::GlobalDisabled),
        Rise::Global if entry.scope == Scope::Global => return Err(Refusal::GlobalAlready { key }),
        Rise::Global if !entry.category.travels() => {
            return Err(Refusal::StaysHere { category: entry.category });
        }
        Rise::Global => ContestPurpose::GlobalPromotion,
    };
    Ok(Outcome::of(Contested { key, purpose, reason, alternative: None }))
}

/// A new value is a new entry, which leads back to the old one.
fn superseded(state: &State, supersede: &Supersede, moment: &Moment<'_>) -> Decided {
    let key = key(&supersede.key)?;
    let old = uncontested(state, &key, moment)?;
    let author = &old.source.agent_id;
    if *author != moment.actor && !moment.standing.is_lead() {
        return Err(Refusal::NotItsAuthor { actor: moment.actor.clone(), key, author: author.clone() });
    }
    unless_golden(old, &key, moment)?;
    let value = value("value", &supersede.value, moment.settings)?;
    if value == old.value {
        return Err(Refusal::SameValue { key });
    }
    let promotion_reason = supersede.reason.as_deref().map(reason).transpose()?.unwrap_or_default();
    let entry = NewEntry {
        id: moment.id.to_string().into(),
        key,
        category: old.category,
        scope: old.scope,
        value,
        confidence: confidence(supersede.confidence, old.category, moment)?,
        source: source(promotion_reason, moment),
        decay_rate: rate_of(old.category, moment.settings),
        expires_below: moment.settings.get(&EXPIRES_BELOW),
        tags: old.tags.clone(),
        related_entries: old.related.clone(),
        original_entry_id: Some(old.id.clone()),
        source_project: None,
        last_accessed: None,
    };
    Ok(Outcome::of(Added { entry }))
}

fn settled(state: &State, settle: &Settle, moment: &Moment<'_>) -> Decided {
    is_for_leads(moment, "end_a_contest")?;
    let key = key(&settle.key)?;
    live(state, &key, moment)?;
    let event = state.settled(&key, settle.verdict, &moment.actor, None, moment.settings);
    event.map(Outcome::of).ok_or(Refusal::NotContested { key })
}

fn removed(state: &State, remove: &Remove, moment: &Moment<'_>) -> Decided {
    if !matches!(moment.standing, Standing::User | Standing::System) {
        return Err(Refusal::NotTheUser { actor: moment.actor.clone() });
    }
    let key = key(&remove.key)?;
    let reason = reason(&remove.reason)?;
    let entry = state.entry(&key).ok_or_else(|| Refusal::UnknownEntry { key: key.clone() })?;
    Ok(Outcome::of(Removed { entry_id: entry.id.clone(), key, reason }))
}
