//! What adds up: tags that are circled, the ladder, high trust, and milestones that earn the team credits.

use serde_json::{Value, json};

use super::{Step, add, ask, change, id, mark, on, open, open_with, resolve, say, seen, set, support, user};

/// A tag that is read again and again, until something of it is applied.
pub fn topics() -> Vec<Step> {
    let read = |actor, title| on(actor, "issues.issue.read", title);
    let tagged = |title: &str| open_with("user", title, json!({ "tags": ["maze"] }));
    let mut steps = vec![set(json!({ "topics.leech_min_accesses": 4, "topics.leech_min_issues": 3 }))];
    steps.extend([tagged("Maze"), tagged("Maze 2"), tagged("Maze 3"), open("user", "Maze 4")]);
    steps.extend([read("user", "Maze"), read("anna", "Maze"), read("anna", "Maze"), read("erik", "Maze 2")]);
    steps.extend([
        super::on_with("user", "issues.issue.edit", "Maze", json!({ "untag": ["maze", "other"] })),
        read("anna", "Maze 2"),
        super::on_with("user", "issues.issue.edit", "Maze 4", json!({ "tags": ["maze", "#maze"] })),
        mark("user", "Maze 2", "irrelevant"),
        mark("user", "Maze 2", "applied"),
        mark("user", "Maze 2", "irrelevant"),
        set(json!({ "topics.leech_max_application_rate": 250 })),
        mark("user", "Maze 2", "applied"),
        read("anna", "Maze 2"),
        set(json!({ "sanity.leech_detection_enabled": false })),
        mark("user", "Maze 3", "applied"),
        set(json!({ "sanity.leech_detection_enabled": null })),
        on("anna", "issues.issue.read", "Maze 3"),
        on("anna", "issues.issue.read", "[Leech Warning] #maze is circled without results"),
        set(json!({
            "topics.leech_min_accesses": null, "topics.leech_min_issues": null,
            "topics.leech_max_application_rate": null,
        })),
    ]);
    steps
}

/// Where nobody has set other bounds: five issues, twenty times read, and less than a tenth of that applied.
pub fn topics_at_their_bounds() -> Vec<Step> {
    let opened = |tag: &str, number: usize| open_with("user", &format!("The {tag} {number}"), json!({ "tags": [tag] }));
    let read = |tag: &str, times: usize| {
        let title = format!("The {tag} 1");
        (0..times).map(move |_| on("erik", "issues.issue.read", &title)).collect::<Vec<_>>()
    };
    let mut steps: Vec<Step> = (1..=4).map(|number| opened("fen", number)).collect();
    steps.extend(read("fen", 20));
    steps.push(opened("fen", 5));
    steps.extend((1..=5).map(|number| opened("bog", number)));
    steps.extend(read("bog", 19));
    steps.extend([mark("user", "The bog 2", "applied"), mark("user", "The bog 3", "applied")]);
    steps.extend(read("bog", 2));
    steps
}

fn rebuke(agent: &str) -> Step {
    ask("mod", "credits.credit.award", json!({ "agent": agent, "reason": "moderator-penalty" }))
}

/// Up the ladder step by step, or at once, and down again; another model begins anew.
pub fn ladder() -> Vec<Step> {
    let work = |actor, count: usize| (0..count).map(move |number| open(actor, &format!("Work {number} of {actor}")));
    let mut steps = vec![
        add("wes", "writer", json!({ "model": "model-1" })),
        add("ben", "writer", json!({})),
        set(json!({ "reliability.cooldown_after_remediation": 3 })),
    ];
    steps.extend(work("wes", 4));
    steps.extend([rebuke("wes"), rebuke("wes"), rebuke("wes"), rebuke("wes")]);
    steps.extend(work("wes", 20));
    steps.extend(work("ben", 3));
    steps.extend([rebuke("ben"), rebuke("ben")]);
    steps.extend([
        change("ben", json!({ "model": "model-9" })),
        open("ben", "With another model"),
        change("ben", json!({ "model": "unknown" })),
        open("ben", "With the model of before"),
        set(json!({ "reliability.evaluation_window": 5 })),
        rebuke("wes"),
        set(json!({ "reliability.watch_threshold": 500, "reliability.flag_threshold": 900 })),
        rebuke("wes"),
        set(json!({
            "reliability.evaluation_window": null, "reliability.watch_threshold": null,
            "reliability.flag_threshold": null, "reliability.cooldown_after_remediation": null,
        })),
    ]);
    // Three of ten are just enough for remediation.
    steps.push(add("leo", "writer", json!({})));
    steps.extend(work("leo", 7));
    steps.extend([rebuke("leo"), rebuke("leo"), rebuke("leo")]);
    steps.extend(["wes", "ben", "leo"].map(|agent| change(agent, json!({ "duty": "retired" }))));
    steps.extend(irrelevant());
    steps
}

