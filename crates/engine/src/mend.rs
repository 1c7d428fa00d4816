//! Lines of clocks that ran ahead: which they are, and how they could be mended (decision 45).
//!
//! Proposes, and decides nothing: when such a line was written nobody knows; the lines around it say when at the latest.

use std::collections::BTreeMap;

use serde::Serialize;

use super::query::Found;
use super::query::filter::Filter;
use super::{Engine, EngineError};
use annals_kernel::id::{EntryId, WriterId};
use annals_kernel::time::Timestamp;
use annals_log::mending::Mend;
use annals_log::read::Flow;

/// A timestamp further from its id than this was not read from the same clock.
const SAME_CLOCK_MS: u64 = 5 * 60 * 1000;

/// Lines of a writer, one behind the other, that lie more than a day ahead of this machine's clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Run {
    /// Whose.
    pub writer: WriterId,
    /// The count of the first.
    pub from: u64,
    /// The count of the last.
    pub to: u64,
    /// The id of the first.
    pub first: EntryId,
    /// The id of the last.
    pub last: EntryId,
    /// By how many milliseconds they would count later than they say, if they are mended as is proposed; less than zero.
    pub shift: i64,
}

/// What lies ahead.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Ahead {
    /// What can be mended.
    pub runs: Vec<Run>,
    /// Lines of no writer, and imported ones: they have no clock that could be mended.
    pub others: u64,
}

/// A line with a clock of its writer.
#[derive(Debug, Clone, Copy)]
struct Minted {
    id: EntryId,
    at: Timestamp,
}

/// Writer and count of an entry that has its time from the clock of its writer.
pub fn minted(found: &Found) -> Option<(&WriterId, u64)> {
    let annals = &found.entry.annals;
    annals.link.as_ref().filter(|_| annals.source.is_none()).map(|link| (&link.writer, link.count))
}

impl Engine {
    /// The lines that lie more than a day ahead of this machine's clock, and are not mended yet.
    pub fn ahead(&self) -> Result<Ahead, EngineError> {
        let now = self.clock().now();
        let Some(since) = EntryId::last_believed(now).next() else { return Ok(Ahead::default()) };
        let (mut lines, mut others) = (BTreeMap::new(), 0);
        let mut reader = self.reader()?;
        reader.each(&Filter { since, ..Filter::default() }, &mut |found| {
            match minted(&found) {
                Some((writer, count)) => {
                    let line = Minted { id: found.entry.id, at: found.entry.timestamp };
                    lines.insert((writer.clone(), count), line);
                }
                None => others += 1,
            }
            Flow::More
        })?;
        let mut runs = runs_of(&lines);
        let mut behind: BTreeMap<usize, (u64, EntryId)> = BTreeMap::new();
        if !runs.is_empty() {
            reader.each(&Filter { until: since.previous(), ..Filter::default() }, &mut |found| {
                let Some((writer, count)) = minted(&found) else { return Flow::More };
                for (index, _) in runs.iter().enumerate().filter(|(_, run)| run.writer == *writer && run.to < count) {
                    let next = (count, found.entry.id);
                    behind.entry(index).and_modify(|known| *known = next.min(*known)).or_insert(next);
                }
                Flow::More
            })?;
        }
        for (index, run) in runs.iter_mut().enumerate() {
            let last = lines[&(run.writer.clone(), run.to)];
            let latest = behind.get(&index).map_or(now, |(_, next)| next.time().plus_millis(-1));
            run.shift = shift(last, latest);
        }
        Ok(Ahead { runs, others })
    }

    /// The mends that hold.
    pub fn mends(&self) -> Result<Vec<Mend>, EngineError> {
        self.ask(|world| super::amend::amendments(&world.rooms).mending.mends().to_vec())
    }
}

fn runs_of(lines: &BTreeMap<(WriterId, u64), Minted>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for ((writer, count), line) in lines {
        match runs.last_mut().filter(|run| run.writer == *writer && run.to + 1 == *count) {
            Some(run) => (run.to, run.last) = (*count, line.id),
            None => runs.push(Run {
                writer: writer.clone(),
                from: *count,
                to: *count,
                first: line.id,
                last: line.id,
                shift: 0,
            }),
        }
    }
    runs
}

/// Where ids alone went on from a wrong clock, their timestamps say when they were written; else the last line was written
/// before the next one of its writer, and that is all there is to know.
fn shift(last: Minted, latest: Timestamp) -> i64 {
    let time = last.id.time();
    let is_right = time.since(last.at) > SAME_CLOCK_MS && last.at <= latest;
    let right = if is_right { last.at } else { latest };
    right.millis().saturating_sub(time.millis())
}
