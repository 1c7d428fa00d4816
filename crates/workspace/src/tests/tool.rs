//! The tools: what each gives, and how it says that it cannot.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::{Value, json};

use super::world::{Tools, World, put};
use crate::tool::{ToolEnd, ToolKind, ToolResult};
use crate::workspace::OthersWork;

fn worked(end: &ToolEnd) -> &str {
    assert_eq!(end.result, ToolResult::Worked, "{}", end.output);
    &end.output
}

fn failed(end: &ToolEnd) -> &str {
    assert_eq!(end.result, ToolResult::Failed, "{}", end.output);
    &end.output
}

fn project() -> World {
    World::of(&[
        ("README.md", "# A\n\nSee src.\n"),
        ("src/main.rs", "fn main() {\n    let count = 1;\n    print(count);\n}\n"),
        ("src/lib.rs", "pub fn count() {}\n"),
        (".gitignore", "target/\n*.log\n!keep.log\n"),
        ("keep.log", "count\n"),
    ])
}

#[test]
fn files_are_found_by_name_and_by_pattern() {
    let world = project();
    world.put("target/count.rs", "built\n");
    let workspace = world.workspace();
    put(workspace.path(), "target/count.rs", "built\n");
    put(workspace.path(), "noise.log", "count\n");
    let tools = Tools::of(&world, &workspace);
    for (kind, input, expected) in [
        (ToolKind::Find, json!({"name": "MAIN"}), "src/main.rs"),
        (ToolKind::Find, json!({"name": "log"}), "keep.log"),
        (ToolKind::Find, json!({"name": "nothing"}), "no file"),
        (ToolKind::Glob, json!({"pattern": "*.rs"}), "src/lib.rs\nsrc/main.rs"),
        (ToolKind::Glob, json!({"pattern": "./src/*.rs"}), "src/lib.rs\nsrc/main.rs"),
        (ToolKind::Glob, json!({"pattern": "**/main.*"}), "src/main.rs"),
        (ToolKind::Glob, json!({"pattern": "*/main.{rs,py}"}), "src/main.rs"),
        (ToolKind::Search, json!({"pattern": "count\\("}), "src/lib.rs:1: pub fn count() {}"),
        (ToolKind::Search, json!({"pattern": "^count$"}), "keep.log:1: count"),
        (ToolKind::Search, json!({"pattern": "count", "path": "README.md"}), "no line"),
        (ToolKind::Search, json!({"pattern": "built", "path": "target/count.rs"}), "target/count.rs:1: built"),
        (ToolKind::Search, json!({"pattern": "let", "path": "src"}), "src/main.rs:2:     let count = 1;"),
    ] {
        assert_eq!(worked(&tools.run(kind, input.clone())), expected, "{kind} {input}");
    }
}

#[test]
fn lists_are_bounded_and_say_how_much_is_left_out() {
    let world = World::of(&[]);
    let workspace = world.workspace();
    for number in 0..250 {
        put(workspace.path(), &format!("f{number:03}"), "line\nline\n");
    }
    put(workspace.path(), "wide", &"w".repeat(100_000));
    let tools = Tools::of(&world, &workspace);
    let listed = tools.run(ToolKind::Glob, json!({"pattern": "f*"}));
    assert!(worked(&listed).ends_with("f199\n[… 50 more files left out …]"), "{}", listed.output);
    let lines = tools.run(ToolKind::Search, json!({"pattern": "line"}));
    assert!(worked(&lines).ends_with("[… 300 more lines left out …]"), "{}", lines.output);
    let wide = tools.run(ToolKind::Search, json!({"pattern": "w+"}));
    assert!(worked(&wide).len() < 400, "{}", wide.output);
}

