//! What an agent earned with a model, how often it was right, and what tier that is (control-room 11.8, 12.1).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::event::Awarded;
use super::formula::QuoteFinding;
use super::reason::CreditReason;
use annals_kernel::credits::{Credits, Rate};
use annals_kernel::grounding::words;
use annals_kernel::id::EntryId;
use annals_kernel::period::Period;
use annals_kernel::settings::{Settings, settings};

words! {
    /// How reliable an agent is (control-room 11.8), the least first.
    pub enum Tier {
        /// Not, or not known yet.
        None = "none",
        /// Somewhat.
        Bronze = "bronze",
        /// Mostly.
        Silver = "silver",
        /// Very.
        Gold = "gold",
    }
}

settings! {
    /// Control-room 11.8.
    TIERS: BTreeMap<Tier, (u32, u32)> =
        BTreeMap::from([(Tier::Bronze, (700, 250)), (Tier::Silver, (850, 150)), (Tier::Gold, (950, 50))]),
        "credits.tiers",
        "for each tier, in thousandths: more citations than this verified, fewer actions than this penalised",
        weakens Always;
    /// Decision 16.
    WEIGHTS: BTreeMap<Tier, u32> =
        BTreeMap::from([(Tier::None, 250), (Tier::Bronze, 500), (Tier::Silver, 750), (Tier::Gold, 1000)]),
        "credits.tier_weights", "what an award by an agent of each tier weighs, in thousandths", weakens Always;
}

/// How often, and how many credits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct GivenCredits {
    /// How often.
    pub times: u64,
    /// How many credits.
    pub credits: Credits,
}

/// What happened in a stretch of time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StretchTally {
    /// Credits, all in all.
    pub credits: Credits,
    /// Credits by reason.
    pub by_reason: BTreeMap<CreditReason, GivenCredits>,
    /// Citations that were verified.
    pub verified: u64,
    /// Citations that were judged.
    pub cited: u64,
    /// What it did: issues, comments, resolutions, whether they were taken or not.
    pub actions: u64,
    /// How much of that was penalised. A penalty for something else counts as an action of its own.
    pub penalised: u64,
    /// Issues that it opened.
    pub started: u64,
    /// Those of its issues that were applied in the work.
    pub applied: u64,
}

impl StretchTally {
    /// How many of its citations were as the files have it.
    pub fn verification(&self) -> Rate {
        Rate::new(self.verified, self.cited)
    }

    /// How much of what it did was penalised.
    pub fn penalty(&self) -> Rate {
        Rate::new(self.penalised, self.actions)
    }

    /// How many of its issues were applied.
    pub fn application(&self) -> Rate {
        // An issue may be applied in another period than it was started in; a rate over 1 would be none.
        Rate::new(self.applied.min(self.started), self.started)
    }

    /// How often somebody else bore its work out: took it up, applied it, praised it.
    pub(crate) fn borne_out(&self) -> u64 {
        let by_others = self.by_reason.iter().filter(|(reason, _)| reason.needs_another());
        by_others.map(|(_, given)| given.times).sum()
    }

    /// How reliable that makes it: the best tier whose bounds it keeps. What is not known is in none (decision 18), and so
    /// is what nobody else bore out: one agent alone could cite for ever.
    pub fn tier(&self, settings: &Settings) -> Tier {
        if self.borne_out() == 0 {
            return Tier::None;
        }
        let bounds = settings.get(&TIERS);
        let keeps = |(_, (verified, penalised)): &(&Tier, &(u32, u32))| {
            self.verification().is_above(*verified) && self.penalty().is_below(*penalised)
        };
        bounds.iter().rev().find(keeps).map_or(Tier::None, |(tier, _)| *tier)
    }

    /// For what it got most.
    pub fn top(&self) -> Option<(CreditReason, GivenCredits)> {
        let gains = self.by_reason.iter().filter(|(_, given)| given.credits > Credits::ZERO);
        gains.max_by_key(|(reason, given)| (given.credits, std::cmp::Reverse(**reason))).map(|(r, g)| (*r, *g))
    }

