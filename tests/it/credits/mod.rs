//! Credits, reliability and the team, through all rooms and policies, in a world without a disk.

mod earning;
mod fold;
mod honesty;
mod ladder;
mod merits;
mod team;
mod trust;

use annals::domain::credit::profile::Tally;
use annals::domain::{Decided, Event, credit};
use annals::kernel::credits::Credits;
use annals::kernel::id::{AgentId, IssueId};
use serde_json::{Value, json};

use crate::control::desk::{Desk, REASONS};

/// What code found of a file.
fn found(path: &str, similarity: u32) -> Value {
    json!({ "path": path, "exists": true, "lines_valid": true, "similarity": similarity, "sha256": format!("sha of {path}") })
}

/// A file that is not there.
fn missing(path: &str) -> Value {
    json!({ "path": path, "exists": false, "lines_valid": false })
}

/// Comments, citing files of which code found this.
fn cite(desk: &mut Desk, actor: &str, issue: &IssueId, trigger: &str, files: &[Value]) -> Decided {
    let cited: Vec<_> = files.iter().map(|file| json!({ "path": file["path"] })).collect();
    let fields = json!({
        "issue": issue, "body": REASONS, "evidence": { "files": cited }, "citation": { "trigger": trigger },
    });
    desk.ask_with(actor, "issues.comment.add", &fields, &json!({ "evidence": files }))
}

/// Resolves by the user, citing files of which code found this.
fn resolve(desk: &mut Desk, actor: &str, issue: &IssueId, files: &[Value]) -> Decided {
    let cited: Vec<_> = files.iter().map(|file| json!({ "path": file["path"] })).collect();
    let fields = json!({ "issue": issue, "note": REASONS, "evidence": { "files": cited } });
    desk.ask_with(actor, "issues.issue.resolve", &fields, &json!({ "evidence": files }))
}

/// Marks an issue as applied, with a file that is there.
fn apply(desk: &mut Desk, actor: &str, issue: &IssueId) -> Decided {
    let fields = json!({ "issue": issue, "usefulness": "applied", "file": "src/a.rs" });
    desk.ask_with(actor, "issues.issue.mark", &fields, &json!({ "shown": "found" }))
}

/// An issue of an agent.
fn open_by(desk: &mut Desk, actor: &str) -> IssueId {
    let decided = desk.expect(actor, "issues.issue.open", &json!({ "title": "A lexer that looks ahead" }));
    let data: Value = decided.events[0].data().read().expect("JSON");
    IssueId::from(data["issue"].as_str().expect("an issue"))
}

/// What was awarded: to whom, how many thousandths, and why.
fn awards(decided: &Decided) -> Vec<(String, i64, &'static str)> {
    let awarded = decided.events.iter().filter_map(|event| {
        let Event::Credit(credit::Event::Awarded(awarded)) = event else { return None };
        Some((awarded.agent.to_string(), awarded.amount.in_thousandths(), awarded.reason.as_str()))
    });
    awarded.collect()
}

fn award(agent: &str, credits: i64, reason: &'static str) -> (String, i64, &'static str) {
    (agent.to_owned(), credits * 1000, reason)
}

fn tally(desk: &Desk, agent: &str) -> Tally {
    desk.rooms().credit.totals.tally(&AgentId::from(agent), None)
}

fn credits(desk: &Desk, agent: &str) -> Credits {
    tally(desk, agent).credits
}
