//! Decisions that change what signed lines count as: where signatures are asked for, they must be signed, too. Whoever may
//! write two lines behind a signed head could else put another line in the place of a signed one.

use std::collections::BTreeSet;

use super::super::case::Case;
use super::super::chain::Row;
use super::super::finding::What;
use super::super::recorded::{ClaimedLine, ClaimedLines, Recorded};
use super::SignatureFault;
use super::cover::Cover;
use crate::mending::{Mend, Mending};
use annals_kernel::id::{EntryId, WriterId};

/// Reports them.
pub(super) fn judge(case: &mut Case, recorded: &Recorded, lines: &ClaimedLines, cover: &Cover) {
    settlements(case, recorded, lines, cover);
    mends(case, recorded, lines, cover);
}

/// A settlement of lines with one id of which one is signed.
fn settlements(case: &mut Case, recorded: &Recorded, lines: &ClaimedLines, cover: &Cover) {
    for (id, settled) in &recorded.settled {
        let Some(word) = settled.words.last().filter(|word| !cover.has_entry(lines, word.by)) else { continue };
        let is_version = |line: &&ClaimedLine| settled.versions.contains(&line.hash);
        let signed = lines.with(*id).iter().filter(is_version).find(|line| cover.has(line)).copied();
        let Some((line, (chain, count))) = signed.and_then(|line| Some((line, line.place?))) else { continue };
        let fault =
            SignatureFault::SettlementUnsigned { link: case.link(chain, count), signed: case.survey.at(line.spot) };
        found(case, lines, word.by, fault);
    }
}

/// A mended clock by which a signed line counts as of another time than by what is signed.
fn mends(case: &mut Case, recorded: &Recorded, lines: &ClaimedLines, cover: &Cover) {
    let is_open = |one: &&(EntryId, Mend)| !cover.has_entry(lines, one.0);
    let (open, signed): (Vec<_>, Vec<_>) = recorded.mends.iter().partition(is_open);
    let mending = |mends: &[&(EntryId, Mend)]| Mending::of(mends.iter().map(|(_, mend)| mend.clone()));
    let both = [mending(&recorded.mends.iter().collect::<Vec<_>>()), mending(&signed)];
    for writer in open.iter().map(|(_, mend)| &mend.writer).collect::<BTreeSet<_>>() {
        let Some(chain) = case.survey.find_chain(writer).filter(|chain| cover.of_chain(*chain) > 0) else { continue };
        let changed = changed(recorded, writer, &both);
        for (by, mend) in open.iter().filter(|(_, mend)| mend.writer == *writer) {
            let last = mend.to.min(cover.of_chain(chain));
            let count = (mend.from <= last).then(|| changed.range(mend.from..=last).next()).flatten();
            let Some(row) = count.and_then(|count| first_row(case, chain, *count, last)) else { continue };
            let fault =
                SignatureFault::MendUnsigned { link: case.link(chain, row.count), signed: case.survey.at(row.spot) };
            found(case, lines, *by, fault);
        }
    }
}

/// The counts from which on lines of a writer count otherwise by all mends than by those that are signed.
fn changed(recorded: &Recorded, writer: &WriterId, [all, signed]: &[Mending; 2]) -> BTreeSet<u64> {
    let own = recorded.mends.iter().map(|(_, mend)| mend).filter(|mend| mend.writer == *writer);
    let counts: BTreeSet<u64> = own.flat_map(|mend| [mend.from, mend.to.saturating_add(1)]).collect();
    let name = writer.as_str();
    counts.into_iter().filter(|count| all.shift_at(name, *count) != signed.shift_at(name, *count)).collect()
}

fn first_row(case: &Case, chain: usize, from: u64, last: u64) -> Option<Row> {
    let rows = &case.survey.chains[chain].rows;
    let first = rows.get(rows.partition_point(|row| row.count < from))?;
    Some(*first).filter(|row| row.count <= last)
}

fn found(case: &mut Case, lines: &ClaimedLines, by: EntryId, fault: SignatureFault) {
    if let Some(line) = lines.with(by).first() {
        case.find(line.spot, Some(by), What::Signature(fault));
    }
}
