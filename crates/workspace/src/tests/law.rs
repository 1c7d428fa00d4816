//! Laws that hold whatever a task does: what is applied is what it did, and what is discarded leaves nothing.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::world::{World, all_of};
use crate::workspace::{OthersWork, Reached, WorkspaceError};

/// Something done to a path.
#[derive(Debug, Clone)]
enum Deed {
    Write(usize, String),
    Remove(usize),
    Folder(usize),
    Mode(usize, u32),
    Link(usize),
    Move(usize, usize),
}

/// Some are there, some are not, some are folders of others.
const PATHS: [&str; 9] = ["a", "b", "d", "d/e", "d/f/g", "n", "n/o", "x y", "-z"];

fn deed() -> impl Strategy<Value = Deed> {
    let path = || 0..PATHS.len();
    prop_oneof![
        (path(), "[a-c\n]{0,6}").prop_map(|(path, text)| Deed::Write(path, text)),
        path().prop_map(Deed::Remove),
        path().prop_map(Deed::Folder),
        (path(), prop_oneof![Just(0o600), Just(0o644), Just(0o755), Just(0o400)])
            .prop_map(|(path, mode)| Deed::Mode(path, mode)),
        path().prop_map(Deed::Link),
        (path(), path()).prop_map(|(from, to)| Deed::Move(from, to)),
    ]
}

/// What cannot be done is not done.
fn act(root: &Path, deeds: &[Deed]) {
    let at = |path: &usize| -> PathBuf { root.join(PATHS[*path]) };
    for deed in deeds {
        match deed {
            Deed::Write(path, text) => drop(fs::write(at(path), text)),
            Deed::Remove(path) => drop(fs::remove_file(at(path)).or_else(|_| fs::remove_dir_all(at(path)))),
            Deed::Folder(path) => drop(fs::create_dir_all(at(path))),
            Deed::Mode(path, mode) => {
                if fs::symlink_metadata(at(path)).is_ok_and(|about| about.is_file()) {
                    fs::set_permissions(at(path), fs::Permissions::from_mode(*mode)).unwrap();
                }
            }
            Deed::Link(path) => drop(symlink("a", at(path))),
            Deed::Move(from, to) => drop(fs::rename(at(from), at(to))),
        }
    }
}

const FILES: [(&str, &str); 5] = [("a", "1\n"), ("b", "2\n"), ("d/e", "3\n"), ("d/f/g", "4\n"), ("x y", "5\n")];

/// Files and links, with what they hold and whether they can be run; folders count where something is in them.
fn as_git_sees(folder: &Path) -> Vec<(PathBuf, bool, Vec<u8>)> {
    let seen = all_of(folder).into_iter().map(|(path, (mode, content))| {
        let path = path.strip_prefix(folder).unwrap().to_owned();
        (path, mode, content)
    });
    let is_seen =
        |(path, mode, _): &(PathBuf, u32, Vec<u8>)| !path.starts_with(".git") && mode & 0o170_000 != 0o040_000;
    // A mode of a link says nothing.
    let run = |mode: u32| mode & 0o170_000 == 0o100_000 && mode & 0o100 != 0;
    seen.filter(is_seen).map(|(path, mode, content)| (path, run(mode), content)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_applied_is_what_the_task_did(deeds in prop::collection::vec(deed(), 0..12)) {
        let world = World::of(&FILES);
        let workspace = world.workspace();
        act(workspace.path(), &deeds);
        let patch = workspace.diff().unwrap();
        prop_assert_eq!(patch.files.is_empty(), patch.patch.is_empty());
        workspace.apply().unwrap();
        prop_assert_eq!(as_git_sees(&world.project()), as_git_sees(workspace.path()));
        workspace.keep(&super::ends::author(), "m").unwrap();
        world.git(&["add", "--all"]);
        prop_assert_eq!(world.git(&["diff", "--cached", "--stat", "annals/t1"]), "");
    }

    #[test]
    fn what_is_discarded_leaves_nothing(deeds in prop::collection::vec(deed(), 0..12)) {
        let world = World::folder_of(&FILES);
        let before = world.all_of_project();
        let workspace = world.workspace();
        workspace.working(Reached::All, || act(&world.project(), &deeds)).unwrap();
        workspace.discard(&OthersWork::Refused).unwrap();
        prop_assert_eq!(world.all_of_project(), before);
    }

    /// In a folder of the person's, before the task works and behind it: either it is refused, or what they wrote is there.
    #[test]
    fn what_others_wrote_is_never_lost(
        before in prop::collection::vec(0..PATHS.len(), 0..3),
        deeds in prop::collection::vec(deed(), 0..8),
        between in prop::collection::vec(0..PATHS.len(), 0..3),
        more in prop::collection::vec(deed(), 0..4),
        after in prop::collection::vec(0..PATHS.len(), 0..3),
    ) {
        let world = World::folder_of(&FILES);
        let workspace = world.workspace();
        let mine = |paths: &[usize], text: &str| {
            act(&world.project(), &paths.iter().map(|path| Deed::Write(*path, text.to_owned())).collect::<Vec<_>>());
        };
        workspace.working(Reached::One(Path::new("t")), || fs::write(world.project().join("t"), "t")).unwrap().unwrap();
        mine(&before, "mine, at first");
        workspace.working(Reached::All, || act(&world.project(), &deeds)).unwrap();
        mine(&between, "mine, between");
        workspace.working(Reached::All, || act(&world.project(), &more)).unwrap();
        mine(&after, "mine, at last");
        let all = world.all_of_project();
        match workspace.discard(&OthersWork::Refused) {
            Ok(()) => {
                let now = world.all_of_project();
                for (path, (_, content)) in all.iter().filter(|(_, (_, content))| content.starts_with(b"mine")) {
                    // What the task moved is where it was.
                    let is_there = now.values().any(|(_, other)| other == content);
                    prop_assert!(is_there, "{}", path.display());
                    let is_last = content.ends_with(b"at last");
                    prop_assert!(!is_last || now.get(path).is_some_and(|(_, other)| other == content), "{}", path.display());
                }
                prop_assert!(!world.project().join("t").exists());
            }
            Err(WorkspaceError::NotItsAlone { paths }) => {
                prop_assert!(!paths.is_empty());
                prop_assert_eq!(world.all_of_project(), all);
            }
            Err(other) => panic!("{other}"),
        }
    }

    /// Else a diff with such a file could not be written.
    #[test]
    fn what_a_task_may_name_git_may_store(names in prop::collection::btree_set("[.gitGIT~1: \\\\x\u{200c}\u{feff}]{1,9}", 1..300)) {
        let world = World::of(&[]);
        let mut lines = Vec::new();
        for name in names.iter().filter(|name| crate::name::names(Path::new(name)).is_ok_and(|names| !names.is_empty())) {
            lines.extend(format!("100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\t{name}\0").into_bytes());
        }
        let git = crate::git::Git::new(&world.outside);
        let call = git.of_keeper(&world.project().join(".git"), "update-index").args(["-z", "--index-info"]);
        call.fed(&lines, &world.dir.path().join("input")).unwrap();
    }
}
