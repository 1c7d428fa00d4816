//! What an agent did with a model, and what follows from it (control-room 8.2, 12.1).

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::ladder::{MOST, WINDOW, WatchLevel};
use annals_kernel::credits::Rate;
use annals_kernel::grounding::words;
use annals_kernel::settings::{Settings, settings};
use annals_kernel::time::Timestamp;

words! {
    /// How far an agent is trusted (control-room 8.2), the least first.
    pub enum AgentTrust {
        /// Everything it proposes is checked by another.
        Low = "low",
        /// As usual.
        Normal = "normal",
        /// It may approve minor changes alone.
        High = "high",
    }
}

words! {
    /// A rate on which trust depends.
    pub enum TrustBound {
        /// More of its issues irrelevant: low.
        Hallucination = "hallucination",
        /// More of its comments stopped: low.
        Rejection = "rejection",
        /// High only where more of its issues were applied.
        Usefulness = "usefulness",
        /// High only where more of its comments had evidence.
        Evidence = "evidence",
    }
}

settings! {
    /// Control-room 8.2.
    TRUST: BTreeMap<TrustBound, u32> = {
        let bounds = [(TrustBound::Hallucination, 500), (TrustBound::Rejection, 300), (TrustBound::Usefulness, 600)];
        bounds.into_iter().chain([(TrustBound::Evidence, 700)]).collect()
    }, "reliability.trust",
        "bounds of low trust (hallucination, rejection) and of high trust (usefulness, evidence), in thousandths",
        weakens Always;
}

/// The record of an agent with one model.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReliabilityRecord {
    /// Issues that it opened.
    pub issues_started: u64,
    /// Those of them that were applied in the work.
    pub issues_applied: u64,
    /// Those of them that were marked irrelevant.
    pub issues_irrelevant: u64,
    /// Comments that it wrote, taken or not.
    pub comments: u64,
    /// Comments that were taken.
    pub comments_taken: u64,
    /// Those of them that cited anything.
    pub comments_with_evidence: u64,
    /// Since when this is its model, if it is.
    pub active_since: Option<Timestamp>,
    /// Until when it was.
    pub active_until: Option<Timestamp>,
    /// Its last actions, the newest last: `x` was penalised, `.` was not.
    pub recent: String,
    /// How closely it is looked at.
    pub level: WatchLevel,
    /// How many of the last actions came since that changed.
    pub since_change: u64,
}

impl ReliabilityRecord {
    /// How many of its issues were applied.
    pub fn usefulness(&self) -> Rate {
        Rate::new(self.issues_applied.min(self.issues_started), self.issues_started)
    }

    /// How many of its issues were irrelevant.
    pub fn hallucination(&self) -> Rate {
        Rate::new(self.issues_irrelevant.min(self.issues_started), self.issues_started)
    }

    /// How many of its comments cited anything.
    pub fn evidence(&self) -> Rate {
        Rate::new(self.comments_with_evidence, self.comments_taken)
    }

    /// How many of its comments were stopped.
    pub fn rejection(&self) -> Rate {
        Rate::new(self.comments - self.comments_taken.min(self.comments), self.comments)
    }

    /// How much of its last actions was penalised.
    pub fn penalty(&self, settings: &Settings) -> Rate {
        rate(&self.recent, settings)
    }

    /// How far it is trusted (control-room 8.2); what is not known neither raises nor lowers that.
    pub fn trust(&self, settings: &Settings) -> AgentTrust {
        let bounds = settings.get(&TRUST);
        let over = |rate: Rate, bound| rate.is_above(bounds.get(&bound).copied().unwrap_or(1000));
        if over(self.hallucination(), TrustBound::Hallucination) || over(self.rejection(), TrustBound::Rejection) {
            AgentTrust::Low
        } else if over(self.usefulness(), TrustBound::Usefulness) && over(self.evidence(), TrustBound::Evidence) {
            AgentTrust::High
        } else {
            AgentTrust::Normal
        }
    }

    /// The level that it should have now.
    pub fn due(&self, settings: &Settings) -> WatchLevel {
        let marks = self.recent.as_str();
        if let Some(up) = self.level.up(rate(marks, settings), settings) {
            return up;
        }
        let calm = usize::try_from(self.since_change).unwrap_or(usize::MAX).min(marks.len());
        let rates = (0..calm).map(|back| rate(&marks[..marks.len() - back], settings));
        self.level.down(rates, settings).unwrap_or(self.level)
    }

    pub(super) fn acted(&mut self) {
        self.mark('.');
        self.since_change += 1;
    }

    pub(super) fn penalised(&mut self) {
        // The action was counted as good when it was taken in; its penalty stands in the same entry, and replaces
        // that.
        self.recent.pop();
        self.mark('x');
    }

    fn mark(&mut self, mark: char) {
        self.recent.push(mark);
        // Twice the longest window: a step down asks for the rate at each of the last actions, and the oldest of
        // those looks a window back.
        if self.recent.len() > 2 * MOST {
            self.recent.remove(0);
        }
    }
}

/// How many of the last actions were penalised. A mark is one byte.
fn rate(marks: &str, settings: &Settings) -> Rate {
    let window = settings.get(&WINDOW).clamp(1, MOST);
    let last = &marks[marks.len().saturating_sub(window)..];
    Rate::new(last.matches('x').count() as u64, last.len() as u64)
}
