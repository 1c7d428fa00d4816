//! Reading with little memory gives what reading with much gives.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::disk::RealDisk;
use crate::mending::{Mend, Mending};
use crate::prepare::Prepared;
use crate::testing::line;
use annals_kernel::envelope::Envelope;

/// The entries with their places, what was noticed, and how far everything was read.
type Read = (Vec<(String, String, u64)>, Notices, Watermarks);

fn read_within(history: &Path, most_bytes: u64) -> Read {
    read_mended(history, most_bytes, &Amendments::default())
}

fn read_mended(history: &Path, most_bytes: u64, amendments: &Amendments) -> Read {
    let segments = Segment::list(&RealDisk, history).expect("listed");
    let prepare = |entry: &Envelope<'_>| -> Prepared { Some(Box::new(entry.id().to_string())) };
    let mut ordered = Ordered::new(&RealDisk, history, amendments).within(most_bytes).preparing(&prepare);
    let mut read = Vec::new();
    let done = ordered.together(segments.into_iter().map(UnreadPart::whole).collect(), &mut |placed, segment| {
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

/// The same line as one of a writer, with its count.
fn linked(line: &str, writer: usize, count: usize) -> String {
    let link = format!(r#""w":"writer0{writer}","n":{count},"p":"{}""#, "0".repeat(32));
    line.replace(r#""metadata":{}}"#, &format!(r#""metadata":{{}},"extensions":{{"annals":{{"v":1,{link}}}}}}}"#))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lines_of_mended_clocks_are_read_in_the_same_order_with_little_memory_and_with_much(
        entries in prop::collection::vec((0..30_usize, 0..2_usize, 0..300_usize), 1..60),
        mends in prop::collection::vec((0..2_usize, 1..30_u64, 0..30_u64, -3..4_i64), 1..4),
        most_bytes in 0..9_000_u64,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut counts = [0; 2];
        let lines = entries.iter().map(|(id, writer, padding)| {
            counts[*writer] += 1;
            (*writer, linked(&line(*id, *padding), *writer, counts[*writer]))
        });
        let lines: Vec<_> = lines.collect();
        for (writer, name) in ["2016-07-30.jsonl", "2016-07-31.jsonl"].iter().enumerate() {
            let of: Vec<_> = lines.iter().filter(|(by, _)| *by == writer).map(|(_, line)| line.clone()).collect();
            write(folder.path(), name, &of, "\n");
        }
        let mend = |(writer, from, more, shift): &(usize, u64, u64, i64)| Mend {
            writer: format!("writer0{writer}").into(), from: *from, to: from + more, shift: *shift,
        };
        let mending = Mending::of(mends.iter().map(mend));
        let amendments = Amendments { mending, ..Amendments::default() };
        let read = read_mended(folder.path(), most_bytes, &amendments);
        prop_assert_eq!(&read, &read_mended(folder.path(), u64::MAX, &amendments));
        let turn = |text: &String| {
            let batch = Batch::decode(format!("{text}\n").into_bytes(), 0).mended(&amendments.mending);
            let first = batch.entry(0);
            (first.envelope.id(), first.turn)
        };
        let mut turns: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (id, own) in lines.iter().map(|(_, line)| turn(line)) {
            turns.entry(id).or_default().push(own);
        }
        let mut expected: Vec<_> = turns.iter().filter(|(_, own)| own.len() == 1).map(|(id, own)| (own[0], *id)).collect();
        expected.sort_unstable();
        let alone = |id: &EntryId| turns[id].len() == 1;
        let order: Vec<_> = read.0.iter().map(|(text, ..)| turn(text).0).filter(alone).collect();
        prop_assert_eq!(order, expected.into_iter().map(|(_, id)| id).collect::<Vec<_>>());
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
