//! What the moderator does: tags, freedom, memory, issues that are joined or handed on, smaller portions, reports; and
//! what is heard of notices.

use serde_json::{Value, json};

use super::{NOTHING, Step, add, ask, id, on, on_with, open, open_with, resolve, say, set, support, user, with, words};

fn tag(actor: &'static str, command: &'static str, tag: &str) -> Step {
    let reason = if command == "moderation.tag.freeze" { json!({ "reason": "circling" }) } else { json!({}) };
    ask(actor, command, with(json!({ "tag": tag }), reason))
}

/// Tags under which nothing new comes, and who decides alone.
pub fn tags_and_freedom() -> Vec<Step> {
    const FREEZE: &str = "moderation.tag.freeze";
    const UNFREEZE: &str = "moderation.tag.unfreeze";
    let adjust = |actor, agent: &str, freedom: &str| {
        ask(actor, "moderation.agent.adjust", json!({ "agent": agent, "freedom": freedom }))
    };
    let mut steps = vec![tag("anna", FREEZE, "war"), tag("helper", FREEZE, "war"), tag("mod", FREEZE, "")];
    steps.extend(["#", "a b"].map(|bad| tag("mod", FREEZE, bad)));
    let tagged = |tag: &str| json!({ "tags": [tag] });
    steps.extend([
        user(FREEZE, json!({ "tag": "war", "reason": " " })),
        tag("mod", FREEZE, "war"),
        tag("mod", FREEZE, "#war"),
        open_with("anna", "War", tagged("war")),
        open_with("anna", "War", tagged("#war")),
        open_with("anna", "Peace", tagged("peace")),
        on_with("anna", "issues.issue.edit", "Peace", tagged("war")),
        open_with("mod", "War", tagged("war")),
        tag("mod", UNFREEZE, "peace"),
        tag("mod", UNFREEZE, " "),
        tag("mod", UNFREEZE, "war"),
        open_with("anna", "War again", tagged("war")),
        tag("user", FREEZE, "love"),
        adjust("mod", "nobody", "trusted"),
        adjust("mod", "mod", "trusted"),
        adjust("mod", "anna", "normal"),
        adjust("mod", "anna", "restricted"),
        adjust("user", "helper", "trusted"),
    ]);
    steps.extend(decided_by("anna", "Restricted", "cosmetic"));
    steps.extend(decided_by("helper", "Little", "minor"));
    steps.extend(decided_by("helper", "Much", "structural"));
    steps.extend([support("lead", "Much"), resolve("helper", "Much"), adjust("mod", "anna", "normal")]);
    steps.extend(decided_by("lead", "The lead may", "structural"));
    steps.extend([add("nina", "writer", json!({})), add("nora", "writer", json!({}))]);
    steps.extend(decided_by("nina", "Not alone", "minor"));
    steps.extend([support("user", "Not alone"), resolve("nina", "Not alone")]);
    steps.extend(memory());
    steps
}

/// An issue of so much weight on which others spoke, and nobody for it.
fn decided_by(actor: &'static str, title: &str, impact: &str) -> Vec<Step> {
    let opened = open_with("user", title, json!({ "impact": impact }));
    vec![opened, say("carl", title), say("mod", title), support("user", title), resolve(actor, title)]
}

fn memory() -> Vec<Step> {
    let remember = |role: &str, interest: u8, more: Value| {
        let profile = json!({ "retention": "normal", "max_interest": interest, "can_pin_issues": false });
        user("moderation.profile.change", json!({ "role": role, "profile": with(profile, more) }))
    };
    let own = json!({
        "retention": "strong", "can_pin_issues": true,
        "focus_tags": ["canon", "#circuit-breaker", "leech", "meta", "stuck"],
    });
    vec![
        remember("writer", 0, json!({})),
        remember("writer", 6, json!({})),
        remember("writer", 3, json!({})),
        remember("writer", 3, json!({ "focus_tags": [" "] })),
        remember("writer", 5, json!({ "focus_tags": ["plot"] })),
        remember("writer", 1, json!({})),
        remember("moderator", 5, own),
        remember("moderator", 5, json!({})),
    ]
}

