//! `join!`: one command and one event of the rooms, and the ways to and from them.
//!
//! Which rooms there are is listed in `register`.

/// Joins the rooms that have commands and events.
macro_rules! join {
    (
        $( $(#[doc = $doc:literal])* $variant:ident($room:ident), )*
        ; $( $(#[doc = $silent_doc:literal])* $silent:ident($silent_room:ident), )*
    ) => {
        /// A command of any room.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Command {
            $( $(#[doc = $doc])* $variant($room::Command), )*
        }

        impl Command {
            /// The name on the wire.
            pub fn name(&self) -> &'static str {
                match self { $( Self::$variant(command) => command.name(), )* }
            }

            /// The fields.
            pub fn data(&self) -> Json {
                match self { $( Self::$variant(command) => command.data(), )* }
            }

            /// Finds the command of a name, in whatever room.
            pub fn read(name: &str, data: &Json) -> Result<Self, BadWire> {
                Self::read_text(name, data.text())
            }

            /// Finds the command of a name, in whatever room, and reads its fields from JSON.
            pub fn read_text(name: &str, data: &str) -> Result<Self, BadWire> {
                $( if let Some(found) = $room::Command::find_text(name, data) {
                    return found.map(Self::$variant);
                } )*
                Err(BadWire::UnknownName(name.into()))
            }
        }

        /// An event of any room.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Event {
            $( $(#[doc = $doc])* $variant($room::Event), )*
            $( $(#[doc = $silent_doc])* $silent($silent_room::Event), )*
        }

        impl Event {
            /// The name on the wire.
            pub fn name(&self) -> &'static str {
                match self {
                    $( Self::$variant(event) => event.name(), )*
                    $( Self::$silent(event) => event.name(), )*
                }
            }

            /// The fields.
            pub fn data(&self) -> Json {
                match self {
                    $( Self::$variant(event) => event.data(), )*
                    $( Self::$silent(event) => event.data(), )*
                }
            }

            /// Finds the event of a name, in whatever room, and reads its fields from JSON.
            pub fn read_text(name: &str, data: &str) -> Result<Self, BadWire> {
                $( if let Some(found) = $room::Event::find_text(name, data) {
                    return found.map(Self::$variant);
                } )*
                $( if let Some(found) = $silent_room::Event::find_text(name, data) {
                    return found.map(Self::$silent);
                } )*
                Err(BadWire::UnknownName(name.into()))
            }
        }

        $( impl From<$silent_room::Event> for Event {
            fn from(event: $silent_room::Event) -> Self {
                Self::$silent(event)
            }
        } )*

        $( impl From<$room::Event> for Event {
            fn from(event: $room::Event) -> Self {
                Self::$variant(event)
            }
        }

        impl From<$room::Command> for Command {
            fn from(command: $room::Command) -> Self {
                Self::$variant(command)
            }
        }

        impl From<Outcome<$room::Event, $room::Refusal>> for Decided {
            fn from(outcome: Outcome<$room::Event, $room::Refusal>) -> Self {
                let refusal = outcome.refusal.map(|refusal| Refusal::of(refusal.rule(), &refusal));
                Self { events: outcome.events.into_iter().map(Event::$variant).collect(), refusal }
            }
        } )*

        /// What was found out for a command, as its room reads it.
        #[derive(Debug)]
        pub enum Observed {
            $( $(#[doc = $doc])* $variant($room::Observed), )*
        }

        impl Observed {
            /// Reads what was found out.
            /// Fails where the room cannot.
            pub fn of(ask: &Ask) -> Result<Self, BadObservation> {
                match &ask.command { $( Command::$variant(_) => ask.read().map(Self::$variant), )* }
            }
        }

        impl Rooms {
            /// Asks the room of a command. Whether the room can read what was found out was checked before.
            pub fn decide(&self, ask: &Ask, moment: &Moment<'_>) -> Decided {
                match &ask.command {
                    $( Command::$variant(command) => {
                        let observed: $room::Observed = ask.observed();
                        $room::decide(&self.$room, command, &observed, moment).into()
                    } )*
                }
            }
        }

        impl Rooms {
            /// Takes in an event of a decision; `asking` is what was asked, where this version knows it.
            pub fn evolve(&mut self, event: &Event, asking: Option<&Asking<'_>>, moment: (EntryId, Timestamp, &AgentId)) {
                let (id, at, actor) = moment;
                match event {
                    $( Event::$variant(event) => {
                        let asked = asking.and_then(|asking| {
                            let Command::$variant(command) = &asking.ask.command else { return None };
                            let Some(Observed::$variant(observed)) = asking.observed() else { return None };
                            Some((command, observed))
                        });
                        self.$room.evolve(event, &Cause { asked, id, at, actor });
                    } )*
                    $( Event::$silent(event) => {
                        self.$silent_room.evolve(event, &Cause { asked: None, id, at, actor });
                    } )*
                }
            }
        }

        /// Every command, for documentation.
        pub fn command_docs() -> impl Iterator<Item = &'static WireDoc> {
            [$( $room::Command::DOCS, )*].into_iter().flatten()
        }

        /// Every event, for documentation.
        pub fn event_docs() -> impl Iterator<Item = &'static WireDoc> {
            [$( $room::Event::DOCS, )* $( $silent_room::Event::DOCS, )*].into_iter().flatten()
        }
    };
}

pub(super) use join;
