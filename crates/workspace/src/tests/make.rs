//! What a clone is made of, in all the forms that a project can have.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use super::world::{World, git, put};
use crate::workspace::{WorkPlace, Workspace, WorkspaceError};

fn read(workspace: &Workspace, path: &str) -> Option<String> {
    fs::read_to_string(workspace.path().join(path)).ok()
}

#[test]
fn a_clone_holds_what_is_committed_and_what_is_not_and_no_change_is_its_own() {
    let world =
        World::of(&[("a.txt", "one\n"), ("b/c.txt", "two\n"), ("gone.txt", "three\n"), (".gitignore", "*.log\n")]);
    world.put("a.txt", "one, changed\n");
    world.put("new.txt", "four\n");
    world.put("x.log", "noise\n");
    world.put(".context/history/h.jsonl", "{}\n");
    fs::remove_file(world.project().join("gone.txt")).unwrap();
    let before = world.all_of_project();
    let workspace = world.workspace();
    let seen = ["a.txt", "b/c.txt", "gone.txt", "new.txt", "x.log", ".context/history/h.jsonl"]
        .map(|path| read(&workspace, path));
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(seen, [some("one, changed\n"), some("two\n"), None, some("four\n"), None, None]);
    assert_eq!(workspace.changed().unwrap(), []);
    assert_eq!(git(workspace.path(), &["symbolic-ref", "HEAD"]), "refs/heads/annals/t1");
    assert_eq!(
        git(workspace.path(), &["status", "--porcelain"]),
        world.git(&["status", "--porcelain", "--", ":!.context"])
    );
    assert_eq!(git(workspace.path(), &["log", "--format=%s"]), "begin");
    assert_eq!(world.all_of_project(), before, "the project was changed");
}

#[test]
fn a_tracked_record_is_left_out_and_is_no_removal() {
    let world = World::of(&[("a", "1\n"), (".context/history/h.jsonl", "{}\n")]);
    let workspace = world.workspace();
    assert_eq!(read(&workspace, ".context/history/h.jsonl"), None);
    assert_eq!(git(workspace.path(), &["status", "--porcelain"]), "");
    assert_eq!(workspace.diff().unwrap().files, []);
}

#[test]
fn modes_links_and_names_that_are_hard_to_write_come_along() {
    let world = World::of(&[("run.sh", "#!/bin/sh\n"), ("-rf", "dash\n"), ("a\nb", "newline\n"), ("ü/é", "accents\n")]);
    fs::set_permissions(world.project().join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("run.sh", world.project().join("link")).unwrap();
    let bytes = PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"latin-\xe9"));
    fs::write(world.project().join(&bytes), "one byte\n").unwrap();
    world.commit("odd ones");
    let workspace = world.workspace();
    for name in ["-rf", "a\nb", "ü/é"] {
        assert!(read(&workspace, name).is_some(), "{name:?}");
    }
    assert!(workspace.path().join(bytes).exists());
    assert_eq!(fs::read_link(workspace.path().join("link")).unwrap(), Path::new("run.sh"));
    assert_eq!(fs::metadata(workspace.path().join("run.sh")).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(git(workspace.path(), &["status", "--porcelain"]), "");
}

