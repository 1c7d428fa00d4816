//! Every line and every byte of a merged log changed, one at a time: `verify` must find it, and name the line.
//!
//! What stands before and behind the change is prepared once, so that a hundred thousand judgements take seconds.

use std::collections::BTreeMap;

use annals::engine::verify::Terms;
use annals::kernel::annals::Head;
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::WriterId;
use annals::log::batch::Batch;
use annals::log::disk::Look;
use annals::log::position::Stamp;
use annals::log::segment::Segment;
use annals::log::verify::{
    Blobs, CutOff, Evidence, Finding, Foreign, Memory, Remembered, Rememberer, Report, Scrubs, Sheet, Survey, What,
    judge,
};

use crate::support::{Project, findings_of, said, step};

/// Three clones that write on three days, and merge after each round.
fn three_clones(rounds: usize, lines_each: usize) -> Project {
    let clones = [Project::new(), Project::new(), Project::new()];
    for round in 0..rounds {
        for (clone, seed) in clones.iter().zip(["one", "two", "three"]) {
            let engine = clone.engine(&format!("2026-11-{:02}T23:59:59.000Z", 20 + round), seed);
            for half in 0..2 {
                let text = |number| format!("{seed} {round} {half} {number}");
                let steps = (0..lines_each).map(|number| (step(seed, &text(number)), Stamp::Minted));
                engine.record_all(steps.collect()).expect("recorded");
                engine.clock().advance(1500);
            }
        }
        let merged = union(&clones.each_ref().map(Project::files));
        for clone in &clones {
            clone.set_files(&merged);
        }
    }
    let [merged, _, _] = clones;
    merged
}

/// What `merge=union` makes of files that grew apart: what they share, then what each has of its own.
fn union(sides: &[BTreeMap<String, String>]) -> BTreeMap<String, String> {
    let mut merged: BTreeMap<String, String> = BTreeMap::new();
    for (name, text) in sides.iter().flatten() {
        let all = merged.entry(name.clone()).or_default();
        let shared = all.lines().zip(text.lines()).take_while(|(left, right)| left == right).count();
        let own: String = text.split_inclusive('\n').skip(shared).collect();
        all.push_str(&own);
    }
    merged
}

/// A log in memory, and what its clone remembers.
struct Log {
    names: Vec<String>,
    files: Vec<Vec<String>>,
    sheets: Vec<Sheet>,
    memories: Vec<Memory>,
}

impl Log {
    /// Reads a project after an engine has seen all of it, so that `local/` knows every writer's last line.
    fn of(project: &Project) -> Self {
        project
            .engine("2026-12-01T00:00:00Z", "reader")
            .record(step("reader", "read"), Stamp::Minted)
            .expect("recorded");
        assert_eq!(findings_of(&project.context()), [""; 0]);
        let files = project.files();
        let lines = |text: &String| text.split_inclusive('\n').map(str::to_owned).collect();
        let mut log = Self {
            names: files.keys().cloned().collect(),
            files: files.values().map(lines).collect(),
            sheets: files.values().map(|text| sheet(text.as_bytes())).collect(),
            memories: Vec::new(),
        };
        log.memories = log.heads();
        log
    }

    /// Every writer's last line, as `local/` would remember it.
    fn heads(&self) -> Vec<Memory> {
        let mut heads: BTreeMap<WriterId, Head> = BTreeMap::new();
        for (_, _, line) in self.lines() {
            let (writer, head) = head_of(line);
            heads
                .entry(writer)
                .and_modify(|known| *known = if known.count < head.count { head } else { *known })
                .or_insert(head);
        }
        let memory = |(writer, head)| Memory { by: Rememberer::Local, head: Remembered::Head(writer, head) };
        heads.into_iter().map(memory).collect()
    }

    fn lines(&self) -> impl Iterator<Item = (usize, usize, &String)> {
        let files = self.files.iter().enumerate();
        files.flat_map(|(file, lines)| lines.iter().enumerate().map(move |(line, text)| (file, line, text)))
    }

