//! How a session feels: mood, anxiety, frustrations, satisfactions, fears, each from something that happened (AFS 5.2.5).
//!
//! The words are the protocol's. What they stand for is counted: failures, checks, refusals, interruptions, repetition,
//! and what people and agents wrote. Says nothing of what a model feels.

use std::collections::VecDeque;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::check::{Outcome, outcome};
use super::computed::{Decimal, any_of};
use super::settings::{ANXIETY, ANXIETY_WEIGHTS, FRUSTRATIONS};
use super::step::{Call, Record, Step, Stop, What};
use super::text::{count, own_words, short};
use super::told::Told;
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

/// What each source adds to anxiety, when it is all there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Weights {
    /// Every one of the last calls failed.
    pub failures: Share,
    /// The last check failed.
    pub failed_check: Share,
    /// For each refusal of the last steps.
    pub refusal: Share,
    /// For each interruption of the last steps.
    pub interruption: Share,
    /// For each prompt of the last steps that shows displeasure.
    pub displeasure: Share,
    /// For each doubt that the agent wrote in the last steps.
    pub doubt: Share,
}

impl Default for Weights {
    fn default() -> Self {
        let share = Share::thousandths;
        Self {
            failures: share(800),
            failed_check: share(250),
            refusal: share(250),
            interruption: share(150),
            displeasure: share(200),
            doubt: share(60),
        }
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

/// Anxiety, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Anxiety {
    /// How much.
    pub level: Share,
    /// What it comes from.
    pub sources: Vec<String>,
    /// What would help.
    pub mitigation_suggestions: Vec<&'static str>,
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

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("BUG: a pattern of ours")
}

static PLEASED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:thanks?(?: you)?|thx|great(?: job| work)?|perfect|awesome|excellent|nice(?: work| job|ly done)?|well done|good job|love it|lgtm|looks (?:good|great)|works (?:now|great|perfectly)|that worked|it worked|amazing|wonderful)\b",
    )
});
static DISPLEASED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:wtf|ugh|damn|still (?:not|doesn't|isn't|broken|failing|fails|wrong|getting|the same|seeing|see)|again\?|(?:that's|that’s|this is|it's|you're|is) (?:wrong|not (?:right|correct|what i (?:asked|wanted|meant))|broken|worse|terrible|ridiculous|awful)|doesn't work|does not work|didn't work|did not work|not working|you (?:broke|forgot|ignored|missed|keep|didn't|did not)|stop (?:doing|it|that|adding)|i (?:told|asked) you|why (?:did you|are you|is it still|do you keep)|undo (?:this|that|it)|revert (?:this|that|it)|this is (?:bad|a mess)|frustrat\w+|annoying)\b",
    )
});
static DOUBTS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:i(?:'m|’m| am) (?:worried|concerned|not (?:entirely |completely |fully )?(?:sure|certain)|unsure|afraid)|(?:this|that|it) (?:might|could|may) (?:break|fail|cause (?:problems|issues|conflicts)|lose|corrupt|be (?:risky|dangerous|destructive))|risky|dangerous|i(?:'m|’m| am) stuck|no idea why|(?:strange|weird|odd|confusing|suspicious)[,.! ])",
    )
});

/// Whether a person's words show displeasure.
pub fn is_displeased(words: &str) -> bool {
    DISPLEASED.is_match(words)
}

/// Whether a person's words show that they are content.
pub fn is_pleased(words: &str) -> bool {
    PLEASED.is_match(words)
}