/// Each begins with two commits, and one file that was changed since.
#[test]
fn a_project_of_any_form_is_cloned() {
    type Form = (&'static str, fn(&World));
    let forms: [Form; 9] = [
        ("plain", |_| {}),
        ("packed", |world| drop(world.git(&["gc", "--quiet"]))),
        ("split index", |world| drop(world.git(&["update-index", "--split-index"]))),
        ("old index", |world| drop(world.git(&["update-index", "--index-version=4"]))),
        ("sparse", |world| drop(world.git(&["sparse-checkout", "set", "--sparse-index", "--cone", "b"]))),
        ("detached", |world| drop(world.git(&["checkout", "--quiet", "--detach"]))),
        ("untracked cache", |world| drop(world.git(&["update-index", "--untracked-cache"]))),
        ("conflict", |world| {
            world.git(&["stash", "--quiet"]);
            world.git(&["checkout", "--quiet", "-b", "other", "HEAD~1"]);
            world.put("a", "theirs\n");
            world.commit("theirs");
            let mut merge = std::process::Command::new("git");
            merge.current_dir(world.project()).args(["-c", "user.name=p", "-c", "user.email=p@example.org"]);
            assert!(!merge.args(["merge", "--quiet", "main"]).output().unwrap().status.success());
        }),
        ("packed refs", |world| drop(world.git(&["pack-refs", "--all"]))),
    ];
    for (name, change) in forms {
        let world = World::of(&[("a", "1\n"), ("b/c", "1\n"), ("d/e", "1\n")]);
        world.put("a", "2\n");
        world.commit("second");
        world.put("b/c", "changed\n");
        change(&world);
        let workspace = world.workspace();
        assert_eq!(workspace.changed().unwrap(), [], "{name}");
        let status = git(workspace.path(), &["status", "--porcelain"]);
        assert_eq!(status, world.git(&["status", "--porcelain"]), "{name}");
        put(workspace.path(), "new", "x\n");
        assert_eq!(workspace.changed().unwrap().len(), 1, "{name}");
        workspace.apply().unwrap();
        assert_eq!(fs::read_to_string(world.project().join("new")).unwrap(), "x\n", "{name}");
    }
}

#[test]
fn a_project_with_other_ids_or_another_store_of_branches_is_cloned() {
    for args in [&["--object-format=sha256"][..], &["--ref-format=reftable"]] {
        let world = World::folder_of(&[("a", "1\n")]);
        world.git(&[&["init", "--quiet", "--initial-branch=main"], args].concat());
        world.commit("begin");
        let workspace = world.workspace();
        put(workspace.path(), "a", "2\n");
        let commit = workspace.keep(&super::ends::author(), "the task").unwrap();
        assert_eq!(world.git(&["rev-parse", "annals/t1"]), commit, "{args:?}");
        assert_eq!(world.git(&["diff", "--name-only", "main", "annals/t1"]), "a", "{args:?}");
    }
}

#[test]
fn a_second_work_tree_a_shallow_clone_and_one_that_borrows_are_cloned() {
    for (args, log) in [
        (&["worktree", "add", "--quiet", "../other", "-b", "other"][..], "second\nfirst"),
        (&["clone", "--quiet", "--depth=1", "file://{}", "../other"], "second"),
        (&["clone", "--quiet", "--shared", "{}", "../other"], "second\nfirst"),
        (&["clone", "--quiet", "--filter=blob:none", "file://{}", "../other"], "second\nfirst"),
    ] {
        let world = World::folder_of(&[("a", "1\n")]);
        world.git(&["init", "--quiet", "--initial-branch=main"]);
        world.git(&["config", "uploadpack.allowFilter", "true"]);
        world.commit("first");
        world.put("a", "2\n");
        world.commit("second");
        let project = world.project();
        let args: Vec<String> = args.iter().map(|arg| arg.replace("{}", project.to_str().unwrap())).collect();
        world.git(&args.iter().map(String::as_str).collect::<Vec<_>>());
        let other = world.dir.path().join("other");
        put(&other, "b", "not committed\n");
        let workspace = Workspace::make(&world.outside, &other, &world.state(), "t1").unwrap();
        assert_eq!(read(&workspace, "b").as_deref(), Some("not committed\n"), "{args:?}");
        assert_eq!(git(workspace.path(), &["log", "--format=%s"]), log, "{args:?}");
        put(workspace.path(), "a", "3\n");
        let commit = workspace.keep(&super::ends::author(), "the task").unwrap();
        assert_eq!(git(&other, &["rev-parse", "annals/t1"]), commit, "{args:?}");
        assert_eq!(git(&other, &["show", "annals/t1:a"]), "3", "{args:?}");
    }
}

#[test]
fn a_project_without_a_commit_is_cloned() {
    let world = World::folder_of(&[("a", "1\n")]);
    world.git(&["init", "--quiet", "--initial-branch=main"]);
    let workspace = world.workspace();
    assert_eq!(read(&workspace, "a").as_deref(), Some("1\n"));
    put(workspace.path(), "a", "2\n");
    assert_eq!(workspace.changed().unwrap().len(), 1);
    workspace.keep(&super::ends::author(), "the task").unwrap();
    assert_eq!(world.git(&["log", "--format=%s", "annals/t1"]), "the task\nwhat was not committed when t1 began");
}

#[test]
fn submodules_are_named_and_stay_as_they_are() {
    let world = World::of(&[("a", "1\n")]);
    let inner = World::of(&[("i", "1\n")]);
    world.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        inner.project().to_str().unwrap(),
        "sub",
    ]);
    world.commit("with a submodule");
    world.put("sub/i", "changed inside\n");
    let workspace = world.workspace();
    assert_eq!(workspace.left_out().iter().map(|left| left.path.to_str().unwrap()).collect::<Vec<_>>(), ["sub"]);
    assert!(workspace.path().join("sub").is_dir());
    put(workspace.path(), "sub/x", "in it\n");
    put(workspace.path(), "a", "2\n");
    let diff = workspace.diff().unwrap();
    assert_eq!(diff.files.len(), 1);
    assert_eq!(diff.left_out.iter().map(|left| left.path.to_str().unwrap()).collect::<Vec<_>>(), ["sub/x"]);
    workspace.keep(&super::ends::author(), "the task").unwrap();
    assert_eq!(world.git(&["diff", "--name-only", "main", "annals/t1"]), "a");
}

