//! Takes a leaked value out of the history: lines, blobs, archive, and everything that is folded from them (DESIGN 3.7).
//!
//! Recorded first, then done, files beside the history before its lines: as long as a line holds the value, the same command
//! finds it and does the rest; what is left then is named in `local/scrub`, and any later scrub does it. The value itself
//! is written nowhere. What git still holds is for the edge to list.

mod derived;
mod find;
mod needed;
mod needle;
mod pending;
mod places;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use memchr::memmem;
use serde::Serialize;

use self::find::{Cleaned, Target};
use super::{Answer, By, Engine, EngineError};
use annals_kernel::annals::LineHash;
use annals_kernel::decision::Refusal;
use annals_kernel::id::EntryId;
use annals_kernel::json::Json;
use annals_log::LogError;
use annals_log::rewrite::{content, edit_lines, replace};
use annals_log::segment::Segment;
use annals_log::writer::Pen;
use annals_rules::domain::Ask;
use annals_rules::domain::erasure::{Command, Observed, Scrub, ScrubbedLine};

/// What to take out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The value, or where it stands.
    pub what: What,
    /// The person who confirms it.
    pub confirmed_by: String,
    /// Why.
    pub reason: Option<String>,
    /// Do it, or say what would be done.
    pub mode: ScrubMode,
    /// Folders outside of `.context` that may hold it.
    pub elsewhere: Vec<OutsideFolder>,
    /// The views that this clone wrote, below `.context`: they may hold parts of it, and are made again.
    pub views: BTreeSet<String>,
}

/// What is taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// What stands in an entry.
    At {
        /// An entry that holds it.
        entry: EntryId,
        /// Where in that entry: keys with dots, as in `operation.output.stdout`.
        path: String,
        /// The part of the value there that leaked; all of it where none is given.
        part: Option<String>,
    },
    /// This, wherever it stands.
    Value(String),
}

/// A folder outside of `.context`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideFolder {
    /// How it is called.
    pub name: String,
    /// Where it is.
    pub folder: PathBuf,
    /// What its files are.
    pub holds: FolderHolds,
}

/// What the files of a folder are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderHolds {
    /// Copies of segments and blobs: their lines become those of the history.
    Copies,
    /// Copies of another work tree's: whoever stands there can scrub it, here it is only named.
    Others,
    /// Copies of a folder's that is gone, nobody can tell where: it is only named.
    Gone,
    /// What is the person's own; a sealed opinion that holds the value goes whole, for it would not fit its seal any more.
    Own,
}

/// Whether to do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScrubMode {
    /// Do it.
    Scrub,
    /// Only say what would be done.
    DryRun,
}

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Scrubbed {
    /// The entry that records it.
    pub recorded: Option<EntryId>,
    /// Lines that held the value, by segment: their entries.
    pub lines: BTreeMap<String, Vec<EntryId>>,
    /// Lines of no entry that held the value, by segment: how many.
    pub foreign: BTreeMap<String, u64>,
    /// Blobs that held it.
    pub blobs: Vec<String>,
    /// Other files that held it and are clean now.
    pub cleaned: Vec<String>,
    /// Other files that held it and are gone: torn ends of lines, unfinished files, sealed opinions.
    pub removed: Vec<String>,
    /// How many views were removed: all there were.
    pub views: usize,
    /// Where it still is, because it is part of an id or of a name.
    pub left: Vec<String>,
    /// Other work trees and folders of the clone that hold it, too.
    pub other_work_trees: BTreeSet<String>,
    /// Second names of folders that are gone which hold it, too: where these are.
    pub gone_folders: BTreeSet<String>,
    /// Why nothing was done.
    pub refusal: Option<Refusal>,
}

impl Scrubbed {
    /// Whether nothing held the value.
    pub fn is_nothing(&self) -> bool {
        let files = [&self.blobs, &self.cleaned, &self.removed, &self.left];
        self.lines.is_empty() && self.foreign.is_empty() && files.iter().all(|files| files.is_empty())
    }
}

