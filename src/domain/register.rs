//! All rooms together: one state, one command, one event.
//!
//! Does not fold and does not order; `world` does.

use serde::{Deserialize, Serialize};

use super::{access, config, erasure, session, usage};
use crate::kernel::decision::{Cause, Moment, Outcome, Refusal};
use crate::kernel::envelope::Envelope;
use crate::kernel::id::{AgentId, EntryId};
use crate::kernel::json::Json;
use crate::kernel::rows::{self, Table};
use crate::kernel::settings::AnySetting;
use crate::kernel::time::Timestamp;
use crate::kernel::wire::{BadWire, WireDoc};

/// Every setting that a room reads.
pub static SETTINGS: &[&dyn AnySetting] =
    &[&access::policy::READ_ONLY, &access::policy::WRITABLE, &access::policy::EXECUTABLE];

/// The states of all rooms.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Rooms {
    /// Sessions.
    pub session: session::State,
    /// Who may write where.
    pub access: access::State,
    /// Tokens and money.
    pub usage: usage::State,
    /// Configuration in force.
    pub config: config::State,
    /// What was taken out of the history.
    pub erasure: erasure::State,
}

/// What the rooms know beside the rows of their tables: small, and always in memory.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Heads {
    session: session::state::Totals,
    access: access::State,
    usage: usage::Totals,
    config: config::State,
    erasure: erasure::State,
}

impl Rooms {
    /// What is always in memory.
    pub fn heads(&self) -> Heads {
        Heads {
            session: self.session.totals.clone(),
            access: self.access.clone(),
            usage: self.usage.totals.clone(),
            config: self.config.clone(),
            erasure: self.erasure.clone(),
        }
    }

    /// Rooms of whose tables nothing is in memory yet.
    pub fn from_heads(heads: Heads) -> Self {
        Self {
            session: session::State { totals: heads.session, sessions: rows::Rows::absent() },
            access: heads.access,
            usage: usage::State { totals: heads.usage, sessions: rows::Rows::absent() },
            config: heads.config,
            erasure: heads.erasure,
        }
    }

    /// The tables, by name.
    pub fn tables(&self) -> [(&'static str, &dyn Table); 2] {
        [("session.sessions", &self.session.sessions), ("usage.sessions", &self.usage.sessions)]
    }

    /// The tables, by name, to be changed.
    pub fn tables_mut(&mut self) -> [(&'static str, &mut dyn Table); 2] {
        [("session.sessions", &mut self.session.sessions), ("usage.sessions", &mut self.usage.sessions)]
    }
}

/// A command and what was found out for it, before anything is decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// What is asked.
    pub command: Command,
    /// What was found out, as its room reads it.
    pub observed: Json,
}

/// What was decided, in any room.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Decided {
    /// What happened.
    pub events: Vec<Event>,
    /// Why what was asked did not.
    pub refusal: Option<Refusal>,
}

/// Joins the rooms that have commands and events.
macro_rules! join {
    ( $( $(#[doc = $doc:literal])* $variant:ident($room:ident), )* ) => {
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
                $( match $room::Command::read(name, data) {
                    Err(BadWire::UnknownName(_)) => {}
                    result => return result.map(Self::$variant),
                } )*
                Err(BadWire::UnknownName(name.into()))
            }
        }

        /// An event of any room.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Event {
            $( $(#[doc = $doc])* $variant($room::Event), )*
        }

        impl Event {
            /// The name on the wire.
            pub fn name(&self) -> &'static str {
                match self { $( Self::$variant(event) => event.name(), )* }
            }

            /// The fields.
            pub fn data(&self) -> Json {
                match self { $( Self::$variant(event) => event.data(), )* }
            }

            /// Finds the event of a name, in whatever room.
            pub fn read(name: &str, data: &Json) -> Result<Self, BadWire> {
                $( match $room::Event::read(name, data) {
                    Err(BadWire::UnknownName(_)) => {}
                    result => return result.map(Self::$variant),
                } )*
                Err(BadWire::UnknownName(name.into()))
            }
        }

        $( impl From<$room::Command> for Command {
            fn from(command: $room::Command) -> Self {
                Self::$variant(command)
            }
        }

        impl From<Outcome<$room::Event, $room::Refusal>> for Decided {
            fn from(outcome: Outcome<$room::Event, $room::Refusal>) -> Self {
                let refusal = outcome.refusal.map(|refusal| Refusal {
                    rule: refusal.rule().into(),
                    message: refusal.to_string().into(),
                    hint: Some(refusal.hint().into()),
                });
                Self { events: outcome.events.into_iter().map(Event::$variant).collect(), refusal }
            }
        } )*

        impl Rooms {
            /// Asks the room of a command. An observation that the room cannot read counts as none.
            pub fn decide(&self, ask: &Ask, moment: &Moment<'_>) -> Decided {
                match &ask.command {
                    $( Command::$variant(command) => {
                        let observed: $room::Observed = ask.observed.read().unwrap_or_default();
                        $room::decide(&self.$room, command, &observed, moment).into()
                    } )*
                }
            }
        }

        impl Rooms {
            /// Takes in an event of a decision; `ask` is what was asked, where this version knows it.
            pub fn evolve(&mut self, event: &Event, ask: Option<&Ask>, moment: (EntryId, Timestamp, &AgentId)) {
                let (id, at, actor) = moment;
                match event {
                    $( Event::$variant(event) => {
                        let observed: $room::Observed =
                            ask.and_then(|ask| ask.observed.read().ok()).unwrap_or_default();
                        let asked = match ask.map(|ask| &ask.command) {
                            Some(Command::$variant(command)) => Some((command, &observed)),
                            _ => None,
                        };
                        self.$room.evolve(event, &Cause { asked, id, at, actor });
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
            [$( $room::Event::DOCS, )*].into_iter().flatten()
        }
    };
}

join! {
    /// Sessions.
    Session(session),
    /// Who may write where.
    Access(access),
    /// Configuration.
    Config(config),
    /// What was taken out of the history.
    Erasure(erasure),
}

impl Rooms {
    /// Takes in one entry, whoever wrote it.
    pub fn observe(&mut self, entry: &Envelope<'_>) {
        self.session.observe(entry);
        self.usage.observe(entry);
    }
}
