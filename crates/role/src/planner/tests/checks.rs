//! Criteria that code can check, and checks that are none.

#![expect(clippy::needless_pass_by_value, reason = "`json!` reads best where it is made")]

use serde_json::{Value, json};

use super::super::{check_problem, read};
use super::{answer, nothing, read_plain};
use crate::plan::{Criterion, CriterionCheck};
use crate::planner::PlanLimits;

fn with(criterion: Value) -> Value {
    let mut answer = answer("sort it");
    answer["subtasks"][0]["success_criteria"] = json!([criterion]);
    answer
}

fn read_one(criterion: Value) -> Criterion {
    let plan = read_plain(&with(criterion)).unwrap_or_else(|bad| panic!("{bad}"));
    plan.subtasks[0].success_criteria[0].clone()
}

fn problem_of(check: Value) -> String {
    let answer = with(json!({"text": "x", "check": check}));
    let problem = read_plain(&answer).expect_err("it is no check").to_string();
    problem.replace("the answer's subtasks.0.success_criteria.0.check.", "")
}

fn own(text: &str) -> String {
    text.to_owned()
}

#[test]
fn a_check_has_one_of_five_forms() {
    let contains = || CriterionCheck::FileContains { file: own("a.txt"), contains: own(" x\n") };
    for (check, expected) in [
        (
            json!({"run": "cargo test", "expect_exit": 101}),
            CriterionCheck::Run { run: own("cargo test"), expect_exit: 101 },
        ),
        (json!({"run": "cargo test"}), CriterionCheck::Run { run: own("cargo test"), expect_exit: 0 }),
        (json!({"file": "a.txt", "contains": " x\n"}), contains()),
        (json!({"file": "a.txt", "contains": " x\n", "absent": false}), contains()),
        (json!({"file": "a.txt", "contains": " x\n", "matches": null, "run": null}), contains()),
        (
            json!({"file": "src/é.rs", "matches": r"^fn \p{L}+$"}),
            CriterionCheck::FileMatches { file: own("src/é.rs"), matches: own(r"^fn \p{L}+$") },
        ),
        (
            json!({"file": "a.txt", "matches": r"^\s*$"}),
            CriterionCheck::FileMatches { file: own("a.txt"), matches: own(r"^\s*$") },
        ),
        (json!({"file": "a.txt", "contains": " x\n", "matches": "", "absent": false}), contains()),
        (json!({"file": "a.txt", "absent": true}), CriterionCheck::FileAbsent { file: own("a.txt"), absent: true }),
        (
            json!({"file": ".github/x", "absent": "false"}),
            CriterionCheck::FileAbsent { file: own(".github/x"), absent: false },
        ),
        (
            json!({"file": "./a.txt", "absent": false}),
            CriterionCheck::FileAbsent { file: own("./a.txt"), absent: false },
        ),
        (
            json!({"command_output": "wc -l a.txt", "matches": "^3 "}),
            CriterionCheck::OutputMatches { command_output: own("wc -l a.txt"), matches: own("^3 ") },
        ),
    ] {
        let given = read_one(json!({"text": "x", "check": check}));
        assert_eq!(given, Criterion { text: own("x"), check: Some(expected) }, "{check}");
    }
}

#[test]
fn criteria_are_read_however_a_model_writes_them() {
    let there = || Some(CriterionCheck::FileAbsent { file: own("a.txt"), absent: false });
    for (criterion, expected) in [
        (json!("it is sorted"), Criterion { text: own("it is sorted"), check: None }),
        (json!({"text": "x"}), Criterion { text: own("x"), check: None }),
        (json!({"text": "x", "check": null}), Criterion { text: own("x"), check: None }),
        (json!({"text": "x", "file": "a.txt", "absent": false}), Criterion { text: own("x"), check: there() }),
        (
            json!({"check": {"file": "a.txt", "absent": false}}),
            Criterion { text: own("`a.txt` is there"), check: there() },
        ),
        (
            json!({"run": "make test"}),
            Criterion {
                text: own("`make test` ends with exit code 0"),
                check: Some(CriterionCheck::Run { run: own("make test"), expect_exit: 0 }),
            },
        ),
    ] {
        assert_eq!(read_one(criterion.clone()), expected, "{criterion}");
    }
}

