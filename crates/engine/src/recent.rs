//! What a session did lately, from the ends of the newest segments: for whoever must not wait for a whole reading.
//!
//! Finds what this clone has just written, and promises no more: where a session has begun before, its beginning is missing.

use std::io::{self, Read};
use std::ops::Range;

use super::{Engine, EngineError};
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::joined::join;
use annals_log::LogError;
use annals_log::disk::{ReadAt, Sequential};
use annals_log::segment::Packing;
use memchr::{memchr, memmem, memrchr};

/// So many bytes of a segment are looked at: the lines of some hours.
const MOST_BYTES: u64 = 4 << 20;
/// So many of them at once; a longer line is read, too.
const BLOCK: usize = 128 << 10;
/// So far apart are the places at which it is asked whether the session had begun.
const STEP: u64 = 256 << 10;
/// So many bytes are read at each of them.
const PROBE: usize = 8 << 10;
/// A line may be written so much later than its id was made.
const LATE_MS: i64 = 600_000;
/// Around midnight, and where git has taken the last one, a session stands in two segments.
const MOST_SEGMENTS: usize = 2;

impl Engine {
    /// The last entries of a session, in the order of their ids, each thing once.
    pub fn recent(&self, session: &SessionId) -> Result<Vec<HistoryEntry>, EngineError> {
        let marks = self.marks()?;
        let first = self.ask(|world| world.rooms.session.session(session).map(|session| session.first))?;
        // A clock that was put back since says nothing of the order of lines.
        let first = first.filter(|first| first.time() <= self.clock().now());
        let mut segments: Vec<_> = marks.iter().filter(|(name, _)| Packing::of(name) == Packing::Plain).collect();
        segments.sort_by_key(|(_, mark)| mark.last);
        let mut entries = Vec::new();
        for (name, mark) in segments.iter().rev().take(MOST_SEGMENTS) {
            let path = self.place().history().join(name);
            let file = self.disk().open(&path).map_err(LogError::at("open", &path))?;
            let stretch = stretch(&*file, mark.end, first).map_err(LogError::at("read", &path))?;
            entries.extend(end_of(&*file, &stretch, session).map_err(LogError::at("read", &path))?);
        }
        entries.sort_by_key(|entry: &HistoryEntry| entry.id);
        Ok(join(entries))
    }
}

/// Where the lines of a session lie that began with this entry: behind one that was written before it. What was imported
/// says nothing: it is older than its place.
fn stretch(file: &dyn ReadAt, length: u64, first: Option<EntryId>) -> io::Result<Range<u64>> {
    let least = length.saturating_sub(MOST_BYTES);
    let Some(first) = first else { return Ok(least..length) };
    let (mut from, mut block) = (length, vec![0; PROBE]);
    loop {
        from = from.saturating_sub(STEP).max(least);
        if from == least {
            return Ok(least..length);
        }
        let read = file.read_at(&mut block, from)?;
        if lines(&block[..read]).any(|line| is_before(line, first)) {
            return Ok(from..length);
        }
    }
}

/// The whole lines of a block; where the first one begins nobody knows.
fn lines(block: &[u8]) -> impl Iterator<Item = &[u8]> {
    let begin = memchr(b'\n', block).map_or(block.len(), |end| end + 1);
    let end = memrchr(b'\n', block).map_or(begin, |end| end.max(begin));
    block[begin..end].split(|byte| *byte == b'\n')
}

fn is_before(line: &[u8], first: EntryId) -> bool {
    const HEAD: &[u8] = b"{\"id\":\"";
    let id = line.strip_prefix(HEAD).and_then(|rest| EntryId::parse(rest.get(..26)?));
    let is_imported = || memmem::find(line, b"\"source\":{").is_some();
    id.is_some_and(|id| id.time().millis() + LATE_MS < first.time().millis()) && !is_imported()
}

/// What a stretch of a segment says of a session. In one block after the other: memory for all of it costs more than to read it.
fn end_of(file: &dyn ReadAt, stretch: &Range<u64>, session: &SessionId) -> io::Result<Vec<HistoryEntry>> {
    let mut bytes = Sequential::new(file, stretch.start).take(stretch.end - stretch.start);
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

#[cfg(test)]
mod tests {
    use super::*;
    use annals_kernel::time::Timestamp;
    use annals_log::disk::{Disk, RealDisk};

    /// A kilobyte each: one a second, and from some line on imports of something old.
    fn segment(lines: usize, imported_from: usize) -> (Vec<EntryId>, Vec<u8>) {
        let second = |number: usize| i64::try_from(number).expect("few") * 1000;
        let id = |number: usize| EntryId::new(Timestamp::from_millis(1_700_000_000_000 + second(number)), 7);
        let ids: Vec<EntryId> = (0..lines).map(id).collect();
        let line = |number: usize| {
            let is_old = number >= imported_from;
            let (id, source) = if is_old { (id(0), "\"source\":{") } else { (ids[number], "") };
            format!("{:<1023}\n", format!("{{\"id\":\"{id}\",{source}"))
        };
        (ids.clone(), (0..lines).map(line).collect::<String>().into_bytes())
    }

    fn read(bytes: &[u8], first: Option<EntryId>) -> Range<u64> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("segment");
        std::fs::write(&path, bytes).expect("written");
        stretch(&*RealDisk.open(&path).expect("opened"), bytes.len() as u64, first).expect("read")
    }

    #[test]
    fn a_session_is_read_from_where_it_began_and_not_much_before() {
        let (ids, bytes) = segment(6000, usize::MAX);
        let length = bytes.len() as u64;
        for first in [0, 1, 2000, 5000, 5900, 5999] {
            let found = read(&bytes, Some(ids[first]));
            let begins = 1024 * first as u64;
            assert!(found.end == length && (found.start <= begins || found.start == length - MOST_BYTES), "{first}");
            // Ten minutes are 600 lines here.
            assert!(found.start + 600 * 1024 + 2 * STEP > begins, "{first}: {found:?} for {begins}");
        }
        assert_eq!(read(&bytes, None), length - MOST_BYTES..length);
        assert_eq!(read(b"", None), 0..0);
        assert_eq!(read(&bytes[..5000], Some(ids[0])), 0..5000);
    }

    #[test]
    fn what_was_imported_since_hides_no_line_of_a_session() {
        let (ids, bytes) = segment(6000, 3500);
        assert!(read(&bytes, Some(ids[3000])).start <= 3000 * 1024);
    }

    #[test]
    fn a_line_longer_than_a_look_says_nothing() {
        let (ids, mut bytes) = segment(700, usize::MAX);
        bytes.extend(vec![b'x'; 2 << 20]);
        assert!(read(&bytes, Some(ids[650])).start <= 650 * 1024);
    }
}
