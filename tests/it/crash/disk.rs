//! A disk in memory that can lose its power at any step, and refuse any step.
//!
//! What was not synced is gone after a power cut, directory entries included. Knows nothing of logs.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use super::platter::{Left, State, Step, Trouble};
use annals::log::disk::{Append, Disk, Facts, InPlace, Latch, Listed, Lock, Look, ReadAt, Safety, SeenFile};

/// The disk. Clones are the same one.
#[derive(Clone, Default)]
pub struct SimDisk(Arc<Inner>);

#[derive(Default)]
struct Inner {
    state: Mutex<State>,
    unlocked: Condvar,
}

impl SimDisk {
    /// An empty disk with one folder on it.
    pub fn with_folder(path: &Path) -> Self {
        let disk = Self::default();
        let mut state = disk.state();
        for folder in path.ancestors() {
            state.count += 1;
            let number = state.count;
            state.now.folders.insert(folder.to_owned(), (number, number));
        }
        state.kept = state.now.clone();
        drop(state);
        disk
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().expect("no test thread has panicked")
    }

    fn handle(&self, state: &State, number: u64) -> OpenFile {
        OpenFile { disk: self.clone(), number, heard: AtomicU64::new(state.files[&number].refusals) }
    }

    fn wait_for(&self, number: u64) -> io::Result<()> {
        let mut state = self.state();
        while state.locked.contains(&number) {
            state = self.0.unlocked.wait(state).expect("no test thread has panicked");
        }
        state.on()?;
        state.locked.insert(number);
        Ok(())
    }

    fn unlock(&self, number: u64) {
        self.state().locked.remove(&number);
        self.0.unlocked.notify_all();
    }

    /// From here on this goes wrong; steps are counted from here.
    pub fn fail(&self, trouble: Trouble) {
        let mut state = self.state();
        (state.trouble, state.steps) = (trouble, 0);
    }

    /// How many steps there were since `fail`, or since the beginning.
    pub fn steps(&self) -> u64 {
        self.state().steps
    }

    /// Another disk with the same content, on which nothing is open and nothing goes wrong.
    pub fn copy(&self) -> Self {
        let mut state = self.state().clone();
        (state.locked, state.trouble, state.is_off) = (BTreeSet::new(), Trouble::None, false);
        Self(Arc::new(Inner { state: Mutex::new(state), unlocked: Condvar::new() }))
    }

    /// The disk as it is found when the power is back. What was open stays without power.
    pub fn restart(&self, left: Left) -> Self {
        let disk = self.copy();
        disk.state().lose(left);
        disk
    }

    /// A whole file.
    pub fn bytes(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.state();
        state.now.files.get(path).map(|number| state.files[number].now.clone())
    }

    /// Puts a file there that a power cut does not take.
    pub fn put(&self, path: &Path, bytes: &[u8]) {
        self.create_folder(path.parent().expect("a folder")).expect("made");
        self.replace(path, bytes, Safety::Synced).expect("written");
        for folder in path.ancestors().skip(1) {
            self.sync_folder(folder).expect("synced");
        }
    }

    /// Other content of the same file.
    pub fn write_anew(&self, path: &Path, bytes: &[u8]) {
        let file = self.append_to(path).expect("open");
        file.truncate(0).and_then(|()| file.append(bytes)).and_then(|()| file.sync()).expect("written");
    }

    /// The files below a folder, by path.
    pub fn below(&self, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let state = self.state();
        let files = state.now.files.iter().filter(|(path, _)| path.starts_with(folder));
        files.map(|(path, number)| (path.clone(), state.files[number].now.clone())).collect()
    }
}

struct OpenFile {
    disk: SimDisk,
    number: u64,
    /// How many refusals to sync this handle has heard of: each hears of each once, as on Linux.
    heard: AtomicU64,
}

