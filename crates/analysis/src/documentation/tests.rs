//! Snippets, wishes for comments, comments that help nobody.

use serde_json::{Value, json};

use super::*;
use crate::testing::{edit, id, session, with, write};

fn of(steps: &[Value]) -> Documentation {
    analyse(&session(steps), &Settings::default())
}

fn wishes(file: &str, code: &str) -> Vec<(usize, usize, Share, String)> {
    let found = of(&[write(file, code)]).snippets_needing_comments;
    let wish = |wish: Wanting| (wish.location.start_line, wish.location.end_line, wish.confidence, wish.reason);
    found.into_iter().map(wish).collect()
}

const BRANCHES: &str = "if a {\n  b();\n} else if c {\n  if d && e {\n    f();\n  }\n  for g in h {\n    if i || j {\n      if l {\n        k();\n      }\n    }\n  }\n}";

/// AFS 5.2.8: pieces between blank lines, none over 30 lines.
#[test]
fn code_is_read_in_pieces_between_blank_lines() {
    let code = format!("a();\n\n\nb();\nc();\n\n{}", "d();\n".repeat(61));
    assert_eq!(of(&[write("a.rs", &code)]).snippets_analyzed, 5);
    let short = with(&DOCUMENTATION_LINES, json!(10));
    assert_eq!(analyse(&session(&[write("a.rs", &code)]), &short).snippets_analyzed, 9);
    assert_eq!(of(&[write("a.txt", "a\n\nb")]).snippets_analyzed, 0);
}

/// AFS 5.2.8: complexity, numbers, conditions.
#[test]
fn what_speaks_for_a_comment_is_named() {
    let cases = [
        ("src/a.rs", BRANCHES.to_owned(), "8 branches"),
        (
            "src/a.rs",
            "let a = b * 37;\nlet c = a % 86_400 + 9;\nlet d = c / 255 - 77;\n".to_owned(),
            "numbers without a name",
        ),
        ("src/a.py", "if a and b or c and d:\n    e()\n    f()\n".to_owned(), "a condition of many parts"),
        (
            "src/a.py",
            "a = re.compile(r'^(\\w+)\\s*=\\s*[\"(](.*?)[)]$')\nb()\nc()\n".to_owned(),
            "a regular expression",
        ),
        ("src/a.c", "a = (b << 3) | (c >> 5);\nd = a & 0xff;\ne();\n".to_owned(), "arithmetic on bits"),
        ("src/a.go", format!("func Read(name string) {{\n{}}}", "\ta()\n".repeat(10)), "says nothing of what it does"),
    ];
    for (file, code, reason) in cases {
        let found = wishes(file, &code);
        assert!(found.iter().any(|(.., text)| text.contains(reason)), "{code}: {found:?}");
    }
}

#[test]
fn plain_code_and_code_with_a_comment_want_none() {
    assert_eq!(wishes("src/a.rs", "let a = 1;\nlet b = 2;\nlet c = 3;\n"), []);
    assert_eq!(wishes("src/a.rs", &format!("// Why it is so.\n{BRANCHES}")), []);
    assert_eq!(wishes("src/a_test.rs", BRANCHES), []);
}

/// AFS 5.2.8: `min_precision`.
#[test]
fn what_is_less_sure_than_the_precision_is_only_counted() {
    let sure = with(&DOCUMENTATION_PRECISION, json!(0.9));
    let found = analyse(&session(&[write("src/a.rs", BRANCHES)]), &sure);
    assert_eq!((found.snippets_needing_comments, found.below_precision), (Vec::new(), 1));
}

fn issues(step: Value) -> Vec<(Issue, usize, EntryId)> {
    of(&[step]).existing_comment_issues.into_iter().map(|poor| (poor.issue, poor.location.line, poor.entry)).collect()
}

/// AFS 5.2.8: outdated, unclear, wrong location, too verbose.
#[test]
fn comments_that_help_nobody_are_named() {
    assert_eq!(
        issues(write("a.py", "x()\n# increment the counter\ncounter.increment()\n")),
        [(Issue::Unclear, 2, id(1))]
    );
    let old = "// calls load_users twice\nload_users();\n";
    let new = "// calls load_users twice\nfetch_all();\n";
    assert_eq!(issues(edit("a.rs", old, new)), [(Issue::Outdated, 1, id(1))]);
    let behind = "fn a() {\n    b();\n    // the parser is ready after this\n}\n";
    assert_eq!(issues(write("a.rs", behind)), [(Issue::WrongLocation, 3, id(1))]);
    let long = format!("x();\n{}y();\n", "// and then it goes on about something else\n".repeat(13));
    assert_eq!(issues(write("a.rs", &long)), [(Issue::TooVerbose, 2, id(1))]);
}

#[test]
fn comments_that_help_are_left_alone() {
    for code in
        ["x();\n// Retried: the server closes idle connections.\ncall();\n", "// eslint-disable-next-line\ncall();\n"]
    {
        assert_eq!(issues(write("a.js", code)), [], "{code}");
    }
}

#[test]
fn each_look_can_be_switched_off() {
    let none = json!({ "missing_comments": false, "comment_quality": false, "comment_placement": false });
    let steps = [write("src/a.rs", &format!("{BRANCHES}\n\n// read the file\nread_file();\n"))];
    let found = analyse(&session(&steps), &with(&DOCUMENTATION_ANALYZE, none));
    assert_eq!((found.snippets_needing_comments.len(), found.existing_comment_issues.len()), (0, 0));
    let found = of(&steps);
    assert_eq!((found.snippets_needing_comments.len(), found.existing_comment_issues.len()), (1, 1));
}
