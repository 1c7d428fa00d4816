//! Reading with little memory gives what reading with much gives.

use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::kernel::envelope::Envelope;
use crate::log::disk::RealDisk;
use crate::log::prepare::Prepared;
use crate::log::testing::line;

/// The entries with their places, what was noticed, and how far everything was read.
type Read = (Vec<(String, String, u64)>, Notices, Marks);

fn read_within(history: &Path, most_bytes: u64) -> Read {
    let segments = Segment::list(&RealDisk, history).expect("listed");
    let amendments = Amendments::default();
    let prepare = |entry: &Envelope<'_>| -> Prepared { Some(Box::new(entry.id().to_string())) };
    let mut ordered = Ordered::new(&RealDisk, history, &amendments).within(most_bytes).preparing(&prepare);
    let mut read = Vec::new();
    let done = ordered.together(segments.into_iter().map(Part::whole).collect(), &mut |placed, segment| {
        let text = String::from_utf8_lossy(placed.original).into_owned();
        let made = placed.prepared.and_then(|made| made.downcast_ref::<String>()).cloned();
        assert_eq!(made, Some(placed.envelope.id().to_string()));
        read.push((text, segment.to_owned(), placed.line));
        Flow::More
    });
    done.expect("read");
    (read, ordered.notices, ordered.marks)
}

fn write(history: &Path, name: &str, lines: &[String], end: &str) {
    std::fs::write(history.join(name), lines.join(end) + "\n").expect("written");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_group_that_is_larger_than_memory_is_read_in_the_same_order(
        entries in prop::collection::vec((0..60_usize, 0..300_usize, 0..3_usize), 1..80),
        most_bytes in 0..9_000_u64,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let of = |file| entries.iter().filter(move |entry| entry.2 == file).map(|(id, padding, _)| line(*id, *padding));
        write(folder.path(), "history.jsonl", &of(0).collect::<Vec<_>>(), "\n");
        // Glued lines, blank lines and lines that are no entries between the others.
        write(folder.path(), "2026-11-20.jsonl", &of(1).collect::<Vec<_>>(), "");
        write(folder.path(), "2026-11-21.jsonl", &of(2).collect::<Vec<_>>(), "\n\n{}\r\n \0");
        prop_assert_eq!(read_within(folder.path(), most_bytes), read_within(folder.path(), u64::MAX));
    }
}

#[test]
fn a_packed_segment_among_others_is_read_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("archive")).expect("made");
    let packed = zstd::encode_all((line(5, 9) + "\n" + &line(2, 9) + "\n").as_bytes(), 0).expect("packed");
    std::fs::write(folder.path().join("archive/2026-11-20-0a.jsonl.zst"), packed).expect("written");
    write(folder.path(), "history.jsonl", &[line(3, 9), line(1, 9), line(4, 9)], "\n");
    let read = read_within(folder.path(), 0);
    assert_eq!(read, read_within(folder.path(), u64::MAX));
    let ids: Vec<_> = read.0.into_iter().map(|(text, ..)| text).collect();
    assert_eq!(ids, (1..6).map(|id| line(id, 9)).collect::<Vec<_>>());
}