impl ReadAt for OpenFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let state = self.disk.state();
        state.on()?;
        let bytes = &state.files[&self.number].now;
        let start = bytes.len().min(usize::try_from(offset).expect("a small file"));
        let count = buffer.len().min(bytes.len() - start);
        buffer[..count].copy_from_slice(&bytes[start..start + count]);
        Ok(count)
    }
}

impl Append for OpenFile {
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        self.disk.state().write(self.number, None, bytes)
    }

    fn truncate(&self, len: u64) -> io::Result<()> {
        let mut state = self.disk.state();
        state.step(Step::Other)?;
        let changed = state.tick();
        let content = state.files.get_mut(&self.number).expect("an open file");
        content.truncate(usize::try_from(len).expect("a small file"));
        content.changed = changed;
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = self.disk.state();
        let done = state.step(Step::Sync);
        state.on()?;
        let content = state.files.get_mut(&self.number).expect("an open file");
        match done {
            Ok(()) => content.sync(),
            Err(_) => content.refuse(),
        }
        let heard = self.heard.swap(content.refusals, Ordering::Relaxed);
        if heard == content.refusals { done } else { Err(io::Error::from_raw_os_error(5)) }
    }

    fn seen(&self) -> io::Result<SeenFile> {
        let state = self.disk.state();
        state.on()?;
        let is_named = state.now.files.values().any(|number| *number == self.number);
        Ok(SeenFile { look: state.look(self.number), is_named })
    }
}

impl InPlace for OpenFile {
    fn number(&self) -> io::Result<u64> {
        Ok(self.number)
    }

    fn overwrite(&self, bytes: &[u8]) -> io::Result<()> {
        self.disk.state().write(self.number, Some(0), bytes)
    }
}

/// The file of a lock; closed, it gives the lock back.
struct OpenLock {
    disk: SimDisk,
    number: u64,
    is_held: AtomicBool,
}

impl Latch for OpenLock {
    fn number(&self) -> io::Result<u64> {
        Ok(self.number)
    }

    fn take(&self) -> io::Result<()> {
        self.disk.wait_for(self.number)?;
        self.is_held.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn try_take(&self) -> io::Result<bool> {
        let is_free = self.disk.state().locked.insert(self.number);
        self.is_held.fetch_or(is_free, Ordering::Relaxed);
        Ok(is_free)
    }

    fn give_back(&self) -> io::Result<()> {
        if self.is_held.swap(false, Ordering::Relaxed) {
            self.disk.unlock(self.number);
        }
        Ok(())
    }
}

impl Drop for OpenLock {
    fn drop(&mut self) {
        let _ = self.give_back();
    }
}

struct Held {
    disk: SimDisk,
    number: u64,
}

impl Lock for Held {
    fn number(&self) -> io::Result<u64> {
        Ok(self.number)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.disk.unlock(self.number);
    }
}

impl Disk for SimDisk {
    fn list(&self, folder: &Path) -> io::Result<Vec<Listed>> {
        let state = self.state();
        state.on()?;
        let files = state.now.files.iter().filter(|(path, _)| path.parent() == Some(folder));
        let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
        Ok(files.map(|(path, number)| Listed { name: name(path), look: state.look(*number) }).collect())
    }

    fn folders(&self, folder: &Path) -> io::Result<Vec<String>> {
        let state = self.state();
        state.on()?;
        let folders = state.now.folders.keys().filter(|path| path.parent() == Some(folder));
        Ok(folders.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect())
    }

    fn look(&self, path: &Path) -> io::Result<Option<Look>> {
        let state = self.state();
        state.on()?;
        let folder = state.now.folders.get(path);
        let folder =
            folder.map(|(number, changed)| Look { len: 4096, changed_ns: changed.cast_signed(), number: *number });
        Ok(folder.or_else(|| state.now.files.get(path).map(|number| state.look(*number))))
    }

