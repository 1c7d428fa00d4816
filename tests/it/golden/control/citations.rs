//! What texts cite of files, as code found it: each reason and outcome, what comes of it later, and issues that pay.

use serde_json::{Value, json};

use super::{Step, add, forced, id, mark, on, on_with, open, open_with, seen, set, support, with};

const TRIGGERS: [&str; 7] = [
    "answer-to-question", "support-proposal", "resolve-conflict", "verify-continuity", "challenge-consensus",
    "canon-gap-search", "unprompted",
];
const OUTCOMES: [&str; 9] = [
    "informed-decision", "led-to-file-change", "resolved-issue", "prevented-error", "identified-canon-gap",
    "established-new-canon", "prevented-user-conflict", "no-action-yet", "no-action",
];

/// A citation as code found it: a path, and how alike the quote is, in thousandths; 0 where there is no such file.
type Found<'f> = (&'f str, u32);

fn checked(found: &[Found<'_>]) -> Value {
    let checked = |(path, alike): &Found<'_>| {
        let mut checked = json!({ "path": path, "exists": *alike > 0, "lines_valid": *alike > 0 });
        if *alike > 0 {
            checked["similarity"] = json!(alike);
            checked["sha256"] = json!(annals::kernel::json::sha256_hex(path.trim_end_matches(".copy").as_bytes()));
        }
        checked
    };
    json!({ "evidence": found.iter().map(checked).collect::<Vec<_>>() })
}

fn files(found: &[Found<'_>]) -> Value {
    let files = found
        .iter()
        .map(|(path, _)| json!({ "path": path, "lines": { "start": 1, "end": 3 }, "quote": "so it stands there" }));
    json!({ "files": files.collect::<Vec<_>>() })
}

fn cite(actor: &'static str, title: &str, citation: &Value, found: &[Found<'_>]) -> Step {
    let answers = json!({ "trigger_ref": id(title) });
    let citation = if citation["trigger"].is_string() { with(answers, citation.clone()) } else { citation.clone() };
    let fields = json!({ "issue": id(title), "body": super::REASONS, "evidence": files(found), "citation": citation });
    seen(actor, "issues.comment.add", fields, checked(found))
}

fn resolve_citing(actor: &'static str, title: &str, found: &[Found<'_>]) -> Step {
    let fields = json!({ "issue": id(title), "note": "As the files have it.", "evidence": files(found) });
    seen(actor, "issues.issue.resolve", with(fields, json!({ "force": "decided" })), checked(found))
}

/// Each reason and each outcome that an author may name, with findings of every kind.
pub fn judged() -> Vec<Step> {
    let because = |trigger: &str| json!({ "trigger": trigger });
    let mut steps = vec![
        add("gina", "writer", json!({ "model": "model-3" })),
        set(json!({
            "sanity.max_comments_per_agent_per_issue": 50, "sanity.max_consecutive_same_agent_pair": 50,
            "sanity.max_total_comments_per_issue": 50,
        })),
        open("anna", "Reasons to look"),
        open("anna", "What came of it"),
        open("anna", "False and doubled"),
    ];
    for (number, trigger) in TRIGGERS.iter().enumerate() {
        let (plain, exact) = (format!("src/{number}.rs"), format!("src/{number}-exact.rs"));
        steps.push(cite("gina", "Reasons to look", &because(trigger), &[(&plain, 900), (&exact, 1000)]));
    }
    for (number, outcome) in OUTCOMES.iter().enumerate() {
        let citation = json!({ "trigger": "resolve-conflict", "outcome": outcome });
        steps.push(cite("gina", "What came of it", &citation, &[(&format!("doc/{number}.md"), 951)]));
    }
    let conflict = because("resolve-conflict");
    let six: Vec<_> = ["a", "b", "c", "d", "e", "f"].map(|name| (name, 801)).into();
    steps.extend([
        cite("gina", "False and doubled", &json!({}), &[("src/none.rs", 0)]),
        cite("gina", "False and doubled", &conflict, &[("src/x.rs", 800), ("src/y.rs", 801), ("src/z.rs", 950)]),
        cite("gina", "False and doubled", &conflict, &[("src/y.rs", 1000), ("src/y.rs.copy", 1000)]),
        cite("gina", "False and doubled", &conflict, &[("src/w.rs", 900), ("src/w.rs.copy", 900), ("src/v.rs", 0)]),
        cite(
            "gina",
            "False and doubled",
            &with(conflict.clone(), json!({ "triggered_by": "gina" })),
            &[("src/u.rs", 900)],
        ),
        cite(
            "gina",
            "False and doubled",
            &with(conflict.clone(), json!({ "triggered_by": "anna" })),
            &[("src/t.rs", 900)],
        ),
        cite("gina", "False and doubled", &conflict, &six),
        cite("user", "False and doubled", &conflict, &[("src/t.rs", 900)]),
        set(json!({ "credits.triggers": { "resolve-conflict": 4000 }, "credits.outcomes": { "no-action": 500 } })),
        cite("gina", "False and doubled", &with(conflict, json!({ "outcome": "no-action" })), &[("src/s.rs", 900)]),
        cite("gina", "False and doubled", &because("support-proposal"), &[("src/r.rs", 900)]),
        set(json!({ "credits.triggers": null, "credits.outcomes": null })),
    ]);
    steps
}

