//! `metrics/search-performance.json` (AFS 9.4): what was looked for, how long it took, and what a person opened of it.
//!
//! A cache of this clone, which can be deleted: selections are entries of the log. Pure; does not read the file.

use std::collections::BTreeMap;

use annals_kernel::time::Timestamp;
use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use crate::hit::Source;

/// So many queries are kept.
const MOST_QUERIES: usize = 200;

/// A query is kept up to this length, in characters.
const MOST_CHARS: usize = 200;

/// The file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchMetrics {
    /// The last queries, the oldest first.
    #[serde(default)]
    pub queries: Vec<MeasuredQuery>,
    /// By provider.
    #[serde(default)]
    pub aggregates: BTreeMap<String, Aggregate>,
}

/// A query.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasuredQuery {
    /// Its id.
    pub id: String,
    /// What was looked for.
    pub query: String,
    /// Which providers were asked.
    pub modes_used: Vec<String>,
    /// How many hits there were.
    pub results_count: u64,
    /// How long it took.
    pub latency_ms: u64,
    /// What was opened of it.
    pub user_selected_result: Option<SelectedResult>,
    /// When.
    pub timestamp: Timestamp,
    /// The hits, in their order: by whom each was found, and what it is.
    #[always]
    pub results: Vec<ShownResult>,
}

/// What was opened of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectedResult {
    /// Who found it.
    pub source: String,
    /// Its place, from 1.
    pub rank: u64,
}

/// A hit of an answer, so that it can be opened by its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownResult {
    /// Who found it.
    pub source: String,
    /// What sort of thing it is.
    pub kind: String,
    /// Its id.
    pub id: String,
}

/// How a provider does.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Aggregate {
    /// How many queries it was asked.
    pub query_count: u64,
    /// How long it took in the mean, in milliseconds.
    pub avg_latency_ms: f64,
    /// Of its queries the share of which a person opened one of its hits.
    pub selection_rate: f64,
    /// The place of what was opened, in the mean.
    pub avg_result_rank: f64,
}

/// How often hits of a provider were opened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Selections {
    pub selected: f64,
    pub queries: f64,
}

impl SearchMetrics {
    /// Takes in a query; `latencies` are those of its providers, in milliseconds.
    pub fn ran(&mut self, mut query: MeasuredQuery, latencies: &BTreeMap<&'static str, u64>) {
        query.query = query.query.chars().take(MOST_CHARS).collect();
        for (provider, millis) in latencies {
            let aggregate = self.aggregates.entry((*provider).to_owned()).or_default();
            let before = count(aggregate.query_count);
            aggregate.query_count = aggregate.query_count.saturating_add(1);
            let next = |mean: f64, value: f64| rounded((mean * before + value) / (before + 1.0));
            aggregate.avg_latency_ms = next(aggregate.avg_latency_ms, count(*millis));
            aggregate.selection_rate = next(aggregate.selection_rate, 0.0);
        }
        self.queries.push(query);
        let most = self.queries.len().saturating_sub(MOST_QUERIES);
        self.queries.drain(..most);
    }

    /// Takes in what a person opened. A query counts once, with what was opened first.
    pub fn selected(&mut self, query: &str, selected: SelectedResult) {
        let Some(measured) = self.queries.iter_mut().find(|measured| measured.id == query) else { return };
        if measured.user_selected_result.is_some() {
            return;
        }
        let aggregate = self.aggregates.entry(selected.source.clone()).or_default();
        let queries = count(aggregate.query_count.max(1));
        let before = aggregate.selection_rate * queries;
        aggregate.avg_result_rank =
            rounded((aggregate.avg_result_rank * before + count(selected.rank)) / (before + 1.0));
        aggregate.selection_rate = rounded(((before + 1.0) / queries).min(1.0));
        measured.user_selected_result = Some(selected);
    }

    /// A query by its id, or the last one.
    pub fn query(&self, id: Option<&str>) -> Option<&MeasuredQuery> {
        match id {
            Some(id) => self.queries.iter().rev().find(|query| query.id.ends_with(id)),
            None => self.queries.last(),
        }
    }

    pub(crate) fn selections(&self, source: Source) -> Selections {
        let Some(aggregate) = self.aggregates.get(source.as_str()) else {
            return Selections { selected: 0.0, queries: 0.0 };
        };
        // A file that somebody brought may say anything.
        let rate = if aggregate.selection_rate.is_finite() { aggregate.selection_rate.clamp(0.0, 1.0) } else { 0.0 };
        let queries = count(aggregate.query_count.min(1 << 40));
        Selections { selected: rate * queries, queries }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of queries and milliseconds")]
fn count(number: u64) -> f64 {
    number as f64
}

fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weight::Weights;

    fn query(id: &str) -> MeasuredQuery {
        MeasuredQuery {
            id: id.to_owned(),
            query: "words".to_owned(),
            modes_used: vec!["text".to_owned(), "fuzzy".to_owned()],
            results_count: 3,
            latency_ms: 10,
            user_selected_result: None,
            timestamp: Timestamp::from_millis(0),
            results: Vec::new(),
        }
    }

    fn selected(source: &str, rank: u64) -> SelectedResult {
        SelectedResult { source: source.to_owned(), rank }
    }

    #[test]
    fn queries_and_selections_are_counted_by_provider() {
        let mut metrics = SearchMetrics::default();
        for number in 0..4 {
            metrics.ran(query(&number.to_string()), &BTreeMap::from([("text", 10 + number), ("fuzzy", 1)]));
        }
        metrics.selected("0", selected("text", 1));
        metrics.selected("1", selected("text", 4));
        metrics.selected("1", selected("text", 9));
        metrics.selected("gone", selected("text", 9));
        let expected = Aggregate { query_count: 4, avg_latency_ms: 11.5, selection_rate: 0.5, avg_result_rank: 2.5 };
        assert_eq!(metrics.aggregates["text"], expected);
        assert_eq!(metrics.queries[1].user_selected_result, Some(selected("text", 4)));
    }

    #[test]
    fn a_provider_that_is_opened_more_often_weighs_more_within_bounds() {
        let mut metrics = SearchMetrics::default();
        assert_eq!(Weights::default().learnt(&metrics), Weights::default());
        for number in 0..50 {
            metrics.ran(query(&number.to_string()), &BTreeMap::from([("text", 10), ("fuzzy", 1)]));
            metrics.selected(&number.to_string(), selected("text", 1));
        }
        let weights = Weights::default().learnt(&metrics);
        assert!(weights.of(Source::Text) > 1.0 && weights.of(Source::Text) <= 1.5);
        assert!((0.25..0.5).contains(&weights.of(Source::Fuzzy)));
        let hostile = Aggregate { query_count: u64::MAX, selection_rate: f64::INFINITY, ..Aggregate::default() };
        metrics.aggregates.insert("text".to_owned(), hostile);
        let weights = Weights::default().learnt(&metrics);
        assert!(Source::ALL.iter().all(|source| weights.of(*source).is_finite()));
    }

    #[test]
    fn only_the_last_queries_are_kept() {
        let mut metrics = SearchMetrics::default();
        (0..300).for_each(|number| metrics.ran(query(&number.to_string()), &BTreeMap::new()));
        assert_eq!((metrics.queries.len(), metrics.query(None).map(|last| last.id.as_str())), (200, Some("299")));
    }
}
