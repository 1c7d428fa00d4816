//! Views as files: `history/sessions/{id}.json` (AFS 3.1), `history/summaries/{id}.md` (AFS 3.3), `issues/{number}-{title}.md`,
//! `canon/{key}.md`, `hivemind/*.json` (AFS 6.3), `hivemind/councils.json`, `history/councils/vote-{time}-{key}.json`,
//! `memory/potentials.json`, `memory/*.md`, `memory/*.jsonl`, `knowledge/learnt/{type}.md`.
//!
//! The same log gives the same bytes: a view does not know the time, so a session whose tool never said that it ended
//! stays active in it. A file is written only where its bytes change, and removed with its session.

mod canon;
mod council;
mod debates;
pub mod hivemind;
mod issues;
mod knowledge;
mod memory;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Serialize;

use super::gist::duration;
use super::info::SessionInfo;
use crate::domain::session::Session;
use crate::domain::session::command::{Entity, Summary};
use crate::engine::touched::Room;
use crate::engine::{Engine, EngineError, Touched};
use crate::kernel::id::SessionId;
use crate::kernel::json::sha256_hex;
use crate::log::LogError;
use crate::log::disk::Safety;
use crate::world::World;

/// What became of the files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Rendered {
    /// New, or with other bytes than before.
    pub written: u64,
    /// As they were.
    pub unchanged: u64,
    /// Gone with their sessions.
    pub removed: u64,
}

impl Rendered {
    fn add(&mut self, other: Self) {
        self.written += other.written;
        self.unchanged += other.unchanged;
        self.removed += other.removed;
    }
}

/// A view and its content, by its path below `.context`.
pub(super) type Files = BTreeMap<String, String>;

const SESSIONS: &str = "history/sessions";
const SUMMARIES: &str = "history/summaries";

/// Folders of views, and how their files end.
const FOLDERS: &[(&str, &str)] = &[
    (SESSIONS, ".json"),
    (SUMMARIES, ".md"),
    (issues::FOLDER, ".md"),
    (canon::FOLDER, ".md"),
    (council::FOLDER, ".json"),
    (knowledge::FOLDER, ".md"),
];

/// Writes all views, and removes those of what is not there any more.
pub fn everything(engine: &Engine) -> Result<Rendered, EngineError> {
    let files = engine.ask(|world| {
        let ids: Vec<_> = world.rooms.session.sessions.iter().map(|(id, _)| id.clone()).collect();
        files(world, &ids)
    })?;
    let mut rendered = put(engine, &files)?;
    let mut known: BTreeSet<String> = files.into_keys().collect();
    for some in issues::all(engine)?.chunks(issues::AT_ONCE) {
        let files = issues::files(engine, some)?;
        rendered.add(put(engine, &files)?);
        known.extend(files.into_keys());
    }
    for room in [canon::all, council::all, debates::all, hivemind::all, knowledge::all, memory::all] {
        let files = room(engine)?;
        rendered.add(put(engine, &files)?);
        known.extend(files.into_keys());
    }
    rendered.removed += remove_unknown(engine, debates::FOLDER, &known, debates::is_own)?;
    for (folder, ending) in FOLDERS {
        rendered.removed += remove_unknown(engine, folder, &known, |name| name.ends_with(ending))?;
    }
    Ok(rendered)
}

/// Removes files of a folder that are views, and of nothing that is there. Says how many.
fn remove_unknown(
    engine: &Engine,
    folder: &str,
    known: &BTreeSet<String>,
    is_view: impl Fn(&str) -> bool,
) -> Result<u64, EngineError> {
    let path = engine.place().context().join(folder);
    let there = engine.disk().list(&path).map_err(LogError::at("list", &path))?;
    let mut removed = 0;
    for file in there.iter().filter(|file| is_view(&file.name) && !known.contains(&format!("{folder}/{}", file.name))) {
        remove(engine, path.join(&file.name))?;
        removed += 1;
    }
    Ok(removed)
}

fn of_room(engine: &Engine, room: Room) -> Result<Files, EngineError> {
    match room {
        Room::Council => council::all(engine),
        Room::Dialectic => debates::all(engine),
        Room::Hivemind => hivemind::all(engine),
        Room::Knowledge => knowledge::all(engine),
        Room::Memory => memory::all(engine),
    }
}

