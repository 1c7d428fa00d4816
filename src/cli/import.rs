//! `annals import`: brings the sessions that other tools left behind.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::memory::learn::{LearntAnswer, told};
use super::progress::Progress;
use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::domain::memory::quantum::LEARN;
use crate::engine::learn::Learnt;
use crate::import::discover::{Homes, discover};
use crate::import::run::{Mode, Passed, Report, Run};
use crate::import::sniff::{HEAD_BYTES, weigh};
use crate::import::{Count, Given, ImportError, Keeping, Kind};
use crate::kernel::counted::{count, counted};
use crate::kernel::id::SessionId;

/// Arguments of `annals import`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[arg(value_name = "[KIND] PATH", required_unless_present = "discover", help = kind_and_paths())]
    paths: Vec<String>,
    /// Find the sessions that agents kept for this project on this machine
    #[arg(long, conflicts_with = "paths")]
    discover: bool,
    /// Only say what would come
    #[arg(long)]
    dry_run: bool,
}

fn kind_and_paths() -> String {
    format!("The kind [default: found out by content]: {}; then files or folders", Kind::names())
}

/// What an import has added is folded at once up to so many bytes. A fold holds a day's lines in memory; after a larger
/// import the next command folds, so that the memory of an import does not grow with its files.
const FOLDED_BYTES: u64 = 64 << 20;

/// So often the dreamer works behind an import: what is left waits for the next idle time.
const MOST_DREAMS: usize = 2;

/// A file to import.
struct Source {
    kind: Option<Kind>,
    path: PathBuf,
    /// Named on the command line: then it is an error if it cannot be imported.
    named: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let sources = if arguments.discover { discovered(shell)? } else { named(shell, &arguments.paths)? };
    let mode = if arguments.dry_run { Mode::DryRun } else { Mode::Record };
    let home = shell.environment.home.as_ref().map(|home| home.to_string_lossy().into_owned());
    let mut run = Run::new(&engine, mode)?.of_person(home.as_deref().unwrap_or_default());
    let bar = progress(&sources);
    let mut total = Total { keeping: Some(run.keeping()), ..Total::default() };
    for source in &sources {
        bar.say(&source.path.file_name().unwrap_or_default().to_string_lossy());
        total.take(source, import_one(&mut run, source, &bar));
    }
    bar.end();
    if total.report.added > 0 && total.report.bytes <= FOLDED_BYTES {
        if mode == Mode::Record && engine.settings().get(&LEARN) {
            total.learnt = Some(engine.learn_all(&total.report.sessions)?);
            engine.dream(MOST_DREAMS)?;
        }
        engine.store_checkpoint()?;
        if mode == Mode::Record {
            // A cache: a search reads what it has not.
            let _ = crate::search::update(&engine, FOLDED_BYTES);
        }
    }
    total.show(shell, mode)
}

/// The kind may come first; a file of that name wins.
fn named(shell: &Shell, words: &[String]) -> anyhow::Result<Vec<Source>> {
    let base = &shell.environment.directory;
    let (kind, paths) = match words.split_first() {
        Some((first, rest)) if !rest.is_empty() && !base.join(first).exists() => {
            (Some(first.parse::<Kind>().map_err(|error| Usage(error.to_string()))?), rest)
        }
        Some(_) | None => (None, words),
    };
    let mut sources = Vec::new();
    for path in paths {
        let path = base.join(path);
        if !path.exists() {
            return Err(Usage(format!("there is no {}", path.display())).into());
        }
        if path.is_dir() {
            let files = WalkDir::new(&path).sort_by_file_name().into_iter().filter_map(Result::ok);
            // What stands beside a sub-agent's session is read with it.
            let is_beside = |entry: &DirEntry| entry.file_name().to_string_lossy().ends_with(".meta.json");
            let files = files.filter(|entry| entry.file_type().is_file() && !is_beside(entry));
            sources.extend(files.map(|entry| Source { kind, path: entry.into_path(), named: false }));
        } else {
            sources.push(Source { kind, path, named: true });
        }
    }
    Ok(sources)
}

