//! What holds a value beside lines and blobs: every other file of `.context`, and folders elsewhere that have to do with it.
//!
//! What is folded from lines is removed and can be made again; what is of no use to anybody goes; everything else is
//! cleaned where it stands, and keeps its mode.

#![expect(clippy::case_sensitive_file_extension_comparisons, reason = "these files are named by us")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::find::{Cleaned, Target};
use super::{EditedLine, FolderHolds, OutsideFolder, Request, ScrubMode, Scrubbed, needed};
use crate::{Engine, EngineError};
use annals_kernel::annals::LineHash;
use annals_log::LogError;
use annals_log::blob;
use annals_log::disk::{Disk, Listed, Safety};
use annals_log::rewrite::{content, edit_lines};
use annals_log::segment::Segment;

/// Folded from lines. Whatever of the value was shortened in it cannot be looked for, so all of it goes.
const CHECKPOINT: &str = "local/checkpoint";

/// Words and names of lines, by which `annals search` skips what it need not read.
const SEARCH_INDEX: &str = "local/search";

/// Views that shorten what stands in lines: all that this clone wrote go.
const FOLDED: [&str; 2] = ["history/sessions", "history/summaries"];

/// Names of segments, counts and hashes, and nothing that anybody wrote.
const OWN: [&str; 4] = ["local/bookmark", "local/lock", "local/marks", "local/scrub"];

/// Vectors of texts. Whoever has the model can tell from them what was said, and no byte of the value stands in them.
const EMBEDDINGS: &str = "history/embeddings";

/// Of use to nobody.
const USELESS: &str = "history/.torn";

/// What a line becomes, by the hash of what it was.
pub(super) type Lines = BTreeMap<LineHash, Vec<u8>>;

impl Engine {
    /// Cleans everything but lines and blobs.
    pub(super) fn clean_places(
        &self,
        target: &Target,
        request: &Request,
        lines: &Lines,
        done: &mut Scrubbed,
    ) -> Result<(), EngineError> {
        let context = self.place().context().to_owned();
        let mut sweep = Sweep { disk: &**self.disk(), target, mode: request.mode, done };
        sweep.remove_all(&context.join(CHECKPOINT))?;
        sweep.remove_all(&context.join(SEARCH_INDEX))?;
        sweep.remove_all(&context.join(EMBEDDINGS))?;
        sweep.folder(&context, "", &mut |sweep, file| sweep.below_context(file, &request.views))?;
        for OutsideFolder { name, folder, holds } in &request.elsewhere {
            sweep.folder(folder, name, &mut |sweep, file| match holds {
                FolderHolds::Copies => sweep.copy(file, lines),
                FolderHolds::Others => sweep.name_place(file, name, |done| &mut done.other_work_trees),
                FolderHolds::Gone => sweep.name_place(file, name, |done| &mut done.gone_folders),
                FolderHolds::Own if file.name.contains("/blind/") => sweep.remove_holding(file),
                FolderHolds::Own => sweep.clean(file),
            })?;
        }
        Ok(())
    }

    /// Lines that stand in copies only, because git took their segments away: they may be put back.
    pub(super) fn copied_lines(
        &self,
        target: &Target,
        request: &Request,
        known: &BTreeSet<LineHash>,
    ) -> Result<Vec<EditedLine>, EngineError> {
        let (disk, mut seen, mut found) = (&**self.disk(), known.clone(), Vec::new());
        for copies in request.elsewhere.iter().filter(|place| place.holds == FolderHolds::Copies) {
            let folder = copies.folder.join("history");
            for file in disk.list(&folder).map_err(LogError::at("list", &folder))? {
                let path = folder.join(&file.name);
                let bytes = disk.read(&path).map_err(LogError::at("read", &path))?.unwrap_or_default();
                for line in bytes.split(|byte| *byte == b'\n') {
                    let before = LineHash::of(line);
                    if !seen.contains(&before)
                        && let Some(Cleaned::Entry(changed, new)) = target.clean_line(line)
                    {
                        seen.insert(before);
                        found.push(EditedLine { before, entry: Some(changed), new });
                    }
                }
            }
        }
        Ok(found)
    }

