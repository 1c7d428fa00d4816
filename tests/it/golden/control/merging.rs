//! Two who do not know of each other, and one who has seen what both did.

use serde_json::json;

use super::{Step, ask, forced, id, on_with, open, say, user};

/// The second writer, who starts from a copy and does not know what the first does meanwhile.
pub fn elsewhere() -> Vec<Step> {
    vec![
        open("erik", "From the other side"),
        user(
            "canon.entry.state",
            json!({
                "key": "gate", "text": "The gate is black.",
                "claims": [{ "subject": "gate", "attribute": "colour", "value": "black" }],
            }),
        ),
        on_with("mod", "issues.issue.freeze", "First", json!({ "reason": "there" })),
        user("milestones.milestone.begin", json!({ "kind": "session", "name": "there" })),
    ]
}

/// The first writer, meanwhile.
pub fn meanwhile() -> Vec<Step> {
    vec![
        open("anna", "From this side"),
        user(
            "canon.entry.state",
            json!({
                "key": "gate", "text": "The gate is white.",
                "claims": [{ "subject": "gate", "attribute": "colour", "value": "white" }],
            }),
        ),
        say("anna", "First"),
        user("milestones.milestone.begin", json!({ "kind": "session", "name": "here" })),
    ]
}

/// A writer who has seen both.
pub fn afterwards() -> Vec<Step> {
    vec![
        open("mod", "From both sides"),
        ask("mod", "advocate.assignment.assign", json!({ "issue": id("From both sides") })),
        forced("First"),
        user("milestones.milestone.end", json!({ "kind": "session" })),
        user("canon.entry.state", json!({ "key": "gate", "text": "The gate is grey." })),
    ]
}
