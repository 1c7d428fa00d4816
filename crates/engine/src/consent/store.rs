//! `local/settings`: what this clone's user entered, with the entry that says so.
//!
//! It is this clone's own: it bears the number that the file system gave `local/`, which no repository can bring along.
//! One of another folder, or one that cannot be read, counts for nothing: the safe values hold again. In a git work tree it
//! stands below git's directory, too, where no merge can replace it.
//!
//! Whose token counts here stands there, too: the log's would be whoever's who merged a line last.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::EngineError;
use annals_kernel::actor::USER;
use annals_kernel::id::{AgentId, EntryId};
use annals_log::LogError;
use annals_log::disk::{Disk, Safety};
use annals_log::place::Place;

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
#[sparse(marked)]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Consent {
    entered: BTreeMap<Box<str>, Entered>,
    /// The seals that count here: as they were when this clone first saw them, and as they were given here since. None:
    /// that there was no token of that one.
    #[sparse]
    seals: Seals,
    /// Of how many settings that weaken the lines of this clone were searched for what its user entered.
    #[sparse]
    searched: usize,
    /// The number of the folder in which it was made.
    folder: u64,
}

impl Consent {
    /// Reads it; `None` where this clone never kept any.
    pub fn load(disk: &dyn Disk, place: &Place) -> Result<Option<Self>, EngineError> {
        Ok(match FoundConsent::at(disk, place.local(), &path(place))? {
            FoundConsent::Nothing => None,
            // A file that came with the repository must not make this clone look for consent in lines that came along
            // with it.
            FoundConsent::Foreign => Some(Self { searched: usize::MAX, ..Self::default() }),
            FoundConsent::Own(consent) => Some(consent),
        })
    }

    /// Reads what is kept beside the second names. Git has no way to replace it, so it counts before the other.
    pub fn load_beside(disk: &dyn Disk, seconds: &Path) -> Option<Self> {
        // A git directory that we may not read holds nothing for us.
        match FoundConsent::at(disk, seconds, &second_of(seconds)).ok()? {
            FoundConsent::Nothing | FoundConsent::Foreign => None,
            FoundConsent::Own(consent) => Some(consent),
        }
    }

    /// Whether two texts of such a file speak of the same settings, in the same folder. A text that is none is like any.
    pub fn is_of_the_same(one: &[u8], other: &[u8]) -> bool {
        let read = |text: &[u8]| serde_json::from_slice::<Self>(text).ok();
        let Some(one) = read(one) else { return true };
        let is_like = |other: &Self| {
            let keys = one.entered.keys().eq(other.entered.keys()) && one.seals == other.seals;
            keys && one.folder == other.folder && one.searched == other.searched
        };
        read(other).is_some_and(|other| is_like(&other))
    }

    /// Whether the lines of this clone were searched for all that its user may have entered.
    pub fn is_searched(&self) -> bool {
        // A later version guards more settings, of which the lines were never searched.
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

    /// What this clone sees for the first time of the seals that the log has: also that somebody has none.
    pub fn unseen<'i>(
        &self,
        log: &'i BTreeMap<AgentId, Box<str>>,
        roster: impl IntoIterator<Item = &'i AgentId>,
    ) -> Seals {
        let is_unseen = |id: &AgentId| !self.seals.contains_key(id);
        let seen_now = |id: AgentId| (id.clone(), log.get(&id).cloned());
        let user = Some(AgentId::from(USER)).filter(is_unseen);
        log.keys().chain(roster).filter(|id| is_unseen(id)).cloned().chain(user).map(seen_now).collect()
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

    /// Keeps it, beside the second names as well: git replaces what it is told to ignore, where a branch has it.
    pub fn save(&self, disk: &dyn Disk, place: &Place, seconds: Option<&Path>) -> Result<(), EngineError> {
        if let Some(root) = seconds {
            let path = second_of(root);
            let is_there = disk.look(&path).ok().flatten().is_some();
            let saved = self.save_to(disk, root, &path);
            // An old one would count before the new one; where there is none, only the first is kept.
            saved.or_else(|error| if is_there { Err(error) } else { Ok(()) })?;
        }
        self.save_to(disk, place.local(), &path(place))
    }

    fn save_to(&self, disk: &dyn Disk, folder: &Path, path: &Path) -> Result<(), EngineError> {
        let parent = path.parent().unwrap_or(folder);
        disk.create_folder(parent).map_err(LogError::at("make", parent))?;
        let own = Self { folder: number_of(disk, folder)?, ..self.clone() };
        let text = serde_json::to_string_pretty(&own).expect("BUG: values do not serialize") + "\n";
        Ok(disk.replace(path, text.as_bytes(), Safety::Synced).map_err(LogError::at("write", path))?)
    }
}

/// What stands in a file that bears the number of a folder.
enum FoundConsent {
    Nothing,
    /// It was made in another folder, or cannot be read.
    Foreign,
    Own(Consent),
}

impl FoundConsent {
    fn at(disk: &dyn Disk, folder: &Path, path: &Path) -> Result<Self, EngineError> {
        let bytes = match disk.read(path) {
            // A file in the place of a folder holds nothing.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => None,
            read => read.map_err(LogError::at("read", path))?,
        };
        let Some(bytes) = bytes else { return Ok(Self::Nothing) };
        let number = number_of(disk, folder)?;
        let own = serde_json::from_slice::<Consent>(&bytes).ok().filter(|consent| consent.folder == number);
        Ok(own.map_or(Self::Foreign, Self::Own))
    }
}

fn path(place: &Place) -> PathBuf {
    place.local().join("settings")
}

fn second_of(seconds: &Path) -> PathBuf {
    seconds.join("local/settings")
}

fn number_of(disk: &dyn Disk, folder: &Path) -> Result<u64, EngineError> {
    let look = disk.look(folder).map_err(LogError::at("look at", folder))?;
    Ok(look.map_or(0, |look| look.number))
}
