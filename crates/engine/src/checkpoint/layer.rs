//! A layer: rows of tables, sorted by key, in blocks of which each can be read alone and has a checksum.
//!
//! A text file: every row is a line `"key" row`. Where the blocks of a table are is read when somebody asks for one of its
//! rows. Does not know what a row means, nor which layer is newer.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use super::page::{Page, in_json, line_of, row_of};
use annals_kernel::mix::mix;
use annals_log::disk::{Disk, ReadAt, Safety};

/// A block is closed when it has grown to what `block_bytes` says, which lies between these.
const BLOCK_BYTES: std::ops::RangeInclusive<usize> = 1 << 10..=64 << 10;

/// What the line of a block in an index has, about.
const INDEX_LINE_BYTES: usize = 64;

/// The last line of the file: where state and index are, and their checksums.
const FOOTER_BYTES: usize = 128;

/// So many blocks stay in memory, then all are let go: who asks for a row asks for its neighbours, too.
const BLOCKS_KEPT: usize = 512;

/// No section is longer: a length beyond it is a damaged one.
const MAX_READ_BYTES: usize = 1 << 30;

/// Rows of one table, sorted by key.
pub(super) type SortedRows = BTreeMap<String, String>;

/// Where a block is: offset, length, checksum.
type Block = (u64, u32, u64);

/// A layer, opened: where its tables are is in memory, the rest is not.
pub(super) struct Layer {
    file: Box<dyn ReadAt>,
    state: Section,
    tables: BTreeMap<String, Blocks>,
    kept: Mutex<BTreeMap<u64, Arc<Page>>>,
}

/// Where the blocks of a table are, by their first keys; read when somebody asks for one of them.
struct Blocks {
    section: Section,
    read: OnceLock<Page>,
}

/// A stretch of the file that is checked as a whole.
#[derive(Debug, Serialize, Deserialize)]
struct Section {
    offset: u64,
    length: u64,
    sum: u64,
}

/// Why a layer is of no use. Nothing is lost by it: the fold begins elsewhere.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadLayer {
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A checksum does not fit, or the text is none of ours.
    #[error("a block is damaged")]
    Damaged,
}

/// Writes a layer: a state, as JSON, and the rows of tables.
pub(super) fn write(
    disk: &dyn Disk,
    path: &Path,
    state: &str,
    tables: &BTreeMap<String, SortedRows>,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut index = BTreeMap::new();
    for (name, rows) in tables {
        let blocks = write_table(&mut bytes, rows);
        index.insert(name, write_section(&mut bytes, &blocks));
    }
    let index = serde_json::to_string(&index).map_err(io::Error::other)?;
    let footer = [write_section(&mut bytes, state), write_section(&mut bytes, &index)];
    let footer = footer.map(|section| section.in_words()).join(" ");
    // Of a fixed width, so that a reader finds it from the length of the file alone.
    bytes.extend_from_slice(format!("{footer:<width$}\n", width = FOOTER_BYTES - 1).as_bytes());
    // Not synced: after a power cut a checksum does not fit, and the state is folded again.
    disk.replace(path, &bytes, Safety::Cached)
}

