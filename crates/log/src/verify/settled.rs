//! Which of several lines with one id counts, as people said: each is told, and one that a merge has decided against this
//! clone is found until its person agrees.
//!
//! Does not choose: the fold does, by the lines alone (decision 44).

use super::case::Case;
use super::finding::{Link, What};
use super::own::OwnChains;
use super::recorded::{ClaimedLine, ClaimedLines, Recorded, Settlements, Word};
use super::witness::Memory;
use crate::order::LineAt;
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;

/// What was said to count of several lines with one id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// The id.
    pub id: EntryId,
    /// The entry that says so.
    pub by: EntryId,
    /// Where that entry stands.
    pub said: LineStanding,
    /// Where the line stands that counts.
    pub counts: LineStanding,
}

/// Where a line stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineStanding {
    /// In the chain of its writer; none where it has no link.
    pub link: Option<Link>,
    /// In the history.
    pub at: LineAt,
}

/// Tells which lines were said to count, and reports those that others have said to count in place of this clone's.
pub(super) fn judge(case: &mut Case, recorded: &Recorded, lines: &ClaimedLines, memories: &[Memory]) -> Vec<Settled> {
    let own = OwnChains::of(case, memories);
    let mut all = Vec::new();
    for (id, settled) in &recorded.settled {
        let Some((word, said, counts)) = holding(settled, *id, lines) else { continue };
        if let Some(instead) = overruled(settled, *id, lines, &own, &said) {
            let what = overruling(case, *id, &instead, &counts);
            case.find(said.spot, Some(word.by), what);
        }
        all.push(Settled { id: *id, by: word.by, said: standing(case, &said), counts: standing(case, &counts) });
    }
    all
}

/// The word that holds, where it stands, and the line that counts by it.
fn holding<'s>(
    settled: &'s Settlements,
    id: EntryId,
    lines: &ClaimedLines,
) -> Option<(&'s Word, ClaimedLine, ClaimedLine)> {
    let word = settled.words.last()?;
    let is_it = |line: &&ClaimedLine| settled.versions.contains(&line.hash) && word.names.contains(&line.hash);
    let counts = lines.with(id).iter().find(is_it)?;
    Some((word, *lines.with(word.by).first()?, *counts))
}

/// The line of this clone that does not count because of what another writer said, and its person has not said, too: one
/// with the id, or its own word on it.
fn overruled(
    settled: &Settlements,
    id: EntryId,
    lines: &ClaimedLines,
    own: &OwnChains,
    said: &ClaimedLine,
) -> Option<ClaimedLine> {
    let last = settled.words.last()?;
    let own_line = |by: EntryId| lines.with(by).iter().find(|line| own.wrote(line));
    let own_word = settled.words.iter().rev().find_map(|word| Some((word, own_line(word.by)?)));
    let agrees = |word: &Word| is_one(&word.names, &last.names);
    if own.wrote(said) || own_word.is_some_and(|(word, _)| agrees(word)) {
        return None;
    }
    let is_out = |line: &&ClaimedLine| settled.versions.contains(&line.hash) && !last.names.contains(&line.hash);
    let line = lines.with(id).iter().filter(is_out).find(|line| own.wrote(line));
    line.or(own_word.map(|(_, line)| line)).copied()
}

fn is_one(left: &[LineHash], right: &[LineHash]) -> bool {
    left.iter().any(|hash| right.contains(hash))
}

fn overruling(case: &Case, id: EntryId, instead: &ClaimedLine, counts: &ClaimedLine) -> What {
    let own = standing(case, instead);
    What::Overruled { id, own: own.link, own_at: own.at, counts: standing(case, counts), hash: counts.hash }
}

pub(super) fn standing(case: &Case, line: &ClaimedLine) -> LineStanding {
    let link = line.place.map(|(chain, count)| case.link(chain, count));
    LineStanding { link, at: case.survey.at(line.spot) }
}