    fn survey(&self) -> Survey {
        let segment = |name: &String| Segment { name: name.clone(), look: Look::default() };
        Survey::new(self.names.iter().map(segment).collect())
    }

    fn judge(&self, survey: Survey) -> Report {
        judge(survey, &self.memories, &Scrubs::new(), Foreign::Finding)
    }

    /// Judges the log with other lines in one file.
    fn with(&self, file: usize, lines: &[String]) -> Report {
        let mut survey = self.survey();
        for (index, known) in self.sheets.iter().enumerate() {
            survey.add(index, if index == file { sheet(lines.concat().as_bytes()) } else { known.clone() });
        }
        self.judge(survey)
    }
}

fn sheet(bytes: &[u8]) -> Sheet {
    Sheet::of(&Batch::decode(bytes.to_vec(), 0), Blobs::Skip)
}

fn head_of(line: &str) -> (WriterId, Head) {
    let line = line.trim_end();
    let link = HistoryEntry::read(line).expect("an entry").annals.link.expect("a link");
    (link.writer, Head { count: link.count, hash: annals::kernel::annals::LineHash::of(line.as_bytes()) })
}

/// Everything around some lines of a file, ready to be judged with others in their place.
struct Around<'l> {
    log: &'l Log,
    file: usize,
    before: Survey,
    behind: Vec<Sheet>,
}

impl<'l> Around<'l> {
    fn new(log: &'l Log, file: usize, from: usize, to: usize) -> Self {
        let mut before = log.survey();
        for (earlier, known) in log.sheets[..file].iter().enumerate() {
            before.add(earlier, known.clone());
        }
        before.add(file, sheet(log.files[file][..from].concat().as_bytes()));
        let mut behind = vec![sheet(log.files[file][to..].concat().as_bytes())];
        behind.extend(log.sheets[file + 1..].iter().cloned());
        Self { log, file, before, behind }
    }

    fn with(&self, bytes: &[u8]) -> Report {
        let mut survey = self.before.clone();
        survey.add(self.file, sheet(bytes));
        for (file, sheet) in (self.file..).zip(&self.behind) {
            survey.add(file, sheet.clone());
        }
        self.log.judge(survey)
    }
}

/// The lines that a finding names, from 1.
fn named(log: &Log, finding: &Finding) -> Vec<(usize, u64)> {
    let file = |name: &String| log.names.iter().position(|known| known == name).expect("a file of the log");
    let mut lines: Vec<_> = finding.file.iter().zip(finding.line).map(|(name, line)| (file(name), line)).collect();
    let others = match &finding.what {
        What::Changed { instead: at, .. } | What::Removed { perhaps: at, .. } => at.as_ref(),
        What::Doubled { also, .. } => Some(also),
        What::Fork { other, .. } => Some(other),
        What::Inserted(_)
        | What::Reordered { .. }
        | What::CutOff(_)
        | What::Unreadable { .. }
        | What::BadBlob { .. }
        | What::ScrubUnproved { .. } => None,
    };
    lines.extend(others.map(|at| (file(&at.segment), at.line)));
    lines
}

#[track_caller]
fn assert_named(log: &Log, report: &Report, file: usize, lines: &[usize], what: &str) {
    let wanted: Vec<_> = lines.iter().map(|line| (file, *line as u64 + 1)).collect();
    let is_named = report.findings.iter().any(|finding| named(log, finding).iter().any(|at| wanted.contains(at)));
    assert!(is_named, "{what} of {}:{wanted:?}: {:#?}", log.names[file], said(report));
}

