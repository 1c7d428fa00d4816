//! How a task ends: applied, kept, dropped.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::world::{World, git, put};
use crate::workspace::{Author, Change, ChangedFile, IgnoredFiles, OthersWork, Reached, Workspace, WorkspaceError};

pub(super) fn author() -> Author {
    Author { name: "annals".to_owned(), email: "annals@localhost".to_owned(), at: 1_800_000_000 }
}

fn file(path: &str, change: Change) -> ChangedFile {
    ChangedFile { path: path.into(), change }
}

/// A task that does a bit of everything.
fn work(workspace: &Workspace) {
    let at = |path: &str| workspace.path().join(path);
    put(workspace.path(), "a.txt", "one\nTWO\nthree\n");
    put(workspace.path(), "deep/er/new.txt", "new\n");
    fs::remove_file(at("gone.txt")).unwrap();
    fs::remove_dir_all(at("folder")).unwrap();
    put(workspace.path(), "folder", "a file now\n");
    fs::write(at("bytes.bin"), [0, 159, 146, 150, 0]).unwrap();
    fs::set_permissions(at("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("a.txt", at("link")).unwrap();
    put(workspace.path(), "a\nb", "newline\n");
}

fn begun() -> World {
    let world = World::of(&[
        ("a.txt", "one\ntwo\nthree\n"),
        ("gone.txt", "x\n"),
        ("folder/in/it", "y\n"),
        ("run.sh", "#!/bin/sh\n"),
        ("keep.txt", "committed\n"),
    ]);
    world.put("keep.txt", "the person's own, not committed\n");
    world.put("a.txt", "one\ntwo\nthree \n");
    world
}

#[test]
fn a_diff_holds_what_the_task_did_and_nothing_of_the_persons() {
    let world = begun();
    let workspace = world.workspace();
    work(&workspace);
    let diff = workspace.diff().unwrap();
    let expected = [
        file("a\nb", Change::Added),
        file("a.txt", Change::Changed),
        file("bytes.bin", Change::Added),
        file("deep/er/new.txt", Change::Added),
        file("folder", Change::Added),
        file("folder/in/it", Change::Removed),
        file("gone.txt", Change::Removed),
        file("link", Change::Added),
        file("run.sh", Change::Changed),
    ];
    assert_eq!(diff.files, expected);
    let text = diff.text();
    for part in [
        "-two\n-three \n+TWO\n+three\n", "old mode 100644\nnew mode 100755", "GIT binary patch",
        "new file mode 120000", "\"b/a\\nb\"",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("the person's own"), "{text}");
    // Git itself can apply it to what the project holds.
    let patch = world.dir.path().join("patch");
    fs::write(&patch, &diff.patch).unwrap();
    world.git(&["apply", "--check", patch.to_str().unwrap()]);
    assert_eq!(diff.left_out, []);
}

/// What lies at a path.
type Lies<'l> = (&'l str, Option<&'l [u8]>);

/// The adversaries of a patch: bytes that are no text, ends of lines, names, and all that can become of a file.
#[test]
fn git_applies_a_diff_to_the_very_bytes() {
    let world = World::of(&[]);
    let before: [Lies<'_>; 8] = [
        ("crlf.txt", Some(b"one\r\ntwo\r\nthree\r\n")),
        ("latin.txt", Some(b"caf\xe9\nstays\n")),
        ("nul.bin", Some(b"\0\x01\0\n")),
        ("gone.txt", Some(b"x\r\n")),
        ("old name.txt", Some(b"moved\n")),
        ("no-end.txt", Some(b"no end")),
        ("run.sh", Some(b"#!/bin/sh\n")),
        ("filled.txt", Some(b"")),
    ];
    let after: [Lies<'_>; 12] = [
        ("crlf.txt", Some(b"one\r\nTWO\r\nthree\r\n")),
        ("latin.txt", Some(b"caf\xe8\nstays\n")),
        ("nul.bin", Some(b"\0\x02\0\n")),
        ("gone.txt", None),
        ("old name.txt", None),
        ("new name.txt", Some(b"moved\n")),
        ("no-end.txt", Some(b"still no end")),
        ("filled.txt", Some(b"\x1b[31mred\x1b[0m\x07\r")),
        ("new-crlf.txt", Some(b"a\r\nb\r\n")),
        ("empty.txt", Some(b"")),
        ("\u{fc}\u{2028}\"'.txt", Some(b"\xff\xfe\n")),
        ("in/a\tb", Some(b"\xe2\x80\xae\n")),
    ];
    let lay = |root: &Path, all: &[Lies<'_>]| {
        for (path, bytes) in all {
            let path = root.join(path);
            match bytes {
                Some(bytes) => {
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(path, bytes).unwrap();
                }
                None => fs::remove_file(path).unwrap(),
            }
        }
    };
    lay(&world.project(), &before);
    world.commit("odd ones");
    let workspace = world.workspace();
    lay(workspace.path(), &after);
    symlink("crlf.txt", workspace.path().join("link")).unwrap();
    fs::set_permissions(workspace.path().join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    let patch = world.dir.path().join("patch");
    fs::write(&patch, workspace.diff().unwrap().patch).unwrap();
    world.git(&["apply", patch.to_str().unwrap()]);
    let files = |root: &Path| {
        let mut all = super::world::all_of(root);
        all.retain(|path, (mode, _)| !path.starts_with(root.join(".git")) && *mode & 0o170_000 != 0o040_000);
        all.into_iter().map(|(path, of)| (path.strip_prefix(root).unwrap().to_owned(), of)).collect::<Vec<_>>()
    };
    assert_eq!(files(&world.project()), files(workspace.path()));
}

/// Git's own words say nothing of what can be done.
#[test]
fn a_branch_that_is_in_the_way_and_a_base_that_is_gone_are_told() {
    let world = begun();
    let workspace = world.workspace();
    work(&workspace);
    world.git(&["branch", "annals"]);
    let error = workspace.keep(&author(), "m").unwrap_err();
    assert!(matches!(&error, WorkspaceError::BranchTaken { branch } if branch == "annals"), "{error}");
    world.git(&["branch", "-D", "annals"]);
    let head = world.git(&["rev-parse", "HEAD"]);
    for folder in fs::read_dir(world.project().join(".git/objects")).unwrap() {
        fs::remove_dir_all(folder.unwrap().path()).unwrap();
    }
    let error = workspace.keep(&author(), "m").unwrap_err();
    assert!(matches!(&error, WorkspaceError::BaseGone { head: gone } if *gone == head), "{error}");
}

#[test]
fn what_is_applied_is_what_the_task_did_and_can_be_applied_again() {
    let world = begun();
    let workspace = world.workspace();
    work(&workspace);
    workspace.apply().unwrap();
    let here = |path: &str| fs::read_to_string(world.project().join(path)).ok();
    assert_eq!(here("a.txt").as_deref(), Some("one\nTWO\nthree\n"));
    assert_eq!(here("keep.txt").as_deref(), Some("the person's own, not committed\n"));
    assert_eq!(here("folder").as_deref(), Some("a file now\n"));
    assert_eq!((here("gone.txt"), here("a\nb").as_deref()), (None, Some("newline\n")));
    assert_eq!(fs::read_link(world.project().join("link")).unwrap(), Path::new("a.txt"));
    assert_eq!(fs::metadata(world.project().join("run.sh")).unwrap().permissions().mode() & 0o777, 0o755);
    let once = world.all_of_project();
    workspace.apply().unwrap();
    assert_eq!(world.all_of_project(), once);
}

/// Each of these was done in the project while the task worked.
#[test]
fn what_somebody_else_changed_meanwhile_is_not_overwritten() {
    type Meanwhile = (&'static str, fn(&Path));
    let table: [Meanwhile; 7] = [
        ("a.txt", |project| put(project, "a.txt", "mine\n")),
        ("gone.txt", |project| put(project, "gone.txt", "still needed\n")),
        ("deep/er/new.txt", |project| put(project, "deep/er/new.txt", "another\n")),
        ("deep/er/new.txt", |project| put(project, "deep", "a file\n")),
        ("folder", |project| put(project, "folder/another", "in the way\n")),
        ("run.sh", |project| fs::remove_file(project.join("run.sh")).unwrap()),
        ("deep/er/new.txt", |project| symlink("/", project.join("deep")).unwrap()),
    ];
    for (path, meanwhile) in table {
        let world = begun();
        let workspace = world.workspace();
        work(&workspace);
        meanwhile(&world.project());
        let before = world.all_of_project();
        match workspace.apply() {
            Err(WorkspaceError::ChangedMeanwhile { paths }) => assert_eq!(paths, [PathBuf::from(path)]),
            other => panic!("{path}: {other:?}"),
        }
        assert_eq!(world.all_of_project(), before, "{path}");
    }
}

#[test]
fn links_that_lead_out_are_neither_applied_nor_kept() {
    for (at, to) in [("link", "/etc/passwd"), ("link", "../secret/key"), ("b/link", "../../secret/key"), ("link", "/")]
    {
        let world = World::of(&[("a", "1\n"), ("b/c", "1\n")]);
        let workspace = world.workspace();
        symlink(to, workspace.path().join(at)).unwrap();
        let before = world.all_of_project();
        let refused = |error| matches!(error, WorkspaceError::LinksOut { .. });
        assert!(refused(workspace.apply().unwrap_err()), "{at} {to}");
        assert!(refused(workspace.keep(&author(), "m").unwrap_err()), "{at} {to}");
        assert_eq!(world.all_of_project(), before, "{at} {to}");
    }
}

#[test]
fn a_branch_is_kept_and_nothing_else_of_the_project_changes() {
    let world = begun();
    world.put("untracked.txt", "new, of the person's\n");
    let before = (world.git(&["status", "--porcelain"]), world.git(&["rev-parse", "HEAD", "main"]));
    let workspace = world.workspace();
    work(&workspace);
    let commit = workspace.keep(&author(), "what the task did\n\nand why").unwrap();
    assert_eq!((world.git(&["status", "--porcelain"]), world.git(&["rev-parse", "HEAD", "main"])), before);
    assert_eq!(world.git(&["rev-parse", "annals/t1"]), commit);
    assert_eq!(
        world.git(&["log", "--format=%an %at %s", "main..annals/t1"]),
        "annals 1800000000 what the task did\nannals 1800000000 what was not committed when t1 began"
    );
    let names = world.git(&["diff", "--name-status", "--no-renames", "annals/t1~1", "annals/t1"]);
    assert_eq!(names.lines().count(), 9, "{names}");
    assert_eq!(world.git(&["show", "annals/t1:keep.txt"]), "the person's own, not committed");
    world.git(&["fsck", "--strict", "--no-progress"]);
    // Once more is no error; another one of that name is.
    assert_eq!(workspace.keep(&author(), "what the task did\n\nand why").unwrap(), commit);
    put(workspace.path(), "a.txt", "more\n");
    assert!(matches!(workspace.keep(&author(), "m"), Err(WorkspaceError::BranchTaken { .. })));
}

#[test]
fn a_kept_branch_stores_files_as_the_project_does() {
    let world = World::of(&[(".gitattributes", "*.txt text eol=crlf\n"), ("a.txt", "one\n")]);
    world.git(&["checkout-index", "--force", "--all"]);
    world.put("a.txt", "one\r\n");
    let workspace = world.workspace();
    put(workspace.path(), "b.txt", "two\r\n");
    workspace.keep(&author(), "m").unwrap();
    assert_eq!(world.git(&["log", "--format=%s", "main..annals/t1"]), "m");
    assert_eq!(world.git(&["cat-file", "-s", "annals/t1:b.txt"]), "4");
}

#[test]
fn a_tracked_record_stays_in_a_kept_branch() {
    let world = World::of(&[("a", "1\n"), (".context/history/h.jsonl", "{}\n")]);
    let workspace = world.workspace();
    put(workspace.path(), "a", "2\n");
    put(workspace.path(), ".context/history/h.jsonl", "forged\n");
    workspace.keep(&author(), "m").unwrap();
    assert_eq!(world.git(&["diff", "--name-only", "main", "annals/t1"]), "a");
}

#[test]
fn what_is_dropped_is_gone_whatever_the_task_closed() {
    let world = begun();
    let before = world.all_of_project();
    let workspace = world.workspace();
    work(&workspace);
    put(workspace.path(), "closed/x", "y\n");
    fs::set_permissions(workspace.path().join("closed"), fs::Permissions::from_mode(0o000)).unwrap();
    workspace.discard(&OthersWork::Refused).unwrap();
    assert_eq!(world.all_of_project(), before);
    assert_eq!(fs::read_dir(world.state()).unwrap().count(), 0);
}

#[test]
fn a_diff_of_a_repository_in_the_workspace_hides_nothing() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    fs::create_dir(workspace.path().join("inner")).unwrap();
    git(&workspace.path().join("inner"), &["init", "--quiet"]);
    put(workspace.path(), "inner/hidden", "not\n");
    assert_eq!(workspace.changed().unwrap(), [file("inner/hidden", Change::Added)]);
}

#[test]
fn new_files_that_git_ignores_are_told_by_their_outermost_folder() {
    for is_clone in [true, false] {
        let files = [(".gitignore", "/out/\n*.log\nkept/*\n"), ("kept/was.txt", "1\n"), ("a", "1\n")];
        let world = World::folder_of(&files);
        world.put("old.log", "of the person's\n");
        if is_clone {
            world.git(&["init", "--quiet", "--initial-branch=main"]);
            world.git(&["add", "--force", ".gitignore", "kept/was.txt", "a"]);
            world.git(&["commit", "--quiet", "--message", "begin"]);
        }
        let workspace = world.workspace();
        let work = || {
            (0..7).for_each(|n| put(workspace.path(), &format!("out/deep/{n}.js"), "x\n"));
            for path in ["b/c.log", "b/new.txt", "kept/new.txt", "kept/was.txt"] {
                put(workspace.path(), path, "2\n");
            }
        };
        workspace.working(Reached::All, work).unwrap();
        let one = |path: &str| IgnoredFiles { path: path.into(), files: 1, names: vec![path.into()] };
        let names = (0..5).map(|n| PathBuf::from(format!("out/deep/{n}.js"))).collect();
        let out = IgnoredFiles { path: "out".into(), files: 7, names };
        assert_eq!(workspace.ignored().unwrap(), [one("b/c.log"), one("kept/new.txt"), out], "{is_clone}");
        let changed = [file("b/new.txt", Change::Added), file("kept/was.txt", Change::Changed)];
        assert_eq!(workspace.changed().unwrap(), changed, "{is_clone}");
    }
}
