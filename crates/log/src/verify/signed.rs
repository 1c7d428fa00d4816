//! Signed heads: whether each signs what stands before it, and up to which line each writer is signed, by whom.
//!
//! A writer signs the line before the one that holds the signature. By that line's hash all before it are signed, and all
//! that they have seen of others. Which keys count is handed in; nobody is trusted because of what stands in the log.

mod amended;
mod cover;
mod fault;

use std::collections::{BTreeMap, BTreeSet};

use super::case::Case;
use super::chain::{ChainSpot, Row};
use super::finding::{Finding, Link, What};
use super::recorded::{ClaimedLines, Recorded};
use crate::batch::Placed;
use annals_kernel::annals::{self, Head};
use annals_kernel::id::{EntryId, WriterId};
use annals_kernel::signed::{BadHead, SignedHead};
use annals_kernel::ssh::PublicKey;
use annals_kernel::ssh::signers::{Signers, Trust};
use annals_kernel::time::Timestamp;

use self::cover::Cover;
pub use self::fault::SignatureFault;
pub(crate) use self::fault::WhyNot;

/// Whose signatures count, and what lines without one are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SignatureTerms {
    /// The keys of those who are trusted.
    pub signers: Signers,
    /// What a writer is whom none of them has signed.
    pub unsigned: Unsigned,
    /// More lines behind the last signed one are a finding: whoever takes the last signatures away makes it look as if
    /// there had been none.
    pub most_after: Option<u64>,
}

/// What a writer is without a signed head by a key that counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unsigned {
    /// As any.
    #[default]
    Accepted,
    /// A finding, unless a signed head that counts has seen lines of it.
    AcceptedWhereSeen,
    /// A finding.
    Finding,
}

/// What came of all signatures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signatures {
    /// How far each writer is signed, by name; those that are not signed are not in it.
    pub writers: BTreeMap<WriterId, WriterSignature>,
    /// Up to which line somebody who is trusted has signed or seen a writer.
    pub covered: BTreeMap<WriterId, u64>,
    /// Lines behind the last signed head of their writer, or of a writer without one.
    pub unsigned: u64,
    /// Signatures that were checked.
    pub checked: u64,
    /// Holes that the user knows of, by entries that nobody who is trusted has signed: where signatures are asked for.
    pub unsigned_holes: BTreeSet<EntryId>,
}

/// The last signed head of a writer: of those that count, where there are some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriterSignature {
    /// The line that it signs.
    pub head: Head,
    /// By which key.
    pub key: PublicKey,
    /// Whose key that is.
    pub by: Trust,
    /// When, as the signer says.
    pub at: Timestamp,
    /// Lines behind the signed one, that of the signature included.
    pub after: u64,
    /// Signed lines that were scrubbed since, as was recorded.
    pub scrubs: u64,
}

/// A line that says it holds a signed head.
#[derive(Debug, Clone)]
pub(super) struct Stated {
    /// The place that the line claims in its chain; none where it has no link.
    pub(super) link: Option<(WriterId, u64)>,
    pub(super) spot: ChainSpot,
    pub(super) id: EntryId,
    pub(super) head: Result<Box<SignedHead>, BadHead>,
}

impl Stated {
    /// Reads and checks what a line holds, if it is such a line.
    pub(super) fn of(placed: &Placed<'_>, link: Option<&annals::Link>, spot: ChainSpot) -> Option<Self> {
        let head = SignedHead::of(&placed.envelope)?.map(Box::new);
        let link = link.map(|link| (link.writer.clone(), link.count));
        Some(Self { link, spot, id: placed.envelope.id(), head })
    }

    fn at(&self) -> HeadAt<'_> {
        HeadAt { spot: self.spot, id: self.id, link: self.link.as_ref() }
    }
}

/// Where a signed head stands.
#[derive(Clone, Copy)]
struct HeadAt<'s> {
    spot: ChainSpot,
    id: EntryId,
    link: Option<&'s (WriterId, u64)>,
}

/// A signed head that signs what stands before it.
struct Valid {
    chain: usize,
    spot: ChainSpot,
    id: EntryId,
    head: Box<SignedHead>,
    by: Trust,
}

