//! Paths of a plan, as the person named them.

use serde_json::json;

use crate::planner::{PlanLimits, read, with_named_paths};

fn mended(path: &str, words: &str) -> (String, String) {
    let criterion = json!({ "assertion": "it is so", "check": { "file": path, "contains": "45" } });
    let tools = json!([{ "tool": "edit", "target": path }]);
    let subtask = json!({ "intent": "do it", "success_criteria": [criterion], "tools": tools });
    let raw = json!({ "subtasks": [subtask], "task_criteria": [criterion] }).to_string();
    let plan = read(&raw, &crate::planner::MustNot::default(), &PlanLimits::default()).expect("a plan");
    let plan = with_named_paths(plan, words, "docs/\ndocs/a.md\nsettings.ini");
    let shown = serde_json::to_value(&plan).expect("JSON");
    let of = |pointer: &str| shown.pointer(pointer).and_then(|value| value.as_str()).expect("a path").to_owned();
    assert_eq!(of("/subtasks/0/success_criteria/0/check/file"), of("/task_criteria/0/check/file"));
    (of("/task_criteria/0/check/file"), of("/subtasks/0/tools/0/target"))
}

/// The example's folder stands before the name; each row beside one where the path may be right.
#[test]
fn a_folder_that_nobody_knows_is_left_away() {
    for (path, words, expected) in [
        ("state/settings.ini", "the timeout in settings.ini should be 45", "settings.ini"),
        ("state/new.txt", "write 45 into `new.txt`.", "new.txt"),
        ("state/today.md", "make notes/today.md", "notes/today.md"),
        ("docs/settings.ini", "copy settings.ini to docs", "docs/settings.ini"),
        ("docs/new.txt", "write 45 into new.txt", "docs/new.txt"),
        ("lib/helper.py", "move helper.py into a folder lib", "lib/helper.py"),
        ("lib/helper.py", "move helper.py into lib/", "lib/helper.py"),
        ("a/b.txt", "b.txt is wrong, c/b.txt is right", "a/b.txt"),
        ("settings.ini", "change docs/settings.ini", "settings.ini"),
    ] {
        assert_eq!(mended(path, words), (expected.to_owned(), expected.to_owned()), "{words}");
    }
}
