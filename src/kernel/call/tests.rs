//! What calls are, on the commands and arguments of real transcripts.

use super::*;
use CallKind::{Delegate, Edit, Other, Plan, Read, Search, Shell, Test, Wait, Web};

fn call(name: &str, arguments: &str) -> (CallKind, String, String, Option<String>) {
    let call = Call::of(name, arguments, None);
    (call.kind, call.tool.into_owned(), call.target.into_owned(), call.file.map(Cow::into_owned))
}

/// AFS 5.3: `edits-without-tests` needs to know both.
#[test]
fn a_tool_is_known_by_its_name_and_its_arguments() {
    for (name, arguments, kind, target) in [
        ("Read", r#"{"file_path":"/p/a.rs","limit":3}"#, Read, "/p/a.rs"),
        ("view", r#"{"path":"a.md"}"#, Read, "a.md"),
        ("Edit", r#"{"file_path":"a.rs","old_string":"","new_string":"x"}"#, Edit, "a.rs"),
        ("str_replace_editor", r#"{"command":"view","path":"a.c","view_range":[1,2]}"#, Read, "a.c"),
        ("str_replace_editor", r#"{"command":"str_replace","path":"a.c","new_str":""}"#, Edit, "a.c"),
        ("Grep", r#"{"pattern":"fn main","path":"src"}"#, Search, "fn main"),
        ("web_search", r#"{"type":"open_page","url":"https://x.org"}"#, Web, "https://x.org"),
        ("TodoWrite", r#"{"todos":[{"id":"1"}]}"#, Plan, ""),
        ("Task", r#"{"description":"look","prompt":"at it"}"#, Delegate, "look"),
        ("write_stdin", r#"{"session_id":1,"chars":""}"#, Wait, ""),
        ("write_stdin", r#"{"session_id":1,"chars":"y"}"#, Shell, "y"),
        ("mcp__files__read_file", r#"{"path":"a"}"#, Read, "a"),
        ("mcp__linear-server__create_issue", r#"{"title":"x"}"#, Other, ""),
        ("nobody_knows", "not JSON", Other, ""),
    ] {
        let found = Call::of(name, arguments, None);
        assert_eq!((found.kind, &*found.target), (kind, target), "{name} {arguments}");
    }
}

#[test]
fn the_file_of_the_entry_is_shorter_than_that_of_the_arguments() {
    let call = Call::of("Read", r#"{"file_path":"/home/x/p/src/a.rs"}"#, Some("src/a.rs".into()));
    assert_eq!((&*call.target, call.file.as_deref()), ("src/a.rs", Some("src/a.rs")));
}

#[test]
fn a_shell_runs_what_its_command_says() {
    for (command, kind, tool, named) in [
        ("git status --short", Shell, "git status", None),
        ("cd /p && sed -n '1,200p' 'src/(x)/a.ts'", Read, "sed", Some("src/(x)/a.ts")),
        ("nl -ba src/a.ts | sed -n '1,9p'", Read, "nl", Some("src/a.ts")),
        ("rg -n \"cargo test\" docs", Search, "rg", None),
        ("sed -i s/a/b/ src/a.rs", Edit, "sed", Some("src/a.rs")),
        ("apply_patch <<'PATCH'\n*** Begin Patch\n+cargo test\nPATCH", Edit, "apply_patch", None),
        ("cat > src/a.sh <<EOF\ncargo test\nEOF\nls", Edit, "cat", Some("src/a.sh")),
        ("cat > /tmp/body.md <<'EOF'\nx\nEOF\ngh pr create", Read, "cat", Some("/tmp/body.md")),
        ("edit 3:4\nx\nend_of_edit", Edit, "edit", None),
        ("curl -s https://x.org | jq .", Web, "curl", None),
        ("sleep 5", Wait, "sleep", None),
        ("cargo build && cargo test --lib 2>&1 | tail -5", Test, "cargo test", None),
        ("export A=1", Shell, "export", None),
    ] {
        let arguments = serde_json::json!({ "command": command }).to_string();
        let found = Call::of("Bash", &arguments, None);
        let file = if matches!(found.kind, Read | Edit) { found.file.as_deref() } else { None };
        assert_eq!((found.kind, &*found.tool, file), (kind, tool, named), "{command}");
    }
    let (kind, _, target, file) = call("shell", r#"{"command":["bash","-lc","cat a/b.txt"]}"#);
    assert_eq!((kind, &*target, file.as_deref()), (Read, "cat a/b.txt", Some("a/b.txt")));
}

#[test]
fn the_usual_ways_to_run_tests_are_known() {
    for command in [
        "cargo test",
        "cargo +nightly test -p x",
        "cargo nextest run",
        "pytest -q",
        "python -m pytest tests",
        "python3 -m unittest",
        "python manage.py test app",
        "uv run pytest",
        "poetry run pytest -x",
        "npm test",
        "npm t",
        "npm run test:unit",
        "pnpm --filter @repo/x test",
        "cd apps/app && pnpm test Nav.test.tsx",
        "yarn test",
        "bun run test",
        "rtk bun run test 2>&1",
        "npx vitest run",
        "bunx jest",
        "npx playwright test",
        "go test ./... -v",
        "GOFLAGS=-v go test ./x",
        "mise run test 2>&1 | tail -30",
        "make check",
        "make test",
        "just test-all",
        "./gradlew test",
        "mvn -q test",
        "dotnet test",
        "mix test",
        "bundle exec rspec",
        "tox",
        "./run_tests.py",
        "bash scripts/test.sh",
        "node --test",
        "timeout 60 go test ./...",
        "sudo -E cargo test",
        "bash -c \"cd x && cargo test\"",
        "env A=1 npm test",
        "CI=1 npm test",
        "ctest --output-on-failure",
    ] {
        assert!(is_test(command), "{command}");
    }
}

#[test]
fn what_only_speaks_of_tests_runs_none() {
    for command in [
        "git commit -m 'run cargo test'",
        "rg test",
        "ls tests",
        "cat tests/a.rs",
        "mise run lint",
        "echo cargo test",
        "npm install jest",
        "git add src/test.rs",
        "test -f a.txt",
        "python reproduce.py",
        "pnpm check-types",
        "grep -r \"npm test\" .",
        "go build ./...",
        "cargo build --tests",
        "# cargo test",
        "curl -d 'name=test;id' x",
        "cat > a.md <<EOF\nnpm test\nEOF",
    ] {
        assert!(!is_test(command), "{command}");
    }
}

/// AFS 4.2: hashes of recent actions.
#[test]
fn the_same_action_has_the_same_hash() {
    let action = |name: &str, arguments: &str| Call::of(name, arguments, None).action;
    let test = action("Bash", r#"{"command":"cargo test","description":"Run the tests"}"#);
    assert_eq!(test, action("Bash", r#"{"command":"cargo test","timeout":60000}"#), "what is said of it is not part");
    assert_ne!(test, action("Bash", r#"{"command":"cargo test "}"#));
    assert_ne!(action("Read", r#"{"path":"a"}"#), action("view", r#"{"path":"a"}"#));
    assert_eq!(test.to_string().parse(), Ok(test));
    assert_eq!(action("Read", r#"{"path":"a"}"#).to_string(), "1eecf1e578e6419f", "it is stored: it must never change");
}

#[test]
fn an_entry_and_its_line_are_the_same_call() {
    let line = r#"{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","timestamp":"2026-11-21T03:10:00.123Z","session_id":"s","operation":{"type":"tool_call","name":"Bash","input":{"command":"cd a && \"b\" \u00e4","n":[1,{}]},"output":"x","success":true},"provenance":{},"metadata":{"files_touched":["a.rs"]}}"#;
    let span = crate::kernel::envelope::Span::scan(line.as_bytes()).expect("a line of ours");
    let entry = HistoryEntry::read(line).expect("an entry");
    let (seen, read) = (Call::in_envelope(&Envelope::new(line.as_bytes(), &span)), Call::in_entry(&entry));
    assert!(seen.is_some());
    assert_eq!(seen, read);
}

#[test]
fn nothing_that_a_model_writes_makes_it_panic() {
    for arguments in [
        "",
        "null",
        "[]",
        "{",
        r#"{"command":{"$blob":{"preview":"cargo test","bytes":1}}}"#,
        r#"{"command":[null,1,["x"]],"path":7}"#,
        r#"{"command":"\\"}"#,
        r#"{"command":"<<"}"#,
        r#"{"command":"a <<EOF"}"#,
        r#"{"command":"'unended"}"#,
        r#"{"command":"🦀;🦀 > 🦀"}"#,
        r#"{"command":""}"#,
        r#"{"command":"\n\n;;&&||"}"#,
    ] {
        drop(call("Bash", arguments));
    }
    let long = serde_json::json!({ "command": "ä".repeat(10_000) }).to_string();
    assert_eq!(call("Bash", &long).2.chars().count(), TARGET_CHARS);
    assert_eq!(call("Bash", r#"{"command":{"$blob":{"preview":"cargo test"}}}"#).0, Test);
}
