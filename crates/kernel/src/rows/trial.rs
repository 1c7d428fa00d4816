//! What has to be known to take changes of a table back: each row as it was when it was first touched.
//!
//! Does not decide when; `domain::register` does.

use std::collections::BTreeSet;

use super::{Key, Row, Rows, Slot, SlotState};

/// Changes since a trial began.
#[derive(Debug, Clone)]
pub(super) struct Trial<V> {
    /// How many slots there were.
    slots: usize,
    /// How many of them were changed.
    changed: usize,
    /// Places that need no note any more.
    noted: BTreeSet<usize>,
    undo: Vec<Undo<V>>,
}

/// A row as it was.
#[derive(Debug, Clone)]
struct Undo<V> {
    place: usize,
    value: V,
    state: SlotState,
}

impl<V: Clone> Trial<V> {
    pub(super) fn new(slots: usize, changed: usize) -> Self {
        Self { slots, changed, noted: BTreeSet::new(), undo: Vec::new() }
    }

    /// A row is new: there is nothing to go back to.
    pub(super) fn made(&mut self, place: usize) {
        self.noted.insert(place);
    }

    /// A row is about to be changed.
    pub(super) fn will_change<K>(&mut self, place: usize, slot: &Slot<K, V>) {
        if self.noted.insert(place) {
            self.undo.push(Undo { place, value: slot.value.clone(), state: slot.state });
        }
    }
}

impl<K: Key, V: Row> Rows<K, V> {
    pub(super) fn take_back(&mut self, trial: Trial<V>) {
        self.changed = trial.changed;
        let mut taken = Vec::new();
        for Undo { place, value, state } in trial.undo {
            if place < trial.slots {
                (self.slots[place].value, self.slots[place].state) = (value, state);
            } else {
                taken.push((self.slots[place].key.clone(), value));
            }
        }
        for slot in self.slots.drain(trial.slots..) {
            self.index.remove::<str>(slot.key.borrow());
        }
        if let Some(below) = &mut self.below {
            for (key, value) in taken {
                below.give_back(key, value);
            }
        }
    }
}
