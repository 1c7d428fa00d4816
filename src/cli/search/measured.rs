//! `metrics/search-performance.json` (AFS 9.4): read for the weights and for `--open`, written after an answer.
//!
//! A cache: where it cannot be read or written, the search goes on without.

use std::path::PathBuf;

use crate::cli::shell::{Shell, clean};
use crate::engine::Engine;
use crate::engine::settings::SEARCH_METRICS;
use crate::kernel::id::EntryId;
use crate::log::disk::Safety;
use crate::search::metrics::{MeasuredQuery, SearchMetrics, ShownResult};
use crate::search::{Answer, Request};

/// No file of ours is longer.
const MOST_BYTES: u64 = 4 << 20;

/// One search.
pub(super) struct MeasuredRun {
    /// Its id.
    pub id: String,
    /// How long it took.
    pub millis: u64,
}

/// An id for a search; none of the log.
pub(super) fn query_id(engine: &Engine) -> String {
    EntryId::new(engine.clock().now(), engine.clock().chance_beside()).to_string()
}

/// Whether the state of an earlier time was asked for: then nothing is written.
pub(super) fn looks_back(shell: &Shell) -> bool {
    shell.until().is_ok_and(|until| until != EntryId::MAX)
}

fn path(engine: &Engine) -> PathBuf {
    engine.place().context().join("metrics").join("search-performance.json")
}

/// What was measured; nothing where there is none, or none that can be read.
pub(super) fn read(engine: &Engine) -> Option<SearchMetrics> {
    let bytes = engine.disk().read_at_most(&path(engine), MOST_BYTES).ok()??;
    serde_json::from_slice(&bytes).ok()
}

/// Keeps metrics, where that is possible.
pub(super) fn write(engine: &Engine, metrics: &SearchMetrics) {
    let path = path(engine);
    let Ok(mut text) = serde_json::to_string_pretty(metrics) else { return };
    text.push('\n');
    // A folder that nobody may write is no reason to say that nothing was found.
    let _ = engine
        .disk()
        .create_folder(path.parent().unwrap_or(&path))
        .and_then(|()| engine.disk().replace(&path, text.as_bytes(), Safety::Cached));
}

/// Takes in a search.
pub(super) fn keep(shell: &Shell, engine: &Engine, request: &Request, answer: &Answer, run: &MeasuredRun) {
    if !engine.settings().get(&SEARCH_METRICS) || looks_back(shell) {
        return;
    }
    let mut metrics = read(engine).unwrap_or_default();
    let result = |hit: &crate::search::Hit| ShownResult {
        source: hit.source.as_str().to_owned(),
        kind: hit.kind.as_str().to_owned(),
        id: hit.id.clone(),
    };
    let query = MeasuredQuery {
        id: run.id.clone(),
        query: clean(engine, &request.pattern.text),
        modes_used: answer.latencies.keys().map(|name| (*name).to_owned()).collect(),
        results_count: (answer.hits.len() + answer.left_out) as u64,
        latency_ms: run.millis,
        user_selected_result: None,
        timestamp: engine.clock().now(),
        results: answer.hits.iter().map(result).collect(),
    };
    metrics.ran(query, &answer.latencies);
    write(engine, &metrics);
}
