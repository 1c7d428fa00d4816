//! All that was learnt and not taken away, and when which of it expires.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::command::{Command, ContestVerdict, Observed};
use super::event::{Contested, EntryExpired, Event, PromotedGlobal, PromotedGolden, Pulled, Pushed, Updated, Upheld};
use super::row::{
    Contest, ContestPurpose, EntryCategory, EntryDecay, EntryDue, GoldenEntry, HivemindEntry, NewEntry, Other, Scope,
    Sync, TakenAway,
};
use super::settings::GOLDEN_EXEMPT;
use annals_kernel::decision::Cause;
use annals_kernel::id::AgentId;
use annals_kernel::json::sha256_hex;
use annals_kernel::rows::Rows;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// More values that a key had, has elsewhere, or is not to have are not kept beside it; the log has them all.
const MOST_OTHERS: usize = 16;

/// Counts.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// Entries that were not taken away, expired ones included, by category.
    #[always]
    pub entries: BTreeMap<EntryCategory, u64>,
    /// Golden ones among them.
    pub golden: u64,
    /// Contested ones among them.
    pub contested: u64,
    /// When an expiry was last announced.
    pub announced_at: Option<Timestamp>,
}

impl Totals {
    /// All of them.
    pub fn all(&self) -> u64 {
        self.entries.values().sum()
    }

    fn count(&mut self, entry: &HivemindEntry, by: impl Fn(u64) -> u64) {
        if entry.removed.is_some() {
            return;
        }
        let all = self.entries.entry(entry.category).or_default();
        *all = by(*all);
        if entry.golden.is_some() {
            self.golden = by(self.golden);
        }
        if entry.contest.is_some() {
            self.contested = by(self.contested);
        }
    }
}

/// All that was learnt.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Counts.
    pub totals: Totals,
    /// Entries by key, those that were taken away included.
    pub entries: Rows<Box<str>, HivemindEntry>,
    /// When which expires.
    pub expiring: Rows<Box<str>, EntryDue>,
}

type Why<'c> = Cause<'c, Command, Observed>;

impl State {
    /// An entry by its key, unless it was taken away. Whether it has expired is a question of the time.
    pub fn entry(&self, key: &str) -> Option<&HivemindEntry> {
        self.row(key).filter(|entry| entry.removed.is_none())
    }

    /// The same, whether it was taken away or not.
    pub fn row(&self, key: &str) -> Option<&HivemindEntry> {
        self.entries.get(key)
    }

    /// The so-many entries that expire first and of which it was not said yet, with the time.
    pub fn next_to_expire(&self, most: usize) -> Vec<(&str, Timestamp)> {
        let first = self.expiring.first_by_rank(most);
        first.into_iter().filter_map(|(key, due)| Some((&**key, due.unannounced()?))).collect()
    }

    /// Announcements of what has expired, the so-many that did so first.
    pub fn expiries(&self, now: Timestamp, most: usize) -> Vec<EntryExpired> {
        let crossed = self.next_to_expire(most).into_iter().filter(|(_, at)| *at <= now);
        let event = |(key, expired_at): (&str, Timestamp)| {
            let entry = self.entry(key)?;
            Some(EntryExpired { key: key.into(), entry_id: entry.id.clone(), expired_at })
        };
        crossed.filter_map(event).collect()
    }

    /// What follows where a contest or nomination ends, by a council or without one; nothing where there is none.
    pub fn settled(
        &self,
        key: &str,
        verdict: ContestVerdict,
        by: &AgentId,
        council: Option<&str>,
        settings: &Settings,
    ) -> Option<Event> {
        let entry = self.entry(key)?;
        let contest = entry.contest.as_ref()?;
        let (key, by, council): (Box<str>, _, Option<Box<str>>) = (key.into(), by.clone(), council.map(Into::into));
        if verdict == ContestVerdict::Reject {
            return Some(Upheld { key, council }.into());
        }
        Some(match contest.purpose {
            ContestPurpose::Conflict => {
                let (changes, value) = (vec!["value".into()], contest.alternative.clone());
                Updated { key, changes, value, confidence: None, council, source_project: None }.into()
            }
            ContestPurpose::DecayPromotion => {
                let is_exempt = settings.get(&GOLDEN_EXEMPT);
                let decay_rate = if is_exempt { Share::NONE } else { entry.decay.decay_rate };
                PromotedGolden { key, by, council, decay_rate }.into()
            }
            ContestPurpose::GlobalPromotion => PromotedGlobal { key, by, council }.into(),
        })
    }

