//! What can be done to a line or a byte of a log, and what must be found then.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use annals::kernel::annals::Head;
use annals::kernel::id::WriterId;
use annals::log::verify::{CutOff, Finding, Link, What};

use super::log::{Edit, Judged, Log};
use crate::support::said;

/// Something that is done to a log.
pub struct Change {
    pub what: String,
    pub edits: Vec<Edit>,
    pub found: Found,
}

/// What must be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// One of the lines that were changed.
    Named,
    /// One finding that says which line is missing.
    Gone(WriterId, u64),
    /// Nothing: the order between writers is free.
    Nothing,
}

/// A second line that a change is about stands no further behind than this.
pub const REACH: usize = 5;

/// What can be done to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    Delete,
    Double,
    CopyElsewhere,
    SwapWithNext,
    SwapWithOther,
    InsertChangedCopy,
    InsertWithoutLink,
    InsertBroken,
    InsertUnderNextCount,
}

pub const LINE_KINDS: [LineKind; 9] = [
    LineKind::Delete,
    LineKind::Double,
    LineKind::CopyElsewhere,
    LineKind::SwapWithNext,
    LineKind::SwapWithOther,
    LineKind::InsertChangedCopy,
    LineKind::InsertWithoutLink,
    LineKind::InsertBroken,
    LineKind::InsertUnderNextCount,
];

