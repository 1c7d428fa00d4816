//! What `verify` says of logs that were tampered with, one case each; `tamper` does it by the thousand.

use std::fmt::Write as _;
use std::fs;

use annals::engine::verify::Terms;
use annals::kernel::annals::LineHash;
use annals::log::position::IdSource;
use annals::log::verify::{Blobs, Finding, Foreign, Memory, Remembered, Rememberer, Report, Scrub, Scrubs, What};
use proptest::prelude::*;

use crate::support::{Project, Scribe, judge_files, said, step};

const DAY: &str = "2026-11-21.jsonl";

/// Two writers on one day; the second sees the first, twice.
struct Two {
    lines: Vec<String>,
    first: Scribe,
    second: Scribe,
}

fn two() -> Two {
    let (mut first, mut second) = (Scribe::new("aaaaaaaa"), Scribe::new("bbbbbbbb"));
    let mut lines = vec![first.line("2026-11-21T10:00:00Z", "one"), first.line("2026-11-21T10:01:00Z", "two")];
    lines.push(second.seeing("2026-11-21T10:02:00Z", "uno", &[first.seen()]));
    lines.push(first.line("2026-11-21T10:03:00Z", "three"));
    lines.push(first.line("2026-11-21T10:04:00Z", "four"));
    lines.push(second.seeing("2026-11-21T10:05:00Z", "due", &[first.seen()]));
    lines.push(first.line("2026-11-21T10:06:00Z", "five"));
    Two { lines, first, second }
}

fn plain(files: &[(&str, &[String])]) -> Report {
    judge_files(files, &[], &Scrubs::new(), Foreign::Finding)
}

fn judged(lines: &[String]) -> Vec<String> {
    said(&plain(&[(DAY, lines)]))
}

fn remembering(lines: &[String], heads: &[Remembered]) -> Vec<String> {
    let memory = |head: &Remembered| Memory { by: Rememberer::Caller, head: head.clone() };
    let memories: Vec<_> = heads.iter().map(memory).collect();
    said(&judge_files(&[(DAY, lines)], &memories, &Scrubs::new(), Foreign::Finding))
}

#[test]
fn a_log_as_it_was_written_is_clean() {
    let two = two();
    let report = plain(&[(DAY, &two.lines)]);
    assert_eq!(said(&report), [""; 0]);
    let vouched: Vec<_> =
        report.writers.iter().map(|one| (one.writer.as_str(), one.lines, one.head, one.vouched)).collect();
    assert_eq!(vouched, [("aaaaaaaa", 5, two.first.head, 4), ("bbbbbbbb", 2, two.second.head, 0)]);
}

#[test]
fn the_order_between_writers_is_free() {
    let mut lines = two().lines;
    lines.swap(1, 2);
    lines.swap(5, 6);
    assert_eq!(judged(&lines), [""; 0]);
}

#[test]
fn a_changed_line_is_known_by_the_next_one() {
    let mut lines = two().lines;
    lines[1] = lines[1].replace("two", "TWO");
    insta::assert_snapshot!(judged(&lines).join("\n"), @"2026-11-21.jsonl:2 changed: line 2 of writer aaaaaaaa: the writer's next line (2026-11-21.jsonl:4) knows it by another hash");
}

#[test]
fn a_changed_link_is_told_from_a_changed_line() {
    let mut lines = two().lines;
    let hash = LineHash::of(lines[3].as_bytes()).to_string();
    lines[4] = lines[4].replace(&hash, "00000000000000000000000000000000");
    insta::assert_snapshot!(judged(&lines).join("\n"), @"2026-11-21.jsonl:5 changed: line 4 of writer aaaaaaaa: the writer's next line (2026-11-21.jsonl:7) knows it by another hash; line 3 before it may be changed, too");
}

#[test]
fn a_last_line_that_only_its_writer_knows_may_have_been_changed_or_the_one_before() {
    let mut lines = two().lines;
    lines[4] = lines[4].replace("four", "FOUR");
    lines.remove(5);
    insta::assert_snapshot!(judged(&lines).join("\n"), @"2026-11-21.jsonl:5 changed: line 4 of writer aaaaaaaa: the writer's next line (2026-11-21.jsonl:6) knows it by another hash; or 2026-11-21.jsonl:6 was changed instead");
}

#[test]
fn a_changed_last_line_is_found_by_whoever_has_seen_it() {
    let two = two();
    let mut lines = two.lines.clone();
    lines[6] = lines[6].replace("five", "FIVE");
    assert_eq!(judged(&lines), [""; 0]);
    let (writer, head) = two.first.seen();
    insta::assert_snapshot!(remembering(&lines, &[Remembered::Head(writer, head)]).join("\n"), @"2026-11-21.jsonl:7 changed: line 5 of writer aaaaaaaa: --head gives another hash, so it was written anew, here or before");
}

