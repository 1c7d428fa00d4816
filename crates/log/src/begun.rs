//! `local/begun`: which files this clone has begun or written anew. Noted before anything stands in them, so that a line
//! behind the remembered head which stands in no such file is certainly somebody else's, and one that does is what a
//! crash left.
//!
//! Does not read lines.

use std::io;

use serde::{Deserialize, Serialize};

use super::LogError;
use super::disk::{Disk, Look, Safety};
use super::place::Place;
use super::sealed::{seal, unseal};

/// How many are kept: a crash concerns the last ones, be they those of a long import.
const MOST: usize = 512;

/// The files that this clone has begun last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun(Vec<File>);

/// A file: a name alone may be given to another one by git.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// The segment.
    pub name: String,
    /// The number of the file; `None` where it was not known yet.
    pub number: Option<u64>,
}

impl File {
    /// Whether a file of its name is this one.
    pub fn is(&self, look: &Look) -> bool {
        self.number.is_none_or(|number| number == look.number)
    }
}

impl Begun {
    /// Reads it; nothing where there is none, or a torn one.
    pub fn read(disk: &dyn Disk, place: &Place) -> Result<Self, LogError> {
        let bytes = disk.read(&place.begun()).map_err(LogError::at("read", place.begun()))?.unwrap_or_default();
        Ok(unseal(&bytes).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default())
    }

    /// Notes a name, does what gives it to a file, and notes which file that was.
    pub fn around<T>(
        disk: &dyn Disk,
        place: &Place,
        name: &str,
        work: impl FnOnce() -> Result<T, LogError>,
    ) -> Result<T, LogError> {
        Self::add(disk, place, File { name: name.to_owned(), number: None })?;
        let done = work()?;
        let path = place.history().join(name);
        let look = disk.look(&path).map_err(LogError::at("look at", path))?;
        Self::add(disk, place, File { name: name.to_owned(), number: look.map(|look| look.number) })?;
        Ok(done)
    }

    /// Adds a file; on the disk when this returns.
    pub fn add(disk: &dyn Disk, place: &Place, file: File) -> Result<(), LogError> {
        let mut begun = Self::read(disk, place)?;
        if begun.0.contains(&file) {
            return Ok(());
        }
        // A note without a number was made before the file was, and gives way to the one with it. Files of one name
        // and other numbers stay, because git may put either of them there.
        begun.0.retain(|other| other.name != file.name || other.number.is_some());
        begun.0.push(file);
        begun.0.drain(..begun.0.len().saturating_sub(MOST));
        let text = serde_json::to_string(&begun).map_err(io::Error::other);
        // Synced before a line stands in the file: were the note lost in a power cut, our own line would count as
        // forged.
        let written = text.and_then(|text| disk.replace(&place.begun(), seal(&text).as_bytes(), Safety::Synced));
        written.map_err(LogError::at("write", place.begun()))
    }

    /// The files.
    pub fn files(&self) -> &[File] {
        &self.0
    }
}
