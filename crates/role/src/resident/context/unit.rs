//! Messages that stay together: a call and its results, whatever stands between them.
//!
//! A result without its call, and a call without results, stand alone. An id that comes back belongs to the last call
//! that had it.

use std::collections::{BTreeMap, BTreeSet};

use super::message::{ContextMessage, ContextRole, Hold};
use super::token::TokenCounter;

/// Messages that are kept or left out together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    /// Their places in the conversation, ascending.
    pub places: Vec<usize>,
    /// What all of them cost.
    pub tokens: u64,
}

/// A conversation in units, the one that began first, first.
pub(super) fn units(messages: &[ContextMessage], counter: &dyn TokenCounter) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, message) in messages.iter().enumerate() {
        let tokens = counter.message(message);
        let call = message.answers.as_deref().and_then(|id| calls.get(id).copied());
        let at = call.unwrap_or(units.len());
        match units.get_mut(at) {
            Some(unit) => {
                unit.places.push(place);
                unit.tokens = unit.tokens.saturating_add(tokens);
            }
            None => units.push(Unit { places: vec![place], tokens }),
        }
        calls.extend(message.calls.iter().map(|id| (id.as_str(), at)));
    }
    units
}

impl Unit {
    /// Where it ends: what came back last counts as its age.
    pub fn last(&self) -> usize {
        self.places.last().copied().unwrap_or_default()
    }

    /// Whether the conversation begins with it.
    pub fn is_first(&self) -> bool {
        self.places.first() == Some(&0)
    }

    /// Whether any of it is the system's, or was pinned.
    pub fn is_pinned(&self, messages: &[ContextMessage]) -> bool {
        let pins = |message: &ContextMessage| message.role == ContextRole::System || message.hold == Hold::Pinned;
        self.places.iter().any(|place| messages.get(*place).is_some_and(pins))
    }

    /// Whether any of it is the person's.
    pub fn is_persons(&self, messages: &[ContextMessage]) -> bool {
        let own = |message: &ContextMessage| message.role == ContextRole::User;
        self.places.iter().any(|place| messages.get(*place).is_some_and(own))
    }
}

/// The newest first.
pub(super) fn newest_first<'u>(units: impl Iterator<Item = &'u Unit>) -> Vec<&'u Unit> {
    let mut units: Vec<_> = units.collect();
    units.sort_by_key(|unit| std::cmp::Reverse(unit.last()));
    units
}

/// What was taken so far, and what it costs.
pub(super) struct Selection {
    pub places: BTreeSet<usize>,
    pub used: u64,
    pub budget: u64,
}

impl Selection {
    /// Nothing yet.
    pub fn new(budget: u64) -> Self {
        Self { places: BTreeSet::new(), used: 0, budget }
    }

    /// Takes what is always kept, whatever it costs.
    pub fn keep(&mut self, unit: &Unit) {
        self.used = self.used.saturating_add(unit.tokens);
        self.places.extend(&unit.places);
    }

    /// Takes a unit, if it fits.
    pub fn try_keep(&mut self, unit: &Unit) -> Fit {
        if self.used.saturating_add(unit.tokens) > self.budget {
            return Fit::TooLong;
        }
        self.keep(unit);
        Fit::Kept
    }
}

/// Whether a unit was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// It was.
    Kept,
    /// It would have been too much.
    TooLong,
}
