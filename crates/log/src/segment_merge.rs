//! The lines of several segments as one: each segment keeps its order, and between them the ids decide, so that a writer's
//! lines stand as they were written, whatever the names of the files. A line that stands in several is there once.
//!
//! Reads the segments twice, and keeps where each line begins. Does not understand lines: one without an id in our shape
//! stays behind the one before it.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::disk::{Disk, ReadAt, Sequential};
use super::find::id_of;
use super::segment::Segment;
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;

/// So many segments stay open: writers take turns.
const MOST_OPEN: usize = 16;

/// Where a line stands, and behind which id it belongs.
struct MergePlace {
    turn: EntryId,
    piece: usize,
    start: u64,
    end: u64,
    hash: Option<LineHash>,
}

/// Lines that follow one another in a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    piece: usize,
    start: u64,
    end: u64,
    /// Whether a newline follows that the segment lacks.
    is_torn: bool,
}

/// Reads lines of several segments as one text.
pub struct SegmentMerge<'d> {
    disk: &'d dyn Disk,
    paths: Vec<PathBuf>,
    runs: std::vec::IntoIter<Run>,
    now: Option<Run>,
    open: Vec<(usize, Box<dyn ReadAt>)>,
}

impl<'d> SegmentMerge<'d> {
    /// The lines of some segments, as long as they are now.
    pub fn of(disk: &'d dyn Disk, history: &Path, pieces: &[Segment]) -> io::Result<Self> {
        let paths: Vec<_> = pieces.iter().map(|piece| history.join(&piece.name)).collect();
        let mut places = Vec::new();
        let mut ends = Vec::new();
        for (piece, (path, segment)) in paths.iter().zip(pieces).enumerate() {
            let file = disk.open(path)?;
            let lines = BufReader::with_capacity(1 << 18, Sequential::new(&*file, 0).take(segment.look.len));
            ends.push(look_through(lines, piece, &mut places)?);
        }
        places.sort_by_key(|place| (place.turn, place.piece, place.start));
        let runs = runs(places, &ends).into_iter();
        Ok(Self { disk, paths, runs, now: None, open: Vec::new() })
    }

    fn file(&mut self, piece: usize) -> io::Result<&dyn ReadAt> {
        let place = self.open.iter().position(|(open, _)| *open == piece);
        if place.is_none() {
            if self.open.len() == MOST_OPEN {
                self.open.remove(0);
            }
            self.open.push((piece, self.disk.open(&self.paths[piece])?));
        }
        let at = place.unwrap_or(self.open.len() - 1);
        Ok(&*self.open[at].1)
    }
}

impl Read for SegmentMerge<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(run) = self.now.or_else(|| self.runs.next()) else { return Ok(0) };
            let left = usize::try_from(run.end - run.start).unwrap_or(usize::MAX).min(buffer.len());
            if left > 0 {
                let count = self.file(run.piece)?.read_at(&mut buffer[..left], run.start)?;
                if count == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                self.now = Some(Run { start: run.start + count as u64, ..run });
                return Ok(count);
            }
            if run.start < run.end || (run.is_torn && buffer.is_empty()) {
                self.now = Some(run);
                return Ok(0);
            }
            self.now = None;
            if run.is_torn {
                buffer[0] = b'\n';
                return Ok(1);
            }
        }
    }
}

/// Notes the lines of a segment; returns where the last one ends that lacks its newline.
fn look_through(mut lines: impl io::BufRead, piece: usize, places: &mut Vec<MergePlace>) -> io::Result<Option<u64>> {
    let (mut line, mut start, mut turn) = (Vec::new(), 0, EntryId::MIN);
    loop {
        line.clear();
        let count = lines.read_until(b'\n', &mut line)?;
        if count == 0 {
            return Ok(None);
        }
        let end = start + count as u64;
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let id = id_of(text);
        // A writer's lines must not change places, or its chain would read as broken: one with a lower id than the
        // line before it (an import) keeps its place behind that line.
        turn = id.map_or(turn, |id| turn.max(id));
        places.push(MergePlace { turn, piece, start, end, hash: id.map(|_| LineHash::of(text)) });
        if text.len() == line.len() {
            return Ok(Some(end));
        }
        start = end;
    }
}

/// Joins what follows one another, and leaves out what an earlier segment had.
fn runs(places: Vec<MergePlace>, torn: &[Option<u64>]) -> Vec<Run> {
    let (mut runs, mut first): (Vec<Run>, BTreeMap<LineHash, usize>) = (Vec::new(), BTreeMap::new());
    for place in places {
        let MergePlace { piece, start, end, hash, .. } = place;
        // Twice within one segment is a finding of `verify` that packing must not hide; only copies between segments
        // go.
        if hash.is_some_and(|hash| *first.entry(hash).or_insert(piece) != piece) {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.piece == piece && run.end == start => run.end = end,
            Some(_) | None => runs.push(Run { piece, start, end, is_torn: false }),
        }
        if let Some(run) = runs.last_mut() {
            run.is_torn = torn[piece] == Some(end);
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::RealDisk;
    use crate::testing::line;

    fn woven(pieces: &[(&str, String)]) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in pieces {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let segments = Segment::list(&RealDisk, folder.path()).expect("listed");
        let mut text = String::new();
        SegmentMerge::of(&RealDisk, folder.path(), &segments)
            .expect("looked through")
            .read_to_string(&mut text)
            .expect("read");
        text
    }

    fn text(numbers: &[usize]) -> String {
        numbers.iter().map(|number| line(*number, 40) + "\n").collect()
    }

    #[test]
    fn lines_of_a_tenth_segment_stand_behind_those_of_the_second() {
        let pieces = [("d.w.1.jsonl", text(&[1])), ("d.w.10.jsonl", text(&[5, 6])), ("d.w.2.jsonl", text(&[2, 4]))];
        assert_eq!(woven(&pieces), text(&[1, 2, 4, 5, 6]));
    }

    #[test]
    fn writers_take_turns_and_what_stands_in_two_segments_is_there_once() {
        let pieces =
            [("d.a.1.jsonl", text(&[1, 3, 5])), ("d.b.1.jsonl", text(&[2, 4])), ("d.c.1.jsonl", text(&[3, 4, 6]))];
        assert_eq!(woven(&pieces), text(&[1, 2, 3, 4, 5, 6]));
    }

    #[test]
    fn a_segment_keeps_its_order_whatever_is_in_it() {
        let odd = format!("{}no entry\n\n{}{}", text(&[7]), text(&[2]), text(&[2]));
        let torn = line(8, 40);
        let pieces = [("d.a.1.jsonl", odd.clone()), ("d.b.1.jsonl", torn.clone()), ("d.c.1.jsonl", text(&[9]))];
        assert_eq!(woven(&pieces), format!("{odd}{torn}\n{}", text(&[9])));
        assert_eq!(woven(&[]), "");
    }

    #[test]
    fn more_segments_than_may_be_open_are_woven() {
        let count = 4 * MOST_OPEN;
        let name = |writer: usize| format!("d.w{writer:03}.1.jsonl");
        let names: Vec<_> = (0..count).map(name).collect();
        let of = |writer: usize| text(&[1 + writer, 1 + count + writer, 1 + 2 * count + writer]);
        let pieces: Vec<_> = names.iter().enumerate().map(|(writer, name)| (name.as_str(), of(writer))).collect();
        assert_eq!(woven(&pieces), text(&(1..=3 * count).collect::<Vec<_>>()));
    }
}