/// Judges every signed head, and says how far each writer is signed.
pub(super) fn judge(case: &mut Case, recorded: &Recorded, lines: &ClaimedLines, terms: &SignatureTerms) -> Signatures {
    let stated = std::mem::take(&mut case.survey.signed);
    let checked = stated.len() as u64;
    let mut valid = Vec::new();
    for one in stated {
        valid.extend(hold(case, one, &terms.signers));
    }
    valid.sort_by_key(|one| (one.chain, one.head.statement.n, one.spot));
    forks(case, &valid);
    keys(case, &valid, &terms.signers);
    let cover = Cover::of(case, &valid);
    let scrubs = cover::scrubs(case, &recorded.scrubs, lines, &cover, terms.unsigned);
    let writers = writers(case, &valid, &scrubs);
    let mut unsigned_holes = BTreeSet::new();
    if terms.unsigned != Unsigned::Accepted {
        require(case, &writers, &cover, terms);
        amended::judge(case, recorded, lines, &cover);
        unsigned_holes.extend(recorded.holes.iter().filter(|by| !cover.has_entry(lines, **by)));
    }
    let unsigned = case.survey.chains.iter().map(|chain| {
        let signed = writers.get(&chain.writer).map_or(0, |signed| signed.head.count);
        chain.rows.iter().filter(|row| row.count > signed).count() as u64
    });
    Signatures { unsigned: unsigned.sum(), covered: cover.by_writer(case), writers, checked, unsigned_holes }
}

/// A signed head, if what it signs is there, just before it; else that is found.
fn hold(case: &mut Case, stated: Stated, signers: &Signers) -> Option<Valid> {
    let at = stated.at();
    let head = match &stated.head {
        Ok(head) => head,
        Err(problem) => {
            found(case, at, SignatureFault::Wrong { problem: problem.to_string() });
            return None;
        }
    };
    let statement = &head.statement;
    let said = Link { writer: statement.writer.clone(), count: statement.n };
    if at.link.is_none_or(|(writer, count)| *writer != said.writer || said.count.checked_add(1) != Some(*count)) {
        let stands = at.link.map(|(writer, count)| Link { writer: writer.clone(), count: *count });
        found(case, at, SignatureFault::Elsewhere { said, stands });
        return None;
    }
    let by = signers.trust(&head.key, statement.at);
    let own = Head { count: statement.n, hash: statement.hash };
    let all = [(&statement.writer, own)].into_iter().chain(statement.seen.iter().map(|(writer, head)| (writer, *head)));
    let mut holds = true;
    for (writer, signed) in all {
        holds &= is_there(case, at, writer, signed, &name_of(&by, &head.key));
    }
    let chain = case.survey.find_chain(&statement.writer).filter(|_| holds)?;
    Some(Valid { chain, spot: stated.spot, id: stated.id, by, head: stated.head.ok()? })
}

/// Whether a line that was signed, or seen by who signed, is there as it was; else that is found.
fn is_there(case: &mut Case, at: HeadAt<'_>, writer: &WriterId, signed: Head, by: &str) -> bool {
    let chain = case.survey.find_chain(writer);
    let versions = chain.map(|chain| case.survey.chains[chain].versions(signed.count)).unwrap_or_default();
    if versions.iter().any(|row| case.survey.formers.is(row, signed.hash)) {
        return true;
    }
    let (link, by) = (Link { writer: writer.clone(), count: signed.count }, by.to_owned());
    match versions.first().copied() {
        None => found(case, at, SignatureFault::Missing { link, by }),
        // Whoever looked at the chain alone has found it already.
        Some(row) if case.blamed.contains(&row.spot) => {}
        Some(row) => {
            let signature = case.survey.at(at.spot);
            case.blame(&row, What::Signature(SignatureFault::Rewritten { link, by, signature }));
        }
    }
    false
}

fn found(case: &mut Case, at: HeadAt<'_>, fault: SignatureFault) {
    case.find(at.spot, Some(at.id), What::Signature(fault));
}

/// A name, or the key's own where nobody has named it.
fn name_of(by: &Trust, key: &PublicKey) -> String {
    match by {
        Trust::Named(name) => name.to_string(),
        Trust::Expired(name) => format!("{name} ({}, not valid then)", key.fingerprint()),
        Trust::Unknown => key.fingerprint().to_string(),
    }
}

