//! Views as files: `history/sessions/{id}.json` (AFS 3.1), `history/summaries/{id}.md` (AFS 3.3), `issues/{number}-{title}.md`,
//! `canon/{key}.md`, `hivemind/*.json` (AFS 6.3), `hivemind/councils.json`, `history/councils/vote-{time}-{key}.json`,
//! `memory/potentials.json`, `memory/*.md`, `memory/*.jsonl`, `knowledge/learnt/{type}.md`.
//!
//! The same log gives the same bytes: a view does not know the time, so a session whose tool never said that it ended
//! is active in it, and the view says after which time it counts as completed (`completed_after`). A file is written only where its bytes change, and removed with what it shows; one that this clone
//! did not write stays (`writing`).

mod canon;
mod council;
mod debates;
pub mod hivemind;
mod issues;
mod knowledge;
mod manifest;
mod memory;
mod name;
mod writing;

use std::collections::{BTreeMap, BTreeSet};

use self::name::file_stem;
use self::writing::Writing;
pub use self::writing::{Kept, Rendered};
use super::escape;
use super::gist::duration;
use super::info::{Looker, SessionInfo};
use crate::domain::Room;
use crate::domain::session::Session;
use crate::domain::session::command::{Entity, Summary};
use crate::domain::session::row::ModelSummary;
use crate::engine::{Engine, EngineError, Touched};
use crate::kernel::counted::count;
use crate::kernel::id::SessionId;
use crate::log::folders::GITIGNORE;
use crate::world::World;

/// A view and its content, by its path below `.context`.
pub(super) type Files = BTreeMap<String, String>;

const SESSIONS: &str = "history/sessions";
const SUMMARIES: &str = "history/summaries";

/// Folders of views and of nothing else.
const FOLDERS: [&str; 6] = [SESSIONS, SUMMARIES, issues::FOLDER, canon::FOLDER, council::FOLDER, knowledge::FOLDER];

/// Folders in which others write, too.
const SHARED: [&str; 2] = [debates::FOLDER, hivemind::FOLDER];

/// Makes the views of all that a room knows.
type OfAll = fn(&Engine) -> Result<Files, EngineError>;

/// Rooms whose views are of all that they know: written anew with each of their events.
const OF_ALL: [(Room, OfAll); 5] = [
    (Room::Council, council::all),
    (Room::Dialectic, debates::all),
    (Room::Hivemind, hivemind::all),
    (Room::Knowledge, knowledge::all),
    (Room::Memory, memory::all),
];

/// Whether a file is where only views are, or bears the name of one where others write, too.
fn may_be_view(folder: &str, name: &str) -> bool {
    let path = || format!("{folder}/{name}");
    match folder {
        debates::FOLDER => debates::is_own(name) || path() == memory::FILE,
        hivemind::FOLDER => path() == council::FILE || hivemind::names().contains(&path()),
        _ => FOLDERS.contains(&folder) && name != GITIGNORE,
    }
}

/// The folder of a path, below `.context`.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The name of a file in its folder.
fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The views that this clone wrote, as far as they hold what it wrote.
pub fn own(engine: &Engine) -> Result<BTreeSet<String>, EngineError> {
    Writing::begin(engine)?.own()
}

/// Writes all views, and removes those of what is not there any more.
pub fn everything(engine: &Engine) -> Result<Rendered, EngineError> {
    let files = engine.ask(|world| {
        let ids: Vec<_> = world.rooms.session.sessions.iter().map(|(id, _)| id.clone()).collect();
        files(world, &ids)
    })?;
    let mut views = Writing::begin(engine)?;
    views.put(&files)?;
    let mut known: BTreeSet<String> = files.into_keys().collect();
    // Many at once: a text that is not where it should be was searched for with a reading of its whole day, 526
    // readings for the views of the golden logs.
    for some in issues::all(engine)?.chunks(issues::AT_ONCE) {
        let files = issues::files(engine, some)?;
        views.put(&files)?;
        known.extend(files.into_keys());
    }
    let canon: (_, OfAll) = (Room::Canon, canon::all);
    for (_, all) in [canon].into_iter().chain(OF_ALL) {
        let files = all(engine)?;
        views.put(&files)?;
        known.extend(files.into_keys());
    }
    views.remove_where(|path| !known.contains(path))?;
    for folder in FOLDERS.iter().chain(&SHARED) {
        views.count_others(folder)?;
    }
    views.end()
}

