//! A map of which only a part may be in memory, so that a command opens of a checkpoint what it needs.
//!
//! Pure: a row that is asked for and is not here is *noted*, and the answer is "none". Whoever runs the core looks at
//! the notes afterwards, brings the rows and runs it again; a run that leaves no note saw all it asked for.
//! Does not know where rows come from; `engine::checkpoint` does.

use std::borrow::Borrow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hash, Hasher};

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};

use super::mix::mix;

/// A row's key in a table.
pub trait Key: Ord + Clone + Hash {}
impl<K: Ord + Clone + Hash> Key for K {}

/// Rows of one table, some or all of them.
#[derive(Debug, Clone)]
pub struct Rows<K, V> {
    /// Where each row is. Only ever asked for one key: what is listed is sorted.
    index: Index<K>,
    slots: Vec<Slot<K, V>>,
    extent: Extent,
    /// How many rows are not as they are stored.
    changed: usize,
    notes: RefCell<Notes<K>>,
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
    /// `None`: known not to exist.
    value: Option<V>,
    state: SlotState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SlotState {
    AsStored,
    Changed,
}

/// How much of the table is in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All of it.
    Whole,
    /// Some of it, and the so-many first by rank.
    Part { ranked: usize },
}

/// What was asked for and was not here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notes<K> {
    /// Single rows.
    pub keys: BTreeSet<K>,
    /// The so-many first rows by rank.
    pub ranked: usize,
    /// Every row.
    pub all: bool,
}

/// A table of any rows, for whoever stores them: keys and rows are text.
pub trait Table {
    /// Takes the notes of what was asked for and was not here.
    fn take_text_notes(&self) -> Notes<String>;
    /// Puts a row as it is stored, or the knowledge that there is none, where nothing newer is here.
    fn bring_text(&mut self, key: &str, row: Option<&str>) -> serde_json::Result<()>;
    /// Says what has been brought beside single rows.
    fn brought(&mut self, extent: Brought);
    /// Keys, ranks and rows that are not as they are stored, in the order of the keys.
    fn changed_text(&self) -> Vec<(String, i64, String)>;
    /// Says that what is here is stored now.
    fn stored(&mut self);
    /// Whether every row is in memory.
    fn is_whole(&self) -> bool;
    /// How many rows are not as they are stored.
    fn changed_count(&self) -> usize;
}

/// Whether one table lent another one rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lent {
    /// Nothing was asked for.
    Nothing,
    /// What was asked for.
    Rows,
}

/// What has been brought beside single rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brought {
    /// The so-many first by rank.
    Ranked(usize),
    /// Every row.
    All,
}

impl<K, V> Table for Rows<K, V>
where
    K: Key + Borrow<str> + for<'k> From<&'k str>,
    V: Ranked + Serialize + DeserializeOwned,
{
    fn take_text_notes(&self) -> Notes<String> {
        let Notes { keys, ranked, all } = self.take_notes();
        let text = |key: &K| -> String { Borrow::<str>::borrow(key).to_owned() };
        Notes { keys: keys.iter().map(text).collect(), ranked, all }
    }

    fn bring_text(&mut self, key: &str, row: Option<&str>) -> serde_json::Result<()> {
        let row = row.map(serde_json::from_str).transpose()?;
        self.bring(K::from(key), row);
        Ok(())
    }

    fn brought(&mut self, extent: Brought) {
        match (&mut self.extent, extent) {
            (Extent::Part { ranked }, Brought::Ranked(count)) => *ranked = count.max(*ranked),
            (Extent::Part { .. }, Brought::All) => self.extent = Extent::Whole,
            (Extent::Whole, Brought::Ranked(_) | Brought::All) => {}
        }
    }

    fn changed_text(&self) -> Vec<(String, i64, String)> {
        let text = |row: &V| serde_json::to_string(row).expect("BUG: a row does not serialize");
        let key = |key: &K| Borrow::<str>::borrow(key).to_owned();
        self.changed().into_iter().map(|(name, row)| (key(name), row.rank(), text(row))).collect()
    }

    fn stored(&mut self) {
        // By their ranks as they are stored now, so many fewer of the first are known to be here.
        let changed = std::mem::take(&mut self.changed);
        if let Extent::Part { ranked } = &mut self.extent
            && *ranked < usize::MAX
        {
            *ranked = ranked.saturating_sub(changed);
        }
        for slot in &mut self.slots {
            slot.state = SlotState::AsStored;
        }
    }

    fn is_whole(&self) -> bool {
        self.extent == Extent::Whole
    }

    fn changed_count(&self) -> usize {
        self.changed
    }
}

impl<K> Default for Notes<K> {
    fn default() -> Self {
        Self { keys: BTreeSet::new(), ranked: 0, all: false }
    }
}

impl<K: Ord> Notes<K> {
    /// Whether everything that was asked for was here.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.ranked == 0 && !self.all
    }
}

/// A row that can be listed in an order of its own, highest first.
pub trait Ranked {
    /// The higher, the earlier in a list.
    fn rank(&self) -> i64;
}

impl<K, V> Default for Rows<K, V> {
    fn default() -> Self {
        Self {
            index: Index::default(),
            slots: Vec::new(),
            extent: Extent::Whole,
            changed: 0,
            notes: RefCell::default(),
        }
    }
}

