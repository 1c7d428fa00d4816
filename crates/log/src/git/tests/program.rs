//! What is asked of git itself.

use super::*;

#[test]
fn a_commit_says_when_it_was_made() {
    let scene = Scene::new();
    scene.commit();
    let head = scene.git(&["rev-parse", "HEAD"]);
    let tree = scene.git(&["rev-parse", "HEAD^{tree}"]);
    let expected = scene.git(&["log", "-1", "--format=%ct"]).trim().parse().ok();
    let time = |name: &str| scene.repository().commit_time(name.trim()).expect("asked");
    assert!(expected.is_some());
    assert_eq!((time(&head), time(&head.trim()[..10])), (expected, expected));
    assert_eq!((time(&tree), time(&"0".repeat(40))), (None, None));
}