    /// Notes which council was called for a contested entry.
    pub(crate) fn learn_council(&mut self, key: &str, council: &str) {
        self.change(key, |entry| {
            if let Some(contest) = &mut entry.contest {
                contest.council.get_or_insert_with(|| council.into());
            }
        });
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Why<'_>) {
        match event {
            Event::Added(added) => self.added(&added.entry, None, cause),
            Event::Accessed(accessed) => self.change(&accessed.key, |entry| used(entry, cause)),
            Event::Contested(contested) => self.change(&contested.key, |entry| contest(entry, contested, cause)),
            Event::Updated(updated) => self.change(&updated.key, |entry| update(entry, updated, cause)),
            Event::PromotedGolden(promoted) => self.change(&promoted.key, |entry| gild(entry, promoted, cause)),
            Event::PromotedGlobal(promoted) => self.change(&promoted.key, |entry| {
                if !is_late(entry, promoted.council.as_deref()) {
                    entry.scope = Scope::Global;
                    end(entry, ContestPurpose::GlobalPromotion, cause);
                }
            }),
            Event::Upheld(upheld) => self.change(&upheld.key, |entry| uphold(entry, cause)),
            Event::Removed(removed) => self.change(&removed.key, |entry| {
                // In another branch the key may have a new entry by now: that one stays.
                if entry.id == removed.entry_id {
                    let taken = TakenAway { by: cause.actor.clone(), at: cause.at, reason: removed.reason.clone() };
                    entry.removed.get_or_insert(taken);
                }
            }),
            Event::EntryExpired(expired) => {
                self.expiring.entry(&expired.key, EntryDue::default).announced = Some(expired.expired_at);
                self.totals.announced_at = self.totals.announced_at.max(Some(cause.at));
            }
            Event::Pulled(pulled) => self.pulled(pulled, cause),
            Event::Pushed(pushed) => self.pushed(pushed, cause),
        }
    }

    /// Changes an entry that is there, with all that is counted of it.
    fn change(&mut self, key: &str, change: impl FnOnce(&mut HivemindEntry)) {
        let Some(entry) = self.entries.get_mut(key) else { return };
        // Counted out before and in again behind: whatever the change does to it, the totals need no fold of all
        // entries.
        self.totals.count(entry, |count| count.saturating_sub(1));
        change(entry);
        self.totals.count(entry, |count| count.saturating_add(1));
        let at = entry.expires_at();
        if at.is_some() || self.expiring.get(key).is_some() {
            self.expiring.entry(key, EntryDue::default).at = at;
        }
    }

    /// A key that another branch has given a value, too, keeps the first; the other stands beside it, and nothing is
    /// lost. The same value again is a use of the entry.
    fn added(&mut self, new: &NewEntry, sync: Option<Timestamp>, cause: &Why<'_>) {
        if self.entries.get(&new.key).is_none() {
            self.entries.entry(&new.key, || entry_of(new, None, sync, cause));
            self.totals.count(&entry_of(new, None, sync, cause), |count| count.saturating_add(1));
        }
        self.change(&new.key, |entry| {
            let is_free = entry.removed.is_some() || entry.is_expired_at(cause.at);
            let takes_over = is_free || new.original_entry_id.as_ref() == Some(&entry.id);
            if entry.id != new.id && takes_over {
                *entry = entry_of(new, Some(entry), sync, cause);
            } else if entry.id != new.id && entry.value == new.value {
                used(entry, cause);
            } else if entry.id != new.id {
                let by = new.source.agent_id.clone();
                let rival = Other { entry_id: new.id.clone(), value: new.value.clone(), by, at: cause.at };
                keep(&mut entry.rivals, rival);
            }
        });
    }

    fn pulled(&mut self, pulled: &Pulled, cause: &Why<'_>) {
        for new in &pulled.added {
            self.added(new, Some(cause.at), cause);
        }
        for key in &pulled.replaced {
            self.change(key, |entry| entry.sync.last_sync = entry.sync.last_sync.max(Some(cause.at)));
        }
    }

    fn pushed(&mut self, pushed: &Pushed, cause: &Why<'_>) {
        for key in &pushed.keys {
            self.change(key, |entry| {
                entry.sync.last_sync = entry.sync.last_sync.max(Some(cause.at));
                if !entry.sync.synced_to.contains(&pushed.to) && entry.sync.synced_to.len() < MOST_OTHERS {
                    entry.sync.synced_to.push(pushed.to.clone());
                }
            });
        }
    }
}

fn entry_of(
    new: &NewEntry,
    before: Option<&HivemindEntry>,
    last_sync: Option<Timestamp>,
    cause: &Why<'_>,
) -> HivemindEntry {
    let mut past = before.map(|entry| entry.past.clone()).unwrap_or_default();
    // What other branches have is not decided on because the key has a new entry.
    let rivals = before.into_iter().flat_map(|entry| &entry.rivals).filter(|rival| rival.value != new.value);
    if let Some(before) = before {
        remember(&mut past, was(before));
    }
    HivemindEntry {
        id: new.id.clone(),
        category: new.category,
        scope: new.scope,
        value: new.value.clone(),
        confidence: new.confidence,
        source: new.source.clone(),
        decay: EntryDecay {
            last_accessed: new.last_accessed.unwrap_or(cause.at),
            access_count: 0,
            decay_rate: new.decay_rate,
            expires_below: new.expires_below,
        },
        tags: new.tags.clone(),
        related: new.related_entries.clone(),
        original: new.original_entry_id.clone(),
        contest: None,
        golden: None,
        sync: Sync { source_project: new.source_project.clone(), synced_to: Vec::new(), last_sync },
        rivals: rivals.cloned().collect(),
        past,
        declined: Vec::new(),
        removed: None,
    }
}

