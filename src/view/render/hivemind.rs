//! `hivemind/*.json`: what was learnt, a file a category; what waits to be decided; and what there is (AFS 6.3).
//!
//! States what is stored, not how strong anything is now. An entry whose expiry was announced is in no file any more;
//! `annals hivemind show` still has it. `councils.json` is written by who knows councils. Files of another program that
//! lie there are left as they are.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Files, Rendered, put};
use crate::domain::hivemind::settings::{DEFAULT_RATES, EXPIRES_BELOW};
use crate::domain::hivemind::state::Totals;
use crate::domain::hivemind::{EntryCategory, State};
use crate::engine::{Engine, EngineError};
use crate::kernel::settings::Settings;
use crate::kernel::share::Share;
use crate::log::LogError;
use crate::view::hivemind::EntryInfo;

/// Where they are, below `.context`.
pub const FOLDER: &str = "hivemind";
/// Says whose files these are.
const MANIFEST: &str = "manifest.json";
const SCHEMA: &str = "annals.hivemind.manifest/v1";
const PENDING: &str = "pending.json";

/// What there is.
#[derive(Serialize)]
struct HivemindManifest<'m> {
    schema: &'static str,
    /// That of the protocol.
    version: &'static str,
    entries: &'m BTreeMap<EntryCategory, u64>,
    golden: u64,
    contested: u64,
    /// How many of them have expired, as far as that was announced.
    expired: u64,
    default_rates: BTreeMap<EntryCategory, Share>,
    expires_below: Share,
    files: BTreeMap<&'static str, u64>,
}

fn file_of(category: EntryCategory) -> &'static str {
    match category {
        EntryCategory::Fear => "fears.json",
        EntryCategory::Satisfaction => "satisfactions.json",
        EntryCategory::Knowledge => "knowledge.json",
        EntryCategory::Decision => "decisions.json",
        EntryCategory::Preference => "preferences.json",
    }
}

/// Writes them, where there is anything to say and nobody else's file lies there.
pub fn all(engine: &Engine) -> Result<Files, EngineError> {
    let files = engine.ask(|world| {
        let settings = &world.rooms.config.settings;
        files(&world.rooms.hivemind, settings)
    })?;
    if others(engine)?.is_empty() { Ok(files) } else { Ok(Files::new()) }
}

/// Files of another program that lie where these views would be, so that none of them is written.
pub fn passed_over(engine: &Engine) -> Result<Vec<String>, EngineError> {
    let is_empty = engine.ask(|world| world.rooms.hivemind.entries.first_by_rank(1).is_empty())?;
    if is_empty { Ok(Vec::new()) } else { others(engine) }
}

/// Writes them, and nothing else.
pub fn write(engine: &Engine) -> Result<Rendered, EngineError> {
    put(engine, &all(engine)?)
}

/// A store that several programs know may hold files of another one: those are not ours to write.
fn others(engine: &Engine) -> Result<Vec<String>, EngineError> {
    let context = engine.place().context();
    let read = |name: &str| {
        let path = context.join(name);
        engine.disk().read(&path).map_err(LogError::at("read", &path))
    };
    let manifest = read(&format!("{FOLDER}/{MANIFEST}"))?;
    if manifest.is_some_and(|bytes| String::from_utf8_lossy(&bytes).contains(SCHEMA)) {
        return Ok(Vec::new());
    }
    let mut others = Vec::new();
    for name in names() {
        if read(&name)?.is_some() {
            others.push(name);
        }
    }
    Ok(others)
}

/// The names of all of them, sorted.
pub fn names() -> BTreeSet<String> {
    let lists = EntryCategory::ALL.iter().map(|category| file_of(*category));
    lists.chain([PENDING, MANIFEST]).map(path).collect()
}

fn files(state: &State, settings: &Settings) -> Files {
    let mut lists: BTreeMap<&'static str, Vec<EntryInfo>> =
        EntryCategory::ALL.iter().map(|category| (file_of(*category), Vec::new())).collect();
    lists.insert(PENDING, Vec::new());
    let (mut expired, mut is_empty) = (0, true);
    for (key, entry) in state.entries.iter() {
        is_empty = false;
        if entry.removed.is_some() {
            continue;
        }
        let due = state.expiring.get(key).copied().unwrap_or_default();
        if due.at.is_some() && due.unannounced().is_none() {
            expired += 1;
            continue;
        }
        let info = EntryInfo::of(key, entry);
        if entry.contest.is_some() {
            lists.entry(PENDING).or_default().push(info.clone());
        }
        lists.entry(file_of(entry.category)).or_default().push(info);
    }
    if is_empty {
        return Files::new();
    }
    let counts = lists.iter().map(|(name, list)| (*name, list.len() as u64)).collect();
    let manifest = manifest(&state.totals, expired, settings, counts);
    let mut files: Files = lists.into_iter().map(|(name, list)| (path(name), pretty(&list))).collect();
    files.insert(path(MANIFEST), pretty(&manifest));
    files
}

fn manifest<'m>(
    totals: &'m Totals,
    expired: u64,
    settings: &Settings,
    files: BTreeMap<&'static str, u64>,
) -> HivemindManifest<'m> {
    HivemindManifest {
        schema: SCHEMA,
        version: "0.2",
        entries: &totals.entries,
        golden: totals.golden,
        contested: totals.contested,
        expired,
        default_rates: settings.get(&DEFAULT_RATES),
        expires_below: settings.get(&EXPIRES_BELOW),
        files,
    }
}

fn path(name: &str) -> String {
    format!("{FOLDER}/{name}")
}

fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("BUG: an entry does not serialize") + "\n"
}
