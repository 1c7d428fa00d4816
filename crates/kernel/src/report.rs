//! What an entry reports of a session of another tool: the same thing may be told by a hook and by a transcript.
//!
//! Reads one entry. Does not know what was told before; `domain::session::joined` does.

use std::fmt;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::annals::Source;
use super::call::{found_nothing, was_stopped};
use super::envelope::{Ending, Envelope};
use super::id::EntryId;
use super::record::{Event, Input, Kind, Speech};

/// Tools whose hooks give calls no id: theirs are told apart by what was asked, and by their order.
const WITHOUT_CALL_IDS: [&str; 2] = ["gemini-cli", "copilot-cli"];

/// Who tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// A hook, when it happened.
    Hook,
    /// A transcript, afterwards.
    Transcript,
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It was stopped, or its end is not known.
    Interrupted,
    /// It did what it was asked.
    Done,
    /// It found nothing, and failed with that.
    FoundNothing,
    /// It failed.
    Failed,
    /// A person or a rule said no.
    Refused,
}

impl Fate {
    /// What became of a call, by its entry.
    pub fn of_call(entry: &Envelope<'_>) -> Self {
        match entry.ending() {
            Ending::Succeeded => Self::Done,
            Ending::Failed if was_stopped(&entry.error().unwrap_or_default()) => Self::Interrupted,
            Ending::Failed if found_nothing(entry) => Self::FoundNothing,
            Ending::Failed => Self::Failed,
        }
    }

    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Interrupted => "interrupted",
            Self::Done => "done",
            Self::FoundNothing => "found_nothing",
            Self::Failed => "failed",
            Self::Refused => "refused",
        }
    }
}

/// What became of a call, and who saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Witnessed {
    /// Who saw it.
    pub side: Side,
    /// What became of it.
    pub fate: Fate,
}

impl Witnessed {
    /// What is known of a call that a hook and a transcript have told of, in whichever order: who saw its end knows better,
    /// and a transcript better than a hook.
    #[must_use]
    pub fn or_better(self, other: Self) -> Self {
        let rank = |Self { side, fate }: Self| (fate != Fate::Interrupted, side, fate);
        if rank(self) >= rank(other) { self } else { other }
    }
}

/// Numbers that stand for values in what is stored.
macro_rules! codes {
    ($type:ident { $( $variant:ident = $code:literal, )* }) => {
        impl $type {
            /// The number that stands for it.
            pub fn code(self) -> u8 {
                match self { $( Self::$variant => $code, )* }
            }

            /// What a number stands for.
            pub fn of_code(code: u8) -> Option<Self> {
                [$( Self::$variant, )*].into_iter().find(|value| value.code() == code)
            }
        }
    };
}

codes! { Side { Hook = 0, Transcript = 1, } }
codes! { Fate { Interrupted = 0, Done = 1, FoundNothing = 2, Failed = 3, Refused = 4, } }

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The same for two reports of one thing in one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReportKey(u64);

impl ReportKey {
    /// Of names that are kept apart.
    pub fn of(parts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part.len().to_be_bytes());
            hash.update(part);
        }
        Self(hash.finalize().iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    }

    /// As it is stored.
    pub fn to_bytes(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }

    /// From what is stored.
    pub fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(u64::from_be_bytes(bytes))
    }
}

/// What is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A call with an id.
    Call {
        /// Of the id.
        key: ReportKey,
        /// What became of it.
        fate: Fate,
    },
    /// What has no id: the first of the one side is the first of the other.
    Next {
        /// Of what it says.
        key: ReportKey,
        /// What became of it, where it is a call.
        fate: Option<Fate>,
    },
    /// More about what was reported before.
    Completion {
        /// The entry that it completes.
        of: EntryId,
        /// The call, were it one with an id.
        key: ReportKey,
        /// What became of the call, where that is told.
        fate: Option<Fate>,
    },
}

/// What an entry reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// Who tells it.
    pub side: Side,
    /// What.
    pub subject: Subject,
}

/// The input of a completion, as far as a fold reads it.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completes {
    /// The entry that it completes.
    pub of: EntryId,
    /// What became of the call.
    pub verdict: Option<Fate>,
}

/// An entry, as far as its report is concerned.
#[derive(Debug, Clone, Copy)]
pub struct ReportedEntry<'e> {
    /// What it records.
    pub record: Kind,
    /// Its name.
    pub name: &'e str,
    /// What went in.
    pub input: &'e str,
    /// The record that it was made from.
    pub source: &'e Source,
}

impl Report {
    /// What an entry reports; nothing where it was not made from a record of another tool, or can be told only once.
    pub fn of(entry: &Envelope<'_>) -> Option<Self> {
        if !entry.has_source() {
            return None;
        }
        let (source, name) = (entry.source()?, entry.name());
        let input = entry.input_text().unwrap_or("{}");
        let told = ReportedEntry { record: entry.record(), name: &name, input, source: &source };
        Self::of_told(&told, || Fate::of_call(entry))
    }

