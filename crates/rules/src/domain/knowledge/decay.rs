//! How knowledge fades: a pure question of (initial confidence, last retrieval, now) (Galatea 3, decision 23).
//!
//! Within the grace nothing changes; then a part goes every day. Never applied to its own result, and nothing is stored.

use super::row::{KnowledgeEntry, KnowledgeKind};
use super::settings::{ARCHIVE_THRESHOLD, DECAY_ENABLED, DECAY_FACTOR, DECAY_START_DAYS, EXEMPT_TYPES};
use annals_kernel::fade::{after_days, days_between, days_of_power, power};
use annals_kernel::grounding::words;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// How knowledge fades, as it is configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnowledgeDecay {
    /// Whether it does.
    pub is_enabled: bool,
    /// For so many days it does not.
    pub start_days: u32,
    /// What is left each day after that.
    pub factor: Share,
    /// Below this it is archived.
    pub threshold: Share,
    /// What never fades.
    pub exempt: Vec<KnowledgeKind>,
}

words! {
    /// How an entry stands at a time.
    pub enum KnowledgeStatus {
        /// As it was learnt.
        Active = "active",
        /// It fades.
        Decaying = "decaying",
        /// It has faded, or was put away: shown, and not retrieved.
        Archived = "archived",
        /// Another entry holds instead: shown, and not retrieved.
        Superseded = "superseded",
    }
}

impl KnowledgeDecay {
    /// As it is configured.
    pub fn of(settings: &Settings) -> Self {
        Self {
            is_enabled: settings.get(&DECAY_ENABLED),
            start_days: settings.get(&DECAY_START_DAYS),
            factor: settings.get(&DECAY_FACTOR),
            threshold: settings.get(&ARCHIVE_THRESHOLD),
            exempt: settings.get(&EXEMPT_TYPES),
        }
    }

    /// As the document has it.
    pub fn documented() -> Self {
        Self {
            is_enabled: true,
            start_days: 30,
            factor: Share::thousandths(950),
            threshold: Share::thousandths(300),
            exempt: vec![KnowledgeKind::Rule],
        }
    }

    /// The closed formula: confidence × factor ^ (days − grace), and the confidence itself within the grace.
    pub fn confidence(&self, initial: Share, last: Timestamp, now: Timestamp) -> f64 {
        // Always from what was said at first: fading its own result again would fade it faster, the more often
        // somebody asks (decision 23).
        let faded = days_between(last, now) - f64::from(self.start_days);
        if faded <= 0.0 { initial.number() } else { initial.number() * power(self.factor.number(), faded) }
    }

    /// Whether a type never fades.
    pub(crate) fn is_exempt(&self, kind: KnowledgeKind) -> bool {
        !self.is_enabled || self.exempt.contains(&kind)
    }

    /// How sure one may be of an entry at a time. What was superseded or put away stays as it was then.
    pub fn strength(&self, entry: &KnowledgeEntry, now: Timestamp) -> f64 {
        if self.is_exempt(entry.said.kind) {
            return entry.said.confidence.number();
        }
        let ended = [entry.superseded_by.as_ref().map(|by| by.at), entry.archived.as_ref().map(|by| by.at)];
        let until = ended.into_iter().flatten().fold(now, Timestamp::min);
        self.confidence(entry.said.confidence, entry.touched_at(), until)
    }

    /// How an entry stands at a time.
    pub fn status(&self, entry: &KnowledgeEntry, now: Timestamp) -> KnowledgeStatus {
        if entry.superseded_by.is_some() {
            KnowledgeStatus::Superseded
        } else if entry.archived.is_some() || self.has_faded(entry, now) {
            KnowledgeStatus::Archived
        } else if !self.is_exempt(entry.said.kind) && self.is_past_grace(entry.touched_at(), now) {
            KnowledgeStatus::Decaying
        } else {
            KnowledgeStatus::Active
        }
    }

    /// Whether it has crossed the threshold by itself. Within the grace nothing does, however little it began with.
    pub(crate) fn has_faded(&self, entry: &KnowledgeEntry, now: Timestamp) -> bool {
        !self.is_exempt(entry.said.kind) && self.is_below(entry.said.confidence, entry.touched_at(), now)
    }

    /// Whether a confidence has faded below the threshold.
    pub fn is_below(&self, initial: Share, last: Timestamp, now: Timestamp) -> bool {
        self.is_past_grace(last, now) && self.confidence(initial, last, now) < self.threshold.number()
    }

    /// Whether the grace is over.
    pub(crate) fn is_past_grace(&self, last: Timestamp, now: Timestamp) -> bool {
        now >= self.grace_end(last)
    }

    fn grace_end(&self, last: Timestamp) -> Timestamp {
        after_days(last, f64::from(self.start_days))
    }

    /// The first moment at which an entry has crossed the threshold by itself; never where it does not fade so far.
    pub fn archives_at(&self, entry: &KnowledgeEntry) -> Option<Timestamp> {
        if self.is_exempt(entry.said.kind) || entry.superseded_by.is_some() {
            return None;
        }
        self.crossing(entry.said.confidence, entry.touched_at())
    }

    /// The same for a confidence and a time. The logarithm gives the day; the formula itself, the millisecond.
    pub fn crossing(&self, initial: Share, last: Timestamp) -> Option<Timestamp> {
        if self.threshold == Share::NONE {
            return None;
        }
        let start = self.grace_end(last);
        if self.is_below(initial, last, start) {
            return Some(start);
        }
        let days = days_of_power(initial.number(), self.factor.number(), self.threshold.number())?;
        let guess = after_days(start, days).max(start);
        let is_below = |at: Timestamp| self.is_below(initial, last, at);
        // The power undone by a logarithm is off by its last bits: the moment is searched for around the guess, so
        // that what announces the crossing and what asks about it agree to the millisecond.
        let (mut before, mut after) = (guess, guess);
        let mut step = 1;
        while is_below(before) && before > start {
            after = before;
            before = before.plus_millis(-step).max(start);
            step *= 2;
        }
        while !is_below(after) {
            before = after;
            after = after.plus_millis(step);
            if after == before {
                return None;
            }
            step = step.saturating_mul(2);
        }
        Some(first_between(before, after, is_below))
    }
}

/// The first millisecond after `before`, and not after `after`, at which something is so that stays so.
fn first_between(before: Timestamp, after: Timestamp, is_so: impl Fn(Timestamp) -> bool) -> Timestamp {
    let (mut before, mut after) = (before.millis(), after.millis());
    while after.saturating_sub(before) > 1 {
        let middle = before + (after - before) / 2;
        if is_so(Timestamp::from_millis(middle)) {
            after = middle;
        } else {
            before = middle;
        }
    }
    Timestamp::from_millis(after)
}
