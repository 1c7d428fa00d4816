//! Theory of mind: what people's prompts show of their idea of the agent's mind (AFS 5.2.2).
//!
//! Words tell: see `markers`. The score of a prompt and what it leaves open are ours; the document gives no formula for
//! one. Says nothing of agents, and nothing of people beyond their prompts.

pub(crate) mod markers;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use annals_sparse::sparse;
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use self::markers::{Marker, MarkerPlace, TABLE};
use super::computed::{Computed, Decimal, any_of, mean};
use super::settings::{TOM_BETA, TOM_CHARACTERS, TOM_PATTERNS};
use super::step::{Record, Step};
use super::text::{self, Places};
use super::told::Told;
use annals_kernel::counted::count;
use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;

/// A marker in a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FoundMarker {
    /// Which.
    #[serde(rename = "type")]
    pub marker: Marker,
    /// The words.
    pub text: String,
    /// Where they begin in the prompt, in characters.
    pub position: usize,
    /// How sure the words make us.
    pub confidence: Share,
    /// The prompt.
    pub entry: EntryId,
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct MarkedPrompt {
    /// Its entry.
    pub entry: EntryId,
    /// What it shows, 0 to 1.
    pub score: Share,
    /// How far it is from the others of the session.
    pub deviation: Computed<Decimal>,
}

/// What the prompts of a session show (AFS 5.2.2).
#[sparse(marked)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Tom {
    /// Every marker.
    pub markers_detected: Vec<FoundMarker>,
    /// The mean over the prompts.
    pub trait_tom_score: Computed<Share>,
    /// How far the last prompt is from the others.
    pub dynamic_tom_deviation: Computed<Decimal>,
    /// What the document would have the trait add to the quality of answers: its figure, not a measurement.
    pub predicted_response_quality: Computed<Decimal>,
    /// Every prompt in which its writer said something, with its own deviation.
    pub turns: Vec<MarkedPrompt>,
    /// How many prompts are documents, templates or pastes, and nothing else: they show nobody.
    #[sparse]
    pub without_words: usize,
    /// Markers by their type.
    pub counts: BTreeMap<Marker, usize>,
    #[serde(skip)]
    beta: Decimal,
}

/// An expression that a setting gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(String);

impl TryFrom<String> for Pattern {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, regex::Error> {
        compiled(&text).map(|_| Self(text))
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.0
    }
}

/// How sure a pattern of a setting makes us.
const GIVEN: Share = Share::thousandths(800);

/// A pattern between the bounds of words, without regard to case.
fn compiled(pattern: &str) -> Result<Regex, regex::Error> {
    let bounded = format!(r"\b{{start-half}}(?:{pattern})\b{{end-half}}");
    RegexBuilder::new(&bounded).case_insensitive(true).size_limit(1 << 20).build()
}

struct MarkerRule {
    marker: Marker,
    confidence: Share,
    place: MarkerPlace,
    pattern: Regex,
}

static OURS: LazyLock<Vec<MarkerRule>> = LazyLock::new(|| {
    let rule = |words: &markers::Words| MarkerRule {
        marker: words.marker,
        confidence: Share::thousandths(words.confidence),
        place: words.place,
        pattern: compiled(words.pattern).expect("BUG: a pattern of ours"),
    };
    TABLE.iter().map(rule).collect()
});

fn given(settings: &Settings) -> Vec<MarkerRule> {
    let patterns = settings.get(&TOM_PATTERNS);
    let rules = patterns.into_iter().flat_map(|(marker, patterns)| {
        let compiled = patterns.into_iter().filter_map(|pattern| compiled(&pattern.0).ok());
        compiled.map(move |pattern| MarkerRule { marker, confidence: GIVEN, place: MarkerPlace::Anywhere, pattern })
    });
    rules.collect()
}

/// Looks at the prompts of a session.
pub(crate) fn analyse(record: &Record, settings: &Settings) -> Tom {
    let (given, most) = (given(settings), settings.get(&TOM_CHARACTERS));
    let (mut markers_detected, mut scores, mut without_words) = (Vec::new(), Vec::new(), 0);
    let mut place = MarkerPlace::AtTheStart;
    for step in &record.steps {
        if step.said().is_some() || step.call().is_some() {
            place = MarkerPlace::Anywhere;
        }
        let Some(prompt) = step.prompt().filter(|prompt| !prompt.trim().is_empty()) else { continue };
        let prose = text::own_words(prompt, most);
        if prose.trim().is_empty() {
            without_words += 1;
            continue;
        }
        let found = detect(step, &prose, place, OURS.iter().chain(&given));
        scores.push((step.id, score(&found)));
        markers_detected.extend(found);
    }
    let tom = of_prompts(markers_detected, &scores, settings.get(&TOM_BETA));
    Tom { without_words, ..tom }
}

