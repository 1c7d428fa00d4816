//! The two potentials of a pair of tags, and what they advise (artoo R5): questions with a time.

use serde::Serialize;

use super::quantum::{ATTENTION, PREFERENCE};
use super::row::MegramTrace;
use annals_kernel::fade::{days_between, exponential};
use annals_kernel::grounding::words;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

words! {
    /// What experience advises.
    pub enum Action {
        /// Prefer it.
        Exploit = "Exploit",
        /// Do not use it.
        Avoid = "Avoid",
        /// Ask before using it.
        Caution = "Caution",
        /// There is too little experience to say.
        Ignore = "Ignore",
    }
}

/// The potentials of a pair at a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Potentials {
    /// How much is remembered, for or against.
    pub attention: f64,
    /// What it says, taken together.
    pub decision: f64,
}

impl MegramTrace {
    /// What is left of its strength (decision 36: from the last recall, or creation).
    pub(crate) fn attention_at(&self, now: Timestamp) -> f64 {
        self.f.number() * exponential(self.k.number(), days_between(self.clock(), now))
    }
}

impl Potentials {
    /// The sums over traces, in their order, so that every machine has the same bits.
    pub fn of<'t>(traces: impl IntoIterator<Item = &'t MegramTrace>, now: Timestamp) -> Self {
        let sum = traces.into_iter().fold(Self::default(), |sum, trace| {
            let attention = trace.attention_at(now);
            let decision = trace.sigma.number() * attention;
            Self { attention: sum.attention + attention, decision: sum.decision + decision }
        });
        Self { attention: even(sum.attention), decision: even(sum.decision) }
    }

    /// The table of actions: the bounds themselves belong to Caution.
    pub fn action(self, settings: &Settings) -> Action {
        let preference = settings.get(&PREFERENCE).number();
        if self.attention < settings.get(&ATTENTION).number() {
            Action::Ignore
        } else if self.decision > preference {
            Action::Exploit
        } else if self.decision < -preference {
            Action::Avoid
        } else {
            Action::Caution
        }
    }
}

/// Without what adding floats leaves in the last places: 0.9 - 0.7 is 0.2, and no more.
fn even(sum: f64) -> f64 {
    const PLACES: f64 = 1e9;
    let even = (sum * PLACES).round() / PLACES;
    if even == 0.0 { 0.0 } else { even }
}
