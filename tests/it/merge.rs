//! The merge law: whichever way two histories are merged, they fold to one world, and `verify` finds nothing.
//!
//! With real git and its union driver, as `.gitattributes` asks for it. What the driver does is written down here:
//! where both sides changed neighbouring lines it keeps all of both, so that a changed line stands beside its old self.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use annals::engine::archive::PackMode;
use annals::engine::verify::Terms;
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::EntryId;
use annals::kernel::json::Json;
use annals::log::position::IdSource;
use annals::log::verify::Local;

use crate::repo::{Merge, Repo};
use crate::support::{self, Project, engine, findings_of, imported, said, step, world_hash};

const DAY: &str = "2026-11-20.jsonl";

/// A clone in which one writer has written three lines, committed.
fn base() -> Repo {
    let repo = Repo::new();
    say(&repo, "2026-11-20T10:00:00Z", "base", &["one", "two", "three"]);
    repo.commit("base");
    repo
}

fn say(repo: &Repo, now: &str, seed: &str, texts: &[&str]) {
    let steps = texts.iter().map(|text| (step(seed, &format!("say {text}")), IdSource::Minted)).collect();
    repo.project.engine(now, seed).record_all(steps).expect("recorded");
}

fn left_says(repo: &Repo) {
    say(repo, "2026-11-20T11:00:00Z", "left", &["l1", "l2"]);
}

fn right_says(repo: &Repo) {
    say(repo, "2026-11-20T12:00:00Z", "right", &["r1", "r2"]);
}

fn import(repo: &Repo, seed: &str) {
    let steps = (0..3).map(|number| imported("2026-11-20T10:30:00Z", "elsewhere", &format!("say i{number}")));
    let steps = steps.map(|step| (step, IdSource::AsGiven)).collect();
    repo.project.engine("2026-11-22T10:00:00Z", seed).record_all(steps).expect("recorded");
}

/// Packs the day.
fn archive(repo: &Repo) {
    let engine = repo.project.engine("2026-11-20T13:00:00Z", "archivist");
    let packed = engine.archive("2026-11-21".parse().expect("a day"), PackMode::Pack).expect("packed");
    assert_eq!(packed.len(), 1);
}

/// Takes what was said out of the line that says it; all of it, or a part.
fn scrub(repo: &Repo, now: &str, seed: &str, word: &str, part: Option<&str>) {
    let files = repo.project.files();
    let line = files[DAY].lines().find(|line| line.contains(&format!("say {word}\""))).expect("the word");
    support::scrub(&repo.project.engine(now, seed), line[7..33].parse().expect("an id"), part);
}

/// The words of the lines of a day, in their order; decisions are `!`.
fn words(repo: &Repo) -> String {
    let word = |line: &str| {
        let entry = HistoryEntry::read(line).expect("an entry");
        let input: BTreeMap<String, Json> = entry.operation.input.read().expect("an object");
        let said = || input["command"].read::<String>().expect("a text");
        if entry.annals.r.is_some() {
            "!".to_owned()
        } else {
            said().trim_start_matches("say ").replace("[SCRUBBED]", "[gone]")
        }
    };
    repo.project.files().get(DAY).map_or(String::new(), |text| text.lines().map(word).collect::<Vec<_>>().join(" "))
}

/// Two clones of one base go apart and are merged into each other.
fn merged(left: impl Fn(&Repo), right: impl Fn(&Repo)) -> [(Merge, Repo); 2] {
    let base = base();
    let (one, other) = (base.cloned(), base.cloned());
    left(&one);
    right(&other);
    one.commit("left");
    other.commit("right");
    one.fetch(&other, "other");
    other.fetch(&one, "other");
    [one, other].map(|repo| (repo.merge("other"), repo))
}

/// No conflict, one world, nothing found. Returns what the day file holds, merged this way and that way.
#[track_caller]
fn assert_lawful(left: impl Fn(&Repo), right: impl Fn(&Repo)) -> [String; 2] {
    let both = merged(left, right);
    for (merge, repo) in &both {
        assert_eq!(*merge, Merge::Clean);
        assert_eq!(findings_of(&repo.project.context()), [""; 0], "{}", words(repo));
    }
    let [one, other] = both.map(|(_, repo)| (world_hash(&repo.project.context()), words(&repo)));
    assert_eq!(one.0, other.0);
    [one.1, other.1]
}

#[test]
fn two_writers() {
    let files = assert_lawful(left_says, right_says);
    assert_eq!(files, ["one two three l1 l2 r1 r2", "one two three r1 r2 l1 l2"]);
}

#[test]
fn the_same_import_on_both_sides() {
    let files = assert_lawful(|repo| import(repo, "left"), |repo| import(repo, "right"));
    assert_eq!(files, ["one two three i0 i1 i2 i0 i1 i2"; 2], "one of each counts");
}

#[test]
fn a_scrub_on_one_side() {
    let scrub_two = |repo: &Repo| scrub(repo, "2026-11-20T11:00:00Z", "left", "two", None);
    let files = assert_lawful(scrub_two, right_says);
    assert_eq!(files, ["one [gone] three ! r1 r2", "one [gone] three r1 r2 !"]);
}

