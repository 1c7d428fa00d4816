//! Comments and circuit breakers: what they stop, the freeze that follows, and the report to the moderator
//! (control-room 3.2, 3.3; decisions 6, 7, 13).

use std::collections::BTreeSet;

use super::notices::moderator;
use super::{EventSource, Setting};
use crate::domain::breaker::event::Tripped;
use crate::domain::breaker::gist::Gist;
use crate::domain::breaker::state::{verdict, verdict_on_text};
use crate::domain::breaker::{
    self, Check, CommentTurn, Discussion, Draft, Ground, Speaker, ViolationSeverity, judge, judge_issue,
};
use crate::domain::issue::decide::COOLDOWN_MINUTES;
use crate::domain::issue::event::{Frozen, Raised};
use crate::domain::issue::meta::{META_TAG, Meta};
use crate::domain::issue::row::{RemarkKind, ThreadRemark};
use crate::domain::issue::status::IssuePriority;
use crate::domain::issue::{self, Issue, ThreadText};
use crate::domain::{Ask, Command, Event, Rooms, RoomsDecided};
use annals_kernel::actor::{SYSTEM, USER};
use annals_kernel::decision::{Moment, Refusal};
use annals_kernel::grounds::Grounds;
use annals_kernel::id::IssueId;
use annals_kernel::json::Json;

