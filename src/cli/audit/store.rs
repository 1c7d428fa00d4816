//! The auditor's own files, in the person's state directory (decision 33): its log, a chain of lines; the head of it; what it
//! had counted at its last report; and its reports.
//!
//! Files and a lock. What is counted and what is odd, `role::auditor` says.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use rustix::fs::{FlockOperation, flock};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::cli::environment::Environment;
use crate::domain::task::bus::MessageKind;
use crate::kernel::annals::{Head, LineHash};
use crate::kernel::time::Timestamp;
use crate::role::auditor::{
    AuditEvent, AuditLine, AuditReport, AuditTrigger, AuditWindow, BrokenChain, CheckedChain, REPORT_EVERY_MS, chained,
    check_chain,
};

/// The auditor's files.
#[derive(Debug, Clone)]
pub(in crate::cli) struct AuditStore {
    folder: PathBuf,
}

/// What was done to the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum AuditFault {
    /// Between its lines, or between them and the head.
    #[error(transparent)]
    Chain(#[from] BrokenChain),
    /// Every line that is appended leaves a head.
    #[error(
        "its head, head.json, is gone, and with it what shows that no line behind the last one is missing: \
         move the audit folder away, and the next message begins a log anew"
    )]
    NoHead {
        /// How many lines there are.
        lines: u64,
    },
}

impl AuditFault {
    /// How many lines hold together.
    pub(super) fn lines(self) -> u64 {
        match self {
            Self::Chain(broken) => broken.line.saturating_sub(1),
            Self::NoHead { lines } => lines,
        }
    }
}

/// How far the log has come, and since when its next report counts: small, because it is read with every message.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default)]
struct AuditMark {
    head: Option<Head>,
    /// Bytes of the log up to that head.
    bytes: u64,
    reported_at: Option<Timestamp>,
}

/// What was counted, and how far of the log: it outlives the program.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct AuditStats {
    /// Bytes of the log that are counted.
    bytes: u64,
    window: AuditWindow,
}

impl AuditStore {
    /// Those of the person.
    pub(in crate::cli) fn of(environment: &Environment) -> anyhow::Result<Self> {
        let state = environment.state().context("there is no place for the audit log: set HOME or XDG_STATE_HOME")?;
        let store = Self { folder: state.join("annals/audit") };
        let folder = &store.folder;
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(store)
    }