/// The adversary of a diff: names that no tool works in, and so no diff shows.
#[test]
fn what_lies_under_a_name_that_is_kept_is_told() {
    let world = World::of(&[("a", "1\n"), (".gitignore", "/build\n")]);
    let workspace = world.workspace();
    assert_eq!(workspace.kept_back().unwrap(), []);
    for path in ["git~1", ".GIT/hooks/x", "sub/.git", "sub/b", "build/.git/config", ".context/x", ".annals-writing-x"] {
        put(workspace.path(), path, "x\n");
    }
    put(workspace.path(), ".git/more", "x\n");
    let kept: Vec<_> = workspace.kept_back().unwrap().into_iter().map(|left| left.path).collect();
    let expected = [".GIT", ".annals-writing-x", ".context", "build/.git", "git~1", "sub/.git"];
    assert_eq!(kept, expected.map(PathBuf::from));
    assert_eq!(workspace.changed().unwrap().iter().map(|file| &file.path).collect::<Vec<_>>(), [&Path::new("sub/b")]);
}

#[test]
fn what_everybody_of_the_person_ignores_is_not_copied() {
    let world = World::of(&[("a", "1\n")]);
    put(&world.dir.path().join("person"), ".config/git/ignore", ".env\n");
    world.put(".env", "TOKEN=1\n");
    fs::create_dir_all(world.project().join(".git/info")).unwrap();
    fs::write(world.project().join(".git/info/exclude"), "mine\n").unwrap();
    world.put("mine", "x\n");
    let workspace = world.workspace();
    assert_eq!((read(&workspace, ".env"), read(&workspace, "mine")), (None, None));
    let left_out: Vec<_> = workspace.left_out().iter().map(|left| (left.path.to_str().unwrap(), &*left.why)).collect();
    assert_eq!(left_out, [(".env", "git ignores it"), ("mine", "git ignores it")]);
    // Nor is it a change when the task makes one.
    put(workspace.path(), ".env", "TOKEN=2\n");
    assert_eq!(workspace.changed().unwrap(), []);
}

