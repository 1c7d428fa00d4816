//! Brings what importers find into the log: what is there already is left, the rest is recorded in batches.
//!
//! Memory stays bounded whatever the size of a source. Does not find sources; `discover` and the command line do.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use super::known::{DraftStanding, Known};
use super::places::{Places, cwd_of};
use super::sidecar::Given;
use super::unread::{Count, Keeping, Tally};
use super::{Draft, ImportError, Kind, PassedOver, Sink, Unread};
use annals_engine::settings::KEEP_UNKNOWN;
use annals_engine::{Engine, EngineError};
use annals_kernel::annals::Annals;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::SessionId;
use annals_kernel::json::Members;
use annals_log::position::IdSource;

/// A batch is recorded when it has grown to so many bytes of payload.
const BATCH_BYTES: usize = 1 << 20;

/// A batch is recorded when it has so many entries.
const BATCH_ENTRIES: usize = 1000;

/// Whether to record, or to say what would come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Record.
    Record,
    /// Only count.
    DryRun,
}

/// What came of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// New entries.
    pub added: u64,
    /// Bytes of what they hold.
    pub bytes: u64,
    /// Entries that were there already.
    pub known: u64,
    /// Entries that a hook had recorded when they happened.
    pub hooked: u64,
    /// Entries that stand in the session from which theirs was forked.
    pub elsewhere: u64,
    /// Sessions that entries were found for.
    pub sessions: BTreeSet<SessionId>,
    /// New entries by what they are.
    pub by_name: BTreeMap<String, u64>,
    /// Records that make no entry, by reason.
    pub passed_over: BTreeMap<PassedOver, Passed>,
    /// Records of types that nobody knows, by kind of source and type.
    pub unread: BTreeMap<(Kind, Box<str>), Count>,
}

/// Records that make no entry for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// How many.
    pub count: u64,
    /// The file of the first one.
    pub file: Box<str>,
    /// Its line, from 1; 0 where that is not known.
    pub line: u64,
}

impl Report {
    /// Adds what came of another source.
    pub fn add(&mut self, more: Self) {
        self.added += more.added;
        self.bytes += more.bytes;
        self.known += more.known;
        self.hooked += more.hooked;
        self.elsewhere += more.elsewhere;
        self.sessions.extend(more.sessions);
        for (name, count) in more.by_name {
            *self.by_name.entry(name).or_default() += count;
        }
        for (reason, passed) in more.passed_over {
            let count = passed.count;
            self.passed_over.entry(reason).or_insert(Passed { count: 0, ..passed }).count += count;
        }
        for (kind, more) in more.unread {
            let sum = self.unread.entry(kind).or_default();
            (sum.count, sum.bytes) = (sum.count + more.count, sum.bytes + more.bytes);
        }
    }
}

/// Imports one source after the other into one log.
pub struct Run<'e> {
    engine: &'e Engine,
    places: Places,
    known: Known,
    mode: Mode,
    keeping: Keeping,
}

impl<'e> Run<'e> {
    /// Begins.
    pub fn new(engine: &'e Engine, mode: Mode) -> Result<Self, EngineError> {
        let keeping = if engine.settings().get(&KEEP_UNKNOWN) { Keeping::Whole } else { Keeping::Counts };
        let project = engine.place().context().parent().map(|path| path.to_string_lossy().into_owned());
        let (places, known) = (Places::of(project.as_deref(), []), Known::new(engine)?);
        Ok(Self { engine, places, known, mode, keeping })
    }

    /// The same, for a person whose home is there.
    #[must_use]
    pub fn of_person(mut self, home: &str) -> Self {
        self.places = self.places.with_home(home);
        self
    }

    /// What becomes of records of types that nobody knows.
    pub fn keeping(&self) -> Keeping {
        self.keeping
    }

    /// Imports a source of a kind.
    pub fn source<'g>(
        &mut self,
        kind: Kind,
        given: impl Into<Given<'g>>,
        input: &mut dyn BufRead,
    ) -> Result<Report, ImportError> {
        let given = given.into();
        let (report, tally, places) = (Report::default(), Tally::default(), self.places.clone());
        let file = given.file.into();
        let mut collector = Collector { run: self, places, file, batch: Vec::new(), bytes: 0, tally, report };
        let result = kind.import(given, input, &mut collector);
        collector.note(kind)?;
        // What was found before a source turned out to be unreadable is kept.
        collector.flush()?;
        let report = collector.report;
        result.map(|()| report)
    }
}

struct Collector<'r, 'e> {
    run: &'r mut Run<'e>,
    places: Places,
    file: Box<str>,
    batch: Vec<(HistoryEntry, IdSource)>,
    bytes: usize,
    tally: Tally,
    report: Report,
}

