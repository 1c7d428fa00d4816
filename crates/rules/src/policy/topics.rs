//! Topic health among the other rooms: what is counted of issues, and who hears of a tag that is circled without
//! results (control-room 8.1).

use std::collections::BTreeSet;

use super::breakers::raise;
use super::notices::post;
use super::{From, Setting};
use crate::domain::issue::command::Edit;
use crate::domain::issue::event::{Edited, Raised};
use crate::domain::issue::meta::{META_TAG, Meta};
use crate::domain::issue::state::tagged;
use crate::domain::issue::status::{Priority, Usefulness};
use crate::domain::issue::{self, Issue};
use crate::domain::notice::{Level, Matter};
use crate::domain::topic::{self, ENABLED, Topic};
use crate::domain::{Command, Event, Rooms};
use annals_kernel::actor::USER;

type Tags = BTreeSet<Box<str>>;

/// What the room of topics learns from an event that is about to be taken in: what was before still shows.
pub(super) fn learn(rooms: &mut Rooms, event: &Event, from: &From<'_>) {
    let Event::Issue(event) = event else { return };
    match event {
        issue::Event::Opened(opened) => {
            if let Some(Command::Issue(issue::Command::Open(open))) = from.command() {
                let typed = || open.tags.iter().map(|tag| tagged(tag)).collect();
                count(rooms, &opened.tags.clone().unwrap_or_else(typed), |topic| topic.issues += 1);
            }
        }
        issue::Event::Raised(raised) => count(rooms, &raised.tags, |topic| topic.issues += 1),
        issue::Event::Edited(edited) => retagged(rooms, edited, from),
        issue::Event::WasRead(_) if from.actor.as_str() != USER => {
            count(rooms, &tags_of(rooms, event), |topic| topic.accesses += 1);
        }
        issue::Event::Marked(marked) => {
            let last = rooms.issue.issue(&marked.issue).and_then(|issue| issue.marks.last());
            let last = last.map(|mark| mark.usefulness);
            count(rooms, &tags_of(rooms, event), |topic| marked_as(topic, last, marked.usefulness));
        }
        issue::Event::WasRead(_)
        | issue::Event::Refuted(_)
        | issue::Event::CommentAdded(_)
        | issue::Event::TurnedAway(_)
        | issue::Event::TextRefused(_)
        | issue::Event::EpistemicChanged(_)
        | issue::Event::Resolved(_)
        | issue::Event::Closed(_)
        | issue::Event::Reopened(_)
        | issue::Event::Started(_)
        | issue::Event::Frozen(_)
        | issue::Event::Thawed(_)
        | issue::Event::Unfrozen(_)
        | issue::Event::Linked(_)
        | issue::Event::Unlinked(_)
        | issue::Event::OpinionRevealed(_) => {}
    }
}

/// Issues about the swarm itself are no topics.
fn count(rooms: &mut Rooms, tags: &Tags, change: impl Fn(&mut Topic)) {
    if !tags.contains(META_TAG) {
        change(&mut rooms.topic.totals.all);
        for tag in tags {
            rooms.topic.learn(tag, &change);
        }
    }
}

fn tags_of(rooms: &Rooms, event: &issue::Event) -> Tags {
    rooms.issue.issue(event.issue()).map(|issue| issue.tags.clone()).unwrap_or_default()
}

/// What agents read before an issue got a tag counts for the tags that it had then.
fn retagged(rooms: &mut Rooms, edited: &Edited, from: &From<'_>) {
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
fn changed(before: &Tags, edit: &Edit) -> (Vec<Box<str>>, Vec<Box<str>>) {
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
pub(super) fn watch(rooms: &Rooms, event: &Event, setting: &Setting<'_>) -> Vec<Event> {
    let Event::Issue(event) = event else { return Vec::new() };
    let counts = matches!(
        event,
        issue::Event::Opened(_)
            | issue::Event::Raised(_)
            | issue::Event::Edited(_)
            | issue::Event::WasRead(_)
            | issue::Event::Marked(_)
    );
    if !counts || !setting.moment.settings.get(&ENABLED) {
        return Vec::new();
    }
    let Some(issue) = rooms.issue.issue(event.issue()).filter(|issue| !Issue::is_meta(issue)) else {
        return Vec::new();
    };
    let crossings = issue.tags.iter().filter_map(|tag| rooms.topic.crossing(tag, setting.moment.settings));
    crossings.map(Event::Topic).collect()
}

/// The moderator gets an issue that reports it, and a notice.
pub(super) fn report(rooms: &Rooms, event: &Event, setting: &Setting<'_>) -> Vec<Event> {
    let Event::Topic(topic::Event::Flagged(flagged)) = event else { return Vec::new() };
    let (tag, Topic { issues, accesses, applied, irrelevant }) = (flagged.tag.clone(), flagged.counts);
    let meta = Meta::Leech { tag: tag.clone(), issues, accesses, applied, irrelevant };
    let tags = [META_TAG.into(), "#leech".into(), tag.clone()].into();
    let raised = Raised { priority: Priority::Normal, ..raise(rooms, setting.moment, tags, meta) };
    let notice = post(&raised.assignee, Level::Warning, Matter::Leech { tag }, Some(&raised.issue));
    vec![Event::Issue(raised.into()), notice]
}