    /// The same, of the parts of an entry; `fate` says what became of it where it is a call.
    pub(crate) fn of_told(told: &ReportedEntry<'_>, fate: impl FnOnce() -> Fate) -> Option<Self> {
        let side = if told.source.file.is_some() { Side::Transcript } else { Side::Hook };
        let subject = match told.record {
            Kind::Call => call(told, fate()),
            Kind::Input(Input::Rejection) | Kind::Event(Event::Denial) => call(told, Fate::Refused),
            Kind::Event(Event::Completion) => completion(told)?,
            Kind::Event(Event::BackgroundEnd) => return Self::of_end(told, fate),
            Kind::Input(Input::Prompt | Input::Queued | Input::Command | Input::Shell)
            | Kind::Speech(Speech::Message) => said(told)?,
            Kind::Input(Input::Interrupt) | Kind::Event(Event::Compaction) => once_more(told.name),
            Kind::Event(Event::SessionStart) if *told.source.record == *told.name => once_more(told.name),
            Kind::Input(_) | Kind::Speech(_) | Kind::Event(_) | Kind::State | Kind::Other => return None,
        };
        Some(Self { side, subject })
    }
}

impl Report {
    /// The end of what went on in the background: of its call it is known better by nobody.
    fn of_end(told: &ReportedEntry<'_>, fate: impl FnOnce() -> Fate) -> Option<Self> {
        let key = ReportKey::of(&["call", &ended(told.input)?]);
        let subject = Subject::Completion { of: EntryId::MIN, key, fate: Some(fate()) };
        Some(Self { side: Side::Transcript, subject })
    }
}

impl Report {
    /// Whether it tells of a call that has no id.
    pub fn is_nameless_call(&self) -> bool {
        matches!(self.subject, Subject::Next { fate: Some(_), .. })
    }
}

/// The call whose end an entry tells.
pub fn ended(input: &str) -> Option<Box<str>> {
    #[derive(Deserialize)]
    struct ReportEnd {
        call: Option<Box<str>>,
    }

    serde_json::from_str::<ReportEnd>(input).ok()?.call
}

fn call(told: &ReportedEntry<'_>, fate: Fate) -> Subject {
    if WITHOUT_CALL_IDS.contains(&&*told.source.kind) {
        return Subject::Next { key: asked(told), fate: Some(fate) };
    }
    Subject::Call { key: named(told.source), fate }
}

fn named(source: &Source) -> ReportKey {
    ReportKey::of(&["call", &source.record])
}

/// What a call was asked, whether it was made or refused.
fn asked(told: &ReportedEntry<'_>) -> ReportKey {
    #[derive(Deserialize)]
    struct Refused<'a> {
        tool: std::borrow::Cow<'a, str>,
        #[serde(borrow)]
        input: Option<&'a RawValue>,
    }

    if told.record == Kind::Call {
        return asked_of(told.name, told.input);
    }
    let refused: Option<Refused<'_>> = serde_json::from_str(told.input).ok();
    let (tool, input) = refused.map(|refused| (refused.tool, refused.input)).unwrap_or_default();
    asked_of(&tool, input.map(RawValue::get).unwrap_or_default())
}

/// Of a tool and its arguments, whatever white space is between them.
fn asked_of(tool: &str, arguments: &str) -> ReportKey {
    let canonical = serde_json::from_str::<serde_json::Value>(arguments).map(|value| value.to_string());
    ReportKey::of(&["asked", tool, canonical.as_deref().unwrap_or(arguments)])
}

fn completion(told: &ReportedEntry<'_>) -> Option<Subject> {
    let Completes { of, verdict } = serde_json::from_str(told.input).ok()?;
    Some(Subject::Completion { of, key: named(told.source), fate: verdict })
}

/// What somebody said, or typed. What waited for its turn is a prompt that was typed earlier.
fn said(told: &ReportedEntry<'_>) -> Option<Subject> {
    #[derive(Deserialize)]
    struct SaidOutcome<'a> {
        #[serde(borrow)]
        text: Option<&'a RawValue>,
        #[serde(borrow)]
        command: Option<&'a RawValue>,
        #[serde(borrow)]
        args: Option<&'a RawValue>,
    }

    let said: SaidOutcome<'_> = serde_json::from_str(told.input).ok()?;
    let name = if told.record == Input::Queued.into() { Input::Prompt.name() } else { told.name };
    let words = [said.text, said.command, said.args].map(|part| part.map(words).unwrap_or_default());
    let key = ReportKey::of(&["said", name, &words[0], &words[1], &words[2]]);
    Some(Subject::Next { key, fate: None })
}

/// The words of a text, however they are written and set; of a text that lies elsewhere, where it lies.
fn words(value: &RawValue) -> String {
    let text = serde_json::from_str::<String>(value.get());
    text.map_or_else(|_| value.get().to_owned(), |text| text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn once_more(name: &str) -> Subject {
    Subject::Next { key: ReportKey::of(&[name]), fate: None }
}
