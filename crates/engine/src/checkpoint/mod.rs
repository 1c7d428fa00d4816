//! `local/checkpoint/`: the folded state up to an entry, in layers, so that a command opens what it needs.
//!
//! A layer holds the rows that changed since the one below it. It is a cache: where it is missing, damaged, of another
//! version or does not fit the segments, the fold begins below it or from nothing. Does not fold.

mod layer;
mod page;
mod ranks;
mod shelf;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub(crate) use self::layer::BadLayer;
use self::layer::{Layer, SortedRows};
use self::ranks::{Begins, First};
pub(crate) use self::shelf::{LeftOut, Shelf};
use annals_kernel::id::EntryId;
use annals_kernel::rows::Store;
use annals_log::disk::{Disk, Safety};
use annals_log::sealed::{seal, unseal};
use annals_log::watermarks::{Watermark, Watermarks};
use annals_rules::domain::{Heads, Rooms};
use annals_rules::world::World;
use annals_rules::world::clock::Begun;
use annals_rules::world::oddity::Oddities;

/// Raised when the fold of an entry changes, or what is stored of it.
const STATE_VERSION: u32 = 24;

/// The table that says how far each segment was read. Every layer has all of it.
const SEGMENTS: &str = "segments";

/// A layer is joined with the one below when it has at least this share of its rows: one in so many.
const JOIN_RATIO: u64 = 4;

/// What `manifest` holds.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    version: String,
    /// From the oldest to the newest.
    layers: Vec<Entry>,
}

/// One layer of the manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Entry {
    file: String,
    /// How many rows it holds.
    rows: u64,
    /// The last entry that is folded in.
    last: EntryId,
}

/// What a layer keeps beside its rows.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    heads: Heads,
    oddities: Oddities,
    /// Where the lists of the layers below begin to tell something new.
    begins: Begins,
    /// Whether it holds more than imports.
    begun: Begun,
}

/// The stored states of a log.
pub(crate) struct Checkpoint {
    folder: PathBuf,
    entries: Vec<Entry>,
    layers: Vec<Layer>,
    /// As in the newest layer, and what was found out since.
    begins: Begins,
}

fn version() -> String {
    format!("{}/{STATE_VERSION}", env!("CARGO_PKG_VERSION"))
}

impl Checkpoint {
    /// Opens what there is; nothing where it is missing, damaged or of another version.
    pub(crate) fn open(disk: &dyn Disk, local: &Path) -> Self {
        let folder = local.join("checkpoint");
        // A layer may go while the manifest is read: whoever stores a new state removes what it has joined.
        let opened = (0..3).find_map(|_| Self::try_open(disk, &folder));
        opened.unwrap_or_else(|| Self::none(local))
    }

    /// A checkpoint that holds nothing.
    pub(crate) fn none(local: &Path) -> Self {
        Self { folder: local.join("checkpoint"), entries: Vec::new(), layers: Vec::new(), begins: Begins::new() }
    }

    fn try_open(disk: &dyn Disk, folder: &Path) -> Option<Self> {
        let bytes = disk.read(&folder.join("manifest")).ok()??;
        let manifest: Manifest = serde_json::from_str(unseal(&bytes)?).ok()?;
        if manifest.version != version() {
            return None;
        }
        // A manifest that somebody brought must not name a file elsewhere.
        let is_plain = |name: &str| name.starts_with("layer-") && !name.contains('/');
        let open =
            |entry: &Entry| is_plain(&entry.file).then(|| Layer::open(disk, &folder.join(&entry.file)).ok()).flatten();
        let layers = manifest.layers.iter().map(open).collect::<Option<Vec<_>>>()?;
        Some(Self { folder: folder.to_owned(), entries: manifest.layers, layers, begins: Begins::new() })
    }

    /// Whether another opened checkpoint has all of these states, and perhaps newer ones.
    pub(crate) fn is_below(&self, other: &Self) -> bool {
        other.entries.starts_with(&self.entries)
    }

    /// Goes back to the newest state before an entry.
    pub(crate) fn go_before(&mut self, entry: EntryId) {
        let keep = self.entries.iter().take_while(|stored| stored.last < entry).count();
        self.entries.truncate(keep);
        self.layers.truncate(keep);
    }