    /// With what another one counted.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        self.credits += other.credits;
        for (reason, given) in &other.by_reason {
            let own = self.by_reason.entry(*reason).or_default();
            own.times += given.times;
            own.credits += given.credits;
        }
        self.verified += other.verified;
        self.cited += other.cited;
        self.actions += other.actions;
        self.penalised += other.penalised;
        self.started += other.started;
        self.applied += other.applied;
        self
    }

    fn take(&mut self, awarded: &Awarded) {
        self.credits += awarded.amount;
        let given = self.by_reason.entry(awarded.reason).or_default();
        given.times += (awarded.citations.len() as u64).max(1);
        given.credits += awarded.amount;
        if awarded.reason.is_of_citations() && awarded.reason != CreditReason::EvidenceOutcomeUpgrade {
            self.cited += awarded.citations.len() as u64;
            self.verified += verified(awarded);
        }
    }
}

fn verified(awarded: &Awarded) -> u64 {
    awarded.citations.iter().filter(|cited| cited.finding != QuoteFinding::Failed).count() as u64
}

/// The record of an agent with one model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProfileRecord {
    /// From the beginning.
    pub lifetime: StretchTally,
    /// In the session, chapter and act that goes on, or that was the last.
    pub periods: BTreeMap<Period, StretchTally>,
    /// Verified citations, one after the other, until now.
    pub streak: u64,
    /// The longest such run.
    pub longest_streak: u64,
    /// The entry of its last action.
    pub last_action: EntryId,
    /// Whether that was penalised.
    pub last_is_penalised: bool,
}

/// What a penalty is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// The action at hand.
    Action,
    /// The action at hand, which was penalised already.
    Again,
    /// Something else: it counts as an action of its own.
    Else,
}

impl ProfileRecord {
    /// The tally of a period, or of all time.
    pub fn tally(&self, period: Option<Period>) -> Option<&StretchTally> {
        period.map_or(Some(&self.lifetime), |period| self.periods.get(&period))
    }

    fn count(&mut self, open: &[Period], mut change: impl FnMut(&mut StretchTally)) {
        change(&mut self.lifetime);
        for period in open {
            change(self.periods.entry(*period).or_default());
        }
    }

    pub(super) fn take(&mut self, awarded: &Awarded, open: &[Period]) {
        self.count(open, |tally| tally.take(awarded));
        if awarded.reason == CreditReason::EvidenceFailedVerification {
            self.streak = 0;
        } else if matches!(awarded.reason, CreditReason::EvidenceVerified | CreditReason::EvidenceVerifiedPrecise) {
            self.streak += verified(awarded);
            self.longest_streak = self.longest_streak.max(self.streak);
        }
    }

    pub(super) fn acted(&mut self, entry: EntryId, open: &[Period]) {
        self.count(open, |tally| tally.actions += 1);
        (self.last_action, self.last_is_penalised) = (entry, false);
    }

    /// Whether a penalty in an entry is for its last action.
    pub fn blame(&self, entry: EntryId) -> Blame {
        match (entry == self.last_action, self.last_is_penalised) {
            (true, false) => Blame::Action,
            (true, true) => Blame::Again,
            (false, _) => Blame::Else,
        }
    }

    pub(super) fn penalised(&mut self, entry: EntryId, open: &[Period]) {
        let blame = self.blame(entry);
        if blame == Blame::Again {
            return;
        }
        self.count(open, |tally| {
            tally.penalised += 1;
            tally.actions += u64::from(blame == Blame::Else);
        });
        self.last_is_penalised |= blame == Blame::Action;
    }

    pub(super) fn started(&mut self, open: &[Period]) {
        self.count(open, |tally| tally.started += 1);
    }

    pub(super) fn applied(&mut self, open: &[Period]) {
        self.count(open, |tally| tally.applied += 1);
    }
}
