//! What is on the disk in memory: files and names, as they are now and as a power cut leaves them.
//!
//! Knows no handles and no locks; `disk` does.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use annals::log::disk::Look;

/// What goes wrong, and at which of the steps that change something, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trouble {
    /// Nothing.
    #[default]
    None,
    /// The power goes at this step; half of an append is done. Nothing works until `restart`.
    PowerCut(u64),
    /// This step is refused with this error; half of an append is done.
    Once(u64, i32),
    /// Every step from this one on, if it is of this kind.
    From(u64, i32, Refuses),
}

/// Which steps a disk refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refuses {
    /// Those that need room; of an append, half is done.
    Growth,
    /// All that change something.
    Everything,
    /// Those that wait for the disk.
    Syncs,
}

/// What is left after a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// What was synced, and nothing else.
    Synced,
    /// Everything that was done: all processes were killed, the machine was not.
    Everything,
    /// What was synced, and by this chance some of the rest: names, beginnings of appends, NULs where bytes should be.
    Some(u64),
}

#[derive(Clone, Default)]
pub(super) struct State {
    pub(super) files: BTreeMap<u64, Content>,
    pub(super) now: Names,
    pub(super) kept: Names,
    /// Gives numbers to files, and times to changes.
    pub(super) count: u64,
    pub(super) locked: BTreeSet<u64>,
    pub(super) steps: u64,
    pub(super) trouble: Trouble,
    pub(super) is_off: bool,
}

#[derive(Clone, Default)]
pub(super) struct Content {
    pub(super) now: Vec<u8>,
    pub(super) kept: Vec<u8>,
    /// Bytes that the disk refused to keep once: it never will, though they can be read until the power goes.
    pub(super) lost: Range<usize>,
    /// How often it refused.
    pub(super) refusals: u64,
    pub(super) changed: u64,
}

#[derive(Clone, Default)]
pub(super) struct Names {
    pub(super) files: BTreeMap<PathBuf, u64>,
    /// Number and last change.
    pub(super) folders: BTreeMap<PathBuf, (u64, u64)>,
}

impl Names {
    /// Moves a folder with everything in it.
    pub(super) fn rename_folder(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        if !self.folders.contains_key(from) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let moved = |path: &PathBuf| match path.strip_prefix(from) {
            Ok(rest) if rest.as_os_str().is_empty() => to.to_owned(),
            Ok(rest) => to.join(rest),
            Err(_) => path.clone(),
        };
        self.files = self.files.iter().map(|(path, number)| (moved(path), *number)).collect();
        self.folders = self.folders.iter().map(|(path, of)| (moved(path), *of)).collect();
        Ok(())
    }
}

/// What a step does to the disk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Grow,
    Sync,
    Other,
}

impl State {
    pub(super) fn on(&self) -> io::Result<()> {
        if self.is_off { Err(io::Error::other("the power is off")) } else { Ok(()) }
    }

    /// Counts a step; says whether it goes wrong.
    pub(super) fn step(&mut self, kind: Step) -> io::Result<()> {
        self.on()?;
        let now = self.steps;
        self.steps += 1;
        match self.trouble {
            Trouble::PowerCut(at) if now == at => {
                self.is_off = true;
                self.on()
            }
            Trouble::Once(at, error) if now == at => Err(io::Error::from_raw_os_error(error)),
            Trouble::From(at, error, refuses) if now >= at && refuses.covers(kind) => {
                Err(io::Error::from_raw_os_error(error))
            }
            Trouble::None | Trouble::PowerCut(_) | Trouble::Once(..) | Trouble::From(..) => Ok(()),
        }
    }