/// Issues that become one, and one for the user; then the notices that came of all this.
pub fn issues() -> Vec<Step> {
    let many: Vec<String> = (1..=21).map(|number| format!("Small {number}")).collect();
    let join = |titles: &[&str], title: &str, more: Value| {
        let issues: Vec<_> = titles.iter().map(|title| id(title)).collect();
        ask("mod", "moderation.issue.consolidate", with(json!({ "issues": issues, "title": title }), more))
    };
    let escalate = |issue: &str, summary: &str| {
        ask("mod", "moderation.issue.escalate", json!({ "issue": issue, "summary": summary }))
    };
    let mut steps: Vec<Step> =
        many.iter().map(|title| open_with("user", title, json!({ "tags": ["small"] }))).collect();
    let all: Vec<&str> = many.iter().map(String::as_str).collect();
    let none = || json!({});
    steps.extend([
        ask("mod", "moderation.issue.consolidate", json!({ "issues": [NOTHING, id("Small 1")], "title": "x" })),
        join(&["Small 1", "Decided early"], "x", none()),
        join(&["Small 1"], "x", none()),
        join(&all, "x", none()),
        join(&all[..2], " ", none()),
        join(&all[..2], "a\nb", none()),
        join(&all[..2], &"x".repeat(201), none()),
        on_with("user", "issues.issue.edit", "Small 2", json!({ "priority": "critical", "tags": ["plot"] })),
        join(&all[..2], "Two small ones", json!({ "body": "They ask the same." })),
        join(&all[2..], "Small ones", none()),
        escalate(NOTHING, "x"),
        escalate(&id("Peace"), " "),
        escalate(&id("Peace"), "War or peace: yours to say."),
    ]);
    let heard = |actor, notice: &str| ask(actor, "notices.notice.acknowledge", json!({ "notice": notice }));
    steps.extend([
        heard("mod", NOTHING),
        heard("anna", "<notice to mod>"),
        heard("mod", "<notice to user>"),
        heard("mod", "<notice to mod>"),
        heard("mod", "<notice to mod>"),
        heard("lead", "<notice to user>"),
        heard("user", "<notice to user>"),
        ask("anna", "moderation.report.record", json!({})),
        ask("mod", "moderation.report.record", json!({})),
    ]);
    steps
}

/// Smaller portions: because somebody says so, or because comment after comment is stopped.
pub fn assistance() -> Vec<Step> {
    let assist = |actor, agent: &str, reason: &str, more: Value| {
        ask(actor, "moderation.assist.begin", with(json!({ "agent": agent, "reason": reason }), more))
    };
    let end = |actor, agent: &str| ask(actor, "moderation.assist.end", json!({ "agent": agent }));
    let none = || json!({});
    let slices = |slices: u32| json!({ "slices": slices });
    let short = || words("nina", "Portions", "Short.");
    let mut steps = vec![
        assist("anna", "nina", "one scene at a time", none()),
        assist("helper", "nobody", "one scene at a time", none()),
        assist("helper", "nina", " ", none()),
        assist("helper", "nina", "one scene at a time", slices(1)),
        assist("helper", "nina", "one scene at a time", slices(101)),
        assist("helper", "nina", "one scene at a time", slices(2)),
        assist("mod", "nina", "one scene at a time", slices(2)),
        assist("mod", "nina", "one scene at a time", slices(100)),
        assist("mod", "nina", "one page at a time", slices(100)),
        assist("mod", "nina", "one page at a time", none()),
        end("anna", "nina"),
        end("helper", "nina"),
        end("mod", "nina"),
        open("user", "Portions"),
    ];
    steps.extend([short(), short(), say("nina", "Portions"), short(), short(), short(), short()]);
    steps.push(set(json!({ "moderation.assist_until_passes": 2 })));
    steps.extend([say("nina", "Portions"), open("user", "Portions of nina"), say("nina", "Portions of nina")]);
    steps.extend([
        assist("mod", "nora", "asked for", none()),
        say("nora", "Portions"),
        say("nora", "Portions of nina"),
    ]);
    steps.push(set(json!({ "moderation.assist_until_passes": null, "moderation.assist_after_stops": 0 })));
    steps.extend([short(), short(), short()]);
    steps.push(set(json!({ "moderation.assist_after_stops": null, "moderation.assist_slices": 7 })));
    steps.extend([short(), on("mod", "issues.issue.read", "Portions"), end("mod", "nora")]);
    steps.push(set(json!({ "moderation.assist_slices": null })));
    steps.extend(distrusted());
    steps
}

/// By now too many comments of nina were stopped: nobody takes her word alone.
fn distrusted() -> Vec<Step> {
    vec![
        open("user", "Doubted"),
        say("carl", "Doubted"),
        say("dora", "Doubted"),
        resolve("nina", "Doubted"),
        support("helper", "Doubted"),
        resolve("nina", "Doubted"),
        open("nina", "Of low trust"),
        say("carl", "Of low trust"),
        say("dora", "Of low trust"),
        resolve("helper", "Of low trust"),
        ask("mod", "moderation.report.record", json!({})),
    ]
}
