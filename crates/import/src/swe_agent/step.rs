//! A step of a trajectory: what the agent said, the command it gave, and what came back.

use annals_kernel::record::Speech;
use std::borrow::Cow;

use super::{SweAgentRun, spot};
use crate::calls::{CallVerdict, EndNote, OpenCall, Outcome};
use crate::common::{first_line, text_of, touched};
use crate::entries::{EntryStep, Fields};
use crate::object::{Object, millis, text};
use crate::{ImportError, Sink};
use annals_kernel::json::Json;

impl SweAgentRun {
    pub(super) fn step(&mut self, sink: &mut dyn Sink, step: &Object<'_>) -> Result<(), ImportError> {
        self.steps += 1;
        let record = format!("step/{}", self.steps);
        let action = step.text("action").unwrap_or_default();
        let action = action.trim();
        let thought = step.text("thought").unwrap_or_default();
        if action.is_empty() && thought.trim().is_empty() {
            self.says(sink, Speech::Message, &step.text("response").unwrap_or_default(), &record)?;
        }
        self.says(sink, Speech::Thinking, &thought, &record)?;
        if action.is_empty() {
            return Ok(());
        }
        let mut call = self.call("run", Some(command(action)), &record);
        if call.files.is_empty() && edits_open_file(action) {
            call.files = open_file(step);
        }
        let observation = step.raw("observation");
        let text = observation.map(text_of).unwrap_or_default();
        let seconds = step.number("execution_time");
        let outcome = Outcome {
            verdict: verdict(&text),
            output: step.json("observation"),
            duration_ms: seconds.and_then(millis),
        };
        sink.entry(call.finish(outcome, &spot(&record, self.steps * 1000 + 500)))
    }

    /// A `message` or `thinking`, where there is one.
    pub(super) fn says(&self, sink: &mut dyn Sink, kind: Speech, text: &str, record: &str) -> Result<(), ImportError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(());
        }
        self.put(sink, EntryStep::says(kind, text), &format!("{record}/{}", kind.name()), self.steps * 1000)
    }

    /// A call that begins with this step; it ends half a second later.
    pub(super) fn call(&self, name: &str, arguments: Option<Json>, record: &str) -> OpenCall {
        let files = arguments.as_ref().map(files).unwrap_or_default();
        OpenCall {
            origin: self.origin.clone(),
            name: name.into(),
            arguments,
            files,
            model: None,
            spot: spot(record, self.steps * 1000),
            note: EndNote::default(),
        }
    }
}

/// `edit 4:4` names lines of the file that is open.
fn edits_open_file(action: &str) -> bool {
    matches!(action.split_whitespace().next(), Some("edit" | "insert" | "append"))
}

/// The file that was open when a step was taken; the state is an object, or one in a text.
fn open_file(step: &Object<'_>) -> Vec<Box<str>> {
    let Some(raw) = step.raw("state") else { return Vec::new() };
    let text = text(raw).map_or_else(|| raw.get().to_owned(), Cow::into_owned);
    let state = Object::of(&text);
    let folder = state.text("working_dir").unwrap_or_default();
    let file = state.text("open_file").filter(|file| !matches!(&**file, "" | "n/a"));
    touched(&folder, &folder, file.as_deref())
}

/// The input of a command line.
pub(super) fn command(action: &str) -> Json {
    Fields::new().with("command", action).json()
}

/// Whether SWE-agent's own tools and shell say that they failed. There is no exit code, and what a program printed is
/// not judged. A notice about a command that was stopped stands on a line of its own behind what it had printed.
pub(super) fn verdict(observation: &str) -> CallVerdict {
    const REFUSED: [&str; 2] = ["Your proposed edit has introduced new syntax error", "Text not found"];
    const STOPPED: [&str; 3] = ["EXECUTION TIMED OUT", "COMMAND TIMED OUT", "COMMAND FAILED TO EXECUTE"];
    let text = observation.trim();
    let cancelled = text.starts_with("The command '") && text.contains("' was cancelled because it took more than ");
    if cancelled || text == "Wrong flag!" || REFUSED.iter().any(|prefix| text.starts_with(prefix)) {
        return CallVerdict::Failed(first_line(text));
    }
    let stopped = text.lines().find(|line| STOPPED.iter().any(|prefix| line.starts_with(prefix)));
    stopped.map_or(CallVerdict::Done, |line| CallVerdict::Failed(first_line(line)))
}

/// The files that a call names: by the members of its arguments, or as what `open` and `create` open.
fn files(arguments: &Json) -> Vec<Box<str>> {
    let members = Object::of(arguments.text());
    let named: Vec<_> = ["path", "filename", "file_name"].into_iter().filter_map(|key| members.text(key)).collect();
    let command = members.text("command").unwrap_or_default();
    let mut words = command.split_whitespace();
    let opened = words.next().filter(|word| matches!(*word, "open" | "create")).and(words.next());
    let opened = opened.map(|word| word.trim_matches(['"', '\'']));
    touched("", "", named.iter().map(|path| &**path).chain(opened))
}
