//! The vector of a query, where a model is there to make one: without it the other providers answer, and a line says why.
//!
//! Nothing is said where nothing was ever embedded, unless this provider was asked for by its name.

use anyhow::{Context as _, bail};

use crate::cli::models::{EmbedPurpose, Embedder};
use crate::cli::shell::Shell;
use crate::engine::Engine;
use crate::search::{QueryVector, Request, Source, VectorSpace, embedding_state};

/// Who wanted the providers of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// The query names them.
    Named,
    /// The configuration does.
    Configured,
}

/// Gives a request the vector of its query; else the reason, where it is worth a line.
pub(super) fn add(shell: &Shell, engine: &Engine, request: &mut Request, wish: Wish) -> Option<String> {
    if !request.sources.contains(&Source::Semantic) {
        return None;
    }
    let is_named = wish == Wish::Named;
    if !request.is_of_meaning() {
        return is_named.then(|| "it compares words, and no expressions or properties of entries".to_owned());
    }
    let Some((space, dimension)) = embedding_state(engine) else {
        return is_named.then(|| "nothing is embedded yet; `annals search --embed` does it".to_owned());
    };
    match vector(shell, engine, &request.pattern.text, &VectorsThere { space, dimension }) {
        Ok(vector) => request.meaning = Some(vector),
        Err(error) => return Some(format!("{error:#}")),
    }
    None
}

/// What the vectors are that there are.
struct VectorsThere {
    space: VectorSpace,
    dimension: usize,
}

fn vector(shell: &Shell, engine: &Engine, query: &str, kept: &VectorsThere) -> anyhow::Result<QueryVector> {
    let embedder = Embedder::of(shell, engine, EmbedPurpose::Query)?;
    let (there, now) = (&kept.space, embedder.space());
    let advice = "`annals search --embed` makes them anew";
    if there.model != now.model {
        bail!("the vectors are by {}, and {} is configured; {advice}", there.model, now.model);
    }
    if there.prefix != now.prefix {
        bail!("{} is told something else before each text by now; {advice}", now.model);
    }
    let vector = embedder.embed(engine, &[query])?.only()?;
    if vector.len() != kept.dimension {
        let (length, before) = (vector.len(), kept.dimension);
        bail!("{} makes vectors of {length} numbers, and made some of {before}; {advice}", now.model);
    }
    QueryVector::new(&vector).with_context(|| format!("the vector of {} is not used", now.model))
}
