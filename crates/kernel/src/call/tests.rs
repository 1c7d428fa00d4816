//! What calls are, on the commands and arguments of real transcripts.

use super::*;
use crate::envelope::Envelope;
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
        ("write_stdin", r#"{"session_id":1,"yield_time_ms":1000}"#, Wait, ""),
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
        ("cat > /tmp/body.md <<'EOF'\nx\nEOF\ngh pr create", Shell, "gh pr", None),
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
        "cargo test", "cargo +nightly test -p x", "cargo nextest run", "pytest -q", "python -m pytest tests",
        "python3 -m unittest", "python manage.py test app", "uv run pytest", "poetry run pytest -x", "npm test",
        "npm t", "npm run test:unit", "pnpm --filter @repo/x test", "cd apps/app && pnpm test Nav.test.tsx",
        "yarn test", "yarn vitest run a.test.tsx", "pnpm exec jest", "bun run test", "rtk bun run test 2>&1",
        "npx vitest run", "bunx jest", "npx playwright test", "go test ./... -v", "GOFLAGS=-v go test ./x",
        "mise run test 2>&1 | tail -30", "make check", "make test", "just test-all", "./gradlew test", "mvn -q test",
        "dotnet test", "mix test", "bundle exec rspec", "tox", "./run_tests.py", "bash scripts/test.sh", "node --test",
        "timeout 60 go test ./...", "sudo -E cargo test", "bash -c \"cd x && cargo test\"", "env A=1 npm test",
        "CI=1 npm test", "ctest --output-on-failure",
    ] {
        assert!(is_test(command), "{command}");
    }
}

/// Of several commands, the one that tells most.
#[test]
fn a_line_of_commands_does_what_the_most_telling_one_does() {
    for (command, kind, tool, named) in [
        ("git pull && mkdir -p x && sed -n 1,20p src/a.rs", Read, "sed", Some("src/a.rs")),
        ("cat a.rs && git status", Read, "cat", Some("a.rs")),
        ("ls src; cat a.rs; cat b.rs", Read, "cat", Some("b.rs")),
        ("rg x | head -5 && ls", Search, "ls", None),
        ("cp a b && sed -n 1,5p c.rs", Edit, "cp", Some("b")),
        ("sed -i s/a/b/ a.rs && cargo build", Edit, "sed", Some("a.rs")),
        ("cat > /tmp/x.sh <<EOF\nmake\nEOF\nbash /tmp/x.sh", Shell, "bash", None),
        ("rg x > /tmp/x.txt && sed -n 1,5p a.rs", Read, "sed", Some("a.rs")),
        ("cp /tmp/a /tmp/b && cd a && cat b.rs", Read, "cat", Some("b.rs")),
        ("rm -rf build && make", Shell, "make", None),
        ("rm -f build.log && make -j4", Shell, "make", None),
        ("cd a && rm -rf build", Shell, "rm", None),
        ("apt-get update && apt-get install -y x", Shell, "apt-get install", None),
        ("apt-get update", Shell, "apt-get update", None),
        ("git fetch", Shell, "git fetch", None),
        ("git add -A && git commit -m 'a; b' && git push --force", Shell, "git push", None),
        ("make; git status; ls", Shell, "make", None),
        ("make 2>&1 | tee build.log | tail -3", Shell, "make", None),
        ("git push origin main && git ls-remote origin | rg main || true", Shell, "git push", None),
        ("npm ls; git worktree list; git branch -D a; git status", Shell, "git branch", None),
        ("edit 'return a.b' 'return c.d # e'", Edit, "edit", None),
        ("printf a | gh pr create --body-file -", Shell, "gh pr", None),
        ("cat <<'EOF' | gh pr create --body-file -\nit's done\nEOF", Shell, "gh pr", None),
        ("sleep 30 && gh pr checks 5", Wait, "sleep", None),
        ("sleep 30; gh run watch 5 --exit-status", Wait, "sleep", None),
        ("gh pr checks 5 --watch", Wait, "gh pr", None),
        ("gh release view v1 --json url", Wait, "gh release", None),
        ("gh pr view 5", Shell, "gh pr", None),
        ("xcodebuild -scheme A -destination b test 2>&1 | tail -3", Test, "xcodebuild", None),
        ("npm start & sleep 3; curl localhost", Shell, "npm start", None),
        ("for f in a b; do cat $f.rs; done", Read, "cat", None),
        ("[ -f a ] && ./configure", Shell, "configure", None),
        ("# it's here\nmake # isn't it\nls", Shell, "make", None),
        ("bash -lc 'cd a && cat b.rs'", Read, "cat", Some("b.rs")),
        ("cd a && make \\\n  -j4", Shell, "make", None),
        ("annals log; cat a.rs", Read, "cat", Some("a.rs")),
    ] {
        assert_eq!(run(command), (kind, tool.to_owned(), named.map(str::to_owned)), "{command}");
    }
}

#[test]
fn a_command_whose_output_is_a_value_only_asks() {
    for (command, kind, tool, named) in [
        ("X=$(git merge-base a b) && cat src/a.rs", Read, "cat", Some("src/a.rs")),
        ("X=$(gh pr view --json id) && gh pr edit $X", Shell, "gh pr", None),
        ("X=\"$(cat VERSION.txt)\"", Read, "cat", Some("VERSION.txt")),
        ("X=$(cat a.txt | head -1) && make", Shell, "make", None),
        ("X=$((1 + 2)) && ls", Search, "ls", None),
        ("X=$(mktemp).md\ncat > \"$X\" <<'EOF'\nx\nEOF", Edit, "cat", None),
        ("X=$(mktemp).md\ncat > \"$X\" <<'EOF'\nx\nEOF\nhand-in \"$X\"", Shell, "hand-in", None),
        ("time (A=1 ./run)", Shell, "run", None),
        ("A='x y' B=`date` make", Shell, "make", None),
        ("OUT=$(cargo test 2>&1); echo $OUT", Test, "cargo test", None),
    ] {
        assert_eq!(run(command), (kind, tool.to_owned(), named.map(str::to_owned)), "{command}");
    }
}

