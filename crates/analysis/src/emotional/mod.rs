//! How a session feels: mood, anxiety, frustrations, satisfactions, fears, each from something that happened (AFS 5.2.5).
//!
//! The words are the protocol's. What they stand for is counted: failures, checks, refusals, interruptions, repetition,
//! and what people and agents wrote. Says nothing of what a model feels.

mod anxiety;
#[cfg(test)]
mod tests;
mod words;

use annals_sparse::sparse;
use serde::Serialize;

use self::anxiety::anxiety;
pub(crate) use self::anxiety::{Anxiety, Weights};
use self::words::{DISPLEASED, DOUBTS, PLEASED};
pub(crate) use self::words::{is_displeased, is_only_pleased, is_pleased};

use super::check::{CheckOutcome, outcome};
use super::computed::{Computed, Decimal};
use super::settings::{ANXIETY_WEIGHTS, FRUSTRATIONS};
use super::step::{Call, Record, Step, Stop, What};
use super::text::{own_words, short};
use super::told::Told;
use annals_kernel::counted::count;
use annals_kernel::grounding::words;
use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;
use annals_rules::domain::cognition::amount::Amount;
use annals_rules::domain::cognition::limits::{self, CAUTION};
use annals_rules::domain::cognition::trigger::SessionMetric;

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct MoodNow {
    /// Which.
    pub current: Computed<Mood>,
    /// How strong.
    pub intensity: Computed<Share>,
    /// From -1 to 1: what went well against what went wrong.
    pub valence: Computed<Decimal>,
}

/// Something felt, and the entries behind it.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Felt {
    /// That of its first entry.
    pub id: EntryId,
    /// What happened.
    pub description: String,
    /// 1 to 10.
    pub intensity: u8,
    /// Whether it was made good, where that can be told; only frustrations can be.
    pub resolved: Option<bool>,
    /// The entries.
    #[always]
    pub entries: Vec<EntryId>,
    #[serde(skip)]
    source: Source,
    /// What must work to make it good.
    #[serde(skip)]
    tried: Vec<Tried>,
}

/// A tool, and what was tried with it.
type Tried = (Box<str>, Box<str>);

/// Who can make a frustration good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The same tool, about the same thing, that works.
    Calls,
    /// A person.
    Person,
    /// Whatever works next: the agent has found another way.
    Rule,
}

/// How a session feels at its end (AFS 5.2.5).
#[sparse(marked)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
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
    /// From where on anxiety is high; a limit of nothing where no anxiety could be computed.
    #[sparse]
    pub high_anxiety_threshold: Option<Share>,
    /// How many frustrations in a row are spinning; a limit of nothing where there was none.
    #[sparse]
    pub frustration_spinning_threshold: Option<usize>,
}

/// Looks at a session as it stands at its end.
pub(crate) fn analyse(record: &Record, settings: &Settings) -> Emotional {
    let mut felt = Feelings::default();
    for step in &record.steps {
        felt.take(step);
    }
    felt.close_streak();
    let weights = settings.get(&ANXIETY_WEIGHTS);
    let anxiety = anxiety(record, &weights);
    // The trigger that calls for this look (AFS 5.3) and what is said here (AFS 5.2.5) go by one limit.
    let high = limits::threshold(settings, CAUTION, SessionMetric::AnxietyLevel).map_or(Share::WHOLE, Amount::clamped);
    let many = settings.get(&FRUSTRATIONS);
    let mood = mood(&felt, &anxiety, record, high, many);
    let high_anxiety_threshold = anxiety.level.value().map(|_| high);
    let frustration_spinning_threshold = (!felt.frustrations.is_empty()).then_some(many);
    Emotional {
        mood,
        anxiety,
        fears: felt.fears,
        satisfactions: felt.satisfactions,
        frustrations: felt.frustrations,
        high_anxiety_threshold,
        frustration_spinning_threshold,
    }
}

/// What was felt so far.
#[derive(Default)]
struct Feelings {
    fears: Vec<Felt>,
    satisfactions: Vec<Felt>,
    frustrations: Vec<Felt>,
    /// Calls that failed one after the other, and what each tried.
    streak: Vec<(EntryId, Tried)>,
    /// Why the last of them failed.
    why: String,
    /// Failed checks that nothing has made good.
    failed_checks: Vec<(EntryId, Tried)>,
}

fn tried(call: &Call) -> Tried {
    (call.tool.clone(), call.tried.clone())
}

