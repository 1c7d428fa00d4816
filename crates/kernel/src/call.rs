//! What a finished call of a tool was: reading, searching, editing, testing, …; what it was about; whether it is the
//! same as another one.
//!
//! Pure, and cheap enough for the fold. Told from the tool's name and its arguments, for the tools of all agents that
//! `import` and `hook` know. A guess where a tool has a name of its own. Does not look at what came back.

mod arguments;
mod asked;
pub mod check;
pub mod effect;
mod finished;
pub mod job;
mod nothing;
pub mod patch;
pub mod seen;
mod shell;
mod stopped;
#[cfg(test)]
mod tests;
mod tool;
mod written;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use self::arguments::Arguments;
pub use self::asked::{asked_at, asked_of};
pub use self::check::is_code;
pub use self::finished::Finished;
pub use self::nothing::{found_nothing, is_empty_search};
use self::shell::Line;
pub use self::shell::{Act, Joint, RedirectMode, Writes, acts, is_shell, is_test, operands, program, writes};
pub use self::stopped::was_stopped;
pub use self::tool::{by_name, command_line, hands_over_a_plan, may_write, only_saves};
pub use self::written::written;
use super::entry::{HistoryEntry, OperationType};
use super::grounding::words;
use super::mix::mix;

words! {
    /// What a call does.
    pub enum CallKind {
        /// Looks into a file.
        Read = "read",
        /// Looks for files, or for a text in them.
        Search = "search",
        /// Writes a file.
        Edit = "edit",
        /// Runs a command that is none of the others.
        Shell = "shell",
        /// Runs tests.
        Test = "test",
        /// Looks into the web.
        Web = "web",
        /// Says what is to be done.
        Plan = "plan",
        /// Hands work to another agent.
        Delegate = "delegate",
        /// Asks whether something that was begun has ended: the same again and again, as it should be.
        Wait = "wait",
        /// Anything else.
        Other = "other",
    }
}

/// A hash of a tool and its arguments: the same for the same action, on every machine. Not against forgery.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u64);

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call<'a> {
    /// What it does.
    pub kind: CallKind,
    /// The tool; of a shell, the program that it runs and its verb: `cargo test`.
    pub tool: Cow<'a, str>,
    /// What it is about: a path, a command, a pattern, an address; at most `TARGET_CHARS`, empty where nothing is named.
    pub target: Cow<'a, str>,
    /// The file that it reads or writes, where one is named.
    pub file: Option<Cow<'a, str>>,
    /// The same for the same tool with the same arguments.
    pub action: Action,
}

/// A target is cut here, in characters.
pub const TARGET_CHARS: usize = 200;

impl<'a> Call<'a> {
    /// A call of a tool with arguments, which are JSON; `file` is what the entry names as touched.
    pub fn of(name: &'a str, arguments: &'a str, file: Option<Cow<'a, str>>) -> Self {
        Self::told(name, arguments, || file)
    }

    /// The same, with texts of its own.
    pub fn into_owned(self) -> Call<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let Self { kind, tool, target, file, action } = self;
        Call { kind, tool: own(tool), target: own(target), file: file.map(own), action }
    }

    /// The finished call that an entry is.
    pub fn in_entry(entry: &'a HistoryEntry) -> Option<Self> {
        let operation = &entry.operation;
        let file = || entry.metadata.files_touched.iter().flatten().map(|file| Cow::Borrowed(&**file)).next();
        let is_call = operation.kind == OperationType::ToolCall;
        is_call.then(|| Self::told(&operation.name, operation.input.text(), file))
    }

    fn told(name: &'a str, arguments: &'a str, file: impl FnOnce() -> Option<Cow<'a, str>>) -> Self {
        let read = Arguments::read(arguments);
        let line = read.command.as_deref().map(Line::of);
        let kind = tool::kind(name, &read);
        Self::judged(Cow::Borrowed(name), kind, &read, line.as_ref(), arguments.as_bytes(), file)
    }

    /// Of a tool of this kind; `text` is what its arguments were read from.
    fn judged(
        name: Cow<'a, str>,
        kind: CallKind,
        arguments: &Arguments<'a>,
        line: Option<&Line<'_>>,
        text: &[u8],
        file: impl FnOnce() -> Option<Cow<'a, str>>,
    ) -> Self {
        if kind == CallKind::Shell
            && let (Some(command), Some(line)) = (&arguments.command, line)
        {
            return Self::of_command(&name, command, line, file);
        }
        let action = Action::of(&name, text);
        let touches = matches!(kind, CallKind::Read | CallKind::Edit);
        let file = touches.then(|| file().or_else(|| arguments.path.clone())).flatten();
        let target = file.clone().or_else(|| arguments.target()).map(cut).unwrap_or_default();
        Self { kind, tool: name, target, file, action }
    }

    /// Of the same command, descriptions and time limits are not part.
    fn of_command(
        name: &str,
        command: &Cow<'a, str>,
        line: &Line<'_>,
        file: impl FnOnce() -> Option<Cow<'a, str>>,
    ) -> Self {
        let action = Action::of(name, &**command);
        let run = line.run();
        let touches = matches!(run.kind, CallKind::Read | CallKind::Edit);
        let tool = run.tool.map_or_else(|| Cow::Owned(name.to_owned()), Cow::Owned);
        let file = touches.then(|| file().or_else(|| run.file.map(Cow::Owned))).flatten();
        Self { kind: run.kind, tool, target: cut(command.clone()), file, action }
    }
}

/// At most so many characters.
fn cut(text: Cow<'_, str>) -> Cow<'_, str> {
    let Some((end, _)) = text.char_indices().nth(TARGET_CHARS) else { return text };
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
        Cow::Owned(mut text) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    }
}

impl Action {
    /// A tool and its arguments.
    pub fn of(name: &str, arguments: impl AsRef<[u8]>) -> Self {
        let hash = mix(mix(0, name.as_bytes()), arguments.as_ref());
        Self((hash ^ (hash >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93))
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A text is not the hash of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an action is 16 digits of base 16")]
pub struct NotAnAction;

impl FromStr for Action {
    type Err = NotAnAction;

    fn from_str(text: &str) -> Result<Self, NotAnAction> {
        let digits = Some(text).filter(|text| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        digits.and_then(|text| u64::from_str_radix(text, 16).ok()).map(Self).ok_or(NotAnAction)
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