    fn facts(&self, path: &Path) -> io::Result<Option<Facts>> {
        let look = self.look(path)?;
        Ok(look.map(|look| Facts { number: look.number, names: 1, born_ns: None, mode: 0o700, owner: 0 }))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadAt>> {
        let state = self.state();
        state.on()?;
        let number = *state.now.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(self.handle(&state, number)))
    }

    fn append_to(&self, path: &Path) -> io::Result<Arc<dyn Append>> {
        let mut state = self.state();
        let number = state.make(path)?;
        Ok(Arc::new(self.handle(&state, number)))
    }

    fn replace(&self, path: &Path, bytes: &[u8], safety: Safety) -> io::Result<()> {
        let temporary = path.with_extension("tmp");
        let mut state = self.state();
        let number = state.make(&temporary)?;
        state.write(number, Some(0), bytes)?;
        if safety == Safety::Synced {
            state.step(Step::Sync)?;
            let content = state.files.get_mut(&number).expect("just made");
            content.kept.clone_from(&content.now);
        }
        state.step(Step::Other)?;
        state.now.files.remove(&temporary);
        state.now.files.insert(path.to_owned(), number);
        state.touch_folder_of(path);
        drop(state);
        if safety == Safety::Synced { self.sync_folder(path.parent().expect("a folder")) } else { Ok(()) }
    }

    fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.state();
        let number = state.make(path)?;
        state.write(number, Some(0), bytes)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        let number = *state.now.files.get(from).ok_or(io::ErrorKind::NotFound)?;
        if state.now.files.contains_key(to) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        state.step(Step::Grow)?;
        state.now.files.insert(to.to_owned(), number);
        state.touch_folder_of(to);
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.step(Step::Other)?;
        if let Some(number) = state.now.files.remove(from) {
            state.now.files.insert(to.to_owned(), number);
        } else {
            state.now.rename_folder(from, to)?;
        }
        state.touch_folder_of(from);
        state.touch_folder_of(to);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.step(Step::Other)?;
        state.now.files.remove(path);
        state.touch_folder_of(path);
        Ok(())
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        let folders: Vec<_> = path.ancestors().collect();
        for folder in folders.into_iter().rev() {
            if !state.now.folders.contains_key(folder) {
                state.step(Step::Grow)?;
                let number = state.tick();
                state.now.folders.insert(folder.to_owned(), (number, number));
                state.touch_folder_of(folder);
            }
        }
        Ok(())
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.step(Step::Sync)?;
        let state = &mut *state;
        let is_in = |name: &Path| name.parent() == Some(path);
        state.kept.files.retain(|name, _| !is_in(name));
        state.kept.folders.retain(|name, _| !is_in(name));
        state.kept.files.extend(state.now.files.iter().filter(|(name, _)| is_in(name)).map(|(k, v)| (k.clone(), *v)));
        let folders = state.now.folders.iter().filter(|(name, _)| is_in(name));
        state.kept.folders.extend(folders.map(|(k, v)| (k.clone(), *v)));
        Ok(())
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn Lock>> {
        let number = self.state().make(path)?;
        self.wait_for(number)?;
        Ok(Box::new(Held { disk: self.clone(), number }))
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<Box<dyn Lock>>> {
        let mut state = self.state();
        let number = state.make(path)?;
        let is_free = state.locked.insert(number);
        Ok(is_free.then(|| Box::new(Held { disk: self.clone(), number }) as Box<dyn Lock>))
    }

    fn latch(&self, path: &Path) -> io::Result<Option<Box<dyn Latch>>> {
        let number = self.state().make(path)?;
        Ok(Some(Box::new(OpenLock { disk: self.clone(), number, is_held: AtomicBool::new(false) })))
    }

    fn open_in_place(&self, path: &Path) -> io::Result<Option<Box<dyn InPlace>>> {
        let state = self.state();
        state.on()?;
        let number = *state.now.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Some(Box::new(self.handle(&state, number))))
    }

    /// There are no links here.
    fn below(self: Arc<Self>, _: &Path) -> Arc<dyn Disk> {
        self
    }
}
