//! Which repository a folder stands in.

use std::os::unix::fs::symlink;

use super::*;
use crate::git::{GitError, IndexedAs};

fn prefix(repository: &Repository) -> &str {
    std::str::from_utf8(repository.prefix()).expect("text")
}

#[test]
fn without_git_there_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(discover(&folder.path().join(".context")), None);
    // A folder that merely has the name is passed over, as git does.
    fs::create_dir(folder.path().join(".git")).expect("made");
    assert_eq!(discover(&folder.path().join(".context")), None);
}

#[test]
fn it_is_found_upward_and_paths_are_seen_from_its_top() {
    let scene = Scene::new();
    let below = scene.root().join("a/b/.context");
    fs::create_dir_all(&below).expect("made");
    let found = discover(&below).expect("a repository");
    assert_eq!((found.root(), found.git_dir()), (scene.root().as_path(), scene.root().join(".git").as_path()));
    assert_eq!((prefix(&found), prefix(&scene.repository())), ("a/b/.context", ".context"));
    let relative = GitEnvironment { directory: scene.root().join("a"), ..GitEnvironment::default() };
    assert_eq!(Repository::discover(Path::new("b/.context"), &relative).expect("readable"), Some(found));
}

#[test]
fn a_context_may_be_the_top_itself() {
    let scene = Scene::new();
    git(&scene.context(), &["init", "-q"]);
    git(&scene.context(), &["add", "-A"]);
    assert_eq!(prefix(&scene.repository()), "");
    assert_eq!(scene.staged(SEGMENT).length, Some(4));
}

#[test]
fn a_linked_work_tree_has_an_index_of_its_own() {
    let scene = Scene::new();
    scene.commit();
    scene.git(&["worktree", "add", "-q", "../linked"]);
    let linked = scene.root().parent().expect("a parent").join("linked");
    let found = discover(&linked.join(".context")).expect("a repository");
    assert_eq!(found.git_dir(), scene.root().join(".git/worktrees/linked"));
    assert_eq!(found.common_dir(), scene.root().join(".git"));
    git(&linked, &["rm", "-q", "--cached", &format!(".context/{SEGMENT}")]);
    assert_eq!(found.index().expect("read").tracks(SEGMENT), Tracked::No);
    assert_eq!(scene.staged(SEGMENT).length, Some(4));
}

#[test]
fn a_work_tree_of_a_bare_repository_is_one() {
    let scene = Scene::new();
    scene.commit();
    scene.git(&["clone", "-q", "--bare", ".", "../bare"]);
    let bare = scene.root().parent().expect("a parent").join("bare");
    assert_eq!(discover(&bare.join(".context")), None);
    git(&bare, &["worktree", "add", "-q", "../linked", "main"]);
    let found = discover(&bare.join("../linked/.context")).expect("a repository");
    assert_eq!(found.common_dir(), bare);
    assert!(matches!(found.index().expect("read").tracks(SEGMENT), Tracked::Yes(_)));
}

#[test]
fn a_submodule_is_a_repository_of_its_own() {
    let (inner, outer) = (Scene::new(), Scene::new());
    inner.commit();
    outer.commit();
    outer.git(&["submodule", "add", "-q", inner.root().to_str().expect("text"), "sub"]);
    let found = discover(&outer.root().join("sub/.context")).expect("a repository");
    assert_eq!(found.root(), outer.root().join("sub"));
    assert_eq!(found.git_dir(), outer.root().join(".git/modules/sub"));
    assert!(matches!(found.index().expect("read").tracks(SEGMENT), Tracked::Yes(_)));
}

#[test]
fn a_git_directory_may_stand_elsewhere() {
    let scene = Scene::with(&["--separate-git-dir", "../elsewhere"]);
    let elsewhere = scene.root().parent().expect("a parent").join("elsewhere");
    assert_eq!(scene.repository().git_dir(), elsewhere);
    write(&scene.root().join(".git"), "gitdir: ../elsewhere\n");
    assert_eq!(scene.repository().git_dir(), elsewhere);
}

#[test]
fn a_git_file_that_leads_nowhere_is_an_error() {
    let scene = Scene::new();
    fs::rename(scene.root().join(".git"), scene.root().join("away")).expect("moved");
    for text in ["gitdir: nowhere\n", "away\n", "", "gitdir: ../p/.context\n"] {
        write(&scene.root().join(".git"), text);
        let found = Repository::discover(&scene.context(), &GitEnvironment::default());
        assert!(matches!(found, Err(GitError::Broken { .. })), "{text:?}: {found:?}");
    }
}

