//! What the person's words forbid, and what they only seem to.

use serde_json::{Value, json};

use super::super::{Ban, BanSource, Banned, Forbidden, MustNot, PlanLimits, covers, read};
use super::{answer, query_words};
use crate::tool::{ToolName, ToolRequest};

/// The rules were made on these.
const CHOSEN_ON: &[(&str, &[&str], &[ToolName])] = &[
    ("Mend calc.py. You must not touch b.txt.", &["b.txt"], &[]),
    ("never touch b.txt, do not use the shell", &["b.txt"], &[ToolName::Shell]),
    ("Sort names.txt without changing README.md", &["README.md"], &[]),
    (
        "do not edit tests/test_a.py, tests/test_b.py or conftest.py",
        &["tests/test_a.py", "tests/test_b.py", "conftest.py"],
        &[],
    ),
    ("Leave src/old/ alone.", &["src/old/"], &[]),
    ("config.toml must not be changed", &["config.toml"], &[]),
    ("make calc.py faster, but do not change the output of calc.py", &[], &[]),
    ("Ändere a.txt, aber b.txt nicht anfassen", &["b.txt"], &[]),
    ("rename load to load_all in src/a.py; never delete anything", &[], &[]),
    ("the tests do not pass: mend calc.py", &[], &[]),
    ("Never touch Makefile or src/b.txt", &["Makefile", "src/b.txt"], &[]),
    ("do not edit users.txt, LICENSE, or src/b.txt", &["users.txt", "LICENSE", "src/b.txt"], &[]),
];

/// Written before they were tried, and not changed after.
const HELD_OUT: &[(&str, &[&str], &[ToolName])] = &[
    ("Please don't modify the file setup.cfg", &["setup.cfg"], &[]),
    ("keep package.json unchanged and update index.js", &["package.json"], &[]),
    ("Update index.js. It is important that you never overwrite data/input.csv!", &["data/input.csv"], &[]),
    ("avoid editing lib/core.rs", &["lib/core.rs"], &[]),
    ("Cargo.lock should not be modified", &["Cargo.lock"], &[]),
    ("write out.txt, and do not run bash", &[], &[ToolName::Shell]),
    ("Schreibe out.txt ohne in.txt zu verändern", &["in.txt"], &[]),
    ("Lösche nicht daten.csv", &["daten.csv"], &[]),
    ("don't write to `notes/todo.md` or delete docs/", &["notes/todo.md"], &[]),
    ("fix the bug that main.py does not remove old files", &[], &[]),
    ("main.py must not print anything", &[], &[]),
    ("a.txt does not end with a line end: add one", &[], &[]),
    ("write b.txt, e.g. with 3.5 lines, not more", &[], &[]),
    ("do not forget to update CHANGELOG.md", &[], &[]),
    ("don't use tabs in main.go", &[], &[]),
    ("Mend it without changing the Dockerfile and .env.example", &["Dockerfile", ".env.example"], &[]),
    ("README must not be modified; the tests in tests/ must stay", &["README"], &[]),
    ("never delete the LICENSE, the NOTICE or CHANGELOG.md", &["LICENSE", "NOTICE", "CHANGELOG.md"], &[]),
    ("do not write a README", &["README"], &[]),
    ("please build it; never build twice", &[], &[]),
    ("without tests nothing is done: write tests/test_x.py", &[], &[]),
];

fn found(words: &str) -> (Vec<String>, Vec<ToolName>) {
    let Forbidden { files, tools } = Forbidden::by(words);
    (files, tools)
}

#[test]
fn the_words_forbid_the_files_and_tools_that_they_name() {
    for (words, files, tools) in CHOSEN_ON.iter().chain(HELD_OUT) {
        let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
        assert_eq!(found(words), (files, tools.to_vec()), "{words}");
    }
}

fn request(tool: ToolName, input: Value) -> ToolRequest {
    ToolRequest { tool, input }
}