/// Anxiety looks back so many calls, and so many steps for everything else.
const LAST_CALLS: usize = 10;
const LAST_STEPS: usize = 40;

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
    Felt { id: step.id, description, intensity, resolved, entries: vec![step.id] }
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
            self.resolve();
        } else {
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

    /// A call that succeeds makes the streak before it good.
    fn resolve(&mut self) {
        for felt in self.frustrations.iter_mut().rev().take_while(|felt| felt.resolved == Some(false)) {
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
        self.frustrations.push(Felt { id: entries[0], description, intensity, resolved: Some(false), entries });
    }

    fn person(&mut self, step: &Step, text: &str) {
        let words = own_words(text, 2000);
        if let Some(hit) = DISPLEASED.find(&words) {
            let description = format!("a person wrote \"{}\"", short(hit.as_str(), 60));
            self.frustrations.push(one(step, description, 6, Some(false)));
        } else if let Some(hit) = PLEASED.find(&words) {
            self.satisfactions.push(one(step, format!("a person wrote \"{}\"", short(hit.as_str(), 60)), 6, None));
            self.resolve();
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

fn times(share: Share, count: usize) -> Share {
    let product = usize::from(share.in_thousandths()).saturating_mul(count);
    Share::thousandths(u16::try_from(product).unwrap_or(1000))
}

/// Sources are taken together as chances are: each adds to what the others leave.
fn anxiety(record: &Record, weights: &Weights) -> Anxiety {
    let steps = &record.steps;
    let calls: VecDeque<&Call> = steps.iter().rev().filter_map(Step::call).take(LAST_CALLS).collect();
    let failed = calls.iter().filter(|call| !call.is_ok()).count();
    let last = || steps.iter().rev().take(LAST_STEPS);
    let counted = |fits: &dyn Fn(&Step) -> bool| last().filter(|step| fits(step)).count();
    let refused = counted(&|step| matches!(step.what, What::Stopped(Stop::Rejected { .. } | Stop::Denied { .. })));
    let interrupted = counted(&|step| matches!(step.what, What::Stopped(Stop::Interrupted)));
    let displeased = counted(&|step| step.prompt().is_some_and(|text| DISPLEASED.is_match(&own_words(text, 2000))));
    let doubts = counted(&|step| match &step.what {
        What::Said(text) | What::Thought(text) => DOUBTS.is_match(&own_words(text, 4000)),
        What::Asked(_)
        | What::Typed(_)
        | What::Called(_)
        | What::Stopped(_)
        | What::Failed
        | What::Began(_)
        | What::Noted => false,
    });
    let check = steps.iter().rev().filter_map(|step| outcome(step.call()?)).next();
    let failing = check == Some(Outcome::Failed);
    let rate = Share::of_count(failed as u64, calls.len() as u64).unwrap_or_default();
    let of_failures = usize::from(rate.in_thousandths()) * usize::from(weights.failures.in_thousandths()) / 1000;
    let sources = [
        (
            Share::thousandths(u16::try_from(of_failures).unwrap_or(1000)),
            format!("{failed} of the last {} failed", count(calls.len(), "call", "calls")),
            "Look at the first failure before going on.",
        ),
        (
            times(weights.failed_check, usize::from(failing)),
            "the last check failed".to_owned(),
            "Make the check pass before anything else.",
        ),
        (times(weights.refusal, refused), count(refused, "refusal", "refusals") + " lately", "Ask what is wanted."),
        (
            times(weights.interruption, interrupted),
            count(interrupted, "interruption", "interruptions") + " lately",
            "Take smaller steps and show them.",
        ),
        (
            times(weights.displeasure, displeased),
            count(displeased, "displeased prompt", "displeased prompts") + " lately",
            "Say back what was understood before going on.",
        ),
        (
            times(weights.doubt, doubts),
            count(doubts, "doubt", "doubts") + " of the agent lately",
            "Check the doubt, or name it to the person.",
        ),
    ];
    let level = any_of(sources.iter().map(|(share, ..)| *share));
    let (mut named, mut help) = (Vec::new(), Vec::new());
    for (share, source, suggestion) in sources.into_iter().filter(|(share, ..)| *share > Share::NONE) {
        named.push(format!("{source} ({share})"));
        help.push(suggestion);
    }
    Anxiety { level, sources: named, mitigation_suggestions: help }
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
