//! What a call was, told from its request and its end.

use serde_json::json;

use super::super::looks::{only_prints, searches};
use super::super::{evidence, found_nothing, is_effectful, is_good, target, tool_use};
use crate::ggs::{CallResult, ToolUse};
use crate::testing::{failed, in_flight, ran, request, worked};
use crate::tool::{ToolName, ToolRequest};

#[test]
fn a_command_that_only_looks_is_no_act() {
    let acts = |command: &str| is_effectful(&request(ToolName::Shell, command));
    for looking in [
        "ls -la", "cat a.txt | grep -o x", "cd src && rg TODO", "git status", "git log -3", "find . -name '*.rs'",
        "stat a; wc -l a", "test -f a && echo yes", "sed -n 1,5p a", "ls 2>/dev/null", "ls 2>&1 | head", "diff a b",
        "sort a | uniq",
    ] {
        assert!(!acts(looking), "{looking}");
    }
    for acting in [
        "",
        "make",
        "rm a",
        "ls; rm a",
        "ls $(rm a)",
        "echo x > a",
        "cat a >> b",
        "sed -i s/a/b/ f",
        "git commit -m x",
        "find . -delete",
        "find . -exec rm {} +",
        "cargo test",
        "python -c 'print(1)'",
        "sort -o a a",
        "fd x -x rm",
        "git diff --output=a",
        "curl http://a.example",
        "tee a",
        "xargs rm",
        &format!("ls {}", "a".repeat(5000)),
    ] {
        assert!(acts(acting), "{acting}");
    }
    for (tool, expected) in
        [(ToolName::Write, true), (ToolName::Edit, true), (ToolName::Read, false), (ToolName::Fetch, false)]
    {
        assert_eq!(is_effectful(&request(tool, "a")), expected, "{tool}");
    }
    assert!(
        searches("cd a && grep -r x .") && searches("git grep x") && !searches("cat a") && !searches("grep x; make")
    );
    assert!(only_prints("echo all tests pass") && only_prints("cd a && printf x") && !only_prints("echo x | tee a"));
}

/// Artoo R4a: an empty search is a valid answer, where a real one ran and worked.
#[test]
fn a_search_that_ran_and_found_nothing_is_told_from_one_that_failed() {
    for absent in [
        worked(ToolName::Search, "x", ""),
        worked(ToolName::Glob, "*.py", "\n"),
        worked(ToolName::Find, "x", "No files found"),
        worked(ToolName::Search, "x", "no matches"),
        worked(ToolName::Search, "x", "no line\n"),
        worked(ToolName::Glob, "*.py", "no file"),
        ran("grep -r x .", 1, ""),
        ran("find . -name x", 0, ""),
    ] {
        assert!(found_nothing(&absent) && is_good(&absent), "{absent:?}");
    }
    for other in [
        worked(ToolName::Search, "x", "a.rs:1: x"),
        worked(ToolName::Search, "x", "no matches in a.rs\nb.rs:1: x"),
        failed(ToolName::Search, "x", ""),
        in_flight(ToolName::Search, "x"),
        worked(ToolName::Read, "a", ""),
        ran("grep -r x .", 2, ""),
        ran("grep -r x missing", 1, "grep: missing: No such file or directory"),
        ran("make", 1, ""),
        ran("grep x a; make", 1, ""),
        ran("true", 0, ""),
    ] {
        assert!(!found_nothing(&other), "{other:?}");
    }
}

#[test]
fn a_target_is_the_specific_input() {
    let of = |tool, input| target(&ToolRequest { tool, input });
    for (found, expected) in [
        (of(ToolName::Find, json!({ "name": "a" })), "a"),
        (of(ToolName::Glob, json!({ "pattern": "*.rs" })), "*.rs"),
        (of(ToolName::Search, json!({ "pattern": "x" })), "x"),
        (of(ToolName::Search, json!({ "pattern": "x", "path": "src" })), "x in src"),
        (of(ToolName::Read, json!({ "path": "a", "from_line": 3 })), "a"),
        (of(ToolName::Write, json!({ "path": "a", "content": "long" })), "a"),
        (of(ToolName::Edit, json!({ "path": "a", "old": "x\n y", "new": "z" })), "a: x y"),
        (of(ToolName::Shell, json!({ "command": "make\ntest" })), "make test"),
        (of(ToolName::Fetch, json!({ "url": "https://a.example/" })), "https://a.example/"),
        (of(ToolName::Read, json!([])), ""),
    ] {
        assert_eq!(found, expected);
    }
    let used = |call| tool_use(&call).result;
    let expected = ToolUse { tool: "read".to_owned(), target: "a".to_owned(), result: CallResult::Failed };
    assert_eq!(tool_use(&failed(ToolName::Read, "a", "no such file")), expected);
    assert_eq!(used(in_flight(ToolName::Write, "a")), CallResult::Failed);
    assert_eq!(used(ran("grep x a", 1, "")), CallResult::Worked, "what is not there is no target that failed");
}

/// Artoo R3: `tool_name: input → firstN(output, 200)`.
#[test]
fn a_line_of_evidence_is_one_short_line() {
    let call = worked(ToolName::Read, "a\nb", "one\ntwo ```\r<|im_end|>");
    assert_eq!(evidence(&call), "read: {\"path\":\"a\\nb\"} → one two ``` < |im_end|>");
    assert_eq!(evidence(&worked(ToolName::Glob, "x", " ")), "glob: {\"pattern\":\"x\"} → (no output)");
    let long = evidence(&worked(ToolName::Shell, &"é".repeat(10_000), &"ü".repeat(10_000)));
    assert!(long.chars().count() < 520 && long.ends_with(&"ü".repeat(200)), "{long}");
}
