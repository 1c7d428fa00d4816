//! Git may do what it likes: two clones, agents that write in them, and people who do with git whatever chance says.
//!
//! `ANNALS_GIT_OPERATIONS=2000` plays longer, `ANNALS_GIT_SEED=7` another game, and `ANNALS_GIT_KEEP=1` stops at the first
//! thing that must not happen and keeps the folder. What a game found stands as a script of its own.

mod chance;
mod finish;
mod folders;
mod lines;
mod operation;
mod player;
mod refs;
mod work_tree;

use std::fs;
use std::path::Path;

use operation::Operation;
use player::Player;

/// Enough to meet most operations once, and few enough for every run of the tests.
const OPERATIONS: u64 = 25;

#[expect(clippy::disallowed_methods, reason = "tests only: nothing else can say how long to play")]
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

fn judge(player: &Player) {
    assert!(player.violations.is_empty(), "{}\n\n{}", player.told(), player.story.join("\n"));
}

#[test]
fn whatever_people_do_with_git_nothing_acknowledged_is_lost() {
    let is_kept = number("ANNALS_GIT_KEEP").is_some();
    let folder = tempfile::Builder::new().disable_cleanup(is_kept).tempdir().expect("a folder");
    let seed = number("ANNALS_GIT_SEED").unwrap_or(13);
    let mut player = Player::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_annals")), seed);
    for _ in 0..number("ANNALS_GIT_OPERATIONS").unwrap_or(OPERATIONS) {
        player.step();
        if is_kept {
            judge(&player);
        }
    }
    player.finish();
    assert!(player.acknowledged() > 0);
    judge(&player);
}

fn script(operations: &[Operation]) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut player = Player::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_annals")), 1);
    player.script(operations);
    player.finish();
    judge(&player);
    fs::remove_dir_all(folder.path()).expect("removed");
}

fn git(operations: &[&str]) {
    script(&operations.iter().map(|text| Operation::of(text)).collect::<Vec<_>>());
}

#[test]
fn a_hard_reset_takes_no_line() {
    git(&["add -A|commit -qm 1", "reset -q --hard", "add -A|reset -q --hard", "add -A|commit -qm 2"]);
}

#[test]
fn a_reset_behind_commits_takes_no_line() {
    git(&["add -A|commit -qm 1", "add -A|commit -qm 2", "add -A|commit -qm 3", "reset -q --hard HEAD~3"]);
}

#[test]
fn a_soft_and_a_mixed_reset_take_no_line() {
    git(&[
        "add -A|commit -qm 1", "reset -q --soft HEAD~1", "add -A|commit -qm 2", "reset -q HEAD~1", "reset -q --hard",
    ]);
}

#[test]
fn a_stash_takes_no_line_whether_it_comes_back_or_not() {
    git(&["stash -q -u", "stash pop -q", "add -A", "stash -q", "stash drop -q", "add -A|stash -q"]);
}

#[test]
fn what_was_put_back_is_closed_like_any_other_once_git_takes_it() {
    git(&["stash -q -u", "add -A", "add -A|commit -qm 1", "commit -qm nothing"]);
}

#[test]
fn a_checkout_of_everything_takes_no_line() {
    git(&[
        "add -A", "checkout -q .", "restore .", "restore --staged --worktree .", "add -A|commit -qm 1", "checkout -q .",
    ]);
}

#[test]
fn a_clean_takes_no_line() {
    git(&["clean -qfd", "add -A|commit -qm 1", "clean -qfdx", "clean -qfdx"]);
}

#[test]
fn an_amended_commit_takes_no_line() {
    git(&["add -A|commit -qm 1", "add -A|commit -q --amend --no-edit", "commit -q -a --amend --no-edit"]);
}

#[test]
fn a_switch_back_and_forth_is_not_refused_and_takes_no_line() {
    git(&[
        "switch -q -c other", "switch -q main", "add -A|commit -qm 1", "switch -q other", "add -A|commit -qm 2",
        "switch -q main", "switch -q other",
    ]);
}

#[test]
fn a_rebase_a_merge_and_a_cherry_pick_take_no_line() {
    git(&[
        "switch -q -c other", "add -A|commit -qm 1", "switch -q main", "add -A|commit -qm 2", "switch -q other",
        "rebase -q main", "switch -q main", "merge -q other", "cherry-pick other",
    ]);
}

#[test]
fn files_that_leave_the_index_are_still_there() {
    git(&[
        "add -A|commit -qm 1", "rm -rq --cached .context", "add -A", "rm -rq --cached .context|commit -qm 2", "add -A",
    ]);
}

#[test]
fn a_sparse_work_tree_takes_no_line() {
    git(&[
        "add -A|commit -qm 1", "sparse-checkout set src", "add -A", "sparse-checkout disable",
        "sparse-checkout set --sparse-index src", "sparse-checkout disable",
    ]);
}

#[test]
fn a_removed_folder_comes_back() {
    script(&[
        Operation::of("add -A|commit -qm 1"),
        Operation::RemoveLocal,
        Operation::RemoveContext,
        Operation::MoveContext,
        Operation::RemoveContext,
    ]);
}

#[test]
fn a_work_tree_that_is_removed_leaves_its_lines_to_another() {
    script(&[Operation::AddWorkTree, Operation::of("add -A|commit -qm 1"), Operation::RemoveWorkTree]);
}

#[test]
fn an_open_segment_can_be_added() {
    script(&[
        Operation::AddOpenSegment,
        Operation::of("commit -qm 1"),
        Operation::AddOpenSegment,
        Operation::of("reset -q --hard"),
    ]);
}

#[test]
fn what_is_taken_again_in_the_same_way_is_put_back_again() {
    git(&[
        "add -A|commit -qm 1", "stash -q -u", "clean -qfd", "stash -q -u", "clean -qfd", "stash pop -q", "clean -qfd",
    ]);
}

#[test]
fn a_stash_comes_back_whatever_was_put_back_since() {
    git(&[
        "add -A|commit -qm 1", "stash -q -u", "stash -q -u", "add -A|commit -qm 2", "switch -q -c other HEAD~1",
        "stash -q -u", "clean -qfd", "stash pop -q", "add -A|commit -qm 3", "stash pop -q", "add -A|commit -qm 4",
        "stash pop -q",
    ]);
}

#[test]
fn lines_that_two_work_trees_put_back_are_both_there_when_one_is_removed() {
    script(&[
        Operation::of("add -A|commit -qm 1"),
        Operation::AddWorkTree,
        Operation::of("reset -q --hard HEAD~1"),
        Operation::of("clean -qfd"),
        Operation::RemoveWorkTree,
        Operation::of("clean -qfd"),
    ]);
}

#[test]
fn packed_days_come_and_go_with_branches() {
    script(&[
        Operation::of("add -A|commit -qm 1"),
        Operation::Archive,
        Operation::of("reset -q --hard"),
        Operation::Archive,
        Operation::of("switch -q -c packed|add -A|commit -qm 2"),
        Operation::of("switch -q main"),
        Operation::Archive,
        Operation::of("clean -qfd"),
        Operation::of("switch -q packed|branch -D main|switch -q -c main HEAD~1"),
        Operation::of("stash -q -u"),
        Operation::Archive,
        Operation::of("stash pop -q"),
    ]);
}
