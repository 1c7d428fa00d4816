//! What one room learns from the events of another: counts and records that follow from them, and need no event.
//!
//! Which rows are looked at follows from the event alone: the fold must be able to tell before it has them.

use super::EventSource;
use crate::domain::credit::event::Awarded;
use crate::domain::credit::profile::Blame;
use crate::domain::issue::event::{CommentAdded, Frozen, Marked, Opened, Refuted, Resolved, Unfrozen};
use crate::domain::issue::status::Usefulness;
use crate::domain::milestone::event::{Begun, Ended};
use crate::domain::reliability::record::ReliabilityRecord;
use crate::domain::roster::command::Duty;
use crate::domain::roster::event::Changed;
use crate::domain::{Asking, Command, Observed, Rooms, breaker, issue};
use annals_kernel::credits::Credits;
use annals_kernel::id::{AgentId, IssueId, ModelId};

/// An agent has a model: its record with that one goes on (control-room 12.4).
pub(super) fn joined(rooms: &mut Rooms, changed: &Changed, from: &EventSource<'_>) {
    let model = rooms.roster.model_of(&changed.agent);
    let active = (changed.to.duty == Duty::Active).then_some(&model);
    rooms.credit.joined(&changed.agent, &model);
    rooms.reliability.switched(&changed.agent, active, from.at);
}

/// A period of the work begins.
pub(super) fn begun(rooms: &mut Rooms, begun: &Begun, _: &EventSource<'_>) {
    rooms.credit.begun(begun.kind);
    rooms.team.begun(begun.kind);
}

/// A period of the work is over.
pub(super) fn ended(rooms: &mut Rooms, ended: &Ended, from: &EventSource<'_>) {
    rooms.credit.over(ended.kind, from.id);
    rooms.team.over(ended.kind, from.id);
}

/// The model behind an actor, if it is an agent of the roster.
fn model_of(rooms: &Rooms, actor: &AgentId) -> Option<ModelId> {
    rooms.roster.agent(actor).map(|_| rooms.roster.model_of(actor))
}

/// An agent did something: what it did, and how it changes its record.
fn acted(rooms: &mut Rooms, from: &EventSource<'_>, change: impl FnOnce(&mut ReliabilityRecord)) {
    let Some(model) = model_of(rooms, from.actor) else { return };
    rooms.credit.acted(from.actor, &model, from.id, from.at);
    rooms.reliability.acted(from.actor, &model, change);
}

/// An issue was opened.
pub(super) fn opened(rooms: &mut Rooms, _: &Opened, from: &EventSource<'_>) {
    if let Some(model) = model_of(rooms, from.actor) {
        rooms.credit.started(from.actor, &model, from.id);
    }
    acted(rooms, from, |record| record.issues_started += 1);
}

/// A comment was taken.
pub(super) fn commented(rooms: &mut Rooms, added: &CommentAdded, from: &EventSource<'_>) {
    share(rooms, &added.issue, from);
    let has_evidence = u64::from(has_evidence(added, from));
    acted(rooms, from, |record| {
        record.comments += 1;
        record.comments_taken += 1;
        record.comments_with_evidence += has_evidence;
    });
}

/// An issue was resolved.
pub(super) fn resolved(rooms: &mut Rooms, resolved: &Resolved, from: &EventSource<'_>) {
    share(rooms, &resolved.issue, from);
    rooms.credit.resolved(&resolved.issue, from.actor, from.id, from.at);
    acted(rooms, from, |_| {});
}

/// An agent said that an issue was applied, and it is not.
pub(super) fn refuted(rooms: &mut Rooms, _: &Refuted, from: &EventSource<'_>) {
    acted(rooms, from, |_| {});
}

/// A discussion was stopped.
pub(super) fn frozen(rooms: &mut Rooms, frozen: &Frozen, _: &EventSource<'_>) {
    rooms.credit.frozen(&frozen.issue);
}

/// Somebody let a discussion go on.
pub(super) fn unfrozen(rooms: &mut Rooms, unfrozen: &Unfrozen, from: &EventSource<'_>) {
    rooms.credit.unfrozen(&unfrozen.issue, from.actor);
}

/// In lines from before the event said so, whatever was cited counts.
fn has_evidence(added: &CommentAdded, from: &EventSource<'_>) -> bool {
    let Some(Command::Issue(issue::Command::Comment(comment))) = from.command() else { return false };
    added.grounds.map_or(!comment.evidence.is_empty(), |grounds| !grounds.are_none())
}

/// What somebody cites as it is, others may have cited before.
fn share(rooms: &mut Rooms, issue: &IssueId, from: &EventSource<'_>) {
    let said = from.asking.filter(|asking| asking.ask.command.said().is_some());
    let observed = said.and_then(Asking::observed);
    let evidence = if let Some(Observed::Issue(observed)) = observed { &*observed.evidence } else { &[] };
    let verified = evidence.iter().filter(|checked| checked.is_verified());
    let files: Vec<_> = verified.map(|checked| (&*checked.path, checked.sha256.as_deref())).collect();
    rooms.credit.cited(issue, from.actor, &files);
}

/// What somebody says of the use of an issue counts once each way, and not what its author says.
pub(super) fn marked(rooms: &mut Rooms, marked: &Marked, from: &EventSource<'_>) {
    let Some(issue) = rooms.issue.issue(&marked.issue).filter(|issue| issue.author != *from.actor) else { return };
    let alike = issue.marks.iter().filter(|mark| mark.usefulness == marked.usefulness && mark.by != issue.author);
    if alike.count() > 1 {
        return;
    }
    let author = issue.author.clone();
    let model = model_of(rooms, &author);
    let agent = model.as_ref().map(|model| (&author, model));
    if marked.usefulness == Usefulness::Applied {
        rooms.credit.applied(agent, from.id, from.at);
    }
    if let Some((author, model)) = agent {
        rooms.reliability.found(author, model, |record| match marked.usefulness {
            Usefulness::Applied => record.issues_applied += 1,
            Usefulness::Irrelevant => record.issues_irrelevant += 1,
        });
    }
}

/// A breaker stopped a text.
pub(super) fn stopped(rooms: &mut Rooms, event: &breaker::Event, from: &EventSource<'_>) {
    match event {
        breaker::Event::Rejected(_) | breaker::Event::Tripped(_) => acted(rooms, from, |record| record.comments += 1),
        // Who brings the opinion of another did not write it.
        breaker::Event::TextRejected(rejected) if rejected.agent != *from.actor => {}
        breaker::Event::TextRejected(_) => acted(rooms, from, |_| {}),
    }
}

/// Credits were taken: the action at hand is penalised, or, where it is for something else, one more than there was.
pub(super) fn penalised(rooms: &mut Rooms, awarded: &Awarded, from: &EventSource<'_>) {
    if awarded.amount >= Credits::ZERO {
        return;
    }
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
