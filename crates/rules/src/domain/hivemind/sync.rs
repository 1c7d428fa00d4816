//! What goes from one store to another (AFS 6.5): knowledge, decisions and preferences. One rule for both directions: a
//! store takes over what another offers, and what it has with another value stays, is replaced, or is contested.

use super::command::{Clash, Pull, Push};
use super::decay::Curve;
use super::decide::{Decided, is_for_leads, key, value};
use super::event::{Contested, Event, Pulled, Pushed, Updated};
use super::key::key_of;
use super::refusal::Refusal;
use super::row::{ContestPurpose, HivemindEntry, NewEntry, Scope};
use super::settings::{EXPIRES_BELOW, GLOBAL_ENABLED, rate_of};
use super::state::{State, short_hash};
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::IssueId;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// So many offers one decision answers.
pub const MOST_OFFERS: usize = 100;
/// So many values one decision replaces or has contested: what follows from them must fit into its line, too.
pub const MOST_CLASHES: usize = 16;
/// The longest name of a store or project, in characters.
const NAME_CHARS: usize = 100;

/// What becomes of something that is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfferFate {
    /// It is new here; or what had the key has expired.
    New,
    /// It is here.
    Same,
    /// It has another value here.
    Other,
    /// It was taken away here, is contested, was decided against, or is golden with another value; or it is global here,
    /// and what is offered is for a group alone.
    Closed,
    /// It is nothing that travels, or has faded on the way.
    Stays,
}

/// What becomes of something that is offered, before it is asked what a conflict comes to.
pub fn fate(state: &State, offer: &NewEntry, now: Timestamp, settings: &Settings) -> OfferFate {
    // The other store is a file of another project, which anybody may have written: what it offers is held against
    // the rules of one's own.
    let is_sound = key_of(&offer.key).as_deref() == Some(&*offer.key)
        && offer.category.travels()
        && value("value", &offer.value, settings).as_deref() == Ok(&*offer.value)
        && !has_faded(offer, now, settings);
    let Some(here) = state.row(&offer.key).filter(|_| is_sound) else {
        return if is_sound { OfferFate::New } else { OfferFate::Stays };
    };
    if here.removed.is_some() {
        OfferFate::Closed
    } else if here.is_expired_at(now) {
        OfferFate::New
    } else if here.value == offer.value {
        OfferFate::Same
    } else if is_closed(here, offer) {
        OfferFate::Closed
    } else {
        OfferFate::Other
    }
}

/// Whether it would have expired here, had it been here since it was last used.
fn has_faded(offer: &NewEntry, now: Timestamp, settings: &Settings) -> bool {
    let (rate, floor) = (rate_of(offer.category, settings), settings.get(&EXPIRES_BELOW));
    let curve = Curve { confidence: offer.confidence, rate, floor, since: last_use(offer, now) };
    curve.expires_at().is_some_and(|at| at <= now)
}

/// Clocks differ: nothing was used later than now.
fn last_use(offer: &NewEntry, now: Timestamp) -> Timestamp {
    offer.last_accessed.unwrap_or(offer.source.timestamp).min(now)
}

fn is_closed(here: &HivemindEntry, offer: &NewEntry) -> bool {
    // With a group's value in its place, it would go on to every project.
    let is_narrower = here.scope == Scope::Global && offer.scope == Scope::Project;
    let is_decided = here.golden.is_some() || here.declined.contains(&short_hash(&offer.value));
    here.contest.is_some() || is_decided || is_narrower
}

fn may_travel(moment: &Moment<'_>) -> Result<(), Refusal> {
    is_for_leads(moment, "sync_with_other_projects")?;
    if moment.settings.get(&GLOBAL_ENABLED) { Ok(()) } else { Err(Refusal::GlobalDisabled) }
}

/// Whether a text can be the name of a store or project: it stands in paths.
pub fn is_store_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./".contains(letter);
    let parts = || name.split('/');
    (1..=NAME_CHARS).contains(&name.chars().count())
        && name.chars().all(is_plain)
        && parts().all(|part| !part.is_empty() && !part.starts_with('.'))
}

