//! Who has seen a line beside its own writer: other writers' lines, `local/`, and heads that were given.
//!
//! They find what a writer's own lines cannot tell: last lines that are cut off, and a chain that was written anew.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::case::Case;
use super::chain::{ChainSpot, LineHashes, Row};
use super::finding::{By, CutOff, Evidence, Finding, What};
use super::namesake::Namesakes;
use super::survey::Survey;
use annals_kernel::annals::{Head, LineHash};
use annals_kernel::id::WriterId;

/// A head that somebody remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// Who.
    pub by: Rememberer,
    /// What.
    pub head: Remembered,
}

/// Who remembers a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rememberer {
    /// `local/`.
    Local,
    /// This clone, of how far it has written itself, whatever became of it.
    Writer,
    /// Whoever asks.
    Caller,
}

/// A head that somebody remembers: whole, or its hash alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remembered {
    /// Writer, count and hash.
    Head(WriterId, Head),
    /// The hash of any line.
    Hash(LineHash),
}

/// Why a text is not a head.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a head: give HASH or WRITER:COUNT:HASH, as `annals verify` prints them")]
pub struct BadHead(String);

impl FromStr for Remembered {
    type Err = BadHead;

    fn from_str(text: &str) -> Result<Self, BadHead> {
        let parts: Vec<_> = text.split(':').collect();
        let read = match parts.as_slice() {
            [hash] => LineHash::parse(hash).map(Self::Hash),
            [writer, count, hash] => count
                .parse()
                .ok()
                .filter(|count| *count > 0)
                .zip(LineHash::parse(hash))
                .map(|(count, hash)| Self::Head(WriterId::from(*writer), Head { count, hash })),
            _ => None,
        };
        read.ok_or_else(|| BadHead(text.to_owned()))
    }
}