/// What an entry says, for the time when it says something else.
fn was(entry: &HivemindEntry) -> Other {
    let (entry_id, value) = (entry.id.clone(), entry.value.clone());
    Other { entry_id, value, by: entry.source.agent_id.clone(), at: entry.source.timestamp }
}

/// The oldest gives way.
fn remember(past: &mut Vec<Other>, before: Other) {
    past.push(before);
    if past.len() > MOST_OTHERS {
        past.remove(0);
    }
}

fn keep(rivals: &mut Vec<Other>, rival: Other) {
    // A merged log may hold any number of values for one key, and the row of a key is loaded whole.
    if rivals.len() < MOST_OTHERS && !rivals.iter().any(|known| known.value == rival.value) {
        rivals.push(rival);
    }
}

/// Of two branches the later access counts, and each of them is one.
fn used(entry: &mut HivemindEntry, cause: &Why<'_>) {
    touched(entry, cause);
    entry.decay.access_count = entry.decay.access_count.saturating_add(1);
}

/// It was looked at, as strongly as when it was used.
fn touched(entry: &mut HivemindEntry, cause: &Why<'_>) {
    // The later of two: a line that a merge brings late must not make an entry older than it is.
    entry.decay.last_accessed = entry.decay.last_accessed.max(cause.at);
}

/// Of two branches the first contest stands; what the other wants is kept beside the entry.
fn contest(entry: &mut HivemindEntry, new: &Contested, cause: &Why<'_>) {
    let Contested { purpose, reason, alternative, .. } = new.clone();
    match (&entry.contest, alternative) {
        (None, alternative) => {
            let (by, at) = (cause.actor.clone(), cause.at);
            entry.contest = Some(Contest { purpose, reason, alternative, by, at, council: None });
        }
        (Some(_), Some(value)) if value != entry.value => {
            let (entry_id, by) = (entry.id.clone(), cause.actor.clone());
            keep(&mut entry.rivals, Other { entry_id, value, by, at: cause.at });
        }
        (Some(_), Some(_) | None) => {}
    }
}

/// What a contest was about is settled; one about something else goes on. The entry was looked at, and is active again.
fn end(entry: &mut HivemindEntry, purpose: ContestPurpose, cause: &Why<'_>) {
    entry.contest = entry.contest.take().filter(|contest| contest.purpose != purpose);
    touched(entry, cause);
}

/// In another branch the same council came to its end before: the earlier counts.
fn is_late(entry: &HivemindEntry, council: Option<&str>) -> bool {
    council.is_some() && entry.contest.is_none()
}

fn update(entry: &mut HivemindEntry, updated: &Updated, cause: &Why<'_>) {
    if is_late(entry, updated.council.as_deref()) {
        return;
    }
    if let Some(value) = updated.value.as_ref().filter(|value| **value != entry.value) {
        let before = was(entry);
        remember(&mut entry.past, before);
        entry.value = value.clone();
        dismiss_rivals(entry);
        let name = short_hash(value);
        entry.declined.retain(|declined| *declined != name);
    }
    entry.confidence = updated.confidence.unwrap_or(entry.confidence);
    if let Some(project) = &updated.source_project {
        entry.sync.source_project = Some(project.clone());
    }
    end(entry, ContestPurpose::Conflict, cause);
}

/// What other branches had stands with what the key said before: it was decided on, and is not lost.
fn dismiss_rivals(entry: &mut HivemindEntry) {
    for rival in std::mem::take(&mut entry.rivals) {
        if rival.value != entry.value {
            remember(&mut entry.past, rival);
        }
    }
}

fn gild(entry: &mut HivemindEntry, promoted: &PromotedGolden, cause: &Why<'_>) {
    if is_late(entry, promoted.council.as_deref()) {
        return;
    }
    let (promoted_by, council_session_id) = (promoted.by.clone(), promoted.council.clone());
    entry.golden.get_or_insert(GoldenEntry { promoted_at: cause.at, promoted_by, council_session_id });
    entry.decay.decay_rate = promoted.decay_rate;
    end(entry, ContestPurpose::DecayPromotion, cause);
}

/// What it was decided not to say is not proposed again by the next sync.
fn uphold(entry: &mut HivemindEntry, cause: &Why<'_>) {
    if let Some(contest) = entry.contest.take() {
        let is_about_value = contest.purpose == ContestPurpose::Conflict;
        let rivals = entry.rivals.iter().filter(|_| is_about_value).map(|rival| rival.value.clone());
        let values: Vec<_> = contest.alternative.into_iter().chain(rivals).collect();
        for name in values.iter().map(|value| short_hash(value)) {
            if entry.declined.len() < MOST_OTHERS && !entry.declined.contains(&name) {
                entry.declined.push(name);
            }
        }
        if is_about_value {
            dismiss_rivals(entry);
        }
    }
    touched(entry, cause);
}

/// A value in 16 characters.
pub(super) fn short_hash(value: &str) -> Box<str> {
    sha256_hex(value.as_bytes())[..16].into()
}