fn store(name: &str) -> Result<Box<str>, Refusal> {
    let bad = || Refusal::BadStore { name: name.chars().take(NAME_CHARS).collect() };
    if is_store_name(name) { Ok(name.into()) } else { Err(bad()) }
}

pub(super) fn pulled(state: &State, pull: &Pull, offers: &[NewEntry], moment: &Moment<'_>) -> Decided {
    may_travel(moment)?;
    let from = store(&pull.from)?;
    if offers.len() > MOST_OFFERS {
        return Err(Refusal::TooMany { count: offers.len(), most: MOST_OFFERS });
    }
    let mut done = Pulled { from, added: Vec::new(), replaced: Vec::new(), contested: Vec::new() };
    let mut clashes = Vec::new();
    for offer in offers {
        match fate(state, offer, moment.at, moment.settings) {
            OfferFate::New if !done.added.iter().any(|new| new.key == offer.key) => {
                let new = taken(state, offer, done.added.len(), &done.from, moment);
                done.added.push(new);
            }
            OfferFate::Other if clashes.len() < MOST_CLASHES => clashes.extend(clash(offer, pull, &mut done)),
            OfferFate::New | OfferFate::Other | OfferFate::Same | OfferFate::Closed | OfferFate::Stays => {}
        }
    }
    if done.added.is_empty() && clashes.is_empty() {
        return Ok(Outcome { events: Vec::new(), refusal: None });
    }
    let events = std::iter::once(done.into()).chain(clashes).collect();
    Ok(Outcome { events, refusal: None })
}

/// What is offered, as it is kept here: it fades at the rate of what is learnt here, since it was last used. It is for
/// whom it was offered: what only a group shares does not become global by that (AFS 6.4).
fn taken(state: &State, offer: &NewEntry, count: usize, from: &str, moment: &Moment<'_>) -> NewEntry {
    NewEntry {
        id: IssueId::of(moment.id, count).as_str().into(),
        decay_rate: rate_of(offer.category, moment.settings),
        expires_below: moment.settings.get(&EXPIRES_BELOW),
        original_entry_id: state.row(&offer.key).map(|old| old.id.clone()),
        source_project: Some(offer.source_project.clone().unwrap_or_else(|| from.into())),
        last_accessed: Some(last_use(offer, moment.at)),
        ..offer.clone()
    }
}

fn clash(offer: &NewEntry, pull: &Pull, done: &mut Pulled) -> Option<Event> {
    let (key, from) = (offer.key.clone(), &done.from);
    match pull.conflicts {
        Clash::Skip => None,
        Clash::Replace if done.replaced.contains(&key) => None,
        Clash::Council if done.contested.contains(&key) => None,
        Clash::Replace => {
            let source_project = Some(offer.source_project.clone().unwrap_or_else(|| from.clone()));
            done.replaced.push(key.clone());
            let (changes, value) = (vec!["value".into(), "confidence".into()], Some(offer.value.clone()));
            let confidence = Some(offer.confidence);
            Some(Updated { key, changes, value, confidence, council: None, source_project }.into())
        }
        Clash::Council => {
            let project = offer.source_project.as_ref().unwrap_or(from);
            let reason = format!("{project} has another value").into();
            done.contested.push(key.clone());
            let alternative = Some(offer.value.clone());
            Some(Contested { key, purpose: ContestPurpose::Conflict, reason, alternative }.into())
        }
    }
}

pub(super) fn pushed(state: &State, push: &Push, moment: &Moment<'_>) -> Decided {
    may_travel(moment)?;
    let to = store(&push.to)?;
    if push.keys.len() > MOST_OFFERS {
        return Err(Refusal::TooMany { count: push.keys.len(), most: MOST_OFFERS });
    }
    let mut keys = Vec::new();
    for text in &push.keys {
        let key = key(text)?;
        let entry = state.entry(&key).ok_or_else(|| Refusal::UnknownEntry { key: key.clone() })?;
        if !entry.sync.synced_to.contains(&to) && !keys.contains(&key) {
            keys.push(key);
        }
    }
    let events = if keys.is_empty() { Vec::new() } else { vec![Pushed { to, keys }.into()] };
    Ok(Outcome { events, refusal: None })
}