    /// Where the value still is: in ids, which stay.
    pub(super) fn left(&self, target: &Target) -> Result<Vec<String>, EngineError> {
        let (disk, history) = (&**self.disk(), self.place().history());
        let mut left = Vec::new();
        for segment in Segment::list(disk, history).map_err(LogError::at("list", history))? {
            let bytes = content(disk, history, &segment)?;
            let lines = bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| target.needle.is_in(line));
            left.extend(lines.map(|(index, _)| format!("history/{}:{}", segment.name, index + 1)));
        }
        for name in blob::list(disk, &self.place().blobs())? {
            let text = blob::load(disk, &self.place().blobs(), &name);
            if text.is_ok_and(|text| target.needle.is_in(text.as_bytes())) {
                left.push(format!("history/blobs/{name}"));
            }
        }
        Ok(left)
    }
}

/// A file, and how it is called.
struct File {
    path: PathBuf,
    name: String,
}

struct Sweep<'s> {
    disk: &'s dyn Disk,
    target: &'s Target,
    mode: ScrubMode,
    done: &'s mut Scrubbed,
}

/// A text has no zeros, and is UTF-8.
fn is_binary(bytes: &[u8]) -> bool {
    bytes.contains(&0) || std::str::from_utf8(bytes).is_err()
}

