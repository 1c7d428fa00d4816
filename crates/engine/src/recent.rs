//! What a session did lately, from the ends of the newest segments: for whoever must not wait for a whole reading.
//!
//! Finds what this clone has just written, and promises no more: where a session has begun before, its beginning is missing.

use std::io::{self, Read};

use super::{Engine, EngineError};
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::SessionId;
use annals_kernel::joined::join;
use annals_log::LogError;
use annals_log::disk::{ReadAt, Sequential};
use annals_log::segment::Packing;
use memchr::{memchr, memmem, memrchr};

/// So many bytes of a segment are looked at: the lines of some hours.
const MOST_BYTES: u64 = 4 << 20;
/// So many of them at once; a longer line is read, too.
const BLOCK: usize = 128 << 10;
/// Around midnight, and where git has taken the last one, a session stands in two segments.
const MOST_SEGMENTS: usize = 2;

impl Engine {
    /// The last entries of a session, in the order of their ids, each thing once.
    pub fn recent(&self, session: &SessionId) -> Result<Vec<HistoryEntry>, EngineError> {
        let marks = self.marks()?;
        let mut segments: Vec<_> = marks.iter().filter(|(name, _)| Packing::of(name) == Packing::Plain).collect();
        segments.sort_by_key(|(_, mark)| mark.last);
        let mut entries = Vec::new();
        for (name, mark) in segments.iter().rev().take(MOST_SEGMENTS) {
            let path = self.place().history().join(name);
            let file = self.disk().open(&path).map_err(LogError::at("open", &path))?;
            entries.extend(end_of(&*file, mark.end, session).map_err(LogError::at("read", &path))?);
        }
        entries.sort_by_key(|entry: &HistoryEntry| entry.id);
        Ok(join(entries))
    }
}

/// What the end of a segment says of a session. In one block after the other: memory for all of it costs more than to read it.
fn end_of(file: &dyn ReadAt, length: u64, session: &SessionId) -> io::Result<Vec<HistoryEntry>> {
    let from = length.saturating_sub(MOST_BYTES);
    let mut bytes = Sequential::new(file, from).take(length - from);
    let (mut block, mut held, mut entries) = (vec![0; BLOCK], 0, Vec::new());
    loop {
        let read = bytes.read(&mut block[held..])?;
        let filled = held + read;
        if read == 0 {
            entries.extend(of_session(&block[..filled], session));
            return Ok(entries);
        }
        let whole = memrchr(b'\n', &block[..filled]).map_or(0, |end| end + 1);
        entries.extend(of_session(&block[..whole], session));
        block.copy_within(whole..filled, 0);
        held = filled - whole;
        if held == block.len() {
            block.resize(2 * held, 0);
        }
    }
}

/// The first line may be cut, and is then no entry. Only lines that name the session are looked for and read.
fn of_session(bytes: &[u8], session: &SessionId) -> Vec<HistoryEntry> {
    let name = memmem::Finder::new(session.as_str().as_bytes());
    let (mut entries, mut from) = (Vec::new(), 0);
    while from < bytes.len()
        && let Some(at) = name.find(&bytes[from..]).map(|at| from + at)
    {
        let begin = memrchr(b'\n', &bytes[from..at]).map_or(from, |end| from + end + 1);
        let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end);
        let line = std::str::from_utf8(&bytes[begin..end]).ok().and_then(|line| HistoryEntry::read(line).ok());
        entries.extend(line.filter(|entry| entry.session_id == *session));
        from = end + 1;
    }
    entries
}
