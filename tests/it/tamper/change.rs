//! What can be done to a line or a byte of a log, and what must be found then.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use annals::kernel::annals::Head;
use annals::kernel::id::WriterId;
use annals::log::verify::{CutOff, Finding, What};

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

/// The name of a change, and what it makes of a line; nothing where it would leave the line as it is.
pub type Kind = (&'static str, fn(&Log, usize, usize) -> Option<Change>);

/// A second line that a change is about stands no further behind than this.
pub const REACH: usize = 5;

pub const LINE_KINDS: [Kind; 9] = [
    ("delete", delete),
    ("double", double),
    ("copy elsewhere", copy),
    ("swap with the next", swap_next),
    ("swap with another", swap_other),
    ("insert a changed copy", |log, file, line| insert(log, file, line, log.files[file][line].replace("Bash", "Dash"))),
    ("insert one without a link", insert_unlinked),
    ("insert a broken one", |log, file, line| insert(log, file, line, "{\"id\":\n".to_owned())),
    ("insert one under the next count", insert_forged),
];

fn other(log: &Log, file: usize, line: usize) -> usize {
    (line + REACH).min(log.files[file].len() - 1)
}

fn change(edits: Vec<Edit>, found: Found) -> Option<Change> {
    Some(Change { what: String::new(), edits, found })
}

fn edit(file: usize, lines: Range<usize>, text: String) -> Edit {
    Edit { file, lines, bytes: text.into_bytes() }
}

fn delete(log: &Log, file: usize, line: usize) -> Option<Change> {
    let (writer, head) = &log.links[file][line];
    change(vec![edit(file, line..line + 1, String::new())], Found::Gone(writer.clone(), head.count))
}

fn double(log: &Log, file: usize, line: usize) -> Option<Change> {
    change(vec![edit(file, line..line + 1, log.files[file][line].repeat(2))], Found::Named)
}

fn copy(log: &Log, file: usize, line: usize) -> Option<Change> {
    insert(log, file, line, log.files[file][line].clone())
}

fn insert(log: &Log, file: usize, line: usize, text: String) -> Option<Change> {
    let to = other(log, file, line) + 1;
    change(vec![edit(file, to..to, text)], Found::Named)
}

fn insert_unlinked(log: &Log, file: usize, line: usize) -> Option<Change> {
    let text = &log.files[file][line];
    let end = text.find(r#","extensions""#).expect("extensions");
    insert(log, file, line, format!("{}}}\n", &text[..end]))
}

/// A line that claims to follow this one, as the next one does.
fn insert_forged(log: &Log, file: usize, line: usize) -> Option<Change> {
    let text = &log.files[file][line];
    let (_, head) = &log.links[file][line];
    let forged = text.replace(&format!(r#""n":{},"#, head.count), &format!(r#""n":{},"#, head.count + 1));
    insert(log, file, line, forged)
}

fn swap_next(log: &Log, file: usize, line: usize) -> Option<Change> {
    let pair = log.files[file].get(line..line + 2)?;
    let links = &log.links[file];
    let is_one_writer = links[line].0 == links[line + 1].0;
    let found = if is_one_writer { Found::Named } else { Found::Nothing };
    change(vec![edit(file, line..line + 2, format!("{}{}", pair[1], pair[0]))], found)
}

fn swap_other(log: &Log, file: usize, line: usize) -> Option<Change> {
    let (lines, other) = (&log.files[file], other(log, file, line));
    if other < line + REACH {
        return None;
    }
    let before = &log.links[file][line..=other];
    let mut after = before.to_vec();
    after.swap(0, other - line);
    let found = if orders(before) == orders(&after) { Found::Nothing } else { Found::Named };
    let edits =
        vec![edit(file, line..line + 1, lines[other].clone()), edit(file, other..other + 1, lines[line].clone())];
    change(edits, found)
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

/// Judges changes that do not touch each other, and checks that each is found, and nothing beside them.
pub fn check(log: &Log, changes: &[Change]) {
    let Judged { report, places } = log.judge(changes.iter().flat_map(|change| &change.edits));
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
        assert!(is_found, "{what} at {span:?} is not {found:?}: {:#?}", said(&report));
        touched.extend((span.start.1..span.end.1).map(|line| (span.start.0, line)));
    }
    let lost = lost(log, changes);
    for (finding, named) in report.findings.iter().zip(named) {
        let link = finding.what.link();
        let is_lost = || link.is_some_and(|link| lost.contains(&(&link.writer, link.count)));
        let is_right = named.iter().any(|place| touched.contains(place)) || is_lost();
        assert!(is_right, "{} blames {named:?}: {}", changes[0].what, finding.what);
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
