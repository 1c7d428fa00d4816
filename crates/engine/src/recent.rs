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
            let bytes = end_of(&*file, mark.end).map_err(LogError::at("read", &path))?;
            entries.extend(of_session(&bytes, session));
        }
        entries.sort_by_key(|entry: &HistoryEntry| entry.id);
        Ok(join(entries))
    }
}

fn end_of(file: &dyn ReadAt, length: u64) -> io::Result<Vec<u8>> {
    let from = length.saturating_sub(MOST_BYTES);
    let mut bytes = Vec::new();
    Sequential::new(file, from).take(length - from).read_to_end(&mut bytes)?;
    Ok(bytes)
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
