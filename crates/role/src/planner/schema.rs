//! The form of a plan and of a draft, for servers that can constrain what a model writes.
//!
//! Only what llama.cpp turns into a grammar: no references, no patterns, no lengths of texts. Bounds of lists stop loops.
//! Whether an answer can be used is decided where it is read: not every server constrains.

use serde_json::{Value, json};

use super::answer::PlanLimits;

/// Lists of criteria, tools and the like have at most so many items.
const LIST_ITEMS: usize = 6;

/// A plan with these tools.
pub(super) fn plan_schema(tools: &[&str], limits: &PlanLimits) -> Value {
    let mut properties = json!({
        "subtasks": list(&subtask(tools), 1, limits.most_subtasks),
        "task_criteria": list(&criterion(), 1, LIST_ITEMS)
    });
    if limits.least_alternatives > 0 {
        let least = usize::from(limits.least_alternatives);
        properties["alternatives"] = list(&text(), least, least);
    }
    closed(&properties)
}

/// What is there, what failed, what to try next.
pub(super) fn draft_schema(subtasks: usize) -> Value {
    let said = closed(&json!({"subtask": {"type": "integer"}, "text": text()}));
    let about = |most: usize| list(&said, 0, most.max(1));
    closed(&json!({"achieved": about(subtasks), "failed": about(subtasks), "next": list(&text(), 0, LIST_ITEMS)}))
}

fn subtask(tools: &[&str]) -> Value {
    let name = if tools.is_empty() { text() } else { json!({"type": "string", "enum": tools}) };
    let tool = closed(&json!({"target": {"type": ["string", "null"]}, "tool": name}));
    closed(&json!({
        "intent": text(),
        "notes": text(),
        "sequence": {"type": "integer"},
        "success_criteria": list(&criterion(), 1, LIST_ITEMS),
        "tools": list(&tool, 0, LIST_ITEMS)
    }))
}

fn criterion() -> Value {
    let file = |name: &str, value: Value| closed(&json!({"file": text(), name: value}));
    let check = json!({"anyOf": [
        file("contains", text()),
        file("matches", text()),
        file("absent", json!({"type": "boolean"})),
        closed(&json!({"expect_exit": {"type": "integer"}, "run": text()})),
        closed(&json!({"command_output": text(), "matches": text()})),
        {"type": "null"}
    ]});
    closed(&json!({"assertion": text(), "check": check}))
}

fn text() -> Value {
    json!({"type": "string"})
}

fn list(items: &Value, least: usize, most: usize) -> Value {
    json!({"type": "array", "items": items, "minItems": least, "maxItems": most})
}

/// An object with these members and no others.
fn closed(properties: &Value) -> Value {
    let required: Vec<_> = properties.as_object().into_iter().flat_map(|members| members.keys()).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}
