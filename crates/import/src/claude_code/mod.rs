//! Claude Code: `~/.claude/projects/<project>/<session>.jsonl` → entries (FORMATS 1; `docs/IMPORT.md` says which).
//!
//! Streams. What it keeps: calls and results that wait for each other, 32 MiB at most (`calls`); some 20 bytes for
//! each record and call that was there (`seen`); the counts of 65,536 messages (`usage`); a small record for each
//! sub-agent (`threads`); what was typed and waits, 4 MiB at most (`queue`); up to 1,000 records, or 16 MiB, that stand
//! before the first message. No look back beyond these, so that a longer snapshot of a session gives the entries of the
//! shorter one, and new ones. For the same reason lines are taken as they stand, not in the order of their times: a line
//! that is flushed late would change what was made of those after it.
//!
//! The session of a file is the first `sessionId` in it, whatever the lines after it say (one real file in 65 mixes two
//! ids line by line, and it is one conversation): another id is noted once, in an entry `session_alias`.
//! Does not read other files, such as those of sub-agents: they are imported on their own, and come out the same.

mod agents;
mod assistant;
mod background;
mod calls;
pub mod files;
mod line;
mod notes;
pub mod output;
mod queue;
pub mod raw;
pub mod said;
mod step;
mod system;
mod threads;
mod usage;
mod user;
pub mod verdict;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io::BufRead;

use annals_kernel::annals::LineHash;
use annals_kernel::time::Timestamp;

use super::entries::Made;
use super::records::{Found, each_record};
use super::seen::Seen;
use super::{Draft, Given, ImportError, PassedOver, Sink};

use calls::WaitingHalves;
use line::{LineShape, SessionLine};
use queue::Queue;
pub use step::TOOL as KIND;
use step::{RecordPlace, Step, StepRecord};
use system::Boundary;
use threads::{ParentCall, Threads};
use usage::Meter;

/// Records that may stand before the first one that says whose session it is, and their bytes.
const EARLY_RECORDS: usize = 1000;
const EARLY_BYTES: usize = 16 << 20;

/// Reads one session file.
pub fn import(given: &Given<'_>, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let mut importer = Importer::new(given, sink);
    each_record(input, |found| importer.found(found))?;
    importer.finish()
}

/// What one run knows.
struct Importer<'s> {
    sink: &'s mut dyn Sink,
    file: Box<str>,
    /// What stands beside the file of a sub-agent.
    parent: ParentCall,
    /// The version of the tool that wrote the last line that names one.
    version: Option<Box<str>>,
    /// Records from before the session was known; `None` once it is.
    early: Option<Vec<(u64, String)>>,
    clock: ClaudeClock,
    threads: Threads,
    /// Other session ids in this file.
    aliases: BTreeSet<Box<str>>,
    seen: Seen,
    waiting: WaitingHalves,
    queue: Queue,
    meter: Meter,
    /// A compaction whose summary has not come yet.
    boundary: Option<Boundary>,
}

impl<'s> Importer<'s> {
    fn new(given: &Given<'_>, sink: &'s mut dyn Sink) -> Self {
        Self {
            sink,
            file: given.file.into(),
            parent: ParentCall { call: given.parent.call.clone(), agent_type: given.parent.agent_type.clone() },
            version: None,
            early: Some(Vec::new()),
            clock: ClaudeClock::default(),
            threads: Threads::new(""),
            aliases: BTreeSet::new(),
            seen: Seen::default(),
            waiting: WaitingHalves::default(),
            queue: Queue::default(),
            meter: Meter::default(),
            boundary: None,
        }
    }

    fn found(&mut self, found: Found) -> Result<(), ImportError> {
        let (number, text) = match found {
            Found::Record { line, text } => (line, text),
            Found::Other { line, reason } => {
                self.sink.passed_over(reason, line);
                return Ok(());
            }
        };
        let Some(early) = &mut self.early else { return self.record(number, &text) };
        let line = SessionLine::read(&text);
        self.clock.note(line.timestamp.time());
        let session = line.session_id.name().filter(|_| line.is_enveloped());
        early.push((number, text));
        let bytes: usize = early.iter().map(|(_, text)| text.len()).sum();
        if session.is_some() || early.len() > EARLY_RECORDS || bytes > EARLY_BYTES {
            self.begin(session.as_deref())?;
        }
        Ok(())
    }

    /// The session is known: what stood before it can be taken.
    fn begin(&mut self, session: Option<&str>) -> Result<(), ImportError> {
        let Some(early) = self.early.take() else { return Ok(()) };
        let stem = self.file.strip_suffix(".jsonl").unwrap_or(&self.file);
        self.threads = Threads::new(session.unwrap_or(stem));
        if let Some((number, text)) = early.last() {
            self.begin_first(&SessionLine::read(text), *number)?;
        }
        early.iter().try_for_each(|(number, text)| self.record(*number, text))
    }

