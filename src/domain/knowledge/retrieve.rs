//! What is known about something: stages, each of which leaves entries behind, and a trace of them all.
//!
//! Pure: the same state, query and time give the same answer. Looks at the entries that the index names for the words
//! and names of the query, no more than the best `MOST_LOOKED_AT` of them, and opens no others.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::command::Retrieve;
use super::decay::{Decay, Status};
use super::row::Entry;
use super::settings::{ENTITY_WEIGHT, MAX_ENTRIES, MIN_OVERLAP, STOP_WORDS};
use super::state::State;
use super::trace::{Count, Diagnosis, Line, Reason, Stage, Trace};
use super::{entity, text};
use crate::kernel::id::EntryId;
use crate::kernel::settings::Settings;
use crate::kernel::share::Share;
use crate::kernel::time::Timestamp;

/// More keywords of one query are not looked for.
const MOST_KEYWORDS: usize = 32;
/// In so many words of a query names are looked for.
const MOST_TOKENS: usize = 64;
/// A longer phrase is no name.
const NAME_WORDS: usize = 3;
/// Of entries that share something with the query, so many are opened: those that share most, the latest first.
pub const MOST_LOOKED_AT: usize = 500;
/// No more than these come, whatever is asked.
pub const MOST_RESULTS: usize = 200;
/// So many of the closest are named where nothing came.
const CLOSEST: usize = 3;

/// A query as it is looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Query {
    keywords: Vec<Box<str>>,
    /// Names that are known, as they are written.
    names: Vec<Box<str>>,
    /// Words and names of which the index names only the latest entries.
    cut: Vec<Box<str>>,
    /// By entry: which names and which keywords.
    shared: BTreeMap<EntryId, Shared>,
}

/// What an entry shares with a query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Shared {
    names: Vec<usize>,
    keywords: Vec<usize>,
}

/// Looks for what is known.
pub fn retrieve(state: &State, ask: &Retrieve, settings: &Settings, now: Timestamp) -> Trace {
    let query = Query::read(state, ask, settings);
    let looker = Looker { query: &query, decay: Decay::of(settings), weight: settings.get(&ENTITY_WEIGHT).into(), now };
    let lines = looker.lines(state);
    let limit = ask.limit.unwrap_or_else(|| settings.get(&MAX_ENTRIES)).min(MOST_RESULTS);
    let mut pipe = Pipe::new(state.totals.all(), lines);
    if let Some(kind) = ask.kind {
        pipe.keep(Stage::FilterType, |line| line.kind == kind);
    }
    pipe.keep(Stage::FilterSuperseded, |line| line.status != Status::Superseded);
    pipe.keep(Stage::FilterArchived, |line| line.status != Status::Archived);
    pipe.match_names();
    let least = settings.get(&MIN_OVERLAP);
    pipe.keep(Stage::KeywordMatch, |line| is_overlap(line.keywords.len(), query.keywords.len(), least));
    pipe.end(limit);
    let diagnosis = if pipe.is_empty() { diagnose(state, &query, &pipe) } else { Vec::new() };
    Trace {
        results: pipe.came().map(|line| line.entry).collect(),
        stages: pipe.counts,
        entries: pipe.lines,
        cut: query.cut,
        diagnosis,
        keywords: query.keywords,
        entities: query.names,
    }
}

/// Whether so many of so many keywords are enough; compared exactly.
fn is_overlap(some: usize, all: usize, least: Share) -> bool {
    some > 0 && some.saturating_mul(1000) >= all.saturating_mul(usize::from(least.in_thousandths()))
}

impl Query {
    fn read(state: &State, ask: &Retrieve, settings: &Settings) -> Self {
        let stops: BTreeSet<Box<str>> = settings
            .get(&STOP_WORDS)
            .iter()
            .flat_map(|word| text::words(word).into_iter().chain([word.clone()]))
            .collect();
        let is_stop = |(word, written): &(Box<str>, Box<str>)| stops.contains(word) || stops.contains(written);
        let terms = text::terms(&ask.query).into_iter().filter(|term| !is_stop(term));
        let terms: Vec<_> = terms.take(MOST_KEYWORDS).collect();
        let mut query = Self::default();
        query.find_names(state, ask, &stops);
        for (number, (word, written)) in terms.into_iter().enumerate() {
            query.keywords.push(written.clone());
            let Some(posting) = state.words.get(&*word) else { continue };
            query.cut.extend(posting.is_cut().then_some(written));
            for id in &posting.ids {
                query.shared.entry(*id).or_default().keywords.push(number);
            }
        }
        query
    }

    /// Names that were given, and phrases of the query that are names of something known.
    fn find_names(&mut self, state: &State, ask: &Retrieve, stops: &BTreeSet<Box<str>>) {
        let mut keys: Vec<Box<str>> = entity::unlike(ask.entities.iter().map(|name| &**name));
        keys = keys.iter().map(|name| entity::key(name)).collect();
        keys.extend(phrases(&ask.query, stops));
        let mut known = BTreeSet::new();
        for key in keys.into_iter().filter(|key| known.insert(key.clone())) {
            let Some(posting) = state.entities.get(&*key) else { continue };
            let number = self.names.len();
            let name = posting.name.clone().unwrap_or(key);
            self.cut.extend(posting.is_cut().then(|| name.clone()));
            self.names.push(name);
            for id in &posting.ids {
                self.shared.entry(*id).or_default().names.push(number);
            }
        }
    }
}

