//! Puts views where they belong and takes away those that are gone, and touches no other file.
//!
//! A file is replaced or removed only where it still holds what this clone wrote, which the manifest says. What a person
//! put there stays; a view that a person changed is kept aside, under `NAME.kept-HASH`, before the new one is written, unless
//! git has it.

#![expect(clippy::case_sensitive_file_extension_comparisons, reason = "these files are named by us")]

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use annals_sparse::sparse;
use serde::Serialize;

use super::manifest::Manifest;
use super::{Files, folder_of, may_be_view, name_of};
use crate::engine::{Engine, EngineError};
use crate::kernel::json::sha256_hex;
use crate::log::LogError;
use crate::log::disk::{Lock, Safety, Shut};
use crate::log::taken::InGit;
use crate::view::escape;

/// What became of the files.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Rendered {
    /// New, or with other bytes than before.
    pub written: u64,
    /// As they were.
    pub unchanged: u64,
    /// Gone with what they showed.
    pub removed: u64,
    /// Kept under another name, because somebody else had changed them.
    pub kept: Vec<Kept>,
    /// Files where views are that this clone did not write, and that stay as they are.
    pub stays: BTreeSet<String>,
}

/// A file that stood where a view goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Kept {
    /// Where it stood, below `.context`.
    pub path: String,
    /// Where its bytes are now.
    pub aside: String,
}

/// The views, for as long as they are being written: no other process writes them meanwhile.
pub(super) struct Writing<'e> {
    engine: &'e Engine,
    manifest: Manifest,
    rendered: Rendered,
    in_git: OnceCell<InGit>,
    _lock: Box<dyn Lock>,
}

impl<'e> Writing<'e> {
    pub(super) fn begin(engine: &'e Engine) -> Result<Self, EngineError> {
        let (disk, local) = (engine.disk(), engine.place().local());
        disk.create_folder(local).map_err(LogError::at("make", local))?;
        let lock = local.join("views.lock");
        let lock = disk.lock(&lock).map_err(LogError::at("lock", &lock))?;
        let manifest = Manifest::load(engine, local.join("views"), is_own_path)?;
        Ok(Self { engine, manifest, rendered: Rendered::default(), in_git: OnceCell::new(), _lock: lock })
    }

    /// Says what became of them.
    pub(super) fn end(mut self) -> Result<Rendered, EngineError> {
        self.manifest.save(&**self.engine.disk())?;
        Ok(self.rendered)
    }

    /// Writes views, as far as they are not what they should be.
    pub(super) fn put(&mut self, files: &Files) -> Result<(), EngineError> {
        let folders: BTreeSet<_> = files.keys().map(|path| self.place_of(folder_of(path))).collect();
        for folder in folders {
            self.engine.disk().create_folder(&folder).map_err(LogError::at("make", &folder))?;
        }
        // Git takes a .gitignore away with a branch, a stash or a reset: views would be committed then.
        self.engine.log().keep_ignored();
        let harmless = || files.iter().map(|(path, content)| (path, harmless(path, content)));
        for (path, content) in harmless() {
            self.manifest.will_write(path, &content);
        }
        // Before the views themselves, so that a crash leaves none that nobody knows.
        self.manifest.save(&**self.engine.disk())?;
        for (path, content) in harmless() {
            self.put_one(path, &content)?;
        }
        Ok(())
    }

    fn put_one(&mut self, path: &str, content: &str) -> Result<(), EngineError> {
        let file = self.place_of(path);
        match self.engine.disk().read(&file) {
            Ok(Some(bytes)) if bytes == content.as_bytes() => {
                self.rendered.unchanged += 1;
                return Ok(());
            }
            Ok(Some(bytes)) if self.manifest.holds(path, &bytes) => {}
            // Another clone's view, as it came with a pull, or a change that was committed: git keeps it.
            Ok(Some(bytes)) if self.in_git.get_or_init(|| self.engine.log().in_git()).has(path, &bytes) => {}
            Ok(Some(bytes)) => self.keep_aside(path, &bytes)?,
            Ok(None) => {}
            // A folder or a link bears the name: nothing of ours.
            Err(error) if is_no_file(&error) => {
                self.manifest.forget(path);
                self.rendered.stays.insert(path.to_owned());
                return Ok(());
            }
            Err(error) => return Err(LogError::at("read", &file)(error).into()),
        }
        let bytes = content.as_bytes();
        // Not synced: a view that a power cut tears is made again of the log.
        self.engine.disk().replace(&file, bytes, Safety::Cached).map_err(LogError::at("write", &file))?;
        self.rendered.written += 1;
        Ok(())
    }

