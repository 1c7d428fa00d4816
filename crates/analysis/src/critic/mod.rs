//! The critic: what went wrong in a session, by rules over its steps (AFS 5.2.4).
//!
//! The tone chooses what stands before the findings, and nothing else: the same findings in every tone.

#[cfg(test)]
mod adversaries;
mod danger;
mod proof;
mod repetition;
mod scope;
#[cfg(test)]
mod tests;

pub use self::proof::{FALSE_CLAIM, UNVERIFIED_CLAIM};
use annals_sparse::sparse;
use serde::Serialize;

use super::documentation;
use super::emotional;
use super::settings::{CRITIC_CONFIDENCE, CRITIC_FILES, CRITIC_PREFIXES, DOCUMENTATION_ESCALATE};
use super::step::Record;
use super::told::Told;
use super::turn::{Turn, turns};
use annals_kernel::counted::count;
use annals_kernel::grounding::words;
use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;
use annals_rules::domain::cognition::amount::Amount;
use annals_rules::domain::cognition::critic::{Tone, ToneMood, next};
use annals_rules::domain::cognition::limits::{self, DEFAULT_TONE};
use annals_rules::domain::cognition::trigger::SessionMetric;

words! {
    /// How grave a finding is (AFS 5.2.4).
    pub enum CriticSeverity {
        /// Work may be lost, or something false was said of it.
        Critical = "critical",
        /// The result cannot be relied on.
        Major = "major",
        /// It costs time, or wants a look.
        Minor = "minor",
        /// A matter of taste.
        Nitpick = "nitpick",
    }
}

/// Where something stands.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct StepLocation {
    /// The file.
    pub file: String,
    /// The line.
    pub line: Option<usize>,
}

/// A finding of the critic (AFS 5.2.4).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Review {
    /// How grave.
    pub severity: CriticSeverity,
    /// Of what kind.
    pub aspect: &'static str,
    /// Where, if it is in a file.
    pub location: Option<StepLocation>,
    /// What is wrong.
    pub issue: String,
    /// What would help.
    pub suggestion: &'static str,
    /// How sure the rule is.
    pub confidence: Share,
    /// The entries that it stands on.
    #[always]
    pub entries: Vec<EntryId>,
}

/// What the critic says of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Critic {
    /// The tone.
    pub tone: Tone,
    /// What stands before the findings.
    pub prefix: String,
    /// Why the tone is what it is.
    pub tone_because: String,
    /// The findings, the gravest first, then as they happened.
    pub reviews: Vec<Review>,
    /// How many there are beside them, of which the rules are less sure than is asked for.
    pub left_out: usize,
    /// How many steps were looked at.
    pub steps: usize,
}

/// What the rules go by.
pub(super) struct CriticLimits {
    /// So many repetitions after the first time.
    spinning: u32,
    /// So many equal calls, the first among them.
    repetition: usize,
    /// So many edits want a test run.
    edits: usize,
    files: usize,
}

impl CriticLimits {
    /// What spins live, and which edits want tests live, does so here.
    fn of(settings: &Settings) -> Self {
        let live = limits::CognitionLimits::of(settings);
        let count = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
        let edits = limits::threshold(settings, "edits-without-tests", SessionMetric::EditCount);
        Self {
            spinning: live.spinning,
            // The live mind counts repetitions after the first call, the critic counts calls; one setting serves both.
            repetition: count(live.spinning).saturating_add(1),
            edits: edits.map_or(usize::MAX, Amount::whole).max(1),
            files: settings.get(&CRITIC_FILES).max(1),
        }
    }
}

/// The findings of the rules, and who finds them.
#[derive(Default)]
struct FoundReviews(Vec<Review>);

impl FoundReviews {
    fn add(
        &mut self,
        severity: CriticSeverity,
        aspect: &'static str,
        confidence: u16,
        issue: String,
        suggestion: &'static str,
        entries: Vec<EntryId>,
    ) {
        let confidence = Share::thousandths(confidence);
        self.0.push(Review { severity, aspect, location: None, issue, suggestion, confidence, entries });
    }

    fn at(&mut self, file: &str) {
        if let Some(review) = self.0.last_mut() {
            review.location = Some(StepLocation { file: file.to_owned(), line: None });
        }
    }
}

/// Looks at the steps of a session.
pub(crate) fn analyse(record: &Record, settings: &Settings) -> Critic {
    let limits = CriticLimits::of(settings);
    let mut found = FoundReviews(Vec::new());
    let turns: Vec<Turn<'_>> = turns(&record.steps);
    repetition::find(&record.steps, &limits, &mut found);
    proof::find(&turns, &limits, &mut found);
    scope::find(record, &turns, &limits, &mut found);
    if settings.get(&DOCUMENTATION_ESCALATE) {
        found.0.extend(documentation::analyse(record, settings).reviews());
    }
    let least = settings.get(&CRITIC_CONFIDENCE);
    let (mut reviews, unsure): (Vec<_>, Vec<_>) = found.0.into_iter().partition(|review| review.confidence >= least);
    reviews.sort_by(|left, right| (left.severity, left.entries.first()).cmp(&(right.severity, right.entries.first())));
    let feelings = emotional::analyse(record, settings);
    let mood = ToneMood { anxiety: feelings.anxiety_level(), frustrations: feelings.unresolved(), stable: 0 };
    let first = settings.get(&DEFAULT_TONE);
    let tone = next(first, &mood, &limits::CognitionLimits::of(settings)).map_or(first, |(tone, _)| tone);
    let tone_because =
        format!("anxiety {}, {} open", mood.anxiety, count(mood.frustrations, "frustration", "frustrations"));
    let prefix = settings.get(&CRITIC_PREFIXES).remove(&tone).unwrap_or_default();
    Critic { tone, prefix, tone_because, reviews, left_out: unsure.len(), steps: record.steps.len() }
}

/// Claims that nothing in the record stands behind, or that it contradicts, each with the message that makes it: what a
/// hook asks, for which the rest would be built and thrown away (28 ms of CPU).
pub(crate) fn unproved(record: &Record, settings: &Settings) -> Vec<(EntryId, &'static str)> {
    let mut found = FoundReviews(Vec::new());
    proof::find(&turns(&record.steps), &CriticLimits::of(settings), &mut found);
    found.0.iter().filter_map(|review| Some((*review.entries.first()?, review.aspect))).collect()
}

impl Critic {
    /// As it reads.
    pub fn told(&self) -> Told {
        let mut told = Told::default();
        if !self.prefix.is_empty() && !self.reviews.is_empty() {
            told.notes.push(self.prefix.clone());
        }
        told.notes.push(format!("tone: {} ({})", self.tone, self.tone_because));
        if self.reviews.is_empty() {
            told.notes.push(format!("the rules found nothing in {}", count(self.steps, "step", "steps")));
        }
        if self.left_out > 0 {
            let more = count(self.left_out, "finding is", "findings are");
            told.notes.push(format!("{more} less sure than `analysis.critic.min_confidence` asks for, and left out"));
        }
        for review in &self.reviews {
            let text = format!("{}: {} {} ({})", review.aspect, review.issue, review.suggestion, review.confidence);
            told.find(review.severity.as_str(), text, &review.entries);
        }
        told
    }
}
