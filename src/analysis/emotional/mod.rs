//! How a session feels: mood, anxiety, frustrations, satisfactions, fears, each from something that happened (AFS 5.2.5).
//!
//! The words are the protocol's. What they stand for is counted: failures, checks, refusals, interruptions, repetition,
//! and what people and agents wrote. Says nothing of what a model feels.

mod anxiety;
#[cfg(test)]
mod tests;
mod words;

use serde::Serialize;

use self::anxiety::anxiety;
pub use self::anxiety::{Anxiety, Weights};
use self::words::{DISPLEASED, DOUBTS, PLEASED};
pub use self::words::{is_displeased, is_only_pleased, is_pleased};

use super::check::{Outcome, outcome};
use super::computed::Decimal;
use super::settings::{ANXIETY, ANXIETY_WEIGHTS, FRUSTRATIONS};
use super::step::{Call, Record, Step, Stop, What};
use super::text::{own_words, short};
use super::told::Told;
use crate::kernel::counted::count;
use crate::kernel::grounding::words;
use crate::kernel::id::EntryId;
use crate::kernel::settings::Settings;
use crate::kernel::share::Share;

words! {
    /// Moods of the protocol (AFS 5.2.5).
    pub enum Mood {
        /// Nothing happened.
        Neutral = "neutral",
        /// Work goes on.
        Focused = "focused",
        /// Things go wrong and stay so.
        Frustrated = "frustrated",
        /// Things went well at last.
        Satisfied = "satisfied",
        /// Too much at once speaks for caution.
        Anxious = "anxious",
    }
}

/// How it feels now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct MoodNow {
    /// Which.
    pub current: Mood,
    /// How strong.
    pub intensity: Share,
    /// From -1 to 1: what went well against what went wrong.
    pub valence: Decimal,
}

/// Something felt, and the entries behind it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Felt {
    /// That of its first entry.
    pub id: EntryId,
    /// What happened.
    pub description: String,
    /// 1 to 10.
    pub intensity: u8,
    /// Whether it was made good; only frustrations can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved: Option<bool>,
    /// The entries.
    pub entries: Vec<EntryId>,
    #[serde(skip)]
    source: Source,
}

/// Who can make a frustration good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A call that succeeds.
    Calls,
    /// A person.
    Person,
}

/// How a session feels at its end (AFS 5.2.5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Emotional {
    /// The mood.
    pub mood: MoodNow,
    /// The anxiety.
    pub anxiety: Anxiety,
    /// Doubts that agents wrote.
    pub fears: Vec<Felt>,
    /// What went well.
    pub satisfactions: Vec<Felt>,
    /// What went wrong.
    pub frustrations: Vec<Felt>,
    /// From where on anxiety is high.
    pub high_anxiety_threshold: Share,
    /// How many frustrations in a row are spinning.
    pub frustration_spinning_threshold: usize,
}

/// Looks at a session as it stands at its end.
pub fn analyse(record: &Record, settings: &Settings) -> Emotional {
    let mut felt = Feelings::default();
    for step in &record.steps {
        felt.take(step);
    }
    felt.close_streak();
    let weights = settings.get(&ANXIETY_WEIGHTS);
    let anxiety = anxiety(record, &weights);
    let limits = (settings.get(&ANXIETY), settings.get(&FRUSTRATIONS));
    let mood = mood(&felt, &anxiety, record, limits);
    Emotional {
        mood,
        anxiety,
        fears: felt.fears,
        satisfactions: felt.satisfactions,
        frustrations: felt.frustrations,
        high_anxiety_threshold: limits.0,
        frustration_spinning_threshold: limits.1,
    }
}

/// What was felt so far.
#[derive(Default)]
struct Feelings {
    fears: Vec<Felt>,
    satisfactions: Vec<Felt>,
    frustrations: Vec<Felt>,
    /// Calls that failed one after the other.
    streak: Vec<EntryId>,
    /// Why the last of them failed.
    why: String,
    /// A failed check that nothing has made good.
    failed_check: Option<EntryId>,
}

