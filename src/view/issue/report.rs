//! The text of an issue that a rule opened, made of what it is about (control-room 3.3, 8.1, 13.2). In our own words.

use serde::Deserialize as _;

use super::IssueRows;
use super::text::Texts;
use crate::domain::breaker::Check;
use crate::domain::issue::Issue;
use crate::domain::issue::meta::{DissentReason, Meta};
use crate::kernel::id::{AgentId, EntryId, ModelId};
use crate::view::gist::cut;
use crate::view::refusal;

/// The entries that a report quotes.
pub fn entries(issue: &Issue) -> Vec<EntryId> {
    match &issue.meta {
        Some(Meta::Freeze { recent, stopped, .. }) => recent.iter().chain(stopped).copied().collect(),
        Some(
            Meta::Dissent { .. }
            | Meta::Leech { .. }
            | Meta::Reliability { .. }
            | Meta::Joined { .. }
            | Meta::Note { .. },
        )
        | None => Vec::new(),
    }
}

/// The text.
pub fn body(rows: &IssueRows, meta: &Meta, texts: &Texts<'_>) -> String {
    match meta {
        Meta::Freeze { about, rule, check, message, recent, by, stopped } => {
            let check = check.as_ref().and_then(|check| Check::deserialize(check).ok());
            let message = message.as_deref().map(ToOwned::to_owned).or_else(|| check.as_ref().map(refusal::said_of));
            let stopped = stopped.map(|id| recent_of(&[id], texts).concat());
            let by = stopped.or_else(|| by.as_ref().map(|by| format!("- {by}")));
            let recent = recent_of(recent, texts);
            freeze(&rows.number_of(about), rule, &message.unwrap_or_default(), by.as_deref(), &recent)
        }
        Meta::Dissent { about, reason, comments } => dissent(&rows.number_of(about), *reason, *comments),
        Meta::Leech { tag, issues, accesses, applied, irrelevant } => {
            leech(tag, [*issues, *accesses, *applied, *irrelevant])
        }
        Meta::Reliability { agent, model, level, penalties, actions } => {
            let fact = reliability(agent, model, *penalties, *actions);
            format!("{fact} {}", advice(agent, level))
        }
        Meta::Joined { from, body } => {
            let numbers: Vec<_> = from.iter().map(|id| rows.number_of(id)).collect();
            format!("{body}\n\nJoined from {}.", numbers.join(", ")).trim().to_owned()
        }
        Meta::Note { about, body } => note(about.as_ref().map(|about| rows.number_of(about)), body),
    }
}

fn recent_of(recent: &[EntryId], texts: &Texts<'_>) -> Vec<String> {
    const CHARS: usize = 100;
    let line = |id: &EntryId| {
        let agent = texts.0.get(id).and_then(|entry| entry.provenance.agent_id.as_ref());
        let words = texts.said(*id).body.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("- {}: \"{}\"", agent.map_or("?", |agent| agent.as_str()), cut(&words, CHARS))
    };
    recent.iter().map(line).collect()
}

fn freeze(about: &str, rule: &str, message: &str, by: Option<&str>, recent: &[String]) -> String {
    let by = by.map(|by| format!("\n\n**What was stopped:**\n{by}")).unwrap_or_default();
    let recent = if recent.is_empty() { "- none".to_owned() } else { recent.join("\n") };
    format!(
        "Issue {about} was frozen by a circuit breaker.\n\n**Rule:** `{rule}`\n**It says:** {message}{by}\n\n\
         **Last comments:**\n{recent}\n\n**What the moderator can do:**\n\
         - [ ] read the thread: is it grounded, does it move?\n\
         - [ ] unfreeze it with guidance (`annals issue unfreeze`), or\n\
         - [ ] have somebody dissent (`annals advocate assign`), or\n\
         - [ ] ask the user (`annals moderate escalate`), or\n\
         - [ ] decide it, with reasons (`annals issue resolve --force`)"
    )
}

/// Why a consensus is to be challenged.
pub(crate) fn reason_of(reason: DissentReason) -> &'static str {
    match reason {
        DissentReason::QuickConsensus => "several agreed within few comments",
        DissentReason::NoEvidenceConsensus => "several agreed, and nobody cited a file",
        DissentReason::ModeratorOverride => "the moderator asks for it",
        DissentReason::HighImpactProposal => "much would change, and several agree",
    }
}

fn dissent(about: &str, reason: DissentReason, comments: u32) -> String {
    format!(
        "You are to challenge what is agreed on issue {about}: {}.\n\n\
         With your next {comments} comments there:\n\n\
         1. name what could go wrong, and the cases nobody thought of\n\
         2. hold it against canon, and name what contradicts\n\
         3. say what it will cost later\n\
         4. check in the files of the project what the others took for granted\n\n\
         Agreement alone is no answer. If you find nothing, say what you checked, where, and why it holds.\n\
         The assignment ends after {comments} comments of yours.",
        reason_of(reason)
    )
}

fn leech(tag: &str, [issues, accesses, applied, irrelevant]: [u64; 4]) -> String {
    let share = (applied * 1000).checked_div(accesses).unwrap_or_default();
    format!(
        "Agents come back to {tag} again and again, and little of it reaches the work.\n\n\
         - issues with this tag: {issues}\n- read by agents: {accesses} times\n\
         - applied in the work: {applied} ({}.{} % of the times they were read)\n- marked irrelevant: {irrelevant}\n\n\
         What helps: join the issues into one decision; narrow the question; let no new issues under the tag for a \
         while (`annals moderate freeze-tag`); ask whether agents have goals here that contradict each other.",
        share / 10,
        share % 10
    )
}

/// How often an agent was penalised.
pub fn reliability(agent: &AgentId, model: &ModelId, penalties: u64, actions: u64) -> String {
    format!("{agent}, with the model {model}, was penalised for {penalties} of its last {actions} actions.")
}

fn advice(agent: &AgentId, level: &str) -> String {
    if level != "flagged" {
        return "Look at what it does.".to_owned();
    }
    format!(
        "Another model may serve better: `annals agent edit {agent} --model MODEL`. Its record with this one is kept."
    )
}

fn note(about: Option<String>, body: &str) -> String {
    about.map_or_else(|| body.to_owned(), |about| format!("About issue {about}.\n\n{body}"))
}
