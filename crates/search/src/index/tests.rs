//! Search against a naive reader of the same lines: with the index, without it, behind it, and where it is damaged.

use std::collections::BTreeSet;

use annals_engine::Engine;
use annals_engine::query::filter::Filter;
use annals_kernel::id::EntryId;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::store::update_within;
use super::*;
use crate::provider::{Provider as _, Sought};
use crate::query::{Case, Syntax};
use crate::testing::{TestLog, call};
use crate::text::Texts;

/// What is found, by id.
fn found(engine: &Engine, query: &str) -> BTreeSet<String> {
    let pattern = Pattern::read(query, Syntax::Words, Case::Smart).expect("a query");
    let index = Index::open(engine).expect("opened");
    let (filter, limit) = (Filter::default(), 10_000);
    let sought = Sought { engine, pattern: &pattern, filter: &filter, until: EntryId::MAX, limit, index: &index };
    Texts.find(&sought).expect("found").hits.into_iter().map(|hit| hit.id).collect()
}

/// What a reader of JSON finds that decodes each line and compares.
fn naive(lines: &[Value], query: &str) -> BTreeSet<String> {
    let words: Vec<_> = query.split_whitespace().collect();
    let holds = |line: &&Value| {
        let mut texts = Vec::new();
        gather(&line["operation"]["input"], &mut texts);
        gather(&line["operation"]["output"], &mut texts);
        gather(&line["operation"]["name"], &mut texts);
        gather(&line["metadata"]["files_touched"], &mut texts);
        let is_in = |word: &&str| {
            let is_folded = !word.chars().any(char::is_uppercase);
            texts.iter().any(|text| {
                if is_folded { text.to_lowercase().contains(&word.to_lowercase()) } else { text.contains(*word) }
            })
        };
        words.iter().all(is_in)
    };
    lines.iter().filter(holds).map(|line| line["id"].as_str().expect("an id").to_owned()).collect()
}

fn gather<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| gather(item, texts)),
        Value::Object(members) => members.values().for_each(|item| gather(item, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "connection", "Refused", "flaky", "ENOENT", "grün", "GRÜN", "a/b\\c", "\"quoted\"", "\n", "\t", " ", " ",
        "<b>", "日本語", "é", "\u{1b}[31m", "\u{7f}", "x", "con", "nection", "\u{1f600}",
    ]);
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn query() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "connection", "refused", "Refused", "flaky", "ENOENT", "enoent", "grün", "b\\c", "a/b", "日本", "é", "bash",
        "src/1.rs", "<b>", "con", "nope", "on", "\u{1f600}", "[31m",
    ]);
    prop::collection::vec(word, 1..3).prop_map(|words| words.join(" "))
}

fn lines(texts: &[(String, String)], from: usize) -> Vec<Value> {
    let line = |(number, (input, output)): (usize, &(String, String))| {
        let number = u32::try_from(number + from).expect("few");
        call(number, &json!({ "command": input, "nested": { "list": [input, 7, null] } }), &json!({ "stdout": output }))
    };
    texts.iter().enumerate().map(line).collect()
}