#[test]
fn a_git_directory_without_its_head_is_an_error() {
    let scene = Scene::new();
    fs::remove_file(scene.root().join(".git/HEAD")).expect("removed");
    let found = Repository::discover(&scene.context(), &GitEnvironment::default());
    assert!(matches!(found, Err(GitError::Broken { .. })), "{found:?}");
}

#[test]
fn the_environment_may_name_git_directory_and_work_tree() {
    let scene = Scene::new();
    let away = scene.root().parent().expect("a parent").join("away.git");
    fs::rename(scene.root().join(".git"), &away).expect("moved");
    assert_eq!(discover(&scene.context()), None);
    let mut environment = GitEnvironment { directory: scene.root(), ..GitEnvironment::default() };
    environment.git_dir = Some("../away.git".into());
    let found = Repository::discover(&scene.context(), &environment).expect("readable").expect("a repository");
    assert_eq!((found.root(), found.git_dir()), (scene.root().as_path(), away.as_path()));
    let elsewhere = GitEnvironment { directory: scene.context(), git_dir: Some(away.into()), ..environment };
    assert_eq!(
        Repository::discover(&scene.context(), &elsewhere).expect("readable").map(|found| found.prefix),
        Some(Vec::new())
    );
    let named = GitEnvironment { work_tree: Some("..".into()), ..elsewhere };
    assert_eq!(Repository::discover(&scene.context(), &named).expect("readable"), Some(found));
}

#[test]
fn a_repository_that_the_environment_names_does_not_hide_a_nearer_one() {
    let (scene, home) = (Scene::new(), Scene::new());
    let environment = GitEnvironment {
        directory: scene.root(),
        git_dir: Some(home.root().join(".git").into()),
        work_tree: Some(scene.root().parent().expect("a parent").into()),
        index_file: None,
    };
    let found = Repository::discover(&scene.context(), &environment).expect("readable");
    assert_eq!(found, Some(scene.repository()));
}

#[test]
fn the_git_directory_of_another_project_takes_none_from_its_own() {
    let (scene, other) = (Scene::new(), Scene::new());
    let environment = GitEnvironment {
        directory: scene.root(),
        git_dir: Some(other.root().join(".git").into()),
        ..GitEnvironment::default()
    };
    let found = Repository::discover(&scene.context(), &environment).expect("readable");
    assert_eq!(found, Some(scene.repository()));
}

#[test]
fn a_work_tree_may_be_configured() {
    let scene = Scene::new();
    let tree = scene.root().parent().expect("a parent").join("tree");
    write(&tree.join(".context").join(SEGMENT), "one\n");
    scene.git(&["config", "core.worktree", "../../tree"]);
    // The folder that holds `.git` is no part of the work tree.
    assert_eq!(discover(&scene.context()), None);
    let environment = GitEnvironment {
        git_dir: Some(scene.root().join(".git").into()),
        directory: tree.clone(),
        ..GitEnvironment::default()
    };
    let found = Repository::discover(&tree.join(".context"), &environment).expect("readable").expect("a repository");
    assert_eq!(found.root(), tree);
}

#[test]
fn a_tracked_link_is_named_and_an_untracked_one_followed() {
    let (scene, other) = (Scene::new(), Scene::new());
    other.commit();
    let link = scene.root().join("linked");
    symlink(other.context(), &link).expect("linked");
    let found = discover(&link).expect("a repository");
    assert_eq!((found.root(), prefix(&found)), (other.root().as_path(), ".context"));
    scene.git(&["add", "linked"]);
    let found = discover(&link).expect("a repository");
    assert_eq!(found.root(), scene.root());
    let index = found.index().expect("read");
    assert_eq!((index.context(), index.tracks(SEGMENT)), (Some(IndexedAs::Link), Tracked::Covered));
}

#[test]
fn hashes_are_those_of_the_repository() {
    let sha256 = Scene::with(&["--object-format=sha256"]);
    for (scene, kind) in [(Scene::new(), HashKind::Sha1), (sha256, HashKind::Sha256)] {
        assert_eq!(scene.repository().hash(), kind);
        scene.git(&["add", "-A"]);
        let id = scene.git(&["hash-object", &format!(".context/{SEGMENT}")]);
        assert_eq!(kind.blob_id(b"one\n").expect("an id").as_str(), id);
        assert_eq!(scene.staged(SEGMENT).id.as_str(), id);
    }
}
