//! The adversary of every end of a task: a kill, at each step of it.

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::world::{World, put};
use crate::workspace::{Author, OthersWork, Reached, Settled, Workspace, WorkspaceError, sweep};

thread_local! {
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// A change of the disk is about to be made, or was half made.
pub(crate) fn step() {
    LEFT.with(|left| match left.get() {
        None => {}
        Some(0) => std::panic::resume_unwind(Box::new("killed")),
        Some(more) => left.set(Some(more - 1)),
    });
}

/// Whether the work was killed: after so many steps.
fn is_killed(steps: usize, work: impl FnOnce()) -> bool {
    LEFT.set(Some(steps));
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    LEFT.set(None);
    ended.is_err()
}

/// Files become folders and links, and the other way round; the person has files that git does not know, and changes that are
/// in no commit.
fn begun(is_clone: bool) -> World {
    let files = [
        ("a.txt", "one\n"),
        ("gone/deep/er.txt", "x\n"),
        ("file", "a file\n"),
        ("folder/in/it", "y\n"),
        ("run.sh", "#!/bin/sh\n"),
        ("keep.txt", "1\n"),
    ];
    let world = if is_clone { World::of(&files) } else { World::folder_of(&files) };
    symlink("a.txt", world.project().join("link")).unwrap();
    symlink("a.txt", world.project().join("other")).unwrap();
    world.put("a.txt", "one, and the person's own\n");
    world.put("mine.txt", "in no commit\n");
    fs::create_dir(world.project().join("empty")).unwrap();
    world
}

fn work(root: &Path) {
    for path in ["gone", "folder"] {
        fs::remove_dir_all(root.join(path)).unwrap();
    }
    for path in ["file", "link", "other"] {
        fs::remove_file(root.join(path)).unwrap();
    }
    put(root, "a.txt", "one, and the person's own, and the task's\n");
    put(root, "file/is/a/folder", "now\n");
    put(root, "folder", "is a file now\n");
    put(root, "link", "is a file now\n");
    symlink("keep.txt", root.join("other")).unwrap();
    symlink("file", root.join("new-link")).unwrap();
    fs::set_permissions(root.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    put(root, "new/deep.txt", "new\n");
}

/// The project as it was, and a workspace whose end did not begin.
fn again(world: &World, saved: &Path) -> Workspace {
    fs::remove_dir_all(world.project()).unwrap();
    let copied = Command::new("cp").arg("-a").arg(saved).arg(world.dir.path().join("project")).status().unwrap();
    assert!(copied.success());
    drop(fs::remove_file(world.state().join("t1/ending")));
    reopened(world)
}

fn reopened(world: &World) -> Workspace {
    Workspace::reopen(&world.outside, &world.state(), "t1").unwrap()
}

fn save(world: &World) -> PathBuf {
    let saved = world.dir.path().join("saved");
    assert!(Command::new("cp").arg("-a").arg(world.project()).arg(&saved).status().unwrap().success());
    saved
}

/// Ends it once undisturbed, and then killed after each step and said again.
fn is_ended_alike(world: &World, end: impl Fn(&Workspace)) {
    let saved = save(world);
    end(&again(world, &saved));
    let undisturbed = world.all_of_project();
    for steps in 0.. {
        let workspace = again(world, &saved);
        if !is_killed(steps, || end(&workspace)) {
            assert!(steps > 20, "it was killed in the middle: {steps}");
            break;
        }
        drop(workspace);
        // Another kill, behind what was done by now.
        is_killed(3, || end(&reopened(world)));
        end(&reopened(world));
        assert_eq!(world.all_of_project(), undisturbed, "killed after {steps} steps");
    }
}

#[test]
fn what_is_applied_after_a_kill_at_any_step_is_what_one_undisturbed_apply_gives() {
    let world = begun(true);
    let workspace = world.workspace();
    work(workspace.path());
    is_ended_alike(&world, |workspace| drop(workspace.apply().unwrap()));
}

#[test]
fn what_is_dropped_in_a_folder_after_a_kill_at_any_step_is_as_it_was_before() {
    let world = begun(false);
    let before = world.all_of_project();
    let workspace = world.workspace();
    workspace.working(Reached::All, || work(&world.project())).unwrap();
    is_ended_alike(&world, |workspace| workspace.take_back(&OthersWork::Refused).unwrap());
    assert_eq!(world.all_of_project(), before);
}

/// The other end would lose what was written over, or call applied what is half undone.
#[test]
fn an_end_that_was_interrupted_is_ended_and_no_other_one_begins() {
    for is_clone in [true, false] {
        let world = begun(is_clone);
        let workspace = world.workspace();
        workspace.working(Reached::All, || work(workspace.path())).unwrap();
        let take_back = |workspace: &Workspace| workspace.take_back(&OthersWork::Refused);
        let is_begun = |error| matches!(error, WorkspaceError::Begun { .. });
        if is_clone {
            assert!(is_killed(4, || drop(workspace.apply())));
            assert!(is_begun(take_back(&workspace).unwrap_err()));
            workspace.keep(&super::ends::author(), "m").unwrap();
        } else {
            assert!(is_killed(4, || drop(take_back(&workspace))));
            assert!(is_begun(workspace.apply().unwrap_err()));
            take_back(&workspace).unwrap();
        }
    }
}

/// What was applied to its end is not held against what the person does to it afterwards.
#[test]
fn what_was_applied_and_only_not_noted_is_noted_without_a_look_at_the_project() {
    let world = begun(true);
    let workspace = world.workspace();
    work(workspace.path());
    let changed = workspace.apply().unwrap();
    workspace.note_done(Settled::Applied).unwrap();
    world.put("a.txt", "went on\n");
    let all = world.all_of_project();
    assert_eq!(reopened(&world).apply().unwrap(), changed);
    assert_eq!(world.all_of_project(), all);
}

/// The commits of a kept branch have a time: it is the one of the first try.
#[test]
fn what_is_kept_again_at_another_time_is_the_same_branch() {
    let world = begun(true);
    let workspace = world.workspace();
    work(workspace.path());
    let at = |at| Author { at, ..super::ends::author() };
    let commit = workspace.keep(&at(1_800_000_000), "m").unwrap();
    assert_eq!(reopened(&world).keep(&at(1_900_000_000), "m").unwrap(), commit);
}

/// A workspace of which a kill left a half is none; and one whose end is noted goes only when its entry is there.
#[test]
fn what_was_moved_aside_is_no_workspace_and_is_swept() {
    let world = begun(true);
    let workspace = world.workspace();
    workspace.note_done(Settled::Applied).unwrap();
    let begun = Workspace::make(&world.outside, &world.project(), &world.state(), "t2").unwrap();
    put(&world.state(), ".gone-t3/tree/half", "x\n");
    let names = || {
        let mut names: Vec<_> = fs::read_dir(world.state()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    sweep(&world.state(), &|_| false);
    assert_eq!(names(), ["t1", "t2"]);
    sweep(&world.state(), &|task| task != "t3");
    assert_eq!(names(), ["t2"], "its end was not done");
    assert!(matches!(workspace.forget(), Ok(())), "somebody else removed it");
    begun.forget().unwrap();
    assert!(names().is_empty());
}

/// A file that is being written by somebody who lives is theirs.
#[test]
fn what_a_dead_process_left_is_swept_and_what_a_living_one_writes_is_not() {
    let world = begun(true);
    let workspace = world.workspace();
    work(workspace.path());
    let mut dead = Command::new("true").spawn().unwrap();
    dead.wait().unwrap();
    let living = format!(".annals-writing-{}-0", std::os::unix::process::parent_id());
    let left = [format!(".annals-writing-{}-7", dead.id()), format!("new/.annals-writing-{}-0", dead.id())];
    let others = [living, ".annals-writing-x".to_owned(), ".annals-writing-0-1".to_owned()];
    left.iter().chain(&others).for_each(|name| world.put(name, "x\n"));
    workspace.apply().unwrap();
    let is_there = |name: &String| world.project().join(name).exists();
    assert!(!left.iter().any(is_there) && others.iter().all(is_there));
}
