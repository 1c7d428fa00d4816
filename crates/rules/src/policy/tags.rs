//! Tags as a person reads them: one that is known in another form is that one, so that nobody steps around a frozen tag,
//! or spreads a topic over several, by other letters (control-room 8.1, 9.3).

use std::collections::BTreeSet;

use crate::domain::issue::command::{Edit, Open};
use crate::domain::issue::state::tagged;
use crate::domain::{Ask, Command, Event, Rooms, RoomsDecided, issue};
use annals_kernel::fold::{self, Folded};
use annals_kernel::id::IssueId;

type Tags = BTreeSet<Box<str>>;

/// The form in which a tag is known: as somebody typed it first; a new one is as it is typed now.
fn known(rooms: &Rooms, typed: &str) -> Box<str> {
    let tag = fold::tag(typed);
    if rooms.topic.topic(&tag).is_some() {
        return tag;
    }
    let folded = Folded::of(&tag);
    let is_it = |known: &str| Folded::of(known).is_same(&folded);
    rooms.topic.tags.iter().map(|(known, _)| known).find(|known| is_it(known)).cloned().unwrap_or(tag)
}

/// The tags of an issue become those that are known.
pub(super) fn review(rooms: &Rooms, ask: &Ask, mut decided: RoomsDecided) -> RoomsDecided {
    let Command::Issue(command) = &ask.command else { return decided };
    for event in &mut decided.events {
        if let (Event::Issue(issue::Event::Opened(opened)), issue::Command::Open(open)) = (&mut *event, command) {
            opened.tags = of_new(rooms, open);
        } else if let (Event::Issue(issue::Event::Edited(edited)), issue::Command::Edit(edit)) = (event, command) {
            edited.tags = of_edited(rooms, &edited.issue, edit);
        }
    }
    decided
}

fn of_new(rooms: &Rooms, open: &Open) -> Option<Tags> {
    let known: Tags = open.tags.iter().map(|tag| known(rooms, tag)).collect();
    let typed: Tags = open.tags.iter().map(|tag| tagged(tag)).collect();
    (known != typed).then_some(known)
}

/// A tag is taken off in whatever form it is there.
fn of_edited(rooms: &Rooms, id: &IssueId, edit: &Edit) -> Option<Tags> {
    let issue = rooms.issue.issue(id)?;
    let gone: Vec<Folded> = edit.untag.iter().map(|tag| Folded::of(&fold::tag(tag))).collect();
    let is_gone = |tag: &str| gone.iter().any(|gone| gone.is_same(&Folded::of(tag)));
    let is_there = |tag: &str| issue.tags.iter().any(|own| fold::are_same(own, tag));
    let new = edit.tags.iter().map(|tag| known(rooms, tag)).filter(|tag| !is_there(tag));
    let tags: Tags = issue.tags.iter().cloned().chain(new).filter(|tag| !is_gone(tag)).collect();
    (tags != issue.retagged(edit)).then_some(tags)
}
