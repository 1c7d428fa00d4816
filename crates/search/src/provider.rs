//! What each way of finding is to the others: a provider (AFS 9.3).

use annals_engine::query::filter::Filter;
use annals_engine::{Engine, EngineError};
use annals_kernel::id::EntryId;
use annals_rules::world::World;

use crate::hit::{Hit, Source};
use crate::index::Index;
use crate::query::Pattern;

/// What is looked for, in which state.
pub struct Sought<'s> {
    /// The log.
    pub engine: &'s Engine,
    /// What.
    pub pattern: &'s Pattern,
    /// Among which entries.
    pub filter: &'s Filter,
    /// The last entry of the state; `EntryId::MAX`: now.
    pub until: EntryId,
    /// How many hits are wanted.
    pub limit: usize,
    /// What is known of the segments.
    pub(crate) index: &'s Index<'s>,
}

impl Sought<'_> {
    /// Asks the world of the state.
    pub fn ask<T>(&self, question: impl FnMut(&World) -> T) -> Result<T, EngineError> {
        if self.until == EntryId::MAX {
            return self.engine.ask(question);
        }
        self.engine.world_at(self.until)?.ask(question)
    }
}

/// What a provider found.
#[derive(Debug, Default)]
pub struct Provided {
    /// Scores are from 0 to 1.
    pub hits: Vec<Hit>,
    /// How many bytes of lines were read.
    pub bytes: u64,
    /// Whether older matches were left out because there were enough.
    pub is_cut: bool,
}

/// A way of finding.
pub trait Provider {
    /// Under which name its hits stand.
    fn source(&self) -> Source;

    /// Finds what it can; nothing where it has no answer to such a question.
    fn find(&self, sought: &Sought<'_>) -> Result<Provided, EngineError>;
}
