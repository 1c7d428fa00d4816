//! Rules, thresholds and filters of review.

use serde_json::{Value, json};

use super::filters::{Filters, Reason};
use super::rules::{TABLE, remarks};
use super::*;
use crate::edit::Before;
use crate::testing::{call, edit, id, said, session, with, write};

fn texts(file: &str, new: &str) -> Vec<&'static str> {
    let edit =
        Edit { file: file.into(), old: String::new(), new: new.into(), first_line: None, before: Before::Unknown };
    remarks(&edit, &edit.lines()).into_iter().map(|remark| remark.text).collect()
}

fn of(steps: &[Value]) -> Reviewed {
    analyse(&session(steps), &Settings::default())
}

/// AFS 5.2.7: rules of every category.
#[test]
fn every_rule_hits_what_it_says_and_misses_what_only_looks_like_it() {
    for rule in &TABLE.rules {
        let ending = TABLE.ending(rule);
        let files = [format!("a.{ending}"), format!("tests/a.{ending}")];
        let has = |code: &str| files.iter().any(|file| texts(file, code).contains(&&*rule.text));
        assert!(!rule.hits.is_empty(), "{}: no example", rule.text);
        rule.hits.iter().for_each(|code| assert!(has(code), "{}: {code}", rule.text));
        rule.misses.iter().for_each(|code| assert!(!has(code), "{}: {code}", rule.text));
    }
}

#[test]
fn several_lines_are_judged_together() {
    for (file, code, text) in [
        ("a.py", "try:\n    a()\nexcept ValueError:\n    pass", "an error is caught and lost"),
        ("a.js", "// let a = 1;\n// return b;\n// c(d);", "code in comments: the history keeps what was"),
    ] {
        assert!(texts(file, code).contains(&text), "{code}: {:?}", texts(file, code));
    }
}

#[test]
fn what_only_looks_like_it_is_left_alone() {
    for (file, code) in [
        ("a.md", "let a = b.unwrap();"),
        ("tests/a.rs", "let a = b.unwrap();"),
        ("a.rs", "// SAFETY: nobody else has it\nunsafe { bake() }"),
    ] {
        assert_eq!(texts(file, code), [] as [&str; 0], "{code}");
    }
}

#[test]
fn a_patch_of_several_places_is_one_edit() {
    let patch = "*** Begin Patch\n*** Update File: a.py\n@@\n x\n+y\n@@\n-p\n+q\n+r\n*** End Patch";
    let reviewed = of(&[call("apply_patch", json!({ "input": patch }), "")]);
    assert_eq!((reviewed.edits, reviewed.lines), (1, 3));
}

#[test]
fn a_comment_cites_its_edit_and_its_line() {
    let reviewed = of(&[write("src/a.py", "x = 1\ntry:\n    a()\nexcept:\n    raise\n")]);
    let comment = &reviewed.comments[0];
    let location =
        FileLocation { file: "src/a.py".into(), line: Some(4), line_of: LineOf::File, snippet: Some("except:".into()) };
    assert_eq!((comment.entry, &comment.location, comment.automatable), (id(1), &location, true));
    assert_eq!((reviewed.edits, reviewed.lines), (1, 5));
}

#[test]
fn blocks_that_aider_writes_are_read() {
    let text = "Sure:\n\na.py\n```\n<<<<<<< SEARCH\nx\n=======\nexcept:\n>>>>>>> REPLACE\n```";
    let carried_out = call("edit", json!({ "path": "a.py" }), "");
    let reviewed = of(&[said(text), carried_out]);
    assert_eq!((reviewed.edits, reviewed.lines, reviewed.comments[0].entry), (1, 1, id(2)));
    assert_eq!(of(&[said(text)]).edits, 0, "nobody carried it out");
    assert_eq!(reviewed.comments.iter().map(|comment| comment.location.line_of).collect::<Vec<_>>(), [LineOf::Edit]);
}