#[test]
fn a_scrub_of_a_last_line_on_one_side() {
    let scrub_three = |repo: &Repo| scrub(repo, "2026-11-20T11:00:00Z", "left", "three", None);
    let files = assert_lawful(scrub_three, right_says);
    assert_eq!(files, ["one two [gone] ! three r1 r2", "one two three r1 r2 [gone] !"], "the old line is back");
    let scrub_all = |repo: &Repo| {
        for (word, now) in [("one", "11:00"), ("two", "11:01"), ("three", "11:02")] {
            scrub(repo, &format!("2026-11-20T{now}:00Z"), "left", word, None);
        }
    };
    let files = assert_lawful(scrub_all, right_says);
    assert_eq!(files[0], "[gone] [gone] [gone] ! ! ! one two three r1 r2", "all old lines are back");
}

#[test]
fn a_scrubbed_line_that_a_merge_brought_back_is_named() {
    let scrub_three = |repo: &Repo| scrub(repo, "2026-11-20T11:00:00Z", "left", "three", None);
    for (_, repo) in merged(scrub_three, right_says) {
        let verification =
            repo.project.engine("2026-12-01T00:00:00Z", "x").verify(&Terms::default()).expect("verified");
        let back: Vec<_> = verification.report.scrubbed.back.iter().map(|at| at.line).collect();
        let leaks =
            repo.project.files()[DAY].lines().position(|line| line.contains("say three")).expect("the leak") + 1;
        assert_eq!((back, verification.report.scrubbed.lines), (vec![leaks as u64], 1));
        let [erasure] = verification.erasures.as_slice() else { panic!("one decision") };
        assert_eq!((&*erasure.confirmed_by, erasure.scrubbed.len()), ("Ada", 1));
    }
}

#[test]
fn scrubs_of_the_same_line_on_both_sides() {
    let scrub_two = |now: &'static str, seed: &'static str| move |repo: &Repo| scrub(repo, now, seed, "two", None);
    let files = assert_lawful(scrub_two("2026-11-20T11:00:00Z", "left"), scrub_two("2026-11-20T12:00:00Z", "right"));
    assert_eq!(files, ["one [gone] three ! !"; 2]);
}

#[test]
fn different_scrubs_of_the_same_line_on_both_sides() {
    let left = |repo: &Repo| scrub(repo, "2026-11-20T11:00:00Z", "left", "two", None);
    let right = |repo: &Repo| scrub(repo, "2026-11-20T12:00:00Z", "right", "two", Some("y two"));
    let files = assert_lawful(left, right);
    assert_eq!(
        files,
        ["one [gone] three ! sa[gone] three !", "one sa[gone] three ! [gone] three !"],
        "one of both counts"
    );
}

#[test]
fn an_archive_on_one_side() {
    let files = assert_lawful(archive, right_says);
    assert_eq!(files, ["one two three r1 r2"; 2], "the lines are in the archive and in the file again");
}

#[test]
fn an_archive_and_late_lines_on_one_side() {
    let archive_then_say = |repo: &Repo| {
        archive(repo);
        left_says(repo);
    };
    let files = assert_lawful(archive_then_say, right_says);
    assert_eq!(files, ["l1 l2 one two three r1 r2", "one two three r1 r2 l1 l2"]);
}

#[test]
fn different_archives_of_one_day() {
    let say_then_archive = |repo: &Repo| {
        right_says(repo);
        archive(repo);
    };
    let files = assert_lawful(archive, say_then_archive);
    assert_eq!(files, [""; 2]);
}

#[test]
fn a_scrub_on_one_side_and_an_archive_on_the_other() {
    let scrub_two = |repo: &Repo| scrub(repo, "2026-11-20T11:00:00Z", "left", "two", None);
    let files = assert_lawful(scrub_two, archive);
    assert_eq!(files, ["one [gone] three !"; 2], "the archive still holds the old line");
}

#[test]
fn a_last_line_without_its_newline() {
    let torn = |repo: &Repo| {
        left_says(repo);
        let mut files = repo.project.files();
        files.insert(DAY.to_owned(), files[DAY].trim_end().to_owned());
        repo.project.set_files(&files);
    };
    let files = assert_lawful(torn, right_says);
    assert_eq!(files, ["one two three l1 l2 r1 r2", "one two three r1 r2 l1 l2"], "git adds the newline");
}

#[test]
fn a_day_file_that_one_side_removed_is_the_one_conflict() {
    let remove = |repo: &Repo| {
        archive(repo);
        fs::remove_file(repo.project.history(DAY)).expect("removed");
    };
    for (merge, repo) in merged(remove, right_says) {
        assert_eq!(
            (merge, words(&repo).as_str()),
            (Merge::Conflict, "one two three r1 r2"),
            "hence an archive empties it"
        );
    }
}

