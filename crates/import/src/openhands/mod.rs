//! `OpenHands` → entries: events of version 0 (an array, or lines), their older form without ids and times, events of
//! the SDK (lines), lines of an evaluation with a history each, and logs of single completions.
//!
//! Times have no zone and are taken as UTC.

mod completion;
mod evaluation;
mod flow;
#[cfg(test)]
mod tests;
mod tokens;
mod v0;
mod v1;

use std::io::BufRead;

use serde_json::value::RawValue;

use self::flow::Flow;
use super::document::{DocumentShape, Ending, beginning, each_part};
use super::entries::Made;
use super::feed::{DueRecord, Rank, WindowPlace, each_line};
use super::object::{Object, early, time};
use super::{Given, ImportError, Sink};

/// As `annals import` names it.
pub(crate) const KIND: &str = "openhands";

/// Reads events, evaluation lines or a completion.
pub(crate) fn import(given: &Given<'_>, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let file_name = given.file;
    if beginning(input)?.first() == Some(&b'[') { array(file_name, input, sink) } else { lines(file_name, input, sink) }
}

/// An array of events: one session.
fn array(file_name: &str, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    const SHAPE: DocumentShape = DocumentShape { arrays: &[], members: &[] };
    let mut flow: Option<Flow> = None;
    let Ending { broken, line } = each_part(input, SHAPE, &mut |part| {
        let event = Object::of(part.text);
        let flow = match &mut flow {
            Some(flow) => flow,
            None if is_event(&event) => flow.insert(Flow::begin(file_name, part.text, &event, sink)?),
            None => return Err(wrong_kind("its elements are no events")),
        };
        if let Some(reason) = flow.event(sink, part.text, &event, None)? {
            sink.passed_over(reason, part.line);
        }
        Ok(())
    })?;
    if let Some(flow) = flow {
        flow.finish(sink, line);
    }
    if let Some(reason) = broken {
        sink.passed_over(reason, line);
    }
    Ok(())
}

/// Lines: events of one session, or evaluations and completions, which are a session each.
fn lines(file_name: &str, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let mut flow: Option<Flow> = None;
    let place = |text: &str| {
        let [at] = early(text, ["timestamp"]);
        WindowPlace { at: at.and_then(|at| time(&at)), rank: Rank::Timed }
    };
    each_line(input, sink, place, |sink, line| {
        if let Some(reason) = record(file_name, &mut flow, sink, &line)? {
            sink.passed_over(reason, line.number);
        }
        Ok(())
    })?;
    if let Some(flow) = flow {
        flow.finish(sink, 0);
    }
    Ok(())
}

fn record(file_name: &str, flow: &mut Option<Flow>, sink: &mut dyn Sink, line: &DueRecord) -> Made {
    let object = Object::of(&line.text);
    if object.raw("history").is_some_and(is_array) {
        return evaluation::import(file_name, &object, line, sink).map(|()| None);
    }
    if object.raw("messages").is_some_and(is_array) && object.has("response") {
        return completion::import(file_name, &object, line, sink);
    }
    let flow = match flow {
        Some(flow) => flow,
        None if is_event(&object) => flow.insert(Flow::begin(file_name, &line.text, &object, sink)?),
        None => return Err(wrong_kind("its lines are neither events nor evaluations")),
    };
    flow.event(sink, &line.text, &object, Some(line.number))
}

fn is_array(raw: &RawValue) -> bool {
    raw.get().starts_with('[')
}

fn is_event(object: &Object<'_>) -> bool {
    let sdk = object.text("kind").is_some_and(|kind| kind.ends_with("Event") || object.has("source"));
    sdk || object.has("action") || object.has("observation")
}

fn wrong_kind(problem: &str) -> ImportError {
    ImportError::WrongKind { expected: "a record of OpenHands", problem: problem.to_owned() }
}
