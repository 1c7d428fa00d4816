//! `history/embeddings/index.db`: read in one pass, written at its end, each batch synced before the next is asked for.
//!
//! One process writes at a time. What a crash tore at the end counts as absent and is cut off by the next writer; rows of
//! what is gone, or says something else by now, are taken out before and after a run.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use annals_engine::{Engine, EngineError};
use annals_log::LogError;
use annals_log::disk::{Append, Lock, ReadAt, Safety};

use super::codec::{Header, MOST_HEADER, RowRead, RowView, VectorSpace};
use super::subject::{EmbeddedText, Subject, TextHash};
use super::vector::VectorRow;

/// So much is read at once: as much as stays near the processor.
const READ_BYTES: usize = 256 * 1024;

fn folder(engine: &Engine) -> PathBuf {
    engine.place().history().join("embeddings")
}

fn path(engine: &Engine) -> PathBuf {
    folder(engine).join("index.db")
}

/// The file, where there is one.
pub(crate) fn open_vectors(engine: &Engine) -> Option<Box<dyn ReadAt>> {
    engine.disk().open(&path(engine)).ok()
}

/// Which model made the vectors that there are, and how many numbers they have; none where there are none.
pub fn embedding_state(engine: &Engine) -> Option<(VectorSpace, usize)> {
    let (header, _) = header(&*open_vectors(engine)?).ok()??;
    Some((header.space, header.dimension))
}

fn header(file: &dyn ReadAt) -> io::Result<Option<(Header, usize)>> {
    let mut bytes = vec![0; MOST_HEADER];
    let length = file.read_at(&mut bytes, 0)?;
    Ok(Header::read(&bytes[..length]))
}

/// What was read of a file.
pub(super) struct ReadVectors {
    pub header: Header,
    /// Where the last whole row ends.
    pub end: u64,
}

/// Looks at every row up to the first that is torn; none where there is no header of ours.
pub(super) fn scan(file: &dyn ReadAt, mut look: impl FnMut(RowView<'_>)) -> io::Result<Option<ReadVectors>> {
    let Some((header, length)) = header(file)? else { return Ok(None) };
    let mut end = length as u64;
    let mut buffer = vec![0; READ_BYTES];
    let mut filled = 0;
    loop {
        let read = file.read_at(&mut buffer[filled..], end + filled as u64)?;
        filled += read;
        let mut at = 0;
        let is_torn = loop {
            match RowRead::of(&buffer[at..filled], header.dimension) {
                RowRead::Whole(row) => {
                    at += row.bytes.len();
                    look(row);
                }
                RowRead::Short => break read == 0,
                RowRead::Torn => break true,
            }
        };
        end += at as u64;
        if is_torn {
            return Ok(Some(ReadVectors { header, end }));
        }
        buffer.copy_within(at..filled, 0);
        filled -= at;
        if filled == buffer.len() {
            buffer.resize(buffer.len() * 2, 0);
        }
    }
}

/// What there was when a file was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Beginning {
    /// Nothing that can be read.
    Nothing,
    /// Vectors of the same model.
    Same,
    /// Vectors of another one: they count no more.
    Other(VectorSpace),
}

/// The file, open for more.
pub struct VectorFile<'e> {
    engine: &'e Engine,
    space: VectorSpace,
    /// How many numbers a vector has, where there are any.
    dimension: Option<usize>,
    known: BTreeMap<Subject, TextHash>,
    /// How many rows there are, those included that count no more.
    rows: usize,
    out: Option<Arc<dyn Append>>,
    beginning: Beginning,
    _lock: Box<dyn Lock>,
}

impl<'e> VectorFile<'e> {
    /// For vectors of a model; none where another process writes there.
    pub fn open(engine: &'e Engine, space: VectorSpace) -> Result<Option<Self>, EngineError> {
        let (disk, lock) = (engine.disk(), folder(engine).join("lock"));
        disk.create_folder(&folder(engine)).map_err(LogError::at("make", &folder(engine)))?;
        let Some(lock) = disk.try_lock(&lock).map_err(LogError::at("lock", &lock))? else { return Ok(None) };
        let mut file = Self {
            engine,
            space,
            dimension: None,
            known: BTreeMap::new(),
            rows: 0,
            out: None,
            beginning: Beginning::Nothing,
            _lock: lock,
        };
        file.read().map_err(LogError::at("read", &path(engine)))?;
        Ok(Some(file))
    }

