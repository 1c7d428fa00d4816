//! The title of an issue: what somebody gave, or, of one that a rule opened, made of what it is about (control-room 3.3,
//! 8.1, 12.2, 13.2).

use crate::domain::Rooms;
use crate::domain::issue::Issue;
use crate::domain::issue::meta::Meta;
use crate::kernel::id::IssueId;

/// The title.
pub fn title(rooms: &Rooms, issue: &Issue) -> Box<str> {
    match &issue.meta {
        Some(meta) if issue.title.is_empty() => of_meta(rooms, meta).into(),
        Some(_) | None => issue.title.clone(),
    }
}

fn of_meta(rooms: &Rooms, meta: &Meta) -> String {
    match meta {
        Meta::Freeze { about, .. } => format!("[Circuit Breaker] {}", named(rooms, about)),
        Meta::Dissent { about, .. } => format!("[DA Assignment] Challenge: {}", named(rooms, about)),
        Meta::Leech { tag, .. } => leech(tag),
        Meta::Reliability { agent, level, .. } => reliability(agent.as_str(), level),
        Meta::Joined { .. } | Meta::Note { .. } => String::new(),
    }
}

/// The title of another issue; its number, where its own would have to be made, too.
fn named(rooms: &Rooms, id: &IssueId) -> String {
    match rooms.issue.issue(id) {
        Some(issue) if issue.title.is_empty() => format!("#{}", issue.label),
        Some(issue) => issue.title.to_string(),
        None => id.to_string(),
    }
}

/// A tag is circled without results.
pub fn leech(tag: &str) -> String {
    format!("[Leech Warning] {tag} is circled without results")
}

/// An agent is penalised often.
pub fn reliability(agent: &str, level: &str) -> String {
    match level {
        "watch" => format!("[Reliability] {agent} is on watch"),
        _ => format!("[Reliability] {agent} is {level}"),
    }
}
