//! Issues: what they say, what becomes of them, how they hang together, and how they freeze and thaw.

use serde_json::{Value, json};

use super::{
    NOTHING, REASONS, Step, ask, forced, id, mark, on, on_with, open, open_with, resolve, resolve_with, say, say_with,
    seen, set, support, user, words,
};

/// Texts that are too short, too long or none.
pub fn texts() -> Vec<Step> {
    let titled = |title: &str| user("issues.issue.open", json!({ "title": title }));
    let mut steps: Vec<Step> = ["", "  ", "a\nb", "a\rb", "a\0b"].into_iter().map(titled).collect();
    steps.extend([titled(&"x".repeat(200)), titled(&"x".repeat(201)), titled(&format!(" {} ", "y".repeat(200)))]);
    let long = |length: usize| json!({ "body": "z".repeat(length) });
    steps.push(set(json!({ "issues.max_length": 600 })));
    let all = json!({
        "body": "What we know.", "assignee": "anna", "priority": "high", "tags": ["pacing", "#canon"],
        "related": [id("All is well")], "impact": "minor", "source": "beads:bd-1",
    });
    steps.extend([
        open_with("user", "Too long", long(601)),
        open_with("user", "Long", long(600)),
        open_with("user", "Related to nothing", json!({ "related": [NOTHING] })),
        open_with("anna", "First", all),
        open_with("anna", "Again", json!({ "source": "beads:bd-1" })),
        open_with("anna", "Second", json!({ "source": "beads:bd-2" })),
        words("anna", "First", "  "),
        words("anna", "First", &"word ".repeat(121)),
        on_with("anna", "issues.comment.add", "First", json!({ "body": REASONS, "evidence": { "issues": [NOTHING] } })),
        ask("anna", "issues.comment.add", json!({ "issue": NOTHING, "body": REASONS })),
        ask("anna", "issues.issue.read", json!({ "issue": NOTHING })),
        ask("anna", "issues.issue.close", json!({ "issue": NOTHING })),
    ]);
    steps
}

/// A text of so many characters, each word of which is another.
fn varied(length: usize) -> String {
    let words: Vec<String> = (0..length).map(|number| format!("z{number} ")).collect();
    words.concat()[..length].to_owned()
}

/// Each side of an issue is changed, and then is so already.
pub fn edits() -> Vec<Step> {
    let edit = |more: Value| on_with("anna", "issues.issue.edit", "First", more);
    let same = [
        json!({}),
        json!({ "title": "First" }),
        json!({ "assignee": "anna" }),
        json!({ "priority": "high" }),
        json!({ "tags": ["canon"] }),
        json!({ "untag": ["other"] }),
        json!({ "title": "" }),
        json!({ "body": varied(601) }),
        json!({ "tags": ["＃META"] }),
    ];
    let other = [
        json!({ "body": "What we know." }),
        json!({ "body": varied(600) }),
        json!({ "assignee": "erik" }),
        json!({ "assignee": "" }),
        json!({ "assignee": "" }),
        json!({ "priority": "low" }),
        json!({ "tags": ["plot", "canon"] }),
        json!({ "untag": ["#plot", "pacing"] }),
        json!({ "title": "First of all" }),
    ];
    let mut steps: Vec<Step> = same.into_iter().chain(other).map(edit).collect();
    steps.push(ask("anna", "issues.issue.edit", json!({ "issue": NOTHING, "title": "x" })));
    steps.push(on_with("erik", "issues.issue.edit", "First", json!({ "title": "Not his to say" })));
    steps.push(on_with("anna", "issues.issue.edit", "First", json!({ "title": "An URGENT, vital disaster" })));
    steps
}

/// From open to resolved and back, with the supporters on the way.
pub fn lives() -> Vec<Step> {
    let opposed = json!({ "stance": "oppose" });
    vec![
        open_with("anna", "Life", json!({ "impact": "cosmetic" })),
        on("erik", "issues.issue.start", "Life"),
        on("erik", "issues.issue.start", "Life"),
        resolve("anna", "Life"),
        support("anna", "Life"),
        support("erik", "Life"),
        say_with("dora", "Life", opposed),
        say_with("carl", "Life", json!({ "stance": "support", "evidence": { "issues": [id("Second")] } })),
        say_with(
            "dora",
            "Life",
            json!({ "stance": "support", "action": { "type": "escalated", "details": "to mod" } }),
        ),
        resolve_with("anna", "Life", json!({ "note": " " })),
        resolve_with("anna", "Life", json!({ "evidence": { "issues": [NOTHING] } })),
        resolve_with("anna", "Life", json!({ "force": "now" })),
        resolve("anna", "Life"),
        resolve("anna", "Life"),
        say("erik", "Life"),
        on("anna", "issues.issue.start", "Life"),
        on("anna", "issues.issue.close", "Life"),
        on_with("mod", "issues.issue.freeze", "Life", json!({ "reason": "too late" })),
        on("anna", "issues.issue.reopen", "Life"),
        on("anna", "issues.issue.reopen", "Life"),
        ask("anna", "issues.issue.reopen", json!({ "issue": NOTHING })),
        on("erik", "issues.issue.close", "Life"),
        on("mod", "issues.issue.close", "Life"),
        on("erik", "issues.issue.reopen", "Life"),
        on("anna", "issues.issue.close", "Life"),
        open("user", "Decided early"),
        resolve("user", "Decided early"),
        resolve_with("mod", "Decided early", json!({ "force": "it is clear" })),
        open("user", "Three turns"),
        say("erik", "Three turns"),
        resolve("dora", "Three turns"),
        say("carl", "Three turns"),
        resolve("dora", "Three turns"),
    ]
}