/// What every rule says about a text, whether it may pass or not; nothing where the rules do not bind its author, or not
/// this text.
pub fn explain(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Vec<Check> {
    let Some(said) = ask.command.said().filter(|_| moment.standing.is_agent()) else { return Vec::new() };
    let Some(issue) = rooms.issue.issue(said.issue()).filter(|issue| !ends_it(said, issue, moment)) else {
        return Vec::new();
    };
    let known = rooms.breaker.thread(said.issue());
    let observed: issue::Observed = ask.observed();
    let is_new = known.is_new_ground(&said.evidence().files, &observed.evidence);
    let shows_something = |cited: &IssueId| rooms.issue.is_evidence(cited, said.issue(), &moment.actor);
    let draft = Draft {
        author: &moment.actor,
        body: said.text(),
        stance: said.stance(),
        impact: said.impact(),
        grounds: Grounds::of(said.evidence(), &observed.evidence, shows_something),
        ground: if is_new { Ground::New } else { Ground::Known },
    };
    let turns = turns(issue, &known, moment);
    let limits = rooms.breaker.limits(&moment.actor, moment.at, moment.settings);
    judge(&draft, &Discussion { turns: &turns, known: &known }, &limits)
}

/// Whether a text is the first with which its author ends the issue in this epoch: no breaker binds it (decision 7).
fn ends_it(said: ThreadText<'_>, issue: &Issue, moment: &Moment<'_>) -> bool {
    let is_resolution = matches!(said, ThreadText::Resolution(_));
    let is_own =
        |remark: &ThreadRemark| remark.kind == RemarkKind::Resolution && *issue.author_of(remark) == moment.actor;
    is_resolution && !epoch(issue, moment).iter().any(is_own)
}

/// What was said in this epoch, and nothing where the first action thaws the issue.
fn epoch<'i>(issue: &'i Issue, moment: &Moment<'_>) -> &'i [ThreadRemark] {
    if issue.is_thawing(moment.at) { &[] } else { issue.epoch() }
}

/// The comments of this epoch.
fn turns<'i>(issue: &'i Issue, known: &breaker::thread::Thread, moment: &Moment<'_>) -> Vec<CommentTurn<'i>> {
    let turn = |remark: &ThreadRemark| {
        let author = issue.author_of(remark);
        let is_other = [USER, SYSTEM].contains(&author.as_str());
        CommentTurn {
            author,
            speaker: if is_other { Speaker::Other } else { Speaker::Agent },
            ground: if known.is_grounded(remark.id) { Ground::New } else { Ground::Known },
        }
    };
    epoch(issue, moment).iter().map(turn).collect()
}

/// What the breakers learn of threads: what was said in them, and cited.
///
/// Under rules of version 1 they learnt nothing, and what was folded then stays as it was.
pub(super) fn learn(rooms: &mut Rooms, event: &issue::Event, from: &EventSource<'_>) {
    const FIRST_RULES: u64 = 2;
    let Some(asking) = from.asking else { return };
    let Some(text) = heard(event, asking.ask).filter(|_| from.rules >= FIRST_RULES) else { return };
    let thread = rooms.breaker.thread_mut(event.issue());
    thread.hear(&Gist::of(&text));
    if let Some(said) = asking.ask.command.said() {
        let observed: issue::Observed = asking.ask.observed();
        thread.ground(from.id, &said.evidence().files, &observed.evidence);
    }
}

/// The text that comes into a thread with an event.
fn heard(event: &issue::Event, ask: &Ask) -> Option<String> {
    use issue::{Command as Asked, Event as Happened};
    let Command::Issue(command) = &ask.command else { return None };
    if let (Happened::Opened(_), Asked::Open(open)) = (event, command) {
        return Some(format!("{}\n{}", open.title, open.body));
    }
    if let (Happened::Edited(_), Asked::Edit(edit)) = (event, command) {
        return edit.body.as_deref().map(str::to_owned);
    }
    if let (Happened::Unfrozen(_), Asked::Unfreeze(unfreeze)) = (event, command) {
        return Some(unfreeze.guidance.to_string());
    }
    let is_said = matches!(event, Happened::CommentAdded(_) | Happened::Resolved(_));
    command.said().filter(|_| is_said).map(|said| said.text().to_owned())
}

/// Title and text of an issue that an agent opens or edits: words of alarm do not become harmless there.
fn of_an_issue(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<(breaker::Event, Refusal)> {
    let Command::Issue(command) = &ask.command else { return None };
    let (issue, title, text) = if let issue::Command::Open(open) = command {
        (None, &*open.title, &*open.body)
    } else if let issue::Command::Edit(edit) = command {
        (Some(&edit.issue), edit.title.as_deref().unwrap_or_default(), edit.body.as_deref().unwrap_or_default())
    } else {
        return None;
    };
    if !moment.standing.is_agent() {
        return None;
    }
    let limits = rooms.breaker.limits(&moment.actor, moment.at, moment.settings);
    verdict_on_text(issue, &moment.actor, judge_issue(&moment.actor, title, text, &limits))
}

/// Takes back a text that the rules stop.
pub(super) fn review(rooms: &Rooms, ask: &Ask, decided: RoomsDecided, moment: &Moment<'_>) -> RoomsDecided {
    if decided.refusal.is_none()
        && let Some((event, refusal)) = of_an_issue(rooms, ask, moment)
    {
        return RoomsDecided { events: vec![event.into()], refusal: Some(refusal) };
    }
    let Some(said) = ask.command.said().filter(|_| decided.refusal.is_none()) else { return decided };
    let checks = explain(rooms, ask, moment);
    let Some((event, refusal)) = verdict(said.issue(), &moment.actor, checks) else { return decided };
    let is_thawed = |event: &Event| matches!(event, Event::Issue(issue::Event::Thawed(_)));
    let freezes = matches!(event, breaker::Event::Tripped(_));
    let mut events: Vec<_> = decided.events.into_iter().filter(|event| freezes && is_thawed(event)).collect();
    events.push(event.into());
    RoomsDecided { events, refusal: Some(refusal) }
}

/// The violation that freezes.
fn freezing(tripped: &Tripped) -> Option<(&IssueId, &Check)> {
    let freezes = |check: &&Check| check.violation == Some(ViolationSeverity::Freeze);
    Some((&tripped.issue, tripped.violations.iter().find(freezes)?))
}

/// A breaker fired: the issue is frozen.
pub(super) fn freeze(_: &Rooms, tripped: &Tripped, setting: &Setting<'_>) -> Vec<Event> {
    let Some((issue, check)) = freezing(tripped) else { return Vec::new() };
    let minutes = i64::from(setting.moment.settings.get(&COOLDOWN_MINUTES));
    let until = setting.moment.at.plus_millis(minutes * 60_000);
    let frozen = Frozen { issue: issue.clone(), reason: check.rule.as_str().into(), until };
    vec![Event::Issue(frozen.into())]
}

/// A breaker fired: the moderator gets an issue that reports it (control-room 3.3).
pub(super) fn report(rooms: &Rooms, tripped: &Tripped, setting: &Setting<'_>) -> Vec<Event> {
    const SHOWN: usize = 5;
    let Some((id, check)) = freezing(tripped) else { return Vec::new() };
    // A report about a report would set off another one, and never come to an end.
    let Some(issue) = rooms.issue.issue(id).filter(|issue| !issue.is_meta()) else { return Vec::new() };
    let recent = issue.thread.iter().rev().take(SHOWN).rev().map(|remark| remark.id).collect();
    let rule = check.rule.as_str();
    let meta = Meta::Freeze {
        about: id.clone(),
        rule: rule.into(),
        check: Some(Json::of(check).value()),
        message: None,
        recent,
        by: Some(setting.moment.actor.clone()),
        stopped: Some(setting.moment.id),
    };
    let own = [META_TAG.into(), "#circuit-breaker".into(), format!("#{rule}"), format!("#issue-{}", issue.label)];
    let tags = own.into_iter().map(Into::into).collect();
    let raised = raise(rooms, setting.moment, tags, meta);
    vec![Event::Issue(raised.into())]
}

/// An issue for the moderator; callers may hand it to somebody else.
pub(super) fn raise(rooms: &Rooms, moment: &Moment<'_>, tags: BTreeSet<Box<str>>, meta: Meta) -> Raised {
    Raised {
        issue: rooms.issue.next_id(moment.id),
        number: rooms.issue.next_number(),
        title: Box::default(),
        assignee: moderator(rooms),
        priority: IssuePriority::High,
        tags,
        meta,
    }
}
