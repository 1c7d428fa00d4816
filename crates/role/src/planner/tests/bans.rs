//! What must not be used, and the easy ways around it.

#![expect(clippy::needless_pass_by_value, reason = "`json!` reads best where it is made")]

use serde_json::{Value, json};

use super::super::{Ban, BanSource, Banned, MustNot, PlanLimits, must_not, read};
use super::{answer, banning, directive, remembered};
use crate::message::{MemoryAction, MemoryAnswer};

fn own(text: &str) -> String {
    text.to_owned()
}

/// What a plan is refused for.
fn forbidden(answer: &Value, banned: &MustNot) -> Option<String> {
    read(&answer.to_string(), banned, &PlanLimits::default()).err().map(|bad| bad.to_string())
}

fn with_tool(tool: &str, target: Option<&str>) -> Value {
    let mut answer = answer("sort it");
    answer["subtasks"][0]["tools"] = json!([{"tool": tool, "target": target}]);
    answer
}

fn with_check(check: Value) -> Value {
    let mut answer = answer("sort it");
    answer["task_criteria"] = json!([{"text": "sorted", "check": check}]);
    answer
}

#[test]
fn the_set_is_memory_and_tools_and_targets_each_with_its_source() {
    let memory = MemoryAnswer {
        remembered: vec![
            remembered("intent:sort_it", "env:local", MemoryAction::Avoid, &["never in place"]),
            remembered("tool:shell", "env:local", MemoryAction::Avoid, &[]),
            remembered("tool:read", "path:a.txt", MemoryAction::Avoid, &["it is gone"]),
            remembered("intent:x", "path:b.txt", MemoryAction::Avoid, &[]),
            remembered("tool:write", "env:local", MemoryAction::Exploit, &[]),
            remembered("tool:edit", "env:local", MemoryAction::Caution, &[]),
            remembered("tool:glob", "env:local", MemoryAction::Ignore, &[]),
            remembered("tool: ", "env:local", MemoryAction::Avoid, &[]),
        ],
    };
    let ban = |what, source, says: &[&str]| Ban { what, source, says: says.iter().map(|text| own(text)).collect() };
    let tool = |tool: &str| Banned::Tool { tool: own(tool) };
    let target = |target: &str| Banned::Target { target: own(target) };
    let expected = vec![
        ban(Banned::Approach { space: own("intent:sort_it") }, BanSource::Memory, &["never in place"]),
        ban(tool("shell"), BanSource::Memory, &[]),
        ban(Banned::ToolOnTarget { tool: own("read"), target: own("a.txt") }, BanSource::Memory, &["it is gone"]),
        ban(target("b.txt"), BanSource::Memory, &[]),
        ban(tool("search"), BanSource::BlockedTool, &[]),
        ban(target("c.txt"), BanSource::BlockedTarget, &[]),
    ];
    let said = directive(&["shell", "search", ""], &["b.txt", "c.txt", " ", "c.txt"]);
    assert_eq!(must_not(&memory, Some(&said)).bans, expected);
    assert_eq!(must_not(&MemoryAnswer::default(), None), MustNot::default());
}

#[test]
fn a_blocked_tool_is_not_planned_by_any_of_its_names() {
    for (blocked, planned) in [
        ("shell", "shell"),
        ("shell", "Shell"),
        ("shell", " SHELL "),
        ("shell", "bash"),
        ("shell", "run_command"),
        ("shell", "the-terminal"),
        ("shell", "`shell`"),
        ("shell", "shell tool"),
        ("shell", "ｓhell"),
        ("shell", "s\u{200b}hell"),
        ("Bash", "shell"),
        ("search", "grep"),
        ("read", "read_file"),
        ("mcp__x__y", "MCP__x__Y"),
        ("WebSearch", "websearch"),
    ] {
        let found = forbidden(&with_tool(planned, None), &banning(&[blocked], &[]));
        if planned == "the-terminal" {
            assert_eq!(found, None, "no name of it");
        } else {
            let expected = format!("the tool \"{blocked}\" (subtasks.0.tools.0) is used, which it must not be");
            assert_eq!(found.as_deref(), Some(&*expected), "{blocked} {planned}");
        }
    }
    assert_eq!(forbidden(&with_tool("read", Some("a")), &banning(&["shell", "search"], &[])), None);
    let mut bare = answer("sort it");
    bare["subtasks"][0]["tools"] = json!(["write", "bash"]);
    assert!(forbidden(&bare, &banning(&["shell"], &[])).is_some_and(|bad| bad.contains("tools.1")));
}

#[test]
fn a_blocked_tool_is_not_used_in_words_either() {
    for intent in [
        "Run the shell command `sort names.txt`", "run the tests", "First, execute sort.sh",
        "Sort the file by running the script", "Use bash to sort it", "Sort it in the terminal",
        "Sort it with a shell command", "shell: sort names.txt", "Bash(sort names.txt)", "Open a terminal and sort",
        "Do `git mv a b`", "Sort it with sed", "Please run it", "1. Run it", "RUN IT", "Ｒｕｎ it",
        "Sort it from the command line", "You should run sort on it", "Use the tool shell",
    ] {
        let expected = "the tool \"shell\" (subtasks.0.intent) is used, which it must not be";
        assert_eq!(forbidden(&answer(intent), &banning(&["shell"], &[])).as_deref(), Some(expected), "{intent}");
    }
    let mut context = answer("sort it");
    context["subtasks"][0]["context"] = json!("The list is long.\nUse bash.");
    assert!(forbidden(&context, &banning(&["shell"], &[])).is_some_and(|bad| bad.contains("subtasks.0.context")));
    for (tool, intent) in [
        ("read", "cat names.txt"),
        ("write", "Sort it, then use write_file"),
        ("search", "grep for TODO"),
        ("find", "List all Rust files with find"),
        ("edit", "Use the edit tool"),
        ("fetch", "Download the page with curl"),
        ("glob", "Use glob on src"),
        ("mcp__db__query", "Use mcp__db__query for the names"),
    ] {
        assert!(forbidden(&answer(intent), &banning(&[tool], &[])).is_some(), "{tool}: {intent}");
    }
}

