//! `rooms!`: of one table of rooms, their states, tables and settings, one command and one event of all, and the ways to
//! and from them.
//!
//! Which rooms there are is listed in `register`.

/// Joins the rooms. A row says, in this order and where there is any: as what variant the room's commands come, and who may
/// give them; as what variant its events come, where it has no commands; what of its state is always in memory (a field, or
/// all of it); which fields are tables; and its lists of settings.
macro_rules! rooms {
    (
        $(
            #[doc = $doc:literal]
            $room:ident {
                $( asks $asks:ident by $by:ident; )?
                $( tells $tells:ident; )?
                $( keeps $($head:ident)?: $kept:ty; )?
                $( tables $($table:ident),+; )?
                $( settings $($settings:path),+; )?
            }
        )*
    ) => {
        /// Every setting that a room reads.
        pub static SETTINGS: LazyLock<Vec<&'static dyn AnySetting>> =
            LazyLock::new(|| [$( $( $( $settings, )+ )? )*].concat());

        /// The states of all rooms.
        #[derive(Debug, Clone, Default, PartialEq, Serialize)]
        pub struct Rooms {
            $( #[doc = $doc] pub $room: $room::State, )*
        }

        /// What the rooms know beside the rows of their tables: small, and always in memory.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Heads {
            $( $( $room: $kept, )? )*
        }

        impl Rooms {
            /// What is always in memory.
            pub fn heads(&self) -> Heads {
                Heads { $( $( $room: self.$room$( .$head )?.clone(), )? )* }
            }

            /// Rooms of whose tables nothing is in memory yet.
            pub fn above(heads: Heads, store: &Arc<dyn Store>) -> Self {
                let mut rooms = Self::default();
                rooms.set_heads(heads);
                $( $( $( rooms.$room.$table = Rows::above(store, concat!(stringify!($room), ".", stringify!($table))); )+ )? )*
                rooms
            }

            fn set_heads(&mut self, heads: Heads) {
                $( $( self.$room$( .$head )? = heads.$room; )? )*
            }

            /// The tables, by name.
            pub fn tables(&self) -> Vec<(&'static str, &dyn Table)> {
                vec![$( $( $( (concat!(stringify!($room), ".", stringify!($table)), &self.$room.$table), )+ )? )*]
            }

            /// The tables, by name, to be changed.
            pub fn tables_mut(&mut self) -> Vec<(&'static str, &mut dyn Table)> {
                vec![$( $( $( (concat!(stringify!($room), ".", stringify!($table)), &mut self.$room.$table), )+ )? )*]
            }

            /// Asks the room of a command. Whether the room can read what was found out was checked before.
            pub fn decide(&self, ask: &Ask, moment: &Moment<'_>) -> RoomsDecided {
                match &ask.command {
                    $( $( Command::$asks(command) => {
                        let observed: $room::Observed = ask.observed();
                        $room::decide(&self.$room, command, &observed, moment).into()
                    } )? )*
                }
            }

            /// Takes in an event of a decision; `asking` is what was asked, where this version knows it.
            pub fn evolve(
                &mut self,
                event: &Event,
                asking: Option<&Asking<'_>>,
                id: EntryId,
                at: Timestamp,
                actor: &AgentId,
            ) {
                match event {
                    $( $( Event::$asks(event) => {
                        let asked = asking.and_then(|asking| {
                            let Command::$asks(command) = &asking.ask.command else { return None };
                            let Some(Observed::$asks(observed)) = asking.observed() else { return None };
                            Some((command, observed))
                        });
                        self.$room.evolve(event, &Cause { asked, id, at, actor });
                    } )? )*
                    $( $( Event::$tells(event) => {
                        self.$room.evolve(event, &Cause { asked: None, id, at, actor });
                    } )? )*
                }
            }
        }

        /// A room that has events.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Room {
            $( $( #[doc = $doc] $asks, )? )*
            $( $( #[doc = $doc] $tells, )? )*
        }

        /// A command of any room.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Command {
            $( $( #[doc = $doc] $asks($room::Command), )? )*
        }

        impl Command {
            /// Who may give it.
            pub fn asker(&self) -> Asker {
                match self { $( $( Self::$asks(_) => Asker::$by, )? )* }
            }

            /// The name on the wire.
            pub fn name(&self) -> &'static str {
                match self { $( $( Self::$asks(command) => command.name(), )? )* }
            }

            /// The fields.
            pub fn data(&self) -> Json {
                match self { $( $( Self::$asks(command) => command.data(), )? )* }
            }

            /// Finds the command of a name, in whatever room.
            pub fn read(name: &str, data: &Json) -> Result<Self, BadWire> {
                Self::read_text(name, data.text())
            }

            /// Finds the command of a name, in whatever room, and reads its fields from JSON.
            pub fn read_text(name: &str, data: &str) -> Result<Self, BadWire> {
                $( $( if let Some(found) = $room::Command::find_text(name, data) {
                    return found.map(Self::$asks);
                } )? )*
                Err(BadWire::UnknownName(name.into()))
            }
        }

        /// The events of each room, by the name of its variant.
        pub mod events {
            $( $( pub use super::$room::Event as $asks; )? )*
            $( $( pub use super::$room::Event as $tells; )? )*
        }

        /// An event of any room.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Event {
            $( $( #[doc = $doc] $asks($room::Event), )? )*
            $( $( #[doc = $doc] $tells($room::Event), )? )*
        }

        impl Event {
            /// The room that it is of.
            pub fn room(&self) -> Room {
                match self {
                    $( $( Self::$asks(_) => Room::$asks, )? )*
                    $( $( Self::$tells(_) => Room::$tells, )? )*
                }
            }

            /// The name on the wire.
            pub fn name(&self) -> &'static str {
                match self {
                    $( $( Self::$asks(event) => event.name(), )? )*
                    $( $( Self::$tells(event) => event.name(), )? )*
                }
            }

            /// The fields.
            pub fn data(&self) -> Json {
                match self {
                    $( $( Self::$asks(event) => event.data(), )? )*
                    $( $( Self::$tells(event) => event.data(), )? )*
                }
            }

            /// Finds the event of a name, in whatever room, and reads its fields from JSON.
            pub fn read_text(name: &str, data: &str) -> Result<Self, BadWire> {
                $( $( if let Some(found) = $room::Event::find_text(name, data) {
                    return found.map(Self::$asks);
                } )? )*
                $( $( if let Some(found) = $room::Event::find_text(name, data) {
                    return found.map(Self::$tells);
                } )? )*
                Err(BadWire::UnknownName(name.into()))
            }
        }

        $( $( impl From<$room::Event> for Event {
            fn from(event: $room::Event) -> Self {
                Self::$tells(event)
            }
        } )? )*

        $( $( impl From<$room::Event> for Event {
            fn from(event: $room::Event) -> Self {
                Self::$asks(event)
            }
        }

        impl From<$room::Command> for Command {
            fn from(command: $room::Command) -> Self {
                Self::$asks(command)
            }
        }

        impl From<Outcome<$room::Event, $room::Refusal>> for RoomsDecided {
            fn from(outcome: Outcome<$room::Event, $room::Refusal>) -> Self {
                let refusal = outcome.refusal.map(|refusal| Refusal::of(refusal.rule(), &refusal));
                Self { events: outcome.events.into_iter().map(Event::$asks).collect(), refusal }
            }
        } )? )*

        /// What was found out for a command, as its room reads it.
        #[derive(Debug)]
        pub enum Observed {
            $( $( #[doc = $doc] $asks($room::Observed), )? )*
        }

        impl Observed {
            /// Reads what was found out.
            /// Fails where the room cannot.
            pub fn of(ask: &Ask) -> Result<Self, BadObservation> {
                match &ask.command { $( $( Command::$asks(_) => ask.read().map(Self::$asks), )? )* }
            }
        }

        /// Every rule by which a room says no, for documentation.
        pub fn rule_docs() -> impl Iterator<Item = &'static RuleDoc> {
            let docs = [$( $( (Room::$asks, $room::Refusal::RULES), )? )* (Room::Roster, roster::health::Unhealthy::RULES)];
            docs.into_iter().flat_map(|(_, docs)| docs)
        }

        /// Every command, for documentation.
        pub fn command_docs() -> impl Iterator<Item = &'static WireDoc> {
            let docs = [$( $( (Room::$asks, $room::Command::DOCS), )? )*];
            docs.into_iter().flat_map(|(_, docs)| docs)
        }

        /// Every event, for documentation.
        pub fn event_docs() -> impl Iterator<Item = &'static WireDoc> {
            let asked = [$( $( (Room::$asks, $room::Event::DOCS), )? )*];
            let told = [$( $( (Room::$tells, $room::Event::DOCS), )? )*];
            asked.into_iter().chain(told).flat_map(|(_, docs)| docs)
        }
    };
}

pub(super) use rooms;
