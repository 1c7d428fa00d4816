//! What is known about something: stages, each of which leaves entries behind, and a trace of them all.
//!
//! Pure: the same state, query and time give the same answer. Looks at the entries that the index names for the words
//! and names of the query, no more than the best `MOST_LOOKED_AT` of them, and opens no others.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::command::Retrieve;
use super::decay::{KnowledgeDecay, KnowledgeStatus};
use super::entity;
use super::index::{names_of, words_of};
use super::listener::KnowledgeListener;
use super::query::Query;
use super::row::KnowledgeEntry;
use super::settings::{ENTITY_WEIGHT, MAX_ENTRIES, MIN_OVERLAP};
use super::state::State;
use super::trace::{EmptyDiagnosis, EmptyReason, Line, RetrievalTrace, Stage, StageCount};
use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// Of entries that share something with the query, so many are opened: those that share most, the latest first.
pub(crate) const MOST_LOOKED_AT: usize = 500;
/// No more than these come, whatever is asked.
pub(crate) const MOST_RESULTS: usize = 200;
/// So many of the closest are named where nothing came.
const CLOSEST: usize = 3;

/// Looks for what is known.
pub fn retrieve(state: &State, ask: &Retrieve, settings: &Settings, now: Timestamp) -> RetrievalTrace {
    retrieve_for(state, ask, settings, now, KnowledgeListener::Trusted)
}

/// Looks for what is known and may be told.
pub fn retrieve_for(
    state: &State,
    ask: &Retrieve,
    settings: &Settings,
    now: Timestamp,
    listener: KnowledgeListener<'_>,
) -> RetrievalTrace {
    let weight = u64::from(settings.get(&ENTITY_WEIGHT));
    let query = Query::read(state, ask, settings, weight);
    let looker = Looker { query: &query, decay: KnowledgeDecay::of(settings), weight, now };
    let lines = looker.lines(state);
    let limit = ask.limit.unwrap_or_else(|| settings.get(&MAX_ENTRIES)).min(MOST_RESULTS);
    let mut pipe = Pipe::new(state.totals.all(), lines);
    if let Some(kind) = ask.kind {
        pipe.keep(Stage::FilterType, |line| line.kind == kind);
    }
    if listener != KnowledgeListener::Trusted {
        let said = |line: &Line| state.entry(line.entry).map(|entry| &entry.said);
        pipe.keep(Stage::FilterPersonal, |line| said(line).is_some_and(|said| listener.may_hear(said)));
    }
    pipe.keep(Stage::FilterSuperseded, |line| line.status != KnowledgeStatus::Superseded);
    pipe.keep(Stage::FilterArchived, |line| line.status != KnowledgeStatus::Archived);
    pipe.match_names();
    let least = settings.get(&MIN_OVERLAP);
    pipe.keep(Stage::KeywordMatch, |line| is_overlap(line.keywords.len(), query.keywords.len(), least));
    pipe.end(limit);
    let diagnosis = if pipe.is_empty() { diagnose(state, &query, &pipe) } else { Vec::new() };
    RetrievalTrace {
        results: pipe.came().map(|line| line.entry).collect(),
        stages: pipe.counts,
        entries: pipe.lines,
        cut: query.cut,
        diagnosis,
        keywords: query.keywords.into_iter().map(|keyword| keyword.written).collect(),
        entities: query.names,
    }
}

/// Whether so many of so many keywords are enough; compared exactly.
fn is_overlap(some: usize, all: usize, least: Share) -> bool {
    some > 0 && some.saturating_mul(1000) >= all.saturating_mul(usize::from(least.in_thousandths()))
}

/// Looks at entries for a query, at a time.
struct Looker<'q> {
    query: &'q Query,
    decay: KnowledgeDecay,
    weight: u64,
    now: Timestamp,
}

impl Looker<'_> {
    /// The entries that share most with the query, the best first.
    fn lines(&self, state: &State) -> Vec<Line> {
        let mut shared: Vec<_> = self.query.shared.iter().map(|(id, shared)| (*shared, *id)).collect();
        shared.sort_by_key(|best| Reverse(*best));
        shared.truncate(MOST_LOOKED_AT);
        let lines = shared.into_iter().filter_map(|(_, id)| Some(self.line(id, state.entry(id)?)));
        let mut lines: Vec<Line> = lines.collect();
        lines.sort_by_key(|line| Reverse((line.score, line.impact, line.entry)));
        lines
    }

    /// What an entry really shares is read from itself: the index may have left it out of a word that is everywhere.
    fn line(&self, id: EntryId, entry: &KnowledgeEntry) -> Line {
        let own: BTreeSet<Box<str>> = words_of(&entry.said).into_iter().collect();
        let names: BTreeSet<Box<str>> = names_of(&entry.said).iter().map(|name| entity::key(name)).collect();
        let keywords = self.query.keywords.iter().filter(|keyword| own.contains(&keyword.stem));
        let keywords: Vec<Box<str>> = keywords.map(|keyword| keyword.written.clone()).collect();
        let entities = self.query.names.iter().filter(|name| names.contains(&entity::key(name)));
        let entities: Vec<Box<str>> = entities.cloned().collect();
        let [some, all, named] = [keywords.len(), self.query.keywords.len(), entities.len()]
            .map(|length| u64::try_from(length).unwrap_or(u64::MAX));
        let strength = self.decay.strength(entry, self.now);
        let thousandths = Share::of(strength).unwrap_or_default().in_thousandths();
        Line {
            entry: id,
            kind: entry.said.kind,
            content: entry.said.content.clone(),
            dropped_at: None,
            entities,
            keywords,
            overlap: Share::of_count(some, all).unwrap_or_default(),
            strength,
            status: self.decay.status(entry, self.now),
            impact: entry.said.impact,
            score: (self.weight * named + some) * u64::from(thousandths),
        }
    }
}