/// Links that lead in circles, and marks that nothing shows.
pub fn links_and_marks() -> Vec<Step> {
    let link = |from: &str, kind: &str, to: &str| {
        ask("anna", "issues.issue.link", json!({ "issue": id(from), "kind": kind, "to": id(to) }))
    };
    let unlink = |from: &str, kind: &str, to: &str| {
        ask("anna", "issues.issue.unlink", json!({ "issue": id(from), "kind": kind, "to": id(to) }))
    };
    let marked = |actor, usefulness: &str, observed: Value| {
        seen(actor, "issues.issue.mark", json!({ "issue": id("Second"), "usefulness": usefulness }), observed)
    };
    vec![
        open("user", "A"),
        open("user", "B"),
        open("user", "C"),
        ask("anna", "issues.issue.link", json!({ "issue": id("A"), "kind": "blocks", "to": NOTHING })),
        link("A", "blocks", "A"),
        link("A", "blocks", "B"),
        link("A", "blocks", "B"),
        link("B", "blocks", "C"),
        link("C", "blocks", "A"),
        link("C", "parent", "A"),
        link("A", "parent", "C"),
        link("A", "discovered-from", "B"),
        link("A", "related", "B"),
        link("B", "related", "A"),
        link("B", "related", "B"),
        unlink("B", "parent", "C"),
        unlink("B", "blocks", "C"),
        unlink("B", "blocks", "C"),
        link("C", "blocks", "A"),
        marked("anna", "applied", json!({})),
        marked("anna", "applied", json!({ "shown": "missing" })),
        marked("erik", "applied", json!({ "shown": "found" })),
        marked("dora", "applied", json!({ "shown": "found" })),
        marked("dora", "irrelevant", json!({})),
        marked("user", "irrelevant", json!({})),
        marked("user", "applied", json!({})),
        ask("anna", "issues.issue.mark", json!({ "issue": NOTHING, "usefulness": "applied" })),
    ]
}

const COOLDOWN: i64 = 30 * 60_000;
/// What passes with each step by itself.
const STEP: i64 = 1_001;

/// Three freezes: two of them end by themselves, to the millisecond; the last does not.
pub fn freezes() -> Vec<Step> {
    let freeze = |actor, reason: &str| on_with(actor, "issues.issue.freeze", "Cold", json!({ "reason": reason }));
    let unfreeze = |actor, text: &str| on_with(actor, "issues.issue.unfreeze", "Cold", json!({ "guidance": text }));
    // The step behind it comes at the very end of the freeze, the one after it is the first that is past it.
    let until_its_end = || Step::Wait(COOLDOWN - 2 * STEP);
    vec![
        open("anna", "Cold"),
        on_with("mod", "issues.issue.unfreeze", "Cold", json!({ "guidance": "Slowly." })),
        ask("mod", "issues.issue.freeze", json!({ "issue": NOTHING, "reason": "x" })),
        ask("mod", "issues.issue.unfreeze", json!({ "issue": NOTHING, "guidance": "x" })),
        freeze("anna", "I am tired"),
        freeze("mod", "going in circles"),
        until_its_end(),
        freeze("mod", "still"),
        say("anna", "Cold"),
        on_with("anna", "issues.issue.edit", "Cold", json!({ "title": "Cold" })),
        freeze("user", "again"),
        say("erik", "Cold"),
        say("mod", "Cold"),
        on_with("user", "issues.issue.edit", "Cold", json!({ "priority": "high" })),
        Step::Wait(COOLDOWN),
        freeze("user", "a third time"),
        on("anna", "issues.issue.start", "Cold"),
        Step::Wait(COOLDOWN),
        on("anna", "issues.issue.start", "Cold"),
        freeze("mod", "for good"),
        unfreeze("anna", "Go on."),
        unfreeze("mod", " "),
        unfreeze("mod", "One question at a time."),
        on("anna", "issues.issue.start", "Cold"),
        freeze("mod", "a fourth time"),
        forced("Cold"),
        open("user", "Thaws"),
        on_with("mod", "issues.issue.freeze", "Thaws", json!({ "reason": "for a while" })),
        Step::Wait(COOLDOWN),
        on("erik", "issues.issue.start", "Thaws"),
        mark("erik", "Thaws", "irrelevant"),
    ]
}