    /// Removes views, as far as they still hold what this clone wrote.
    pub(super) fn remove_where(&mut self, is_gone: impl Fn(&str) -> bool) -> Result<(), EngineError> {
        let gone: Vec<String> = self.manifest.paths().filter(|path| is_gone(path)).cloned().collect();
        for path in gone {
            let file = self.place_of(&path);
            if self.is_ours(&path)? {
                self.engine.disk().remove(&file).map_err(LogError::at("remove", &file))?;
                self.rendered.removed += 1;
            }
            self.manifest.forget(&path);
        }
        Ok(())
    }

    /// Whether a view still holds what this clone wrote.
    fn is_ours(&self, path: &str) -> Result<bool, EngineError> {
        let file = self.place_of(path);
        match self.engine.disk().read(&file) {
            Ok(bytes) => Ok(bytes.is_some_and(|bytes| self.manifest.holds(path, &bytes))),
            Err(error) if is_no_file(&error) => Ok(false),
            Err(error) => Err(LogError::at("read", &file)(error).into()),
        }
    }

    /// The views that do.
    pub(super) fn own(&self) -> Result<BTreeSet<String>, EngineError> {
        let mut own = BTreeSet::new();
        for path in self.manifest.paths() {
            if self.is_ours(path)? {
                own.insert(path.clone());
            }
        }
        Ok(own)
    }

    /// Counts the files of a folder that this clone did not write.
    pub(super) fn count_others(&mut self, folder: &str) -> Result<(), EngineError> {
        let place = self.place_of(folder);
        let there = self.engine.disk().list(&place).map_err(LogError::at("list", &place))?;
        let paths =
            there.iter().filter(|file| may_be_view(folder, &file.name)).map(|file| format!("{folder}/{}", file.name));
        let others = paths.filter(|path| !self.manifest.names(path));
        self.rendered.stays.extend(others);
        Ok(())
    }

    /// Copies bytes to a name that nobody else uses, before another file takes their place.
    fn keep_aside(&mut self, path: &str, bytes: &[u8]) -> Result<(), EngineError> {
        let hash = sha256_hex(bytes);
        for count in 1.. {
            let twin = if count == 1 { String::new() } else { format!("-{count}") };
            let aside = format!("{path}.kept-{}{twin}", &hash[..8]);
            let file = self.place_of(&aside);
            match self.engine.disk().read(&file).map_err(LogError::at("read", &file))? {
                Some(there) if there != bytes => continue,
                Some(_) => {}
                None => {
                    // Synced, because these bytes are a person's and stand nowhere else once the view is written.
                    self.engine.disk().replace(&file, bytes, Safety::Synced).map_err(LogError::at("write", &file))?;
                }
            }
            self.rendered.kept.push(Kept { path: path.to_owned(), aside });
            break;
        }
        Ok(())
    }

    fn place_of(&self, path: &str) -> PathBuf {
        self.engine.place().context().join(path)
    }
}

/// Whether a path is one that a view can have: the manifest may come from anywhere, too.
fn is_own_path(path: &str) -> bool {
    let name = name_of(path);
    !name.starts_with('.') && may_be_view(folder_of(path), name)
}

/// A view is read with `cat`: nothing in it moves a cursor.
fn harmless<'c>(path: &str, content: &'c str) -> Cow<'c, str> {
    if path.ends_with(".md") { escape::page(content) } else { escape::json(content) }
}

/// Whether what was to be read is a folder, a link or the like.
fn is_no_file(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::IsADirectory
        || matches!(Shut::of(error), Some(Shut::Link { .. } | Shut::Special { .. }))
}