fn one(step: &Step, description: String, intensity: u8, resolved: Option<bool>) -> Felt {
    Felt {
        id: step.id,
        description,
        intensity,
        resolved,
        entries: vec![step.id],
        source: Source::Person,
        tried: Vec::new(),
    }
}

impl Feelings {
    fn take(&mut self, step: &Step) {
        match &step.what {
            What::Called(call) => self.call(step, call),
            What::Asked(text) if step.is_of_person() => self.person(step, text),
            What::Stopped(Stop::Rejected { reason, .. }) => {
                let why = if reason.is_empty() { String::new() } else { format!(": {}", short(reason, 100)) };
                let refused = one(step, format!("a person refused a call{why}"), 6, Some(false));
                // Who says what is wanted instead is content with the next thing that works.
                let source = if reason.is_empty() { Source::Person } else { Source::Rule };
                self.frustrations.push(Felt { source, ..refused });
            }
            What::Stopped(Stop::Interrupted) => {
                self.frustrations.push(one(step, "a person stopped the agent".to_owned(), 5, Some(false)));
            }
            What::Stopped(Stop::Denied { .. }) => {
                let denied = one(step, "a rule refused a call".to_owned(), 4, Some(false));
                self.frustrations.push(Felt { source: Source::Rule, ..denied });
            }
            What::Said(text) | What::Thought(text) => self.doubt(step, text),
            What::Asked(_) | What::Typed(_) | What::Failed | What::Began(_) | What::Noted => {}
        }
    }

    fn call(&mut self, step: &Step, call: &Call) {
        let tried = tried(call);
        if call.counts() && !call.is_trouble() {
            self.close_streak();
        }
        if call.is_ok() {
            self.works(&tried);
        } else if call.is_trouble() {
            self.streak.push((step.id, tried.clone()));
            self.why = short(call.error.as_deref().unwrap_or_default(), 80);
        }
        let failed = self.failed_checks.iter().position(|(_, before)| *before == tried);
        match (outcome(call), failed) {
            (Some(CheckOutcome::Failed), None) => self.failed_checks.push((step.id, tried)),
            (Some(CheckOutcome::Passed), Some(failed)) => {
                let mut felt = one(step, "a check passed that had failed".to_owned(), 7, None);
                felt.entries.insert(0, self.failed_checks.swap_remove(failed).0);
                self.satisfactions.push(felt);
            }
            (Some(CheckOutcome::Failed), Some(_)) | (Some(CheckOutcome::Passed), None) | (None, _) => {}
        }
    }

    /// Failures are made good when all that failed works.
    fn works(&mut self, tried: &Tried) {
        for felt in self.open(Source::Rule) {
            felt.resolved = Some(true);
        }
        for felt in self.open(Source::Calls) {
            felt.tried.retain(|waits| waits != tried);
            if felt.tried.is_empty() {
                felt.resolved = Some(true);
            }
        }
    }

    /// A person who goes on without displeasure makes good what the person had shown. Of failures that nobody came back to
    /// nobody can say.
    fn goes_on(&mut self) {
        for source in [Source::Person, Source::Rule] {
            for felt in self.open(source) {
                felt.resolved = Some(true);
            }
        }
        for felt in self.open(Source::Calls) {
            felt.resolved = None;
        }
    }

    fn open(&mut self, source: Source) -> impl Iterator<Item = &mut Felt> {
        self.frustrations.iter_mut().filter(move |felt| felt.resolved == Some(false) && felt.source == source)
    }

    /// Two failures in a row, and more.
    fn close_streak(&mut self) {
        let (entries, tried): (Vec<_>, Vec<_>) = std::mem::take(&mut self.streak).into_iter().unzip();
        if entries.len() < 2 {
            return;
        }
        let intensity = u8::try_from(entries.len() * 2).unwrap_or(10).min(10);
        let description =
            format!("{} failed in a row, the last with: {}", count(entries.len(), "call", "calls"), self.why);
        let (id, resolved, source) = (entries[0], Some(false), Source::Calls);
        self.frustrations.push(Felt { id, description, intensity, resolved, entries, source, tried });
    }

    fn person(&mut self, step: &Step, text: &str) {
        // Failures in a row end where the person speaks.
        self.close_streak();
        let words = own_words(text, 2000);
        if let Some(hit) = DISPLEASED.find(&words) {
            let description = format!("a person wrote \"{}\"", short(hit.as_str(), 60));
            self.frustrations.push(one(step, description, 6, Some(false)));
            return;
        }
        if let Some(hit) = PLEASED.find(&words) {
            self.satisfactions.push(one(step, format!("a person wrote \"{}\"", short(hit.as_str(), 60)), 6, None));
        }
        self.goes_on();
    }

