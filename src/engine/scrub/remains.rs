//! What holds a value beside lines and blobs: caches and views, what was torn off, what waits to be recorded.
//!
//! What is folded from lines is removed and can be made again; what is not is cleaned where it stands.

use std::path::Path;

use super::Scrubbed;
use super::find::Target;
use crate::engine::{Engine, EngineError};
use crate::log::LogError;
use crate::log::blob;
use crate::log::disk::{Disk, Safety};
use crate::log::rewrite::content;
use crate::log::segment::Segment;

/// Folded from lines. Whatever of the value was shortened in them cannot be looked for, so all of them go.
const FOLDED: [&str; 3] = ["history/sessions", "history/summaries", "local/checkpoint"];

/// Ends of lines that a crash left: in no chain, and of no use to anybody.
const TORN: &str = "history/.torn";

/// Calls that have begun, and payloads that wait: they will be lines.
const WAITING: [&str; 2] = ["local/calls", "local/spool"];

impl Engine {
    pub(super) fn clean_remains(&self, target: &Target, done: &mut Scrubbed) -> Result<(), EngineError> {
        let (disk, context) = (&**self.disk(), self.place().context());
        for folder in FOLDED {
            let removed = remove_where(disk, &context.join(folder), |_| true)?;
            done.views += if folder == "local/checkpoint" { 0 } else { removed.len() };
        }
        let torn = remove_where(disk, &context.join(TORN), |bytes| target.is_in(bytes))?;
        done.removed.extend(torn.into_iter().map(|name| format!("{TORN}/{name}")));
        for folder in WAITING {
            clean_waiting(disk, &context.join(folder), target)?;
        }
        done.left = self.left(target)?;
        Ok(())
    }

    /// Where the value still is: in ids, which stay, and in lines that are too damaged to be changed.
    fn left(&self, target: &Target) -> Result<Vec<String>, EngineError> {
        let (disk, history) = (&**self.disk(), self.place().history());
        let mut left = Vec::new();
        for segment in Segment::list(disk, history).map_err(LogError::at("list", history))? {
            let bytes = content(disk, history, &segment)?;
            let lines = bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| target.is_in(line));
            left.extend(lines.map(|(index, _)| format!("history/{}:{}", segment.name, index + 1)));
        }
        for name in blob::list(disk, &self.place().blobs())? {
            let text = blob::load(disk, &self.place().blobs(), &name);
            if text.is_ok_and(|text| target.is_in(text.as_bytes())) {
                left.push(format!("history/blobs/{name}"));
            }
        }
        Ok(left)
    }
}

fn remove_where(disk: &dyn Disk, folder: &Path, goes: impl Fn(&[u8]) -> bool) -> Result<Vec<String>, EngineError> {
    let mut removed = Vec::new();
    for file in disk.list(folder).map_err(LogError::at("list", folder))? {
        let path = folder.join(&file.name);
        let bytes = disk.read(&path).map_err(LogError::at("read", &path))?.unwrap_or_default();
        if goes(&bytes) {
            disk.remove(&path).map_err(LogError::at("remove", &path))?;
            removed.push(file.name);
        }
    }
    Ok(removed)
}

fn clean_waiting(disk: &dyn Disk, folder: &Path, target: &Target) -> Result<(), EngineError> {
    for file in disk.list(folder).map_err(LogError::at("list", folder))? {
        let path = folder.join(&file.name);
        let bytes = disk.read(&path).map_err(LogError::at("read", &path))?.unwrap_or_default();
        if target.is_in(&bytes) {
            let cleaned = target.clean_json(&String::from_utf8_lossy(&bytes));
            disk.replace(&path, cleaned.as_bytes(), Safety::Synced).map_err(LogError::at("write", &path))?;
        }
    }
    Ok(())
}