    /// The file of the newest state: another one after each that is stored.
    pub(crate) fn newest_file(&self) -> Option<&str> {
        self.entries.last().map(|entry| entry.file.as_str())
    }

    /// The newest state, with no row in memory yet, and how far the segments were read for it.
    ///
    /// A damaged one is dropped, and the one below it is the newest.
    fn newest_state(&mut self, store: &Arc<dyn Store>) -> (World, Watermarks) {
        loop {
            let world = self.newest_world(store);
            match self.marks() {
                Ok(marks) => return (world, marks),
                Err(_) => self.drop_newest(),
            }
        }
    }

    /// The newest state without what is known of the segments. A damaged one is dropped.
    fn newest_world(&mut self, store: &Arc<dyn Store>) -> World {
        while let (Some(entry), Some(layer)) = (self.entries.last(), self.layers.last()) {
            let kept = layer.state().ok().and_then(|text| serde_json::from_str::<Kept>(&text).ok());
            if let Some(Kept { heads, oddities, begins, begun }) = kept {
                self.begins = begins;
                let rooms = Rooms::above(heads, store);
                return World { rooms, oddities, last: entry.last, begun, ..World::default() };
            }
            self.drop_newest();
        }
        self.begins.clear();
        World::default()
    }

    /// How far the segments were read for the newest state.
    pub(crate) fn marks(&self) -> Result<Watermarks, BadLayer> {
        let (mut marks, mut is_damaged) = (Vec::new(), false);
        if let Some(layer) = self.layers.last() {
            layer.each(SEGMENTS, &mut |name, mark| match serde_json::from_str::<Watermark>(mark) {
                Ok(mark) => marks.push((name.to_owned(), mark)),
                Err(_) => is_damaged = true,
            })?;
        }
        if is_damaged { Err(BadLayer::Damaged) } else { Ok(marks.into_iter().collect()) }
    }

    fn drop_newest(&mut self) {
        self.entries.pop();
        self.layers.pop();
    }