/// Trait, deviation and prediction (AFS 5.2.2).
fn of_prompts(markers_detected: Vec<FoundMarker>, scores: &[(EntryId, Share)], beta: Decimal) -> Tom {
    let trait_score = mean(scores.iter().map(|(_, score)| *score));
    let sum: i64 = scores.iter().map(|(_, score)| i64::from(score.in_thousandths())).sum();
    let others = i64::try_from(scores.len()).unwrap_or(i64::MAX) - 1;
    let turn = |(entry, score): &(EntryId, Share)| {
        let own = i64::from(score.in_thousandths());
        // ToM_ij - ToM_i(-j): own - (sum - own) / others, on one denominator.
        let deviation = Decimal::ratio(own * others - (sum - own), others.saturating_mul(1000)).filter(|_| others > 0);
        let missing = || "a second prompt in the session to compare with".to_owned();
        MarkedPrompt { entry: *entry, score: *score, deviation: Computed::of(deviation, missing) }
    };
    let turns: Vec<_> = scores.iter().map(turn).collect();
    let none = || "a prompt in which a person says something".to_owned();
    let mut counts = BTreeMap::new();
    for found in &markers_detected {
        *counts.entry(found.marker).or_insert(0) += 1;
    }
    let trait_tom_score = Computed::of(trait_score, none);
    Tom {
        dynamic_tom_deviation: turns
            .last()
            .map_or_else(|| Computed::NotComputable(none()), |turn| turn.deviation.clone()),
        predicted_response_quality: trait_tom_score.clone().map(|score| predicted(score, beta)),
        trait_tom_score,
        markers_detected,
        turns,
        without_words: 0,
        counts,
        beta,
    }
}

fn predicted(score: Share, beta: Decimal) -> Decimal {
    let product = beta.in_thousandths().saturating_mul(i64::from(score.in_thousandths()));
    Decimal::ratio(product, 1_000_000).unwrap_or_default()
}

fn detect<'r>(
    step: &Step,
    prose: &str,
    place: MarkerPlace,
    rules: impl Iterator<Item = &'r MarkerRule>,
) -> Vec<FoundMarker> {
    let mut hits: Vec<(Marker, std::ops::Range<usize>, Share)> = Vec::new();
    for rule in rules.filter(|rule| rule.place == MarkerPlace::Anywhere || rule.place == place) {
        let found = rule.pattern.find_iter(prose).filter(|found| !found.is_empty());
        hits.extend(found.map(|found| (rule.marker, found.range(), rule.confidence)));
    }
    // Of one marker, the surest words at a place count.
    hits.sort_by_key(|(marker, range, confidence)| (*marker, range.start, std::cmp::Reverse(*confidence)));
    let mut end = (None, 0);
    hits.retain(|(marker, range, _)| {
        let is_new = end.0 != Some(*marker) || range.start >= end.1;
        if is_new {
            end = (Some(*marker), range.end);
        }
        is_new
    });
    hits.sort_by_key(|(marker, range, _)| (range.start, *marker));
    let mut places = Places::new(prose);
    let found = |(marker, range, confidence): (Marker, std::ops::Range<usize>, Share)| {
        let text = text::short(&prose[range.clone()], 120);
        FoundMarker { marker, text, position: places.character(range.start), confidence, entry: step.id }
    };
    hits.into_iter().map(found).collect()
}

/// How likely a prompt shows an idea of the other's mind, less how likely it shows the lack of one: each type once, by its
/// surest words.
fn score(found: &[FoundMarker]) -> Share {
    let surest = |is_negative: bool| {
        let mut surest: BTreeMap<Marker, Share> = BTreeMap::new();
        for found in found.iter().filter(|found| found.marker.is_negative() == is_negative) {
            let best = surest.entry(found.marker).or_default();
            *best = (*best).max(found.confidence);
        }
        any_of(surest.into_values())
    };
    let (shown, lacking) = (surest(false).in_thousandths(), surest(true).in_thousandths());
    Share::thousandths(shown.saturating_sub(lacking))
}

impl Tom {
    /// As it reads.
    pub fn told(&self) -> Told {
        let mut told = Told::default();
        let prompts = count(self.turns.len(), "prompt", "prompts");
        let left_out = match self.without_words {
            0 => String::new(),
            more => format!("; {more} left out, without words of its writer"),
        };
        told.figure("trait_tom_score", &self.trait_tom_score, format!("the mean of {prompts}{left_out}"));
        told.figure(
            "dynamic_tom_deviation",
            &self.dynamic_tom_deviation,
            "the last prompt against the mean of the others",
        );
        let by = format!("by the document: beta {} times the trait; its figure, not a measurement", self.beta);
        told.figure("predicted_response_quality", &self.predicted_response_quality, by);
        let scores: BTreeMap<_, _> = self.turns.iter().map(|turn| (turn.entry, turn.score)).collect();
        for found in self.markers_detected.chunk_by(|left, right| left.entry == right.entry) {
            let named = found.iter().map(FoundMarker::named).collect::<Vec<_>>().join(", ");
            let score = scores.get(&found[0].entry).copied().unwrap_or_default();
            told.find(score.to_string(), named, &[found[0].entry]);
        }
        told
    }
}

impl FoundMarker {
    fn named(&self) -> String {
        let against = if self.marker.is_negative() { " (against)" } else { "" };
        format!("{}{against} \"{}\" at {}, {}", self.marker, self.text, self.position, self.confidence)
    }
}
