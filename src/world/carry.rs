//! Carries a command out: guards, the room's decision, and whatever policies make follow from it, until nothing does.
//!
//! Works on a sketch of the rooms that holds only the rows that the decision turns out to need; the rooms themselves
//! stay as they are. Does not record.

use super::Asked;
use crate::domain::{Ask, Asking, Decided, Rooms};
use crate::kernel::decision::Moment;
use crate::kernel::rows::Lent;
use crate::kernel::settings::Settings;
use crate::policy;

/// More events one decision does not have: policies that set each other off for ever end here (DESIGN 1).
const MOST_EVENTS: usize = 64;

/// Decides, with all that follows.
pub fn carry_out(rooms: &Rooms, ask: &Ask, asked: &Asked, settings: &Settings) -> Decided {
    let moment = moment(rooms, asked, settings);
    let mut sketch = rooms.sketch();
    loop {
        let mut run = sketch.clone();
        let decided = follow(&mut run, ask, &moment);
        if sketch.bring_asked(&run, rooms) == Lent::Nothing {
            return decided;
        }
    }
}

/// The moment of a decision: who asks is what the roster says.
pub(super) fn moment<'s>(rooms: &Rooms, asked: &Asked, settings: &'s Settings) -> Moment<'s> {
    let standing = rooms.roster.standing(&asked.actor);
    let Asked { id, at, actor, session } = asked.clone();
    Moment { id, at, actor, standing, session, settings }
}

fn follow(rooms: &mut Rooms, ask: &Ask, moment: &Moment<'_>) -> Decided {
    let mut decided = policy::guard(rooms, ask, moment).unwrap_or_else(|| {
        let decided = rooms.decide(ask, moment);
        policy::review(rooms, ask, decided, moment)
    });
    let asking = Asking::of(ask);
    let from = policy::From { asking: Some(&asking), id: moment.id, at: moment.at, actor: &moment.actor };
    for event in &decided.events {
        policy::take_in(rooms, event, &from);
    }
    let mut next = 0;
    while let Some(event) = decided.events.get(next).cloned() {
        for react in policy::POLICIES {
            for follows in react(rooms, &event, &policy::Setting { ask, moment }) {
                if decided.events.len() < MOST_EVENTS {
                    policy::take_in(rooms, &follows, &from);
                    decided.events.push(follows);
                }
            }
        }
        next += 1;
    }
    decided
}
