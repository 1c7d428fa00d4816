//! `local/views`: which views this clone wrote, and what they held, so that no other file is ever replaced or removed.
//!
//! A line a view, `SHA-256 PATH`, said before the view is written, so that a crash leaves none that nobody knows;
//! `- PATH` when it is gone. A line of any other shape counts for nothing. Does not touch views itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use crate::engine::{Engine, EngineError};
use crate::kernel::json::sha256_hex;
use crate::log::LogError;
use crate::log::disk::{Disk, Safety};

/// What stands for the hash of a view that is gone.
const GONE: &str = "-";

/// Which views this clone wrote.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    path: PathBuf,
    /// Hashes of each, the newest last.
    views: BTreeMap<String, Vec<String>>,
    lines: usize,
    /// Lines that are not in the file yet.
    said: String,
    tail: Tail,
}

/// How the file ends.
#[derive(Debug, Default, PartialEq, Eq)]
enum Tail {
    #[default]
    Whole,
    /// In the middle of a line: whoever wrote it crashed.
    Torn,
}

impl Manifest {
    /// Reads it; without the file this clone wrote none.
    pub(super) fn load(engine: &Engine, path: PathBuf, is_view: impl Fn(&str) -> bool) -> Result<Self, EngineError> {
        let bytes = engine.disk().read(&path).map_err(LogError::at("read", &path))?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let tail = if text.is_empty() || text.ends_with('\n') { Tail::Whole } else { Tail::Torn };
        let mut manifest = Self { path, tail, ..Self::default() };
        for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
            manifest.lines += 1;
            match line.split_once(' ') {
                Some((GONE, path)) => drop(manifest.views.remove(path)),
                Some((hash, path)) if is_hash(hash) && is_view(path) => {
                    manifest.views.entry(path.to_owned()).or_default().push(hash.to_owned());
                }
                Some(_) | None => {}
            }
        }
        Ok(manifest)
    }

    /// Whether this clone wrote a view, whatever it holds now.
    pub(super) fn names(&self, path: &str) -> bool {
        self.views.contains_key(path)
    }

    /// Whether a view still holds what this clone wrote.
    pub(super) fn holds(&self, path: &str, bytes: &[u8]) -> bool {
        let hash = sha256_hex(bytes);
        self.views.get(path).is_some_and(|hashes| hashes.contains(&hash))
    }

    /// The views, by their paths.
    pub(super) fn paths(&self) -> impl Iterator<Item = &String> {
        self.views.keys()
    }

    /// Says what a view is about to hold.
    pub(super) fn will_write(&mut self, path: &str, content: &str) {
        let hash = sha256_hex(content.as_bytes());
        let hashes = self.views.entry(path.to_owned()).or_default();
        if hashes.last() != Some(&hash) {
            writeln!(self.said, "{hash} {path}").expect("BUG: a string cannot be written to");
            hashes.push(hash);
        }
    }

    /// Says that a view is gone, or nobody's but a person's.
    pub(super) fn forget(&mut self, path: &str) {
        if self.views.remove(path).is_some() {
            writeln!(self.said, "{GONE} {path}").expect("BUG: a string cannot be written to");
        }
    }

    /// Brings to the file what was said.
    pub(super) fn save(&mut self, disk: &dyn Disk) -> Result<(), EngineError> {
        if self.said.is_empty() {
            return Ok(());
        }
        self.lines += self.said.lines().count();
        // Behind half a line the next one would be read as its rest.
        if self.tail == Tail::Torn || self.lines > 2 * self.views.len() + 64 {
            return self.rewrite(disk);
        }
        let file = disk.append_to(&self.path).map_err(LogError::at("open", &self.path))?;
        file.append(self.said.as_bytes()).map_err(LogError::at("write to", &self.path))?;
        self.said.clear();
        Ok(())
    }

    /// Only what is, and of each view what it held last and before that: it may not be written yet.
    fn rewrite(&mut self, disk: &dyn Disk) -> Result<(), EngineError> {
        let mut text = String::new();
        for (path, hashes) in &mut self.views {
            hashes.drain(..hashes.len().saturating_sub(2));
            text.extend(hashes.iter().map(|hash| format!("{hash} {path}\n")));
        }
        disk.replace(&self.path, text.as_bytes(), Safety::Cached).map_err(LogError::at("write", &self.path))?;
        (self.lines, self.tail) = (text.lines().count(), Tail::Whole);
        self.said.clear();
        Ok(())
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
