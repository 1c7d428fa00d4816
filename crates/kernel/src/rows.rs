//! A map of which only a part may be in memory, so that a command opens of a checkpoint what it needs.
//!
//! A row that is asked for and is not here is loaded from the store below, so that an answer is the same whatever is in
//! memory. What a trial changes can be taken back. Does not know where rows come from; `engine::checkpoint` does.

mod below;
mod trial;

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};

use self::below::Below;
use self::trial::Trial;
use super::mix::mix;

/// A row's key in a table.
pub trait Key: Ord + Clone + Hash + Debug + Borrow<str> + for<'k> From<&'k str> {}
impl<K: Ord + Clone + Hash + Debug + Borrow<str> + for<'k> From<&'k str>> Key for K {}

/// What a table holds.
pub trait Row: Ranked + Clone + Debug + Serialize + DeserializeOwned {}
impl<V: Ranked + Clone + Debug + Serialize + DeserializeOwned> Row for V {}

/// A row that can be listed in an order of its own, highest first.
pub trait Ranked {
    /// The higher, the earlier in a list.
    fn rank(&self) -> i64;
}

/// Where the rows are that are not in memory. It answers for all tables, by name; a store that turns out to be damaged
/// answers as if it were empty, and tells whoever made it.
pub trait Store: Debug + Send + Sync {
    /// The row of a key, as JSON.
    fn row(&self, table: &'static str, key: &str) -> Option<String>;
    /// The keys of the first `count` rows by rank, and perhaps others.
    fn first_by_rank(&self, table: &'static str, count: usize) -> Vec<String>;
    /// Every row, in any order.
    fn each(&self, table: &'static str, take: &mut dyn FnMut(&str, &str));
    /// Hears that a row is none of the table's: the store is damaged.
    fn reject(&self, table: &'static str, key: &str);
}

/// Rows of one table, some or all of them in memory.
#[derive(Debug, Clone)]
pub struct Rows<K, V> {
    /// Where each row is. Only ever asked for one key: what is listed is sorted.
    index: Index<K>,
    slots: Vec<Slot<K, V>>,
    /// How many rows are not as they are stored.
    changed: usize,
    /// The rest of the rows; nothing where all are here.
    below: Option<Below<K, V>>,
    trial: Option<Trial<V>>,
}

#[expect(clippy::disallowed_types, reason = "it is never iterated, and the fold asks it for every line")]
type Index<K> = std::collections::HashMap<K, usize, FixedState>;

/// A hash that is the same in every run.
#[derive(Debug, Clone, Copy, Default)]
struct FixedState;

impl BuildHasher for FixedState {
    type Hasher = WordHasher;

    fn build_hasher(&self) -> WordHasher {
        WordHasher(0)
    }
}

/// Takes eight bytes at a time; for short names, not for hostile ones: those only make the table slow.
#[derive(Debug, Clone, Copy)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = mix(self.0, bytes);
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

#[derive(Debug, Clone)]
struct Slot<K, V> {
    key: K,
    value: V,
    state: SlotState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SlotState {
    AsStored,
    Changed,
}

/// A table of any rows, for whoever stores them: keys and rows are text.
pub trait Table {
    /// Keys, ranks and rows that are not as they are stored, in the order of the keys.
    fn changed_text(&self) -> Vec<(String, i64, String)>;
    /// Says that what is here is stored now.
    fn stored(&mut self);
    /// Whether every row is in memory.
    fn is_whole(&self) -> bool;
    /// How many rows are not as they are stored.
    fn changed_count(&self) -> usize;
    /// From here on changes can be taken back.
    fn begin_trial(&mut self);
    /// Takes back what was changed since the trial began.
    fn end_trial(&mut self);
}

impl<K: Key, V: Row> Table for Rows<K, V> {
    fn changed_text(&self) -> Vec<(String, i64, String)> {
        let text = |row: &V| serde_json::to_string(row).expect("BUG: a row does not serialize");
        let key = |key: &K| Borrow::<str>::borrow(key).to_owned();
        self.changed().into_iter().map(|(name, row)| (key(name), row.rank(), text(row))).collect()
    }

    fn stored(&mut self) {
        self.changed = 0;
        for slot in &mut self.slots {
            slot.state = SlotState::AsStored;
        }
        if let Some(below) = &mut self.below {
            below.forget_ranks();
        }
    }

    fn is_whole(&self) -> bool {
        self.below.is_none()
    }

    fn changed_count(&self) -> usize {
        self.changed
    }

    fn begin_trial(&mut self) {
        self.trial = Some(Trial::new(self.slots.len(), self.changed));
    }

    fn end_trial(&mut self) {
        let Some(trial) = self.trial.take() else { return };
        self.take_back(trial);
    }
}

impl<K, V> Default for Rows<K, V> {
    fn default() -> Self {
        Self { index: Index::default(), slots: Vec::new(), changed: 0, below: None, trial: None }
    }
}

impl<K: Key, V: Row> Rows<K, V> {
    /// A table of which nothing is in memory yet.
    pub fn above(store: &Arc<dyn Store>, table: &'static str) -> Self {
        Self { below: Some(Below::new(store, table)), ..Self::default() }
    }

    /// The row of a key.
    pub fn get(&self, key: &str) -> Option<&V> {
        match self.index.get(key) {
            Some(place) => Some(&self.slots[*place].value),
            None => self.below.as_ref()?.get(key),
        }
    }

    /// The row of a key, to be changed; made new where it is not there.
    pub fn entry(&mut self, key: &str, new: impl FnOnce() -> V) -> &mut V {
        let place = self.place(key).unwrap_or_else(|| self.put(K::from(key), new(), SlotState::Changed));
        self.change_at(place)
    }

    /// The row of a key, to be changed where it is there.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        let place = self.place(key)?;
        Some(self.change_at(place))
    }

    /// Where the row of a key is among those that may be changed.
    fn place(&mut self, key: &str) -> Option<usize> {
        if let Some(place) = self.index.get(key) {
            return Some(*place);
        }
        let (key, value) = self.below.as_mut()?.take(key)?;
        Some(self.put(key, value, SlotState::AsStored))
    }

    fn put(&mut self, key: K, value: V, state: SlotState) -> usize {
        let place = self.slots.len();
        if state == SlotState::Changed {
            self.changed += 1;
            if let Some(trial) = &mut self.trial {
                trial.made(place);
            }
        }
        self.index.insert(key.clone(), place);
        self.slots.push(Slot { key, value, state });
        place
    }

    fn change_at(&mut self, place: usize) -> &mut V {
        let slot = &mut self.slots[place];
        if let Some(trial) = &mut self.trial {
            trial.will_change(place, slot);
        }
        if slot.state == SlotState::AsStored {
            (slot.state, self.changed) = (SlotState::Changed, self.changed + 1);
        }
        &mut slot.value
    }

    fn here(&self) -> impl Iterator<Item = (&K, &V)> {
        let loaded = self.below.iter().flat_map(Below::loaded);
        self.slots.iter().map(|slot| (&slot.key, &slot.value)).chain(loaded)
    }

    /// Every row, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        if let Some(below) = &self.below {
            below.load_all(|key| self.index.contains_key(key));
        }
        let mut rows: Vec<_> = self.here().collect();
        rows.sort_unstable_by_key(|(key, _)| *key);
        rows.into_iter()
    }

    /// The first `count` rows by rank; equal ranks by key, the highest first; as the lists of a checkpoint.
    pub fn first_by_rank(&self, count: usize) -> Vec<(&K, &V)> {
        if let Some(below) = &self.below {
            // Rows that changed since they were stored may not be among the first any more: as many more are needed.
            below.load_first(count.saturating_add(self.changed), |key| self.index.contains_key(key));
        }
        let mut rows: Vec<_> = self.here().collect();
        rows.sort_by(|(left_key, left), (right_key, right)| (right.rank(), right_key).cmp(&(left.rank(), left_key)));
        rows.truncate(count);
        rows
    }

    /// The rows that are not as they are stored, in the order of the keys.
    pub fn changed(&self) -> Vec<(&K, &V)> {
        let changed = self.slots.iter().filter(|slot| slot.state == SlotState::Changed);
        let mut rows: Vec<_> = changed.map(|slot| (&slot.key, &slot.value)).collect();
        rows.sort_unstable_by_key(|(key, _)| *key);
        rows
    }
}

/// Changes a value of a small map in place, a new one where there is none, without making a key for one that is there.
pub fn change<K, V>(map: &mut BTreeMap<K, V>, key: &str, change: impl FnOnce(&mut V))
where
    K: Ord + Borrow<str> + for<'k> From<&'k str>,
    V: Default,
{
    match map.get_mut(key) {
        Some(value) => change(value),
        None => change(map.entry(K::from(key)).or_default()),
    }
}

impl<K: Key + Serialize, V: Row> Serialize for Rows<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<K: Key, V: Row + PartialEq> PartialEq for Rows<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests;
