//! A folder without git is worked in itself, and comes back as it was.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use serde_json::json;

use super::ends::author;
use super::world::{Tools, World};
use crate::confine::Lack;
use crate::tool::{ToolKind, ToolResult};
use crate::workspace::{Change, ChangedFile, OthersWork, Reached, Workspace, WorkspaceError};

fn begun() -> World {
    let world = World::folder_of(&[("a.txt", "one\n"), ("b/c.txt", "two\n"), ("b/d.txt", "three\n")]);
    world.put(".context/history/h.jsonl", "{}\n");
    world.put(".gitignore", "*.log\n");
    world.put("old.log", "noise\n");
    fs::set_permissions(world.project().join("b/c.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::set_permissions(world.project().join("b"), fs::Permissions::from_mode(0o750)).unwrap();
    symlink("a.txt", world.project().join("link")).unwrap();
    world
}

#[test]
fn what_tools_changed_comes_back_to_the_byte_and_the_mode() {
    let world = begun();
    let before = world.all_of_project();
    let workspace = world.workspace();
    assert!(!workspace.is_clone());
    let tools = Tools::of(&world, &workspace);
    tools.run(ToolKind::Write, json!({"path": "b/c.txt", "content": "changed"}));
    tools.run(ToolKind::Write, json!({"path": "n/e/w", "content": "new"}));
    tools.run(ToolKind::Edit, json!({"path": "a.txt", "old": "one", "new": "1"}));
    tools.run(ToolKind::Edit, json!({"path": "a.txt", "old": "1", "new": "2"}));
    let file = |path: &str, change| ChangedFile { path: path.into(), change };
    let expected = [file("a.txt", Change::Changed), file("b/c.txt", Change::Changed), file("n/e/w", Change::Added)];
    let diff = workspace.diff().unwrap();
    assert_eq!(diff.files, expected);
    assert!(diff.text().contains("-one\n+2\n"), "{}", diff.text());
    assert!(matches!(workspace.keep(&author(), "m"), Err(WorkspaceError::NoBranches { .. })));
    drop(workspace);
    let again = Workspace::reopen(&world.outside, &world.state(), "t1").unwrap();
    assert_eq!(again.changed().unwrap(), expected);
    again.discard(&OthersWork::Refused).unwrap();
    assert_eq!(world.all_of_project(), before);
}

#[test]
fn what_a_command_did_comes_back_too_and_the_record_is_not_there_for_it() {
    let world = begun();
    let before = world.all_of_project();
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    assert!(!tools.confinement.status().lacks(Lack::Record));
    tools.run(ToolKind::Write, json!({"path": "a.txt", "content": "by a tool"}));
    let done = tools.shell(
        "rm -r b; echo x > b; echo y > old.log; mkdir -p deep/er; echo z > deep/er/z.log; chmod 700 a.txt; \
         rm link; ln -s b link; mkfifo pipe; ls -A .context; echo forged > .context/forged; ls .context",
    );
    assert!(!done.output.contains("history"), "{}", done.output);
    let changed = workspace.changed().unwrap();
    let names: Vec<&str> = changed.iter().map(|file| file.path.to_str().unwrap()).collect();
    assert_eq!(names, ["a.txt", "b", "b/c.txt", "b/d.txt", "link", "old.log"]);
    workspace.discard(&OthersWork::Refused).unwrap();
    assert_eq!(world.all_of_project(), before);
}

#[test]
fn what_was_done_stays_where_it_is_not_dropped() {
    let world = begun();
    let workspace = world.workspace();
    let tools = Tools::of(&world, &workspace);
    let written = tools.run(ToolKind::Write, json!({"path": "a.txt", "content": "new"}));
    assert_eq!(written.result, ToolResult::Worked);
    assert_eq!(workspace.apply().unwrap().len(), 1);
    workspace.forget().unwrap();
    assert_eq!(fs::read_to_string(world.project().join("a.txt")).unwrap(), "new");
    assert_eq!(fs::read_dir(world.state()).unwrap().count(), 0);
}

#[test]
fn the_record_is_out_of_reach_of_tools() {
    let world = begun();
    let workspace = world.workspace();
    let tools = Tools::of(&world, &workspace);
    for (kind, input) in [
        (ToolKind::Write, json!({"path": ".context/x", "content": "x"})),
        (ToolKind::Read, json!({"path": ".context/history/h.jsonl"})),
        (ToolKind::Edit, json!({"path": ".Context/history/h.jsonl", "old": "{}", "new": "x"})),
    ] {
        assert_eq!(tools.run(kind, input.clone()).result, ToolResult::Failed, "{input}");
    }
    let found = tools.run(ToolKind::Search, json!({"pattern": "\\{\\}"}));
    assert_eq!(found.output, "no line");
}

/// What is refused, by names.
fn refused(workspace: Workspace) -> Vec<PathBuf> {
    match workspace.discard(&OthersWork::Refused) {
        Err(WorkspaceError::NotItsAlone { paths }) => paths,
        other => panic!("{other:?}"),
    }
}

fn reopened(world: &World) -> Workspace {
    Workspace::reopen(&world.outside, &world.state(), "t1").unwrap()
}

/// As a command would, if this machine could wall one in.
fn works(workspace: &Workspace, work: impl FnOnce(&World), world: &World) {
    workspace.working(Reached::All, || work(world)).unwrap();
}

/// As a command that was killed on the way.
fn is_killed(workspace: &Workspace, work: impl FnOnce(&World), world: &World) {
    let killed = catch_unwind(AssertUnwindSafe(|| {
        workspace.working(Reached::All, || {
            work(world);
            resume_unwind(Box::new(()));
        })
    }));
    assert!(killed.is_err());
}

/// Law 1: the task wrote `a.txt`, and the person went on with it, and made files that it never saw.
#[test]
fn what_others_did_in_the_folder_is_neither_overwritten_nor_removed() {
    let world = begun();
    let workspace = world.workspace();
    let work =
        |world: &World| ["a.txt", "cache.log", "made.log"].iter().for_each(|path| world.put(path, "by the task\n"));
    works(&workspace, work, &world);
    world.put("a.txt", "mine\n");
    // Git ignores it: it is made anew by whoever runs the tests.
    world.put("cache.log", "mine\n");
    for (path, content) in [("new.txt", "new\n"), ("deep/er/mine.txt", "mine\n"), ("b/c.txt", "mine, too\n")] {
        world.put(path, content);
    }
    let before = world.all_of_project();
    assert_eq!(workspace.changed().unwrap(), [ChangedFile { path: "a.txt".into(), change: Change::Changed }]);
    assert_eq!(refused(workspace), [PathBuf::from("a.txt")]);
    assert_eq!(world.all_of_project(), before);
    let aside = world.dir.path().join("aside");
    reopened(&world).discard(&OthersWork::LaidAside(aside.clone())).unwrap();
    assert_eq!(fs::read_to_string(aside.join("a.txt")).unwrap(), "mine\n");
    let here = |path: &str| fs::read_to_string(world.project().join(path)).unwrap();
    let now = ["a.txt", "new.txt", "deep/er/mine.txt", "b/c.txt", "cache.log"].map(here);
    assert_eq!(now, ["one\n", "new\n", "mine\n", "mine, too\n", "mine\n"]);
    assert!(!world.project().join("made.log").exists());
}

/// Between two pieces of work, too: what the task found is what comes back.
#[test]
fn what_others_did_while_the_task_thought_is_how_it_was_before() {
    let world = begun();
    let workspace = world.workspace();
    works(&workspace, |world| world.put("n.txt", "by the task\n"), &world);
    world.put("b/c.txt", "mine\n");
    world.put("later.txt", "mine\n");
    fs::remove_file(world.project().join("b/d.txt")).unwrap();
    let before = world.all_of_project();
    drop(workspace);
    let workspace = reopened(&world);
    works(
        &workspace,
        |world| ["b/c.txt", "later.txt", "b/d.txt"].iter().for_each(|path| world.put(path, "by the task\n")),
        &world,
    );
    workspace.discard(&OthersWork::Refused).unwrap();
    let mut expected = before;
    expected.remove(&world.project().join("n.txt"));
    assert_eq!(world.all_of_project(), expected);
}

#[test]
fn where_both_changed_a_file_in_turn_it_is_not_the_tasks_alone() {
    let world = begun();
    let workspace = world.workspace();
    for work in 0..2 {
        works(&workspace, |world| world.put("a.txt", &format!("by the task, {work}\n")), &world);
        world.put(if work == 0 { "a.txt" } else { "b/c.txt" }, "mine\n");
    }
    assert_eq!(refused(workspace), [PathBuf::from("a.txt")]);
}

/// A folder of the task's in which others put something stays with that; a file in its place does not come back over it.
#[test]
fn what_others_put_into_a_folder_of_the_tasks_stays() {
    let world = begun();
    let workspace = world.workspace();
    let work = |world: &World| {
        world.put("made/by.txt", "the task\n");
        fs::remove_file(world.project().join("a.txt")).unwrap();
        world.put("a.txt/in.txt", "the task\n");
    };
    works(&workspace, work, &world);
    world.put("made/mine.txt", "mine\n");
    let again = reopened(&world);
    workspace.discard(&OthersWork::Refused).unwrap();
    assert_eq!(fs::read_to_string(world.project().join("made/mine.txt")).unwrap(), "mine\n");
    assert!(!world.project().join("made/by.txt").exists() && world.project().join("a.txt").is_file());
    drop(again);
    let workspace = world.workspace();
    works(&workspace, work, &world);
    world.put("a.txt/mine.txt", "mine\n");
    assert_eq!(refused(workspace), [PathBuf::from("a.txt/mine.txt")]);
    let aside = world.dir.path().join("aside");
    reopened(&world).discard(&OthersWork::LaidAside(aside.clone())).unwrap();
    assert_eq!(fs::read_to_string(aside.join("a.txt/mine.txt")).unwrap(), "mine\n");
    assert!(world.project().join("a.txt").is_file());
}

#[test]
fn of_a_run_that_was_killed_nothing_is_undone_that_cannot_be_told_apart() {
    for goes_on in [false, true] {
        let world = begun();
        let workspace = world.workspace();
        works(&workspace, |world| world.put("a.txt", "by the task\n"), &world);
        is_killed(&workspace, |world| world.put("b/c.txt", "half done\n"), &world);
        world.put("mine.txt", "mine\n");
        if goes_on {
            works(&reopened(&world), |world| world.put("b/d.txt", "by the task\n"), &world);
        }
        let before = world.all_of_project();
        assert_eq!(refused(reopened(&world)), [PathBuf::from("b/c.txt"), "mine.txt".into()]);
        assert_eq!(world.all_of_project(), before);
        let aside = world.dir.path().join("aside");
        fs::create_dir(&aside).unwrap();
        fs::write(aside.join("x"), "x").unwrap();
        let refused = reopened(&world).discard(&OthersWork::LaidAside(aside.clone())).unwrap_err();
        assert!(matches!(refused, WorkspaceError::NotEmpty { .. }), "{refused}");
        fs::remove_file(aside.join("x")).unwrap();
        reopened(&world).discard(&OthersWork::LaidAside(aside.clone())).unwrap();
        let laid = ["b/c.txt", "mine.txt"].map(|path| fs::read_to_string(aside.join(path)).unwrap());
        assert_eq!(laid, ["half done\n", "mine\n"]);
        let here = ["a.txt", "b/c.txt", "b/d.txt"].map(|path| fs::read_to_string(world.project().join(path)).unwrap());
        assert_eq!(here, ["one\n", "two\n", "three\n"]);
    }
}

/// Its journal says nothing of what the task left.
#[test]
fn a_workspace_of_an_earlier_version_is_not_taken_for_untouched() {
    let world = begun();
    drop(world.workspace());
    let folder = world.state().join("t1");
    fs::write(folder.join("base/a.txt"), "one\n").unwrap();
    fs::write(folder.join("journal"), b"c a.txt\0a mine.txt\0").unwrap();
    world.put("a.txt", "by the task or by me\n");
    assert_eq!(refused(reopened(&world)), [PathBuf::from("a.txt")]);
}