fn one(step: &Step, description: String, intensity: u8, resolved: Option<bool>) -> Felt {
    Felt { id: step.id, description, intensity, resolved, entries: vec![step.id], source: Source::Person }
}

impl Feelings {
    fn take(&mut self, step: &Step) {
        match &step.what {
            What::Called(call) => self.call(step, call),
            What::Asked(text) if step.is_of_person() => self.person(step, text),
            What::Stopped(Stop::Rejected { reason, .. }) => {
                let why = if reason.is_empty() { String::new() } else { format!(": {}", short(reason, 100)) };
                self.frustrations.push(one(step, format!("a person refused a call{why}"), 6, Some(false)));
            }
            What::Stopped(Stop::Interrupted) => {
                self.frustrations.push(one(step, "a person stopped the agent".to_owned(), 5, Some(false)));
            }
            What::Stopped(Stop::Denied { .. }) => {
                self.frustrations.push(one(step, "a rule refused a call".to_owned(), 4, Some(false)));
            }
            What::Said(text) | What::Thought(text) => self.doubt(step, text),
            What::Asked(_) | What::Typed(_) | What::Failed | What::Began(_) | What::Noted => {}
        }
    }

    fn call(&mut self, step: &Step, call: &Call) {
        if call.is_ok() {
            self.close_streak();
            self.resolve(Source::Calls);
        } else if call.is_trouble() {
            self.streak.push(step.id);
            self.why = short(call.error.as_deref().unwrap_or_default(), 80);
        }
        match (outcome(call), self.failed_check) {
            (Some(Outcome::Failed), None) => self.failed_check = Some(step.id),
            (Some(Outcome::Passed), Some(failed)) => {
                let mut felt = one(step, "a check passed that had failed".to_owned(), 7, None);
                felt.entries.insert(0, failed);
                self.satisfactions.push(felt);
                self.failed_check = None;
            }
            (Some(Outcome::Failed), Some(_)) | (Some(Outcome::Passed), None) | (None, _) => {}
        }
    }

    /// A call that succeeds makes failures good; a person who goes on without displeasure, what the person had shown.
    fn resolve(&mut self, source: Source) {
        let open = self.frustrations.iter_mut().rev().take_while(|felt| felt.resolved == Some(false));
        for felt in open.filter(|felt| felt.source == source) {
            felt.resolved = Some(true);
        }
    }

    /// Two failures in a row, and more.
    fn close_streak(&mut self) {
        let entries = std::mem::take(&mut self.streak);
        if entries.len() < 2 {
            return;
        }
        let intensity = u8::try_from(entries.len() * 2).unwrap_or(10).min(10);
        let description =
            format!("{} failed in a row, the last with: {}", count(entries.len(), "call", "calls"), self.why);
        self.frustrations.push(Felt {
            id: entries[0],
            description,
            intensity,
            resolved: Some(false),
            entries,
            source: Source::Calls,
        });
    }

    fn person(&mut self, step: &Step, text: &str) {
        let words = own_words(text, 2000);
        if let Some(hit) = DISPLEASED.find(&words) {
            let description = format!("a person wrote \"{}\"", short(hit.as_str(), 60));
            self.frustrations.push(one(step, description, 6, Some(false)));
        } else if let Some(hit) = PLEASED.find(&words) {
            self.satisfactions.push(one(step, format!("a person wrote \"{}\"", short(hit.as_str(), 60)), 6, None));
            self.resolve(Source::Person);
        } else {
            self.resolve(Source::Person);
        }
    }

    fn doubt(&mut self, step: &Step, text: &str) {
        let words = own_words(text, 4000);
        if let Some(hit) = DOUBTS.find(&words) {
            let description = format!("an agent wrote \"{}\"", short(hit.as_str(), 60));
            self.fears.push(one(step, description, 4, None));
        }
    }
}

