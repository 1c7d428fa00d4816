//! What of a table is in the store below: the rows that were asked for stay in memory, until one is changed.
//!
//! A row is loaded behind a shared reference, so that a question about the state needs no permission to change it. Does
//! not hold rows that were changed.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

use elsa::FrozenVec;

use super::{Index, Key, Row, Store};

/// The part of a table that is as it is stored.
#[derive(Clone)]
pub(super) struct Below<K, V> {
    store: Arc<dyn Store>,
    table: &'static str,
    places: RefCell<Index<K>>,
    loaded: FrozenVec<Box<Loaded<K, V>>>,
    /// So many of the first rows by rank are in memory.
    ranked: Cell<usize>,
}

#[derive(Debug, Clone)]
pub(super) struct Loaded<K, V> {
    key: K,
    /// `None`: the store has none.
    value: Option<V>,
}

impl<K, V> fmt::Debug for Below<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.loaded.len(), self.table)
    }
}

impl<K: Key, V: Row> Below<K, V> {
    pub(super) fn new(store: &Arc<dyn Store>, table: &'static str) -> Self {
        let (places, loaded) = (RefCell::default(), FrozenVec::new());
        Self { store: Arc::clone(store), table, places, loaded, ranked: Cell::new(0) }
    }

    /// The row of a key, loaded where it was not asked for before.
    pub(super) fn get(&self, key: &str) -> Option<&V> {
        let place = self.places.borrow().get(key).copied();
        let row = match place {
            Some(place) => &self.loaded[place],
            None if self.has_all() => return None,
            None => self.keep(key, self.store.row(self.table, key).as_deref()),
        };
        row.value.as_ref()
    }

    fn keep(&self, key: &str, row: Option<&str>) -> &Loaded<K, V> {
        let read = row.map(serde_json::from_str::<V>).transpose();
        let value = read.unwrap_or_else(|_| {
            self.store.reject(self.table, key);
            None
        });
        self.put(Loaded { key: K::from(key), value })
    }

    fn put(&self, row: Loaded<K, V>) -> &Loaded<K, V> {
        self.places.borrow_mut().insert(row.key.clone(), self.loaded.len());
        self.loaded.push_get(Box::new(row))
    }

    /// Hands a row over to whoever changes it.
    pub(super) fn take(&mut self, key: &str) -> Option<(K, V)> {
        self.get(key)?;
        let place = self.places.get_mut().remove(key)?;
        let loaded = self.loaded.as_mut();
        let row = loaded.swap_remove(place);
        if let Some(moved) = loaded.get(place) {
            self.places.get_mut().insert(moved.key.clone(), place);
        }
        let Loaded { key, value } = *row;
        Some((key, value?))
    }

    /// Takes a row back that was not changed after all.
    pub(super) fn give_back(&mut self, key: K, value: V) {
        self.put(Loaded { key, value: Some(value) });
    }

    /// Loads every row but those that are elsewhere.
    pub(super) fn load_all(&self, is_elsewhere: impl Fn(&str) -> bool) {
        if self.has_all() {
            return;
        }
        self.store.each(self.table, &mut |key, row| {
            if !is_elsewhere(key) && !self.places.borrow().contains_key(key) {
                self.keep(key, Some(row));
            }
        });
        self.ranked.set(usize::MAX);
    }

    /// Loads the first rows by rank but those that are elsewhere.
    pub(super) fn load_first(&self, count: usize, is_elsewhere: impl Fn(&str) -> bool) {
        if count <= self.ranked.get() {
            return;
        }
        for key in self.store.first_by_rank(self.table, count) {
            if !is_elsewhere(&key) {
                self.get(&key);
            }
        }
        self.ranked.set(count);
    }

    fn has_all(&self) -> bool {
        self.ranked.get() == usize::MAX
    }

    /// What is first by rank in the store has changed.
    pub(super) fn forget_ranks(&mut self) {
        if !self.has_all() {
            self.ranked.set(0);
        }
    }

    /// The rows that are in memory.
    pub(super) fn loaded(&self) -> impl Iterator<Item = (&K, &V)> {
        self.loaded.iter().filter_map(|row| Some((&row.key, row.value.as_ref()?)))
    }
}
