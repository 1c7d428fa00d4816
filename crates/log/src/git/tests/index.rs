//! Every form of an index that git writes.

use super::*;
use crate::git::{GitError, IndexedAs};

/// What the index says of the segment, of one beside it, and what git says is tracked below `.context`.
fn check(scene: &Scene) {
    assert_eq!(scene.staged(SEGMENT).length, Some(4));
    assert_eq!(scene.tracks("history/2026-11-21.k3f9x2ab.2.jsonl"), Tracked::No);
    let index = scene.index();
    let ours: Vec<_> = index.below("").map(|(path, _)| String::from_utf8(path.to_vec()).expect("text")).collect();
    let gits = git(&scene.context(), &["ls-files"]);
    assert_eq!(ours.join("\n"), gits);
}

/// A commit with files before and behind the segment.
fn committed(options: &[&str]) -> Scene {
    let scene = Scene::with(options);
    for name in [".a", "a/b/c", "z/y"] {
        write(&scene.root().join(name), "x");
    }
    scene.write("local-not/x", "x");
    scene.commit();
    scene
}

#[test]
fn a_fresh_repository_has_no_index_and_tracks_nothing() {
    let scene = Scene::new();
    assert_eq!(scene.index(), Index::default());
    assert_eq!(scene.tracks(SEGMENT), Tracked::No);
}

#[test]
fn versions_2_3_and_4_are_read() {
    for version in ["2", "3", "4"] {
        let scene = committed(&[]);
        scene.git(&["update-index", "--index-version", version]);
        scene.git(&["update-index", "--skip-worktree", ".a"]);
        check(&scene);
    }
}

#[test]
fn sha256_and_reftable_are_read() {
    check(&committed(&["--object-format=sha256"]));
    check(&committed(&["--ref-format=reftable"]));
}

#[test]
fn a_split_index_is_read_with_what_came_and_went_since() {
    let scene = committed(&[]);
    scene.git(&["config", "splitIndex.maxPercentChange", "100"]);
    scene.git(&["update-index", "--split-index"]);
    check(&scene);
    scene.write("history/new.jsonl", "new\n");
    scene.write("local-not/x", "longer");
    scene.git(&["add", "-A"]);
    scene.git(&["rm", "-q", "--cached", "z/y"]);
    assert_eq!((scene.staged("history/new.jsonl").length, scene.staged("local-not/x").length), (Some(4), Some(6)));
    check(&scene);
    for file in fs::read_dir(scene.root().join(".git")).expect("listed").flatten() {
        if file.file_name().to_string_lossy().starts_with("sharedindex") {
            fs::remove_file(file.path()).expect("removed");
        }
    }
    assert!(matches!(scene.repository().index(), Err(GitError::Unreadable { .. })));
}

#[test]
fn extensions_and_a_hash_of_zeros_are_passed_over() {
    let scene = committed(&[]);
    scene.git(&["config", "index.skipHash", "true"]);
    scene.git(&["config", "index.threads", "2"]);
    scene.git(&["update-index", "--force-untracked-cache"]);
    scene.git(&["status", "--short"]);
    scene.git(&["update-index", "--force-write-index"]);
    let bytes = fs::read(scene.root().join(".git/index")).expect("read");
    assert!(bytes.ends_with(&[0; 20]) && bytes.windows(4).any(|name| name == b"UNTR"));
    check(&scene);
}

#[test]
fn a_sparse_directory_covers_what_would_be_below_it() {
    let scene = committed(&[]);
    scene.git(&["sparse-checkout", "init", "--cone", "--sparse-index"]);
    scene.git(&["sparse-checkout", "set", "a"]);
    assert_eq!(scene.tracks(SEGMENT), Tracked::Covered);
    assert_eq!(scene.tracks("anything"), Tracked::Covered);
    assert_eq!(scene.index().context(), Some(IndexedAs::SparseFolder));
    scene.git(&["sparse-checkout", "set", ".context/local-not"]);
    assert_eq!((scene.tracks(SEGMENT), scene.tracks("local-not/y")), (Tracked::Covered, Tracked::No));
    scene.git(&["sparse-checkout", "set", ".context/history"]);
    assert_eq!((scene.tracks("history/y"), scene.tracks("local-not/y")), (Tracked::No, Tracked::Covered));
    assert_eq!(scene.staged(SEGMENT).length, Some(4));
}

#[test]
fn intent_to_add_is_tracked_and_holds_nothing() {
    let scene = Scene::new();
    scene.git(&["add", "-N", "."]);
    assert_eq!(scene.staged(SEGMENT).length, Some(0));
}

#[test]
fn an_unmerged_path_is_tracked_with_our_content_and_no_length() {
    let scene = committed(&[]);
    scene.git(&["switch", "-q", "-c", "other"]);
    scene.write(SEGMENT, "theirs\n");
    scene.commit();
    scene.git(&["switch", "-q", "main"]);
    scene.write(SEGMENT, "ours\n");
    scene.commit();
    let merge =
        Command::new("git").current_dir(scene.root()).args(["merge", "-q", "other"]).output().expect("git runs");
    assert!(!merge.status.success());
    let id = HashKind::Sha1.blob_id(b"ours\n").expect("an id");
    assert_eq!(scene.staged(SEGMENT), Staged { length: None, id, indexed_as: IndexedAs::File });
}