    /// What there was.
    pub fn beginning(&self) -> &Beginning {
        &self.beginning
    }

    /// How many numbers its vectors have, where there are any.
    pub fn dimension(&self) -> Option<usize> {
        self.dimension
    }

    /// Of how many things it has a vector.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// The texts of which it has no vector.
    pub fn missing<'t>(&self, texts: &'t [EmbeddedText]) -> Vec<&'t EmbeddedText> {
        texts.iter().filter(|text| self.known.get(&text.subject) != Some(&text.hash)).collect()
    }

    /// Puts rows behind the others; they are on the disk when it returns. The first ones replace what counts no more.
    pub fn append(&mut self, rows: &[VectorRow]) -> Result<(), EngineError> {
        let Some(first) = rows.first() else { return Ok(()) };
        let at = path(self.engine);
        let bytes: Vec<u8> = rows.iter().filter_map(VectorRow::write).flatten().collect();
        let written = if let Some(out) = &self.out {
            out.append(&bytes).and_then(|()| out.sync()).and_then(|()| require_name(&**out))
        } else {
            let header = Header { space: self.space.clone(), dimension: first.vector.len() };
            self.rows = 0;
            self.put(&header, &bytes)
        };
        written.map_err(LogError::at("write", &at))?;
        self.dimension = Some(first.vector.len());
        self.rows += rows.len();
        self.known.extend(rows.iter().map(|row| (row.subject.clone(), row.hash)));
        Ok(())
    }

    /// Lets go of all vectors: those that come next are of another length.
    pub fn restart(&mut self) {
        (self.dimension, self.out) = (None, None);
        self.known.clear();
    }

    /// Takes out the rows of what is not among the texts, or says something else there.
    pub fn keep_only(&mut self, texts: &[EmbeddedText]) -> Result<(), EngineError> {
        let wanted: BTreeMap<_, _> = texts.iter().map(|text| (&text.subject, text.hash)).collect();
        self.known.retain(|subject, hash| wanted.get(subject) == Some(hash));
        if self.out.is_none() || self.known.len() == self.rows {
            return Ok(());
        }
        self.rewrite().map_err(LogError::at("write", &path(self.engine)))?;
        Ok(())
    }

    fn read(&mut self) -> io::Result<()> {
        let Some(file) = open_vectors(self.engine) else { return Ok(()) };
        let (mut known, mut rows) = (BTreeMap::new(), 0);
        let scanned = scan(&*file, |row| {
            rows += 1;
            known.extend(row.subject().map(|subject| (subject, row.hash)));
        })?;
        let Some(ReadVectors { header, end }) = scanned else { return Ok(()) };
        if header.space != self.space {
            self.beginning = Beginning::Other(header.space);
            return Ok(());
        }
        let out = self.engine.disk().append_to(&path(self.engine))?;
        if out.look()?.len > end {
            out.truncate(end)?;
        }
        (self.beginning, self.dimension, self.out) = (Beginning::Same, Some(header.dimension), Some(out));
        (self.known, self.rows) = (known, rows);
        Ok(())
    }

    /// Writes the rows anew that are known, one of each.
    fn rewrite(&mut self) -> io::Result<()> {
        let Some(file) = open_vectors(self.engine) else { return Ok(()) };
        let (mut left, mut bytes) = (self.known.clone(), Vec::new());
        let scanned = scan(&*file, |row| {
            let Some(subject) = row.subject() else { return };
            if left.get(&subject) == Some(&row.hash) {
                left.remove(&subject);
                bytes.extend_from_slice(row.bytes);
            }
        })?;
        let Some(ReadVectors { header, .. }) = scanned else { return Ok(()) };
        // What was known and cannot be read any more is embedded anew.
        self.known.retain(|subject, _| !left.contains_key(subject));
        self.rows = self.known.len();
        self.put(&header, &bytes)
    }

    fn put(&mut self, header: &Header, rows: &[u8]) -> io::Result<()> {
        let (disk, path) = (self.engine.disk(), path(self.engine));
        disk.replace(&path, &[&header.write(), rows].concat(), Safety::Synced)?;
        self.out = Some(disk.append_to(&path)?);
        Ok(())
    }
}

/// A scrub removes the file: what is written to it then is nowhere.
fn require_name(out: &dyn Append) -> io::Result<()> {
    let gone = || io::Error::new(io::ErrorKind::NotFound, "it was removed meanwhile");
    if out.seen()?.is_named { Ok(()) } else { Err(gone()) }
}
