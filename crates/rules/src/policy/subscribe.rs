//! `on!`: which policy hears of which events, as one table.
//!
//! Does not know the policies; `policy` lists them.

use super::{EventSource, Setting};
use crate::domain::{Event, Rooms};
use annals_kernel::wire::WireDoc;

/// Events that a policy hears of: of a room those of these variants, or all where none is named; without a room, any.
#[derive(Debug, Clone, Copy)]
pub struct On {
    /// The events of the room.
    pub docs: &'static [WireDoc],
    /// Those of them that count.
    pub variants: &'static [&'static str],
}

impl On {
    /// The names on the wire of those events; of what hears of any event, none.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let (docs, variants) = (self.docs, self.variants);
        let counts = move |doc: &&WireDoc| variants.is_empty() || variants.contains(&doc.variant);
        docs.iter().filter(counts).map(|doc| doc.name)
    }
}

/// What follows from an event that has been taken in already.
#[derive(Debug, Clone, Copy)]
pub struct PolicyRule {
    /// Its file and function.
    pub name: &'static str,
    /// From which events.
    pub on: On,
    /// The events that follow; none where the event is not one of those.
    pub react: fn(&Rooms, &Event, &Setting<'_>) -> Vec<Event>,
}

/// What a room learns from an event that is not its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct LessonRule {
    pub(super) name: &'static str,
    pub(super) on: On,
    pub(super) learn: fn(&mut Rooms, &Event, &EventSource<'_>),
}

/// Makes a table of what hears of which events. `[Room::Variant]` hands on the fields of the event, `[Room::{A, B}]` and
/// `[Room::*]` the event of the room, `[*]` the event as it is.
macro_rules! on {
    (reacts $( [$($on:tt)+] => $policy:path; )*) => {
        &[$( PolicyRule {
            name: stringify!($policy),
            on: on!(@on $($on)+),
            react: |rooms, event, setting| {
                on!(@heard event $($on)+).map(|heard| $policy(rooms, heard, setting)).unwrap_or_default()
            },
        } ),*]
    };
    (learns $( [$($on:tt)+] => $lesson:path; )*) => {
        &[$( LessonRule {
            name: stringify!($lesson),
            on: on!(@on $($on)+),
            learn: |rooms, event, from| {
                if let Some(heard) = on!(@heard event $($on)+) {
                    $lesson(rooms, heard, from);
                }
            },
        } ),*]
    };
    (@on *) => { On { docs: &[], variants: &[] } };
    (@on $room:ident::*) => { On { docs: events::$room::DOCS, variants: &[] } };
    (@on $room:ident::{ $($variant:ident),+ }) => {
        On { docs: events::$room::DOCS, variants: &[$( stringify!($variant) ),+] }
    };
    (@on $room:ident::$variant:ident) => { on!(@on $room::{ $variant }) };
    (@heard $event:ident *) => { Some($event) };
    (@heard $event:ident $room:ident::*) => {
        if let Event::$room(event) = $event { Some(event) } else { None }
    };
    (@heard $event:ident $room:ident::{ $($variant:ident),+ }) => {
        if let Event::$room(event @ ($( events::$room::$variant(_) )|+)) = $event { Some(event) } else { None }
    };
    (@heard $event:ident $room:ident::$variant:ident) => {
        if let Event::$room(events::$room::$variant(heard)) = $event { Some(heard) } else { None }
    };
}
pub(super) use on;
