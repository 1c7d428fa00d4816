//! A step of a trajectory: what the agent said, the command it gave, and what came back.

use super::{Run, spot};
use crate::import::calls::{Call, Note, Outcome, Verdict};
use crate::import::common::{first_line, text_of, touched};
use crate::import::entries::{Fields, Step};
use crate::import::object::{Object, millis};
use crate::import::{ImportError, Sink};
use crate::kernel::json::Json;

impl Run {
    pub(super) fn step(&mut self, sink: &mut dyn Sink, step: &Object<'_>) -> Result<(), ImportError> {
        self.steps += 1;
        let record = format!("step/{}", self.steps);
        let action = step.text("action").unwrap_or_default();
        let action = action.trim();
        let thought = step.text("thought").unwrap_or_default();
        let said = if action.is_empty() && thought.trim().is_empty() { step.text("response") } else { Some(thought) };
        self.says(sink, &said.unwrap_or_default(), &record)?;
        if action.is_empty() {
            return Ok(());
        }
        let call = self.call("run", Some(command(action)), &record);
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

    pub(super) fn says(&self, sink: &mut dyn Sink, text: &str, record: &str) -> Result<(), ImportError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(());
        }
        self.put(sink, Step::says("message", text), &format!("{record}/thought"), self.steps * 1000)
    }

    /// A call that begins with this step; it ends half a second later.
    pub(super) fn call(&self, name: &str, arguments: Option<Json>, record: &str) -> Call {
        let files = arguments.as_ref().map(files).unwrap_or_default();
        Call {
            origin: self.origin.clone(),
            name: name.into(),
            arguments,
            files,
            model: None,
            spot: spot(record, self.steps * 1000),
            note: Note::default(),
        }
    }
}

/// The input of a command line.
pub(super) fn command(action: &str) -> Json {
    Fields::new().with("command", action).json()
}

/// Whether an observation is one of the texts by which SWE-agent's own tools and shell say that they failed.
pub(super) fn verdict(observation: &str) -> Verdict {
    const FAILED: [&str; 5] = [
        "Your proposed edit has introduced new syntax error",
        "EXECUTION TIMED OUT",
        "COMMAND FAILED TO EXECUTE",
        "Text not found",
        "Usage: ",
    ];
    let text = observation.trim_start();
    if FAILED.iter().any(|prefix| text.starts_with(prefix)) { Verdict::Failed(first_line(text)) } else { Verdict::Done }
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
