//! A folder without git is worked in itself, and comes back as it was.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::json;

use super::ends::author;
use super::world::{Tools, World};
use crate::confine::Lack;
use crate::tool::{ToolKind, ToolResult};
use crate::workspace::{Change, ChangedFile, Workspace, WorkspaceError};

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
    again.discard().unwrap();
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
    workspace.discard().unwrap();
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