/// It would be passed for less than the criterion says.
#[test]
fn a_check_that_says_nothing_is_none_and_the_criterion_is_plausible() {
    for check in [
        json!({}),
        json!({"file": "a.txt"}),
        json!({"file": "a.txt", "count": "0"}),
        json!({"file": "a.txt", "matches": ""}),
        json!({"file": "a.txt", "contains": " "}),
        json!({"command_output": "ls"}),
        json!({"command_output": "ls", "matches": " "}),
        json!({"run": ""}),
        json!({"contains": "x"}),
        json!({"expect_exit": 0}),
    ] {
        assert_eq!(
            read_one(json!({"text": "x", "check": check})),
            Criterion { text: own("x"), check: None },
            "{check}"
        );
    }
}

#[test]
fn a_check_stays_in_the_workspace() {
    for file in ["/etc/passwd", "~/x", "$HOME/x", "%TEMP%\\x", "C:\\x", "c:x", "\\\\host\\x", "file:///etc/passwd"] {
        assert_eq!(
            problem_of(json!({"file": file, "absent": true})),
            "file is no path relative to the workspace",
            "{file}"
        );
    }
    for file in ["..", "../x", "a/../../x", "a/..", "a\\..\\b", "a/../b"] {
        assert_eq!(problem_of(json!({"file": file, "contains": "x"})), "file leads out of the workspace", "{file}");
    }
    for file in ["a\nb", "src/*.rs"] {
        assert_eq!(problem_of(json!({"file": file, "absent": true})), "file is no path of one file", "{file}");
    }
    for file in [".", "./", "././/"] {
        assert_eq!(problem_of(json!({"file": file, "absent": true})), "file names no file", "{file}");
    }
    assert_eq!(problem_of(json!({"file": "x".repeat(401), "absent": true})), "file is longer than 400 characters");
}

#[test]
fn a_check_that_could_not_fail_is_none() {
    let idle = "proves nothing: it ends the same whatever was done";
    for run in [
        "true", ":", "echo done", "exit 0", "false", "make test || true", "make test; true", "make test; echo ok",
        "X=1", "bash -c true",
    ] {
        assert_eq!(problem_of(json!({"run": run})), format!("run {idle}"), "{run}");
    }
    for run in ["make test && echo ok", "test -f a.txt", "! grep -q x a.txt", "diff a b", "python3 check.py"] {
        assert!(read_plain(&with(json!({"run": run}))).is_ok(), "{run}");
    }
    let output = |line: &str| json!({"command_output": line, "matches": "done"});
    assert_eq!(problem_of(output("echo done")), format!("command_output {idle}"));
    assert!(read_plain(&with(output("cat a.txt; echo"))).is_ok());
    for matches in [".*", "x?", "(?s)^.*$", "|x", "^", r"[\s\S]*", "(a|b)*"] {
        assert_eq!(problem_of(json!({"file": "a", "matches": matches})), "matches fits every text", "{matches}");
    }
    for matches in ["^[^x]*$", r"^\s*$", "^$", "x"] {
        assert!(read_plain(&with(json!({"file": "a", "matches": matches}))).is_ok(), "{matches}");
    }
}

#[test]
fn a_check_only_looks() {
    for (run, effect) in [
        ("rm -rf src", "files-removed"),
        ("git push --force origin main", "history-rewritten"),
        ("npm publish", "published"),
        ("make test; rm -rf ~/x", "files-removed"),
    ] {
        let expected = format!("does what is hard to undo ({effect}); a check only looks");
        assert_eq!(problem_of(json!({"run": run})), format!("run {expected}"), "{run}");
        let output = json!({"command_output": run, "matches": "x"});
        assert_eq!(problem_of(output), format!("command_output {expected}"), "{run}");
    }
}

#[test]
fn expressions_compile_or_say_why_not() {
    let problem = |matches: &str| problem_of(json!({"file": "a", "matches": matches}));
    assert_eq!(problem("a("), "matches is no expression that can be used: error: unclosed group");
    assert!(problem("(?=x)").contains("look-around"), "{}", problem("(?=x)"));
    assert!(problem(&format!("{}x{}", "(".repeat(5_000), ")".repeat(5_000))).contains("longer than 4000"));
    assert!(problem(&format!("{}x{}", "(".repeat(1_000), ")".repeat(1_000))).contains("nest"));
    assert!(problem("((x{1000}){1000}){1000}").contains("size limit"));
    assert!(problem(r"\p{Nonsense}").contains("Unicode property"));
}

