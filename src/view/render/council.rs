//! `hivemind/councils.json`: every council. `history/councils/vote-{time}-{key}.json`: the audit of each that is over
//! (AFS 7.4), unless it ended too long before the last entry (decision 5: the lines stay).

use serde::Serialize;

use super::Files;
use super::name::file_stem;
use crate::domain::council::settings::RETENTION_DAYS;
use crate::engine::{Engine, EngineError};
use crate::kernel::fade::DAY_MS;
use crate::kernel::time::Timestamp;
use crate::view::council::CouncilInfo;
use crate::world::World;

/// Where the audits are, below `.context`.
pub(super) const FOLDER: &str = "history/councils";
pub(super) const FILE: &str = "hivemind/councils.json";

#[derive(Serialize)]
struct RenderedCouncils<'c> {
    schema: &'static str,
    councils: &'c [CouncilInfo],
}

/// A council and where its audit is.
#[derive(Serialize)]
struct AuditFile<'c> {
    #[serde(flatten)]
    council: &'c CouncilInfo,
    log_path: &'c str,
}

pub(super) fn all(engine: &Engine) -> Result<Files, EngineError> {
    let (councils, since) = engine.ask(|world| {
        let sessions = world.rooms.council.sessions.iter();
        (sessions.map(|(id, session)| CouncilInfo::of(id, session)).collect::<Vec<_>>(), kept_since(world))
    })?;
    let mut files = Files::new();
    if councils.is_empty() {
        return Ok(files);
    }
    files.insert(FILE.to_owned(), text(&RenderedCouncils { schema: "annals.councils/v1", councils: &councils }));
    for council in &councils {
        let Some(ended) = council.session.audit.completed_at.filter(|ended| *ended >= since) else { continue };
        let name = name(council, ended);
        // No key has a `+`: what is told apart by its id bears no other one's name.
        let free = if files.contains_key(&path(&name)) { format!("{name}+{}", file_stem(&council.id)) } else { name };
        let path = path(&free);
        let audit = text(&AuditFile { council, log_path: &format!(".context/{path}") });
        files.insert(path, audit);
    }
    Ok(files)
}

fn path(name: &str) -> String {
    format!("{FOLDER}/{name}.json")
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("BUG: a council does not serialize") + "\n"
}

/// What ended earlier is left out: so long before the last entry, because a view knows no other time.
fn kept_since(world: &World) -> Timestamp {
    let days = i64::from(world.rooms.config.settings.get(&RETENTION_DAYS));
    world.last.time().plus_millis(-days.saturating_mul(DAY_MS))
}

/// The time without colons, which some file systems do not know, and the key in letters that every one of them does.
fn name(council: &CouncilInfo, ended: Timestamp) -> String {
    const MOST: usize = 60;
    let plain = |letter: char| {
        let is_plain = letter.is_ascii_alphanumeric() || "._-".contains(letter);
        if is_plain { letter.to_ascii_lowercase() } else { '-' }
    };
    let key: String = council.session.entry_key.chars().take(MOST).map(plain).collect();
    format!("vote-{}-{key}", ended.to_string().replace(':', "-"))
}
