//! What memory says was tried is not planned once more.

use serde_json::json;

use super::super::{PlanLimits, is_same_input, must_not, read, target_queries, tried_line};
use super::{answer, remembered};
use crate::ggs::{CallResult, SubTaskOutcome, SubTaskStatus, ToolUse};
use crate::message::{MemoryAction, MemoryAnswer};

fn failed(intent: &'static str, uses: &[(&str, &str, CallResult)]) -> (&'static str, SubTaskOutcome) {
    let used = |(tool, target, result): &(&str, &str, CallResult)| ToolUse {
        tool: (*tool).to_owned(),
        target: (*target).to_owned(),
        result: *result,
    };
    let outcome = SubTaskOutcome {
        subtask_id: "s1".to_owned(),
        status: SubTaskStatus::Failed,
        failure_reason: None,
        gap_trajectory: Vec::new(),
        criteria_verdicts: Vec::new(),
        tool_uses: uses.iter().map(used).collect(),
    };
    (intent, outcome)
}

#[test]
fn a_part_that_was_given_up_is_not_planned_in_the_same_words_or_by_the_call_that_failed() {
    let uses = [("read", "missing.txt", CallResult::Failed), ("write", "names.txt", CallResult::Worked)];
    let parts = [failed("Sort the 'names' in names.txt by hand", &uses), failed("Then check it", &[])];
    let line = tried_line(parts.iter().map(|(intent, outcome)| (*intent, outcome)));
    assert_eq!(line, "Tried: 'Sort the names in names.txt by hand' by 'read missing.txt', 'Then check it'; ");
    let content = format!("sort names.txt: abandon. {line}1 of 2 subtasks matched");
    let memory =
        |action| MemoryAnswer { remembered: vec![remembered("intent:sort_it", "env:local", action, &[&content])] };
    let is_read = |action, intent: &str, tool: &str, target: Option<&str>| {
        let mut answer = answer(intent);
        answer["subtasks"][0]["tools"] = json!([{ "tool": tool, "target": target }]);
        read(&answer.to_string(), &must_not(&memory(action), None), &PlanLimits::default()).is_ok()
    };
    for (intent, tool, target) in [
        ("Sort the names in names.txt by hand", "write", None),
        ("Please sort names in ./names.txt by hand.", "write", None),
        ("SORT BY HAND THE NAMES IN `names.txt`", "write", None),
        ("Check it", "write", None),
        ("Take another way", "read", Some("missing.txt")),
        ("Take another way", "Read", Some("./missing.txt")),
    ] {
        assert!(!is_read(MemoryAction::Avoid, intent, tool, target), "{intent}, {tool} {target:?}");
        assert!(is_read(MemoryAction::Caution, intent, tool, target), "{intent}, {tool} {target:?}: only told");
    }
    for (intent, tool, target) in [
        ("Sort names.txt with a program", "write", None),
        ("Sort the names in names.txt", "write", None),
        ("Take another way", "read", Some("names.txt")),
        ("Take another way", "write", Some("names.txt")),
        ("Take another way", "find", Some("missing.txt")),
        ("Take another way", "read", None),
    ] {
        assert!(is_read(MemoryAction::Avoid, intent, tool, target), "{intent}, {tool} {target:?}");
    }
}

#[test]
fn what_a_person_wrote_about_an_approach_bans_nothing_by_itself() {
    for text in ["never in place", "Tried: nothing", "Tried: '", "Tried: ''", "it was tried: 'a'", "Tried: 'a' by '"] {
        let memory =
            MemoryAnswer { remembered: vec![remembered("intent:sort_it", "env:local", MemoryAction::Avoid, &[text])] };
        let plan = answer("sort it");
        assert!(read(&plan.to_string(), &must_not(&memory, None), &PlanLimits::default()).is_ok(), "{text}");
    }
}

#[test]
fn memory_is_asked_for_each_target_of_a_plan() {
    let mut plan = answer("sort it");
    plan["subtasks"][0]["tools"] = json!([
        { "tool": "Read", "target": "./a.txt" }, { "tool": "read", "target": "a.txt" }, { "tool": "shell" },
        { "tool": "write", "target": " " }, { "tool": "write", "target": "b.txt" },
    ]);
    let plan =
        read(&plan.to_string(), &must_not(&MemoryAnswer::default(), None), &PlanLimits::default()).expect("a plan");
    let asked: Vec<_> =
        target_queries(&plan).into_iter().map(|query| format!("{} {}", query.space, query.entity)).collect();
    assert_eq!(asked, ["tool:read path:a.txt", "tool:write path:b.txt"]);
}

#[test]
fn another_spelling_of_an_input_is_the_same_input() {
    for (one, other) in [
        ("missing.txt", "missing.txt"),
        ("missing.txt", "./missing.txt"),
        ("missing.txt", ".//missing.txt"),
        ("missing.txt", "x/../missing.txt"),
        ("missing.txt", "missing.txt/"),
        ("missing.txt", " missing.txt "),
        ("missing.txt", "/work/tree/missing.txt"),
        ("src/a.rs", "src/./a.rs"),
        ("cat missing.txt", "cat  ./missing.txt"),
        ("cat missing.txt", "cat 'missing.txt'"),
        ("cat missing.txt", "cat miss\\ing.txt"),
        ("TODO in src", "TODO in ./src/"),
    ] {
        assert!(is_same_input(one, other) && is_same_input(other, one), "{one}, {other}");
    }
    for (one, other) in [
        ("missing.txt", "Missing.txt"),
        ("missing.txt", "old/missing.txt"),
        ("missing.txt", "missing.txt.bak"),
        ("missing.txt", "missing.md"),
        ("cat missing.txt", "cat other.txt"),
        ("cat missing.txt", "head missing.txt"),
        ("cat missing.txt", "cat missing.txt other.txt"),
        ("README", "readme"),
        ("TODO in src", "TODO in docs"),
        ("https://a.example/x", "https://a.example/y"),
    ] {
        assert!(!is_same_input(one, other), "{one}, {other}");
    }
}