fn discovered(shell: &Shell) -> anyhow::Result<Vec<Source>> {
    let environment = &shell.environment;
    let below = |folder: &str| environment.home.as_ref().map(|home| home.join(folder));
    let homes = Homes {
        claude: environment.claude_home.clone().or_else(|| below(".claude")),
        codex: environment.codex_home.clone().or_else(|| below(".codex")),
        gemini: below(".gemini"),
        copilot: below(".copilot"),
    };
    let context = shell.context()?;
    let project = context.parent().unwrap_or(&context);
    let found = discover(&homes, project);
    Ok(found.into_iter().map(|(kind, path)| Source { kind: Some(kind), path, named: true }).collect())
}

fn progress(sources: &[Source]) -> Progress {
    let bytes = sources.iter().filter_map(|source| source.path.metadata().ok()).map(|metadata| metadata.len()).sum();
    Progress::of_bytes(bytes)
}

fn import_one(run: &mut Run<'_>, source: &Source, bar: &Progress) -> Result<ImportedSources, ImportError> {
    let name = source.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (mut runner_up, mut kind) = (None, source.kind);
    if kind.is_none() {
        let sniffed = weigh(&head(&source.path)?, &name);
        runner_up = sniffed.runner_up;
        kind = match sniffed.kind {
            Ok(kind) => Some(kind),
            Err(reason) if source.named => return Err(ImportError::Unknown { problem: reason.to_string() }),
            Err(_) => None,
        };
    }
    let Some(kind) = kind else { return Ok(ImportedSources::NoTranscript) };
    let mut input = BufReader::with_capacity(256 << 10, bar.counting(File::open(&source.path)?));
    let given = Given::at(kind, &source.path, &name);
    run.source(kind, given, &mut input).map(|report| ImportedSources::Session(kind, runner_up, Box::new(report)))
}

fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(HEAD_BYTES as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

enum ImportedSources {
    /// Its kind, for what nearly as much spoke, and what came of it.
    Session(Kind, Option<&'static str>, Box<Report>),
    /// A file of a folder that is of no kind that can be imported.
    NoTranscript,
}

#[derive(Default)]
struct Total {
    report: Report,
    keeping: Option<Keeping>,
    files: BTreeMap<&'static str, u64>,
    no_transcripts: u64,
    failed: Vec<(PathBuf, String)>,
    close: Vec<Close>,
    learnt: Option<Learnt>,
}

/// A file whose kind is not far from another one.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Close {
    path: String,
    kind: &'static str,
    other: &'static str,
}

/// The answer in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ImportAnswer<'a> {
    /// Files by kind.
    files: &'a BTreeMap<&'static str, u64>,
    sessions: &'a BTreeSet<SessionId>,
    /// Entries that came.
    added: u64,
    /// Entries that were here already.
    known: u64,
    /// Calls that hooks had recorded before.
    recorded_by_hooks: u64,
    /// Entries that another session has.
    recorded_in_another_session: u64,
    /// Entries that came, by name.
    by_name: &'a BTreeMap<String, u64>,
    /// Records that were not taken, by reason.
    passed_over: BTreeMap<&'static str, PassedOver<'a>>,
    /// Records of types that are not known, by kind and type.
    unknown_types: BTreeMap<&'static str, BTreeMap<&'a str, Count>>,
    /// Files that hold no transcript.
    no_transcripts: u64,
    /// Files that could not be read, and why.
    failed: &'a [(PathBuf, String)],
    /// Files whose kind is not far from another one.
    close: &'a [Close],
    /// What the sessions came to; none where nothing was learnt: a large import is learnt from with `annals memory learn`.
    learnt: Option<LearntAnswer>,
}

#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PassedOver<'p> {
    count: u64,
    first_file: &'p str,
    first_line: u64,
}

impl Total {
    fn take(&mut self, source: &Source, result: Result<ImportedSources, ImportError>) {
        match result {
            Ok(ImportedSources::Session(kind, runner_up, report)) => {
                let path = || source.path.display().to_string();
                self.close.extend(runner_up.map(|other| Close { path: path(), kind: kind.as_str(), other }));
                *self.files.entry(kind.as_str()).or_default() += 1;
                self.report.add(*report);
            }
            Ok(ImportedSources::NoTranscript) => self.no_transcripts += 1,
            Err(error) => self.failed.push((source.path.clone(), error.to_string())),
        }
    }

    fn show(self, shell: &mut Shell, mode: Mode) -> Done {
        if shell.wants_json() {
            self.json(shell)?;
        } else {
            self.text(shell, mode)?;
        }
        if self.failed.is_empty() {
            Ok(CommandOutcome::Done)
        } else {
            Err(anyhow::anyhow!("{} could not be imported", counted(self.failed.len() as u64, "file")))
        }
    }