    /// The last of the early records is the one that said whose session it is, and begins it, at the time of the first.
    fn begin_first(&mut self, line: &SessionLine<'_>, number: u64) -> Result<(), ImportError> {
        if !line.is_enveloped() {
            return Ok(());
        }
        let time = self.clock.first.is_none().then_some("synthetic");
        let (thread, at) = (self.threads.of(line), self.clock.last);
        if self.threads.get(thread).is_internal {
            return Ok(());
        }
        self.begin_thread(line, &RecordPlace { thread, line: number, record: "".into(), at, time })
    }

    fn finish(&mut self) -> Result<(), ImportError> {
        self.begin(None)?;
        if let Some(boundary) = self.boundary.take() {
            self.sink.passed_over(PassedOver::Unanswered, boundary.record.place.line);
        }
        self.end_queue();
        self.end_calls()
    }

    fn record(&mut self, number: u64, text: &str) -> Result<(), ImportError> {
        let line = SessionLine::read(text);
        if let Some(reason) = self.made(&line, number, text)? {
            self.sink.passed_over(reason, number);
        }
        Ok(())
    }

    fn made(&mut self, line: &SessionLine<'_>, number: u64, text: &str) -> Made {
        let shape = line.shape();
        let uuid = line.uuid.name().filter(|_| !matches!(shape, LineShape::Unknown));
        let name = uuid.unwrap_or_else(|| LineHash::of(text.as_bytes()).to_string().into());
        let is_again = !self.seen.is_new("record", &name);
        // Several texts may leave the queue in one millisecond, in lines that are equal to the byte: none of those is a
        // repetition.
        if is_again && !line.takes_from_queue() {
            return Ok(Some(PassedOver::Repeated));
        }
        let thread = self.threads.of(line);
        let (at, time) = self.clock.time(line.timestamp.time());
        let mut record = StepRecord::at(RecordPlace { thread, line: number, record: name, at, time });
        if self.threads.get(thread).is_internal {
            return self.internal(line, record);
        }
        self.note_version(line);
        if line.is_enveloped() {
            self.note_session(line, &record.place)?;
        }
        match shape {
            LineShape::User(message) => self.user(line, message, record),
            LineShape::Assistant(message) => self.assistant(line, message, record),
            LineShape::System => self.system(line, text, record),
            LineShape::Progress => self.progress(line, number),
            LineShape::Attachment => self.attachment(line, text, record),
            LineShape::Title => self.title(line, record),
            LineShape::PullRequest => self.pull_request(line, record),
            LineShape::Queue => self.queued(line, record),
            LineShape::LastPrompt => Ok(Some(PassedOver::Copy)),
            LineShape::Bookkeeping => Ok(Some(PassedOver::Bookkeeping)),
            LineShape::Unknown => self.unread(&line.kind.text().unwrap_or_default(), text, &mut record),
        }
    }

    fn note_version(&mut self, line: &SessionLine<'_>) {
        let Some(version) = line.version.text() else { return };
        if self.version.as_deref() != Some(&*version) {
            self.version = Some((&*version).into());
        }
    }

    /// Makes an entry of a record.
    fn emit(&mut self, record: &mut StepRecord, step: Step) -> Result<(), ImportError> {
        let name = record.next_name();
        let mut draft = self.draft(step, &record.place, name);
        draft.provenance.model_id.clone_from(&record.model);
        draft.provenance.parent_message_id.clone_from(&record.message);
        draft.usage = record.usage.take();
        self.sink.entry(draft)
    }

    fn draft(&self, step: Step, place: &RecordPlace, record: Box<str>) -> Draft {
        step.draft(self.threads.get(place.thread), &self.file, place, record)
    }
}

/// Times for records that have none: those of the record before, a millisecond later each.
#[derive(Debug, Default)]
struct ClaudeClock {
    /// The first time in the file.
    first: Option<Timestamp>,
    last: Timestamp,
}

impl ClaudeClock {
    fn note(&mut self, own: Option<Timestamp>) {
        self.first = self.first.or(own);
        self.last = self.first.unwrap_or_default();
    }

    /// The record's own time, or one made up for it.
    fn time(&mut self, own: Option<Timestamp>) -> (Timestamp, Option<&'static str>) {
        self.last = own.unwrap_or_else(|| self.last.plus_millis(1));
        (self.last, own.is_none().then_some("synthetic"))
    }
}