/// One clone that goes back and forth between two branches; then both are merged, each into the other.
#[test]
fn one_clone_that_alternates_two_branches() {
    let repo = base();
    repo.git(&["branch", "other"]);
    for (hour, branch) in (11..15).zip(["main", "other", "main", "other"]) {
        repo.git(&["checkout", "-q", branch]);
        say(&repo, &format!("2026-11-20T{hour}:00:00Z"), &format!("{branch}{hour}"), &["a", "b"]);
        repo.commit(branch);
    }
    let left = repo.cloned();
    repo.git(&["checkout", "-q", "main"]);
    let right = repo.cloned();
    left.fetch(&right, "main");
    right.git(&["fetch", "-q", "origin", "other:other"]);
    assert_eq!([left.merge("main"), right.merge("other"), repo.merge("other")], [Merge::Clean; 3]);
    let hashes = [&left, &right, &repo].map(|repo| world_hash(&repo.project.context()));
    assert_eq!(hashes, [hashes[0].as_str(); 3]);
    for merged in [&left, &right, &repo] {
        assert_eq!(findings_of(&merged.project.context()), [""; 0]);
    }
    let verification = repo.project.engine("2026-12-01T00:00:00Z", "x").verify(&Terms::default()).expect("verified");
    assert_eq!(verification.report.writers.len(), 4, "the first writer, and a new one after each change of branch");
}

#[test]
fn on_another_branch_local_remembers_lines_that_are_not_there() {
    let repo = base();
    repo.git(&["branch", "other"]);
    left_says(&repo);
    repo.commit("main");
    repo.git(&["checkout", "-q", "other"]);
    let engine = engine(&repo.project.context(), "2026-12-01T00:00:00Z", "x");
    let found = said(&engine.verify(&Terms::default()).expect("verified").report);
    assert!(matches!(found.as_slice(), [only] if only.contains("cut off") && only.contains("local/")), "{found:?}");
    let without = Terms { local: Local::Ignore, ..Terms::default() };
    assert_eq!(said(&engine.verify(&without).expect("verified").report), [""; 0]);
    right_says(&repo);
    assert_eq!(findings_of(&repo.project.context()), [""; 0], "whoever writes next looks anew");
}

/// A copied folder writes under a new name; only a copy behind its back, under the same lock file, could fork.
#[test]
fn a_copied_folder_is_another_writer() {
    let one = base();
    let copy = Repo { project: Project::new() };
    copy_folder(&one.project.context(), &copy.project.context());
    say(&one, "2026-11-20T11:00:00Z", "one", &["a"]);
    say(&copy, "2026-11-20T11:00:00Z", "copy", &["b"]);
    let mut files = one.project.files();
    let theirs = copy.project.files()[DAY].lines().last().expect("a line").to_owned();
    files.insert(DAY.to_owned(), format!("{}{theirs}\n", files[DAY]));
    one.project.set_files(&files);
    assert_eq!(findings_of(&one.project.context()), [""; 0]);
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).expect("copied");
        }
    }
}

#[test]
fn a_clone_that_reads_every_byte_anew_agrees() {
    let both = merged(left_says, right_says);
    for (_, repo) in &both {
        let last =
            repo.project.engine("2026-12-01T00:00:00Z", "x").world_at(EntryId::MAX).expect("folded").world().hash();
        assert_eq!(last, world_hash(&repo.project.context()));
    }
}

/// A sequence of numbers that looks like chance and is always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % below
    }
}

/// Three clones that write, and share their work through a fourth, when they please; in the end all of it.
fn share(seed: u64, rounds: usize) {
    let shared = base();
    shared.git(&["config", "receive.denyCurrentBranch", "updateInstead"]);
    let clones = [shared.cloned(), shared.cloned(), shared.cloned()];
    let mut dice = Dice(seed);
    for round in 0..rounds {
        let one = dice.roll(clones.len());
        match dice.roll(5) {
            0 | 1 => {
                let texts: Vec<_> = (0..=dice.roll(4)).map(|number| format!("{one}.{round}.{number}")).collect();
                let texts: Vec<_> = texts.iter().map(String::as_str).collect();
                say(&clones[one], &format!("2026-11-20T12:{round:02}:00Z"), &format!("clone{one}"), &texts);
                clones[one].commit("say");
            }
            2 | 3 => pull(&clones[one]),
            _ => {
                pull(&clones[one]);
                clones[one].git(&["push", "-q", "origin", "main"]);
            }
        }
    }
    for clone in clones.iter().chain(&clones[..2]) {
        pull(clone);
        clone.git(&["push", "-q", "origin", "main"]);
    }
    let hashes = clones.each_ref().map(|repo| world_hash(&repo.project.context()));
    assert_eq!(hashes, [hashes[0].as_str(); 3], "{seed}");
}

fn pull(repo: &Repo) {
    repo.git(&["fetch", "-q", "origin"]);
    assert_eq!(repo.merge("origin/main"), Merge::Clean);
    assert_eq!(findings_of(&repo.project.context()), [""; 0], "{}", words(repo));
}

#[test]
fn clones_that_share_their_work_through_another_one() {
    share(4, 20);
}