fn mood(felt: &Feelings, anxiety: &Anxiety, record: &Record, (high, many): (Share, usize)) -> MoodNow {
    let sum = |all: &[Felt]| all.iter().map(|felt| i64::from(felt.intensity)).sum::<i64>();
    let (good, bad) = (sum(&felt.satisfactions), sum(&felt.frustrations));
    let valence = Decimal::ratio(good - bad, good + bad).unwrap_or_default();
    let open = felt.frustrations.iter().rev().take_while(|felt| felt.resolved == Some(false)).count();
    let last_good = felt.satisfactions.last().map(|felt| felt.id);
    let last_bad = felt.frustrations.last().map(|felt| felt.id);
    let strongest = |all: &[Felt]| all.iter().map(|felt| u16::from(felt.intensity) * 100).max().unwrap_or_default();
    let acts = record.steps.iter().filter(|step| step.call().is_some()).count();
    let (current, intensity) = if anxiety.level > high {
        (Mood::Anxious, anxiety.level)
    } else if open >= many || open > 0 && last_bad > last_good {
        (Mood::Frustrated, Share::thousandths(strongest(&felt.frustrations)))
    } else if last_good.is_some() && last_good > last_bad {
        (Mood::Satisfied, Share::thousandths(strongest(&felt.satisfactions)))
    } else if acts > 0 {
        let well = record.steps.iter().filter_map(Step::call).filter(|call| call.is_ok()).count();
        (Mood::Focused, Share::of_count(well as u64, acts as u64).unwrap_or_default())
    } else {
        (Mood::Neutral, Share::NONE)
    };
    MoodNow { current, intensity, valence }
}

impl Emotional {
    /// How anxious.
    pub fn anxiety_level(&self) -> Share {
        self.anxiety.level
    }

    /// Frustrations in a row at the end that nothing has made good.
    pub fn unresolved(&self) -> usize {
        self.frustrations.iter().rev().take_while(|felt| felt.resolved == Some(false)).count()
    }

    /// As it reads.
    pub fn told(&self) -> Told {
        use super::computed::Computed::Is;
        let mut told = Told::default();
        let strength = format!("intensity {}", self.mood.intensity);
        told.figure("mood.current", &Is(self.mood.current), strength);
        let sums = format!(
            "{} against {}",
            count(self.satisfactions.len(), "satisfaction", "satisfactions"),
            count(self.frustrations.len(), "frustration", "frustrations")
        );
        told.figure("mood.valence", &Is(self.mood.valence), sums);
        let sources = if self.anxiety.sources.is_empty() {
            "nothing speaks for it".to_owned()
        } else {
            self.anxiety.sources.join(", ")
        };
        told.figure("anxiety.level", &Is(self.anxiety.level), sources);
        told.figure(
            "frustrations open",
            &Is(self.unresolved()),
            format!("{} in a row are spinning", self.frustration_spinning_threshold),
        );
        if self.anxiety.level > self.high_anxiety_threshold {
            told.notes.push(format!("anxiety is above {}: caution", self.high_anxiety_threshold));
        }
        told.notes.extend(self.anxiety.mitigation_suggestions.iter().map(|help| (*help).to_owned()));
        let mut all: Vec<_> =
            [(&self.frustrations, "frustration"), (&self.satisfactions, "satisfaction"), (&self.fears, "fear")]
                .into_iter()
                .flat_map(|(felt, kind)| felt.iter().map(move |felt| (felt, kind)))
                .collect();
        all.sort_by_key(|(felt, _)| felt.id);
        for (felt, kind) in all {
            let resolved = match felt.resolved {
                Some(true) => ", made good",
                Some(false) => ", open",
                None => "",
            };
            told.find(kind, format!("{} ({} of 10{resolved})", felt.description, felt.intensity), &felt.entries);
        }
        told
    }
}
