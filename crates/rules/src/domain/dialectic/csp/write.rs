//! Message to text: what is written is read as the same message.

use std::fmt::Write as _;

use super::message::{Message, Resolution};

/// Writes one message; without a newline at its end.
pub fn write(message: &Message) -> String {
    match message {
        Message::Plan(plan) => {
            format!("DEBATE REQ:{} ROUNDS:{} STAKES:{}", quoted(&plan.proposal), plan.rounds, plan.stakes)
        }
        Message::Failure(failure) => format!(
            "DEBATE_FAILURE REQ:{} ATTEMPTS:{} ERRORS:{}",
            quoted(&failure.task),
            list(&failure.attempts),
            list(&failure.errors)
        ),
        Message::Claim(claim) => {
            format!("CLAIM:{} SUPPORTS:{} CONFIDENCE:{}", quoted(&claim.claim), list(&claim.supports), claim.confidence)
        }
        Message::Objection(objection) => format!(
            "OBJECTION:{} SEVERITY:{} RISKS:{} COUNTER:{}",
            quoted(&objection.objection),
            objection.severity,
            list(&objection.risks),
            optional(objection.counter.as_deref())
        ),
        Message::Diagnosis(diagnosis) => format!(
            "DIAGNOSIS:{} FIX:{} DIFF_FROM_PREVIOUS:{}",
            quoted(&diagnosis.diagnosis),
            quoted(&diagnosis.fix),
            quoted(&diagnosis.diff)
        ),
        Message::Doubt(doubt) => format!(
            "PATTERN:{} BLIND_SPOT:{} SHOULD_ESCALATE:{}",
            optional(doubt.pattern.as_deref()),
            optional(doubt.blind_spot.as_deref()),
            doubt.should_escalate
        ),
        Message::Resolution(resolution) => resolved(resolution),
    }
}

fn resolved(resolution: &Resolution) -> String {
    let mut text = format!("RESOLUTION {}\nRATIONALE {}", resolution.resolution, quoted(&resolution.rationale));
    let mut line = |key: &str, value: String| {
        write!(text, "\n{key} {value}").expect("BUG: a string cannot be written to");
    };
    if !resolution.modifications.is_empty() {
        line("MODIFICATIONS", list(&resolution.modifications));
    }
    if let Some(approach) = &resolution.next_approach {
        line("NEXT_APPROACH", quoted(approach));
    }
    if let Some(who) = &resolution.escalate_to {
        line("ESCALATE_TO", quoted(who));
    }
    if let Some(limit) = resolution.next_attempt_limit {
        line("NEXT_ATTEMPT_LIMIT", limit.to_string());
    }
    text
}

fn optional(text: Option<&str>) -> String {
    text.map_or_else(|| "none".to_owned(), quoted)
}

fn list(items: &[Box<str>]) -> String {
    let items: Vec<_> = items.iter().map(|item| quoted(item)).collect();
    format!("[{}]", items.join(", "))
}

/// Always between quotes: whoever reads it need not know which words are keys.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for sign in text.chars() {
        match sign {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            sign => quoted.push(sign),
        }
    }
    quoted.push('"');
    quoted
}
