//! The order of texts by a question: BM25 over stems, times how much of the question a text covers, times what it weighs.
//!
//! Knows texts and weights, not rooms. Of texts that say much the same the best one comes, once.

use std::collections::{BTreeMap, BTreeSet};

use super::stem::stems;
use super::texts::RecallText;
use crate::kernel::fingerprint;

/// How soon a word that comes again counts less.
const SATURATION: f64 = 1.2;
/// How much a long text is held back.
const LENGTH: f64 = 0.75;
/// What a text is worth that covers next to nothing of the question; one that covers all of it is worth 1.
const LEAST_COVER: f64 = 0.35;
/// A word that stands among the tags counts so many times.
const IN_TAGS: usize = 2;
/// The same error is worth this much more.
const SAME_ERROR: f64 = 1.5;
/// Texts that share more of their words are one.
const ALIKE: f64 = 0.9;
/// So many words of a question count.
const MOST_WORDS: usize = 48;

/// The places of the texts that fit, and how well, the best first.
pub(super) fn rank(question: &str, texts: &[RecallText], limit: usize) -> Vec<(usize, f64)> {
    let mut asked: Vec<String> = Vec::new();
    for word in stems(question) {
        if !asked.contains(&word) {
            asked.push(word);
        }
    }
    asked.truncate(MOST_WORDS);
    let error = fingerprint::of(question);
    let index = TextIndex::of(texts);
    let weights: Vec<f64> = asked.iter().map(|word| index.rarity(word)).collect();
    let all: f64 = weights.iter().sum();
    let score = |at: usize| {
        let (mut sum, mut covered) = (0.0, 0.0);
        for (word, weight) in asked.iter().zip(&weights) {
            let times = index.times(at, word);
            if times > 0.0 {
                sum += weight * index.saturated(at, times);
                covered += weight;
            }
        }
        let cover = LEAST_COVER + (1.0 - LEAST_COVER) * covered / all.max(f64::MIN_POSITIVE);
        let is_same = error.split(' ').count() > 2 && texts[at].error.as_deref() == Some(&*error);
        let same = if is_same { SAME_ERROR } else { 1.0 };
        sum * cover * texts[at].weight * same
    };
    let mut found: Vec<(usize, f64)> =
        (0..texts.len()).map(|at| (at, score(at))).filter(|(_, score)| *score > 0.0).collect();
    found.sort_by(|one, two| {
        let ids = || texts[one.0].recalled.id.cmp(&texts[two.0].recalled.id);
        two.1.total_cmp(&one.1).then_with(ids)
    });
    unlike(found, &index, limit)
}

/// The first so many that do not say the same again.
fn unlike(found: Vec<(usize, f64)>, index: &TextIndex, limit: usize) -> Vec<(usize, f64)> {
    let mut kept: Vec<(usize, f64)> = Vec::new();
    for (at, score) in found {
        if kept.len() == limit {
            break;
        }
        if !kept.iter().any(|(other, _)| index.likeness(at, *other) > ALIKE) {
            kept.push((at, score));
        }
    }
    kept
}

/// How often each stem stands in each text.
struct TextIndex {
    counts: Vec<BTreeMap<String, usize>>,
    lengths: Vec<f64>,
    mean: f64,
    texts_with: BTreeMap<String, usize>,
}

impl TextIndex {
    fn of(texts: &[RecallText]) -> Self {
        let counts: Vec<BTreeMap<String, usize>> = texts.iter().map(count).collect();
        let lengths: Vec<f64> = counts.iter().map(|count| number(count.values().sum())).collect();
        let mut texts_with: BTreeMap<String, usize> = BTreeMap::new();
        for word in counts.iter().flat_map(BTreeMap::keys) {
            *texts_with.entry(word.clone()).or_default() += 1;
        }
        let mean = lengths.iter().sum::<f64>() / number(lengths.len().max(1));
        Self { counts, lengths, mean: mean.max(1.0), texts_with }
    }

    /// How much a word tells texts apart; nothing where none holds it, so that a word nobody knows holds nothing back.
    fn rarity(&self, word: &str) -> f64 {
        let with = number(self.texts_with.get(word).copied().unwrap_or_default());
        if with == 0.0 {
            return 0.0;
        }
        libm::log(1.0 + (number(self.counts.len()) - with + 0.5) / (with + 0.5))
    }

    fn times(&self, at: usize, word: &str) -> f64 {
        number(self.counts[at].get(word).copied().unwrap_or_default())
    }

    fn saturated(&self, at: usize, times: f64) -> f64 {
        let long = 1.0 - LENGTH + LENGTH * self.lengths[at] / self.mean;
        times * (SATURATION + 1.0) / (times + SATURATION * long)
    }

    /// The part of their words that two texts have in common.
    fn likeness(&self, one: usize, two: usize) -> f64 {
        let words = |at: usize| self.counts[at].keys().collect::<BTreeSet<_>>();
        let (one, two) = (words(one), words(two));
        let (both, all) = (one.intersection(&two).count(), one.union(&two).count());
        number(both) / number(all.max(1))
    }
}

fn count(text: &RecallText) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for word in stems(&text.recalled.text) {
        *counts.entry(word).or_default() += 1;
    }
    for word in stems(&text.recalled.about) {
        *counts.entry(word).or_default() += IN_TAGS;
    }
    counts
}

#[expect(clippy::cast_precision_loss, reason = "a count of words or texts")]
fn number(count: usize) -> f64 {
    count as f64
}
