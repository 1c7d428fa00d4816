//! The real transcripts, where they are at hand: `ANNALS_TRANSCRIPTS` names their folder.

#![expect(clippy::print_stdout, reason = "counts are shown with --nocapture")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::testing::transcripts;
use annals_kernel::annals::Usage;

fn sessions(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for kind in ["claude-code", "claude-code-records"] {
        for group in fs::read_dir(folder.join(kind)).expect("a folder").flatten() {
            let files = fs::read_dir(group.path()).expect("a folder").flatten().map(|file| file.path());
            all.extend(files.filter(|file| !file.ends_with("CHECKPOINTS.jsonl")));
        }
    }
    all.sort();
    all
}

fn import_file(path: &Path) -> Imported {
    import_bytes(&fs::read(path).expect("a file"))
}

fn count(given: &Imported, is: impl Fn(&Draft) -> bool) -> usize {
    given.drafts.iter().filter(|draft| is(draft)).count()
}

fn named(given: &Imported, name: &str) -> usize {
    count(given, |draft| &*draft.operation.name == name && draft.operation.kind.as_str() != "tool_call")
}

fn is_call(draft: &Draft) -> bool {
    draft.operation.kind.as_str() == "tool_call"
}

fn total(given: &Imported, is: impl Fn(&Draft) -> bool) -> Usage {
    let usages = given.drafts.iter().filter(|draft| is(draft)).filter_map(|draft| draft.usage);
    usages.fold(Usage::default(), |sum, usage| sum + usage)
}

#[test]
fn every_real_file_is_imported() {
    let Some(folder) = transcripts() else { return };
    println!(
        "file | bytes | prompts | calls | failed | rejections | interrupts | children | compactions | unanswered | orphaned | entries"
    );
    for path in sessions(&folder) {
        let given = import_file(&path);
        let mut ids: Vec<_> = given.drafts.iter().map(Draft::id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), given.drafts.len(), "{} has an id twice", path.display());
        let over = |reason| given.over.iter().filter(|(found, _)| *found == reason).count();
        println!(
            "{} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {}",
            path.strip_prefix(&folder).expect("inside").display(),
            fs::metadata(&path).expect("a file").len(),
            named(&given, "prompt"),
            count(&given, is_call),
            count(&given, |draft| is_call(draft) && !draft.operation.success),
            named(&given, "rejection"),
            named(&given, "interrupt"),
            count(&given, |draft| &*draft.operation.name == "session_start" && draft.source.session.contains('/')),
            named(&given, "compaction"),
            over(PassedOver::Unanswered),
            over(PassedOver::Orphaned),
            given.drafts.len(),
        );
    }
}

/// One row of the totals that others counted: file, then input, cache writes, cache reads, output, requests.
fn oracle(folder: &Path) -> BTreeMap<String, [i64; 5]> {
    let table = fs::read_to_string(folder.join("ORACLE_TOKENS.tsv")).expect("a file");
    let rows = table.lines().filter(|row| row.starts_with("claude-code/")).map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let number = |index: usize| cells[index].parse::<i64>().expect("a number");
        assert_eq!(number(1), 0, "the row counts from the start of the file");
        (cells[0].to_owned(), [number(2), number(3), number(4), number(5), number(6)])
    });
    rows.collect()
}

#[test]
fn totals_are_those_that_others_counted() {
    let Some(folder) = transcripts() else { return };
    let oracle = oracle(&folder);
    assert!(oracle.len() > 20, "only {} rows", oracle.len());
    for (file, expected) in oracle {
        let given = import_file(&folder.join(&file));
        let sum = total(&given, |draft| !draft.source.session.contains('/'));
        assert_eq!([sum.input, sum.cache_write, sum.cache_read, sum.output, sum.requests], expected, "{file}");
    }
}

#[test]
fn longer_snapshots_give_what_shorter_ones_gave_and_more() {
    let Some(folder) = transcripts() else { return };
    let lengths = ["71-69f9710768-0", "e0-12b8e855d7-0", "0b-0195f27fed-0"];
    let drafts = lengths.map(|name| import_file(&folder.join(format!("claude-code/entireio-cli/{name}.jsonl"))).drafts);
    for pair in drafts.windows(2) {
        let missing = pair[0].iter().filter(|draft| !pair[1].contains(draft)).count();
        assert_eq!(missing, 0);
        assert!(pair[0].len() < pair[1].len());
    }
}

