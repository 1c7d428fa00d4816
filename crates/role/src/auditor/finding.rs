//! Lines of a report, so many and no more: a role that misbehaves a million times must not fill the person's screen.
//!
//! Keeps the first ones, and counts the rest.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::cut::head;

/// So many lines of one sort are told.
const MOST_LINES: usize = 100;

/// A line is no longer, in bytes.
const MOST_BYTES: usize = 240;

/// What was found of one sort, in the order in which it was heard.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Findings {
    told: Vec<String>,
    more: u64,
}

impl Findings {
    /// Takes in another one.
    pub fn add(&mut self, line: &str) {
        if self.told.len() < MOST_LINES {
            self.told.push(head(line, MOST_BYTES).to_owned());
        } else {
            self.more = self.more.saturating_add(1);
        }
    }

    /// The lines, and at their end how many there were beyond them.
    pub fn lines(&self) -> Vec<String> {
        let rest = (self.more > 0).then(|| format!("and {} more", self.more));
        self.told.iter().cloned().chain(rest).collect()
    }
}
