//! `local/settings`: what this clone's user entered, with the entry that says so.
//!
//! It is this clone's own: it bears the number that the file system gave `local/`, which no repository can bring along.
//! One of another folder, or one that cannot be read, counts for nothing: the safe values hold again.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engine::EngineError;
use crate::kernel::id::EntryId;
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

/// What this clone's user entered for settings that weaken.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Consent {
    entered: BTreeMap<Box<str>, Entered>,
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
        Ok(bytes.map(|bytes| read(bytes).filter(|consent| consent.folder == number).unwrap_or_default()))
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

fn path(place: &Place) -> PathBuf {
    place.local().join("settings")
}

fn folder_of(disk: &dyn Disk, place: &Place) -> Result<u64, EngineError> {
    let look = disk.look(place.local()).map_err(LogError::at("look at", place.local()))?;
    Ok(look.map_or(0, |look| look.number))
}