#[test]
fn a_file_is_read_by_lines() {
    let world = World::of(&[("a", "1\r\n2\n3\n4"), ("empty", "")]);
    let workspace = world.workspace();
    fs::write(workspace.path().join("latin"), b"caf\xe9\n").unwrap();
    put(workspace.path(), "wide", &format!("{}\nnext\n", "ä".repeat(50_000)));
    let tools = Tools::of(&world, &workspace);
    for (input, expected) in [
        (json!({"path": "a"}), "     1\t1\n     2\t2\n     3\t3\n     4\t4\n"),
        (json!({"path": "a", "from_line": 2, "lines": 1}), "     2\t2\n[… more lines from 3 on …]\n"),
        (json!({"path": "a", "from_line": 0, "lines": 0}), "     1\t1\n[… more lines from 2 on …]\n"),
        (json!({"path": "a", "from_line": 9}), "[it ends at line 4]"),
        (json!({"path": "./a", "from_line": 4}), "     4\t4\n"),
        (json!({"path": "empty"}), "[empty]"),
        (json!({"path": "latin"}), "     1\tcaf\u{fffd}\n"),
    ] {
        assert_eq!(worked(&tools.run(ToolKind::Read, input.clone())), expected, "{input}");
    }
    let wide = tools.run(ToolKind::Read, json!({"path": "wide"}));
    assert!(worked(&wide).len() < 2_200 && wide.output.ends_with("     2\tnext\n"), "{}", wide.output.len());
}

#[test]
fn what_is_no_plain_text_file_is_said_to_be_so_and_never_waited_for() {
    let world = World::of(&[("src/a", "1\n")]);
    let workspace = world.workspace();
    let at = |name: &str| workspace.path().join(name);
    fs::write(at("bin"), [1, 0, 2]).unwrap();
    mknodat(CWD, at("pipe"), FileType::Fifo, Mode::from_raw_mode(0o644), 0).unwrap();
    drop(std::os::unix::net::UnixListener::bind(at("socket")).unwrap());
    symlink("pipe", at("link")).unwrap();
    symlink("loop", at("loop")).unwrap();
    let tools = Tools::of(&world, &workspace);
    for (path, expected) in [
        ("bin", "bin is a binary file of 3 bytes"),
        ("pipe", "is no plain file, but a pipe"),
        ("link", "is no plain file, but a pipe"),
        ("socket", "is no plain file, but a socket"),
        ("src", "is no plain file, but a folder"),
        (".", "is no plain file, but a folder"),
        ("missing", "No such file"),
        ("src/a/b", "Not a directory"),
        ("loop", "ymbolic link"),
    ] {
        let end = tools.run(ToolKind::Read, json!({ "path": path }));
        assert!(failed(&end).contains(expected), "{path}: {}", end.output);
        let end = tools.run(ToolKind::Write, json!({ "path": path, "content": "x" }));
        if !matches!(path, "bin" | "missing") {
            failed(&end);
        }
    }
    assert_eq!(worked(&tools.run(ToolKind::Search, json!({"pattern": "1"}))), "src/a:1: 1");
}

#[test]
fn a_file_is_written_at_once_and_keeps_its_mode() {
    let world = World::of(&[("run.sh", "#!/bin/sh\n")]);
    let workspace = world.workspace();
    let at = workspace.path().join("run.sh");
    fs::set_permissions(&at, fs::Permissions::from_mode(0o750)).unwrap();
    fs::hard_link(&at, workspace.path().join("second")).unwrap();
    let tools = Tools::of(&world, &workspace);
    let end = tools.run(ToolKind::Write, json!({"path": "run.sh", "content": "echo\n"}));
    assert_eq!(worked(&end), "5 bytes written to run.sh, in the place of 10 bytes");
    assert_eq!(fs::metadata(&at).unwrap().permissions().mode() & 0o777, 0o750);
    assert_eq!(fs::read_to_string(workspace.path().join("second")).unwrap(), "#!/bin/sh\n");
    let end = tools.run(ToolKind::Write, json!({"path": "a/b/c", "content": "new"}));
    assert_eq!(worked(&end), "3 bytes written to a/b/c, a new file");
    let left: Vec<_> = fs::read_dir(workspace.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("writing")), "{left:?}");
}

