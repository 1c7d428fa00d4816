//! Credits, reliability and the team, through all rooms and policies, in a world without a disk.

mod alone;
mod earning;
mod ended;
mod fold;
mod honesty;
mod ladder;
mod merits;
mod team;
mod trust;

use annals::domain::credit::profile::StretchTally;
use annals::domain::{Event, RoomsDecided, credit};
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

/// Files, each with a quote that is long enough to be precise.
fn quoted(files: &[Value]) -> Vec<Value> {
    files.iter().map(|file| json!({ "path": file["path"], "quote": "let answer = 42;" })).collect()
}

/// An entry of an issue by somebody else than an agent; where there is none, the user asks.
fn asked(desk: &mut Desk, agent: &str, issue: &IssueId) -> String {
    let row = desk.rooms().issue.issue(issue).expect("an issue");
    if row.author.as_str() != agent {
        return issue.to_string();
    }
    desk.ask("user", "issues.comment.add", &json!({ "issue": issue, "body": "Where does it say so?" }));
    let said = desk.rooms().issue.issue(issue).and_then(|row| row.thread.last());
    said.map_or_else(|| issue.to_string(), |remark| remark.id.to_string())
}

/// Comments, citing files of which code found this, in answer to somebody else.
fn cite(desk: &mut Desk, actor: &str, issue: &IssueId, trigger: &str, files: &[Value]) -> RoomsDecided {
    let citation = json!({ "trigger": trigger, "trigger_ref": asked(desk, actor, issue) });
    cite_because(desk, actor, issue, &citation, files)
}

fn cite_because(desk: &mut Desk, actor: &str, issue: &IssueId, citation: &Value, files: &[Value]) -> RoomsDecided {
    let evidence = json!({ "files": quoted(files) });
    let fields = json!({ "issue": issue, "body": REASONS, "evidence": evidence, "citation": citation });
    desk.ask_with(actor, "issues.comment.add", &fields, &json!({ "evidence": files }))
}

/// Resolves by the user, citing files of which code found this.
fn resolve(desk: &mut Desk, actor: &str, issue: &IssueId, files: &[Value]) -> RoomsDecided {
    let fields = json!({ "issue": issue, "note": REASONS, "evidence": { "files": quoted(files) } });
    desk.ask_with(actor, "issues.issue.resolve", &fields, &json!({ "evidence": files }))
}

/// Marks an issue as applied, with a file that is there.
fn apply(desk: &mut Desk, actor: &str, issue: &IssueId) -> RoomsDecided {
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
fn awards(decided: &RoomsDecided) -> Vec<(String, i64, &'static str)> {
    let awarded = decided.events.iter().filter_map(|event| {
        let Event::Credit(credit::Event::Awarded(awarded)) = event else { return None };
        Some((awarded.agent.to_string(), awarded.amount.in_thousandths(), awarded.reason.as_str()))
    });
    awarded.collect()
}

fn award(agent: &str, credits: i64, reason: &'static str) -> (String, i64, &'static str) {
    (agent.to_owned(), credits * 1000, reason)
}

fn tally(desk: &Desk, agent: &str) -> StretchTally {
    desk.rooms().credit.totals.tally(&AgentId::from(agent), None)
}

fn credits(desk: &Desk, agent: &str) -> Credits {
    tally(desk, agent).credits
}