#[test]
fn removed_lines_are_counted() {
    let mut lines = two().lines;
    lines.remove(4);
    lines.remove(3);
    insta::assert_snapshot!(judged(&lines).join("\n"), @"2026-11-21.jsonl:5 removed: lines 3 to 4 of writer aaaaaaaa stood before this one and cannot be found");
    lines.remove(0);
    insta::assert_snapshot!(judged(&lines).join("\n"), @r"
    2026-11-21.jsonl:1 removed: line 1 of writer aaaaaaaa stood before this one and cannot be found
    2026-11-21.jsonl:4 removed: lines 3 to 4 of writer aaaaaaaa stood before this one and cannot be found
    ");
}

#[test]
fn cut_off_lines_are_found_by_another_writer_or_by_a_head() {
    let two = two();
    let mut lines = two.lines.clone();
    lines.remove(6);
    assert_eq!(judged(&lines), [""; 0], "nobody has seen it");
    let (writer, head) = two.first.seen();
    insta::assert_snapshot!(remembering(&lines, &[Remembered::Head(writer, head)]).join("\n"), @"2026-11-21.jsonl:5 cut off: line 5 of writer aaaaaaaa cannot be found; --head gives line 5");
    insta::assert_snapshot!(remembering(&lines, &[Remembered::Hash(head.hash)]).join("\n"), @"-:- cut off: no line has the hash 9a04195a81bebb6336bc3e1c59570445 that --head gives");
    lines.remove(4);
    insta::assert_snapshot!(judged(&lines).join("\n"), @"2026-11-21.jsonl:4 cut off: line 4 of writer aaaaaaaa cannot be found; line 2 of writer bbbbbbbb (2026-11-21.jsonl:5) has seen line 4");
    let only_second = [lines[2].clone(), lines[4].clone()];
    insta::assert_snapshot!(judged(&only_second).join("\n"), @"-:- cut off: lines 1 to 4 of writer aaaaaaaa cannot be found; line 2 of writer bbbbbbbb (2026-11-21.jsonl:2) has seen line 4");
}

#[test]
fn heads_that_are_there_are_no_findings() {
    let two = two();
    let (writer, head) = two.second.seen();
    let heads = [Remembered::Head(writer, head), Remembered::Hash(two.first.head.hash)];
    assert_eq!(remembering(&two.lines, &heads), [""; 0]);
}

#[test]
fn a_line_that_is_there_twice_is_named() {
    let mut lines = two().lines;
    lines.insert(3, lines[1].clone());
    insta::assert_snapshot!(judged(&lines).join("\n"), @"2026-11-21.jsonl:4 doubled: line 2 of writer aaaaaaaa stands at 2026-11-21.jsonl:2, too");
}

#[test]
fn a_line_may_stand_in_an_archive_and_in_its_day_file() {
    let lines = two().lines;
    let archive = ("archive/2026-11-21-0a1b.jsonl.zst", &lines[..5]);
    assert_eq!(said(&plain(&[(DAY, &lines), archive])), [""; 0]);
    let other = ("archive/2026-11-21-2c3d.jsonl.zst", &lines[..3]);
    assert_eq!(said(&plain(&[(DAY, &lines[5..]), archive, other])), [""; 0]);
}

#[test]
fn a_line_without_a_link_is_foreign_where_lines_have_links() {
    let mut lines = two().lines;
    let end = lines[0].find(r#","extensions""#).expect("extensions");
    let foreign = format!("{}}}", &lines[0][..end]);
    lines.insert(2, foreign.clone());
    lines.insert(2, foreign.clone());
    insta::assert_snapshot!(judged(&lines).join("\n"), @"2026-11-21.jsonl:3 inserted: 2 lines have no link");
    let accepted = judge_files(&[(DAY, &lines)], &[], &Scrubs::new(), Foreign::Accepted);
    assert_eq!((said(&accepted), accepted.unchained), (vec![], 2));
    let unchained = plain(&[(DAY, &[foreign])]);
    assert_eq!((said(&unchained), unchained.unchained), (vec![], 1));
}

#[test]
fn a_line_put_in_under_a_count_that_is_taken_is_named() {
    let two = two();
    let mut lines = two.lines.clone();
    lines.insert(4, lines[1].replace("two", "2").replace(r#""n":2"#, r#""n":3"#));
    insta::assert_snapshot!(judged(&lines).join("\n"), @"2026-11-21.jsonl:5 inserted: it says that it is line 3 of writer aaaaaaaa, which stands at 2026-11-21.jsonl:4, and it follows no line");
}

#[test]
fn swapped_lines_of_one_writer_are_named() {
    let mut lines = two().lines;
    lines.swap(3, 4);
    insta::assert_snapshot!(judged(&lines).join("\n"), @"2026-11-21.jsonl:4 reordered: line 4 of writer aaaaaaaa stands among lines of other counts");
}

#[test]
fn a_line_in_the_file_of_another_day_is_named() {
    let lines = two().lines;
    let files: [(&str, &[String]); 2] = [("2026-11-20.jsonl", &lines[..1]), (DAY, &lines[1..])];
    insta::assert_snapshot!(said(&plain(&files)).join("\n"), @"2026-11-20.jsonl:1 reordered: line 1 of writer aaaaaaaa is of another day than its file");
    assert_eq!(said(&plain(&[("history.jsonl", &lines[..1]), ("2026-W47.jsonl", &lines[1..])])), [""; 0]);
}

#[test]
fn a_copied_clone_that_wrote_is_a_fork_named_once() {
    let mut two = two();
    let mut copy = two.first.clone();
    let mut lines = two.lines.clone();
    lines.extend(["six", "seven", "eight"].map(|text| two.first.line("2026-11-21T11:00:00Z", text)));
    lines.extend(["sechs", "sieben"].map(|text| copy.line("2026-11-21T11:00:00Z", text)));
    insta::assert_snapshot!(judged(&lines).join("\n"), @"2026-11-21.jsonl:11 fork: line 6 of writer aaaaaaaa is another one at 2026-11-21.jsonl:8: a copied clone has written, too");
}

#[test]
fn a_writer_or_count_that_was_changed_is_told_from_a_removed_line() {
    let two = two();
    let changes = [
        (3, r#""n":3"#, r#""n":4"#),
        (3, r#""n":3"#, r#""n":300"#),
        (3, "aaaaaaaa", "aaaabaaa"),
        (3, "aaaaaaaa", "bbbbbbbb"),
        (3, r#""w":"#, r#""x":"#),
        (0, "aaaaaaaa", "aaaabaaa"),
        (0, r#""n":1"#, r#""n":7"#),
        (6, "aaaaaaaa", "aaaabaaa"),
        (6, r#""n":5"#, r#""n":7"#),
        (6, r#""n":5"#, r#""n":2"#),
    ];
    let head = Remembered::Head(two.first.seen().0, two.first.head);
    let mut said = String::new();
    for (line, from, to) in changes {
        let mut lines = two.lines.clone();
        lines[line] = lines[line].replace(from, to);
        writeln!(said, "{from} of line {} to {to}", line + 1).expect("written");
        for finding in remembering(&lines, std::slice::from_ref(&head)) {
            writeln!(said, "    {finding}").expect("written");
        }
    }
    insta::assert_snapshot!(said, @r#"
    "n":3 of line 4 to "n":4
        2026-11-21.jsonl:4 changed: line 3 of writer aaaaaaaa: its link names another place, and this is where it fits
    "n":3 of line 4 to "n":300
        2026-11-21.jsonl:4 changed: line 3 of writer aaaaaaaa: its link names another place, and this is where it fits
    aaaaaaaa of line 4 to aaaabaaa
        2026-11-21.jsonl:4 changed: line 3 of writer aaaaaaaa: its link names another place, and this is where it fits
    aaaaaaaa of line 4 to bbbbbbbb
        2026-11-21.jsonl:4 changed: line 3 of writer aaaaaaaa: its link names another place, and this is where it fits
    "w": of line 4 to "x":
        2026-11-21.jsonl:4 changed: line 3 of writer aaaaaaaa: its link names another place, and this is where it fits
    aaaaaaaa of line 1 to aaaabaaa
        2026-11-21.jsonl:2 removed: line 1 of writer aaaaaaaa stood before this one and cannot be found; 2026-11-21.jsonl:1 may be what became of it
    "n":1 of line 1 to "n":7
        2026-11-21.jsonl:1 changed: line 1 of writer aaaaaaaa: its link names another place, and this is where it fits
    aaaaaaaa of line 7 to aaaabaaa
        2026-11-21.jsonl:7 changed: line 5 of writer aaaaaaaa: its link names another place, and this is where it fits
    "n":5 of line 7 to "n":7
        2026-11-21.jsonl:7 changed: line 5 of writer aaaaaaaa: its link names another place, and this is where it fits
    "n":5 of line 7 to "n":2
        2026-11-21.jsonl:7 changed: line 5 of writer aaaaaaaa: its link names another place, and this is where it fits
    "#);
}

#[test]
fn a_broken_line_says_which_one_it_was() {
    let mut lines = two().lines;
    lines[3] = lines[3].replace(r#""input":{"#, r#""input":}"#);
    insta::assert_snapshot!(judged(&lines).join("\n"), @r"
    2026-11-21.jsonl:4 unreadable: entry: expected value, column 146
    2026-11-21.jsonl:4 changed: line 3 of writer aaaaaaaa: the writer's next line (2026-11-21.jsonl:5) knows it by another hash
    ");
    lines[3].truncate(100);
    insta::assert_snapshot!(judged(&lines).join("\n"), @r"
    2026-11-21.jsonl:4 unreadable: cut short: EOF while parsing a string
    2026-11-21.jsonl:5 removed: line 3 of writer aaaaaaaa stood before this one and cannot be found
    ");
}

#[test]
fn a_chain_written_anew_is_found_by_who_saw_the_old_one() {
    let mut lines = two().lines;
    let mut liar = Scribe::new("aaaaaaaa");
    lines[0] = liar.line("2026-11-21T10:00:00Z", "one");
    for (place, text) in [(1, "TWO"), (3, "three"), (4, "four"), (6, "five")] {
        lines[place] = liar.line(&format!("2026-11-21T10:0{place}:00Z"), text);
    }
    insta::assert_snapshot!(judged(&lines).join("\n"), @"2026-11-21.jsonl:2 changed: line 2 of writer aaaaaaaa: line 1 of writer bbbbbbbb (2026-11-21.jsonl:3) has seen another hash, so it was written anew, here or before");
}

#[test]
fn a_witness_that_was_changed_does_not_accuse_others() {
    let two = two();
    let mut lines = two.lines.clone();
    let seen = LineHash::of(lines[1].as_bytes()).to_string();
    lines[2] = lines[2].replace(&seen, "00000000000000000000000000000000");
    insta::assert_snapshot!(judged(&lines).join("\n"), @"2026-11-21.jsonl:3 changed: line 1 of writer bbbbbbbb: the writer's next line (2026-11-21.jsonl:6) knows it by another hash; or 2026-11-21.jsonl:6 was changed instead");
}

/// The second line scrubbed: the line as it was, the files as they are, and what the decision recorded.
fn scrubbed() -> (String, Vec<String>, Scrubs) {
    let (mut writer, at) = (Scribe::new("aaaaaaaa"), "2026-11-21T10:00:00Z");
    let first = writer.line(at, "one");
    let before = writer.clone();
    let leaked = writer.line(at, "hunter2");
    let third = writer.line(at, "three");
    let clean = before.clone().scrubbed(at, "[gone]", &[LineHash::of(leaked.as_bytes())]);
    let clean = clean.replace(&clean[7..33], &leaked[7..33]);
    let entry = clean[7..33].parse().expect("an id");
    let (before, after) = (LineHash::of(leaked.as_bytes()), LineHash::of(clean.as_bytes()));
    let scrub = Scrub { before, after, by: annals::kernel::id::EntryId::MIN };
    (leaked, vec![first, clean, third], Scrubs::from([(entry, vec![scrub])]))
}

fn with_scrubs(lines: &[String], scrubs: &Scrubs) -> Report {
    judge_files(&[(DAY, lines)], &[], scrubs, Foreign::Finding)
}

#[test]
fn a_scrub_that_was_recorded_leaves_the_chain_whole() {
    let (leaked, lines, scrubs) = scrubbed();
    let report = with_scrubs(&lines, &scrubs);
    assert_eq!((said(&report), report.scrubbed.lines), (vec![], 1));
    let mut both = lines.clone();
    both.insert(2, leaked.clone());
    let report = with_scrubs(&both, &scrubs);
    assert_eq!(said(&report), [""; 0], "a merge may bring the old line back");
    assert_eq!(report.scrubbed.back.iter().map(ToString::to_string).collect::<Vec<_>>(), ["2026-11-21.jsonl:3"]);
    let old = [lines[0].clone(), leaked, lines[2].clone()];
    assert_eq!(with_scrubs(&old, &scrubs).scrubbed.back.len(), 1);
}

#[test]
fn a_scrub_that_nobody_recorded_is_named() {
    let (_, mut lines, scrubs) = scrubbed();
    insta::assert_snapshot!(said(&with_scrubs(&lines, &Scrubs::new())).join("\n"), @"2026-11-21.jsonl:2 scrub unproved: line 2 of writer aaaaaaaa says that its hash was a22b53d301058d7b6b9147ec2c32f2c9 before a scrub, which no decision records");
    lines[1] = lines[1].replace("[gone]", "[GONE]");
    insta::assert_snapshot!(said(&with_scrubs(&lines, &scrubs)).join("\n"), @"2026-11-21.jsonl:2 changed: line 2 of writer aaaaaaaa: it was scrubbed, and is not what the scrub has left of it");
}

#[test]
fn the_same_import_of_two_clones_is_clean() {
    let (mut first, mut second) = (Scribe::new("aaaaaaaa"), Scribe::new("bbbbbbbb"));
    let mine = first.line("2026-11-21T10:00:00Z", "one");
    let theirs = second.line("2026-11-21T10:00:00Z", "one");
    let same = theirs.replace(&theirs[7..33], &mine[7..33]);
    assert_eq!(judged(&[mine, same]), [""; 0]);
}

#[test]
fn a_large_value_that_is_damaged_or_gone_is_named() {
    let project = Project::new();
    let engine = project.engine("2026-11-21T10:00:00Z", "blobs");
    engine.record(step("s", &"a long word ".repeat(5000)), IdSource::Minted).expect("recorded");
    let verify = |blobs| engine.verify(&Terms { blobs, ..Terms::default() }).expect("verified").report;
    assert_eq!((said(&verify(Blobs::Check)), verify(Blobs::Check).totals.blobs), (vec![], 1));
    let folder =
        fs::read_dir(project.history("blobs")).expect("a folder").next().expect("one").expect("an entry").path();
    let blob = fs::read_dir(folder).expect("a folder").next().expect("one").expect("an entry").path();
    fs::write(&blob, zstd::encode_all(&b"another word"[..], 0).expect("packed")).expect("written");
    let problem = |report: &Report| match report.findings.as_slice() {
        [Finding { what: What::BadBlob { problem, .. }, line: Some(1), .. }] => problem.clone(),
        _ => panic!("{:?}", said(report)),
    };
    assert_eq!(problem(&verify(Blobs::Check)), "its content does not have the hash that it is named by");
    fs::remove_file(&blob).expect("removed");
    assert_eq!(problem(&verify(Blobs::Check)), "is not there");
    assert_eq!(said(&verify(Blobs::Skip)), [""; 0], "only where it is asked for");
}

/// What three writers have written, in their order, and what each had seen of the others.
fn written(steps: &[(usize, [bool; 3])]) -> [Vec<String>; 3] {
    let mut scribes = ["aaaaaaaa", "bbbbbbbb", "cccccccc"].map(Scribe::new);
    let mut lines = [const { Vec::new() }; 3];
    for (number, (who, looks)) in steps.iter().enumerate() {
        let others = scribes.iter().zip(looks).enumerate();
        let seen = others.filter(|(other, (scribe, looks))| **looks && other != who && scribe.head.count > 0);
        let seen: Vec<_> = seen.map(|(_, (scribe, _))| scribe.seen()).collect();
        let at = format!("2026-11-21T{:02}:{:02}:00Z", 10 + number / 60, number % 60);
        lines[*who].push(scribes[*who].seeing(&at, &format!("step {number}"), &seen));
    }
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// However the lines of several writers are merged and spread over files: each writer's own order is all that counts.
    #[test]
    fn any_interleaving_is_clean(
        steps in prop::collection::vec((0..3usize, any::<[bool; 3]>()), 1..40),
        turns in prop::collection::vec(0..3usize, 40),
        splits in prop::collection::vec(any::<prop::sample::Index>(), 2),
    ) {
        let mut left = written(&steps).map(Vec::into_iter);
        let mut merged: Vec<String> = turns.iter().filter_map(|turn| left[*turn].next()).collect();
        merged.extend(left.into_iter().flatten());
        let mut splits: Vec<_> = splits.iter().map(|split| split.index(merged.len() + 1)).collect();
        splits.sort_unstable();
        let (start, (middle, end)) = (&merged[..splits[0]], merged[splits[0]..].split_at(splits[1] - splits[0]));
        let archive = "archive/2026-11-21-0a1b.jsonl.zst";
        let report = plain(&[(archive, end), (DAY, start), ("2026-W47.jsonl", middle)]);
        prop_assert_eq!(said(&report), [""; 0]);
        prop_assert_eq!(report.writers.iter().map(|writer| writer.lines).sum::<u64>(), steps.len() as u64);
    }
}