/// AFS 5.2.7: filters, each on by default.
#[test]
fn every_filter_leaves_out_what_it_is_for() {
    let edit = Edit {
        file: "a.py".into(),
        old: "kept".into(),
        new: "kept\nnew".into(),
        first_line: None,
        before: Before::There,
    };
    let lines = edit.lines();
    let remark = |at: Option<usize>, fix: Option<&str>, fix_at: Option<usize>| rules::Remark {
        category: Category::BestPractices,
        severity: Severity::Minor,
        confidence: Share::WHOLE,
        at,
        fix: fix.map(str::to_owned),
        fix_at,
        text: "",
        url: None,
        automatable: true,
    };
    let cases = [
        (remark(Some(1), None, None), None),
        (remark(Some(1), Some("better"), Some(6)), None),
        (remark(Some(1), Some("better"), Some(7)), Some(Reason::TooFar)),
        (remark(Some(0), None, None), Some(Reason::Unchanged)),
        (remark(None, None, None), Some(Reason::FileLevel)),
        (remark(Some(1), Some("# TODO: better"), None), Some(Reason::PromisesLater)),
        (remark(Some(1), Some(" \n"), None), Some(Reason::OnlyDeletes)),
    ];
    let off = Filters {
        max_lines_from_comment: usize::MAX,
        reject_todo_additions: false,
        reject_delete_only: false,
        reject_unchanged_lines: false,
        reject_file_level_comments: false,
    };
    for (remark, reason) in cases {
        assert_eq!(Filters::default().reject(&remark, &lines), reason, "{remark:?}");
        assert_eq!(off.reject(&remark, &lines), None);
    }
    let defaults = json!({"max_lines_from_comment": 5, "reject_todo_additions": true, "reject_delete_only": true,
        "reject_unchanged_lines": true, "reject_file_level_comments": true});
    assert_eq!(serde_json::to_value(Filters::default()).expect("JSON"), defaults);
}

/// AFS 5.2.7: thresholds by category, categories that are off, style nits.
#[test]
fn a_category_has_its_own_threshold_and_switch() {
    let steps = [write("a.py", "try:\n    a()\nexcept:\n    raise  \n")];
    let count = |settings: &Settings| {
        let reviewed = analyse(&session(&steps), settings);
        (reviewed.comments.len(), reviewed.left_out)
    };
    assert_eq!(count(&Settings::default()), (1, [(Reason::SwitchedOff, 1)].into()), "white space is a nit");
    assert_eq!(count(&with(&REVIEW_NITS, json!(true))), (2, [].into()));
    let sure = with(&REVIEW_THRESHOLDS, json!({ "best_practices": 0.95 }));
    assert_eq!(count(&sure).1[&Reason::BelowThreshold], 1);
    let off = with(&REVIEW_CATEGORIES, json!({ "best_practices": false }));
    assert_eq!(count(&off), (0, [(Reason::SwitchedOff, 2)].into()));
}

/// AFS 5.2.7: priorities.
#[test]
fn categories_have_the_priorities_of_the_document() {
    let priorities: Vec<_> = Category::ALL.iter().map(|category| category.priority()).collect();
    assert_eq!(priorities, ["low", "medium", "medium", "high", "high", "high"]);
}

#[test]
fn only_changed_lines_are_commented_on() {
    let reviewed = of(&[edit("a.py", "except:\nx", "except:\ny")]);
    assert_eq!((reviewed.edits, reviewed.lines), (1, 1));
    assert_eq!((reviewed.comments.len(), reviewed.left_out), (0, [(Reason::Unchanged, 1)].into()));
}

/// What is over the limit is counted, and is what matters least.
#[test]
fn comments_over_the_limit_are_the_mildest_and_are_counted() {
    let mild = "a()  # type: ignore\n".repeat(MOST_COMMENTS + 3);
    let steps = [write("a.py", &mild), write("b.py", "eval(text)\n")];
    let (all, of_last) = (of(&steps), of(&steps[1..]).comments.len());
    let kept = all.comments.iter().filter(|comment| comment.location.file.ends_with("b.py")).count();
    assert_eq!((all.comments.len(), kept), (MOST_COMMENTS, of_last));
    assert!(of_last > 0 && all.left_out[&Reason::OverTheLimit] == 3 + of_last, "{of_last}");
}
