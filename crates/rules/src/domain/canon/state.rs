//! All that holds, and all that held.

use serde::{Deserialize, Serialize};

use super::anchor::{Anchor, Number};
use super::claim::{Claim, differ, normal};
use super::command::{Command, Observed};
use super::event::{ClaimConflict, Established, Event, Staleness};
use super::row::{CanonEntry, Catch, Fact, Holder, Version, VersionEnded};
use annals_kernel::decision::Cause;
use annals_kernel::id::AgentId;
use annals_kernel::json::sha256_hex;
use annals_kernel::rows::Rows;

/// More texts in which one contradiction was noticed are not kept.
const MOST_TEXTS: usize = 16;

/// Counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// Entries, retired ones included.
    pub entries: u64,
    /// Versions of them.
    pub versions: u64,
    /// Facts of which canon says two things.
    pub disputed: u64,
    /// Contradictions that an agent kept out.
    pub prevented: u64,
}

/// All that holds, and all that held.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Counts.
    pub totals: Totals,
    /// Entries by key.
    pub entries: Rows<Box<str>, CanonEntry>,
    /// What current versions say, by subject and attribute.
    pub facts: Rows<Box<str>, Fact>,
    /// Contradictions that were noticed, by their own id.
    pub catches: Rows<Box<str>, Catch>,
}

type Why<'c> = Cause<'c, Command, Observed>;

impl State {
    /// An entry by its key.
    pub fn entry(&self, key: &str) -> Option<&CanonEntry> {
        self.entries.get(key)
    }