impl<K: Key, V> Rows<K, V> {
    /// A table of which nothing is in memory yet.
    pub fn absent() -> Self {
        Self { extent: Extent::Part { ranked: 0 }, ..Self::default() }
    }

    /// The row of a key.
    pub fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q> + for<'q> From<&'q Q>,
        Q: Ord + Hash + ?Sized,
    {
        if let Some(place) = self.index.get(key) {
            return self.slots[*place].value.as_ref();
        }
        self.miss(key);
        None
    }

    fn miss<Q>(&self, key: &Q)
    where
        K: for<'q> From<&'q Q>,
        Q: ?Sized,
    {
        if self.extent != Extent::Whole {
            self.notes.borrow_mut().keys.insert(K::from(key));
        }
    }

    /// The row of a key, to be changed; made new where it is not there.
    pub fn entry<Q>(&mut self, key: &Q, new: impl FnOnce() -> V) -> &mut V
    where
        K: Borrow<Q> + for<'q> From<&'q Q>,
        Q: Ord + Hash + ?Sized,
    {
        let place = if let Some(place) = self.index.get(key) {
            *place
        } else {
            self.miss(key);
            self.put(K::from(key), None)
        };
        self.change_at(place).value.get_or_insert_with(new)
    }

    fn put(&mut self, key: K, value: Option<V>) -> usize {
        let place = self.slots.len();
        self.index.insert(key.clone(), place);
        self.slots.push(Slot { key, value, state: SlotState::AsStored });
        place
    }

    /// The row of a key, to be changed where it is there.
    pub fn get_mut<Q>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q> + for<'q> From<&'q Q>,
        Q: Ord + Hash + ?Sized,
    {
        let Some(place) = self.index.get(key).copied() else {
            self.miss(key);
            return None;
        };
        self.change_at(place).value.as_mut()
    }

    fn change_at(&mut self, place: usize) -> &mut Slot<K, V> {
        let slot = &mut self.slots[place];
        if slot.state == SlotState::AsStored {
            (slot.state, self.changed) = (SlotState::Changed, self.changed + 1);
        }
        slot
    }

    fn here(&self) -> impl Iterator<Item = (&K, &V)> {
        self.slots.iter().filter_map(|slot| Some((&slot.key, slot.value.as_ref()?)))
    }

    /// Every row, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        if self.extent != Extent::Whole {
            self.notes.borrow_mut().all = true;
        }
        let mut rows: Vec<_> = self.here().collect();
        rows.sort_unstable_by_key(|(key, _)| *key);
        rows.into_iter()
    }

    /// The first `count` rows by rank; equal ranks by key, the highest first; as the lists of a checkpoint.
    pub fn first_by_rank(&self, count: usize) -> Vec<(&K, &V)>
    where
        V: Ranked,
    {
        // Rows that changed since they were stored may not be among the first any more: as many more are needed.
        let needed = count.saturating_add(self.changed);
        if matches!(self.extent, Extent::Part { ranked } if ranked < needed) {
            self.notes.borrow_mut().ranked = needed;
        }
        let mut rows: Vec<_> = self.here().collect();
        rows.sort_by(|(left_key, left), (right_key, right)| (right.rank(), right_key).cmp(&(left.rank(), left_key)));
        rows.truncate(count);
        rows
    }

    /// Takes the notes of what was asked for and was not here.
    pub fn take_notes(&self) -> Notes<K> {
        self.notes.take()
    }

    /// Brings what was asked for and not here from a table that has it, or that notes that it has not.
    pub fn bring_asked(&mut self, notes: &Notes<K>, whole: &Self) -> Lent
    where
        K: Borrow<str> + for<'k> From<&'k str>,
        V: Ranked + Clone,
    {
        if notes.is_empty() {
            return Lent::Nothing;
        }
        for key in &notes.keys {
            self.bring(key.clone(), whole.get::<str>(key.borrow()).cloned());
        }
        if notes.all {
            for (key, row) in whole.iter() {
                self.bring(key.clone(), Some(row.clone()));
            }
            self.extent = Extent::Whole;
        } else if let Extent::Part { ranked } = &mut self.extent
            && notes.ranked > 0
        {
            *ranked = notes.ranked.max(*ranked);
            for (key, row) in whole.first_by_rank(notes.ranked) {
                self.bring(key.clone(), Some(row.clone()));
            }
        }
        Lent::Rows
    }

    /// Puts a row as it is stored (or the knowledge that there is none) where nothing newer is here.
    pub fn bring(&mut self, key: K, value: Option<V>) {
        if !self.index.contains_key(&key) {
            self.put(key, value);
        }
    }

    /// The rows that are not as they are stored, in the order of the keys.
    pub fn changed(&self) -> Vec<(&K, &V)> {
        let changed = self.slots.iter().filter(|slot| slot.state == SlotState::Changed);
        let mut rows: Vec<_> = changed.filter_map(|slot| Some((&slot.key, slot.value.as_ref()?))).collect();
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

impl<K: Key + Serialize, V: Serialize> Serialize for Rows<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<K: Key, V: PartialEq> PartialEq for Rows<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests;
