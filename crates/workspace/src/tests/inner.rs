//! A project that is a folder within a work tree: what is seen, paths and commands begin in that folder.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::world::{Tools, World};
use crate::tool::{ToolKind, ToolResult};
use crate::workspace::{Change, ChangedFile, Workspace};
use crate::{Check, CheckGiver, CheckOutcome, check};

fn begun() -> World {
    let world = World::of(&[
        ("top.txt", "whale top\n"),
        (".gitignore", "*.log\n"),
        ("sub/inner/a.txt", "whale\n"),
        ("sub/inner/deep/b.txt", "whale b\n"),
        ("sub/beside.txt", "whale beside\n"),
    ]);
    world.put("sub/inner/.context/h", "whale\n");
    world.put("sub/inner/x.log", "whale\n");
    world
}

fn workspace(world: &World) -> Workspace {
    Workspace::make(&world.outside, &world.project().join("sub/inner"), &world.state(), "t1").unwrap()
}

#[test]
fn tools_work_in_the_projects_folder_and_reach_the_rest_of_the_clone() {
    let world = begun();
    let workspace = workspace(&world);
    assert_eq!(workspace.folder(), workspace.path().join("sub/inner"));
    fs::write(workspace.folder().join("x.log"), "whale\n").unwrap();
    let tools = Tools::of(&world, &workspace);
    for (kind, input, output) in [
        (ToolKind::Find, json!({"name": "txt"}), "a.txt\ndeep/b.txt"),
        (ToolKind::Glob, json!({"pattern": "deep/*"}), "deep/b.txt"),
        (ToolKind::Search, json!({"pattern": "whale"}), "a.txt:1: whale\ndeep/b.txt:1: whale b"),
        (ToolKind::Search, json!({"pattern": "b", "path": "deep"}), "deep/b.txt:1: whale b"),
        (ToolKind::Search, json!({"pattern": "beside", "path": ".."}), "../beside.txt:1: whale beside"),
        (ToolKind::Read, json!({"path": "./a.txt"}), "     1\twhale\n"),
        (ToolKind::Read, json!({"path": "../../top.txt"}), "     1\twhale top\n"),
        (
            ToolKind::Edit,
            json!({"path": "a.txt", "old": "whale", "new": "seal"}),
            "line 1 of a.txt changed: 4 bytes instead of 5",
        ),
        (ToolKind::Write, json!({"path": "out.txt", "content": "x"}), "1 bytes written to out.txt, a new file"),
    ] {
        let end = tools.run(kind, &input);
        assert_eq!((end.result, &*end.output), (ToolResult::Worked, output), "{input}");
    }
    let file = |path: &str, change| ChangedFile { path: path.into(), change };
    let expected = [file("sub/inner/a.txt", Change::Changed), file("sub/inner/out.txt", Change::Added)];
    assert_eq!(workspace.changed().unwrap(), expected);
    workspace.apply().unwrap();
    assert_eq!(fs::read_to_string(world.project().join("sub/inner/out.txt")).unwrap(), "x");
    let holds = Check::FileContains { file: "a.txt".into(), contains: "seal".to_owned() };
    assert_eq!(check(&tools.toolbox(), &holds, CheckGiver::Model).outcome, CheckOutcome::Met);
}

#[test]
fn no_path_from_there_leaves_the_clone_or_reaches_the_record() {
    let world = begun();
    let workspace = workspace(&world);
    let tools = Tools::of(&world, &workspace);
    let up = "../".repeat(3);
    for path in [&format!("{up}x"), &format!("deep/../{up}x"), "/etc/passwd", "", ".context/h", "../inner/.context/h"] {
        for (kind, input) in
            [(ToolKind::Read, json!({"path": path})), (ToolKind::Write, json!({"path": path, "content": "x"}))]
        {
            assert_eq!(tools.run(kind, &input).result, ToolResult::Failed, "{input}");
        }
    }
    assert_eq!(workspace.changed().unwrap(), []);
}

#[test]
fn commands_begin_there_and_also_where_it_was_empty() {
    let world = begun();
    let inner = workspace(&world);
    if let Some(tools) = Tools::walled(&world, &inner) {
        let end = tools.shell("ls; cat a.txt ../beside.txt; cd ..; ls");
        assert_eq!(end.output, "a.txt\ndeep\nwhale\nwhale beside\nbeside.txt\ninner\n");
    }
    inner.discard(&crate::workspace::OthersWork::Refused).unwrap();
    fs::create_dir_all(world.project().join("empty/one")).unwrap();
    let workspace = Workspace::make(&world.outside, &world.project().join("empty/one"), &world.state(), "t2").unwrap();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    assert_eq!(tools.shell("cat ../../top.txt; echo x > y").output, "whale top\n");
    let undone = workspace.undo().unwrap();
    assert_eq!(undone, [ChangedFile { path: Path::new("empty/one/y").to_owned(), change: Change::Added }]);
    assert_eq!(tools.shell("pwd | grep -c empty/one").output, "1\n");
}
