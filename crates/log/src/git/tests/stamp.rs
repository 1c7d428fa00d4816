//! A stamp differs after everything that git does to the index or to `HEAD`, and after nothing else.

use super::*;
use crate::git::GitStamp;

fn stamp(scene: &Scene) -> GitStamp {
    scene.repository().stamp().expect("stamped")
}

/// Which of the two differ after git did something.
fn changed_by(scene: &Scene, arguments: &[&str]) -> (bool, bool) {
    let before = stamp(scene);
    scene.git(arguments);
    let after = stamp(scene);
    assert_eq!(stamp(scene), after);
    (before.index != after.index, before.head != after.head)
}

#[test]
fn what_moves_the_head_and_what_changes_the_index_is_seen() {
    for options in [&[][..], &["--ref-format=reftable"]] {
        let scene = Scene::with(options);
        assert_eq!(changed_by(&scene, &["status", "--short"]), (false, false));
        assert_eq!(changed_by(&scene, &["add", "-A"]), (true, false));
        assert!(changed_by(&scene, &["commit", "-qm", "one"]).1);
        assert!(changed_by(&scene, &["commit", "-q", "--allow-empty", "-m", "two"]).1);
        assert!(changed_by(&scene, &["reset", "-q", "--soft", "HEAD~1"]).1);
        assert!(changed_by(&scene, &["switch", "-q", "-c", "other"]).1);
        assert!(changed_by(&scene, &["switch", "-q", "--detach"]).1);
        assert!(changed_by(&scene, &["rm", "-q", "--cached", "-r", "."]).0);
        assert_eq!(changed_by(&scene, &["log"]), (false, false));
    }
}

#[test]
fn a_head_that_moves_without_a_log_is_seen() {
    let scene = Scene::new();
    scene.git(&["config", "core.logAllRefUpdates", "false"]);
    scene.commit();
    scene.git(&["pack-refs", "--all"]);
    assert!(changed_by(&scene, &["commit", "-q", "--allow-empty", "-m", "two"]).1);
}

#[test]
fn a_head_of_a_linked_work_tree_is_its_own() {
    let scene = Scene::new();
    scene.commit();
    scene.git(&["worktree", "add", "-q", "../linked"]);
    let linked = scene.root().parent().expect("a parent").join("linked");
    let found = discover(&linked.join(".context")).expect("a repository");
    let before = found.stamp().expect("stamped");
    git(&linked, &["commit", "-q", "--allow-empty", "-m", "two"]);
    assert_ne!(found.stamp().expect("stamped").head, before.head);
}

#[test]
fn an_index_that_the_environment_names_counts() {
    let scene = Scene::new();
    let environment =
        GitEnvironment { index_file: Some(".git/next".into()), directory: scene.root(), ..Default::default() };
    let found = Repository::discover(&scene.context(), &environment).expect("readable").expect("a repository");
    let before = found.stamp().expect("stamped");
    git_with(&scene.root(), &["add", "-A"], &[("GIT_INDEX_FILE", ".git/next")]);
    let after = found.stamp().expect("stamped");
    assert_ne!(after.index, before.index);
    assert!(matches!(found.index().expect("read").tracks(SEGMENT), Tracked::Yes(_)));
    assert_eq!(scene.tracks(SEGMENT), Tracked::No);
}

#[test]
fn a_lock_of_the_index_is_seen() {
    let scene = Scene::new();
    scene.commit();
    let before = stamp(&scene);
    fs::write(scene.root().join(".git/index.lock"), "").expect("written");
    assert_eq!(stamp(&scene), GitStamp { locked: true, ..before });
}

#[test]
fn a_stamp_can_be_kept() {
    let scene = Scene::new();
    scene.commit();
    let kept = serde_json::to_string(&stamp(&scene)).expect("written");
    assert_eq!(serde_json::from_str::<GitStamp>(&kept).expect("read"), stamp(&scene));
}
