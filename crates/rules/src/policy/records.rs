//! What one room learns from the events of another: counts and records that follow from them, and need no event.
//!
//! Which rows are looked at follows from the event alone: the fold must be able to tell before it has them.

use super::From;
use super::credits::penalty;
use crate::domain::credit::profile::Blame;
use crate::domain::issue::event::CommentAdded;
use crate::domain::issue::status::Usefulness;
use crate::domain::reliability::record::Record;
use crate::domain::roster::command::Duty;
use crate::domain::{Asking, Command, Event, Observed, Rooms, breaker, issue, milestone, roster};
use annals_kernel::id::{AgentId, IssueId, ModelId};

/// Takes in what an event means for rooms that it is not of.
pub(super) fn learn(rooms: &mut Rooms, event: &Event, from: &From<'_>) {
    if let Event::Roster(roster::Event::Changed(changed)) = event {
        joined(rooms, changed, from);
    } else if let Event::Milestone(event) = event {
        marked_out(rooms, event, from);
    } else if let Event::Issue(event) = event {
        discussed(rooms, event, from);
    } else if let Event::Breaker(event) = event {
        stopped(rooms, event, from);
    } else if let Event::Credit(_) = event {
        penalised(rooms, event, from);
    }
}

/// An agent has a model: its record with that one goes on (control-room 12.4).
fn joined(rooms: &mut Rooms, changed: &roster::event::Changed, from: &From<'_>) {
    let model = rooms.roster.model_of(&changed.agent);
    let active = (changed.to.duty == Duty::Active).then_some(&model);
    rooms.credit.joined(&changed.agent, &model);
    rooms.reliability.switched(&changed.agent, active, from.at);
}

fn marked_out(rooms: &mut Rooms, event: &milestone::Event, from: &From<'_>) {
    match event {
        milestone::Event::Begun(begun) => {
            rooms.credit.begun(begun.kind);
            rooms.team.begun(begun.kind);
        }
        milestone::Event::Ended(ended) => {
            rooms.credit.over(ended.kind, from.id);
            rooms.team.over(ended.kind, from.id);
        }
    }
}

/// The model behind an actor, if it is an agent of the roster.
fn model_of(rooms: &Rooms, actor: &AgentId) -> Option<ModelId> {
    rooms.roster.agent(actor).map(|_| rooms.roster.model_of(actor))
}

/// An agent did something: what it did, and how it changes its record.
fn acted(rooms: &mut Rooms, from: &From<'_>, change: impl FnOnce(&mut Record)) {
    let Some(model) = model_of(rooms, from.actor) else { return };
    rooms.credit.acted(from.actor, &model, (from.id, from.at));
    rooms.reliability.acted(from.actor, &model, change);
}

fn discussed(rooms: &mut Rooms, event: &issue::Event, from: &From<'_>) {
    match event {
        issue::Event::Opened(_) => {
            if let Some(model) = model_of(rooms, from.actor) {
                rooms.credit.started(from.actor, &model, from.id);
            }
            acted(rooms, from, |record| record.issues_started += 1);
        }
        issue::Event::CommentAdded(added) => {
            share(rooms, &added.issue, from);
            let has_evidence = u64::from(has_evidence(added, from));
            acted(rooms, from, |record| {
                record.comments += 1;
                record.comments_taken += 1;
                record.comments_with_evidence += has_evidence;
            });
        }
        issue::Event::Resolved(resolved) => {
            share(rooms, &resolved.issue, from);
            rooms.credit.resolved(&resolved.issue, from.actor, (from.id, from.at));
            acted(rooms, from, |_| {});
        }
        issue::Event::Marked(marked) => found(rooms, marked, from),
        issue::Event::Refuted(_) => acted(rooms, from, |_| {}),
        issue::Event::Unfrozen(unfrozen) => rooms.credit.unfrozen(&unfrozen.issue, from.actor),
        issue::Event::Frozen(frozen) => rooms.credit.frozen(&frozen.issue),
        issue::Event::Raised(_)
        | issue::Event::Edited(_)
        | issue::Event::TurnedAway(_)
        | issue::Event::TextRefused(_)
        | issue::Event::EpistemicChanged(_)
        | issue::Event::Closed(_)
        | issue::Event::Reopened(_)
        | issue::Event::Started(_)
        | issue::Event::Thawed(_)
        | issue::Event::Linked(_)
        | issue::Event::Unlinked(_)
        | issue::Event::OpinionRevealed(_)
        | issue::Event::WasRead(_) => {}
    }
}

/// In lines from before the event said so, whatever was cited counts.
fn has_evidence(added: &CommentAdded, from: &From<'_>) -> bool {
    let Some(Command::Issue(issue::Command::Comment(comment))) = from.command() else { return false };
    added.grounds.map_or(!comment.evidence.is_empty(), |grounds| !grounds.are_none())
}

/// What somebody cites as it is, others may have cited before.
fn share(rooms: &mut Rooms, issue: &IssueId, from: &From<'_>) {
    let said = from.asking.filter(|asking| asking.ask.command.said().is_some());
    let observed = said.and_then(Asking::observed);
    let evidence = if let Some(Observed::Issue(observed)) = observed { &*observed.evidence } else { &[] };
    let verified = evidence.iter().filter(|checked| checked.is_verified());
    let files: Vec<_> = verified.map(|checked| (&*checked.path, checked.sha256.as_deref())).collect();
    rooms.credit.cited(issue, from.actor, &files);
}

/// What somebody says of the use of an issue counts once each way, and not what its author says.
fn found(rooms: &mut Rooms, marked: &issue::event::Marked, from: &From<'_>) {
    let Some(issue) = rooms.issue.issue(&marked.issue).filter(|issue| issue.author != *from.actor) else { return };
    let alike = issue.marks.iter().filter(|mark| mark.usefulness == marked.usefulness && mark.by != issue.author);
    if alike.count() > 1 {
        return;
    }
    let author = issue.author.clone();
    let model = model_of(rooms, &author);
    let agent = model.as_ref().map(|model| (&author, model));
    if marked.usefulness == Usefulness::Applied {
        rooms.credit.applied(agent, (from.id, from.at));
    }
    if let Some((author, model)) = agent {
        rooms.reliability.found(author, model, |record| match marked.usefulness {
            Usefulness::Applied => record.issues_applied += 1,
            Usefulness::Irrelevant => record.issues_irrelevant += 1,
        });
    }
}

fn stopped(rooms: &mut Rooms, event: &breaker::Event, from: &From<'_>) {
    match event {
        breaker::Event::Rejected(_) | breaker::Event::Tripped(_) => acted(rooms, from, |record| record.comments += 1),
        // Who brings the opinion of another did not write it.
        breaker::Event::TextRejected(rejected) if rejected.agent != *from.actor => {}
        breaker::Event::TextRejected(_) => acted(rooms, from, |_| {}),
    }
}

/// Credits were taken: the action at hand is penalised, or, where it is for something else, one more than there was.
fn penalised(rooms: &mut Rooms, event: &Event, from: &From<'_>) {
    let Some(awarded) = penalty(event) else { return };
    let (agent, model) = (&awarded.agent, &awarded.model);
    match rooms.credit.penalised(agent, model, from.id) {
        Blame::Action => rooms.reliability.penalised(agent, model),
        Blame::Again => {}
        Blame::Else => {
            rooms.reliability.acted(agent, model, |_| {});
            rooms.reliability.penalised(agent, model);
        }
    }
}