/// Lines on their way through the stages.
struct Pipe {
    counts: Vec<StageCount>,
    lines: Vec<Line>,
    /// Whether a line has a name in common, and so need not hold keywords.
    is_named: bool,
}

impl Pipe {
    fn new(all: u64, lines: Vec<Line>) -> Self {
        let after = u64::try_from(lines.len()).unwrap_or(u64::MAX);
        Self { counts: vec![StageCount { stage: Stage::Index, before: all, after }], lines, is_named: false }
    }

    fn came(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| line.dropped_at.is_none())
    }

    fn count(&self) -> u64 {
        u64::try_from(self.came().count()).unwrap_or(u64::MAX)
    }

    fn is_empty(&self) -> bool {
        self.came().next().is_none()
    }

    /// Leaves behind what does not fit; what shares a name has passed once `match_names` was called.
    fn keep(&mut self, stage: Stage, fits: impl Fn(&Line) -> bool) {
        let is_named = self.is_named;
        let is_free = |line: &Line| is_named && !line.entities.is_empty();
        let named = self.came().filter(|line| is_free(line)).count();
        let before = self.count() - u64::try_from(named).unwrap_or_default();
        for line in self.lines.iter_mut().filter(|line| line.dropped_at.is_none()) {
            if !is_free(line) && !fits(line) {
                line.dropped_at = Some(stage);
            }
        }
        let after = self.count() - u64::try_from(named).unwrap_or_default();
        self.counts.push(StageCount { stage, before, after });
    }

    /// What shares a name goes on to the end; the others must hold keywords.
    fn match_names(&mut self) {
        let before = self.count();
        let after = u64::try_from(self.came().filter(|line| !line.entities.is_empty()).count()).unwrap_or_default();
        self.counts.push(StageCount { stage: Stage::EntityMatch, before, after });
        self.is_named = true;
    }

    /// The best of them, first; then what was left behind.
    fn end(&mut self, limit: usize) {
        let before = self.count();
        let late = self.lines.iter_mut().filter(|line| line.dropped_at.is_none()).skip(limit);
        late.for_each(|line| line.dropped_at = Some(Stage::Limit));
        self.counts.push(StageCount { stage: Stage::Limit, before, after: self.count() });
        self.lines.sort_by_key(|line| line.dropped_at.is_some());
    }
}

/// Why nothing came (view 3).
fn diagnose(state: &State, query: &Query, pipe: &Pipe) -> Vec<EmptyDiagnosis> {
    let at = |stage: Stage| -> Vec<EntryId> {
        let left = pipe.lines.iter().filter(|line| line.dropped_at == Some(stage));
        left.map(|line| line.entry).take(CLOSEST).collect()
    };
    let nothing = |reason: EmptyReason| EmptyDiagnosis { reason, closest: Vec::new() };
    if state.totals.all() == 0 {
        return vec![nothing(EmptyReason::NothingKnown)];
    }
    let mut found = Vec::new();
    let reasons = [
        (EmptyReason::OtherType, Stage::FilterType),
        (EmptyReason::Personal, Stage::FilterPersonal),
        (EmptyReason::Superseded, Stage::FilterSuperseded),
        (EmptyReason::Archived, Stage::FilterArchived),
        (EmptyReason::KeywordMismatch, Stage::KeywordMatch),
    ];
    for (reason, closest) in reasons.map(|(reason, stage)| (reason, at(stage))) {
        if !closest.is_empty() {
            found.push(EmptyDiagnosis { reason, closest });
        }
    }
    if query.names.is_empty() {
        found.push(nothing(EmptyReason::NoEntities));
    }
    if query.keywords.is_empty() {
        found.push(nothing(EmptyReason::NoKeywords));
    } else if !query.holds_known_words {
        found.push(nothing(EmptyReason::UnknownKeywords));
    }
    found
}
