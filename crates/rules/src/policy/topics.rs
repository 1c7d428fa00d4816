//! Topic health among the other rooms: what is counted of issues, and who hears of a tag that is circled without
//! results (control-room 8.1).

use std::collections::BTreeSet;

use super::breakers::raise;
use super::notices::post;
use super::{EventSource, Setting};
use crate::domain::issue::command::Edit;
use crate::domain::issue::event::{Edited, Marked, Opened, Raised, WasRead};
use crate::domain::issue::meta::{META_TAG, Meta};
use crate::domain::issue::state::tagged;
use crate::domain::issue::status::{IssuePriority, Usefulness};
use crate::domain::issue::{self, Issue};
use crate::domain::notice::{Matter, NoticeLevel};
use crate::domain::topic::{self, ENABLED, Topic};
use crate::domain::{Command, Event, Rooms};
use annals_kernel::actor::USER;
use annals_kernel::id::IssueId;

type TopicTags = BTreeSet<Box<str>>;

/// An issue was opened. What topics learn they learn before the event is taken in: what was before still shows.
pub(super) fn opened(rooms: &mut Rooms, opened: &Opened, from: &EventSource<'_>) {
    if let Some(Command::Issue(issue::Command::Open(open))) = from.command() {
        let typed = || open.tags.iter().map(|tag| tagged(tag)).collect();
        count(rooms, &opened.tags.clone().unwrap_or_else(typed), |topic| topic.issues += 1);
    }
}

/// A rule opened an issue.
pub(super) fn raised(rooms: &mut Rooms, raised: &Raised, _: &EventSource<'_>) {
    count(rooms, &raised.tags, |topic| topic.issues += 1);
}

/// An agent read an issue.
pub(super) fn was_read(rooms: &mut Rooms, read: &WasRead, from: &EventSource<'_>) {
    // Only what agents read: the rule is about agents that circle a tag (control-room 8.1).
    if from.actor.as_str() != USER {
        count(rooms, &tags_of(rooms, &read.issue), |topic| topic.accesses += 1);
    }
}

/// An issue was applied, or found irrelevant.
pub(super) fn marked(rooms: &mut Rooms, marked: &Marked, _: &EventSource<'_>) {
    let last = rooms.issue.issue(&marked.issue).and_then(|issue| issue.marks.last());
    let last = last.map(|mark| mark.usefulness);
    count(rooms, &tags_of(rooms, &marked.issue), |topic| marked_as(topic, last, marked.usefulness));
}

/// Issues about the swarm itself are no topics.
fn count(rooms: &mut Rooms, tags: &TopicTags, change: impl Fn(&mut Topic)) {
    if !tags.contains(META_TAG) {
        change(&mut rooms.topic.totals.all);
        for tag in tags {
            rooms.topic.learn(tag, &change);
        }
    }
}

fn tags_of(rooms: &Rooms, issue: &IssueId) -> TopicTags {
    rooms.issue.issue(issue).map(|issue| issue.tags.clone()).unwrap_or_default()
}

/// What agents read before an issue got a tag counts for the tags that it had then.
pub(super) fn retagged(rooms: &mut Rooms, edited: &Edited, from: &EventSource<'_>) {
    let Some(Command::Issue(issue::Command::Edit(edit))) = from.command() else { return };
    let Some(issue) = rooms.issue.issue(&edited.issue) else { return };
    let before = issue.tags.clone();
    if before.contains(META_TAG) {
        return;
    }
    let (new, gone) = match &edited.tags {
        Some(after) => ((after - &before).into_iter().collect(), (&before - after).into_iter().collect()),
        None => changed(&before, edit),
    };
    for tag in new {
        rooms.topic.learn(&tag, |topic| topic.issues += 1);
    }
    for tag in gone {
        rooms.topic.learn(&tag, |topic| topic.issues = topic.issues.saturating_sub(1));
    }
}

/// As they are typed: which come, and which go. One that is typed twice counts twice, as it always did.
fn changed(before: &TopicTags, edit: &Edit) -> (Vec<Box<str>>, Vec<Box<str>>) {
    let new = edit.tags.iter().map(|tag| tagged(tag)).filter(|tag| !before.contains(tag)).collect();
    let gone = edit.untag.iter().map(|tag| tagged(tag)).filter(|tag| before.contains(tag)).collect();
    (new, gone)
}

/// An issue counts as what it was marked as last.
fn marked_as(topic: &mut Topic, last: Option<Usefulness>, now: Usefulness) {
    match last {
        Some(Usefulness::Applied) => topic.applied = topic.applied.saturating_sub(1),
        Some(Usefulness::Irrelevant) => topic.irrelevant = topic.irrelevant.saturating_sub(1),
        None => {}
    }
    match now {
        Usefulness::Applied => topic.applied += 1,
        Usefulness::Irrelevant => topic.irrelevant += 1,
    }
}

/// Tags of an issue that something happened to may have crossed the line.
pub(super) fn watch(rooms: &Rooms, event: &issue::Event, setting: &Setting<'_>) -> Vec<Event> {
    if !setting.moment.settings.get(&ENABLED) {
        return Vec::new();
    }
    let Some(issue) = rooms.issue.issue(event.issue()).filter(|issue| !Issue::is_meta(issue)) else {
        return Vec::new();
    };
    let crossings = issue.tags.iter().filter_map(|tag| rooms.topic.crossing(tag, setting.moment.settings));
    crossings.map(Event::Topic).collect()
}

/// The moderator gets an issue that reports it, and a notice.
pub(super) fn report(rooms: &Rooms, flagged: &topic::Flagged, setting: &Setting<'_>) -> Vec<Event> {
    let (tag, Topic { issues, accesses, applied, irrelevant }) = (flagged.tag.clone(), flagged.counts);
    let meta = Meta::Leech { tag: tag.clone(), issues, accesses, applied, irrelevant };
    let tags = [META_TAG.into(), "#leech".into(), tag.clone()].into();
    let raised = Raised { priority: IssuePriority::Normal, ..raise(rooms, setting.moment, tags, meta) };
    let notice = post(&raised.assignee, NoticeLevel::Warning, Matter::Leech { tag }, Some(&raised.issue));
    vec![Event::Issue(raised.into()), notice]
}
