//! Calls and their results, joined by the call's id in whichever order they come (FORMATS 1.6).
//!
//! A call without a result, and a result without its call, wait until the end of the file: only then is it certain
//! that the other half is not in it. What waits is at most 32 MiB; beyond that the oldest has waited enough.
//! Does not read lines; `assistant` and `user` do.

use annals_kernel::record::{Event, Input};
use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use crate::{ImportError, PassedOver};
use annals_kernel::call::{CallKind, by_name};
use annals_kernel::id::ModelId;
use annals_kernel::json::Json;
use annals_kernel::whole;

use super::Importer;
use super::step::{RecordPlace, Step};
use super::threads::ParentCall;
use super::verdict::ClaudeVerdict;

const WAITING_BYTES: usize = 32 << 20;

/// A call as the model made it.
#[derive(Debug)]
pub(super) struct ModelCall {
    /// Where it was made.
    pub(super) place: RecordPlace,
    pub(super) id: Box<str>,
    pub(super) name: Box<str>,
    pub(super) input: Json,
    pub(super) files: Option<Vec<Box<str>>>,
    pub(super) model: Option<ModelId>,
    pub(super) message: Option<Box<str>>,
    /// What proves that no result can come any more.
    pub(super) end: Option<RecordPlace>,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Answer {
    /// Where it came.
    pub(super) place: RecordPlace,
    pub(super) verdict: ClaudeVerdict,
    pub(super) output: Option<Json>,
    pub(super) took: Took,
}

/// How long a call took.
#[derive(Debug, Clone, Copy)]
pub(super) enum Took {
    /// As many milliseconds as the tool says.
    Told(u64),
    /// From the call to the result.
    UntilResult,
    /// Nobody saw its end.
    Unknown,
}

#[derive(Debug)]
enum Half {
    Call(Box<ModelCall>),
    Answer(Box<Answer>),
}

/// What waits for its other half, oldest line first.
#[derive(Debug, Default)]
pub(super) struct WaitingHalves {
    halves: BTreeMap<(u64, Box<str>), Half>,
    lines: BTreeMap<Box<str>, u64>,
    bytes: usize,
    /// By session, the latest place after which no result can come: a call from before it may stand behind it.
    ends: BTreeMap<usize, RecordPlace>,
}

impl Half {
    fn line(&self) -> u64 {
        match self {
            Self::Call(call) => call.place.line,
            Self::Answer(answer) => answer.place.line,
        }
    }

    fn bytes(&self) -> usize {
        const AROUND: usize = 512;
        let payload = match self {
            Self::Call(call) => call.input.text().len(),
            Self::Answer(answer) => answer.output.as_ref().map_or(0, |output| output.text().len()),
        };
        payload + AROUND
    }
}

impl WaitingHalves {
    fn put(&mut self, id: Box<str>, half: Half) {
        self.bytes += half.bytes();
        self.lines.insert(id.clone(), half.line());
        self.halves.insert((half.line(), id), half);
    }

    fn put_call(&mut self, mut call: ModelCall) {
        let end = self.ends.get(&call.place.thread).filter(|end| call.place.at < end.at);
        call.end = call.end.or_else(|| end.cloned());
        self.put(call.id.clone(), Half::Call(Box::new(call)));
    }

    fn take(&mut self, id: &str) -> Option<Half> {
        let (id, line) = self.lines.remove_entry(id)?;
        let half = self.halves.remove(&(line, id))?;
        self.bytes -= half.bytes();
        Some(half)
    }

    fn take_oldest(&mut self) -> Option<Half> {
        let ((_, id), _) = self.halves.first_key_value()?;
        let id = id.clone();
        self.take(&id)
    }

    fn calls(&self) -> impl Iterator<Item = &ModelCall> {
        self.halves.values().filter_map(|half| if let Half::Call(call) = half { Some(&**call) } else { None })
    }

    /// From here on no result can come to the calls of a session made before.
    pub(super) fn end(&mut self, by: &RecordPlace) {
        for half in self.halves.values_mut() {
            if let Half::Call(call) = half
                && call.end.is_none()
                && call.place.thread == by.thread
                && call.place.at < by.at
            {
                call.end = Some(by.clone());
            }
        }
        let latest = self.ends.entry(by.thread).or_insert_with(|| by.clone());
        if latest.at < by.at {
            latest.clone_from(by);
        }
    }

