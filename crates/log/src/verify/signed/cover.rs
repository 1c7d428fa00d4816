//! What a signature that counts covers: the writer's lines, what they have seen of others, and so on from there.

use std::collections::BTreeMap;

use super::super::case::Case;
use super::super::finding::What;
use super::super::recorded::{ClaimedLine, ClaimedLines};
use super::super::scrubs::{Scrub, Scrubs};
use super::{SignatureFault, Unsigned, Valid};
use annals_kernel::annals::Head;
use annals_kernel::id::{EntryId, WriterId};
use annals_kernel::ssh::signers::Trust;

/// The highest count of each chain that is covered; 0 where nothing is.
pub(super) struct Cover(Vec<u64>);

impl Cover {
    pub(super) fn of(case: &Case, valid: &[Valid]) -> Self {
        let chains = case.survey.chains.len();
        let mut told: Vec<Vec<(u64, usize, Head)>> = vec![Vec::new(); chains];
        for seen in &case.survey.seen {
            told[seen.by].push((seen.by_count, seen.chain, seen.head));
        }
        let mut waiting = Vec::new();
        for one in valid.iter().filter(|one| matches!(one.by, Trust::Named(_))) {
            let statement = &one.head.statement;
            waiting.push((one.chain, statement.n));
            for (writer, head) in &statement.seen {
                waiting.extend(case.survey.find_chain(writer).map(|chain| (chain, head.count)));
            }
        }
        for told in &mut told {
            told.sort_unstable_by_key(|(count, ..)| *count);
        }
        let mut cover = Self(vec![0; chains]);
        let mut read = vec![0; chains];
        while let Some((chain, count)) = waiting.pop() {
            cover.0[chain] = cover.0[chain].max(count);
            // What a line has seen is looked at once, when that line is covered first.
            while let Some((_, other, head)) = told[chain].get(read[chain]).filter(|(by, ..)| *by <= cover.0[chain]) {
                read[chain] += 1;
                if cover.0[*other] < head.count && is_as_seen(case, *other, *head) {
                    waiting.push((*other, head.count));
                }
            }
        }
        cover
    }

    pub(super) fn of_chain(&self, chain: usize) -> u64 {
        self.0[chain]
    }

    /// Whether a line stands before a signed head that counts.
    pub(super) fn has(&self, line: &ClaimedLine) -> bool {
        line.place.is_some_and(|(chain, count)| count <= self.of_chain(chain))
    }

    /// Whether the line of an entry does, whichever of several it is.
    pub(super) fn has_entry(&self, lines: &ClaimedLines, id: EntryId) -> bool {
        let lines = lines.with(id);
        !lines.is_empty() && lines.iter().all(|line| self.has(line))
    }

    pub(super) fn by_writer(&self, case: &Case) -> BTreeMap<WriterId, u64> {
        let chains = case.survey.chains.iter().zip(&self.0).filter(|(_, count)| **count > 0);
        chains.map(|(chain, count)| (chain.writer.clone(), *count)).collect()
    }
}

fn is_as_seen(case: &Case, chain: usize, head: Head) -> bool {
    let versions = case.survey.chains[chain].versions(head.count);
    versions.iter().any(|row| case.survey.formers.is(row, head.hash))
}

/// The counts of lines that were scrubbed, by chain. A signed line may be changed by a scrub, and so whoever could forge
/// the record of one could change what was signed: where signatures are asked for, that record must be signed, too.
pub(super) fn scrubs(
    case: &mut Case,
    recorded: &Scrubs,
    lines: &ClaimedLines,
    cover: &Cover,
    unsigned: Unsigned,
) -> Vec<Vec<u64>> {
    let mut scrubbed = vec![Vec::new(); case.survey.chains.len()];
    if !case.survey.has_scrubs() && recorded.is_empty() {
        return scrubbed;
    }
    let mut open = Vec::new();
    for (number, chain) in case.survey.chains.iter().enumerate() {
        for row in &chain.rows {
            let formers = case.survey.formers.of(row.hash);
            if !formers.is_empty() {
                scrubbed[number].push(row.count);
            }
            let own = recorded.get(&row.id).map(Vec::as_slice).unwrap_or_default();
            // By a scrub of what stands here as it was signed, another line counts in its place.
            let is_of_this =
                |scrub: &&Scrub| scrub.before == row.hash || scrub.after == row.hash || formers.contains(&scrub.after);
            let is_proved = own.iter().filter(is_of_this).all(|scrub| cover.has_entry(lines, scrub.by));
            if row.count <= cover.of_chain(number) && !is_proved {
                open.push((*row, number));
            }
        }
    }
    for (row, chain) in open.into_iter().filter(|_| unsigned != Unsigned::Accepted) {
        let link = case.link(chain, row.count);
        case.find(row.spot, Some(row.id), What::Signature(SignatureFault::ScrubUnsigned { link }));
    }
    scrubbed
}
