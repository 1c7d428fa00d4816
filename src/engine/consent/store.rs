//! `local/settings`: what this clone's user entered, with the entry that says so.
//!
//! It is this clone's own: it bears the number that the file system gave `local/`, which no repository can bring along.
//! One of another folder, or one that cannot be read, counts for nothing: the safe values hold again.
//!
//! Whose token counts here stands there, too: the log's would be whoever's who merged a line last.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engine::EngineError;
use crate::kernel::actor::USER;
use crate::kernel::id::{AgentId, EntryId};
use crate::log::LogError;
use crate::log::disk::{Disk, Safety};
use crate::log::place::Place;

/// What was entered for one setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entered {
    /// The value; none: its default.
    #[serde(default)]
    pub value: Option<Value>,
    /// The entry that says so.
    pub entry: EntryId,
}

/// SHA-256 of tokens, by whose they are.
pub type Seals = BTreeMap<AgentId, Option<Box<str>>>;

/// What this clone's user entered for settings that weaken, and whose tokens count here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Consent {
    entered: BTreeMap<Box<str>, Entered>,
    /// The seals that count here: as they were when this clone first saw them, and as they were given here since. None:
    /// that there was no token of the user.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    seals: Seals,
    /// Of how many settings that weaken the lines of this clone were searched for what its user entered.
    #[serde(skip_serializing_if = "is_none_searched")]
    searched: usize,
    /// The number of the folder in which it was made.
    folder: u64,
}

impl Consent {
    /// Reads it; `None` where this clone never kept any.
    pub fn load(disk: &dyn Disk, place: &Place) -> Result<Option<Self>, EngineError> {
        let path = path(place);
        let bytes = match disk.read(&path) {
            // A file in the place of `local/` holds nothing.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => None,
            read => read.map_err(LogError::at("read", &path))?,
        };
        let read = |bytes: Vec<u8>| serde_json::from_slice::<Self>(&bytes).ok();
        let number = folder_of(disk, place)?;
        let nothing = || Self { searched: usize::MAX, ..Self::default() };
        Ok(bytes.map(|bytes| read(bytes).filter(|consent| consent.folder == number).unwrap_or_else(nothing)))
    }

    /// Whether the lines of this clone were searched for all that its user may have entered.
    pub fn is_searched(&self) -> bool {
        self.searched >= super::guarded().count()
    }

    /// Takes in what such a search found.
    pub fn take_found(&mut self, found: Self) {
        for (key, entered) in found.entered {
            self.enter(&key, entered);
        }
        self.searched = super::guarded().count();
    }

    /// The seal that counts here, where the log has this one.
    pub fn seal<'s>(&'s self, of: &AgentId, log: Option<&'s str>) -> Option<&'s str> {
        self.seals.get(of).map_or(log, Option::as_deref)
    }

    /// What this clone sees for the first time of the seals that the log has.
    pub fn unseen(&self, log: &BTreeMap<AgentId, Box<str>>) -> Seals {
        let user = AgentId::from(USER);
        let all = log.keys().chain([&user]).filter(|id| !self.seals.contains_key(*id));
        all.map(|id| (id.clone(), log.get(id).cloned())).collect()
    }

    /// Lets seals count here from now on.
    pub fn let_count(&mut self, seals: Seals) {
        self.seals.extend(seals);
    }

    /// Of whom the log has another seal than the one that counts here.
    pub fn other_seals(&self, log: &BTreeMap<AgentId, Box<str>>) -> Vec<AgentId> {
        let is_other = |id: &AgentId, seal: &str| self.seal(id, Some(seal)) != Some(seal);
        log.iter().filter(|(id, seal)| is_other(id, seal)).map(|(id, _)| id.clone()).collect()
    }

    /// What was entered for a setting.
    pub fn of(&self, key: &str) -> Option<&Entered> {
        self.entered.get(key)
    }

    /// Takes in what was entered; of two entries the later one counts.
    pub fn enter(&mut self, key: &str, entered: Entered) {
        if self.of(key).is_none_or(|before| before.entry <= entered.entry) {
            self.entered.insert(key.into(), entered);
        }
    }

    /// Keeps it.
    pub fn save(&self, disk: &dyn Disk, place: &Place) -> Result<(), EngineError> {
        let path = path(place);
        disk.create_folder(place.local()).map_err(LogError::at("make", place.local()))?;
        let own = Self { folder: folder_of(disk, place)?, ..self.clone() };
        let text = serde_json::to_string_pretty(&own).expect("BUG: values do not serialize") + "\n";
        Ok(disk.replace(&path, text.as_bytes(), Safety::Synced).map_err(LogError::at("write", &path))?)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_none_searched(searched: &usize) -> bool {
    *searched == 0
}

fn path(place: &Place) -> PathBuf {
    place.local().join("settings")
}

fn folder_of(disk: &dyn Disk, place: &Place) -> Result<u64, EngineError> {
    let look = disk.look(place.local()).map_err(LogError::at("look at", place.local()))?;
    Ok(look.map_or(0, |look| look.number))
}