/// As this program writes them, or as one that escapes all that is not ASCII.
fn written(lines: &[Value], escape: Escape) -> Vec<String> {
    let escaped = |line: &Value| {
        line.to_string().chars().fold(String::new(), |mut text, letter| {
            if letter.is_ascii() || escape == Escape::Little {
                text.push(letter);
            } else {
                let mut units = [0; 2];
                text.extend(letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
            }
            text
        })
    };
    lines.iter().map(escaped).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    Little,
    Much,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_found_is_what_a_naive_reader_finds(
        first in prop::collection::vec((text(), text()), 1..40),
        then in prop::collection::vec((text(), text()), 0..20),
        query in query(),
        escape in prop::sample::select(vec![Escape::Little, Escape::Much]),
    ) {
        let log = TestLog::new();
        let mut all = lines(&first, 0);
        log.append("2026-11-21.jsonl", &written(&all, escape));
        prop_assert_eq!(found(&log.engine(), &query), naive(&all, &query), "without an index");
        update_within(&log.engine(), 0..u64::MAX).expect("indexed");
        prop_assert!(log.context().join("local/search/manifest").exists());
        prop_assert_eq!(found(&log.engine(), &query), naive(&all, &query), "with an index");
        let more = lines(&then, all.len());
        log.append("2026-11-21.jsonl", &written(&more, escape));
        all.extend(more);
        prop_assert_eq!(found(&log.engine(), &query), naive(&all, &query), "behind the index");
        update_within(&log.engine(), 0..u64::MAX).expect("indexed");
        prop_assert_eq!(found(&log.engine(), &query), naive(&all, &query), "with a longer index");
    }
}

#[test]
fn an_index_skips_what_it_rules_out_and_nothing_else() {
    let log = TestLog::new();
    let filler = "lorem ipsum dolor sit amet ".repeat(40);
    let texts: Vec<_> = (0..900).map(|number| (format!("{filler}{number}"), String::new())).collect();
    let mut all = lines(&texts, 0);
    all[450]["operation"]["output"] = json!({ "stdout": "a needle in it" });
    log.append("2026-11-21.jsonl", &written(&all, Escape::Little));
    let engine = log.engine();
    let bytes = |query: &str| {
        let pattern = Pattern::read(query, Syntax::Words, Case::Smart).expect("a query");
        let index = Index::open(&engine).expect("opened");
        let segment = store::segments(&engine).expect("segments").remove(0);
        index.candidates(&pattern).tasks(&segment).iter().map(|task| task.to - task.from).sum::<u64>()
    };
    let whole = bytes("needle");
    update_within(&engine, 0..u64::MAX).expect("indexed");
    let read = [bytes("needle"), bytes("nothing of this"), bytes("lorem")];
    // About a mebibyte is read whatever is asked for; of the rest the block that has it, and no other.
    let beside = read[0] - read[1];
    assert!(beside > 0 && beside < 140_000 && read[1] * 2 < whole && read[2] == whole, "{read:?} of {whole}");
    assert_eq!(found(&engine, "needle"), naive(&all, "needle"));
}

/// Threads take a segment in stretches that end within a line: what they know of it has no gap all the same.
#[test]
fn a_long_segment_is_known_whole_after_one_update() {
    let log = TestLog::new();
    let filler = "lorem ipsum dolor sit amet ".repeat(80);
    let texts: Vec<_> = (0..2_600).map(|number| (format!("{filler}{number}"), String::new())).collect();
    log.append("2026-11-21.jsonl", &written(&lines(&texts, 0), Escape::Little));
    let engine = log.engine();
    let state = update_within(&engine, 0..u64::MAX).expect("indexed");
    assert!(state.taken > 2 * build::PIECE_BYTES && state.left == 0, "{state:?}");
    assert_eq!(Index::open(&engine).expect("opened").unknown().1, 0);
}

/// Each file of the index, changed in every way that a crash or a stranger may leave it, takes no hit away.
#[test]
fn a_damaged_index_is_read_as_none() {
    let log = TestLog::new();
    let texts: Vec<_> = (0..60).map(|number| (format!("word{number}"), "connection refused".to_owned())).collect();
    let all = lines(&texts, 0);
    log.append("2026-11-21.jsonl", &written(&all, Escape::Little));
    update_within(&log.engine(), 0..u64::MAX).expect("indexed");
    let folder = log.context().join("local/search");
    let files: Vec<_> = std::fs::read_dir(&folder).expect("listed").map(|file| file.expect("a file").path()).collect();
    assert_eq!(files.len(), 3);
    for path in files {
        let good = std::fs::read(&path).expect("read");
        for bad in [Vec::new(), good[..good.len() / 2].to_vec(), vec![0; good.len()], b"{\"version\":1}".to_vec()] {
            std::fs::write(&path, bad).expect("written");
            for query in ["connection", "word7", "nothing"] {
                assert_eq!(found(&log.engine(), query), naive(&all, query), "{path:?} {query}");
            }
        }
        std::fs::write(&path, good).expect("written");
    }
}

#[test]
fn a_segment_that_was_replaced_is_read_anew() {
    let log = TestLog::new();
    let texts = |word: &str| (0..50).map(|_| (word.to_owned(), String::new())).collect::<Vec<_>>();
    let path = log.context().join("history/2026-11-21.jsonl");
    log.append("2026-11-21.jsonl", &written(&lines(&texts("before"), 0), Escape::Little));
    update_within(&log.engine(), 0..u64::MAX).expect("indexed");
    std::fs::remove_file(&path).expect("removed");
    let all = lines(&texts("behind"), 0);
    log.append("2026-11-21.jsonl", &written(&all, Escape::Little));
    assert_eq!((found(&log.engine(), "before").len(), found(&log.engine(), "behind").len()), (0, 50));
}

#[test]
fn a_link_in_place_of_the_index_is_not_followed() {
    let (log, elsewhere) = (TestLog::new(), tempfile::tempdir().expect("a folder"));
    std::fs::create_dir_all(log.context().join("local")).expect("made");
    std::os::unix::fs::symlink(elsewhere.path(), log.context().join("local/search")).expect("linked");
    let all = lines(&[("connection".to_owned(), String::new())], 0);
    log.append("2026-11-21.jsonl", &written(&all, Escape::Little));
    update_within(&log.engine(), 0..u64::MAX).expect("no error");
    assert_eq!(std::fs::read_dir(elsewhere.path()).expect("listed").count(), 0);
    assert_eq!(found(&log.engine(), "connection").len(), 1);
}