    fn doubt(&mut self, step: &Step, text: &str) {
        let words = own_words(text, 4000);
        if let Some(hit) = DOUBTS.find(&words) {
            let description = format!("an agent wrote \"{}\"", short(hit.as_str(), 60));
            self.fears.push(one(step, description, 4, None));
        }
    }
}

fn mood(felt: &Feelings, anxiety: &Anxiety, record: &Record, high: Share, many: usize) -> MoodNow {
    let sum = |all: &[Felt]| all.iter().map(|felt| i64::from(felt.intensity)).sum::<i64>();
    let (good, bad) = (sum(&felt.satisfactions), sum(&felt.frustrations));
    let valence = Decimal::ratio(good - bad, good + bad);
    let open = felt.frustrations.iter().rev().take_while(|felt| felt.resolved == Some(false)).count();
    let strongest = |all: &[Felt]| all.iter().map(|felt| u16::from(felt.intensity) * 100).max().unwrap_or_default();
    let acts = record.steps.iter().filter(|step| step.call().is_some()).count();
    // What was made good is over: the word follows from what was felt last and is not; anxiety, and frustrations that pile
    // up, weigh more. By the sums of whole sessions 15 of 23 that were called frustrated at their end had
    // nothing open: the person had long gone on.
    let last = |all: &[Felt], counts: &dyn Fn(&Felt) -> bool| {
        all.iter().filter(|felt| counts(felt)).filter_map(|felt| felt.entries.last().copied()).max()
    };
    // What went well long ago is no mood of now.
    let since = record.steps.iter().rev().filter(|step| step.prompt().is_some()).nth(1).map(|step| step.id);
    let is_of_late = |felt: &Felt| since.is_none_or(|since| felt.entries.last().is_some_and(|last| *last >= since));
    let (went_well, went_wrong) =
        (last(&felt.satisfactions, &is_of_late), last(&felt.frustrations, &|felt| felt.resolved == Some(false)));
    let word_of = |level: Share| {
        if level > high {
            (Mood::Anxious, level)
        } else if went_wrong > went_well || went_wrong.is_some() && open >= many {
            (Mood::Frustrated, Share::thousandths(strongest(&felt.frustrations)))
        } else if went_well.is_some() {
            (Mood::Satisfied, Share::thousandths(strongest(&felt.satisfactions)))
        } else if acts > 0 {
            let well = record.steps.iter().filter_map(Step::call).filter(|call| !call.is_trouble()).count();
            (Mood::Focused, Share::of_count(well as u64, acts as u64).unwrap_or_default())
        } else {
            (Mood::Neutral, Share::NONE)
        }
    };
    let now = anxiety.level.clone().map(word_of);
    MoodNow {
        current: now.clone().map(|(mood, _)| mood),
        intensity: now.map(|(_, intensity)| intensity),
        valence: Computed::of(valence, || "something that went well or wrong".to_owned()),
    }
}

impl Emotional {
    /// How anxious, as far as anything speaks for it.
    pub fn anxiety_level(&self) -> Share {
        self.anxiety.level.value().copied().unwrap_or_default()
    }

    /// Frustrations in a row at the end that nothing has made good.
    pub fn unresolved(&self) -> usize {
        self.frustrations.iter().rev().take_while(|felt| felt.resolved == Some(false)).count()
    }

    /// As it reads.
    pub fn told(&self) -> Told {
        let mut told = Told::default();
        let strength = self.mood.intensity.value().map(|intensity| format!("intensity {intensity}"));
        told.figure("mood.current", &self.mood.current, strength.unwrap_or_default());
        let sums = format!(
            "{} against {}",
            count(self.satisfactions.len(), "satisfaction", "satisfactions"),
            count(self.frustrations.len(), "frustration", "frustrations")
        );
        told.figure("mood.valence", &self.mood.valence, sums);
        let sources = if self.anxiety.sources.is_empty() {
            "nothing speaks for it".to_owned()
        } else {
            self.anxiety.sources.join(", ")
        };
        told.figure("anxiety.level", &self.anxiety.level, sources);
        told.figure(
            "frustrations open",
            &Computed::Is(self.unresolved()),
            self.frustration_spinning_threshold.map(|many| format!("{many} in a row are spinning")).unwrap_or_default(),
        );
        let high = self.high_anxiety_threshold.filter(|high| self.anxiety_level() > *high);
        told.notes.extend(high.map(|high| format!("anxiety is above {high}: caution")));
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
