//! Checks that fail with the same error, whatever is changed between: edit, test, edit, test. The live mind and the critic
//! of analysis measure them with this.
//!
//! Bounded. A check is known by its program and verb, however the line around it is worded; an error by its fingerprint.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// So many checks are watched at once; the one that failed longest ago is forgotten first.
const MOST: usize = 8;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckEnded<'e> {
    /// Well.
    Passed,
    /// With this fingerprint; an empty one is like no other.
    Failed(&'e str),
}

/// A check, and the error with which it failed the last times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loop {
    /// Its program and verb.
    pub check: Box<str>,
    /// The fingerprint of the error.
    pub error: Box<str>,
    /// How often it failed with it.
    pub times: u32,
    /// Edits between those failures.
    pub edits: u32,
    /// Edits since the last of them.
    since: u32,
}

/// Checks that fail.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loops(VecDeque<Loop>);

impl Loop {
    /// How often it failed again through edits; where nothing was changed between, the same call was made again, and that
    /// is counted as such.
    pub fn repeats(&self) -> u32 {
        if self.edits > 0 { self.times.saturating_sub(1) } else { 0 }
    }
}

impl Loops {
    /// Whether no check is failing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many checks are failing.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// How often the check that goes round most has failed again.
    pub fn repeats(&self) -> u32 {
        self.0.iter().map(Loop::repeats).max().unwrap_or(0)
    }

    /// Something was changed.
    pub fn edited(&mut self) {
        self.0.iter_mut().for_each(|open| open.since = open.since.saturating_add(1));
    }

    /// A check has ended. Gives the loop that is over by it.
    pub fn ended(&mut self, check: &str, ended: CheckEnded<'_>) -> Option<Loop> {
        let place = self.0.iter().position(|open| *open.check == *check);
        let mut before = place.and_then(|place| self.0.remove(place));
        let CheckEnded::Failed(error) = ended else { return before };
        let same = before.take_if(|open| *open.error == *error && !error.is_empty());
        let new = || Loop { check: check.into(), error: error.into(), times: 0, edits: 0, since: 0 };
        let open = same.unwrap_or_else(new);
        let (times, edits) = (open.times.saturating_add(1), open.edits.saturating_add(open.since));
        self.0.push_back(Loop { times, edits, since: 0, ..open });
        before.or_else(|| if self.0.len() > MOST { self.0.pop_front() } else { None })
    }

    /// A new question may want all of it again. Gives the loops that are over by it.
    pub fn asked(&mut self) -> VecDeque<Loop> {
        std::mem::take(&mut self.0)
    }
}