/// One decision has no more lines: each takes some 300 bytes of its own line.
// 3 MB a decision: one that named some 220,000 lines was longer than the 64 MiB that are ever read of a line, and the
// proof of the scrub was passed over.
const MOST_LINES_AT_ONCE: usize = 10_000;

impl Engine {
    /// Takes a value out of every line that holds it.
    pub fn scrub(&self, request: &Request, by: &By) -> Result<Scrubbed, EngineError> {
        let by = &self.clean_by(by);
        let (done, ticket) =
            self.log().write(&mut || self.clock().chance(), |pen| self.scrub_locked(pen, request, by))?;
        if let Some(ticket) = ticket {
            self.log().wait(&ticket)?;
        }
        if request.mode == ScrubMode::Scrub && done.refusal.is_none() && !done.is_nothing() {
            *self.lock_live() = None;
            self.store_checkpoint()?;
        }
        Ok(done)
    }

    fn scrub_locked(&self, pen: &mut Pen<'_>, request: &Request, by: &By) -> Result<Scrubbed, EngineError> {
        let (disk, history) = (&**self.disk(), self.place().history());
        let segments = Segment::list(disk, history).map_err(LogError::at("list", history))?;
        // It was confirmed when it began, so that a dry run ends it, too.
        self.finish_pending(&segments)?;
        let target = Target::find(self, &segments, request)?;
        let (mut work, mut done) = match &target {
            Some(target) => self.edits(&segments, target)?,
            None => (Work::default(), Scrubbed::default()),
        };
        if let Some(target) = &target {
            work.copied = self.copied_lines(target, request, &work.lines().map(|line| line.before).collect())?;
        }
        if request.mode == ScrubMode::DryRun {
            if let Some(target) = &target {
                self.clean_places(target, request, &BTreeMap::new(), &mut done)?;
            }
            return Ok(done);
        }
        let lines: Vec<_> = work.lines().filter_map(|line| line.entry.clone()).collect();
        // What no entry holds is nobody's decision to record.
        if !lines.is_empty() || matches!(request.what, What::At { .. }) {
            done.refusal = self.record_scrub(pen, request, by, &lines, target.as_ref(), &mut done.recorded)?;
        }
        if done.refusal.is_some() {
            return Ok(Scrubbed { refusal: done.refusal, ..Scrubbed::default() });
        }
        if let Some(target) = &target {
            self.carry_out(target, request, work, &mut done)?;
        }
        Ok(done)
    }

    /// Lines are changed only when the decisions that prove it are on the disk: one for each so many lines, because a
    /// decision is a line, too. The first is the one that is told of.
    fn record_scrub(
        &self,
        pen: &mut Pen<'_>,
        request: &Request,
        by: &By,
        lines: &[ScrubbedLine],
        target: Option<&Target>,
        recorded: &mut Option<EntryId>,
    ) -> Result<Option<Refusal>, EngineError> {
        let nothing = lines.is_empty().then_some(lines);
        for some in nothing.into_iter().chain(lines.chunks(MOST_LINES_AT_ONCE)) {
            let answer = self.decide_scrub(pen, request, by, some.to_vec(), target)?;
            if answer.refusal.is_some() {
                return Ok(answer.refusal);
            }
            *recorded = recorded.or(answer.entry);
            // On the disk before any line changes: a changed line without its decision is a finding for ever.
            pen.keep()?;
        }
        Ok(None)
    }

    fn decide_scrub(
        &self,
        pen: &mut Pen<'_>,
        request: &Request,
        by: &By,
        lines: Vec<ScrubbedLine>,
        target: Option<&Target>,
    ) -> Result<Answer, EngineError> {
        // Who says why a value is taken out may name it.
        let clean = |text: &str| target.map_or_else(|| text.into(), |target| target.clean_text(text));
        let (entry, path) = match &request.what {
            What::At { entry, path, .. } => (Some(*entry), path.as_str()),
            What::Value(_) => (None, ""),
        };
        let command = Command::from(Scrub {
            entry,
            path: clean(path),
            confirmed_by: clean(&request.confirmed_by),
            reason: request.reason.as_deref().map(clean),
        });
        let mut live = self.current()?;
        let live = live.as_mut().expect("BUG: the world was just folded");
        self.adopt_file(pen, live, by)?;
        let observed = Json::of(&Observed { lines, blobs: Vec::new() });
        let ask = self.clean_ask(Ask { command: command.into(), observed });
        self.decide_one(pen, live, &ask, by, || 0)
    }

