//! Takes a leaked value out of the history: lines, blobs, archive, and everything that is folded from them (DESIGN 3.7).
//!
//! Recorded first, then done: after a crash in between, `verify` says that it was not carried out, and the same command
//! does it. The value itself is written nowhere. What git still holds is for the edge to list.

mod find;
mod remains;

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;
use serde::Serialize;

use self::find::Target;
use super::{By, Engine, EngineError};
use crate::domain::Ask;
use crate::domain::erasure::{Command, Observed, Scrub, ScrubbedLine};
use crate::kernel::annals::LineHash;
use crate::kernel::decision::Refusal;
use crate::kernel::id::EntryId;
use crate::kernel::json::Json;
use crate::log::LogError;
use crate::log::rewrite::{content, edit_lines, replace};
use crate::log::segment::Segment;
use crate::log::writer::Pen;

/// What to take out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// An entry that holds it.
    pub entry: EntryId,
    /// Where in that entry: keys with dots, as in `operation.output.stdout`.
    pub path: String,
    /// The part of the value there that leaked; all of it where none is given.
    pub part: Option<String>,
    /// The person who confirms it.
    pub confirmed_by: String,
    /// Why.
    pub reason: Option<String>,
    /// Do it, or say what would be done.
    pub mode: Mode,
}

/// Whether to do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Do it.
    Scrub,
    /// Only say what would be done.
    DryRun,
}

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Scrubbed {
    /// The entry that records it.
    pub recorded: Option<EntryId>,
    /// Lines that held the value, by segment: their entries.
    pub lines: BTreeMap<String, Vec<EntryId>>,
    /// Blobs that held it.
    pub blobs: Vec<String>,
    /// Torn ends of lines that held it and are gone.
    pub removed: Vec<String>,
    /// How many views were removed: all there were.
    pub views: usize,
    /// Where it still is, because it is part of an id or of a damaged line.
    pub left: Vec<String>,
    /// Why nothing was done.
    pub refusal: Option<Refusal>,
}

impl Engine {
    /// Takes a value out of every line that holds it.
    pub fn scrub(&self, request: &Request, by: &By) -> Result<Scrubbed, EngineError> {
        let (done, ticket) =
            self.log().write(&mut || self.clock().chance(), |pen| self.scrub_locked(pen, request, by))?;
        if let Some(ticket) = ticket {
            self.log().wait(&ticket)?;
        }
        if done.recorded.is_some() {
            *self.lock_live() = None;
            self.store_checkpoint()?;
        }
        Ok(done)
    }

    fn scrub_locked(&self, pen: &mut Pen<'_>, request: &Request, by: &By) -> Result<Scrubbed, EngineError> {
        let (disk, history) = (&**self.disk(), self.place().history());
        let segments = Segment::list(disk, history).map_err(LogError::at("list", history))?;
        let target = Target::find(self, &segments, request)?;
        let (edits, mut done) = match &target {
            Some(target) => self.edits(&segments, target)?,
            None => (Vec::new(), Scrubbed::default()),
        };
        if request.mode == Mode::DryRun {
            return Ok(done);
        }
        let observed = Observed {
            lines: edits.iter().flat_map(|edit| edit.lines.iter().map(|(line, _)| line.clone())).collect(),
            blobs: done.blobs.iter().map(|name| name.as_str().into()).collect(),
        };
        // Who says why a value is taken out may name it.
        let clean = |text: &str| target.as_ref().map_or_else(|| text.into(), |target| target.clean_text(text));
        let command = Command::from(Scrub {
            entry: request.entry,
            path: clean(&request.path),
            confirmed_by: clean(&request.confirmed_by),
            reason: request.reason.as_deref().map(clean),
        });
        let mut live = self.current()?;
        let live = live.as_mut().expect("BUG: the world was just folded");
        self.adopt_file(pen, live, by)?;
        let ask = self.clean_ask(Ask { command: command.into(), observed: Json::of(&observed) });
        let answer = self.decide_one(pen, live, &ask, by, || 0)?;
        if answer.refusal.is_some() {
            return Ok(Scrubbed { refusal: answer.refusal, ..Scrubbed::default() });
        }
        done.recorded = answer.entry;
        // Lines are changed only when the decision that proves it is on the disk.
        pen.keep()?;
        if let Some(target) = &target {
            self.carry_out(target, edits, &mut done)?;
        }
        Ok(done)
    }

    /// What each segment would look like without the value.
    fn edits(&self, segments: &[Segment], target: &Target) -> Result<(Vec<Edit>, Scrubbed), EngineError> {
        let (mut edits, mut done) = (Vec::new(), Scrubbed { blobs: target.blobs(), ..Scrubbed::default() });
        let mut clean = self.clean_lines(segments)?;
        for segment in segments {
            let bytes = content(&**self.disk(), self.place().history(), segment)?;
            let mut lines = Vec::new();
            edit_lines(&bytes, |line| {
                let (changed, new) = target.clean_line(line)?;
                // Where a merge has brought back the line as it was, the clean one is there already.
                let new = if clean.insert(changed.after) { new } else { Vec::new() };
                lines.push((changed, new));
                None
            });
            if !lines.is_empty() {
                done.lines.insert(segment.name.clone(), lines.iter().map(|(line, _)| line.entry).collect());
                edits.push(Edit { segment: segment.clone(), lines });
            }
        }
        Ok((edits, done))
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
    fn carry_out(&self, target: &Target, edits: Vec<Edit>, done: &mut Scrubbed) -> Result<(), EngineError> {
        let (disk, history) = (&**self.disk(), self.place().history());
        target.put_clean_blobs(disk, &self.place().blobs())?;
        for Edit { segment, lines } in edits {
            let bytes = content(disk, history, &segment)?;
            let mut lines = lines.into_iter().peekable();
            let new = edit_lines(&bytes, |line| {
                lines.next_if(|(changed, _)| changed.before == LineHash::of(line)).map(|(_, new)| new)
            });
            replace(disk, history, &segment, &new)?;
        }
        target.remove_blobs(disk, &self.place().blobs())?;
        self.clean_remains(target, done)
    }
}

/// The lines of a segment that change, in order, and what they become; an empty one goes.
struct Edit {
    segment: Segment,
    lines: Vec<(ScrubbedLine, Vec<u8>)>,
}