#[test]
fn every_prefix_of_a_real_session_gives_a_subset() {
    let Some(folder) = transcripts() else { return };
    for path in sessions(&folder) {
        let bytes = fs::read(&path).expect("a file");
        let whole: BTreeMap<_, _> = import_bytes(&bytes).drafts.into_iter().map(|draft| (draft.id(), draft)).collect();
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(end, _)| end);
        for end in ends {
            for draft in import_bytes(&bytes[..end]).drafts {
                assert_eq!(whole.get(&draft.id()), Some(&draft), "{}, {end} bytes", path.display());
            }
        }
    }
}

/// How many records of a file make or will make entries, or are passed over for what they say.
fn good(given: &Imported, records: usize) -> usize {
    let bad = [PassedOver::Damaged, PassedOver::NotAnObject, PassedOver::Repeated, PassedOver::TooLong];
    records - given.over.iter().filter(|(reason, _)| bad.contains(reason)).count()
}

/// Name; records and wrecks in it; good records; what was wrong, and where.
type Case<'a> = (&'a str, usize, usize, &'a [(PassedOver, u64)]);

#[test]
fn every_mangled_file_gives_what_is_expected_of_it() {
    use PassedOver::{Damaged, NotAnObject, Repeated};

    let Some(folder) = transcripts() else { return };
    let base = import_file(&folder.join("claude-code/entireio-cli/ee-8f793bfeb9-0.jsonl"));
    let cases: [Case<'_>; 11] = [
        ("truncated-tail", 28, 27, &[(Damaged, 28)]),
        ("torn-middle", 28, 27, &[(Damaged, 15)]),
        ("glued", 28, 28, &[]),
        ("invalid-utf8", 28, 28, &[]),
        ("bom-crlf", 28, 28, &[]),
        ("blank-lines", 28, 28, &[]),
        ("nul-tail", 29, 28, &[(Damaged, 29)]),
        ("nondict", 32, 28, &[15, 16, 17, 18].map(|line| (NotAnObject, line))),
        ("unknown-type", 29, 29, &[]),
        ("shuffled", 28, 28, &[]),
        ("deep", 29, 29, &[]),
    ];
    for (name, records, expected, wrong) in cases {
        let given = import_file(&folder.join(format!("mutations/claude-{name}.jsonl")));
        let found: Vec<_> = given
            .over
            .iter()
            .copied()
            .filter(|(reason, _)| [Damaged, NotAnObject, Repeated].contains(reason))
            .collect();
        println!("{name}: {} entries of {}, {found:?}", given.drafts.len(), base.drafts.len());
        assert_eq!((good(&given, records), &*found), (expected, wrong), "{name}");
    }
}

/// Which entries there are, whatever the order of their records.
fn made(given: &Imported) -> Vec<(String, String, String)> {
    let others = given.drafts.iter().filter(|draft| &*draft.operation.name != "usage");
    let mut made: Vec<_> = others
        .map(|draft| {
            (draft.operation.name.to_string(), draft.source.record.to_string(), format!("{:?}", draft.operation))
        })
        .collect();
    made.sort();
    made
}

#[test]
fn order_and_repetition_change_no_entry() {
    let Some(folder) = transcripts() else { return };
    let base = import_file(&folder.join("claude-code/entireio-cli/ee-8f793bfeb9-0.jsonl"));
    let doubled = import_file(&folder.join("mutations/claude-doubled.jsonl"));
    assert_eq!(doubled.drafts, base.drafts);
    let repeated = doubled.over.iter().filter(|(reason, _)| *reason == PassedOver::Repeated).count();
    assert_eq!(repeated, 28);
    let shuffled = import_file(&folder.join("mutations/claude-shuffled.jsonl"));
    assert_eq!(made(&shuffled), made(&base));
    assert_eq!(total(&shuffled, |_| true), total(&base, |_| true));
}