/// What waited is worth more when something comes of it.
pub fn upgraded() -> Vec<Step> {
    let conflict = json!({ "trigger": "resolve-conflict" });
    let (one, two): (&[Found<'_>], &[Found<'_>]) = (&[("src/one.rs", 1000)], &[("src/two.rs", 900)]);
    let mut steps = Vec::new();
    for title in ["Resolved by another", "Resolved by itself", "Shared", "Changed", "Cited in the end"] {
        steps.extend([open("erik", title), cite("gina", title, &conflict, one), cite("anna", title, &conflict, two)]);
    }
    // What is canon for the first time fills a gap; a new version of it does not.
    for title in ["A first version", "A second version"] {
        let canon = json!({ "key": "founded", "title": title, "text": format!("{title}, as was found.") });
        steps.extend([open("erik", title), cite("gina", title, &conflict, one)]);
        steps.push(on_with("user", "canon.issue.promote", title, canon));
    }
    steps.extend([
        resolve_citing("mod", "Resolved by another", &[]),
        resolve_citing("mod", "Cited in the end", two),
        on("mod", "issues.issue.reopen", "Cited in the end"),
        resolve_citing("mod", "Cited in the end", one),
        cite("anna", "Shared", &conflict, &[("src/one.rs.copy", 1000)]),
        cite("lead", "Shared", &json!({}), &[("src/two.rs", 0)]),
        resolve_citing("lead", "Shared", &[]),
        cite("lead", "Resolved by itself", &conflict, &[("src/three.rs", 1000)]),
        resolve_citing(
            "lead",
            "Resolved by itself",
            &[("src/three.rs", 1000), ("src/four.rs", 1000), ("src/five.rs", 0)],
        ),
        mark("gina", "Changed", "applied"),
        mark("gina", "Changed", "irrelevant"),
        mark("user", "Changed", "applied"),
        mark("user", "Shared", "applied"),
        set(json!({
            "sanity.max_comments_per_agent_per_issue": null, "sanity.max_consecutive_same_agent_pair": null,
            "sanity.max_total_comments_per_issue": null,
        })),
    ]);
    steps
}

/// Issues that were unfrozen, applied, irrelevant or challenged, and pay for it once.
pub fn issues_that_pay() -> Vec<Step> {
    let freeze = |title| on_with("mod", "issues.issue.freeze", title, json!({ "reason": "calm down" }));
    let unfreeze = |actor, title| on_with(actor, "issues.issue.unfreeze", title, json!({ "guidance": "Go on." }));
    let mut steps = vec![open("anna", "Clean"), freeze("Clean"), unfreeze("mod", "Clean"), forced("Clean")];
    steps.extend([on("user", "issues.issue.reopen", "Clean"), forced("Clean")]);
    steps.extend([open("anna", "Frozen again"), freeze("Frozen again"), unfreeze("mod", "Frozen again")]);
    steps.extend([freeze("Frozen again"), forced("Frozen again")]);
    steps.extend([open("mod", "Unfrozen by its author"), freeze("Unfrozen by its author")]);
    steps.extend([unfreeze("mod", "Unfrozen by its author"), forced("Unfrozen by its author")]);
    steps.extend([
        open("erik", "Applied before"),
        mark("anna", "Applied before", "applied"),
        forced("Applied before"),
        open("erik", "Applied after"),
        forced("Applied after"),
        mark("erik", "Applied after", "applied"),
        mark("anna", "Applied after", "irrelevant"),
        mark("anna", "Applied after", "applied"),
        mark("anna", "Applied after", "irrelevant"),
        mark("user", "Applied after", "applied"),
        open("erik", "Of its author alone"),
        mark("anna", "Of its author alone", "applied"),
        on_with("erik", "issues.comment.add", "Of its author alone", json!({ "body": super::REASONS })),
        support("dora", "Of its author alone"),
        on_with("erik", "issues.issue.resolve", "Of its author alone", json!({ "note": "Done." })),
        open("erik", "Leech"),
        mark("anna", "Leech", "irrelevant"),
        mark("anna", "Leech", "applied"),
        mark("mod", "Leech", "irrelevant"),
        mark("mod", "Leech", "applied"),
        mark("user", "Leech", "irrelevant"),
        open("mod", "Own leech"),
        mark("mod", "Own leech", "irrelevant"),
        set(json!({ "sanity.max_comments_per_agent_per_issue": 1 })),
        open("user", "One each is all"),
        support("anna", "One each is all"),
        forced("One each is all"),
        set(json!({ "sanity.max_comments_per_agent_per_issue": null })),
    ]);
    steps.extend(heeded());
    steps
}

/// A devil's advocate that was heard, and some that were not.
fn heeded() -> Vec<Step> {
    let against = |title, found: &[Found<'_>]| {
        let evidence = json!({ "evidence": files(found), "stance": "oppose" });
        let fields = with(json!({ "issue": id(title), "body": super::REASONS }), evidence);
        seen("carl", "issues.comment.add", fields, checked(found))
    };
    let assign = |title| on_with("mod", "advocate.assignment.assign", title, json!({ "agent": "carl" }));
    vec![
        open_with("gina", "Heeded", json!({ "tags": ["plot"] })),
        assign("Heeded"),
        against("Heeded", &[("src/wrong.rs", 900)]),
        mark("carl", "Heeded", "applied"),
        mark("carl", "Heeded", "irrelevant"),
        mark("erik", "Heeded", "applied"),
        mark("erik", "Heeded", "irrelevant"),
        mark("user", "Heeded", "applied"),
        open("gina", "Said before"),
        against("Said before", &[("src/wrong.rs", 900)]),
        assign("Said before"),
        mark("erik", "Said before", "applied"),
        open("gina", "Without proof"),
        assign("Without proof"),
        against("Without proof", &[("src/none.rs", 0)]),
        mark("erik", "Without proof", "applied"),
    ]
}