/// What is done with a file.
type Step<'f, 's> = dyn FnMut(&mut Sweep<'s>, &File) -> Result<(), EngineError> + 'f;

impl<'s> Sweep<'s> {
    /// Every file of a folder and of those below it.
    fn folder(&mut self, folder: &Path, name: &str, step: &mut Step<'_, 's>) -> Result<(), EngineError> {
        let named = |file: &str| if name.is_empty() { file.to_owned() } else { format!("{name}/{file}") };
        for file in self.disk.list(folder).map_err(LogError::at("list", folder))? {
            step(self, &File { path: folder.join(&file.name), name: named(&file.name) })?;
        }
        for below in self.disk.folders(folder).map_err(LogError::at("list", folder))? {
            self.folder(&folder.join(&below), &named(&below), step)?;
        }
        Ok(())
    }

    /// A person's own file is cleaned; of views those that this clone wrote go, where they may hold a part of the value.
    fn below_context(&mut self, file: &File, views: &BTreeSet<String>) -> Result<(), EngineError> {
        let is_below = |folders: &[&str]| folders.iter().any(|folder| file.name.starts_with(&format!("{folder}/")));
        let short = file.name.rsplit('/').next().unwrap_or_default();
        let is_segment =
            file.name.strip_prefix("history/").is_some_and(|name| !name.contains('/') && name.ends_with(".jsonl"));
        let is_temporary = short.starts_with('.') && short.ends_with(".tmp");
        let is_history = is_segment || is_below(&["history/blobs", "history/archive"]);
        if is_temporary || is_below(&[USELESS, EMBEDDINGS]) {
            self.remove_holding(file)
        } else if is_history || is_below(&[CHECKPOINT]) || OWN.contains(&file.name.as_str()) {
            Ok(())
        } else if views.contains(&file.name) && is_below(&FOLDED) {
            self.done.views += usize::from(self.mode == ScrubMode::Scrub);
            self.discard(file)
        } else if views.contains(&file.name) && self.target.needle.is_named_in(short) {
            self.remove(file)
        } else {
            self.clean(file)
        }
    }

    /// Lines of a copy become those of the history; what else holds the value is cleaned, too.
    fn copy(&mut self, file: &File, lines: &Lines) -> Result<(), EngineError> {
        let short = file.name.rsplit('/').next().unwrap_or_default();
        if short.strip_suffix(".zst").is_some_and(|name| self.target.is_blob(name)) {
            return self.remove(file);
        }
        let bytes = self.read(file)?;
        if short.ends_with(".zst") {
            // It is named by its content: what holds the value goes, and its successor gets a copy of its own.
            return if self.target.needle.is_in(&blob::unpacked(&*bytes)) { self.remove(file) } else { Ok(()) };
        }
        let edited = edit_lines(&bytes, |line| lines.get(&LineHash::of(line)).cloned());
        let clean = self.target.needle.clean_bytes(&edited).unwrap_or(edited);
        if clean == bytes { Ok(()) } else { self.put(file, &bytes, &clean) }
    }

    /// What others remove from their history comes here with their second names: these are named.
    fn name_place(
        &mut self,
        file: &File,
        name: &str,
        named: fn(&mut Scrubbed) -> &mut BTreeSet<String>,
    ) -> Result<(), EngineError> {
        let bytes = self.read(file)?;
        let text = if file.name.ends_with(".zst") { blob::unpacked(&*bytes) } else { bytes };
        if self.target.needle.is_in(&text) {
            named(self.done).insert(name.to_owned());
        }
        Ok(())
    }

    fn clean(&mut self, file: &File) -> Result<(), EngineError> {
        let bytes = self.read(file)?;
        match self.target.needle.clean_bytes(&bytes) {
            // Lengths and sums stand in such files: what is put in place of the value would damage the rest.
            Some(_) if is_binary(&bytes) => self.done.left.push(format!("the bytes of {}", file.name)),
            Some(clean) => self.put(file, &bytes, &clean)?,
            None => {}
        }
        if self.target.needle.is_named_in(&file.name) {
            self.done.left.push(format!("the name of {}", file.name));
        }
        Ok(())
    }

    fn remove_holding(&mut self, file: &File) -> Result<(), EngineError> {
        let bytes = self.read(file)?;
        if self.target.needle.is_in(&bytes) || self.target.needle.is_named_in(&file.name) {
            self.remove(file)?;
        }
        Ok(())
    }

    /// All files of a folder, whatever is in them.
    fn remove_all(&mut self, folder: &Path) -> Result<(), EngineError> {
        for Listed { name, .. } in self.disk.list(folder).map_err(LogError::at("list", folder))? {
            self.discard(&File { path: folder.join(&name), name })?;
        }
        Ok(())
    }

    /// Removes what is made again.
    fn discard(&self, file: &File) -> Result<(), EngineError> {
        if self.mode == ScrubMode::Scrub {
            self.disk.remove(&file.path).map_err(LogError::at("remove", &file.path))?;
        }
        Ok(())
    }

    fn read(&self, file: &File) -> Result<Vec<u8>, EngineError> {
        Ok(self.disk.read(&file.path).map_err(LogError::at("read", &file.path))?.unwrap_or_default())
    }

    fn put(&mut self, file: &File, before: &[u8], bytes: &[u8]) -> Result<(), EngineError> {
        if let Some(part) = needed::lost(&file.name, before, bytes) {
            self.done.left.push(format!("{part} of {}", file.name));
            return Ok(());
        }
        if self.mode == ScrubMode::Scrub {
            self.disk.replace(&file.path, bytes, Safety::Synced).map_err(LogError::at("write", &file.path))?;
        }
        self.done.cleaned.push(file.name.clone());
        Ok(())
    }

    fn remove(&mut self, file: &File) -> Result<(), EngineError> {
        if self.mode == ScrubMode::Scrub {
            self.disk.remove(&file.path).map_err(LogError::at("remove", &file.path))?;
            let folder = file.path.parent().unwrap_or(&file.path);
            // A power cut could otherwise bring it back, when nobody knows the value any more.
            self.disk.sync_folder(folder).map_err(LogError::at("sync", folder))?;
        }
        self.done.removed.push(file.name.clone());
        Ok(())
    }
}