/// Half of its issues irrelevant is not too much; more is.
fn irrelevant() -> Vec<Step> {
    const RESOLVED: &str = "Decided by hal";
    let mut steps =
        vec![add("hal", "writer", json!({})), open("user", RESOLVED), say("mod", RESOLVED), say("carl", RESOLVED)];
    steps.extend((1..=6).map(|number| open("hal", &format!("Hal {number}"))));
    steps.extend((1..=3).map(|number| mark("user", &format!("Hal {number}"), "irrelevant")));
    steps.extend([resolve("hal", RESOLVED), on("hal", "issues.issue.reopen", RESOLVED)]);
    steps.extend([
        mark("user", "Hal 4", "irrelevant"),
        resolve("hal", RESOLVED),
        change("hal", json!({ "duty": "retired" })),
    ]);
    steps
}

/// Four of five citations hold, and a fifth of its actions was penalised: its word weighs half.
pub fn bronze() -> Vec<Step> {
    let paths = ["src/1.rs", "src/2.rs", "src/3.rs", "src/4.rs", "src/none.rs"];
    let files: Vec<_> = paths.iter().map(|path| json!({ "path": path })).collect();
    let comment = json!({ "issue": id("Helpful"), "body": super::REASONS, "evidence": { "files": files } });
    let mut checked: Vec<_> = paths.iter().map(|path| found(path)["evidence"][0].clone()).collect();
    checked[4] = json!({ "path": "src/none.rs", "exists": false, "lines_valid": false });
    let mut steps = vec![
        add("bea", "writer", json!({ "model": "model-5" })),
        seen("bea", "issues.comment.add", comment, json!({ "evidence": checked })),
    ];
    steps.extend((1..=4).map(|number| open("bea", &format!("Bea {number}"))));
    let thanks = json!({ "agent": "anna", "reason": "peer-marked-helpful", "about": { "issue": id("Bea 1") } });
    steps.extend([ask("bea", "credits.credit.award", thanks), change("bea", json!({ "duty": "retired" }))]);
    steps
}

/// Five actions without a penalty are enough for a goal, four are not; the team gets credits for ten of them, not for
/// nine; and twenty goals are enough for anybody.
pub fn goals_at_their_bounds() -> Vec<Step> {
    let goal = |metric: &str, more: Value| {
        user("credits.goal.set", super::with(json!({ "metric": metric, "target": 1 }), more))
    };
    let mut steps = vec![add("zoe", "writer", json!({}))];
    for count in [4, 5, 9, 10] {
        steps.push(begin("mod", "session", &format!("of-{count}")));
        steps.push(goal("zero-penalties", json!({ "agent": "zoe", "deadline": "session-end" })));
        steps.extend((0..count).map(|number| open("zoe", &format!("Zoe {number} of {count}"))));
        steps.push(end("mod", "session"));
    }
    steps.extend((0..21).map(|_| goal("devils-advocate-consultations", json!({ "target": 9 }))));
    steps
}

fn found(path: &str) -> Value {
    let sha256 = annals::kernel::json::sha256_hex(path.as_bytes());
    json!({ "evidence": [{ "path": path, "exists": true, "lines_valid": true, "similarity": 1000, "sha256": sha256 }] })
}

/// Much applied, and well founded: what changes little such an agent decides alone, and its word weighs more.
pub fn high() -> Vec<Step> {
    let mut steps = vec![add("hanna", "writer", json!({ "model": "model-4" }))];
    let evidence = |path: &str| json!({ "files": [{ "path": path }] });
    for number in 1..=5 {
        let (title, path) = (format!("Good {number}"), format!("src/good-{number}.rs"));
        steps.push(open("hanna", &title));
        let comment = json!({
            "issue": id(&title), "body": super::REASONS, "evidence": evidence(&path),
            "citation": { "trigger": "verify-continuity" },
        });
        steps.push(seen("hanna", "issues.comment.add", comment, found(&path)));
        if number < 5 {
            steps.push(mark("user", &title, "applied"));
        }
    }
    steps.extend([
        user("credits.credit.award", json!({ "agent": "hanna", "reason": "user-marked-helpful" })),
        open_with("user", "High trust", json!({ "impact": "minor" })),
        say("mod", "High trust"),
        say("carl", "High trust"),
        resolve("hanna", "High trust"),
        open_with("user", "Too much for it", json!({ "impact": "structural" })),
        say("mod", "Too much for it"),
        say("carl", "Too much for it"),
        resolve("hanna", "Too much for it"),
        ask("hanna", "credits.credit.award", json!({
            "agent": "anna", "reason": "peer-marked-helpful", "about": { "issue": id("Good 1") },
        })),
        ask("gina", "credits.credit.award", json!({
            "agent": "anna", "reason": "peer-marked-helpful", "about": { "issue": id("Good 1") },
        })),
        set(json!({ "reliability.trust": { "hallucination": 500, "rejection": 300, "usefulness": 800, "evidence": 700 } })),
        support("user", "Too much for it"),
        open_with("user", "Not any more", json!({ "impact": "minor" })),
        say("mod", "Not any more"),
        say("carl", "Not any more"),
        resolve("hanna", "Not any more"),
        set(json!({ "reliability.trust": null })),
    ]);
    steps
}

