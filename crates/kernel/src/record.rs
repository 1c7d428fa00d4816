//! Kinds of records, told by the type and the name of an entry: `docs/IMPORT.md` has the table.
//!
//! The only place where these names stand, for those who write records and those who read them. Does not look into the
//! payload: what was called is `call`'s to say.

use super::entry::OperationType;

/// What an entry records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    /// A finished call, whatever its tool.
    Call,
    /// What a person did.
    Input(Input),
    /// What an agent said.
    Speech(Speech),
    /// What a program tells of a session; every decision, too.
    Event(Event),
    /// A snapshot of an agent's state.
    State,
    /// A type that the protocol does not have.
    #[default]
    Other,
}

macro_rules! names {
    ($(#[$about:meta])* $group:ident { $( $variant:ident = $name:literal, )* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $group {
            $( #[doc = concat!("`", $name, "`")] $variant, )*
            /// Any other name.
            Other,
        }

        impl $group {
            fn named(name: &str) -> Self {
                match name {
                    $( $name => Self::$variant, )*
                    _ => Self::Other,
                }
            }

            /// As it is written; empty for any other.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$variant => $name, )*
                    Self::Other => "",
                }
            }
        }

        impl From<$group> for Kind {
            fn from(one: $group) -> Self {
                Self::$group(one)
            }
        }
    };
}

names! {
    /// What a person did.
    ///
    /// `queued` is a prompt that was typed while the agent worked; importers wrote it until they came to wait for its turn,
    /// where it is a `prompt`. In such a log both may stand, or only the first: who counts what was asked takes both, who
    /// follows turns and tasks takes the prompt alone, for `queued` ended no turn and was not yet read by the agent.
    Input {
        Prompt = "prompt",
        Queued = "queued",
        Command = "command",
        Shell = "shell",
        Interrupt = "interrupt",
        Rejection = "rejection",
        Rewind = "rewind",
    }
}

names! {
    /// What an agent said.
    Speech {
        Message = "message",
        // All texts of a turn, where a hook does not tell one from the other.
        Turn = "turn",
        Thinking = "thinking",
        // What an agent asks of a sub-agent.
        Task = "task",
    }
}

names! {
    /// What a program tells of a session.
    Event {
        SessionStart = "session_start",
        // The decision that begins a session of our own.
        SessionStarted = "history.session.start",
        SessionEnd = "session_end",
        Title = "title",
        Denial = "denial",
        Usage = "usage",
        Compaction = "compaction",
        ApiError = "api_error",
        // More of what another entry tells: what a transcript knows of what a hook has reported.
        Completion = "completion",
        // The end of what went on in the background.
        BackgroundEnd = "background_end",
        CommandOutput = "command_output",
        UnknownRecord = "unknown_record",
        // Of records of unknown types: how many there were.
        ImportNote = "import_note",
        Microcompaction = "microcompaction",
        PullRequest = "pull_request",
        SessionAlias = "session_alias",
        StopHook = "stop_hook",
        Error = "error",
    }
}

impl Kind {
    /// By the type and the name of an entry.
    pub fn of(kind: &str, name: &str) -> Self {
        match kind {
            "tool_call" => Self::Call,
            "user_input" => Self::Input(Input::named(name)),
            "agent_message" => Self::Speech(Speech::named(name)),
            "system_event" => Self::Event(Event::named(name)),
            "cognitive_state" => Self::State,
            _ => Self::Other,
        }
    }

    /// The type of the protocol; of any other type none.
    pub(super) fn type_name(self) -> Option<&'static str> {
        Some(match self {
            Self::Call => "tool_call",
            Self::Input(_) => "user_input",
            Self::Speech(_) => "agent_message",
            Self::Event(_) => "system_event",
            Self::State => "cognitive_state",
            Self::Other => return None,
        })
    }

    /// The type as it is written; of what the protocol does not have, none of its own.
    pub fn operation_type(self) -> OperationType {
        OperationType::from(self.type_name().unwrap_or_default())
    }

    /// The name as it is written; of calls, states and other records each has its own.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Input(input) => input.name(),
            Self::Speech(speech) => speech.name(),
            Self::Event(event) => event.name(),
            Self::Call | Self::State | Self::Other => "",
        }
    }

    /// Whether a session begins with it.
    pub(crate) fn begins_session(self) -> bool {
        matches!(self, Self::Event(Event::SessionStart | Event::SessionStarted))
    }

    /// Whether a person or a rule said no to a call.
    pub fn is_refused_call(self) -> bool {
        matches!(self, Self::Input(Input::Rejection) | Self::Event(Event::Denial))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::HistoryEntry;
    use crate::envelope::{Envelope, Span};

    fn both_readings(kind: &str, name: &str) -> (Kind, Kind) {
        let id = "01K00000000000000000000000";
        let line = format!(
            r#"{{"id":"{id}","timestamp":"2026-01-02T03:04:05.000Z","session_id":"s","operation":{{"type":"{kind}","name":"{name}","input":{{}},"success":true}},"provenance":{{}},"metadata":{{}}}}"#
        );
        let span = Span::scan(line.as_bytes()).expect("a line of our own shape");
        let entry = HistoryEntry::read(&line).expect("an entry");
        (Envelope::new(line.as_bytes(), &span).record(), entry.record())
    }

    #[test]
    fn a_record_is_told_by_type_and_name_by_the_fold_and_by_who_reads_entries() {
        for (kind, name, record) in [
            ("tool_call", "Bash", Kind::Call),
            ("tool_call", "session_start", Kind::Call),
            ("tool_call", "prompt", Kind::Call),
            ("user_input", "prompt", Input::Prompt.into()),
            ("user_input", "queued", Input::Queued.into()),
            ("user_input", r"\u0070rompt", Input::Prompt.into()),
            ("user_input", "message", Input::Other.into()),
            ("agent_message", "message", Speech::Message.into()),
            ("agent_message", "prompt", Speech::Other.into()),
            ("system_event", "denial", Event::Denial.into()),
            ("system_event", "rejection", Event::Other.into()),
            (r"system\u005fevent", "usage", Event::Usage.into()),
            ("cognitive_state", "emotions", Kind::State),
            ("a plugin's own", "prompt", Kind::Other),
        ] {
            assert_eq!(both_readings(kind, name), (record, record), "{kind} {name}");
        }
    }

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let written: [Kind; 9] = [
            Input::Prompt.into(),
            Input::Shell.into(),
            Input::Rejection.into(),
            Speech::Thinking.into(),
            Speech::Task.into(),
            Event::SessionStart.into(),
            Event::Completion.into(),
            Event::Compaction.into(),
            Event::ImportNote.into(),
        ];
        for kind in written {
            assert_eq!(Kind::of(kind.operation_type().as_str(), kind.name()), kind);
        }
    }

    #[test]
    fn only_an_event_begins_a_session() {
        for (kind, name, begins) in [
            ("system_event", "session_start", true),
            ("system_event", "history.session.start", true),
            ("system_event", "session_end", false),
            ("tool_call", "session_start", false),
            ("user_input", "session_start", false),
        ] {
            assert_eq!(Kind::of(kind, name).begins_session(), begins, "{kind} {name}");
        }
    }
}
