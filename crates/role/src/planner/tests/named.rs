//! Paths of a plan, as the person named them.

use serde_json::json;

use crate::plan::TaskPlan;
use crate::planner::{
    MustNot, PlanLimits, read, require_meant_checks, require_meant_files, require_other_words, require_own_words,
    with_named_paths,
};
use crate::prompt::BadAnswer;

fn planned(path: &str, contains: &str) -> TaskPlan {
    let criterion = json!({ "assertion": "it is so", "check": { "file": path, "contains": contains } });
    let tools = json!([{ "tool": "edit", "target": path }]);
    let subtask = json!({ "intent": "do it", "success_criteria": [criterion], "tools": tools });
    let raw = json!({ "subtasks": [subtask], "task_criteria": [criterion] }).to_string();
    read(&raw, &MustNot::default(), &PlanLimits::default()).expect("a plan")
}

fn mended(path: &str, words: &str) -> (String, String) {
    let plan = planned(path, "45");
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
        ("setting.ini", "the timeout in settings.ini should be 45", "settings.ini"),
        ("settimgs.ini", "the timeout in settings.ini should be 45", "settings.ini"),
        ("settings.ini.new", "the timeout in settings.ini should be 45", "settings.ini.new"),
        ("setting.ini", "copy settings.ini to setting.ini", "setting.ini"),
        ("settings2.ini", "the timeout in settings.ini should be 45", "settings2.ini"),
        ("new.tx", "write 45 into new.txt", "new.tx"),
        ("settings.inc", "port settings.ini to the language of the includes", "settings.inc"),
    ] {
        assert_eq!(mended(path, words), (expected.to_owned(), expected.to_owned()), "{words}");
    }
}

/// The work was right, and the check asked for the word of another task.
#[test]
fn the_word_of_the_example_is_asked_for_by_no_check_of_another_task() {
    let words = "change the version in VERSION to 1.5.0";
    assert!(require_own_words(&planned("VERSION", "ready"), words).is_err());
    assert_eq!(require_own_words(&planned("VERSION", "1.5.0"), words), Ok(()));
    assert_eq!(require_own_words(&planned("a.txt", "ready"), "write Ready into a.txt"), Ok(()));
}

/// No file holds what is to be done with it, in the person's words or in the planner's.
#[test]
fn a_check_asks_for_no_sentence_of_the_task() {
    for (words, text, is_one) in [
        ("change the version in VERSION to 1.5.0", "change the version in VERSION to 1.5.0", true),
        ("change the version in VERSION to 1.5.0", "Do it", true),
        ("change the version in VERSION to 1.5.0", "1.5.0", false),
        ("the title of README.md is misspelled: it is to be Shop", "to be Shop", true),
        ("the title of README.md is misspelled: it is to be Shop", "Shop", false),
        ("make run.sh stop at the first error, with set -eu", "with set -eu", true),
        ("make run.sh stop at the first error, with set -eu", "set -eu", false),
        ("make a file that says: to be or not to be", "to be or not to be", false),
        ("write 'to do' into a.txt", "to do", false),
        ("end it with a mark", "in the end", false),
    ] {
        assert_eq!(require_meant_checks(&planned("a.md", text), words).is_err(), is_one, "{text}");
    }
}

/// "It is gone" is the easiest check to meet, and takes a person's file.
#[test]
fn a_file_is_to_be_gone_where_the_task_takes_it_away() {
    let gone = |words| {
        let criterion = json!({ "assertion": "it is so", "check": { "file": "notes.txt", "absent": true } });
        let subtask = json!({ "intent": "do it", "success_criteria": [criterion] });
        let raw = json!({ "subtasks": [subtask], "task_criteria": ["done"] }).to_string();
        let plan = read(&raw, &MustNot::default(), &PlanLimits::default()).expect("a plan");
        require_meant_checks(&plan, words).is_err()
    };
    assert!(gone("remove the line with TODO from notes.txt"));
    assert!(gone("mend notes.txt"));
    assert!(!gone("remove notes.txt"));
    assert!(!gone("rename notes.txt to todo.txt"));
}

/// Seen with a small model: a phrase of the answer to its last plan was the file, and writing it was all that was done.
/// Each beside one that may be right.
#[test]
fn what_is_checked_is_a_file_and_one_that_the_task_is_about() {
    let greet = "greet() in greet.py is to end with an exclamation mark: Hello Ann!";
    for (file, words, is_one) in [
        ("what the file is to hold", greet, false),
        ("PATH", greet, false),
        ("PATH", "write the search path into PATH", true),
        ("report.txt", greet, false),
        ("greet.py", greet, true),
        ("tests/test_greet.py", greet, true),
        ("docs/a.md", greet, true),
        ("test_calc.py", "write tests for calc.py", true),
        ("notes of the week.md", "write a summary into 'notes of the week.md'", true),
        ("LICENSE", "put this under MIT", true),
    ] {
        let place = "greet.py\ncalc.py\ndocs/\ndocs/a.md";
        assert_eq!(require_meant_files(&planned(file, "Hello Ann!"), words, place).is_ok(), is_one, "{file}");
    }
    let runs = json!({ "assertion": "it is so", "check": { "run": "python3 -m unittest" } });
    let looks = json!({ "assertion": "it is so", "check": { "file": "report.txt", "contains": "ok" } });
    let subtask = json!({ "intent": "do it", "success_criteria": [looks] });
    let raw = json!({ "subtasks": [subtask], "task_criteria": [runs] }).to_string();
    let plan = read(&raw, &MustNot::default(), &PlanLimits::default()).expect("a plan");
    assert_eq!(require_meant_files(&plan, greet, "greet.py"), Ok(()), "a command may look at anything");
}

/// Seen with a small model: its plan checked for the refusal of the plan before it, and the executor would have written that.
#[test]
fn what_was_said_of_the_last_plan_is_nothing_to_check_for() {
    let problem = "holds 1 that differ and use nothing forbidden; 2 are needed".to_owned();
    let said = BadAnswer::Field { field: "alternatives".to_owned(), problem };
    let words = "write 'nothing forbidden; 2 are needed' into a.txt";
    for (text, words, is_right) in [
        ("holds 1 that differ", "mend a.txt", false),
        ("nothing forbidden; 2 are needed", "mend a.txt", false),
        ("nothing forbidden; 2 are needed", words, true),
        ("forbidden", "mend a.txt", true),
        ("what is right", "mend a.txt", true),
    ] {
        assert_eq!(require_other_words(&planned("a.txt", text), &said, words).is_ok(), is_right, "{text}");
    }
}