    fn json(&self, shell: &mut Shell) -> anyhow::Result<()> {
        let passed = self.report.passed_over.iter().map(|(reason, passed)| {
            let Passed { count, file, line } = passed;
            (reason.as_str(), PassedOver { count: *count, first_file: file, first_line: *line })
        });
        shell.out.answer(&ImportAnswer {
            files: &self.files,
            sessions: &self.report.sessions,
            added: self.report.added,
            known: self.report.known,
            recorded_by_hooks: self.report.hooked,
            recorded_in_another_session: self.report.elsewhere,
            by_name: &self.report.by_name,
            passed_over: passed.collect(),
            unknown_types: self.unread(),
            no_transcripts: self.no_transcripts,
            failed: &self.failed,
            close: &self.close,
            learnt: self.learnt.map(LearntAnswer::from),
        })?;
        Ok(())
    }

    /// By kind of source and type.
    fn unread(&self) -> BTreeMap<&'static str, BTreeMap<&str, Count>> {
        let mut unread = BTreeMap::<_, BTreeMap<_, _>>::new();
        for ((kind, name), count) in &self.report.unread {
            unread.entry(kind.as_str()).or_default().insert(&**name, *count);
        }
        unread
    }

    /// What a newer version of a tool writes, or an odd file.
    fn unread_text(&self, shell: &mut Shell) -> anyhow::Result<()> {
        if self.report.unread.is_empty() {
            return Ok(());
        }
        shell.out.line(match self.keeping {
            Some(Keeping::Whole) => "records of types that are not known, kept as they are:",
            Some(Keeping::Counts) | None => "records of types that are not known, only counted:",
        })?;
        for ((kind, name), Count { count, bytes }) in &self.report.unread {
            shell.out.line(format_args!("  {count:>8}  {name} of {kind} ({})", counted(*bytes, "byte")))?;
        }
        Ok(())
    }

    fn text(&self, shell: &mut Shell, mode: Mode) -> anyhow::Result<()> {
        let out = &mut shell.out;
        for (path, problem) in &self.failed {
            out.say(format_args!("annals: {}: {problem}", path.display()))?;
        }
        for Close { path, kind, other } in &self.close {
            out.say(format_args!(
                "note: {path}: read as {kind}; it may as well be {other}: its kind can be named before it"
            ))?;
        }
        let files: Vec<_> = self.files.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let files = if files.is_empty() { "no files".to_owned() } else { files.join(", ") };
        out.line(format_args!("{files}: {}", counted(self.report.sessions.len() as u64, "session")))?;
        let verb = if mode == Mode::DryRun { "would be added" } else { "added" };
        out.line(format_args!("{} {verb}", count(self.report.added, "entry", "entries")))?;
        for (name, count) in &self.report.by_name {
            out.line(format_args!("  {count:>8}  {name}"))?;
        }
        if self.report.known > 0 {
            let known = count(self.report.known, "entry was there already", "entries were there already");
            out.line(known)?;
        }
        if self.report.elsewhere > 0 {
            let elsewhere = count(self.report.elsewhere, "entry stands", "entries stand");
            out.line(format_args!("{elsewhere} in the session from which theirs was forked"))?;
        }
        if self.report.hooked > 0 {
            let hooked = count(self.report.hooked, "call had", "calls had");
            out.line(format_args!("{hooked} been recorded by hooks"))?;
        }
        if !self.report.passed_over.is_empty() {
            out.line("records that make no entry:")?;
        }
        for (reason, Passed { count, file, line }) in &self.report.passed_over {
            let first = if *line == 0 { file.to_string() } else { format!("{file}, line {line}") };
            out.line(format_args!("  {count:>8}  {} (first: {first})", reason.as_str()))?;
        }
        self.unread_text(shell)?;
        let out = &mut shell.out;
        if let Some(learnt) = self.learnt.filter(|learnt| learnt.megrams + learnt.candidates > 0) {
            out.line(told(&learnt))?;
        } else if mode == Mode::Record && self.report.bytes > FOLDED_BYTES {
            out.say("`annals memory learn --all` keeps what so many sessions came to")?;
        }
        if self.no_transcripts > 0 {
            out.line(count(self.no_transcripts, "file is no transcript", "files are no transcripts"))?;
        }
        Ok(())
    }
}