/// Flips bits of every byte of a line and of its newline.
fn flip_every_byte(log: &Log, file: usize, line: usize, flips: &[u8]) {
    let lines = &log.files[file];
    let alone = Around::new(log, file, line, line + 1);
    let both = Around::new(log, file, line, lines.len().min(line + 2));
    let text = lines[line].as_bytes();
    let pair = lines[line..lines.len().min(line + 2)].concat().into_bytes();
    for flip in flips {
        for at in 0..text.len() {
            let is_newline = at + 1 == text.len();
            let mut bytes = if is_newline { pair.clone() } else { text.to_vec() };
            bytes[at] ^= flip;
            let report = if is_newline { both.with(&bytes) } else { alone.with(&bytes) };
            assert_named(log, &report, file, &[line], &format!("byte {at} flipped by {flip}"));
        }
    }
}

#[test]
fn every_byte_of_three_hundred_lines_is_guarded() {
    let log = Log::of(&three_clones(3, 17));
    assert_eq!(log.lines().count(), 307);
    std::thread::scope(|scope| {
        for half in 0..2 {
            let log = &log;
            scope.spawn(move || {
                for (file, line, _) in log.lines().skip(half).step_by(2) {
                    flip_every_byte(log, file, line, &[1]);
                }
            });
        }
    });
}

#[test]
fn every_bit_of_a_few_lines_is_guarded() {
    let log = Log::of(&three_clones(2, 1));
    for (file, line, _) in log.lines() {
        flip_every_byte(&log, file, line, &[1, 2, 4, 8, 16, 32, 64, 128]);
    }
}

/// Places of a log: all of them, or so many that are spread over it.
fn places(log: &Log, most: usize) -> Vec<(usize, usize)> {
    let all: Vec<_> = log.lines().map(|(file, line, _)| (file, line)).collect();
    let step = all.len().div_ceil(most);
    let mut chosen: Vec<_> = all.iter().copied().step_by(step).collect();
    chosen.push(*all.last().expect("a line"));
    chosen
}

fn delete(log: &Log, file: usize, line: usize) {
    let mut lines = log.files[file].clone();
    let (writer, head) = head_of(&lines.remove(line));
    let report = log.with(file, &lines);
    let [finding] = report.findings.as_slice() else { panic!("{file}:{line} deleted: {:#?}", said(&report)) };
    let what = match &finding.what {
        What::Removed { writer, first, last, perhaps: None } => (writer.clone(), *first, *last),
        What::CutOff(CutOff::Lines { writer, first, last, .. }) => (writer.clone(), *first, *last),
        other => panic!("{file}:{line} deleted: {other:?}"),
    };
    assert_eq!(what, (writer, head.count, head.count));
}

/// A copy is a finding, unless it stands where a merge might have put it: then it is listed apart.
fn duplicate(log: &Log, file: usize, line: usize, to: usize) {
    let mut lines = log.files[file].clone();
    lines.insert(to, lines[line].clone());
    let moved = if to <= line { line + 1 } else { line };
    let report = log.with(file, &lines);
    let both = [moved, to].map(|line| line as u64 + 1);
    let is_merged = report.doubled.iter().any(|at| at.segment == log.names[file] && both.contains(&at.line));
    assert!(!is_merged || to != line, "a merge puts no line behind itself");
    if !is_merged {
        assert_named(log, &report, file, &[moved, to], "a copy");
    }
}

fn insert(log: &Log, file: usize, line: usize, to: usize, text: &str, what: &str) {
    let mut lines = log.files[file].clone();
    assert_ne!(lines[line], text, "{what}");
    lines.insert(to, text.to_owned());
    assert_named(log, &log.with(file, &lines), file, &[to], what);
}

/// Whether a writer's lines of a file come in another order.
fn changes_an_order(before: &[String], after: &[String]) -> bool {
    let order = |lines: &[String]| {
        let mut orders: BTreeMap<WriterId, Vec<u64>> = BTreeMap::new();
        for (writer, head) in lines.iter().map(|line| head_of(line)) {
            orders.entry(writer).or_default().push(head.count);
        }
        orders
    };
    order(before) != order(after)
}