/// Everything that anybody has seen of other chains than their own, by chain and count.
#[derive(Debug, Default)]
pub(super) struct Outside(Vec<Testimony>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Testimony {
    chain: usize,
    count: u64,
    hash: LineHash,
    by: Witness,
    /// Whether that line is there; known once `compare` has looked.
    matched: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Witness {
    Local,
    Given,
    Line { chain: usize, count: u64, spot: ChainSpot },
}

/// What others say of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Somebody has seen this very line.
    Confirmed,
    /// Somebody has seen another one in its place.
    Contradicted(By),
    /// Nobody has seen it.
    Unknown,
}

impl Outside {
    /// Gathers what lines of the survey have seen, and what is remembered. Hashes that no line has are left over.
    pub(super) fn gather(survey: &mut Survey, memories: &[Memory]) -> (Self, Vec<LineHash>) {
        let (mut all, mut unknown) = (Vec::with_capacity(survey.seen.len()), Vec::new());
        for seen in &survey.seen {
            let by = Witness::Line { chain: seen.by, count: seen.by_count, spot: seen.spot };
            all.push(Testimony { chain: seen.chain, count: seen.head.count, hash: seen.head.hash, by, matched: false });
        }
        for Memory { by, head } in memories {
            let by = match by {
                Rememberer::Local => Witness::Local,
                Rememberer::Caller => Witness::Given,
                // How far it wrote says nothing of what must be there: `own` asks for it.
                Rememberer::Writer => continue,
            };
            match head {
                Remembered::Head(writer, head) => {
                    let chain = survey.chain(writer);
                    all.push(Testimony { chain, count: head.count, hash: head.hash, by, matched: false });
                }
                Remembered::Hash(hash) => match find(survey, *hash) {
                    Some((chain, count)) => all.push(Testimony { chain, count, hash: *hash, by, matched: false }),
                    None => unknown.push(*hash),
                },
            }
        }
        all.sort_unstable();
        (Self(all), unknown)
    }

    /// Looks which lines are there that others have seen, when no line is taken out of its chain any more.
    pub(super) fn compare(&mut self, case: &Case) {
        for said in self.0.chunk_by_mut(|left, right| (left.chain, left.count) == (right.chain, right.count)) {
            let versions = case.survey.chains[said[0].chain].versions(said[0].count);
            if let [only] = versions {
                for one in said {
                    one.matched = case.survey.formers.is(only, one.hash);
                }
            } else {
                let names = LineHashes::of(&case.survey.formers, versions);
                for one in said {
                    one.matched = names.has(one.hash);
                }
            }
        }
    }

    /// Up to which line somebody who asks wants each writer to be there.
    pub(super) fn demanded(&self, survey: &Survey) -> BTreeMap<WriterId, u64> {
        let given = self.0.iter().filter(|one| one.by == Witness::Given);
        // In the order of the counts, so that the highest is taken last.
        given.map(|one| (survey.chains[one.chain].writer.clone(), one.count)).collect()
    }

    fn of(&self, chain: usize, count: u64) -> &[Testimony] {
        let key = |one: &Testimony| (one.chain, one.count);
        let start = self.0.partition_point(|one| key(one) < (chain, count));
        let length = self.0[start..].partition_point(|one| key(one) == (chain, count));
        &self.0[start..start + length]
    }

    /// What others say of a line.
    pub(super) fn verdict(&self, case: &Case, chain: usize, row: &Row) -> Verdict {
        let said = self.of(chain, row.count);
        if said.iter().any(|one| case.survey.formers.is(row, one.hash)) {
            return Verdict::Confirmed;
        }
        said.iter().find(|one| !one.matched).map_or(Verdict::Unknown, |one| Verdict::Contradicted(one.by(case)))
    }
}

fn find(survey: &Survey, hash: LineHash) -> Option<(usize, u64)> {
    let chains = survey.chains.iter().enumerate();
    let mut rows = chains.flat_map(|(chain, rows)| rows.rows.iter().map(move |row| (chain, row)));
    rows.find(|(_, row)| survey.formers.is(row, hash)).map(|(chain, row)| (chain, row.count))
}

impl Testimony {
    fn by(&self, case: &Case) -> By {
        match self.by {
            Witness::Local => By::Local,
            Witness::Given => By::Given,
            Witness::Line { chain, count, spot } => {
                By::Line { link: case.link(chain, count), at: case.survey.at(spot) }
            }
        }
    }

    fn is_remembered(&self) -> bool {
        !self.is_by_line()
    }

    fn is_by_line(&self) -> bool {
        match self.by {
            Witness::Local | Witness::Given => false,
            Witness::Line { .. } => true,
        }
    }

    /// Whether the witness was changed itself.
    fn is_blamed(&self, case: &Case) -> bool {
        match self.by {
            Witness::Local | Witness::Given => false,
            Witness::Line { spot, .. } => case.blamed.contains(&spot),
        }
    }
}

/// Reports what others have seen and is not there. Returns, for each chain, the highest count that others vouch for.
///
/// What is remembered comes before what lines say: of a line that is found to be changed nothing counts any more.
pub(super) fn judge(case: &mut Case, outside: &Outside, unknown: Vec<LineHash>) -> Vec<u64> {
    let of_chains = || outside.0.chunk_by(|left, right| left.chain == right.chain);
    for is_asked in [Testimony::is_remembered, Testimony::is_by_line] {
        for said in of_chains() {
            let vouched = vouched(case, said);
            let asked: Vec<_> = said.iter().filter(|one| is_asked(one)).copied().collect();
            contradicted(case, outside, &asked, vouched);
        }
    }
    let (mut counts, mut namesakes) = (vec![0; case.survey.chains.len()], None);
    for said in of_chains() {
        counts[said[0].chain] = vouched(case, said);
        cut_off(case, said, &mut namesakes);
    }
    for hash in unknown {
        case.findings.push(Finding { file: None, line: None, entry: None, what: What::CutOff(CutOff::Hash(hash)) });
    }
    counts
}

fn vouched(case: &Case, said: &[Testimony]) -> u64 {
    let matched = said.iter().rev().find(|one| !one.is_blamed(case) && one.matched);
    matched.map_or(0, |one| one.count)
}

/// The first line that somebody knows by another hash, if it is not known to be changed already.
fn contradicted(case: &mut Case, outside: &Outside, said: &[Testimony], vouched: u64) {
    let mut explained = None;
    for one in said {
        if explained == Some(one.count) || one.is_blamed(case) || one.matched {
            continue;
        }
        let Some(row) = case.survey.chains[one.chain].versions(one.count).first().copied() else { continue };
        let is_explained =
            case.survey.chains[one.chain].versions(one.count).iter().any(|row| case.blamed.contains(&row.spot));
        if is_explained {
            explained = Some(one.count);
            continue;
        }
        let link = case.link(one.chain, one.count);
        let witness = witness_row(case, one).filter(|(chain, row)| !is_vouched_for(case, outside, *chain, row));
        match witness {
            // A later line is vouched for, and with it all before it: it is the witness that was changed.
            Some((chain, witness)) if vouched >= one.count => {
                let (link, at) = (case.link(chain, witness.count), case.survey.at(row.spot));
                let evidence = Evidence::Contradicts(at);
                case.blame(&witness, What::Changed { link, evidence, instead: None, doubtful: None });
            }
            other => {
                let instead = other.map(|(_, witness)| case.survey.at(witness.spot));
                let evidence = Evidence::Seen(one.by(case));
                case.blame(&row, What::Changed { link, evidence, instead, doubtful: None });
                return;
            }
        }
    }
}

fn witness_row(case: &Case, one: &Testimony) -> Option<(usize, Row)> {
    let Witness::Line { chain, count, spot } = one.by else { return None };
    let versions = case.survey.chains[chain].versions(count);
    versions.iter().find(|row| row.spot == spot).map(|row| (chain, *row))
}

fn is_vouched_for(case: &Case, outside: &Outside, chain: usize, row: &Row) -> bool {
    case.is_followed(chain, row) || outside.verdict(case, chain, row) == Verdict::Confirmed
}

/// The highest count that somebody has seen, behind the last line that is there.
fn cut_off(case: &mut Case, said: &[Testimony], namesakes: &mut Option<Namesakes>) {
    let chain = said[0].chain;
    let there = case.survey.chains[chain].last();
    let Some(highest) = said.iter().rev().find(|one| !one.is_blamed(case)).filter(|one| one.count > there) else {
        return;
    };
    let missing = (there + 1..=highest.count).find(|count| !case.filled.contains(&(chain, *count)));
    let Some(first) = missing else { return };
    let writer = case.survey.chains[chain].writer.clone();
    let seen = said.iter().filter(|one| one.count >= first && !one.is_blamed(case));
    let known = seen.map(|one| Head { count: one.count, hash: one.hash }).collect();
    let last = case.survey.chains[chain].rows.last().copied();
    let mut namesake = || namesakes.get_or_insert_with(|| Namesakes::of(&case.survey.chains)).like(&writer);
    let row = last.or_else(&mut namesake);
    let cut = CutOff::Lines { writer, first, last: highest.count, known, by: highest.by(case) };
    match row {
        Some(row) => case.find(row.spot, Some(row.id), What::CutOff(cut)),
        None => case.findings.push(Finding { file: None, line: None, entry: None, what: What::CutOff(cut) }),
    }
}
