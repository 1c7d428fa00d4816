//! What a text that came into a thread cites, judged by what code found of it (control-room 11.2 to 11.4; decisions 14,
//! 15, 15a).

use std::collections::BTreeMap;

use super::Setting;
use crate::domain::credit::Reason;
use crate::domain::credit::command::About;
use crate::domain::credit::event::{Awarded, Cited};
use crate::domain::credit::formula::{Finding, MOST_PER_COMMENT, citation_credits};
use crate::domain::{Ask, Command, Event, Rooms, issue};
use crate::kernel::actor::SYSTEM;
use crate::kernel::credits::Credits;
use crate::kernel::grounding::{Checked, Citation, Outcome, Trigger};
use crate::kernel::id::{AgentId, IssueId};

/// What code found of the files that a command cites. Where nothing was looked at there is nothing.
fn checked(ask: &Ask) -> Vec<Checked> {
    ask.command.said().map(|_| ask.observed::<issue::Observed>().evidence).unwrap_or_default()
}

/// The files that a command cites as they are, with the hash of their content.
pub(super) fn verified_files(ask: &Ask) -> Vec<(Box<str>, Option<Box<str>>)> {
    let verified = checked(ask).into_iter().filter(Checked::is_verified);
    verified.map(|checked| (checked.path, checked.sha256)).collect()
}

/// A comment or resolution came into a thread: what it cites earns credits, or costs some.
pub(super) fn judge(rooms: &Rooms, event: &Event, setting: &Setting<'_>) -> Vec<Event> {
    let Event::Issue(event @ (issue::Event::CommentAdded(_) | issue::Event::Resolved(_))) = event else {
        return Vec::new();
    };
    let id = event.issue();
    let agent = &setting.moment.actor;
    if rooms.roster.agent(agent).is_none() {
        return Vec::new();
    }
    let (trigger, outcome) = context(&setting.ask.command, agent);
    let cited = cited(rooms, id, (trigger, outcome), setting);
    let mut by_finding: BTreeMap<Finding, Vec<Cited>> = BTreeMap::new();
    for one in cited {
        by_finding.entry(one.finding).or_default().push(one);
    }
    // The false ones last, so that they end a streak.
    by_finding.into_iter().rev().map(|(finding, cited)| award(rooms, id, setting, finding.reason(), cited)).collect()
}

fn award(rooms: &Rooms, id: &IssueId, setting: &Setting<'_>, reason: Reason, citations: Vec<Cited>) -> Event {
    let agent = setting.moment.actor.clone();
    let model = rooms.roster.model_of(&agent);
    let amount: Credits = citations.iter().map(|cited| cited.worth).sum();
    let about = About { comment: Some(setting.moment.id), ..About::issue(id) };
    let by = AgentId::from(SYSTEM);
    Event::Credit(Awarded { agent, model, amount, reason, by, weight: None, about, citations }.into())
}

/// Why the files were looked up, and what came of it. What its author says earns no more than `no-action-yet`, and who
/// asked itself was not asked (decision 15).
fn context(command: &Command, agent: &AgentId) -> (Trigger, Outcome) {
    let none = Citation::default();
    let is_comment = if let Command::Issue(issue::Command::Comment(comment)) = command { Some(comment) } else { None };
    let citation = is_comment.map_or(&none, |comment| &comment.citation);
    let asked_itself = citation.triggered_by.as_ref() == Some(agent);
    let trigger = citation.trigger.filter(|_| !asked_itself).unwrap_or(Trigger::Unprompted);
    let outcome = if citation.outcome == Some(Outcome::NoAction) { Outcome::NoAction } else { Outcome::NoActionYet };
    (trigger, outcome)
}

/// Each false citation counts; each file once per agent and issue, and not more of them than a comment may earn for.
fn cited(rooms: &Rooms, id: &IssueId, why: (Trigger, Outcome), setting: &Setting<'_>) -> Vec<Cited> {
    let (agent, settings) = (&setting.moment.actor, setting.moment.settings);
    let most = settings.get(&MOST_PER_COMMENT);
    let ledger = rooms.credit.ledger(id).cloned().unwrap_or_default();
    let (mut judged, mut earning): (Vec<Cited>, usize) = (Vec::new(), 0);
    for checked in checked(setting.ask) {
        let finding = match (checked.is_verified(), checked.is_precise()) {
            (false, _) => Finding::Failed,
            (true, false) => Finding::Verified,
            (true, true) => Finding::Precise,
        };
        let (file, sha256) = (checked.path.clone(), checked.sha256.clone());
        let is_here = |one: &Cited| one.finding != Finding::Failed && one.is_of(&file, sha256.as_deref());
        if finding != Finding::Failed {
            let is_repeated = ledger.has_cited(agent, &file, sha256.as_deref()) || judged.iter().any(is_here);
            if is_repeated || earning == most {
                continue;
            }
            earning += 1;
        }
        let worth = citation_credits(finding, why.0, why.1, settings);
        judged.push(Cited { file, sha256, finding, trigger: why.0, outcome: why.1, worth });
    }
    judged
}