fn swap(log: &Log, file: usize, line: usize, other: usize) {
    let mut lines = log.files[file].clone();
    lines.swap(line, other);
    let report = log.with(file, &lines);
    let same_writer = head_of(&lines[line]).0 == head_of(&lines[other]).0;
    if same_writer {
        assert_named(log, &report, file, &[line, other], "a swap");
    } else {
        let range = line.min(other)..=line.max(other);
        let changes = changes_an_order(&log.files[file][range.clone()], &lines[range]);
        assert_eq!(!report.is_clean(), changes, "{file}: {line} and {other} swapped: {:#?}", said(&report));
    }
}

/// Every kind of change of whole lines, at one line.
fn tamper_with_line(log: &Log, file: usize, line: usize) {
    let count = log.files[file].len();
    let other = (line * 7 + 3) % count;
    let text = &log.files[file][line];
    delete(log, file, line);
    duplicate(log, file, line, line);
    duplicate(log, file, line, other);
    if line != other {
        swap(log, file, line, other);
    }
    if line + 1 < count {
        swap(log, file, line, line + 1);
    }
    insert(log, file, line, other, &text.replace("Bash", "Dash"), "a changed copy");
    let unchained = text.find(r#","extensions""#).expect("extensions");
    insert(log, file, line, other, &format!("{}}}\n", &text[..unchained]), "a line without a link");
    insert(log, file, line, other, "{\"id\":\n", "a broken line");
}

#[test]
fn every_line_of_three_hundred_is_guarded() {
    let log = Log::of(&three_clones(3, 17));
    for (file, line) in places(&log, usize::MAX) {
        tamper_with_line(&log, file, line);
    }
}

#[test]
fn lines_of_ten_thousand_are_guarded() {
    let log = Log::of(&three_clones(3, 556));
    assert_eq!(log.lines().count(), 10_009);
    for (file, line) in places(&log, 12) {
        tamper_with_line(&log, file, line);
        let around = Around::new(&log, file, line, line + 1);
        let text = log.files[file][line].as_bytes();
        for at in (0..text.len() - 1).step_by(29) {
            let mut bytes = text.to_vec();
            bytes[at] ^= 1;
            assert_named(&log, &around.with(&bytes), file, &[line], &format!("byte {at} flipped"));
        }
    }
}

#[test]
fn the_last_line_of_every_writer_is_guarded_by_local() {
    let project = three_clones(2, 3);
    let log = Log::of(&project);
    for memory in &log.memories {
        let Remembered::Head(writer, head) = &memory.head else { panic!("a hash alone") };
        let (file, line, text) =
            log.lines().find(|(_, _, line)| head_of(line) == (writer.clone(), *head)).expect("a last line");
        let mut files = project.files();
        files.insert(log.names[file].clone(), log.files[file].concat().replace(text, ""));
        let other = Project::new();
        other.set_files(&files);
        copy_local(&project, &other);
        let report =
            other.engine("2026-12-01T00:00:00Z", "verifier").verify(&Terms::default()).expect("verified").report;
        let kinds: Vec<_> = report.findings.iter().map(|finding| &finding.what).collect();
        let is_cut_off = matches!(kinds[..], [What::CutOff(CutOff::Lines { last, .. })] if *last == head.count);
        assert!(is_cut_off, "{file}:{line}: {:#?}", said(&report));
    }
}

fn copy_local(from: &Project, to: &Project) {
    std::fs::create_dir_all(to.context().join("local")).expect("made");
    for name in ["bookmark", "marks"] {
        std::fs::copy(from.context().join("local").join(name), to.context().join("local").join(name)).expect("copied");
    }
}

#[test]
fn what_is_found_says_how_it_is_known() {
    let log = Log::of(&three_clones(2, 2));
    let (file, line) = (0, 1);
    let mut lines = log.files[file].clone();
    lines[line] = lines[line].replace("Bash", "Dash");
    let report = log.with(file, &lines);
    let [Finding { what: What::Changed { evidence: Evidence::Next(at), instead: None, doubtful: None, .. }, .. }] =
        report.findings.as_slice()
    else {
        panic!("{:#?}", said(&report));
    };
    assert_eq!(at.to_string(), "2026-11-21.jsonl:1");
}
