//! The file of vectors: what is kept of it whatever happened to it, and which vectors are the nearest.

use std::fs;
use std::path::PathBuf;

use annals_engine::Engine;
use annals_kernel::time::Timestamp;
use annals_log::disk::{Disk, RealDisk};
use proptest::prelude::*;

use super::nearest::{Neighbour, nearest};
use super::subject::{EmbeddedText, Subject, TextHash};
use super::{Beginning, QueryVector, VectorFile, VectorRow, VectorSpace, embedding_state};
use crate::hit::HitKind;
use crate::testing::TestLog;

fn space(model: &str) -> VectorSpace {
    VectorSpace { model: model.to_owned(), prefix: String::new() }
}

fn subject(id: &str) -> Subject {
    Subject { kind: HitKind::Belief, id: id.into() }
}

fn text(id: &str, text: &str) -> EmbeddedText {
    EmbeddedText { subject: subject(id), text: text.to_owned(), hash: TextHash::of(text), at: None, session: None }
}

fn row(id: &str, text: &str, vector: &[f32]) -> VectorRow {
    VectorRow::new(subject(id), TextHash::of(text), Timestamp::from_millis(1), vector).expect("a vector")
}

fn open<'e>(engine: &'e Engine, model: &str) -> VectorFile<'e> {
    VectorFile::open(engine, space(model)).expect("opened").expect("nobody else writes")
}

fn path(log: &TestLog) -> PathBuf {
    log.context().join("history/embeddings/index.db")
}

fn found(log: &TestLog, query: &[f32], count: usize) -> Vec<(String, f32)> {
    let file = RealDisk.open(&path(log)).expect("there");
    let near = nearest(&*file, &QueryVector::new(query).expect("a vector"), count).expect("read");
    near.into_iter().map(|Neighbour { subject, alike, .. }| (subject.id.to_string(), alike)).collect()
}

fn missing(file: &VectorFile<'_>, texts: &[EmbeddedText]) -> Vec<String> {
    file.missing(texts).into_iter().map(|text| text.subject.id.to_string()).collect()
}

#[test]
fn the_nearest_come_first_and_of_equals_the_smaller_id() {
    let log = TestLog::new();
    let engine = log.engine();
    let rows =
        [row("d", "", &[1.0, 0.0]), row("c", "", &[0.0, 2.0]), row("b", "", &[9.0, 0.0]), row("a", "", &[-1.0, 0.0])];
    open(&engine, "m").append(&rows).expect("written");
    let expected = |some: &[(&str, f32)]| some.iter().map(|(id, alike)| ((*id).to_owned(), *alike)).collect::<Vec<_>>();
    assert_eq!(found(&log, &[5.0, 0.0], 9), expected(&[("b", 1.0), ("d", 1.0), ("c", 0.0), ("a", -1.0)]));
    assert_eq!(found(&log, &[5.0, 0.0], 1), expected(&[("b", 1.0)]));
    assert_eq!(found(&log, &[5.0, 0.0], 0), []);
    // Vectors of another length are near none of them.
    assert_eq!(found(&log, &[5.0, 0.0, 0.0], 9), []);
    assert_eq!(embedding_state(&engine), Some((space("m"), 2)));
}

#[test]
fn only_what_is_new_or_says_something_else_is_missing_and_what_is_gone_is_taken_out() {
    let log = TestLog::new();
    let engine = log.engine();
    let before = [text("a", "one"), text("b", "two"), text("c", "three")];
    let mut file = open(&engine, "m");
    assert_eq!((file.beginning(), missing(&file, &before).len()), (&Beginning::Nothing, 3));
    file.append(&[row("a", "one", &[1.0]), row("b", "two", &[1.0])]).expect("written");
    file.append(&[row("c", "three", &[1.0])]).expect("written");
    assert_eq!(missing(&file, &before), [""; 0]);
    drop(file);
    let now = [text("a", "one"), text("b", "two and a half"), text("d", "four")];
    let mut file = open(&engine, "m");
    assert_eq!((file.beginning(), file.dimension()), (&Beginning::Same, Some(1)));
    assert_eq!(missing(&file, &now), ["b", "d"]);
    let before = fs::metadata(path(&log)).expect("there").len();
    file.keep_only(&now).expect("written");
    assert!(fs::metadata(path(&log)).expect("there").len() < before);
    assert_eq!(found(&log, &[1.0], 9), [("a".to_owned(), 1.0)]);
    file.append(&[row("b", "two and a half", &[-1.0])]).expect("written");
    file.keep_only(&now).expect("nothing to do");
    assert_eq!(found(&log, &[1.0], 9), [("a".to_owned(), 1.0), ("b".to_owned(), -1.0)]);
}