/// Two heads of one writer with one count: somebody has signed both ways of a fork, or has the key, too.
fn forks(case: &mut Case, valid: &[Valid]) {
    for pair in valid.windows(2) {
        let [one, other] = pair else { continue };
        let key = |valid: &Valid| (valid.chain, valid.head.statement.n);
        let hashes = (one.head.statement.hash, other.head.statement.hash);
        // Of a line that was scrubbed both hashes name one and the same.
        let is_one = |row: &Row| case.survey.formers.is(row, hashes.0) && case.survey.formers.is(row, hashes.1);
        if key(one) != key(other) || case.survey.chains[one.chain].versions(key(one).1).iter().any(is_one) {
            continue;
        }
        let (link, also) = (case.link(one.chain, key(one).1), case.survey.at(one.spot));
        case.find(other.spot, Some(other.id), What::Signature(SignatureFault::TwoHeads { link, also }));
    }
}

/// A writer that goes on with another key: somebody else may have written from there on, unless both are one person's.
fn keys(case: &mut Case, valid: &[Valid], signers: &Signers) {
    for own in valid.chunk_by(|left, right| left.chain == right.chain) {
        let mut known = vec![own[0].head.key];
        for one in own {
            if known.contains(&one.head.key) {
                continue;
            }
            let before = known[known.len() - 1];
            known.push(one.head.key);
            if !signers.is_one_person(&[before, one.head.key]) {
                let link = case.link(one.chain, one.head.statement.n);
                let fault =
                    SignatureFault::TwoKeys { link, before: before.fingerprint(), key: one.head.key.fingerprint() };
                case.find(one.spot, Some(one.id), What::Signature(fault));
            }
        }
    }
}

/// How far each writer is signed: by a key that counts if there is one, else by any.
fn writers(case: &Case, valid: &[Valid], scrubs: &[Vec<u64>]) -> BTreeMap<WriterId, WriterSignature> {
    let mut writers = BTreeMap::new();
    for own in valid.chunk_by(|left, right| left.chain == right.chain) {
        let key = |one: &&Valid| (matches!(one.by, Trust::Named(_)), one.head.statement.n);
        let Some(last) = own.iter().max_by_key(key) else { continue };
        let (chain, statement) = (&case.survey.chains[last.chain], &last.head.statement);
        let after = chain.rows.iter().filter(|row| row.count > statement.n).count() as u64;
        let signature = WriterSignature {
            head: Head { count: statement.n, hash: statement.hash },
            key: last.head.key,
            by: last.by.clone(),
            at: statement.at,
            after,
            scrubs: scrubs[last.chain].iter().filter(|count| **count <= statement.n).count() as u64,
        };
        writers.insert(chain.writer.clone(), signature);
    }
    writers
}

/// Every writer needs a signed head by a key that counts, and the log at least one.
fn require(case: &mut Case, signed: &BTreeMap<WriterId, WriterSignature>, cover: &Cover, terms: &SignatureTerms) {
    let mut missing = Vec::new();
    for (number, chain) in case.survey.chains.iter().enumerate() {
        let Some(last) = chain.rows.last() else { continue };
        let why = match signed.get(&chain.writer).map(|signature| (&signature.by, signature)) {
            Some((Trust::Named(_), signature)) => {
                let Some(most) = terms.most_after.filter(|most| signature.after > *most) else { continue };
                WhyNot::Behind { after: signature.after, most }
            }
            Some((Trust::Expired(name), _)) => WhyNot::Expired(name.clone()),
            Some((Trust::Unknown, signature)) => WhyNot::Unknown(signature.key.fingerprint()),
            None if terms.unsigned == Unsigned::AcceptedWhereSeen && cover.of_chain(number) > 0 => continue,
            None => WhyNot::Never,
        };
        let (writer, lines) = (chain.writer.clone(), chain.rows.len() as u64);
        missing.push((*last, SignatureFault::NotSigned { writer, lines, why }));
    }
    for (row, fault) in missing {
        case.find(row.spot, Some(row.id), What::Signature(fault));
    }
    if !signed.values().any(|signature| matches!(signature.by, Trust::Named(_))) {
        let what = What::Signature(SignatureFault::NothingSigned);
        case.findings.push(Finding { file: None, line: None, entry: None, what });
    }
}
