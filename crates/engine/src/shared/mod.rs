//! Stores of several projects: `~/.context/global/annals` is that of this program, `~/.context/global/shared` that of
//! every program, `~/.context/global/shared/groups/NAME` that of a few projects (AFS 6.3–6.5, appendix C).
//!
//! Each is a log of its own, with its own lock; what goes from one log to another is observed in the first and decided in
//! the second, so that no two locks are ever held at once, and doing it again changes nothing.

pub mod groups;

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Answer, By, Engine, EngineError};
use annals_kernel::actor::USER;
use annals_kernel::decision::Refusal;
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, NO_SESSION, SessionId};
use annals_kernel::json::Json;
use annals_kernel::time::Timestamp;
use annals_rules::domain::Event;
use annals_rules::domain::hivemind::command::{Clash, Observed, Pull, Push};
use annals_rules::domain::hivemind::row::NewEntry;
use annals_rules::domain::hivemind::sync::{MOST_CLASHES, MOST_OFFERS, OfferFate, fate};
use annals_rules::domain::hivemind::{Command, EntryCategory, Event as Hive, HivemindEntry, Scope};

/// A store of several projects.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Store {
    /// That of this program.
    Annals,
    /// That of every program.
    Shared,
    /// That of the projects of a group.
    Group(Box<str>),
}

impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Annals => f.write_str("annals"),
            Self::Shared => f.write_str("shared"),
            Self::Group(name) => write!(f, "groups/{name}"),
        }
    }
}

impl Store {
    /// The store of a name; nothing where that is none.
    pub fn named(text: &str) -> Option<Self> {
        match text {
            "annals" => Some(Self::Annals),
            "shared" => Some(Self::Shared),
            _ => {
                let group = text.strip_prefix("groups/").filter(|name| groups::is_plain(name))?;
                Some(Self::Group(group.into()))
            }
        }
    }

    /// Where its log is.
    pub fn folder(&self, home: &Path) -> PathBuf {
        let global = global(home);
        match self {
            Self::Annals => global.join("annals"),
            Self::Shared => global.join("shared"),
            Self::Group(name) => global.join("shared").join("groups").join(&**name),
        }
    }

    /// Which entries of a project it is for: a group's projects share what they have; the others get what is global.
    fn wants(&self, entry: &HivemindEntry) -> bool {
        match self {
            Self::Annals | Self::Shared => entry.scope == Scope::Global,
            Self::Group(_) => true,
        }
    }

    /// For whom an entry is that comes or goes this way: a group does not make it one for every project.
    const fn scope(&self) -> Scope {
        match self {
            Self::Annals | Self::Shared => Scope::Global,
            // Taken over as global it would go on to every project with the next sync.
            Self::Group(_) => Scope::Project,
        }
    }
}

fn global(home: &Path) -> PathBuf {
    home.join(".context").join("global")
}

/// Where groups are configured (AFS 6.4).
pub fn groups_file(home: &Path) -> PathBuf {
    global(home).join("shared").join("project-groups.json")
}

words! {
    /// In which direction (AFS 6.5).
    pub enum SyncDirection {
        /// The stores take over what the project has.
        Push = "push",
        /// The project takes over what the stores have.
        Pull = "pull",
        /// Both.
        Both = "bidirectional",
    }
}

/// Whether anything is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earnest {
    /// It is only said what would be done.
    Rehearsal,
    /// It is done.
    Deed,
}

/// A project and a store that meet.
pub struct Meeting<'m> {
    /// The project's log.
    pub project: &'m Engine,
    /// What the project is called.
    pub name: &'m str,
    /// Who asks for it, in the project.
    pub by: &'m By,
    /// The store's log.
    pub store: &'m Engine,
    /// Which it is.
    pub which: &'m Store,
    /// What may go from one to the other.
    pub categories: &'m BTreeSet<EntryCategory>,
    /// What becomes of a key that has two values.
    pub conflicts: Clash,
    /// Whether anything is done.
    pub earnest: Earnest,
}

/// What became, or would become, of what was offered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Counts {
    /// Offered.
    pub offered: usize,
    /// New there.
    pub added: usize,
    /// There already.
    pub same: usize,
    /// Put in place of another value.
    pub replaced: usize,
    /// Contested with it.
    pub contested: usize,
    /// Not taken: there is another value, and that stays.
    pub kept: usize,
}

/// What came of one direction, or why nothing did.
pub type Went = Result<Counts, Refusal>;