/// Each of these settings of the project's would run a program that leaves a file, or says no.
#[test]
fn nothing_that_the_project_configured_runs() {
    let world = World::of(&[("a.txt", "1\n"), (".gitattributes", "*.txt filter=f diff=d merge=m\n*.bin filter=lfs\n")]);
    let mark = world.dir.path().join("mark");
    let script = world.dir.path().join("script");
    fs::write(&script, format!("#!/bin/sh\necho \"$0 $@\" >> {}\ncat\n", mark.display())).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let script = script.to_str().unwrap();
    world.put(".git/hooks/post-checkout", "");
    for hook in [
        "post-checkout", "reference-transaction", "post-index-change", "pre-commit", "post-commit",
        "fsmonitor-watchman",
    ] {
        fs::copy(script, world.project().join(".git/hooks").join(hook)).unwrap();
    }
    for name in [
        "core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.alternateRefsCommand", "diff.external",
        "diff.d.command", "diff.d.textconv", "filter.f.clean", "filter.f.smudge", "filter.f.process",
        "filter.lfs.clean", "merge.m.driver", "gpg.program", "credential.helper", "core.askPass", "core.gitProxy",
        "alias.ls-files", "uploadpack.packObjectsHook", "pager.diff-tree", "gpg.ssh.program", "interactive.diffFilter",
    ] {
        world.git(&["config", name, script]);
    }
    world.git(&["config", "commit.gpgSign", "true"]);
    world.git(&["config", "filter.f.required", "true"]);
    // What it holds is the same, but git has to look: it was written at another time.
    world.put("a.txt", "1\n");
    let earlier = UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    fs::File::open(world.project().join("a.txt")).unwrap().set_modified(earlier).unwrap();
    world.put("untracked.md", "1\n");
    // Those of the setup do not count.
    fs::remove_file(&mark).ok();
    let workspace = world.workspace();
    put(workspace.path(), "a.txt", "333\n");
    put(workspace.path(), "b.md", "1\n");
    assert!(!workspace.diff().unwrap().patch.is_empty());
    assert!(matches!(workspace.keep(&super::ends::author(), "m"), Err(WorkspaceError::Filtered { .. })));
    workspace.apply().unwrap();
    put(workspace.path(), "a.txt", "1\n");
    workspace.keep(&super::ends::author(), "m").unwrap();
    assert_eq!(fs::read_to_string(&mark).ok(), None);
    // They would have: git as a person calls it runs them.
    world.git(&["status"]);
    assert!(mark.exists());
}

#[test]
fn a_project_under_git_below_is_worked_in_as_a_whole() {
    let world = World::of(&[("a", "1\n"), ("inner/b", "1\n")]);
    world.put("inner/.context/h", "1\n");
    world.put(".context/h", "2\n");
    let inner = world.project().join("inner");
    let workspace = Workspace::make(&world.outside, &inner, &world.state(), "t1").unwrap();
    assert_eq!(workspace.project(), world.project());
    assert!(read(&workspace, "inner/b").is_some());
    // Its record is the one beside it, and another's is a folder like any other.
    assert_eq!((read(&workspace, "inner/.context/h"), read(&workspace, ".context/h").as_deref()), (None, Some("2\n")));
}

#[test]
fn the_folder_of_the_person_is_no_project() {
    let world = World::folder_of(&[("a", "1\n")]);
    for project in [world.dir.path().join("person"), world.dir.path().to_owned(), "/".into()] {
        let made = Workspace::make(&world.outside, &project, &world.state(), "t1");
        assert!(matches!(made, Err(WorkspaceError::Everything { .. })), "{project:?}: {made:?}");
    }
    assert!(!world.state().exists());
}

#[test]
fn what_cannot_be_a_workspace_is_refused_and_leaves_nothing() {
    let world = World::of(&[("a", "1\n")]);
    for task in ["", "..", "a/b", "-x", ".x", "a b", "a\nb", "x.lock", "a..b", &"a".repeat(65)] {
        let made = Workspace::make(&world.outside, &world.project(), &world.state(), task);
        assert!(matches!(made, Err(WorkspaceError::BadTask { .. })), "{task:?}");
    }
    assert!(!world.state().exists());
    let within = world.project().join("state");
    let made = Workspace::make(&world.outside, &world.project(), &within, "t1");
    assert!(matches!(made, Err(WorkspaceError::Nested { .. })));
    assert!(!within.join("t1").exists());
    let bare = world.dir.path().join("bare");
    world.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let made = Workspace::make(&world.outside, &bare, &world.state(), "t1");
    assert!(matches!(made, Err(WorkspaceError::Bare { .. })), "{made:?}");
    drop(world.workspace());
    let again = Workspace::make(&world.outside, &world.project(), &world.state(), "t1");
    assert!(matches!(again, Err(WorkspaceError::Taken { .. })));
}