    /// The call that started a sub-agent, by its id or else by the task it was given.
    pub(super) fn parent(&self, id: Option<Box<str>>, task: Option<&str>) -> ParentCall {
        #[derive(Deserialize)]
        struct CallArguments {
            prompt: Option<String>,
            subagent_type: Option<Box<str>>,
        }

        let arguments = |call: &ModelCall| call.input.read::<CallArguments>().ok();
        let is_named = |call: &&ModelCall| id.as_deref() == Some(&*call.id);
        if id.is_some() {
            let call = self.calls().find(is_named);
            return ParentCall { agent_type: call.and_then(arguments).and_then(|found| found.subagent_type), call: id };
        }
        let gave_task = |call: &ModelCall| {
            let found = Some(call).filter(|call| by_name(&call.name) == CallKind::Delegate).and_then(arguments)?;
            let is_same = task.is_some() && found.prompt.as_deref() == task;
            is_same.then(|| ParentCall { call: Some(call.id.clone()), agent_type: found.subagent_type })
        };
        self.calls().find_map(gave_task).unwrap_or_default()
    }
}

impl Importer<'_> {
    /// A call was made. The same call again (a copied branch) is none; whether it is new.
    pub(super) fn called(&mut self, call: ModelCall) -> Result<bool, ImportError> {
        if !self.seen.is_new("call", &call.id) {
            return Ok(false);
        }
        match self.waiting.take(&call.id) {
            Some(Half::Answer(answer)) => self.finish_call(call, *answer)?,
            Some(Half::Call(_)) | None => self.waiting.put_call(call),
        }
        self.let_go()?;
        Ok(true)
    }

    /// A result came. A second result of the same call is none; whether it is the first.
    pub(super) fn answered(&mut self, id: Box<str>, answer: Answer) -> Result<bool, ImportError> {
        if !self.seen.is_new("result", &id) {
            return Ok(false);
        }
        match self.waiting.take(&id) {
            Some(Half::Call(call)) => self.finish_call(*call, answer)?,
            Some(Half::Answer(_)) | None => self.waiting.put(id, Half::Answer(Box::new(answer))),
        }
        self.let_go()?;
        Ok(true)
    }

    /// The end of the file: what still waits stays a half.
    pub(super) fn end_calls(&mut self) -> Result<(), ImportError> {
        while let Some(half) = self.waiting.take_oldest() {
            self.give_up(half)?;
        }
        Ok(())
    }

    /// Keeps what waits within its bounds.
    fn let_go(&mut self) -> Result<(), ImportError> {
        while self.waiting.bytes > WAITING_BYTES
            && let Some(half) = self.waiting.take_oldest()
        {
            self.give_up(half)?;
        }
        Ok(())
    }

    fn give_up(&mut self, half: Half) -> Result<(), ImportError> {
        match half {
            Half::Answer(answer) => self.sink.passed_over(PassedOver::Orphaned, answer.place.line),
            Half::Call(mut call) => match call.end.take() {
                Some(place) => {
                    let answer =
                        Answer { place, verdict: ClaudeVerdict::Interrupted, output: None, took: Took::Unknown };
                    self.finish_call(*call, answer)?;
                }
                None => self.sink.passed_over(PassedOver::Unanswered, call.place.line),
            },
        }
        Ok(())
    }

    /// The entry stands where the result stands, in the session of the call.
    fn finish_call(&mut self, call: ModelCall, answer: Answer) -> Result<(), ImportError> {
        let place = RecordPlace { thread: call.place.thread, ..answer.place };
        let duration_ms = match answer.took {
            Took::Told(millis) => Some(millis),
            Took::UntilResult => Some(place.at.since(call.place.at)),
            Took::Unknown => None,
        };
        let no = |reason| No { tool: &call.name, input: &call.input, call: &call.id, reason };
        let step = match &answer.verdict {
            ClaudeVerdict::Rejected(words) => Step::person(Input::Rejection, &no(words.as_deref())),
            ClaudeVerdict::Denied(words) => Step::system(Event::Denial, &no(Some(words))),
            ClaudeVerdict::Done => Step { output: answer.output, duration_ms, ..Step::call(&call.name, call.input) },
            ClaudeVerdict::Failed(text) => {
                failed(Step { output: answer.output, duration_ms, ..Step::call(&call.name, call.input) }, text)
            }
            ClaudeVerdict::Interrupted => {
                let step = Step { output: answer.output, duration_ms, ..Step::call(&call.name, call.input) };
                step.failed(Some("interrupted".into()))
            }
        };
        let mut draft = self.draft(step, &place, call.id);
        draft.provenance.model_id = call.model;
        draft.provenance.parent_message_id = call.message;
        draft.metadata.files_touched = call.files;
        self.sink.entry(draft)
    }
}

/// A refusal.
#[sparse]
#[derive(Serialize)]
struct No<'a> {
    tool: &'a str,
    input: &'a Json,
    call: &'a str,
    reason: Option<&'a str>,
}

/// A failure's text is its error. A plain text is not kept a second time as the output, unless it is long: then the
/// error is its beginning.
fn failed(step: Step, text: &str) -> Step {
    const ERROR_CHARS: usize = 2000;
    let is_text = step.output.as_ref().is_some_and(|output| output.text().starts_with('"'));
    match whole::beginning(text, ERROR_CHARS) {
        Some(beginning) => step.failed(Some(format!("{beginning}…").into())),
        None if is_text => Step { output: None, ..step }.failed(Some(text.into())),
        None => step.failed(Some(text.into())),
    }
}