#[test]
fn what_is_forbidden_may_be_read_and_not_changed() {
    let forbidden = Forbidden::by("never touch b.txt and do not edit src/old/");
    let breaks = |tool, input: Value| forbidden.broken_by(&request(tool, input)).is_some();
    assert!(breaks(ToolName::Write, json!({ "path": "b.txt", "content": "" })));
    assert!(breaks(ToolName::Edit, json!({ "path": "./b.txt", "old": "a", "new": "b" })));
    assert!(breaks(ToolName::Write, json!({ "path": "src/old/deep/x.py", "content": "" })));
    assert!(breaks(ToolName::Shell, json!({ "command": "rm -f b.txt" })));
    assert!(breaks(ToolName::Shell, json!({ "command": "echo x>b.txt" })));
    assert!(breaks(ToolName::Shell, json!({ "command": "cd src && sed -i s/a/b/ ../b.txt" })));
    assert!(!breaks(ToolName::Read, json!({ "path": "b.txt" })));
    assert!(!breaks(ToolName::Shell, json!({ "command": "cat b.txt | wc -l" })));
    assert!(!breaks(ToolName::Write, json!({ "path": "c.txt", "content": "b.txt" })));
    let shell = Forbidden::by("do not use the shell");
    assert!(shell.broken_by(&request(ToolName::Shell, json!({ "command": "ls" }))).is_some());
}

#[test]
fn a_name_covers_what_lies_below_it_and_what_its_stars_stand_for() {
    for (name, file, expected) in [
        ("b.txt", "b.txt", true),
        ("b.txt", "./b.txt", true),
        ("b.txt", "deep/b.txt", true),
        ("src/b.txt", "src/./b.txt", true),
        ("src/b.txt", "src//b.txt", true),
        ("src/b.txt", "src/../src/b.txt", true),
        ("./src/b.txt", "in/../src/b.txt", true),
        ("src/b.txt", "b.txt", false),
        ("Makefile", "lib/Makefile", true),
        ("README", "README.md", true),
        ("README", "READMES", false),
        ("b.txt", "b.txt.bak", false),
        ("src/old/", "src/old/deep/x.py", true),
        ("src/old/", "src/older/x.py", false),
        ("docs/", "docs", true),
        ("docs/", "site/docs/index.md", true),
        ("*.md", "README.md", true),
        ("*.md", "docs/a.md", true),
        ("*.md", "a.mdx", false),
        ("tests/*", "tests/a/b.py", true),
        ("test_*.py", "in/test_é_x.py", true),
        ("test_*.py", "in/tes.py", false),
    ] {
        assert_eq!(covers(name, file), expected, "{name} {file}");
    }
}

#[test]
fn a_plan_that_does_what_is_forbidden_is_no_plan() {
    let banned = MustNot::default().and(&Forbidden::by("never touch b.txt"));
    let target = Banned::Target { target: "b.txt".to_owned() };
    assert_eq!(banned.bans, [Ban { what: target, source: BanSource::Person, says: Vec::new() }]);
    let reads = |answer: Value| read(&answer.to_string(), &banned, &PlanLimits::default()).is_ok();
    assert!(!reads(answer("remove b.txt")));
    let with = |tools: Value, check: Value| {
        let mut answer = answer("sort it");
        answer["subtasks"][0]["tools"] = tools;
        answer["task_criteria"] = json!([{ "text": "b.txt is as it was", "check": check }]);
        answer
    };
    let guard = json!({ "file": "b.txt", "contains": "as it was" });
    assert!(reads(with(json!([{ "tool": "read", "target": "b.txt" }]), guard.clone())));
    assert!(!reads(with(json!([{ "tool": "write", "target": "b.txt" }]), guard)));
}

/// A sentence in the middle of long words was in no prompt, and nobody was told.
#[test]
fn what_forbids_is_shown_however_long_the_words_are() {
    let filler = "The reports of every month are kept with their sums. ".repeat(200);
    let words = format!("Write out.txt. {filler}You must not touch b.txt. Never add a dependency. {filler}");
    let prompt = query_words(&words).user;
    for forbidding in ["use \"b.txt\" as an input (person)", "| You must not touch b.txt.", "| Never add a dependency."]
    {
        assert!(prompt.contains(forbidding), "{forbidding}\n{prompt}");
    }
}
