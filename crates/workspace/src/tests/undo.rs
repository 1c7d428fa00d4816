//! A clone comes back as it was when it was made; a person's own folder is let be.

use std::fs;

use serde_json::json;

use super::world::{Tools, World, all_of};
use crate::tool::ToolKind;
use crate::workspace::{Change, ChangedFile, GoneFile, LostLines, LostNames, LostWords, WorkspaceError};

fn begun() -> World {
    let world =
        World::of(&[("a.txt", "one\n"), ("b/c.txt", "two\n"), ("b/d.txt", "three\n"), (".gitignore", "*.log\n")]);
    world.put("a.txt", "one, not committed\n");
    world.put("new.txt", "not known to git\n");
    world
}

#[test]
fn all_that_was_done_is_undone_and_what_was_not_committed_stays() {
    let world = begun();
    let workspace = world.workspace();
    let at_first = all_of(workspace.path());
    let tools = Tools::of(&world, &workspace);
    tools.run(ToolKind::Write, json!({"path": "b/c.txt", "content": "wrong"}));
    tools.run(ToolKind::Edit, json!({"path": "a.txt", "old": "one", "new": "1"}));
    tools.run(ToolKind::Write, json!({"path": "n/e/w", "content": "new"}));
    fs::remove_file(workspace.path().join("new.txt")).unwrap();
    fs::remove_file(workspace.path().join("b/d.txt")).unwrap();
    let file = |path: &str, change| ChangedFile { path: path.into(), change };
    let expected = [
        file("a.txt", Change::Changed),
        file("b/c.txt", Change::Changed),
        file("b/d.txt", Change::Removed),
        file("n/e/w", Change::Added),
        file("new.txt", Change::Removed),
    ];
    assert_eq!(workspace.undo().unwrap(), expected);
    assert_eq!(all_of(workspace.path()), at_first);
    assert_eq!(workspace.undo().unwrap(), [], "once is enough");
    assert_eq!(workspace.changed().unwrap(), []);
}

/// An attempt that is out to leave something behind.
#[test]
fn what_is_hidden_or_stands_in_the_place_of_another_is_undone_too() {
    let world = begun();
    let workspace = world.workspace();
    let at_first = all_of(workspace.path());
    let root = workspace.path();
    fs::write(root.join(".gitignore"), "*\n").unwrap();
    fs::write(root.join("trap.py"), "import os\n").unwrap();
    fs::create_dir_all(root.join("deep/er")).unwrap();
    fs::write(root.join("deep/.gitignore"), "*\n").unwrap();
    fs::write(root.join("deep/er/trap.py"), "import os\n").unwrap();
    fs::remove_dir_all(root.join("b")).unwrap();
    std::os::unix::fs::symlink(world.secret().parent().unwrap(), root.join("b")).unwrap();
    fs::remove_file(root.join("a.txt")).unwrap();
    fs::create_dir(root.join("a.txt")).unwrap();
    fs::write(root.join("a.txt/x"), "x").unwrap();
    workspace.undo().unwrap();
    assert_eq!(all_of(workspace.path()), at_first);
    assert_eq!(fs::read_dir(world.secret().parent().unwrap()).unwrap().count(), 1, "nothing was done behind the link");
}

#[test]
fn what_git_ignores_and_the_project_itself_are_let_be() {
    let world = begun();
    let before = world.all_of_project();
    let workspace = world.workspace();
    fs::write(workspace.path().join("built.log"), "made with effort\n").unwrap();
    fs::write(workspace.path().join("a.txt"), "wrong\n").unwrap();
    workspace.undo().unwrap();
    assert_eq!(fs::read_to_string(workspace.path().join("built.log")).unwrap(), "made with effort\n");
    assert_eq!(world.all_of_project(), before);
}

#[test]
fn a_folder_of_the_persons_own_is_not_undone_on_the_way() {
    let world = World::folder_of(&[("a.txt", "one\n")]);
    let workspace = world.workspace();
    let tools = Tools::of(&world, &workspace);
    tools.run(ToolKind::Write, json!({"path": "a.txt", "content": "by the task"}));
    world.put("mine.txt", "by the person\n");
    assert!(matches!(workspace.undo(), Err(WorkspaceError::NotAClone { .. })));
    assert_eq!(fs::read_to_string(world.project().join("a.txt")).unwrap(), "by the task");
    assert_eq!(fs::read_to_string(world.project().join("mine.txt")).unwrap(), "by the person\n");
}

/// What only adds leaves most lines of each file; what was removed, or is another file now, does not.
#[test]
fn what_files_lost_is_told() {
    let world = begun();
    let workspace = world.workspace();
    let tools = Tools::of(&world, &workspace);
    tools.run(ToolKind::Write, json!({"path": "b/c.txt", "content": "two and more\nthree\n"}));
    tools.run(ToolKind::Write, json!({"path": "a.txt", "content": "another\n"}));
    tools.run(ToolKind::Write, json!({"path": "n/e/w", "content": "new\n"}));
    fs::remove_file(workspace.path().join("b/d.txt")).unwrap();
    let loss = |path: &str, left| LostLines { path: path.into(), lost: 1, of: 1, left };
    assert_eq!(workspace.losses().unwrap(), [loss("a.txt", 1), loss("b/d.txt", 0)]);
}

/// Another line in the place of one is a change; one in the place of two, or a blank, is what is left.
#[test]
fn files_that_are_gone_and_files_that_are_cut_down_are_told() {
    let world = World::of(&[
        ("a.txt", "1.4.2\n"),
        ("b.py", "X = 10\nY = 5\n"),
        ("c.py", "def f(a):\n    return a - 1\n\ndef g(a):\n    return a\n"),
        ("d.txt", "one\n"),
        ("e.txt", ""),
        ("f.py", "def f(a):\n    x = a\n    return x\n"),
        ("g.png", "PNG\0\n"),
        ("h.py", "def is_even(n):\n    return n % 2 == 1\n"),
        ("i.py", "def one():\n    return 0\n\ndef two():\n    return 2\n"),
    ]);
    let workspace = world.workspace();
    let tools = Tools::of(&world, &workspace);
    for (path, content) in [
        ("h.py", "import glob\n\n# even numbers\nfound = glob.glob('*')\n"),
        ("i.py", "import sys\n\ndef one():\n    return 1\n\nprint(one(), sys.argv)\n"),
        ("a.txt", "1.5.0\n"),
        ("b.py", "X=25"),
        ("c.py", "def f(a): return a + 1"),
        ("d.txt", "\n"),
        ("f.py", "def f(a):\n    return a\n"),
        ("g.png", ""),
    ] {
        tools.run(ToolKind::Write, json!({ "path": path, "content": content }));
    }
    fs::remove_file(workspace.path().join("e.txt")).unwrap();
    let cut = |path: &str, lost, of, left| GoneFile::Cut(LostLines { path: path.into(), lost, of, left });
    let removed = GoneFile::Removed("e.txt".into());
    let emptied = GoneFile::Emptied("g.png".into());
    let rewritten = GoneFile::Rewritten(LostWords { path: "h.py".into(), lost: 6, of: 7 });
    let undefined = GoneFile::Undefined(LostNames { path: "i.py".into(), names: vec!["two".to_owned()] });
    let cut = [cut("b.py", 2, 2, 1), cut("c.py", 2, 4, 1), cut("d.txt", 1, 1, 0)];
    let expected = cut.into_iter().chain([removed, emptied, rewritten, undefined]).collect::<Vec<_>>();
    assert_eq!(workspace.gone().unwrap(), expected);
}