fn write_section(bytes: &mut Vec<u8>, text: &str) -> Section {
    let (offset, length) = (bytes.len() as u64, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(b'\n');
    Section { offset, length, sum: check_sum(text.as_bytes()) }
}

/// Writes rows, and returns the index of their blocks.
fn write_table(bytes: &mut Vec<u8>, rows: &SortedRows) -> String {
    let most = block_bytes(rows.iter().map(|(key, row)| key.len() + row.len()).sum());
    let (mut index, mut rows) = (String::new(), rows.iter().peekable());
    while let Some((first, _)) = rows.peek().copied() {
        let start = bytes.len();
        while bytes.len() - start < most
            && let Some((key, row)) = rows.next()
        {
            bytes.extend_from_slice(line_of(key, row).as_bytes());
        }
        let length = u32::try_from(bytes.len() - start).expect("BUG: a row of 4 GiB");
        let block: Block = (start as u64, length, check_sum(&bytes[start..]));
        index.push_str(&line_of(first, &in_json(&block)));
    }
    index
}

/// How large the blocks of a table are. Who asks for a row reads the index and one block: the two together are least where
/// they are as long as each other. A hook asks for some ten rows, most of them in tables of a few kilobytes.
fn block_bytes(table: usize) -> usize {
    (table * INDEX_LINE_BYTES).isqrt().clamp(*BLOCK_BYTES.start(), *BLOCK_BYTES.end())
}

/// Tells damage, not forgery: whoever can write a cache can write its sums.
fn check_sum(bytes: &[u8]) -> u64 {
    mix(0, bytes)
}

impl Layer {
    /// Opens a layer and reads its index.
    pub(super) fn open(disk: &dyn Disk, path: &Path) -> Result<Self, BadLayer> {
        let length = disk.look(path)?.ok_or(io::ErrorKind::NotFound).map_err(io::Error::from)?.len;
        let file = disk.open(path)?;
        let footer = read_exactly(&*file, length.saturating_sub(FOOTER_BYTES as u64), FOOTER_BYTES)?;
        let footer = String::from_utf8_lossy(&footer).into_owned();
        let mut fields = footer.split_ascii_whitespace();
        let (state, index) = (Section::read(&mut fields)?, Section::read(&mut fields)?);
        let index = index.load(&*file)?;
        let sections: BTreeMap<String, Section> = serde_json::from_slice(&index).map_err(|_| BadLayer::Damaged)?;
        let tables = sections.into_iter().map(|(name, section)| (name, Blocks { section, read: OnceLock::new() }));
        Ok(Self { file, state, tables: tables.collect(), kept: Mutex::default() })
    }

    fn blocks(&self, table: &str) -> Result<Option<&Page>, BadLayer> {
        let Some(Blocks { section, read }) = self.tables.get(table) else { return Ok(None) };
        if let Some(blocks) = read.get() {
            return Ok(Some(blocks));
        }
        // Searched as it stands: taken apart into names, the index of a table of a million rows took longer than the
        // answer.
        let blocks = Page::of(section.load(&*self.file)?)?;
        Ok(Some(read.get_or_init(|| blocks)))
    }

    /// The state, as JSON.
    // Handed over as text: parsed here, its types would be compiled for a second parser.
    pub(super) fn state(&self) -> Result<String, BadLayer> {
        String::from_utf8(self.state.load(&*self.file)?).map_err(|_| BadLayer::Damaged)
    }

    /// The row of a key.
    pub(super) fn get(&self, table: &str, key: &str) -> Result<Option<String>, BadLayer> {
        let Some((page, place)) = self.find(table, key)? else { return Ok(None) };
        row_of(page.line(place)).map(|(_, row)| Some(row.to_owned())).ok_or(BadLayer::Damaged)
    }

    /// Whether it has a row of a key.
    pub(super) fn has(&self, table: &str, key: &str) -> Result<bool, BadLayer> {
        Ok(self.find(table, key)?.is_some())
    }

    fn find(&self, table: &str, key: &str) -> Result<Option<(Arc<Page>, usize)>, BadLayer> {
        let Some(blocks) = self.blocks(table)? else { return Ok(None) };
        let Some(block) = blocks.behind(key)?.checked_sub(1) else { return Ok(None) };
        let page = self.block(blocks, block)?;
        let found = page.find(key)?;
        Ok(found.map(|place| (page, place)))
    }

    /// Rows in the order of their keys, block by block.
    pub(super) fn each(&self, table: &str, take: &mut dyn FnMut(&str, &str)) -> Result<(), BadLayer> {
        let Some(blocks) = self.blocks(table)? else { return Ok(()) };
        for block in 0..blocks.len() {
            for line in self.block(blocks, block)?.lines() {
                let (key, row) = row_of(line).ok_or(BadLayer::Damaged)?;
                take(&key, row);
            }
        }
        Ok(())
    }

    /// Keys from the last one down, or from one that is named, until `take` has enough.
    pub(super) fn down(&self, table: &str, from: Option<&str>, take: &mut Taking<'_>) -> Result<(), BadLayer> {
        let Some(blocks) = self.blocks(table)? else { return Ok(()) };
        let end = from.map_or(Ok(blocks.len()), |from| blocks.behind(from))?;
        for block in (0..end).rev() {
            let page = self.block(blocks, block)?;
            for place in (0..page.len()).rev() {
                let key = page.key(place)?;
                if from.is_none_or(|from| key.as_ref() <= from) && take(&key)? == Take::Enough {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The names of its tables.
    pub(super) fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    fn block(&self, blocks: &Page, place: usize) -> Result<Arc<Page>, BadLayer> {
        let (_, block) = row_of(blocks.line(place)).ok_or(BadLayer::Damaged)?;
        let (offset, length, sum): Block = serde_json::from_str(block).map_err(|_| BadLayer::Damaged)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(page) = kept.get(&offset) {
            return Ok(Arc::clone(page));
        }
        let bytes = read_exactly(&*self.file, offset, length as usize)?;
        if check_sum(&bytes) != sum {
            return Err(BadLayer::Damaged);
        }
        let page = Arc::new(Page::of(bytes)?);
        if kept.len() == BLOCKS_KEPT {
            kept.clear();
        }
        kept.insert(offset, Arc::clone(&page));
        Ok(page)
    }
}

impl Section {
    fn read<'f>(fields: &mut impl Iterator<Item = &'f str>) -> Result<Self, BadLayer> {
        let mut field = || fields.next().ok_or(BadLayer::Damaged);
        let number = |text: &str| text.parse::<u64>().map_err(|_| BadLayer::Damaged);
        Ok(Self { offset: number(field()?)?, length: number(field()?)?, sum: number(field()?)? })
    }

    fn in_words(&self) -> String {
        format!("{} {} {}", self.offset, self.length, self.sum)
    }

    fn load(&self, file: &dyn ReadAt) -> Result<Vec<u8>, BadLayer> {
        let bytes = read_exactly(file, self.offset, usize::try_from(self.length).map_err(io::Error::other)?)?;
        if check_sum(&bytes) == self.sum { Ok(bytes) } else { Err(BadLayer::Damaged) }
    }
}

/// Whether more rows are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Take {
    /// Yes.
    More,
    /// No.
    Enough,
}

/// Is given keys, and says whether it wants more.
pub(super) type Taking<'t> = dyn FnMut(&str) -> Result<Take, BadLayer> + 't;

fn read_exactly(file: &dyn ReadAt, offset: u64, length: usize) -> Result<Vec<u8>, BadLayer> {
    if length > MAX_READ_BYTES {
        return Err(BadLayer::Damaged);
    }
    let mut bytes = vec![0; length];
    if file.read_at(&mut bytes, offset)? == length { Ok(bytes) } else { Err(BadLayer::Damaged) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annals_log::disk::RealDisk;

    fn rows(count: usize) -> SortedRows {
        (0..count).map(|number| (format!("key \"{number:05}\""), format!("{{\"value\":{number}}}"))).collect()
    }

    #[test]
    fn every_row_is_found_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("layer");
        let tables =
            BTreeMap::from([("a".to_owned(), rows(5000)), ("b".to_owned(), rows(1)), ("c".to_owned(), rows(0))]);
        write(&RealDisk, &path, "{}", &tables).expect("written");
        let layer = Layer::open(&RealDisk, &path).expect("opened");
        for (key, row) in rows(5000) {
            assert_eq!(layer.get("a", &key).expect("read"), Some(row));
        }
        for (table, key) in [("a", ""), ("a", "key"), ("a", "zzz"), ("b", "key \"00001\""), ("c", "x"), ("d", "x")] {
            assert_eq!(layer.get(table, key).expect("read"), None, "{table} {key}");
        }
        let mut all = SortedRows::new();
        layer
            .each("a", &mut |key, row| {
                all.insert(key.to_owned(), row.to_owned());
            })
            .expect("read");
        assert_eq!(all, rows(5000));
        for from in [None, Some(0), Some(1), Some(700), Some(4998)] {
            let name = |number: usize| format!("key \"{number:05}\"");
            let mut keys = Vec::new();
            layer
                .down("a", from.map(name).as_deref(), &mut |key| {
                    keys.push(key.to_owned());
                    Ok(Take::More)
                })
                .expect("read");
            assert_eq!(keys, (0..=from.unwrap_or(4999)).rev().map(name).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_changed_byte_is_noticed_or_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("layer");
        write(&RealDisk, &path, "{}", &BTreeMap::from([("a".to_owned(), rows(50))])).expect("written");
        let good = std::fs::read(&path).expect("read");
        let read = || -> Result<SortedRows, BadLayer> {
            let layer = Layer::open(&RealDisk, &path)?;
            layer.state()?;
            let mut all = SortedRows::new();
            layer.each("a", &mut |key, row| drop(all.insert(key.to_owned(), row.to_owned())))?;
            Ok(all)
        };
        for at in 0..good.len() - FOOTER_BYTES {
            let mut bad = good.clone();
            bad[at] ^= 1;
            std::fs::write(&path, bad).expect("written");
            let found = read();
            let is_right = found.as_ref().is_ok_and(|found| *found == rows(50));
            // Between the sections stands a newline that nobody reads.
            assert!(found.is_err() || is_right && good[at] == b'\n', "byte {at}: {found:?}");
        }
    }
}