impl Meeting<'_> {
    /// Whether a rule forbids the project to meet anybody.
    pub fn forbidden(&self) -> Result<Option<Refusal>, EngineError> {
        let pull = Pull { from: self.which.to_string().into(), conflicts: self.conflicts };
        Ok(self.project.rehearse(Command::from(pull), &Json::empty_object(), self.by)?.decided.refusal)
    }

    /// The store takes over what the project offers, and the project notes what the store has.
    pub fn push(&self) -> Result<Went, EngineError> {
        let offers = self.offers(self.project, |_, entry| self.which.wants(entry))?;
        // In the store nobody is known but the user, whose home it is.
        let user = By::new(AgentId::from(USER), SessionId::from(NO_SESSION));
        let went = self.hand(self.store, &user, self.name, &offers)?;
        if went.is_ok() && self.earnest == Earnest::Deed {
            let there: Vec<_> = fates(self.store, &offers)?.into_iter().zip(&offers).collect();
            let keys =
                there.into_iter().filter(|(fate, _)| *fate == OfferFate::Same).map(|(_, offer)| offer.key.clone());
            return Ok(self.note(&keys.collect::<Vec<_>>())?.map_or(went, Err));
        }
        Ok(went)
    }

    /// The project takes over what the store offers.
    pub fn pull(&self) -> Result<Went, EngineError> {
        let offers = self.offers(self.store, |_, _| true)?;
        self.hand(self.project, self.by, &self.which.to_string(), &offers)
    }

    /// What one of the two has that may travel: neither what has faded nor what is contested.
    fn offers(
        &self,
        from: &Engine,
        wants: impl Fn(&str, &HivemindEntry) -> bool,
    ) -> Result<Vec<NewEntry>, EngineError> {
        let now = from.clock().now();
        let may_travel = |key: &str, entry: &HivemindEntry| {
            entry.removed.is_none()
                && entry.contest.is_none()
                && !entry.is_expired_at(now)
                && self.categories.contains(&entry.category)
                && entry.category.travels()
                && wants(key, entry)
        };
        from.ask(|world| {
            let entries = world.rooms.hivemind.entries.iter().filter(|(key, entry)| may_travel(key, entry));
            entries.map(|(key, entry)| self.offer(key, entry)).collect()
        })
    }

    fn offer(&self, key: &str, entry: &HivemindEntry) -> NewEntry {
        let source_project = entry.sync.source_project.clone().unwrap_or_else(|| self.name.into());
        NewEntry {
            id: entry.id.clone(),
            key: key.into(),
            category: entry.category,
            scope: self.which.scope(),
            value: entry.value.clone(),
            confidence: entry.confidence,
            source: entry.source.clone(),
            decay_rate: entry.decay.decay_rate,
            expires_below: entry.decay.expires_below,
            tags: entry.tags.clone(),
            related_entries: entry.related.clone(),
            original_entry_id: None,
            source_project: Some(source_project),
            last_accessed: Some(entry.decay.last_accessed),
        }
    }

    /// One takes over what the other offers, in as many decisions as that takes.
    fn hand(&self, to: &Engine, by: &By, from: &str, offers: &[NewEntry]) -> Result<Went, EngineError> {
        let fates = fates(to, offers)?;
        let mut counts = Counts { offered: offers.len(), ..Counts::default() };
        let mut wanted = Vec::new();
        for (fate, offer) in fates.into_iter().zip(offers) {
            match (fate, self.conflicts) {
                (OfferFate::Same, _) => counts.same += 1,
                (OfferFate::New, _) | (OfferFate::Other, Clash::Replace | Clash::Council) => {
                    wanted.push((fate, offer.clone()));
                }
                (OfferFate::Other, Clash::Skip) | (OfferFate::Closed | OfferFate::Stays, _) => counts.kept += 1,
            }
        }
        if self.earnest == Earnest::Rehearsal {
            let clashes = wanted.iter().filter(|(fate, _)| *fate == OfferFate::Other).count();
            counts.added = wanted.len() - clashes;
            *(if self.conflicts == Clash::Replace { &mut counts.replaced } else { &mut counts.contested }) = clashes;
            return Ok(Ok(counts));
        }
        let wanted: Vec<_> = wanted.into_iter().map(|(_, offer)| offer).collect();
        for offers in wanted.chunks(MOST_OFFERS) {
            if let Some(refusal) = self.decide(to, by, from, offers, &mut counts)? {
                return Ok(Err(refusal));
            }
        }
        Ok(Ok(counts))
    }

    /// A decision has room for so many conflicts; what is left of them goes into the next.
    fn decide(
        &self,
        to: &Engine,
        by: &By,
        from: &str,
        offers: &[NewEntry],
        counts: &mut Counts,
    ) -> Result<Option<Refusal>, EngineError> {
        let observed = Json::of(&Observed { offers: offers.to_vec() });
        for _ in 0..=MOST_OFFERS / MOST_CLASHES {
            let pull = Pull { from: from.into(), conflicts: self.conflicts };
            let answer = to.decide(Command::from(pull), &observed, by)?;
            let clashes = count(&answer, counts);
            if answer.refusal.is_some() || clashes < MOST_CLASHES {
                return Ok(answer.refusal);
            }
        }
        Ok(None)
    }

    fn note(&self, keys: &[Box<str>]) -> Result<Option<Refusal>, EngineError> {
        for keys in keys.chunks(MOST_OFFERS) {
            let push = Push { to: self.which.to_string().into(), keys: keys.to_vec() };
            let answer = self.project.decide(Command::from(push), &Json::empty_object(), self.by)?;
            if answer.refusal.is_some() {
                return Ok(answer.refusal);
            }
        }
        Ok(None)
    }
}

/// What would become of each offer.
fn fates(to: &Engine, offers: &[NewEntry]) -> Result<Vec<OfferFate>, EngineError> {
    let (now, settings): (Timestamp, _) = (to.clock().now(), to.settings());
    to.ask(|world| offers.iter().map(|offer| fate(&world.rooms.hivemind, offer, now, settings)).collect())
}

/// Adds up what a decision took over; says how many conflicts it had room for.
fn count(answer: &Answer, counts: &mut Counts) -> usize {
    let mut clashes = 0;
    for event in &answer.events {
        let Event::Hivemind(Hive::Pulled(pulled)) = event else { continue };
        counts.added += pulled.added.len();
        counts.replaced += pulled.replaced.len();
        counts.contested += pulled.contested.len();
        clashes += pulled.replaced.len() + pulled.contested.len();
    }
    clashes
}