/// Does it to a line; nothing where there is no other line to do it with.
pub fn line(log: &Log, (file, line): (usize, usize), kind: LineKind) -> Option<Change> {
    let text = &log.files[file][line];
    let (writer, head) = &log.links[file][line];
    let at_line = |text: String| vec![Edit { file, lines: line..line + 1, bytes: text.into_bytes() }];
    let to = (line + REACH).min(log.files[file].len() - 1) + 1;
    let insert = |text: String| vec![Edit { file, lines: to..to, bytes: text.into_bytes() }];
    let (edits, found) = match kind {
        LineKind::Delete => (at_line(String::new()), Found::Gone(writer.clone(), head.count)),
        LineKind::Double => (at_line(text.repeat(2)), Found::Named),
        LineKind::CopyElsewhere => (insert(text.clone()), Found::Named),
        LineKind::SwapWithNext => swap(log, file, line, line + 1)?,
        LineKind::SwapWithOther => swap(log, file, line, line + REACH)?,
        LineKind::InsertChangedCopy => (insert(text.replace("Bash", "Dash")), Found::Named),
        LineKind::InsertWithoutLink => {
            let end = text.find(r#","extensions""#).expect("extensions");
            (insert(format!("{}}}\n", &text[..end])), Found::Named)
        }
        LineKind::InsertBroken => (insert("{\"id\":\n".to_owned()), Found::Named),
        LineKind::InsertUnderNextCount => {
            let count = |count: u64| format!(r#""n":{count},"#);
            (insert(text.replace(&count(head.count), &count(head.count + 1))), Found::Named)
        }
    };
    Some(Change { what: format!("{kind:?}"), edits, found })
}

fn swap(log: &Log, file: usize, line: usize, other: usize) -> Option<(Vec<Edit>, Found)> {
    let lines = &log.files[file];
    let before = log.links[file].get(line..=other)?;
    let mut after = before.to_vec();
    after.swap(0, other - line);
    let found = if orders(before) == orders(&after) { Found::Nothing } else { Found::Named };
    let edit = |at: usize, text: &String| Edit { file, lines: at..at + 1, bytes: text.clone().into_bytes() };
    Some((vec![edit(line, &lines[other]), edit(other, &lines[line])], found))
}

/// The order of each writer's lines.
fn orders(links: &[(WriterId, Head)]) -> BTreeMap<&WriterId, Vec<u64>> {
    let mut orders: BTreeMap<_, Vec<u64>> = BTreeMap::new();
    for (writer, head) in links {
        orders.entry(writer).or_default().push(head.count);
    }
    orders
}

/// What can be done to a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteKind {
    Flip(u8),
    Delete,
    Insert(u8),
    Swap,
    Double,
}

pub const BYTE_KINDS: [ByteKind; 7] = [
    ByteKind::Flip(1),
    ByteKind::Flip(32),
    ByteKind::Delete,
    ByteKind::Insert(b'0'),
    ByteKind::Insert(b' '),
    ByteKind::Swap,
    ByteKind::Double,
];

/// Does it to a byte of a line, whose last one is the newline; nothing where that leaves the line as it was.
pub fn byte(log: &Log, (file, line): (usize, usize), at: usize, kind: ByteKind) -> Option<Change> {
    let own = log.files[file][line].as_bytes();
    let touches_next = at + 1 == own.len() || (kind == ByteKind::Swap && at + 2 == own.len());
    let end = (line + 1 + usize::from(touches_next)).min(log.files[file].len());
    let before = log.files[file][line..end].concat().into_bytes();
    let mut bytes = before.clone();
    match kind {
        ByteKind::Flip(bits) => bytes[at] ^= bits,
        ByteKind::Delete => drop(bytes.remove(at)),
        ByteKind::Insert(byte) => bytes.insert(at, byte),
        ByteKind::Swap if at + 1 < bytes.len() => bytes.swap(at, at + 1),
        ByteKind::Swap => return None,
        ByteKind::Double => bytes.insert(at, bytes[at]),
    }
    let lines = |bytes: &[u8]| {
        bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    // A blank line, or a last line without its newline, is no change of what a writer has written.
    let found = if lines(&bytes) == lines(&before) { Found::Nothing } else { Found::Named };
    let what = format!("{kind:?} of byte {at}");
    Some(Change { what, edits: vec![Edit { file, lines: line..end, bytes }], found })
}

/// Checks that each of several changes is found, and nothing beside them. They are judged together; those that get in
/// each other's way, as two lines under one count do, are judged in smaller lots, at last alone.
pub fn check(log: &Log, changes: &[Change]) {
    match judge(log, changes) {
        Ok(()) => {}
        Err(problem) if changes.len() == 1 => panic!("{problem}"),
        Err(_) => {
            let (left, right) = changes.split_at(changes.len() / 2);
            check(log, left);
            check(log, right);
        }
    }
}

fn judge(log: &Log, changes: &[Change]) -> Result<(), String> {
    let Judged { report, places } = log.judge(&changes.iter().flat_map(|change| &change.edits).collect::<Vec<_>>());
    let named: Vec<_> = report.findings.iter().map(|finding| log.named(finding)).collect();
    let all: BTreeSet<_> = named.iter().flatten().copied().chain(log.doubled(&report)).collect();
    let gone: BTreeSet<_> = report.findings.iter().filter_map(gone).collect();
    let mut places = places.iter();
    let mut touched = BTreeSet::new();
    for Change { what, edits, found } in changes {
        let span = span(&places.by_ref().take(edits.len()).collect::<Vec<_>>());
        let is_found = match found {
            Found::Named => all.range(span.clone()).next().is_some(),
            Found::Gone(writer, count) => gone.contains(&(writer, *count)),
            Found::Nothing => true,
        };
        if !is_found {
            return Err(format!("{what} at {span:?} is not {found:?}: {:#?}", said(&report)));
        }
        touched.extend((span.start.1..span.end.1).map(|line| (span.start.0, line)));
    }
    let lost = lost(log, changes);
    let is_innocent = |(finding, named): &(&Finding, &Vec<_>)| {
        let is_lost = |link: Link| lost.contains(&(&link.writer, link.count));
        !named.iter().any(|place| touched.contains(place)) && !finding.what.link().is_some_and(is_lost)
    };
    match report.findings.iter().zip(&named).find(is_innocent) {
        Some((finding, named)) => Err(format!("{} blames {named:?}: {}", changes[0].what, finding.what)),
        None => Ok(()),
    }
}

/// The places of a change, and those between them: of two lines that stand the wrong way round either may be named.
fn span(places: &[&(usize, Range<usize>)]) -> Range<(usize, usize)> {
    let ((file, first), (_, last)) = (places[0], places[places.len() - 1]);
    (*file, first.start)..(*file, last.end)
}

/// The line that a finding says is missing, if it is one.
fn gone(finding: &Finding) -> Option<(&WriterId, u64)> {
    let (What::Removed { writer, first, last, .. } | What::CutOff(CutOff::Lines { writer, first, last, .. })) =
        &finding.what
    else {
        return None;
    };
    (first == last).then_some((writer, *first))
}

/// The lines that stood where others do now.
fn lost<'l>(log: &'l Log, changes: &[Change]) -> BTreeSet<(&'l WriterId, u64)> {
    let edits = changes.iter().flat_map(|change| &change.edits);
    let links = edits.flat_map(|edit| &log.links[edit.file][edit.lines.clone()]);
    links.map(|(writer, head)| (writer, head.count)).collect()
}