/// Writes the views of what was written to.
pub fn touched(engine: &Engine, touched: &Touched) -> Result<Rendered, EngineError> {
    let ids: Vec<_> = touched.sessions.iter().cloned().collect();
    let sessions = engine.ask(|world| files(world, &ids))?;
    let ids: Vec<_> = touched.issues.iter().cloned().collect();
    let issues = issues::files(engine, &ids)?;
    let mut views = Writing::begin(engine)?;
    views.put(&sessions)?;
    views.put(&issues)?;
    // A new title is a new name: what bears the old one goes.
    views.remove_where(|path| issues::is_renamed(path, &issues))?;
    views.put(&canon::files(engine, &touched.canon)?)?;
    for (_, all) in OF_ALL.iter().filter(|(room, _)| touched.rooms.contains(room)) {
        views.put(&all(engine)?)?;
    }
    views.end()
}

/// Writes some views, and nothing else.
fn put(engine: &Engine, files: &Files) -> Result<Rendered, EngineError> {
    let mut views = Writing::begin(engine)?;
    views.put(files)?;
    views.end()
}

fn files(world: &World, ids: &[SessionId]) -> Files {
    let mut files = Files::new();
    let looker = Looker::of_views(&world.rooms.config.settings);
    for id in ids {
        let Some(session) = world.rooms.session.session(id) else { continue };
        let info = looker.look(world, id, session);
        let json = serde_json::to_string_pretty(&info).expect("BUG: a session does not serialize");
        let name = file_stem(id.as_str());
        files.insert(format!("{SESSIONS}/{name}.json"), json + "\n");
        let pages = [session.summary.as_ref().map(|summary| markdown(&info, session, summary)), by_model(session)];
        let page: Vec<_> = pages.into_iter().flatten().collect();
        if !page.is_empty() {
            files.insert(format!("{SUMMARIES}/{name}.md"), page.join("\n"));
        }
    }
    files
}

/// AFS 3.3 as a page: what was done, what it was about, counts.
fn markdown(info: &SessionInfo, session: &Session, summary: &Summary) -> String {
    let stats = &session.stats;
    let calls: u64 = stats.tools_used.values().sum();
    let head = format!(
        "# {}\n\nSession `{}`, {}, {} to {}.\n\n{}\n",
        escape::line(&summary.title),
        info.id,
        info.status,
        info.created_at,
        info.updated_at,
        summary.body.trim_end()
    );
    let counts = format!(
        "\n## Counts\n\n- {} in {}\n- {}, {}\n- {}, {} of them failed\n",
        count(stats.operation_count, "entry", "entries"),
        duration(stats.duration_ms),
        count(stats.prompts, "prompt", "prompts"),
        count(stats.messages, "message", "messages"),
        count(calls, "call", "calls"),
        stats.failed_calls
    );
    head + &counts + &entities(summary)
}

/// What a model said, beside what the rules say and never in its place.
fn by_model(session: &Session) -> Option<String> {
    let ModelSummary { summary, model, at } = session.model_summary.as_ref()?;
    let (title, model) = (escape::line(&summary.title), escape::line(model));
    let head = format!("## By the model {model}, {at}\n\n**{title}**\n\n{}\n", summary.body.trim_end());
    Some(head + &entities(summary).replacen("\n## ", "\n### ", 1))
}

fn entities(summary: &Summary) -> String {
    if summary.entities.is_empty() {
        return String::new();
    }
    let row = |entity: &Entity| {
        format!("| {} | {} | {} |\n", escape::line(&entity.name).replace('|', "\\|"), entity.kind, entity.mentions)
    };
    let rows: String = summary.entities.iter().map(row).collect();
    format!("\n## Entities\n\n| name | type | mentions |\n|---|---|---|\n{rows}")
}

#[cfg(test)]
mod tests;
