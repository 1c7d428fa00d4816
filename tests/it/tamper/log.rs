//! A merged log of three clones, taken into memory line by line, so that a changed one is judged without a file.
//!
//! Does not change it; `change` does.

use std::collections::BTreeMap;
use std::ops::Range;

use annals::kernel::annals::{Head, LineHash};
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::WriterId;
use annals::log::batch::Batch;
use annals::log::disk::Look;
use annals::log::position::IdSource;
use annals::log::segment::Segment;
use annals::log::verify::{
    Blobs, Finding, Foreign, Memory, Recorded, Remembered, Rememberer, Report, Sheet, Survey, judge,
};

use crate::support::{Project, findings_of, step};

/// Three clones that write on three days and merge after each of `rounds` rounds.
pub fn three_clones(rounds: usize, lines_each: usize) -> Project {
    let clones = [Project::new(), Project::new(), Project::new()];
    for round in 0..rounds {
        let (day, minute) = (20 + round * 3 / rounds, 10 + round);
        for (clone, seed) in clones.iter().zip(["one", "two", "three"]) {
            let engine = clone.engine(&format!("2026-11-{day}T23:{minute}:00Z"), seed);
            let text = |number| format!("{seed} {round} {number}");
            let steps = (0..lines_each).map(|number| (step(seed, &text(number)), IdSource::Minted));
            engine.record_all(steps.collect()).expect("recorded");
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
        all.extend(text.split_inclusive('\n').skip(shared));
    }
    merged
}

/// A log in memory, each line read already, and what its clone remembers.
pub struct Log {
    pub names: Vec<String>,
    pub files: Vec<Vec<String>>,
    /// The writer, count and hash of every line.
    pub links: Vec<Vec<(WriterId, Head)>>,
    /// Every writer's last line, as `local/` would remember it.
    pub heads: BTreeMap<WriterId, Head>,
    sheets: Vec<Vec<Sheet>>,
}

/// Other bytes in the place of lines of a file.
pub struct Edit {
    pub file: usize,
    pub lines: Range<usize>,
    pub bytes: Vec<u8>,
}

/// What came of judging edits.
pub struct Judged {
    pub report: Report,
    /// The lines that each edit has become, from 0.
    pub places: Vec<(usize, Range<usize>)>,
}

impl Log {
    /// Reads a project after an engine has seen all of it, so that a line tells of every writer's last one.
    pub fn of(project: &Project) -> Self {
        let reader = project.engine("2026-12-01T00:00:00Z", "reader");
        reader.record(step("reader", "read"), IdSource::Minted).expect("recorded");
        assert_eq!(findings_of(&project.context()), [""; 0]);
        let files = project.files();
        let lines = |text: &String| text.split_inclusive('\n').map(str::to_owned).collect();
        let lines: Vec<Vec<String>> = files.values().map(lines).collect();
        let links: Vec<Vec<_>> = lines.iter().map(|lines| lines.iter().map(|line| head_of(line)).collect()).collect();
        let mut heads = BTreeMap::new();
        for (writer, head) in links.iter().flatten() {
            let known = heads.entry(writer.clone()).or_insert(*head);
            *known = if known.count < head.count { *head } else { *known };
        }
        let sheets = lines.iter().map(|lines| lines.iter().map(|line| sheet(line.as_bytes())).collect()).collect();
        Self { names: files.keys().cloned().collect(), files: lines, links, heads, sheets }
    }

    /// Every line: its file, its number from 0.
    pub fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let files = self.files.iter().enumerate();
        files.flat_map(|(file, lines)| (0..lines.len()).map(move |line| (file, line)))
    }

    /// Judges the log with edits, which come in the order of files and lines.
    pub fn judge(&self, edits: &[&Edit]) -> Judged {
        let segment = |name: &String| Segment { name: name.clone(), look: Look::default() };
        let mut survey = Survey::new(self.names.iter().map(segment).collect());
        let mut places = Vec::new();
        for (file, sheets) in self.sheets.iter().enumerate() {
            let (mut at, mut now) = (0, 0);
            for edit in edits.iter().filter(|edit| edit.file == file) {
                sheets[at..edit.lines.start].iter().for_each(|known| survey.add(file, known.clone()));
                now += edit.lines.start - at;
                survey.add(file, sheet(&edit.bytes));
                let count = edit.bytes.split_inclusive(|byte| *byte == b'\n').count();
                places.push((file, now..now + count));
                (at, now) = (edit.lines.end, now + count);
            }
            sheets[at..].iter().for_each(|known| survey.add(file, known.clone()));
        }
        let memory = |(writer, head): (&WriterId, &Head)| Memory {
            by: Rememberer::Local,
            head: Remembered::Head(writer.clone(), *head),
        };
        let memories: Vec<_> = self.heads.iter().map(memory).collect();
        Judged { report: judge(survey, &memories, &Recorded::default(), Foreign::Finding), places }
    }

    /// The lines that a finding names, from 0.
    pub fn named(&self, finding: &Finding) -> Vec<(usize, usize)> {
        let own = finding.file.iter().zip(finding.line).map(|(name, line)| self.place(name, line));
        own.chain(finding.what.other().map(|at| self.place(&at.segment, at.line))).collect()
    }

    /// The lines that a merge may have doubled, from 0.
    pub fn doubled(&self, report: &Report) -> Vec<(usize, usize)> {
        report.doubled.iter().map(|at| self.place(&at.segment, at.line)).collect()
    }

    fn place(&self, name: &String, line: u64) -> (usize, usize) {
        let file = self.names.iter().position(|known| known == name).expect("a file of the log");
        (file, usize::try_from(line).expect("a line") - 1)
    }
}

fn sheet(bytes: &[u8]) -> Sheet {
    Sheet::of(&Batch::decode(bytes.to_vec(), 0), Blobs::Skip)
}

fn head_of(line: &str) -> (WriterId, Head) {
    let line = line.trim_end();
    let link = HistoryEntry::read(line).expect("an entry").annals.link.expect("a link");
    (link.writer, Head { count: link.count, hash: LineHash::of(line.as_bytes()) })
}