#[test]
fn what_changes_a_file_edits_it() {
    for (command, tool, named) in [
        ("echo 'a > b' >> notes/a.txt", "echo", Some("notes/a.txt")),
        ("printf '%s' x >a.txt", "printf", Some("a.txt")),
        ("cat > /tmp/a.py <<'EOF'\nx\nEOF", "cat", Some("/tmp/a.py")),
        ("cat a.txt b.txt > c.txt", "cat", Some("c.txt")),
        ("git show main:a.rs > a.rs", "git show", Some("a.rs")),
        ("rg -l x | sort > found.txt", "sort", Some("found.txt")),
        ("echo x | sudo tee -a /etc/hosts > /dev/null", "tee", Some("/etc/hosts")),
        ("echo x | tee /tmp/a.txt", "tee", Some("/tmp/a.txt")),
        ("tee src/a.rs <<EOF\nx\nEOF", "tee", Some("src/a.rs")),
        ("rm Makefile", "rm", Some("Makefile")),
        ("rm -f src/a.rs 2>/dev/null", "rm", Some("src/a.rs")),
        ("git rm -q src/a.rs", "git rm", Some("src/a.rs")),
        ("mv src/a.rs src/b.rs", "mv", Some("src/b.rs")),
        ("git mv a.rs b.rs", "git mv", Some("b.rs")),
        ("cp a.rs /tmp/a.rs", "cp", Some("/tmp/a.rs")),
        ("sed -i 's/a b/c/' src/a.rs", "sed", Some("src/a.rs")),
        ("rg -l x | xargs sed -i s/a/b/", "sed", None),
        ("npx prettier --write src/a.ts", "prettier", Some("src/a.ts")),
        ("pnpm biome check --write ./src", "pnpm biome", Some("./src")),
        ("gofmt -w a.go", "gofmt", Some("a.go")),
    ] {
        assert_eq!(run(command), (Edit, tool.to_owned(), named.map(str::to_owned)), "{command}");
    }
}

#[test]
fn what_changes_no_file_edits_none() {
    for (command, kind) in [
        ("echo x > /dev/null", Shell),
        ("echo x >&2", Shell),
        ("rg '> a' src", Search),
        ("grep -rn \"a > b.rs\" src", Search),
        ("cat a.rs 2>/dev/null", Read),
        ("ls missing 2> err.txt", Search),
        ("npx prettier --check .", Shell),
        ("rm -rf build", Shell),
        ("rm *.o", Shell),
        ("cp", Shell),
        ("cp a.rs \"$X\"", Shell),
        ("git rm -rq a", Shell),
        ("make > build.log 2>&1", Shell),
        ("echo x | tee", Shell),
    ] {
        assert_eq!(run(command).0, kind, "{command}");
    }
}

fn run(command: &str) -> (CallKind, String, Option<String>) {
    let arguments = serde_json::json!({ "command": command }).to_string();
    let (kind, tool, _, file) = call("Bash", &arguments);
    (kind, tool, file)
}

#[test]
fn what_only_speaks_of_tests_runs_none() {
    for command in [
        "git commit -m 'run cargo test'", "rg test", "ls tests", "cat tests/a.rs", "mise run lint", "echo cargo test",
        "npm install jest", "git add src/test.rs", "test -f a.txt", "python reproduce.py", "pnpm check-types",
        "grep -r \"npm test\" .", "go build ./...", "cargo build --tests", "make -n test", "make -C pie -kn test",
        "make test --dry-run", "just --dryrun test", "cargo test --no-run", "cargo test -- --list",
        "pytest --collect-only -q", "npx jest --listTests", "go test -list . ./...", "npx vitest --version",
        "# cargo test", "curl -d 'name=test;id' x", "cat > a.md <<EOF\nnpm test\nEOF",
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
    let span = crate::envelope::Span::scan(line.as_bytes()).expect("a line of ours");
    let entry = HistoryEntry::read(line).expect("an entry");
    let (seen, read) = (Finished::in_envelope(&Envelope::new(line.as_bytes(), &span)), Call::in_entry(&entry));
    assert!(read.is_some());
    assert_eq!(seen.map(|finished| finished.call), read);
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
        r##"{"command":"#"}"##,
        r#"{"command":"X=$("}"#,
        r#"{"command":"X=$(X=$(X=`"}"#,
        r#"{"command":"bash -c"}"#,
        r#"{"command":"bash -c bash -c 'bash -c "bash -c ls"'"}"#,
        r#"{"command":"echo >"}"#,
        r#"{"command":"cat > "🦀\🦀 <<🦀"}"#,
    ] {
        drop(call("Bash", arguments));
    }
    let long = serde_json::json!({ "command": "ä".repeat(10_000) }).to_string();
    assert_eq!(call("Bash", &long).2.chars().count(), TARGET_CHARS);
    assert_eq!(call("Bash", r#"{"command":{"$blob":{"preview":"cargo test"}}}"#).0, Test);
}

proptest::proptest! {
    #[test]
    fn any_line_can_be_taken_apart(command in "[aé$(){}'\"`\\\\<>|&;#=EOF\\n -]{0,80}") {
        drop(run(&command));
        drop(run(&format!("cat <<EOF\n{command}\nEOF\nbash -c '{command}'; X=$({command} && {command}")));
    }
}
