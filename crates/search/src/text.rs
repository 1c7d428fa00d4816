//! Finds entries by their texts.
//!
//! Decodes only lines that may hold what is looked for, and reads only stretches that the index does not rule out, the newest
//! first, until there are enough to choose from.

use std::collections::BTreeSet;

use annals_engine::EngineError;
use annals_kernel::envelope::Ending;
use annals_kernel::id::EntryId;
use annals_log::watermarks::Watermarks;
use annals_rules::world::World;

use crate::confirm::Confirm;
use crate::ended::{self, FailedCall};
use crate::hit::{Came, Hit, HitKind, Source};
use crate::needle::Needles;
use crate::provider::{Provided, Provider, Sought};
use crate::scan::{EntryHit, Scan, ScanTask};

/// So many matches are weighed for each hit that is wanted; what is older is left out.
const WEIGHED_PER_HIT: usize = 10;

/// And at least so many.
const LEAST_WEIGHED: usize = 200;

/// Of so many failed calls it is looked up what ended them.
const MOST_ENDED: usize = 5;

/// Finds entries.
pub(crate) struct Texts;

impl Provider for Texts {
    fn source(&self) -> Source {
        Source::Text
    }

    fn find(&self, sought: &Sought<'_>) -> Result<Provided, EngineError> {
        let marks = sought.engine.marks()?;
        let tasks = tasks(sought, &marks)?;
        let needles = Needles::of(sought.pattern);
        let scan = Scan { engine: sought.engine, pattern: sought.pattern, filter: sought.filter, needles };
        let enough = LEAST_WEIGHED.max(sought.limit * WEIGHED_PER_HIT);
        let scanned = scan.run(&tasks, enough)?;
        let (bytes, is_cut) = (scanned.bytes, scanned.is_cut);
        let mut hits = scanned.hits;
        hits.sort_by(|left, right| {
            right.judged.score.total_cmp(&left.judged.score).then(right.facts.id.cmp(&left.facts.id))
        });
        let mut seen = BTreeSet::new();
        hits.retain(|hit| seen.insert(hit.facts.id));
        hits.truncate(enough);
        let confirm = Confirm { engine: sought.engine, marks: &marks, filter: sought.filter };
        let hits = confirm.all(sought.pattern, hits)?;
        let mut dressed: Vec<_> = sought.ask(|world| hits.iter().map(|hit| dressed(world, hit)).collect())?;
        let failed = |hit: &(&EntryHit, &mut Hit)| hit.1.came == Some(Came::Failed);
        for (hit, told) in hits.iter().zip(&mut dressed).filter(failed).take(MOST_ENDED) {
            let (session, segment) = (&hit.facts.session, &hit.segment);
            let failed = FailedCall { id: hit.facts.id, session, segment, offset: hit.offset };
            let ended = ended::behind(sought.engine, &failed)?;
            told.ended_by = ended.filter(|id| sought.filter.until.is_none_or(|until| *id <= until));
        }
        let hits = dressed;
        Ok(Provided { hits, bytes, is_cut })
    }
}

/// What is to be read, the newest first.
fn tasks(sought: &Sought<'_>, marks: &Watermarks) -> Result<Vec<ScanTask>, EngineError> {
    let (since, until) = bounds(sought)?;
    let candidates = sought.index.candidates(sought.pattern);
    let mut segments: Vec<_> = marks.iter().filter(|(_, mark)| mark.look.len > 0).collect();
    segments.sort_by_key(|(name, mark)| (std::cmp::Reverse(mark.last), *name));
    let mut tasks = Vec::new();
    for (name, mark) in segments {
        // Behind the last newline there may be an entry that the mark does not know.
        let is_finished = mark.end >= mark.look.len;
        if is_finished && (mark.last < since || mark.first > until) {
            continue;
        }
        let segment = annals_log::segment::Segment { name: name.to_owned(), look: mark.look };
        tasks.extend(candidates.tasks(&segment));
    }
    Ok(tasks)
}

/// The ids that can be meant. Where a clock was mended, ids do not tell the time.
fn bounds(sought: &Sought<'_>) -> Result<(EntryId, EntryId), EngineError> {
    let filter = sought.filter;
    let of_session = |world: &World| {
        let is_mended = !world.rooms.history.mended.is_empty();
        let session = filter.session.as_ref().and_then(|id| world.rooms.session.session(id));
        (is_mended, session.map(|session| (session.first, session.last)))
    };
    let (is_mended, session) = sought.engine.ask(of_session)?;
    if is_mended {
        return Ok((EntryId::MIN, EntryId::MAX));
    }
    let (first, last) = match (&filter.session, session) {
        (None, _) => (EntryId::MIN, EntryId::MAX),
        (Some(_), Some(ends)) => ends,
        (Some(_), None) => (EntryId::MAX, EntryId::MIN),
    };
    Ok((first.max(filter.since), last.min(filter.until.unwrap_or(EntryId::MAX))))
}

/// A hit with what is told of its entry.
fn dressed(world: &World, hit: &EntryHit) -> Hit {
    let facts = &hit.facts;
    let id = facts.completes.unwrap_or(facts.id);
    let issue = facts.issue.as_deref().and_then(|issue| world.rooms.issue.issues.get(issue));
    Hit {
        score: hit.judged.score,
        part: Some(hit.judged.part),
        entry: Some(id),
        name: Some(facts.name.to_string()),
        agent: facts.agent.as_ref().map(ToString::to_string),
        session: Some(facts.session.clone()),
        at: Some(facts.at),
        came: facts.ending.map(|ending| if ending == Ending::Failed { Came::Failed } else { Came::Succeeded }),
        because: issue.map(|issue| format!("issue #{}: {}", issue.label, issue.title)),
        ..Hit::of(Source::Text, HitKind::Entry, id.to_string(), hit.judged.excerpt.clone())
    }
}