    /// What canon says against claims, in their order, each once.
    pub fn contradicted<'c>(&self, claims: impl IntoIterator<Item = &'c Claim>) -> Vec<ClaimConflict> {
        let mut conflicts: Vec<ClaimConflict> = Vec::new();
        for claim in claims {
            let fact = self.facts.get(claim.fact().as_str());
            let against =
                fact.iter().flat_map(|fact| &fact.0).filter(|holder| differ(&holder.claim.value, &claim.value));
            for conflict in against.map(|holder| conflict(claim, holder)) {
                if !conflicts.iter().any(|known| known.id() == conflict.id()) {
                    conflicts.push(conflict);
                }
            }
        }
        conflicts
    }

    /// Where canon contradicts itself: a merge of two branches can do that.
    pub fn conflicts(&self) -> Vec<&Fact> {
        let count = usize::try_from(self.totals.disputed).unwrap_or(usize::MAX);
        let mut facts = self.facts.first_by_rank(count);
        facts.sort_by_key(|(key, _)| *key);
        facts.into_iter().map(|(_, fact)| fact).collect()
    }

    /// Why what is cited holds no more; nothing where it does, or where it never was.
    pub(crate) fn staleness(&self, anchor: &Anchor<'_>) -> Option<(Staleness, Vec<Number>)> {
        let entry = self.entry(anchor.key)?;
        let current: Vec<_> = entry.current().map(|version| version.number).collect();
        let holds = match anchor.version {
            Some(number) => entry.version(number)?.ended.is_none(),
            None => !current.is_empty(),
        };
        let because = if current.is_empty() { Staleness::Retired } else { Staleness::Superseded };
        (!holds).then_some((because, current))
    }

    /// Whether there is, or was, what an anchor names.
    pub fn knows(&self, anchor: &Anchor<'_>) -> bool {
        let entry = self.entry(anchor.key);
        entry.is_some_and(|entry| anchor.version.is_none_or(|number| entry.version(number).is_some()))
    }

    /// Who noticed a contradiction in a text first, unless somebody has had the merit of it.
    pub(crate) fn catcher(&self, conflict: &ClaimConflict, text: &str) -> Option<&AgentId> {
        let catch = self.catches.get(&conflict.id()).filter(|catch| catch.merit.is_none())?;
        catch.texts.iter().find(|(known, _)| **known == *text).map(|(_, agent)| agent)
    }

    /// Whether somebody has had the merit of noticing a contradiction.
    pub fn is_paid(&self, conflict: &ClaimConflict) -> bool {
        self.catches.get(&conflict.id()).is_some_and(|catch| catch.merit.is_some())
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Why<'_>) {
        match event {
            Event::Established(established) => self.established(established, cause),
            Event::Retired(retired) => {
                for number in &retired.versions {
                    self.end(&retired.key, *number, None, cause);
                }
            }
            Event::Detected(detected) => {
                if let Some(Command::Detect(detect)) = cause.command() {
                    detected.conflicts.iter().for_each(|conflict| self.caught(conflict, &detect.text, &detected.agent));
                }
            }
            Event::Prevented(prevented) => {
                let catch = self.catches.entry(&prevented.conflict, Catch::default);
                self.totals.prevented += u64::from(catch.merit.is_none());
                catch.merit.get_or_insert_with(|| prevented.agent.clone());
            }
            Event::Promoted(_) | Event::Resolved(_) | Event::Outdated(_) => {}
        }
    }

    fn caught(&mut self, conflict: &ClaimConflict, text: &str, agent: &AgentId) {
        let catch = self.catches.entry(&conflict.id(), Catch::default);
        if catch.texts.len() < MOST_TEXTS && !catch.texts.iter().any(|(known, _)| **known == *text) {
            catch.texts.push((text.into(), agent.clone()));
        }
    }

    fn established(&mut self, new: &Established, cause: &Why<'_>) {
        let is_new = self.entries.get(&new.key).is_none();
        let entry = self.entries.entry(&new.key, CanonEntry::default);
        let twins = entry.versions.iter().filter(|version| version.number.number == new.version).count();
        let number = Number { number: new.version, twin: u32::try_from(twins).unwrap_or(u32::MAX) };
        entry.versions.push(Version {
            number,
            title: new.title.clone(),
            text: text_of(new, cause),
            claims: new.claims.clone(),
            source: new.source.clone(),
            by: cause.actor.clone(),
            at: cause.at,
            entry: cause.id,
            ended: None,
        });
        self.totals.entries += u64::from(is_new);
        self.totals.versions += 1;
        for old in &new.supersedes {
            self.end(&new.key, *old, Some(number), cause);
        }
        for claim in &new.claims {
            let (key, claim, source) = (new.key.clone(), claim.clone(), new.source.clone());
            self.change_fact(&claim.fact(), |fact| fact.0.push(Holder { key, version: number, claim, source }));
        }
    }

    /// A version holds no more, if it did.
    fn end(&mut self, key: &str, number: Number, by: Option<Number>, cause: &Why<'_>) {
        let Some(entry) = self.entries.get_mut(key) else { return };
        let held = entry.versions.iter_mut().find(|version| version.number == number && version.ended.is_none());
        let Some(version) = held else { return };
        version.ended = Some(VersionEnded { at: cause.at, by });
        for claim in version.claims.clone() {
            self.change_fact(&claim.fact(), |fact| {
                fact.0.retain(|holder| *holder.key != *key || holder.version != number);
            });
        }
    }

    fn change_fact(&mut self, name: &str, change: impl FnOnce(&mut Fact)) {
        let fact = self.facts.entry(name, Fact::default);
        let before = fact.is_disputed();
        change(fact);
        match (before, fact.is_disputed()) {
            (false, true) => self.totals.disputed += 1,
            (true, false) => self.totals.disputed = self.totals.disputed.saturating_sub(1),
            (true, true) | (false, false) => {}
        }
    }
}

fn conflict(claim: &Claim, holder: &Holder) -> ClaimConflict {
    ClaimConflict {
        claim: claim.clone(),
        key: holder.key.clone(),
        version: holder.version,
        value: holder.claim.value.clone(),
        said: holder.claim.said.clone(),
        source: holder.source.clone(),
    }
}

/// The text of a version: that of the command, or the sentences that took the place of what canon said.
fn text_of(new: &Established, cause: &Why<'_>) -> Box<str> {
    match cause.command() {
        Some(Command::Promote(promote)) => promote.text.clone(),
        Some(Command::State(state)) => state.text.clone(),
        Some(Command::Resolve(resolve)) => {
            let new_here = new.claims.iter().filter(|claim| resolve.claims.contains(claim));
            let mut said: Vec<&str> = new_here.filter_map(|claim| claim.said.as_deref()).collect();
            said.dedup();
            said.join("\n\n").into()
        }
        Some(Command::Retire(_) | Command::Detect(_)) | None => Box::default(),
    }
}

impl ClaimConflict {
    /// The same claim against the same version of canon is the same contradiction, whatever text it stands in.
    pub fn id(&self) -> Box<str> {
        let parts = [&self.claim.fact(), &normal(&self.claim.value), &*self.key, &self.version.to_string()];
        sha256_hex(parts.join("\n").as_bytes())[..16].into()
    }
}