    /// The row of a key in the newest layer that has it.
    fn row(&self, table: &str, key: &str) -> Result<Option<String>, BadLayer> {
        for layer in self.layers.iter().rev() {
            if let Some(row) = layer.get(table, key)? {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    fn all_rows(&self, table: &str) -> Result<SortedRows, BadLayer> {
        let mut rows = SortedRows::new();
        for layer in &self.layers {
            layer.each(table, &mut |key, row| {
                rows.insert(key.to_owned(), row.to_owned());
            })?;
        }
        Ok(rows)
    }

    fn first_by_rank(&mut self, table: &str, count: usize) -> Result<Vec<String>, BadLayer> {
        let mut keys = Vec::new();
        for depth in 0..self.layers.len() {
            keys.append(&mut self.first_ranked(table, count, depth)?);
        }
        Ok(keys)
    }

    /// The keys that come first by rank in a layer, without those that a newer layer holds, too.
    fn first_ranked(&mut self, name: &str, count: usize, depth: usize) -> Result<Vec<String>, BadLayer> {
        let file = &self.entries[depth].file;
        let begin = self.begins.get(file).and_then(|tables| tables.get(name)).map(String::as_str);
        let is_newer = |key: &str| self.is_newer(name, key, depth);
        let first = First::of(&self.layers[depth], name, begin, count, is_newer)?;
        if let Some(begin) = first.begin {
            self.begins.entry(file.clone()).or_default().insert(name.to_owned(), begin);
        }
        Ok(first.keys)
    }

    fn is_newer(&self, name: &str, key: &str, depth: usize) -> Result<bool, BadLayer> {
        for layer in &self.layers[depth + 1..] {
            if layer.has(name, key)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Checkpoint {
    /// Stores a state on top of the layers that it began from.
    pub(crate) fn store(&mut self, disk: &dyn Disk, world: &World, marks: &Watermarks) -> io::Result<()> {
        disk.create_folder(&self.folder)?;
        let mut tables: BTreeMap<String, SortedRows> = BTreeMap::new();
        let mut ranks: BTreeMap<String, BTreeMap<String, i64>> = BTreeMap::new();
        for (name, table) in world.rooms.tables() {
            for (key, rank, row) in table.changed_text() {
                tables.entry(name.to_owned()).or_default().insert(key.clone(), row);
                ranks.entry(name.to_owned()).or_default().insert(key, rank);
            }
        }
        while self.top_is_small(&tables) {
            self.join_top(&mut tables, &mut ranks).map_err(io::Error::other)?;
        }
        let rows = count(&tables);
        for (name, keys) in ranks {
            let sorted = keys.iter().map(|(key, rank)| (ranks::place_of(*rank, key), String::from("0"))).collect();
            tables.insert(ranks::list_of(&name), sorted);
        }
        tables.insert(SEGMENTS.to_owned(), rows_of(marks).map_err(io::Error::other)?);
        let file = format!("layer-{}-{}", world.last, self.entries.len());
        self.begins.retain(|file, _| self.entries.iter().any(|below| below.file == *file));
        let (oddities, begins) = (world.oddities.clone(), self.begins.clone());
        let kept = Kept { heads: world.rooms.heads(), oddities, begins, begun: world.begun };
        let state = serde_json::to_string(&kept).map_err(io::Error::other)?;
        layer::write(disk, &self.folder.join(&file), &state, &tables)?;
        self.layers.push(Layer::open(disk, &self.folder.join(&file)).map_err(io::Error::other)?);
        self.entries.push(Entry { file, rows, last: world.last });
        self.publish(disk)
    }

    fn top_is_small(&self, tables: &BTreeMap<String, SortedRows>) -> bool {
        // Each row is so written anew a few times at most, however many layers were stored above it; the 64 keep tiny
        // layers from piling up.
        self.entries.last().is_some_and(|top| top.rows <= JOIN_RATIO * count(tables) + 64)
    }

    /// Takes the newest layer off and puts its rows below the new ones.
    fn join_top(
        &mut self,
        tables: &mut BTreeMap<String, SortedRows>,
        ranks: &mut BTreeMap<String, BTreeMap<String, i64>>,
    ) -> Result<(), BadLayer> {
        let (Some(top), Some(_)) = (self.layers.pop(), self.entries.pop()) else { return Ok(()) };
        let is_of_rooms = |name: &&str| *name != SEGMENTS && !ranks::is_list(name);
        let names: Vec<_> = top.tables().filter(is_of_rooms).map(str::to_owned).collect();
        for name in names {
            let rows = tables.entry(name.clone()).or_default();
            let mut old = BTreeSet::new();
            top.each(&name, &mut |key, row| {
                if !rows.contains_key(key) {
                    rows.insert(key.to_owned(), row.to_owned());
                    old.insert(key.to_owned());
                }
            })?;
            let ranks = ranks.entry(name.clone()).or_default();
            top.each(&ranks::list_of(&name), &mut |ranked, _| {
                if let Some((rank, key)) = ranks::read(ranked)
                    && old.contains(key)
                {
                    ranks.insert(key.to_owned(), rank);
                }
            })?;
        }
        Ok(())
    }

    /// Makes the new state the one that is found, then removes the files that no state needs.
    fn publish(&self, disk: &dyn Disk) -> io::Result<()> {
        let manifest = Manifest { version: version(), layers: self.entries.clone() };
        let text = serde_json::to_string(&manifest).map_err(io::Error::other)?;
        // The manifest changes before layers go: a reader finds either the old list with its files or the new one.
        disk.replace(&self.folder.join("manifest"), seal(&text).as_bytes(), Safety::Cached)?;
        for file in disk.list(&self.folder)? {
            if file.name.starts_with("layer-") && !self.entries.iter().any(|entry| entry.file == file.name) {
                disk.remove(&self.folder.join(&file.name))?;
            }
        }
        Ok(())
    }
}

fn rows_of(marks: &Watermarks) -> Result<SortedRows, serde_json::Error> {
    marks.iter().map(|(name, mark)| Ok((name.to_owned(), serde_json::to_string(mark)?))).collect()
}

fn count(tables: &BTreeMap<String, SortedRows>) -> u64 {
    tables.values().map(|rows| rows.len() as u64).sum()
}