impl Sink for Collector<'_, '_> {
    fn entry(&mut self, mut draft: Draft) -> Result<(), ImportError> {
        // Before the id follows from them, so that it is the same in every clone.
        for name in [&mut draft.source.session, &mut draft.source.record] {
            *name = self.run.engine.clean_name(name);
        }
        self.report.sessions.insert(draft.session());
        let entry = self.in_place(entry_of(draft));
        match self.standing(&entry).map_err(|error| sink(&error))? {
            DraftStanding::New => self.add(entry),
            DraftStanding::Known => {
                self.report.known += 1;
                Ok(())
            }
            DraftStanding::Elsewhere => {
                self.report.elsewhere += 1;
                Ok(())
            }
            DraftStanding::Reported(first) => {
                self.report.hooked += 1;
                first.completed_by(entry).map_or(Ok(()), |completion| self.add(completion))
            }
        }
    }

    fn unread(&mut self, unread: Unread) -> Result<(), ImportError> {
        self.tally.add(&unread);
        match self.run.keeping {
            Keeping::Whole => self.entry(unread.whole),
            Keeping::Counts => Ok(()),
        }
    }

    fn passed_over(&mut self, reason: PassedOver, line: u64) {
        let first = || Passed { count: 0, file: self.file.clone(), line };
        self.report.passed_over.entry(reason).or_insert_with(first).count += 1;
    }
}

impl Collector<'_, '_> {
    /// Says in the log which records nobody could read.
    fn note(&mut self, kind: Kind) -> Result<(), ImportError> {
        let note = self.tally.note(kind, &self.file, self.run.keeping);
        let kinds = std::mem::take(&mut self.tally.kinds);
        self.report.unread = kinds.into_iter().map(|(name, count)| ((kind, name), count)).collect();
        note.map_or(Ok(()), |note| self.entry(note))
    }

    /// An entry with short paths. Where a session was run elsewhere, the entry with which it begins says where.
    fn in_place(&mut self, entry: HistoryEntry) -> HistoryEntry {
        let cwd = cwd_of(&entry);
        let entry = self.places.shorten(entry);
        if let Some(cwd) = cwd {
            self.places = std::mem::take(&mut self.places).run_in(&cwd);
        }
        entry
    }

    fn standing(&mut self, entry: &HistoryEntry) -> Result<DraftStanding, EngineError> {
        let (engine, mode) = (self.run.engine, self.run.mode);
        // As it would stand in the log: what hooks have recorded is clean, and large values are elsewhere.
        self.run.known.standing(engine, entry, |entry| match mode {
            Mode::Record => engine.as_recorded(entry.clone()),
            Mode::DryRun => Ok(entry.clone()),
        })
    }

    fn add(&mut self, entry: HistoryEntry) -> Result<(), ImportError> {
        self.run.known.add(&entry);
        self.report.added += 1;
        let name = match entry.operation.kind.as_str() {
            "tool_call" => "call".to_owned(),
            _ => entry.operation.name.to_string(),
        };
        *self.report.by_name.entry(name).or_default() += 1;
        if self.run.mode == Mode::DryRun {
            return Ok(());
        }
        let bytes = weight(&entry);
        self.bytes += bytes;
        self.report.bytes += bytes as u64;
        self.batch.push((entry, IdSource::AsGiven));
        if self.bytes > BATCH_BYTES || self.batch.len() >= BATCH_ENTRIES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ImportError> {
        let mut batch = std::mem::take(&mut self.batch);
        self.bytes = 0;
        if batch.is_empty() {
            return Ok(());
        }
        // By day, so that each day file is opened once a batch.
        batch.sort_by_key(|(entry, _)| entry.id.time().day());
        self.run.engine.record_all(batch).map(drop).map_err(|error| sink(&error))
    }
}

fn sink(error: &EngineError) -> ImportError {
    ImportError::Sink(error.to_string())
}

fn weight(entry: &HistoryEntry) -> usize {
    let output = entry.operation.output.as_ref().map_or(0, |json| json.text().len());
    entry.operation.input.text().len() + output
}

fn entry_of(draft: Draft) -> HistoryEntry {
    HistoryEntry {
        id: draft.id(),
        timestamp: draft.at,
        session_id: draft.session(),
        project_id: None,
        operation: draft.operation,
        provenance: draft.provenance,
        metadata: draft.metadata,
        annals: Annals { source: Some(draft.source), usage: draft.usage, ..Annals::default() },
        extensions: Members::default(),
        unknown: Members::default(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use annals_engine::clock::Clock;
    use annals_log::disk::RealDisk;

    #[test]
    fn many_sessions_are_folded_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = Engine::open(Arc::new(RealDisk), folder.path(), Clock::default()).expect("opened");
        let mut run = Run::new(&engine, Mode::Record).expect("begun");
        // Each begins before the one that was read before it, so that a fold of now would begin anew each time.
        for day in (1..=9).rev() {
            let prompt = format!(
                r#"{{"type":"user","uuid":"u{day}","sessionId":"s{day}","timestamp":"2026-11-0{day}T10:00:00Z","message":{{"role":"user","content":"Go on"}}}}"#
            );
            let file = format!("s{day}.jsonl");
            run.source(Kind::ClaudeCode, &*file, &mut prompt.as_bytes()).expect("imported");
        }
        let before = engine.ask_of_last_fold(|world| world.rooms.session.sessions.iter().count());
        assert_eq!(before.expect("asked"), 0, "nothing was folded on the way");
        assert_eq!(engine.ask(|world| world.rooms.session.sessions.iter().count()).expect("asked"), 9);
    }
}