    pub(super) fn tick(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    pub(super) fn touch_folder_of(&mut self, path: &Path) {
        let now = self.tick();
        if let Some((_, changed)) = path.parent().and_then(|folder| self.now.folders.get_mut(folder)) {
            *changed = now;
        }
    }

    /// The file at a path, made if it is not there.
    pub(super) fn make(&mut self, path: &Path) -> io::Result<u64> {
        if let Some(number) = self.now.files.get(path) {
            return Ok(*number);
        }
        self.step(Step::Grow)?;
        if !path.parent().is_some_and(|folder| self.now.folders.contains_key(folder)) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let number = self.tick();
        self.files.insert(number, Content { changed: number, ..Content::default() });
        self.now.files.insert(path.to_owned(), number);
        self.touch_folder_of(path);
        Ok(number)
    }

    /// Changes a file; where the step is refused, half of the bytes are there all the same.
    pub(super) fn write(&mut self, number: u64, offset: Option<usize>, bytes: &[u8]) -> io::Result<()> {
        self.on()?;
        let done = self.step(Step::Grow);
        let was_half = done.is_ok() || offset.is_none();
        let bytes = if done.is_ok() { bytes } else { &bytes[..bytes.len() / 2] };
        let changed = self.tick();
        let content = self.files.get_mut(&number).expect("an open file");
        if was_half {
            let start = offset.unwrap_or(content.now.len());
            content.now.resize(content.now.len().max(start + bytes.len()), 0);
            content.now[start..start + bytes.len()].copy_from_slice(bytes);
            content.changed = changed;
        }
        done
    }

    pub(super) fn look(&self, number: u64) -> Look {
        let content = &self.files[&number];
        Look { len: content.now.len() as u64, changed_ns: content.changed.cast_signed(), number }
    }

    pub(super) fn lose(&mut self, left: Left) {
        let mut chance = match left {
            Left::Everything => return,
            Left::Synced => None,
            Left::Some(seed) => Some(Chance(seed)),
        };
        for content in self.files.values_mut() {
            content.now = chance.as_mut().map_or_else(|| content.kept.clone(), |chance| content.some_of_it(chance));
            content.kept.clone_from(&content.now);
            content.lost = 0..0;
        }
        let mut names = self.kept.clone();
        if let Some(chance) = &mut chance {
            names = Names {
                files: chance.mix(&self.kept.files, &self.now.files),
                folders: chance.mix(&self.kept.folders, &self.now.folders),
            };
        }
        // What stands in a folder that is gone is gone, too.
        let all = names.folders.clone();
        let is_there = |path: &Path| path.ancestors().skip(1).all(|folder| all.contains_key(folder));
        names.folders.retain(|path, _| is_there(path));
        names.files.retain(|path, _| is_there(path));
        (self.now, self.kept) = (names.clone(), names);
    }
}

impl Content {
    /// Everything is kept now, but what was refused once.
    pub(super) fn sync(&mut self) {
        self.kept.clone_from(&self.now);
        self.kept[self.lost.clone()].fill(0);
    }

    /// What a refused sync was about will never be kept (Linux forgets that the pages were to be written).
    pub(super) fn refuse(&mut self) {
        let start = self.kept.len().min(self.now.len());
        let start = if self.lost.is_empty() { start } else { self.lost.start };
        self.lost = start..self.now.len();
        self.refusals += 1;
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.now.resize(len, 0);
        self.lost = self.lost.start.min(len)..self.lost.end.min(len);
    }

    /// What was synced, and some of the rest.
    fn some_of_it(&self, chance: &mut Chance) -> Vec<u8> {
        let (now, kept) = (&self.now, &self.kept);
        if now.starts_with(kept) {
            let more = kept.len() + chance.below(now.len() - kept.len() + 1);
            let mut bytes = now[..more].to_vec();
            if chance.below(3) == 0 {
                bytes.resize(now.len(), 0);
            }
            return bytes;
        }
        match chance.below(3) {
            0 => now.clone(),
            1 => kept.clone(),
            _ => {
                let half = now.len() / 2;
                [&now[..half], kept.get(half..).unwrap_or_default()].concat()
            }
        }
    }
}

impl Refuses {
    fn covers(self, kind: Step) -> bool {
        match self {
            Self::Everything => true,
            Self::Growth => kind == Step::Grow,
            Self::Syncs => kind == Step::Sync,
        }
    }
}

/// Chance that is the same every time.
pub struct Chance(pub u64);

impl Chance {
    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).expect("below a usize")
    }

    fn mix<V: Copy + PartialEq>(
        &mut self,
        old: &BTreeMap<PathBuf, V>,
        new: &BTreeMap<PathBuf, V>,
    ) -> BTreeMap<PathBuf, V> {
        let paths: BTreeSet<&PathBuf> = old.keys().chain(new.keys()).collect();
        let pick = |path: &PathBuf| {
            let (old, new) = (old.get(path).copied(), new.get(path).copied());
            let picked = if old == new || self.below(2) == 0 { new } else { old };
            picked.map(|value| (path.clone(), value))
        };
        paths.into_iter().filter_map(pick).collect()
    }
}
