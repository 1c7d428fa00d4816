//! What an agent must know of dissent before it acts: where it is devil's advocate, where its opinion is asked for, and
//! how much it may do (control-room 2.3, 2.4, 7.1). In our own words.

use crate::domain::Rooms;
use crate::domain::advocate::state::Assignment;
use crate::domain::moderation::state::{Assistance, Freedom};
use crate::kernel::id::{AgentId, IssueId};

/// Lines for the prompt of an agent; none where nothing is special.
pub fn asked_of(rooms: &Rooms, agent: &AgentId) -> Vec<String> {
    let mut lines = Vec::new();
    for (issue, task) in rooms.advocate.live_of(agent) {
        lines.extend(dissent(&name(rooms, issue), task));
    }
    lines.extend(rooms.blind.asked_of(agent).map(|issue| blind(&name(rooms, issue))));
    if let Some(assistance) = rooms.moderation.assisted.get(agent) {
        let (slices, reason) = (assistance.slices, assisted_because(assistance));
        lines.push(format!("You work in small portions for now, {slices} to a task ({reason}). Finish one, then ask."));
    }
    match rooms.moderation.freedom_of(agent) {
        Freedom::Restricted => lines.push("You decide nothing for now: say in comments what you would decide.".into()),
        Freedom::Trusted => lines.push("You may decide alone what changes little.".into()),
        Freedom::Normal => {}
    }
    lines
}

/// Why an agent works in smaller portions.
pub(crate) fn assisted_because(assistance: &Assistance) -> String {
    assistance
        .stops
        .map_or_else(|| assistance.reason.to_string(), |stops| format!("{stops} comments in a row were stopped"))
}

fn name(rooms: &Rooms, issue: &IssueId) -> String {
    rooms.issue.issue(issue).map_or_else(
        || issue.to_string(),
        |row| match &*row.title {
            "" => format!("#{}", row.label),
            title => format!("#{} ({title})", row.label),
        },
    )
}

/// What dissent is for, and what it is not.
fn dissent(issue: &str, task: &Assignment) -> Vec<String> {
    let left = task.comments.saturating_sub(task.used);
    let comments = if left == 1 { "comment" } else { "comments" };
    vec![
        format!("You are devil's advocate on issue {issue}, for {left} more {comments} of yours there."),
        "Others agree; find out where they are wrong: what breaks, what contradicts canon, what it costs later, what \
         nobody checked in the files."
            .into(),
        "Agreement alone does not count. If you find nothing, say what you checked, where, and why it holds.".into(),
    ]
}

/// Nobody follows anybody.
fn blind(issue: &str) -> String {
    format!(
        "Your own opinion on issue {issue} is asked for, before anybody hears the others: `annals blind submit`. Judge \
         the proposal, the files and what you know; do not guess what others will say."
    )
}
