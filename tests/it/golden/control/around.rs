//! Ways around that are none: a late clock, an agent's shell, a name in other letters, what is contested, old proof.

use serde_json::json;

use super::{Step, add, ask, id, open, say_with, seen, set, user};

/// Each is tried once.
pub fn around() -> Vec<Step> {
    let own = |metric: &str| json!({ "analysis.triggers.per_trigger": { "high-anxiety-caution": { "thresholds": { metric: 1 } } } });
    let mark = |observed: &serde_json::Value, more: serde_json::Value| {
        let fields = super::with(json!({ "issue": id("Around"), "usefulness": "applied" }), more);
        seen("erik", "issues.issue.mark", fields, observed.clone())
    };
    let sha256 = "5e".repeat(32);
    let file = json!({ "path": "src/around.rs", "exists": true, "lines_valid": true, "sha256": sha256 });
    let cited = json!({ "issue": id("Around"), "body": super::REASONS, "evidence": { "files": [{ "path": "src/around.rs" }] } });
    vec![
        user("config.clock.give", json!({})),
        set(json!({ "hivemind.council.quorum": 9 })),
        set(json!({ "analysis.triggers.disabled_triggers": ["no-such-trigger"] })),
        set(own("call_count")),
        add("Аnna", "writer", json!({})),
        seen("user", "issues.issue.open", json!({ "title": "From a shell" }), json!({ "shell": "codex" })),
        open("user", "Around"),
        seen("anna", "issues.comment.add", cited, json!({ "evidence": [file] })),
        mark(&json!({ "shown": "found", "sha256": sha256 }), json!({ "file": "src/around.rs" })),
        mark(&json!({ "shown": "found", "committed_at": "2020-01-01T00:00:00Z" }), json!({ "commit": "0123abc" })),
        open("user", "Contested"),
        say_with("carl", "Contested", json!({ "stance": "support" })),
        say_with("dora", "Contested", json!({ "stance": "oppose" })),
        ask("erik", "issues.issue.resolve", json!({ "issue": id("Contested"), "note": "We do it in two steps." })),
    ]
}