#[test]
fn a_row_that_is_there_twice_is_kept_once_with_its_last_text() {
    let log = TestLog::new();
    let engine = log.engine();
    let mut file = open(&engine, "m");
    file.append(&[row("a", "one", &[1.0, 0.0]), row("a", "one", &[1.0, 0.0])]).expect("written");
    file.append(&[row("a", "two", &[0.0, 1.0])]).expect("written");
    drop(file);
    let mut file = open(&engine, "m");
    assert_eq!(missing(&file, &[text("a", "two")]), [""; 0]);
    file.keep_only(&[text("a", "two")]).expect("written");
    assert_eq!(found(&log, &[0.0, 1.0], 9), [("a".to_owned(), 1.0)]);
}

#[test]
fn another_model_or_length_begins_anew_with_its_first_vectors_and_not_before() {
    let log = TestLog::new();
    let engine = log.engine();
    open(&engine, "m").append(&[row("a", "one", &[1.0, 0.0])]).expect("written");
    let mut file = open(&engine, "other");
    assert_eq!((file.beginning(), file.dimension()), (&Beginning::Other(space("m")), None));
    assert_eq!(missing(&file, &[text("a", "one")]), ["a"]);
    file.keep_only(&[]).expect("nothing to do");
    assert_eq!(embedding_state(&engine), Some((space("m"), 2)), "a model that does not answer takes nothing away");
    file.append(&[row("b", "two", &[1.0, 0.0])]).expect("written");
    assert_eq!((embedding_state(&engine), found(&log, &[1.0, 0.0], 9).len()), (Some((space("other"), 2)), 1));
    file.restart();
    file.append(&[row("c", "three", &[1.0, 0.0, 0.0])]).expect("written");
    assert_eq!((embedding_state(&engine), found(&log, &[1.0, 0.0, 0.0], 9).len()), (Some((space("other"), 3)), 1));
}

#[test]
fn one_process_writes_at_a_time_and_what_a_scrub_removes_comes_not_back() {
    let log = TestLog::new();
    let engine = log.engine();
    let mut file = open(&engine, "m");
    assert!(VectorFile::open(&engine, space("m")).expect("looked").is_none());
    file.append(&[row("a", "one", &[1.0])]).expect("written");
    fs::remove_file(path(&log)).expect("removed");
    let error = file.append(&[row("b", "two", &[1.0])]).expect_err("nowhere").to_string();
    assert!(error.contains("index.db"), "{error}");
    assert!(!path(&log).exists());
}

/// Whatever byte a crash came at, and whatever a power cut left there: rows before it count, and it can be written on.
#[test]
fn a_torn_end_counts_as_absent_at_every_byte() {
    let log = TestLog::new();
    let engine = log.engine();
    open(&engine, "m").append(&[row("a", "one", &[1.0, 0.0]), row("b", "two", &[1.0, 0.0])]).expect("written");
    let bytes = fs::read(path(&log)).expect("read");
    let header = super::codec::Header { space: space("m"), dimension: 2 }.write().len();
    let row_bytes = (bytes.len() - header) / 2;
    let kept = || {
        let mut kept: Vec<_> = found(&log, &[1.0, 1.0], 9).into_iter().map(|(id, _)| id).collect();
        kept.sort();
        kept
    };
    for at in 0..bytes.len() {
        for end in [vec![], vec![0; bytes.len() - at]] {
            fs::write(path(&log), [&bytes[..at], &end].concat()).expect("written");
            let whole = at.checked_sub(header).map(|behind| behind / row_bytes);
            let expected: Vec<_> = ["a", "b"].into_iter().take(whole.unwrap_or(0)).collect();
            assert_eq!(kept(), expected, "{at}");
            // Each of these is synced.
            if at % 41 > 0 {
                continue;
            }
            let mut file = open(&engine, "m");
            let beginning = if whole.is_some() { Beginning::Same } else { Beginning::Nothing };
            assert_eq!(file.beginning(), &beginning, "{at}");
            file.append(&[row("c", "three", &[0.0, 1.0])]).expect("written");
            assert_eq!(kept(), [&expected[..], &["c"]].concat(), "{at}");
        }
    }
}

#[test]
fn rows_longer_than_what_is_read_at_once_are_read() {
    let log = TestLog::new();
    let engine = log.engine();
    let vector = vec![1.0; 1 << 16];
    let mut file = open(&engine, "m");
    for id in ["a", "b", "c"] {
        file.append(&[row(id, "", &vector)]).expect("written");
    }
    assert_eq!(found(&log, &vector, 9).len(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Any bytes are a file without a panic, and nothing that is no number is near.
    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), is_ours in any::<bool>()) {
        let log = TestLog::new();
        let engine = log.engine();
        drop(open(&engine, "m"));
        let header = super::codec::Header { space: space("m"), dimension: 1 }.write();
        let header = if is_ours { header } else { Vec::new() };
        fs::write(path(&log), [header, bytes].concat()).expect("written");
        prop_assert!(found(&log, &[1.0], 9).iter().all(|(_, alike)| alike.is_finite()));
        drop(open(&engine, "m"));
    }
}
