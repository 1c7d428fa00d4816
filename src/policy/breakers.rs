//! Comments and circuit breakers: what they stop, the freeze that follows, and the report to the moderator
//! (control-room 3.2, 3.3; decisions 6, 7, 13).

use std::collections::BTreeSet;

use super::Setting;
use super::notices::moderator;
use crate::domain::breaker::judge::DraftKind;
use crate::domain::breaker::state::verdict;
use crate::domain::breaker::{self, Check, Draft, Severity, Turn, judge};
use crate::domain::issue::decide::COOLDOWN_MINUTES;
use crate::domain::issue::event::{Frozen, Raised};
use crate::domain::issue::meta::{META_TAG, Meta};
use crate::domain::issue::status::Priority;
use crate::domain::issue::{self, Issue, Said};
use crate::domain::{Ask, Decided, Event, Rooms};
use crate::kernel::decision::Moment;
use crate::kernel::id::{AgentId, IssueId};
use crate::kernel::json::Json;

/// A text that would come into a thread, and which.
fn draft<'a>(ask: &'a Ask, author: &'a AgentId) -> Option<(&'a IssueId, Draft<'a>)> {
    let said = ask.command.said()?;
    let kind = match said {
        Said::Comment(_) => DraftKind::Comment,
        Said::Resolution(_) => DraftKind::Resolution,
    };
    let (body, impact, evidence) = (said.text(), said.impact(), said.evidence());
    Some((said.issue(), Draft { kind, author, body, impact, evidence, escaped: escaped(ask) }))
}

/// How many of the cited files were not looked at.
fn escaped(ask: &Ask) -> usize {
    let observed: issue::Observed = ask.observed();
    observed.evidence.iter().filter(|checked| checked.escape.is_some()).count()
}

/// What every rule says about a text, whether it may pass or not; nothing where the rules do not bind its author.
pub fn explain(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Vec<Check> {
    let Some((id, draft)) = draft(ask, &moment.actor) else { return Vec::new() };
    let Some(issue) = rooms.issue.issue(id).filter(|_| moment.standing.is_agent()) else { return Vec::new() };
    let limits = rooms.breaker.limits(&moment.actor, moment.at, moment.settings);
    judge(&draft, &turns(issue, moment), &limits)
}

/// The comments that count: those of this epoch, and none where the first action thaws the issue.
fn turns<'i>(issue: &'i Issue, moment: &Moment<'_>) -> Vec<Turn<'i>> {
    let epoch = if issue.is_thawing(moment.at) { &[] } else { issue.epoch() };
    epoch.iter().map(|remark| Turn { author: issue.author_of(remark) }).collect()
}

/// Takes back a comment that the rules stop.
pub(super) fn review(rooms: &Rooms, ask: &Ask, decided: Decided, moment: &Moment<'_>) -> Decided {
    let Some(said) = ask.command.said().filter(|_| decided.refusal.is_none()) else { return decided };
    let checks = explain(rooms, ask, moment);
    let Some((event, refusal)) = verdict(said.issue(), &moment.actor, checks) else { return decided };
    let is_thawed = |event: &Event| matches!(event, Event::Issue(issue::Event::Thawed(_)));
    let freezes = matches!(event, breaker::Event::Tripped(_));
    let mut events: Vec<_> = decided.events.into_iter().filter(|event| freezes && is_thawed(event)).collect();
    events.push(event.into());
    Decided { events, refusal: Some(refusal) }
}

/// The violation that freezes.
fn tripped(event: &Event) -> Option<(&IssueId, &Check)> {
    let Event::Breaker(breaker::Event::Tripped(tripped)) = event else { return None };
    let freezes = |check: &&Check| check.violation == Some(Severity::Freeze);
    Some((&tripped.issue, tripped.violations.iter().find(freezes)?))
}

/// A breaker fired: the issue is frozen.
pub(super) fn freeze(_: &Rooms, event: &Event, setting: &Setting<'_>) -> Vec<Event> {
    let Some((issue, check)) = tripped(event) else { return Vec::new() };
    let minutes = i64::from(setting.moment.settings.get(&COOLDOWN_MINUTES));
    let until = setting.moment.at.plus_millis(minutes * 60_000);
    let frozen = Frozen { issue: issue.clone(), reason: check.rule.as_str().into(), until };
    vec![Event::Issue(frozen.into())]
}

/// A breaker fired: the moderator gets an issue that reports it (control-room 3.3).
pub(super) fn report(rooms: &Rooms, event: &Event, setting: &Setting<'_>) -> Vec<Event> {
    const SHOWN: usize = 5;
    let Some((id, check)) = tripped(event) else { return Vec::new() };
    let Some(issue) = rooms.issue.issue(id).filter(|issue| !issue.is_meta()) else { return Vec::new() };
    let recent = issue.thread.iter().rev().take(SHOWN).rev().map(|remark| remark.id).collect();
    let rule = check.rule.as_str();
    let meta = Meta::Freeze {
        about: id.clone(),
        rule: rule.into(),
        check: Some(Json::of(check).value()),
        message: None,
        recent,
    };
    let own = [META_TAG.into(), "#circuit-breaker".into(), format!("#{rule}"), format!("#issue-{}", issue.label)];
    let tags = own.into_iter().map(Into::into).collect();
    let raised = raise(rooms, setting.moment, &format!("[Circuit Breaker] {}", issue.title), tags, meta);
    vec![Event::Issue(raised.into())]
}

/// An issue for the moderator; callers may hand it to somebody else.
pub(super) fn raise(rooms: &Rooms, moment: &Moment<'_>, title: &str, tags: BTreeSet<Box<str>>, meta: Meta) -> Raised {
    Raised {
        issue: rooms.issue.next_id(moment.id),
        number: rooms.issue.next_number(),
        title: title.into(),
        assignee: moderator(rooms),
        priority: Priority::High,
        tags,
        meta,
    }
}
