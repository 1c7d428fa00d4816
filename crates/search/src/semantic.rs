//! What means nearly the same as a query, in whatever words (`semantic` in AFS 9.1).
//!
//! Has no model: the vector of the query is handed in, and without one it finds nothing.

use annals_engine::EngineError;
use annals_rules::world::World;

use crate::embedding::{EmbeddedText, QueryVector, Subject, excerpt_of, nearest, open_vectors, subject_in};
use crate::hit::{Hit, HitKind, Source};
use crate::names::needs_entries;
use crate::provider::{Provided, Provider, Sought};

/// So many are told at least, where so many are wanted or fewer.
const LEAST_TOLD: usize = 10;

/// What is less alike than this is not told. A start: texts that have nothing to do with each other are above it by some models.
const LEAST_ALIKE: f32 = 0.2;

/// Finds meanings.
pub(crate) struct Semantic<'q>(pub Option<&'q QueryVector>);

impl Provider for Semantic<'_> {
    fn source(&self) -> Source {
        Source::Semantic
    }

    fn find(&self, sought: &Sought<'_>) -> Result<Provided, EngineError> {
        let Some(query) = self.0.filter(|_| !needs_entries(sought.filter)) else { return Ok(Provided::default()) };
        let Some(file) = open_vectors(sought.engine) else { return Ok(Provided::default()) };
        // A cache: where it cannot be read, the others have found what they have.
        let near = nearest(&*file, query, sought.limit.max(LEAST_TOLD)).unwrap_or_default();
        let hits = sought.ask(|world| {
            let near = near.iter().filter(|neighbour| neighbour.alike >= LEAST_ALIKE);
            near.filter_map(|neighbour| {
                let found = subject_in(world, &neighbour.subject, sought.filter)?;
                // It may say something else by now, or have said it at that time.
                (found.hash == neighbour.hash).then(|| hit(world, found, neighbour.alike))
            })
            .collect()
        })?;
        Ok(Provided { hits, ..Provided::default() })
    }
}

fn hit(world: &World, found: EmbeddedText, alike: f32) -> Hit {
    let EmbeddedText { subject, text, at, session, .. } = found;
    let id = shown_id(world, &subject);
    Hit {
        score: f64::from(alike).clamp(0.0, 1.0),
        at,
        session,
        because: Some(format!("{alike:.2} alike in meaning")),
        ..Hit::of(Source::Semantic, subject.kind, id, excerpt_of(&text))
    }
}

/// As the other providers call it, so that what two of them find is one hit.
fn shown_id(world: &World, subject: &Subject) -> String {
    let issue = || world.rooms.issue.issues.get(&subject.id);
    let label = (subject.kind == HitKind::Issue).then(issue).flatten().map(|issue| format!("#{}", issue.label));
    label.unwrap_or_else(|| subject.id.to_string())
}