fn begin(actor: &'static str, kind: &str, name: &str) -> Step {
    ask(actor, "milestones.milestone.begin", json!({ "kind": kind, "name": name }))
}

fn end(actor: &'static str, kind: &str) -> Step {
    ask(actor, "milestones.milestone.end", json!({ "kind": kind }))
}

/// Sessions, chapters and acts, with and without a blemish.
pub fn milestones() -> Vec<Step> {
    let mut steps = vec![begin("anna", "session", "one"), end("anna", "session"), end("mod", "session")];
    let long = "n".repeat(65);
    steps.extend(["", "a b", "a/b", &long].map(|name| begin("mod", "session", name)));
    steps.extend([
        begin("helper", "act", &"n".repeat(64)),
        begin("lead", "chapter", "ash_1.b-c"),
        begin("user", "session", "one"),
        begin("mod", "session", "two"),
        end("helper", "session"),
        set(json!({ "team.min_actions": 2, "goals.zero_penalties_min_actions": 1 })),
        begin("mod", "session", "two"),
        ask("mod", "credits.goal.set", json!({ "metric": "zero-penalties", "target": 1, "deadline": "session-end" })),
        open("anna", "In session two"),
        open_with("erik", "Frozen in the chapter", json!({ "tags": ["chapter-ash_1.b-c"] })),
        end("mod", "session"),
        set(json!({ "sanity.moderator_report_frequency": "session-end" })),
        begin("mod", "session", "three"),
        ask(
            "mod",
            "credits.goal.set",
            json!({ "metric": "zero-penalties", "target": 1, "deadline": "session-end", "agent": "erik" }),
        ),
        open("anna", "In session three"),
        say("carl", "In session three"),
        rebuke("erik"),
        end("mod", "session"),
        set(json!({ "sanity.moderator_report_frequency": "session-start" })),
        begin("mod", "session", "four"),
        end("mod", "session"),
        set(json!({ "sanity.moderator_report_frequency": null, "sanity.moderator_session_report_enabled": false })),
        begin("mod", "session", "five"),
        end("mod", "session"),
        end("lead", "chapter"),
        begin("lead", "chapter", "smoke"),
        open_with("erik", "Smoke", json!({ "tags": ["#chapter-smoke"] })),
        say("carl", "Smoke"),
        super::on_with("mod", "issues.issue.freeze", "Smoke", json!({ "reason": "a moment" })),
        end("lead", "chapter"),
        begin("lead", "chapter", "fire"),
        open("erik", "Fire"),
        say("carl", "Fire"),
        end("lead", "chapter"),
    ]);
    steps.extend(all_gold());
    steps
}

/// At the end of the act only the best are there.
fn all_gold() -> Vec<Step> {
    let others = ["anna", "carl", "dora", "erik", "gina", "helper", "lead", "mod", "nina", "nora"];
    let duty = |duty: &'static str| others.into_iter().map(move |agent| change(agent, json!({ "duty": duty })));
    let mut steps: Vec<Step> = duty("retired").collect();
    steps.push(user("moderation.report.record", json!({})));
    steps.extend([
        user("milestones.milestone.end", json!({ "kind": "act" })),
        change("hanna", json!({ "duty": "retired" })),
    ]);
    steps.extend([
        begin("user", "act", "two"),
        begin("user", "session", "six"),
        end("user", "act"),
        end("user", "session"),
    ]);
    steps.extend(duty("active"));
    steps.push(set(json!({
        "sanity.moderator_session_report_enabled": null, "team.min_actions": null,
        "goals.zero_penalties_min_actions": null,
    })));
    steps
}