    /// What each segment would look like without the value.
    fn edits(&self, segments: &[Segment], target: &Target) -> Result<(Work, Scrubbed), EngineError> {
        let (mut edits, mut done) = (Vec::new(), Scrubbed { blobs: target.blobs(), ..Scrubbed::default() });
        let mut clean = self.clean_lines(segments)?;
        for segment in segments {
            let bytes = content(&**self.disk(), self.place().history(), segment)?;
            let mut lines = Vec::new();
            edit_lines(&bytes, |line| {
                let before = LineHash::of(line);
                let (entry, new) = match target.clean_line(line)? {
                    // Where a merge has brought back the line as it was, the clean one is there already.
                    Cleaned::Entry(changed, new) if clean.insert(changed.after) => (Some(changed), new),
                    Cleaned::Entry(changed, _) => (Some(changed), Vec::new()),
                    Cleaned::Foreign(new) => (None, new),
                };
                lines.push(EditedLine { before, entry, new });
                None
            });
            if !lines.is_empty() {
                let entries: Vec<_> = lines.iter().filter_map(|line| Some(line.entry.as_ref()?.entry)).collect();
                let foreign = (lines.len() - entries.len()) as u64;
                done.foreign.extend((foreign > 0).then(|| (segment.name.clone(), foreign)));
                done.lines.extend((!entries.is_empty()).then(|| (segment.name.clone(), entries)));
                edits.push(Edit { segment: segment.clone(), lines });
            }
        }
        Ok((Work { edits, copied: Vec::new() }, done))
    }

    /// Hashes of lines that were scrubbed before.
    fn clean_lines(&self, segments: &[Segment]) -> Result<BTreeSet<LineHash>, EngineError> {
        let mut clean = BTreeSet::new();
        for segment in segments {
            let bytes = content(&**self.disk(), self.place().history(), segment)?;
            let lines = bytes.split(|byte| *byte == b'\n');
            clean.extend(lines.filter(|line| memmem::find(line, b"\"scrubbed\":[").is_some()).map(LineHash::of));
        }
        Ok(clean)
    }

    /// The decision stands in the log by now, perhaps in one of the segments: they are read again, and only lines that
    /// it names are changed. A blob goes last, so that no crash leaves a line that names one which is gone.
    fn carry_out(
        &self,
        target: &Target,
        request: &Request,
        work: Work,
        done: &mut Scrubbed,
    ) -> Result<(), EngineError> {
        let (disk, history) = (&**self.disk(), self.place().history());
        self.note_pending(&target.blobs())?;
        target.put_clean_blobs(disk, &self.place().blobs())?;
        let lines = work.lines().map(|line| (line.before, line.new.clone())).collect();
        self.clean_places(target, request, &lines, done)?;
        for Edit { segment, lines } in work.edits {
            let bytes = content(disk, history, &segment)?;
            let mut lines = lines.into_iter().peekable();
            let new = edit_lines(&bytes, |line| {
                lines.next_if(|edited| edited.before == LineHash::of(line)).map(|edited| edited.new)
            });
            replace(disk, self.place(), &segment, &new)?;
        }
        self.remove_pending(&target.blobs())?;
        done.left.extend(self.left(target)?);
        Ok(())
    }
}

/// What is to be done with lines.
#[derive(Default)]
struct Work {
    edits: Vec<Edit>,
    /// Lines that stand in copies only.
    copied: Vec<EditedLine>,
}

impl Work {
    fn lines(&self) -> impl Iterator<Item = &EditedLine> {
        self.edits.iter().flat_map(|edit| &edit.lines).chain(&self.copied)
    }
}

/// The lines of a segment that change, in order, and what they become; an empty one goes.
struct Edit {
    segment: Segment,
    lines: Vec<EditedLine>,
}

struct EditedLine {
    before: LineHash,
    /// The proof, where the line is an entry.
    entry: Option<ScrubbedLine>,
    new: Vec<u8>,
}
