//! A map of which only a part may be in memory, so that a command opens of a checkpoint what it needs.
//!
//! Pure: a row that is asked for and is not here is *noted*, and the answer is "none". Whoever runs the core looks at
//! the notes afterwards, brings the rows and runs it again; a run that leaves no note saw all it asked for.
//! Does not know where rows come from; `engine::checkpoint` does.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

/// A row's key in a table.
pub trait Key: Ord + Clone {}
impl<K: Ord + Clone> Key for K {}

/// Rows of one table, some or all of them.
#[derive(Debug, Clone)]
pub struct Rows<K, V> {
    here: BTreeMap<K, Slot<V>>,
    extent: Extent,
    notes: RefCell<Notes<K>>,
}

#[derive(Debug, Clone)]
struct Slot<V> {
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
        Self { here: BTreeMap::new(), extent: Extent::Whole, notes: RefCell::default() }
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
        K: std::borrow::Borrow<Q> + for<'q> From<&'q Q>,
        Q: Ord + ?Sized,
    {
        match self.here.get(key) {
            Some(slot) => slot.value.as_ref(),
            None => {
                self.miss(key);
                None
            }
        }
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
        K: std::borrow::Borrow<Q> + for<'q> From<&'q Q>,
        Q: Ord + ?Sized,
    {
        if !self.here.contains_key(key) {
            self.miss(key);
            self.here.insert(K::from(key), Slot { value: None, state: SlotState::Changed });
        }
        let slot = self.here.get_mut(key).expect("BUG: the slot was just made");
        slot.state = SlotState::Changed;
        slot.value.get_or_insert_with(new)
    }

    /// The row of a key, to be changed where it is there.
    pub fn get_mut<Q>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: std::borrow::Borrow<Q> + for<'q> From<&'q Q>,
        Q: Ord + ?Sized,
    {
        if !self.here.contains_key(key) {
            self.miss(key);
        }
        let slot = self.here.get_mut(key)?;
        slot.state = SlotState::Changed;
        slot.value.as_mut()
    }

    /// Every row, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        if self.extent != Extent::Whole {
            self.notes.borrow_mut().all = true;
        }
        self.here.iter().filter_map(|(key, slot)| Some((key, slot.value.as_ref()?)))
    }

    /// The first `count` rows by rank; equal ranks by key, the highest first.
    pub fn first_by_rank(&self, count: usize) -> Vec<(&K, &V)>
    where
        V: Ranked,
    {
        if matches!(self.extent, Extent::Part { ranked } if ranked < count) {
            self.notes.borrow_mut().ranked = count;
        }
        let mut rows: Vec<_> = self.here.iter().filter_map(|(key, slot)| Some((key, slot.value.as_ref()?))).collect();
        rows.sort_by(|(left_key, left), (right_key, right)| (right.rank(), right_key).cmp(&(left.rank(), left_key)));
        rows.truncate(count);
        rows
    }

    /// Takes the notes of what was asked for and was not here.
    pub fn take_notes(&self) -> Notes<K> {
        self.notes.take()
    }

    /// Puts a row as it is stored (or the knowledge that there is none) where nothing newer is here.
    pub fn bring(&mut self, key: K, value: Option<V>) {
        self.here.entry(key).or_insert(Slot { value, state: SlotState::AsStored });
    }

    /// Says that the so-many first by rank have been brought.
    pub fn brought_ranked(&mut self, count: usize) {
        if let Extent::Part { ranked } = &mut self.extent {
            *ranked = count.max(*ranked);
        }
    }

    /// Says that every row has been brought.
    pub fn brought_all(&mut self) {
        self.extent = Extent::Whole;
    }

    /// The rows that are not as they are stored; `None` for a row that is gone.
    pub fn changed(&self) -> impl Iterator<Item = (&K, Option<&V>)> {
        let changed = self.here.iter().filter(|(_, slot)| slot.state == SlotState::Changed);
        changed.map(|(key, slot)| (key, slot.value.as_ref()))
    }

    /// Says that what is here is stored now.
    pub fn stored(&mut self) {
        for slot in self.here.values_mut() {
            slot.state = SlotState::AsStored;
        }
    }

    /// How many rows are in memory.
    pub fn len_here(&self) -> usize {
        self.here.values().filter(|slot| slot.value.is_some()).count()
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
mod tests {
    use super::*;
    use crate::kernel::id::SessionId;

    type Table = Rows<SessionId, i64>;

    impl Ranked for i64 {
        fn rank(&self) -> i64 {
            *self
        }
    }

    fn key(text: &str) -> SessionId {
        text.into()
    }

    #[test]
    fn a_whole_table_leaves_no_notes() {
        let mut table = Table::default();
        *table.entry("a", || 0) += 1;
        assert_eq!((table.get("a"), table.get("b")), (Some(&1), None));
        assert!(table.take_notes().is_empty());
    }

    #[test]
    fn a_part_notes_what_it_lacks_until_it_is_brought() {
        let mut table = Table::absent();
        assert_eq!(table.get("a"), None);
        assert_eq!(table.take_notes().keys, [key("a")].into());
        table.bring(key("a"), Some(7));
        table.bring(key("b"), None);
        assert_eq!((table.get("a"), table.get("b")), (Some(&7), None));
        assert!(table.take_notes().is_empty());
    }

    #[test]
    fn what_is_newer_than_the_store_stays() {
        let mut table = Table::absent();
        *table.entry("a", || 0) += 1;
        table.bring(key("a"), Some(7));
        assert_eq!(table.get("a"), Some(&1), "the caller looks at the notes and begins again");
        assert_eq!(table.take_notes().keys, [key("a")].into());
    }

    #[test]
    fn only_changed_rows_are_stored_again() {
        let mut table = Table::absent();
        table.bring(key("a"), Some(1));
        table.bring(key("b"), Some(2));
        *table.entry("b", || 0) += 1;
        assert_eq!(table.changed().collect::<Vec<_>>(), [(&key("b"), Some(&3))]);
        table.stored();
        assert_eq!(table.changed().count(), 0);
    }

    #[test]
    fn a_list_by_rank_asks_for_as_many_rows_as_it_shows() {
        let mut table = Table::absent();
        table.bring(key("a"), Some(1));
        assert_eq!(table.first_by_rank(2).len(), 1);
        assert_eq!(table.take_notes().ranked, 2);
        table.bring(key("b"), Some(5));
        table.bring(key("c"), Some(3));
        table.brought_ranked(2);
        assert_eq!(table.first_by_rank(2), [(&key("b"), &5), (&key("c"), &3)]);
        assert!(table.take_notes().is_empty());
    }
}
