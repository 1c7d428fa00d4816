//! Which sessions stand behind a commit, and which behind a file: their prompts, and how many lines or calls of each.
//!
//! A commit is asked file by file, with one look through the log for all of them.

use std::collections::{BTreeMap, BTreeSet};

use annals_sparse::sparse;
use serde::Serialize;

use super::gather::GatheredCalls;
use super::{Asked, BlameError, BlamedCall, BlamedPrompt, Past, gather, told};
use crate::blame::deed::What;
use crate::blame::{Age, History, Target, ages, blame};
use crate::engine::Engine;
use crate::engine::query::Reader;
use crate::engine::query::filter::Filter;
use crate::kernel::id::{AgentId, EntryId, SessionId};
use crate::kernel::json::Json;
use crate::kernel::time::Timestamp;
use crate::log::git::Repository;

/// The sessions behind a commit.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CommitOrigin {
    /// The commit.
    pub commit: String,
    /// How many lines it added.
    pub added: usize,
    /// How many of them nobody is known to have written.
    pub unknown: usize,
    /// Its files.
    pub files: Vec<CommitFile>,
    /// The sessions whose calls wrote the lines, those with most of them first.
    pub sessions: Vec<SessionPart>,
    /// Calls that made the commit.
    pub committed_by: Vec<BlamedCall>,
    /// Files that were not looked at: too many, too large, or no text.
    pub passed_over: Vec<String>,
}

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CommitFile {
    /// From the folder of the project.
    pub file: String,
    /// How many lines the commit added.
    pub added: usize,
    /// How many of them calls wrote.
    pub by_agents: usize,
}

/// What a session has to do with it.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SessionPart {
    /// The session.
    #[always]
    pub session: SessionId,
    /// Who acted in it.
    pub agent: Option<AgentId>,
    /// When the last call of it ended.
    #[always]
    pub last: Timestamp,
    /// How many lines its calls wrote, of those that are asked about.
    #[always]
    pub lines: usize,
    /// How many of its calls changed the file.
    #[always]
    pub edits: usize,
    /// How many of its calls looked into the file.
    #[always]
    pub reads: usize,
    /// The prompts behind these calls, in the order in which they were asked.
    #[always]
    pub prompts: Vec<PromptPart>,
}

/// What a prompt has to do with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PromptPart {
    /// The prompt; none where the session has none before the calls.
    pub prompt: Option<BlamedPrompt>,
    /// How many lines the calls behind it wrote.
    pub lines: usize,
    /// How many calls behind it changed the file.
    pub edits: usize,
    /// How many calls behind it looked into the file.
    pub reads: usize,
}

/// The sessions that touched a file.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileOrigin {
    /// From the folder of the project.
    pub file: String,
    /// How many lines it has; none where it is gone.
    pub lines: Option<usize>,
    /// How many of them nobody is known to have written.
    pub unknown: usize,
    /// The sessions, the newest first.
    pub sessions: Vec<SessionPart>,
    /// Calls of sessions that ran in another folder.
    pub elsewhere: usize,
}

/// More files than this are not looked at of one commit.
const MOST_FILES: usize = 200;

/// The sessions behind a commit, which is named by its whole id; `asked` says where.
pub fn of_commit(
    engine: &Engine,
    repository: &Repository,
    asked: &Asked,
    commit: &str,
) -> Result<CommitOrigin, BlameError> {
    let mut reader = engine.reader()?;
    let paths = super::FilePath::of(repository);
    let all = repository.files_of_commit(commit)?;
    let files: Vec<String> = all.iter().map(|path| paths.from_project(path)).collect();
    let mut passed_over: Vec<String> = files.iter().skip(MOST_FILES).cloned().collect();
    let of_file = |path: &String| Asked { path: path.clone(), revision: Some(commit.to_owned()), ..asked.clone() };
    let mut pasts = Vec::new();
    for path in files.iter().take(MOST_FILES) {
        let asked = of_file(path);
        pasts.push((Past::read(Some(repository), &asked)?, asked));
    }
    let names: BTreeSet<String> = pasts.iter().flat_map(|(past, asked)| past.names(asked)).collect();
    let gathered = GatheredCalls::read(engine, &mut reader, asked, names)?;
    let places = gather::places(asked);
    let (mut lines, mut found) = (BTreeMap::new(), Vec::new());
    for (past, asked) in &pasts {
        let Ok((target @ Target::Version(at), _)) = past.target(asked, &places) else {
            passed_over.push(asked.path.clone());
            continue;
        };
        let history = History { versions: past.versions(&places), events: gathered.events.clone() };
        let new = blame(&history, &target).lines.into_iter().zip(ages(&history, at));
        let new: Vec<Option<EntryId>> = new.filter(|(_, age)| *age == Age::New).map(|(call, _)| call).collect();
        let by_agents = new.iter().flatten().count();
        new.iter().flatten().for_each(|call| *lines.entry(*call).or_default() += 1);
        found.push(CommitFile { file: asked.path.clone(), added: new.len(), by_agents });
    }
    let calls = told::calls(&mut reader, &lines)?;
    let mut sessions = parts(&calls, &BTreeMap::new());
    sessions.sort_by(|one, other| other.lines.cmp(&one.lines).then_with(|| one.session.cmp(&other.session)));
    let added = found.iter().map(|file| file.added).sum();
    let by_agents: usize = found.iter().map(|file| file.by_agents).sum();
    Ok(CommitOrigin {
        commit: commit.to_owned(),
        added,
        unknown: added - by_agents,
        files: found,
        sessions,
        committed_by: committed_by(&mut reader, commit)?,
        passed_over,
    })
}