#[test]
fn one_place_is_edited_and_other_bytes_stay() {
    let world = World::of(&[("a", "one two\ntwo aaa\n  three  four\n")]);
    let workspace = world.workspace();
    fs::write(workspace.path().join("latin"), b"caf\xe9 \xff one\r\n").unwrap();
    let tools = Tools::of(&world, &workspace);
    let edit =
        |path: &str, old: &str, new: &str| tools.run(ToolKind::Edit, json!({"path": path, "old": old, "new": new}));
    assert_eq!(worked(&edit("latin", "one", "two")), "line 1 of latin changed: 3 bytes instead of 3");
    assert_eq!(fs::read(workspace.path().join("latin")).unwrap(), b"caf\xe9 \xff two\r\n");
    for (old, new, expected) in [
        ("two", "2", "`old` occurs 2 times, in lines 1, 2: say more"),
        ("aa", "b", "`old` occurs 2 times"),
        ("three four", "x", "with other white space it stands from line 3 on"),
        ("one twa", "x", "most like it is line 1: one two"),
        ("zzzzz", "x", "nothing in it is like that"),
        ("", "x", "`old` is empty"),
        ("one", "one", "the same"),
    ] {
        let end = edit("a", old, new);
        assert!(failed(&end).contains(expected), "{old}: {}", end.output);
    }
    assert_eq!(worked(&edit("a", "two\ntwo", "2\n2")), "line 1 of a changed: 3 bytes instead of 7");
}

/// Made twice, `port = 80` would become `port = 808080`.
#[test]
fn an_edit_that_was_made_is_not_made_again() {
    let world = World::of(&[("a", "port = 80\nhost\n")]);
    let workspace = world.workspace();
    let tools = Tools::of(&world, &workspace);
    let edit = |old: &str, new: &str| tools.run(ToolKind::Edit, json!({"path": "a", "old": old, "new": new}));
    assert_eq!(worked(&edit("port = 80", "port = 8080")), "line 1 of a changed: 11 bytes instead of 9");
    assert!(worked(&edit("port = 80", "port = 8080")).contains("stands in line 1 already, and nothing was changed"));
    assert!(failed(&edit("host", "host")).contains("the same"));
    worked(&edit("host", "host\nhost = 1"));
    assert_eq!(fs::read_to_string(workspace.path().join("a")).unwrap(), "port = 8080\nhost\nhost = 1\n");
}

#[test]
fn what_models_write_instead_of_an_input_is_refused_with_a_reason() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let tools = Tools::of(&world, &workspace);
    let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
    let odd: [Value; 9] = [
        json!(null),
        json!("a"),
        json!([]),
        json!({}),
        json!({"path": null}),
        json!({"path": 3}),
        json!({"command": ["ls"]}),
        json!({"path": {"a": 1}}),
        deep,
    ];
    for kind in ToolKind::ALL {
        for input in &odd {
            let end = tools.run(*kind, input.clone());
            assert!(failed(&end).starts_with("the input cannot be read: "), "{kind} {input}: {}", end.output);
        }
    }
    for (kind, input, expected) in [
        (ToolKind::Search, json!({"pattern": "(a"}), "the expression cannot be read: regex parse error"),
        (ToolKind::Search, json!({"pattern": "(?:a{1000}){1000}{1000}"}), "the expression cannot be read"),
        (ToolKind::Glob, json!({"pattern": "a[b"}), "unclosed character class"),
        (ToolKind::Find, json!({"name": ""}), "empty"),
        (ToolKind::Fetch, json!({"url": "https://example.org"}), "no host is allowed"),
        (ToolKind::Read, json!({"path": "a".repeat(1_000_000)}), "this is no path"),
        (ToolKind::Read, json!({"path": "a\u{0}b"}), "this is no path"),
    ] {
        let end = tools.run(kind, input);
        assert!(failed(&end).contains(expected), "{kind}: {}", end.output);
    }
}

#[test]
fn a_walk_of_a_thousand_folders_in_each_other_ends() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let mut here = rustix::fs::open(workspace.path(), rustix::fs::OFlags::DIRECTORY, Mode::empty()).unwrap();
    for _ in 0..1_000 {
        rustix::fs::mkdirat(&here, "d", Mode::from_raw_mode(0o755)).unwrap();
        here = rustix::fs::openat(&here, "d", rustix::fs::OFlags::DIRECTORY, Mode::empty()).unwrap();
    }
    let tools = Tools::of(&world, &workspace);
    assert_eq!(worked(&tools.run(ToolKind::Glob, json!({"pattern": "a"}))), "a\n[1 folders could not be read]");
    assert_eq!(workspace.diff().unwrap().left_out.len(), 1);
    workspace.discard(&OthersWork::Refused).unwrap();
}