#[test]
fn a_check_does_not_do_the_work_itself() {
    for (line, program) in [
        ("sed -i s/a/b/ a.txt", "sed"),
        ("cat a.txt > b.txt", "cat"),
        ("cp a b && cat b", "cp"),
        ("grep x a | tee b", "tee"),
        ("touch done", "touch"),
    ] {
        assert_eq!(
            check_problem(line),
            Some(format!("changes files itself (`{program}`); a check only looks")),
            "{line}"
        );
    }
    for line in ["cargo test 2>&1", "python3 a.py > /tmp/out && diff /tmp/out b", "make test", "test -s a.txt"] {
        assert_eq!(check_problem(line), None, "{line}");
    }
}

/// Forms that do the work, and forms that end well whatever was done.
#[test]
fn a_person_is_told_what_of_their_checks_is_none() {
    for line in [
        "sed -n 'w d.txt' a.txt", "sed -n '/x/w d.txt' a", "uniq a b", "sort -uo b a", "sort --output=b a", "split a",
        "git stash", "git apply x.patch", "git -C sub checkout a", "patch -p1 < x", "tar xf a.tar", "tar -xzf a.tgz",
        "tar --extract -f a", "gzip -k a", "xargs touch < files", "ls | xargs rm", "test -s d || ! dd if=a of=d",
    ] {
        let problem = check_problem(line).unwrap_or_default();
        assert!(problem.contains("changes files itself") || problem.contains("hard to undo"), "{line}: {problem}");
    }
    for line in [
        "grep -q x a & wait",
        "grep -q x a &",
        "if grep -q x a; then true; fi",
        "if grep -q x a; then echo ok; fi",
        "if test -e a && grep -q x a; then :; else true; fi",
        "test 1 = 1",
        "[ a != b ]",
        "[[ x == x ]]",
        "grep -q x a || test 1 = 1",
        "grep -q x a || [ -n x ]",
        "pytest -q | tail -5",
        "cargo test 2>&1 | cat",
        "true || grep -q x a",
        "trap 'exit 0' EXIT; grep -q x a",
        "grep -q x a; test -z ''",
    ] {
        let problem = check_problem(line).unwrap_or_default();
        assert!(problem.contains("proves nothing"), "{line}: {problem}");
    }
    for line in [
        "cargo test",
        "make check && ./x --version",
        "! grep -q x a",
        "test -z \"$(git status --porcelain)\"",
        "test \"$(wc -l < a)\" = 3",
        "[ -f a ] && [ ! -e b ]",
        "git diff --exit-code",
        "git apply --check x.patch",
        "git stash list | grep -q x",
        "sort -c a",
        "sort a | uniq -d | grep -q x",
        "uniq a",
        "gzip -t a.gz",
        "tar tf a.tar | grep -q x",
        "sed -n 3p a | grep -q x",
        "sed -n '/world/p' a | grep .",
        "zcat a.gz | grep -q x",
        "if grep -q x a; then pytest; fi",
        "for f in *.py; do python3 -m py_compile $f || exit 1; done",
        "server & pid=$!; ./probe && kill $pid",
        "pytest -q | grep -q passed",
        "dd if=a of=/dev/null",
        "npm test",
        "test 3 -lt $(wc -l < a)",
        "test a -nt b",
    ] {
        assert_eq!(check_problem(line), None, "{line}");
    }
}

#[test]
fn one_criterion_has_one_check() {
    let one = "is one check too many; one criterion has one check";
    for (check, field) in [
        (json!({"run": "make test", "file": "a"}), "file"),
        (json!({"run": "make test", "command_output": "ls", "matches": "x"}), "command_output"),
        (json!({"file": "a", "contains": "x", "matches": "y"}), "matches"),
        (json!({"file": "a", "contains": "x", "absent": true}), "absent"),
    ] {
        assert_eq!(problem_of(check), format!("{field} {one}"));
    }
    for (check, problem) in [
        (json!({"run": "make test", "expect_exit": 256}), "expect_exit is no exit code, 0 to 255"),
        (json!({"run": "make test", "expect_exit": -1}), "expect_exit is no exit code, 0 to 255"),
        (json!({"run": "make test", "expect_exit": "zero"}), "expect_exit is no whole number"),
        (json!({"run": ["make", "test"]}), "run is a list, no text"),
        (json!({"file": "a", "contains": 7}), "contains is a number, no text"),
        (json!({"file": "a", "absent": "perhaps"}), "absent is neither true nor false"),
    ] {
        assert_eq!(problem_of(check), problem);
    }
    let raw = with(json!({"text": "x", "check": "make test"})).to_string();
    let problem = read(&raw, &nothing(), &PlanLimits::default()).expect_err("no check").to_string();
    assert_eq!(problem, "the answer's subtasks.0.success_criteria.0.check is a text, no object");
}