/// Calls whose command made a commit and whose result names it.
fn committed_by(reader: &mut Reader<'_>, commit: &str) -> Result<Vec<BlamedCall>, BlameError> {
    let short = commit.get(..7).unwrap_or(commit).to_owned();
    let filter = Filter { kinds: vec!["tool_call".to_owned()], mentions: vec![short.clone()], ..Filter::default() };
    let found = reader.all(&filter)?;
    let made = |entry: &crate::kernel::entry::HistoryEntry| {
        let output = entry.operation.output.as_ref().map(Json::text).unwrap_or_default();
        let says = |word: &str| entry.operation.input.text().contains(word);
        says("git")
            && (says("commit") || says("cherry-pick") || says("merge") || says("rebase"))
            && names(output, commit, &short)
    };
    let ids = found.iter().filter(|found| made(&found.entry)).map(|found| (found.entry.id, 0)).collect();
    Ok(told::calls(reader, &ids)?)
}

/// `[main 1a2b3c4]`, as git answers a commit: the end of a bracket is the beginning of the id.
fn names(output: &str, commit: &str, short: &str) -> bool {
    output.match_indices(short).any(|(at, _)| {
        let rest = &output[at..];
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        let is_in_bracket = output[..at].ends_with(' ') && rest[digits..].starts_with(']');
        is_in_bracket && commit.starts_with(&rest[..digits])
    })
}

/// The sessions that touched a file.
pub fn of_file(engine: &Engine, repository: Option<&Repository>, asked: &Asked) -> Result<FileOrigin, BlameError> {
    let past = Past::read(repository, asked)?;
    let mut reader = engine.reader()?;
    let gathered = GatheredCalls::read(engine, &mut reader, asked, past.names(asked))?;
    let places = gather::places(asked);
    let lines = match past.target(asked, &places) {
        Ok((target, _)) => {
            let history = History { versions: past.versions(&places), events: gathered.events.clone() };
            Some(blame(&history, &target).lines)
        }
        Err(BlameError::NoFile { .. } | BlameError::NoText(_) | BlameError::TooLarge { .. }) => None,
        Err(error) => return Err(error),
    };
    let counts = super::counted(lines.as_deref().unwrap_or_default());
    let uses: BTreeMap<EntryId, Use> = gathered.events.iter().map(|event| (event.call, Use::of(event))).collect();
    let all = uses.keys().map(|call| (*call, counts.get(call).copied().unwrap_or_default())).collect();
    let calls = told::calls(&mut reader, &all)?;
    let mut sessions = parts(&calls, &uses);
    sessions.sort_by(|one, other| other.last.cmp(&one.last).then_with(|| one.session.cmp(&other.session)));
    let by_agents: usize = counts.values().sum();
    Ok(FileOrigin {
        file: asked.path.clone(),
        unknown: lines.as_ref().map_or(0, Vec::len) - by_agents,
        lines: lines.map(|lines| lines.len()),
        sessions,
        elsewhere: gathered.elsewhere,
    })
}

/// What a call did with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Change,
    Look,
}

impl Use {
    fn of(event: &crate::blame::history::Event) -> Self {
        let is_look = event.deeds.iter().all(|deed| matches!(deed.what, What::Seen(..)));
        if is_look { Self::Look } else { Self::Change }
    }
}

/// Calls by session, and by prompt in these.
fn parts(calls: &[BlamedCall], uses: &BTreeMap<EntryId, Use>) -> Vec<SessionPart> {
    let mut sessions: BTreeMap<&SessionId, SessionPart> = BTreeMap::new();
    for call in calls {
        let part = sessions.entry(&call.session).or_insert_with(|| SessionPart {
            session: call.session.clone(),
            agent: call.agent.clone(),
            last: call.at,
            lines: 0,
            edits: 0,
            reads: 0,
            prompts: Vec::new(),
        });
        let (edits, reads) = match uses.get(&call.entry) {
            Some(Use::Change) | None => (1, 0),
            Some(Use::Look) => (0, 1),
        };
        part.last = part.last.max(call.at);
        part.lines += call.lines;
        part.edits += edits;
        part.reads += reads;
        let at = part.prompts.iter().position(|one| one.prompt == call.prompt).unwrap_or_else(|| {
            part.prompts.push(PromptPart { prompt: call.prompt.clone(), lines: 0, edits: 0, reads: 0 });
            part.prompts.len() - 1
        });
        let prompt = &mut part.prompts[at];
        prompt.lines += call.lines;
        prompt.edits += edits;
        prompt.reads += reads;
    }
    sessions.into_values().collect()
}
