//! Finds entries, sessions, issues, canon, knowledge and what is joined with them (AFS 9).
//!
//! Reads, and never records: who opens a hit has the command line record that. Does not print.

mod confirm;
mod embedding;
mod ended;
mod entity;
mod excerpt;
mod facts;
mod fold;
mod graph;
mod hit;
mod index;
mod judge;
mod merge;
pub mod metrics;
mod names;
mod needle;
mod provider;
mod query;
mod scan;
mod semantic;
#[cfg(test)]
mod testing;
mod text;
mod texts;
mod weight;

use std::collections::{BTreeMap, BTreeSet};

use annals_engine::query::filter::Filter;
use annals_engine::{Engine, EngineError};
use annals_kernel::id::{EntryId, SessionId};
use annals_rules::domain::session::Session;

pub use self::embedding::{
    BadVector, Beginning, EmbeddedText, QueryVector, Subject, TextHash, VectorFile, VectorRow, VectorSpace,
    embedded_texts, embedding_state,
};
pub use self::excerpt::Excerpt;
use self::graph::Graph;
pub use self::hit::{Came, Hit, HitKind, Source};
use self::index::Index;
pub use self::index::{IndexState, update};
use self::names::Names;
pub use self::provider::{Provided, Provider, Sought};
pub use self::query::{BadQuery, Case, MOST_BYTES, Pattern, Syntax};
use self::semantic::Semantic;
use self::text::Texts;
pub use self::texts::Part;
pub use self::weight::Weights;

/// What is asked.
#[derive(Debug)]
pub struct Request {
    /// What is looked for.
    pub pattern: Pattern,
    /// Among which entries.
    pub filter: Filter,
    /// The last entry of the state that is asked; `EntryId::MAX`: now.
    pub until: EntryId,
    /// How many hits are wanted.
    pub limit: usize,
    /// Who is asked.
    pub sources: Vec<Source>,
    /// What the hits of each count.
    pub weights: Weights,
    /// The vector of the query, where a model made one: without it nobody finds by meaning.
    pub meaning: Option<QueryVector>,
}

impl Request {
    /// A question to all providers.
    pub fn of(pattern: Pattern) -> Self {
        Self {
            pattern,
            filter: Filter::default(),
            until: EntryId::MAX,
            limit: DEFAULT_LIMIT,
            sources: Source::ALL.to_vec(),
            weights: Weights::default(),
            meaning: None,
        }
    }

    /// Whether meanings can answer it: it is of words, and asks for more than entries.
    pub fn is_of_meaning(&self) -> bool {
        self.pattern.words().next().is_some() && !names::needs_entries(&self.filter)
    }
}

/// How many hits are told where no number was given (AFS 9.1).
pub const DEFAULT_LIMIT: usize = 20;

/// What was found.
#[derive(Debug, Default)]
pub struct Answer {
    /// The best first.
    pub hits: Vec<Hit>,
    /// Hits beside them that are not told.
    pub left_out: usize,
    /// The sessions of the hits.
    pub sessions: BTreeMap<SessionId, Session>,
    /// How long each provider took, in milliseconds.
    pub latencies: BTreeMap<&'static str, u64>,
    /// How many bytes of lines were read.
    pub bytes: u64,
    /// Whether older matches were left unread because there were enough to choose from.
    pub is_cut: bool,
}

/// Finds.
pub fn search(engine: &Engine, request: &Request) -> Result<Answer, EngineError> {
    let index = Index::open(engine)?;
    let sought = Sought {
        engine,
        pattern: &request.pattern,
        filter: &request.filter,
        until: request.until,
        limit: request.limit,
        index: &index,
    };
    let semantic = Semantic(request.meaning.as_ref());
    let providers: [&dyn Provider; 4] = [&Texts, &Names, &Graph, &semantic];
    let mut answer = Answer::default();
    let mut hits = Vec::new();
    let is_asked =
        |source: Source| request.sources.contains(&source) && (source != Source::Semantic || request.meaning.is_some());
    for provider in providers.iter().filter(|provider| is_asked(provider.source())) {
        let watch = engine.clock().stopwatch();
        let provided = provider.find(&sought)?;
        answer.latencies.insert(provider.source().as_str(), watch.millis());
        answer.bytes += provided.bytes;
        answer.is_cut |= provided.is_cut;
        hits.extend(provided.hits);
    }
    answer.hits = merge::merge(hits, &request.weights);
    answer.left_out = answer.hits.len().saturating_sub(request.limit);
    answer.hits.truncate(request.limit);
    let ids: BTreeSet<_> = answer.hits.iter().filter_map(|hit| hit.session.clone()).collect();
    let session = |id: &SessionId, session: Option<&Session>| Some((id.clone(), session?.clone()));
    answer.sessions = sought.ask(|world| {
        ids.iter().filter_map(|id| session(id, world.rooms.session.session(id))).collect::<BTreeMap<_, _>>()
    })?;
    Ok(answer)
}