/// One to three words of a query that stand together.
fn phrases(query: &str, stops: &BTreeSet<Box<str>>) -> Vec<Box<str>> {
    let bare = |word: &str| -> String {
        word.trim_matches(|letter: char| !letter.is_alphanumeric() && !"_@#/".contains(letter)).to_lowercase()
    };
    let tokens: Vec<String> =
        query.split_whitespace().take(MOST_TOKENS).map(bare).filter(|token| !token.is_empty()).collect();
    let mut phrases = Vec::new();
    for length in (1..=NAME_WORDS).rev() {
        for window in tokens.windows(length) {
            let is_stop = length == 1 && stops.contains(window[0].as_str());
            if !is_stop {
                phrases.push(window.join(" ").into());
            }
        }
    }
    phrases
}

/// Looks at entries for a query, at a time.
struct Looker<'q> {
    query: &'q Query,
    decay: Decay,
    weight: u64,
    now: Timestamp,
}

impl Looker<'_> {
    fn hits(&self, shared: &Shared) -> u64 {
        let count = |list: &[usize]| u64::try_from(list.len()).unwrap_or(u64::MAX);
        self.weight * count(&shared.names) + count(&shared.keywords)
    }

    /// The entries that share most with the query, the best first.
    fn lines(&self, state: &State) -> Vec<Line> {
        let mut shared: Vec<_> =
            self.query.shared.iter().map(|(id, shared)| (self.hits(shared), *id, shared)).collect();
        shared.sort_by_key(|(hits, id, _)| Reverse((*hits, *id)));
        shared.truncate(MOST_LOOKED_AT);
        let lines =
            shared.into_iter().filter_map(|(hits, id, shared)| Some(self.line(id, state.entry(id)?, shared, hits)));
        let mut lines: Vec<Line> = lines.collect();
        lines.sort_by_key(|line| Reverse((line.score, line.entry)));
        lines
    }

    fn line(&self, id: EntryId, entry: &Entry, shared: &Shared, hits: u64) -> Line {
        let Query { keywords, names, .. } = self.query;
        let strength = self.decay.strength(entry, self.now);
        let thousandths = Share::of(strength).unwrap_or_default().in_thousandths();
        let lengths = [shared.keywords.len(), keywords.len()].map(|length| u64::try_from(length).unwrap_or(u64::MAX));
        Line {
            entry: id,
            kind: entry.said.kind,
            content: entry.said.content.clone(),
            dropped_at: None,
            entities: shared.names.iter().map(|number| names[*number].clone()).collect(),
            keywords: shared.keywords.iter().map(|number| keywords[*number].clone()).collect(),
            overlap: Share::of_count(lengths[0], lengths[1]).unwrap_or_default(),
            strength,
            status: self.decay.status(entry, self.now),
            score: hits * u64::from(thousandths),
        }
    }
}

/// Lines on their way through the stages.
struct Pipe {
    counts: Vec<Count>,
    lines: Vec<Line>,
    /// Whether a line has a name in common, and so need not hold keywords.
    is_named: bool,
}

impl Pipe {
    fn new(all: u64, lines: Vec<Line>) -> Self {
        let after = u64::try_from(lines.len()).unwrap_or(u64::MAX);
        Self { counts: vec![Count { stage: Stage::Index, before: all, after }], lines, is_named: false }
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
        self.counts.push(Count { stage, before, after });
    }

    /// What shares a name goes on to the end; the others must hold keywords.
    fn match_names(&mut self) {
        let before = self.count();
        let after = u64::try_from(self.came().filter(|line| !line.entities.is_empty()).count()).unwrap_or_default();
        self.counts.push(Count { stage: Stage::EntityMatch, before, after });
        self.is_named = true;
    }

    /// The best of them, first; then what was left behind.
    fn end(&mut self, limit: usize) {
        let before = self.count();
        let late = self.lines.iter_mut().filter(|line| line.dropped_at.is_none()).skip(limit);
        late.for_each(|line| line.dropped_at = Some(Stage::Limit));
        self.counts.push(Count { stage: Stage::Limit, before, after: self.count() });
        self.lines.sort_by_key(|line| line.dropped_at.is_some());
    }
}

/// Why nothing came (view 3).
fn diagnose(state: &State, query: &Query, pipe: &Pipe) -> Vec<Diagnosis> {
    let at = |stage: Stage| -> Vec<EntryId> {
        let left = pipe.lines.iter().filter(|line| line.dropped_at == Some(stage));
        left.map(|line| line.entry).take(CLOSEST).collect()
    };
    let nothing = |reason: Reason| Diagnosis { reason, closest: Vec::new() };
    if state.totals.all() == 0 {
        return vec![nothing(Reason::NothingKnown)];
    }
    let mut found = Vec::new();
    let reasons = [
        (Reason::OtherType, Stage::FilterType),
        (Reason::Superseded, Stage::FilterSuperseded),
        (Reason::Archived, Stage::FilterArchived),
        (Reason::KeywordMismatch, Stage::KeywordMatch),
    ];
    for (reason, closest) in reasons.map(|(reason, stage)| (reason, at(stage))) {
        if !closest.is_empty() {
            found.push(Diagnosis { reason, closest });
        }
    }
    if query.names.is_empty() {
        found.push(nothing(Reason::NoEntities));
    }
    match (query.keywords.is_empty(), query.shared.values().any(|shared| !shared.keywords.is_empty())) {
        (true, _) => found.push(nothing(Reason::NoKeywords)),
        (false, false) => found.push(nothing(Reason::UnknownKeywords)),
        (false, true) => {}
    }
    found
}