#[test]
fn words_that_are_no_use_of_a_tool_pass() {
    for (tool, intent) in [
        ("shell", "Write a bash script that sorts names.txt"),
        ("shell", "Rename the function run to start"),
        ("shell", "Make the terminal colours configurable"),
        ("shell", "Correct the spelling of the shell chapter"),
        ("read", "Sort what was read before"),
        ("read", "Read names.txt"),
        ("write", "Write a greeting into hello.txt"),
        ("find", "Find all Rust files"),
        ("search", "Correct the search page"),
        ("find", "Determine which file is the longest, so that users find it"),
        ("write", "Correct the write error"),
        ("edit", "Correct the label of the edit button"),
    ] {
        assert_eq!(forbidden(&answer(intent), &banning(&[tool], &[])), None, "{tool}: {intent}");
    }
}

#[test]
fn a_check_may_look_where_the_shell_is_blocked_but_does_no_work() {
    let banned = banning(&["shell"], &[]);
    for line in ["cargo test", "grep -q x a.txt", "cat a.txt", "cargo build", "wc -l a.txt 2>/dev/null"] {
        assert_eq!(forbidden(&with_check(json!({"run": line})), &banned), None, "{line}");
    }
    for line in ["sort -o a.txt a.txt && python3 fix.py", "python3 fix.py"] {
        let found = forbidden(&with_check(json!({"run": line})), &banned);
        let expected = "the tool \"shell\" (task_criteria.0.check) is used, which it must not be";
        assert_eq!(found.as_deref(), Some(expected), "{line}");
    }
}

#[test]
fn a_blocked_target_is_used_nowhere() {
    let banned = banning(&[], &["src/a.rs", "npm test", "error"]);
    let mut context = answer("sort it");
    context["subtasks"][0]["context"] = json!("begin with SRC//A.rs");
    let mut criterion = answer("sort it");
    criterion["subtasks"][0]["success_criteria"] = json!(["./src/a.rs is sorted"]);
    for (answer, target, place) in [
        (with_tool("read", Some("src/a.rs")), "src/a.rs", "subtasks.0.tools.0"),
        (with_tool("read", Some("x/../src/./a.rs")), "src/a.rs", "subtasks.0.tools.0"),
        (with_tool("shell", Some("cat /w/src/a.rs | sort")), "src/a.rs", "subtasks.0.tools.0"),
        (with_tool("search", Some("error")), "error", "subtasks.0.tools.0"),
        (with_tool("shell", Some("NPM  test")), "npm test", "subtasks.0.tools.0"),
        (answer("Sort the lines of `./src/a.rs`"), "src/a.rs", "subtasks.0.intent"),
        (answer("Search for 'error' and count"), "error", "subtasks.0.intent"),
        (context, "src/a.rs", "subtasks.0.context"),
        (criterion, "src/a.rs", "subtasks.0.success_criteria.0.text"),
        (with_check(json!({"file": "src//a.rs", "contains": "x"})), "src/a.rs", "task_criteria.0.check"),
        (with_check(json!({"run": "cd src && npm test"})), "npm test", "task_criteria.0.check"),
        (with_check(json!({"command_output": "grep -c error log", "matches": "3"})), "error", "task_criteria.0.check"),
    ] {
        let expected = format!("the target \"{target}\" ({place}) is used, which it must not be");
        assert_eq!(forbidden(&answer, &banned).as_deref(), Some(&*expected), "{answer}");
    }
    for fine in [
        answer("Handle the error in src/b.rs"),
        with_tool("read", Some("src/b.rs")),
        with_check(json!({"run": "npm run lint"})),
    ] {
        assert_eq!(forbidden(&fine, &banned), None, "{fine}");
    }
}

#[test]
fn memory_bans_a_tool_on_a_target_and_neither_alone() {
    let memory = MemoryAnswer { remembered: vec![remembered("tool:read", "path:a.txt", MemoryAction::Avoid, &[])] };
    let banned = must_not(&memory, None);
    for fine in [
        with_tool("edit", Some("a.txt")),
        with_tool("read", Some("b.txt")),
        answer("Sort a.txt"),
        answer("Read b.txt"),
        with_check(json!({"file": "a.txt", "absent": true})),
    ] {
        assert_eq!(forbidden(&fine, &banned), None, "{fine}");
    }
    let expected = "the tool \"read\" on \"a.txt\" (subtasks.0.tools.0) is used, which it must not be";
    assert_eq!(forbidden(&with_tool("cat", Some("a.txt")), &banned), None, "no name of the tool");
    assert_eq!(forbidden(&with_tool("read_file", Some("./A.txt")), &banned).as_deref(), Some(expected));
    assert!(forbidden(&answer("Read a.txt"), &banned).is_some());
    // What is only an approach is a reader's matter.
    let memory =
        MemoryAnswer { remembered: vec![remembered("intent:sort_it", "env:local", MemoryAction::Avoid, &["sort it"])] };
    assert_eq!(forbidden(&answer("sort it"), &must_not(&memory, None)), None);
}