    /// The log.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("audit.jsonl")
    }

    /// Takes in a message, and reports where a report is due.
    pub(in crate::cli) fn heard(&self, event: &AuditEvent) -> anyhow::Result<()> {
        let _held = self.lock()?;
        let kept = self.append(event)?;
        let since = kept.reported_at.unwrap_or(event.at);
        if event.at.since(since) >= REPORT_EVERY_MS {
            self.reported(AuditTrigger::Periodic, event.at)?;
        }
        Ok(())
    }

    /// Reports what was heard since the last report.
    pub(super) fn report(&self, trigger: AuditTrigger, now: Timestamp) -> anyhow::Result<AuditReport> {
        let _held = self.lock()?;
        self.reported(trigger, now)
    }

    /// The last reports, the latest at the end.
    pub(super) fn reports(&self, most: usize) -> anyhow::Result<Vec<AuditReport>> {
        let text = text_of(&self.folder.join("reports.jsonl"))?;
        let lines: Vec<_> = text.lines().collect();
        let latest = &lines[lines.len().saturating_sub(most)..];
        latest.iter().map(|line| serde_json::from_str(line).context("a report cannot be read")).collect()
    }

    /// Whether the log is as it was written.
    pub(super) fn check(&self) -> anyhow::Result<Result<CheckedChain, AuditFault>> {
        let _held = self.lock()?;
        let (text, kept) = (text_of(&self.log())?, self.head()?);
        let chain = match check_chain(text.as_bytes(), kept.and_then(|kept| kept.head)) {
            Ok(chain) => chain,
            Err(broken) => return Ok(Err(broken.into())),
        };
        let (lines, has_head) = (chain.head.map_or(0, |head| head.count), kept.is_some_and(|kept| kept.head.is_some()));
        // A kill behind the first line leaves an empty head beside it.
        let is_first = kept.is_some() && lines == 1;
        Ok(if has_head || lines == 0 || is_first { Ok(chain) } else { Err(AuditFault::NoHead { lines }) })
    }

    /// The tasks whose request is in the log.
    pub(super) fn begun(&self) -> anyhow::Result<BTreeSet<String>> {
        let _held = self.lock()?;
        let text = text_of(&self.log())?;
        let lines = text.lines().filter_map(|line| serde_json::from_str::<AuditLine>(line).ok());
        Ok(lines.filter(|line| line.event.kind == MessageKind::Request).filter_map(|line| line.event.task).collect())
    }

    fn reported(&self, trigger: AuditTrigger, now: Timestamp) -> anyhow::Result<AuditReport> {
        let kept = self.kept()?;
        let mut stats = self.counted(self.stats(kept.reported_at.unwrap_or(now))?)?;
        let report = stats.window.close(trigger, now);
        append(&self.folder.join("reports.jsonl"), &format!("{}\n", serde_json::to_string(&report)?))?;
        self.write("stats.json", &serde_json::to_string(&stats)?)?;
        // A report makes no head for lines that lost theirs.
        if self.head()?.is_some() || text_of(&self.log())?.is_empty() {
            self.write("head.json", &serde_json::to_string(&AuditMark { reported_at: Some(now), ..kept })?)?;
        }
        Ok(report)
    }

    /// With all lines of the log that came since; one that cannot be read is left to the check of the chain.
    fn counted(&self, mut stats: AuditStats) -> anyhow::Result<AuditStats> {
        let Some(mut log) = absent_as_none(File::open(self.log()))? else { return Ok(stats) };
        log.seek(SeekFrom::Start(stats.bytes))?;
        for line in BufReader::new(log).split(b'\n') {
            let line = line?;
            stats.bytes += u64::try_from(line.len())? + 1;
            if let Ok(line) = serde_json::from_slice::<AuditLine>(&line) {
                stats.window.heard(&line.event);
            }
        }
        Ok(stats)
    }

    fn append(&self, event: &AuditEvent) -> anyhow::Result<AuditMark> {
        let kept = self.last()?;
        if kept.head.is_none() {
            // Before the first line: one without a head beside it shows that the head was taken away.
            self.write("head.json", &serde_json::to_string(&kept)?)?;
        }
        let line = chained(kept.head, event);
        append(&self.log(), &line.text)?;
        let bytes = kept.bytes + u64::try_from(line.text.len())?;
        let kept = AuditMark { head: Some(line.head), bytes, reported_at: kept.reported_at.or(Some(event.at)) };
        self.write("head.json", &serde_json::to_string(&kept)?)?;
        Ok(kept)
    }

    /// The head that is kept, and behind it the lines whose heads a kill prevented. Where the log does not follow on it, the
    /// next line does all the same, and the check names the place.
    fn last(&self) -> anyhow::Result<AuditMark> {
        let Some(head) = self.head()? else { return self.unheaded() };
        let Some(mut log) = absent_as_none(File::open(self.log()))? else { return Ok(head) };
        if log.metadata()?.len() <= head.bytes {
            return Ok(head);
        }
        let (mut kept, mut beyond) = (head, 0);
        log.seek(SeekFrom::Start(kept.bytes))?;
        for line in BufReader::new(log).split(b'\n') {
            let line = line?;
            beyond += 1;
            let (count, hash) = (kept.head.map_or(0, |head| head.count) + 1, LineHash::of(&line));
            kept = AuditMark {
                head: Some(Head { count, hash }),
                bytes: kept.bytes + u64::try_from(line.len())? + 1,
                ..kept
            };
        }
        if head.head.is_none() && beyond > 1 { self.unheaded() } else { Ok(kept) }
    }

    /// Lines whose head is gone are not taken as they stand: the next one does not follow on them, and shows it.
    fn unheaded(&self) -> anyhow::Result<AuditMark> {
        let log = absent_as_none(fs::metadata(self.log()))?;
        let bytes = log.map_or(0, |log| log.len());
        Ok(AuditMark { head: None, bytes, ..self.kept()? })
    }

    fn kept(&self) -> anyhow::Result<AuditMark> {
        Ok(self.head()?.unwrap_or_default())
    }

    /// The head, where there is one: none before the first message, and where it was taken away.
    fn head(&self) -> anyhow::Result<Option<AuditMark>> {
        read(&self.folder.join("head.json"))
    }

    fn stats(&self, start: Timestamp) -> anyhow::Result<AuditStats> {
        let kept = read(&self.folder.join("stats.json"))?;
        Ok(kept.unwrap_or_else(|| AuditStats { bytes: 0, window: AuditWindow::new(start) }))
    }

    /// Two programs do not write at once.
    fn lock(&self) -> anyhow::Result<File> {
        let file = opened(&self.folder.join("lock"))?;
        flock(&file, FlockOperation::LockExclusive)?;
        Ok(file)
    }

    /// Replaces a file as a whole.
    fn write(&self, name: &str, text: &str) -> anyhow::Result<()> {
        let (path, other) = (self.folder.join(name), self.folder.join(format!("{name}.new")));
        let failed = || format!("cannot write {}", path.display());
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(&other);
        file.and_then(|mut file| file.write_all(text.as_bytes())).with_context(failed)?;
        fs::rename(&other, &path).with_context(failed)
    }
}

fn opened(path: &Path) -> anyhow::Result<File> {
    let opened = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
    opened.with_context(|| format!("cannot open {}", path.display()))
}

fn append(path: &Path, text: &str) -> anyhow::Result<()> {
    opened(path)?.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// What a file of ours holds, as data; nothing where there is none.
fn read<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Option<T>> {
    let text = text_of(path)?;
    let broken =
        || format!("{} is not as it was written: move the audit folder away, and the log begins anew", path.display());
    if text.is_empty() { Ok(None) } else { serde_json::from_str(&text).with_context(broken).map(Some) }
}

/// What a file holds; nothing where there is none.
fn text_of(path: &Path) -> anyhow::Result<String> {
    let read = absent_as_none(fs::read(path)).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&read.unwrap_or_default()).into_owned())
}

fn absent_as_none<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
