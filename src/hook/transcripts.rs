//! `local/transcripts/`: transcripts that hooks have named, for the process in the background to import.
//!
//! A file each, named by a hash of the path. One that is gone, no plain file, very large or of another session is left to
//! `annals import`. Does not read transcripts; `import` does.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use crate::engine::{Engine, EngineError};
use crate::import::object::Object;
use crate::import::plain::{Links, open};
use crate::import::run::{Mode, Run};
use crate::import::sidecar::Given;
use crate::import::{ImportError, Kind};
use crate::kernel::annals::LineHash;
use crate::log::LogError;
use crate::log::disk::Safety;

use super::codex;
use super::late::Late;

/// A larger transcript is left to `annals import`.
const MOST_BYTES: u64 = 256 << 20;

/// A note on a transcript is no longer than this.
const MOST_NOTE_BYTES: u64 = 16 << 10;

/// A transcript of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    /// The tool, as `annals import` names it.
    pub kind: String,
    /// The session's id in that tool.
    pub native: Box<str>,
    /// The file.
    pub path: PathBuf,
}

fn folder(engine: &Engine) -> PathBuf {
    engine.place().local().join("transcripts")
}

/// Leaves a transcript to whoever comes next.
pub(super) fn leave(engine: &Engine, transcript: &Transcript) -> io::Result<()> {
    let (disk, folder) = (&**engine.disk(), folder(engine));
    let path = folder.join(LineHash::of(transcript.path.as_os_str().as_encoded_bytes()).to_string());
    let bytes = serde_json::to_vec(transcript).map_err(io::Error::other)?;
    let write = || disk.replace(&path, &bytes, Safety::Cached);
    write().or_else(|_| disk.create_folder(&folder).and_then(|()| write()))
}

/// Whether there are any.
pub(super) fn is_any(engine: &Engine) -> io::Result<bool> {
    Ok(!engine.disk().list(&folder(engine))?.is_empty())
}

/// Imports those that were left. What could not be told of the log waits; what cannot be read is left to `annals import`.
pub(super) fn import(engine: &Engine, home: Option<&Path>, late: &mut Late) -> Result<(), EngineError> {
    let (disk, folder) = (&**engine.disk(), folder(engine));
    for file in disk.list(&folder).map_err(LogError::at("list", &folder))? {
        let path = folder.join(&file.name);
        let bytes = disk.read_at_most(&path, MOST_NOTE_BYTES).map_err(LogError::at("read", &path))?;
        // First, so that a transcript that grows meanwhile is looked at once more.
        disk.remove(&path).map_err(LogError::at("remove", &path))?;
        let transcript: Option<Transcript> = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let Some(transcript) = transcript else { continue };
        late.watch(engine, &transcript);
        if let Err(error) = import_one(engine, &transcript, home) {
            // It waits for who may fold more.
            let _ = leave(engine, &transcript);
            return Err(error);
        }
    }
    Ok(())
}

/// A session and its sub-agents. Of what is no transcript nothing comes.
fn import_one(engine: &Engine, transcript: &Transcript, home: Option<&Path>) -> Result<(), EngineError> {
    let Ok(kind) = transcript.kind.parse::<Kind>() else { return Ok(()) };
    if !is_of_session(transcript) {
        return Ok(());
    }
    let home = home.map(|home| home.to_string_lossy().into_owned());
    let mut run = Run::new(engine, Mode::Record)?.of_person(home.as_deref().unwrap_or_default());
    for path in files(transcript) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(file) = open(&path, Links::Refused) else { continue };
        let given = Given::at(kind, &path, &name);
        match run.source(kind, given, &mut BufReader::with_capacity(256 << 10, file.take(MOST_BYTES))) {
            // What went wrong with one file, `annals import` says.
            Ok(_) | Err(ImportError::Read(_) | ImportError::WrongKind { .. } | ImportError::Unknown { .. }) => {}
            Err(ImportError::Sink(_)) => break,
        }
    }
    Ok(())
}

/// Whether a path names the session: of its id the Gemini CLI writes the first eight letters. A payload may say what it
/// likes, and what another session said belongs to another project.
fn is_of_session(transcript: &Transcript) -> bool {
    let id: String = transcript.native.chars().take(8).collect();
    let mut names = transcript.path.iter().rev().take(2);
    !id.is_empty() && names.any(|name| name.to_string_lossy().contains(&id))
}

/// The file, and those of its sub-agents: Claude Code has a folder of the file's name, the Gemini CLI one of the session's.
fn files(transcript: &Transcript) -> Vec<PathBuf> {
    let path = &transcript.path;
    let of_session = path.parent().map(|folder| folder.join(&*transcript.native));
    // Claude Code names a session's folder and its file alike: the same folder must not be walked twice.
    let folders: BTreeSet<PathBuf> = of_session.into_iter().chain([path.with_extension("")]).collect();
    let below = folders.into_iter().flat_map(|folder| WalkDir::new(folder).max_depth(2).sort_by_file_name());
    let below = below.filter_map(Result::ok).map(walkdir::DirEntry::into_path);
    let is_one = |path: &PathBuf| {
        let fits = path.extension().is_some_and(|extension| extension == "jsonl" || extension == "json");
        let is_note = path.to_string_lossy().ends_with(".meta.json");
        fits && !is_note && path.metadata().is_ok_and(|about| about.is_file() && about.len() <= MOST_BYTES)
    };
    let children = if transcript.kind == codex::KIND { children_of(path) } else { Vec::new() };
    let mut files: Vec<PathBuf> = std::iter::once(path.clone()).chain(below).chain(children).filter(is_one).collect();
    files.dedup();
    files
}

/// Codex' sub-agents have rollouts of their own, beside that of the session that started them, which names their threads.
fn children_of(rollout: &Path) -> Vec<PathBuf> {
    let (Some(folder), Ok(file)) = (rollout.parent(), open(rollout, Links::Refused)) else { return Vec::new() };
    let started = BufReader::new(file.take(MOST_BYTES))
        .lines()
        .map_while(Result::ok)
        .filter(|line| line.contains("SubAgentActivity"));
    let threads = started.filter_map(|line| {
        let thread = Object::of(&line).object("payload").object("item").text("agent_thread_id")?.into_owned();
        Some(format!("-{thread}.jsonl"))
    });
    let threads: BTreeSet<String> = threads.collect();
    let beside = WalkDir::new(folder).max_depth(1).sort_by_file_name().into_iter().filter_map(Result::ok);
    let is_one = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        threads.iter().any(|end| name.ends_with(&**end))
    };
    let beside = if threads.is_empty() { None } else { Some(beside) };
    beside.into_iter().flatten().map(walkdir::DirEntry::into_path).filter(is_one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rollouts_of_the_threads_that_a_rollout_names_are_read_with_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let item = r#"{"payload":{"item":{"type":"SubAgentActivity","kind":"started","agent_thread_id":"th-2"}}}"#;
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
        write("rollout-a-th-1.jsonl", &format!("{{}}\n{item}\n{item}\n"));
        write("rollout-b-th-2.jsonl", "{}\n");
        write("rollout-c-th-3.jsonl", "{}\n");
        let path = folder.path().join("rollout-a-th-1.jsonl");
        let transcript = Transcript { kind: codex::KIND.to_owned(), native: "th-1".into(), path: path.clone() };
        assert_eq!(files(&transcript), [path, folder.path().join("rollout-b-th-2.jsonl")]);
    }
}