#[test]
fn one_that_was_begun_is_made_anew_and_one_that_was_made_is_opened_again() {
    let world = World::of(&[("a", "1\n")]);
    put(&world.state(), "t1/tree/half", "of it\n");
    let missing = Workspace::reopen(&world.outside, &world.state(), "t1");
    assert!(matches!(missing, Err(WorkspaceError::Missing { .. })));
    let workspace = world.workspace();
    assert_eq!(read(&workspace, "half"), None);
    put(workspace.path(), "a", "2\n");
    let (changed, path) = (workspace.changed().unwrap(), workspace.path().to_owned());
    drop(workspace);
    let again = Workspace::reopen(&world.outside, &world.state(), "t1").unwrap();
    assert_eq!((again.changed().unwrap(), again.path()), (changed, &*path));
}

/// Each is done to a project under git, in a folder of which the task begins: it is never taken for one without git.
#[test]
fn a_broken_git_is_an_error_that_names_it_and_no_folder_without_git() {
    type Breaks = (&'static str, fn(&Path));
    let table: [Breaks; 7] = [
        ("an empty HEAD", |project| fs::write(project.join(".git/HEAD"), "").unwrap()),
        ("no HEAD", |project| fs::remove_file(project.join(".git/HEAD")).unwrap()),
        ("no objects", |project| fs::remove_dir_all(project.join(".git/objects")).unwrap()),
        ("a worktree whose repository is gone", |project| {
            fs::rename(project.join(".git"), project.join("elsewhere")).unwrap();
            fs::write(project.join(".git"), "gitdir: /no/such/place\n").unwrap();
        }),
        ("a file that says nothing", |project| {
            fs::remove_dir_all(project.join(".git")).unwrap();
            fs::write(project.join(".git"), "?\n").unwrap();
        }),
        ("a link to nothing", |project| {
            fs::remove_dir_all(project.join(".git")).unwrap();
            symlink("nowhere", project.join(".git")).unwrap();
        }),
        ("settings that cannot be read", |project| fs::write(project.join(".git/config"), "[core\n").unwrap()),
    ];
    for (name, breaks) in table {
        for is_within_another in [false, true] {
            let world = World::of(&[("a", "1\n"), ("in/b", "2\n")]);
            if is_within_another {
                git(world.dir.path(), &["init", "--quiet"]);
            }
            breaks(&world.project());
            for folder in ["", "in"] {
                let project = world.project().join(folder);
                fs::create_dir_all(world.state()).unwrap();
                let looked = Workspace::where_it_would_be(&world.outside, &project, &world.state());
                let made = Workspace::make(&world.outside, &project, &world.state(), "t1");
                for error in [looked.map(drop).unwrap_err(), made.map(drop).unwrap_err()] {
                    let at = world.project().join(".git");
                    let is_told = matches!(&error, WorkspaceError::BrokenGit { path, .. } if *path == at);
                    assert!(is_told, "{name} {folder}: {error}");
                }
                assert!(!world.state().join("t1").exists());
            }
        }
    }
}

/// What is no repository of the project's own does not make it broken.
#[test]
fn a_work_tree_that_is_named_elsewhere_and_a_folder_without_git_are_what_they_are() {
    let world = World::of(&[("a", "1\n"), ("in/b", "2\n")]);
    fs::create_dir(world.state()).unwrap();
    let look = || Workspace::where_it_would_be(&world.outside, &world.project().join("in"), &world.state()).unwrap();
    assert_eq!(look(), WorkPlace::Clone);
    fs::rename(world.project().join(".git"), world.project().join("in/.git")).unwrap();
    git(&world.project().join("in"), &["config", "core.worktree", ".."]);
    assert_eq!(look(), WorkPlace::Clone);
    fs::remove_dir_all(world.project().join("in/.git")).unwrap();
    assert_eq!(look(), WorkPlace::Folder(world.project().join("in")));
}