/// Writes the views of what was written to.
pub fn touched(engine: &Engine, touched: &Touched) -> Result<Rendered, EngineError> {
    let ids: Vec<_> = touched.sessions.iter().cloned().collect();
    let mut rendered = put(engine, &engine.ask(|world| files(world, &ids))?)?;
    let ids: Vec<_> = touched.issues.iter().cloned().collect();
    let files = issues::files(engine, &ids)?;
    // A new title is a new name: what bears the old one goes.
    rendered.removed += issues::remove_renamed(engine, &files)?;
    rendered.add(put(engine, &files)?);
    rendered.add(put(engine, &canon::files(engine, &touched.canon)?)?);
    for room in &touched.rooms {
        rendered.add(put(engine, &of_room(engine, *room)?)?);
    }
    Ok(rendered)
}

fn put(engine: &Engine, files: &Files) -> Result<Rendered, EngineError> {
    let mut rendered = Rendered::default();
    let folders: BTreeSet<_> = files.keys().filter_map(|name| Some(name.rsplit_once('/')?.0)).collect();
    for folder in folders.into_iter().map(|name| engine.place().context().join(name)) {
        engine.disk().create_folder(&folder).map_err(LogError::at("make", &folder))?;
    }
    for (name, content) in files {
        let path = engine.place().context().join(name);
        let before = engine.disk().read(&path).map_err(LogError::at("read", &path))?;
        if before.as_deref() == Some(content.as_bytes()) {
            rendered.unchanged += 1;
        } else {
            let bytes = content.as_bytes();
            engine.disk().replace(&path, bytes, Safety::Cached).map_err(LogError::at("write", &path))?;
            rendered.written += 1;
        }
    }
    Ok(rendered)
}

fn remove(engine: &Engine, path: PathBuf) -> Result<(), EngineError> {
    Ok(engine.disk().remove(&path).map_err(LogError::at("remove", path))?)
}

fn files(world: &World, ids: &[SessionId]) -> Files {
    let mut files = Files::new();
    for id in ids {
        let Some(session) = world.rooms.session.session(id) else { continue };
        let usage = world.rooms.usage.sessions.get(id.as_str());
        let info = SessionInfo::of(id, session, usage, session.status);
        let json = serde_json::to_string_pretty(&info).expect("BUG: a session does not serialize");
        let name = file_name(id);
        files.insert(format!("{SESSIONS}/{name}.json"), json + "\n");
        if let Some(summary) = &session.summary {
            files.insert(format!("{SUMMARIES}/{name}.md"), markdown(&info, session, summary));
        }
    }
    files
}

/// A session may be called anything by another program; what a file name cannot hold is written as `%XX`.
fn file_name(id: &SessionId) -> String {
    const LONGEST: usize = 120;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let escaped: String = id
        .as_str()
        .bytes()
        .enumerate()
        .map(|(at, byte)| {
            if plain(byte) && (at > 0 || byte != b'.') { char::from(byte).to_string() } else { format!("%{byte:02X}") }
        })
        .collect();
    let is_short = (1..=LONGEST).contains(&escaped.len());
    if is_short { escaped } else { format!("%{}", &sha256_hex(id.as_str().as_bytes())[..32]) }
}

/// AFS 3.3 as a page: what was done, what it was about, counts.
fn markdown(info: &SessionInfo, session: &Session, summary: &Summary) -> String {
    let stats = &session.stats;
    let calls: u64 = stats.tools_used.values().sum();
    let head = format!(
        "# {}\n\nSession `{}`, {}, {} to {}.\n\n{}\n",
        summary.title,
        info.id,
        info.status,
        info.created_at,
        info.updated_at,
        summary.body.trim_end()
    );
    let counts = format!(
        "\n## Counts\n\n- {} entries in {}\n- {} prompts, {} messages\n- {calls} calls, {} of them failed\n",
        stats.operation_count,
        duration(stats.duration_ms),
        stats.prompts,
        stats.messages,
        stats.failed_calls
    );
    head + &counts + &entities(summary)
}

fn entities(summary: &Summary) -> String {
    if summary.entities.is_empty() {
        return String::new();
    }
    let row =
        |entity: &Entity| format!("| {} | {} | {} |\n", entity.name.replace('|', "\\|"), entity.kind, entity.mentions);
    let rows: String = summary.entities.iter().map(row).collect();
    format!("\n## Entities\n\n| name | type | mentions |\n|---|---|---|\n{rows}")
}

#[cfg(test)]
mod tests;