#[test]
fn a_length_that_git_smudged_is_not_taken_for_zero() {
    let scene = Scene::new();
    // git writes 0 where a file changed in the moment in which the index was written, which a test cannot wait for.
    scene.git(&["add", "-A"]);
    let path = scene.root().join(".git/index");
    let mut bytes = fs::read(&path).expect("read");
    let size = 12 + 36;
    assert_eq!(bytes[size..size + 4], 4_u32.to_be_bytes());
    bytes[size..size + 4].fill(0);
    let hash = bytes.len() - 20;
    bytes[hash..].fill(0);
    fs::write(&path, bytes).expect("written");
    let id = HashKind::Sha1.blob_id(b"one\n").expect("an id");
    assert_eq!(scene.staged(SEGMENT), Staged { length: None, id, indexed_as: IndexedAs::File });
    scene.write(SEGMENT, "");
    scene.git(&["add", "-A"]);
    assert_eq!(scene.staged(SEGMENT).length, Some(0));
}

#[test]
fn what_a_segment_grew_after_it_was_added_is_behind_the_length() {
    let scene = Scene::new();
    scene.git(&["add", "-A"]);
    scene.write(SEGMENT, "one\ntwo\n");
    let staged = scene.staged(SEGMENT);
    assert_eq!(Some(staged.id), HashKind::Sha1.blob_id(b"one\n"));
    assert_eq!(staged.length, Some(4));
}

#[test]
fn of_two_indexes_the_longer_content_counts() {
    let scene = Scene::new();
    scene.git(&["add", "-A"]);
    scene.write(SEGMENT, "one\ntwo\n");
    git_with(&scene.root(), &["add", "-A"], &[("GIT_INDEX_FILE", "next")]);
    let environment = GitEnvironment { index_file: Some("next".into()), directory: scene.root(), ..Default::default() };
    let found = Repository::discover(&scene.context(), &environment).expect("readable").expect("a repository");
    let id = HashKind::Sha1.blob_id(b"one\ntwo\n").expect("an id");
    let staged = Staged { length: Some(8), id, indexed_as: IndexedAs::File };
    assert_eq!(found.index().expect("read").tracks(SEGMENT), Tracked::Yes(staged));
}

#[test]
fn links_and_submodules_below_the_folder_are_named() {
    let scene = Scene::new();
    fs::rename(scene.context().join("history"), scene.root().join("elsewhere")).expect("moved");
    std::os::unix::fs::symlink("../elsewhere", scene.context().join("history")).expect("linked");
    git(&scene.context(), &["init", "-q", "local"]);
    git(&scene.context().join("local"), &["commit", "-q", "--allow-empty", "-m", "one"]);
    scene.git(&["add", "-A"]);
    assert_eq!((scene.tracks(SEGMENT), scene.tracks("local/mark")), (Tracked::Covered, Tracked::Covered));
    assert_eq!(scene.staged("history").indexed_as, IndexedAs::Link);
    assert_eq!(scene.staged("local").indexed_as, IndexedAs::Submodule);
}

#[test]
fn a_folder_is_listed_without_those_whose_names_begin_alike() {
    let scene = Scene::new();
    scene.write("history-not/x", "x");
    scene.write("history/blobs/ab/x", "x");
    scene.git(&["add", "-A"]);
    let index = scene.index();
    let names: Vec<_> = index.below("history").map(|(path, _)| String::from_utf8_lossy(path).into_owned()).collect();
    assert_eq!(names, [SEGMENT, "history/blobs/ab/x"]);
    assert_eq!(index.below("local").count(), 0);
}

#[test]
fn an_index_that_is_damaged_is_an_error() {
    each_damage(|whole, at, repository, path| {
        let mut bytes = whole.to_vec();
        bytes[at] ^= 0x81;
        fs::write(path, bytes).expect("written");
        assert!(repository.index().is_err(), "changed at {at}");
        fs::write(path, &whole[..at]).expect("written");
        assert!(repository.index().is_err(), "cut at {at}");
    });
}

#[test]
fn an_index_that_is_damaged_and_has_no_hash_makes_nobody_panic() {
    let mut unreadable = 0;
    each_damage(|whole, at, repository, path| {
        let mut bytes = whole.to_vec();
        let hash = bytes.len() - 20;
        bytes[hash..].fill(0);
        bytes[at] ^= [0xff, 0x80, 0x01][at % 3];
        fs::write(path, bytes).expect("written");
        unreadable += usize::from(repository.index().is_err());
    });
    assert!(unreadable > 30, "{unreadable}");
}

/// Every place in an index of each form.
fn each_damage(mut each: impl FnMut(&[u8], usize, &Repository, &Path)) {
    let scene = committed(&[]);
    let (repository, path) = (scene.repository(), scene.root().join(".git/index"));
    for arguments in [&["--index-version", "2"][..], &["--index-version", "4"], &["--split-index"]] {
        scene.git(&[&["update-index"], arguments].concat());
        let whole = fs::read(&path).expect("read");
        (0..whole.len()).for_each(|at| each(&whole, at, &repository, &path));
        fs::write(&path, whole).expect("written");
    }
}

#[test]
fn an_index_that_is_too_large_is_not_read() {
    let scene = committed(&[]);
    let file = fs::File::options().write(true).open(scene.root().join(".git/index")).expect("opened");
    file.set_len((1 << 30) + 1).expect("grown");
    assert!(matches!(scene.repository().index(), Err(GitError::Unreadable { .. })));
}
