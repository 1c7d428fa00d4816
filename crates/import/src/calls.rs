//! Calls that wait for their results, by call id, and the entry that the two make together.
//!
//! Does not read results; each importer does, and says what became of the call.

use annals_kernel::record::{Event, Input};
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::entries::{EntryStep, Fields, Origin, Spot};
use super::object::keep;
use super::{Draft, PassedOver, Sink};
use annals_kernel::id::ModelId;
use annals_kernel::json::Json;
use annals_kernel::time::Timestamp;

/// Results that came before their calls are kept up to this size altogether: a source may be shuffled.
const EARLY_BYTES: usize = 4 << 20;

/// A call without its result.
#[derive(Debug, Clone)]
pub struct OpenCall {
    /// The session that it belongs to.
    pub origin: Origin,
    /// The tool's name.
    pub name: Box<str>,
    /// The arguments.
    pub arguments: Option<Json>,
    /// The files that they name.
    pub files: Vec<Box<str>>,
    /// The model that called.
    pub model: Option<ModelId>,
    /// Where it stands; the record is the call's id.
    pub spot: Spot,
    /// What was said about its end before its result came.
    pub note: EndNote,
}

/// What is known of a call's end before its result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndNote {
    /// How it ended, where it did not end well.
    pub verdict: Option<CallVerdict>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
}

impl EndNote {
    /// A "no" that was noted is not undone by a result that only says that the call failed.
    fn joined(self, verdict: CallVerdict) -> CallVerdict {
        match (self.verdict, verdict) {
            (Some(no @ (CallVerdict::Rejected(_) | CallVerdict::Denied(_))), _) => no,
            (Some(noted), CallVerdict::Done) => noted,
            (_, verdict) => verdict,
        }
    }
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallVerdict {
    /// It did what it was asked.
    Done,
    /// It did not.
    Failed(String),
    /// A person said no.
    Rejected(String),
    /// A rule said no.
    Denied(String),
}

/// The result of a call, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What became of the call.
    pub verdict: CallVerdict,
    /// What came out.
    pub output: Option<Json>,
    /// How long the tool says that it took, in milliseconds.
    pub duration_ms: Option<u64>,
}

impl OpenCall {
    /// The entry of a call and its result, at the place of the result.
    pub fn finish(mut self, outcome: Outcome, spot: &Spot) -> Draft {
        let place = Spot { record: self.spot.record.clone(), ..spot.clone() };
        let note = std::mem::take(&mut self.note);
        let noted_ms = note.duration_ms;
        let error = match note.joined(outcome.verdict) {
            CallVerdict::Rejected(reason) => {
                return self.refusal(|input| EntryStep::user(Input::Rejection, input), &reason, place);
            }
            CallVerdict::Denied(reason) => {
                return self.refusal(|input| EntryStep::event(Event::Denial, input), &reason, place);
            }
            CallVerdict::Failed(error) => Some(error),
            CallVerdict::Done => None,
        };
        let measured = outcome.duration_ms.or(noted_ms);
        let duration = measured.or_else(|| self.spot.until(spot.at));
        let (origin, step) = self.step();
        step.output(outcome.output).lasting(duration).failing(error.as_deref()).at(&origin, place)
    }

    fn step(self) -> (Origin, EntryStep) {
        let step = EntryStep::call(&self.name, self.arguments).files(self.files).model(self.model.as_ref());
        (self.origin, step)
    }

    fn refusal(self, step: fn(Fields) -> EntryStep, reason: &str, place: Spot) -> Draft {
        let input = Fields::new()
            .with("tool", &self.name)
            .some("input", self.arguments.as_ref())
            .with("call", &self.spot.record)
            .with("reason", reason);
        step(input).files(self.files).at(&self.origin, place)
    }

    /// The entry of a call that can no longer finish. One that was turned down never began.
    pub fn interrupted(mut self, at: Timestamp) -> Draft {
        match self.note.verdict.take() {
            Some(no @ (CallVerdict::Rejected(_) | CallVerdict::Denied(_))) => {
                let spot = Spot { at, ..self.spot.clone() };
                return self.finish(Outcome { verdict: no, output: None, duration_ms: None }, &spot);
            }
            Some(CallVerdict::Done | CallVerdict::Failed(_)) | None => {}
        }
        let duration = self.spot.until(at);
        let place = Spot { at, ..self.spot.clone() };
        let (origin, step) = self.step();
        step.lasting(duration).failing(Some("interrupted")).at(&origin, place)
    }
}

/// A result whose call has not come.
#[derive(Debug)]
pub struct EarlyResult {
    /// The result, as it was written.
    pub result: Option<Json>,
    /// Where it stands.
    pub spot: Spot,
}

impl EarlyResult {
    /// The result, to be read.
    pub fn raw(&self) -> Option<&RawValue> {
        self.result.as_ref().and_then(|json| serde_json::from_str(json.text()).ok())
    }
}

/// What a result does.
#[derive(Debug)]
pub enum Paired {
    /// It ends this call.
    With(Box<OpenCall>),
    /// It waits for its call; here are those that no longer can.
    Waiting(Vec<EarlyResult>),
}

/// Everything that waits.
#[derive(Debug, Default)]
pub struct Calls {
    open: BTreeMap<Box<str>, OpenCall>,
    early: BTreeMap<Box<str>, EarlyResult>,
}

impl Calls {
    /// A call begins; given back with its result where that was there before it.
    pub fn begin(&mut self, call: OpenCall) -> Option<(OpenCall, EarlyResult)> {
        let Some(early) = self.early.remove(&call.spot.record) else {
            self.open.insert(call.spot.record.clone(), call);
            return None;
        };
        Some((call, early))
    }

    /// A result comes.
    pub fn end(&mut self, id: &str, result: Option<&RawValue>, spot: &Spot) -> Paired {
        if let Some(call) = self.open.remove(id) {
            return Paired::With(Box::new(call));
        }
        let replaced = self.early.insert(id.into(), EarlyResult { result: result.map(keep), spot: spot.clone() });
        Paired::Waiting(replaced.into_iter().chain(self.crowded_out()).collect())
    }

    fn crowded_out(&mut self) -> Option<EarlyResult> {
        let size = |early: &EarlyResult| early.result.as_ref().map_or(0, |result| result.text().len());
        let bytes: usize = self.early.values().map(size).sum();
        if bytes > EARLY_BYTES { self.early.pop_first().map(|(_, early)| early) } else { None }
    }

    /// The call of this id, while it waits.
    pub fn get_mut(&mut self, id: &str) -> Option<&mut OpenCall> {
        self.open.get_mut(id)
    }

    /// Nothing that is open can finish any more.
    pub fn interrupt(&mut self, at: Timestamp) -> Vec<Draft> {
        std::mem::take(&mut self.open).into_values().map(|call| call.interrupted(at)).collect()
    }

    /// Says what still waits at the end of the source, which is this line.
    pub fn finish(self, sink: &mut dyn Sink, last_line: u64) {
        for call in self.open.into_values() {
            sink.passed_over(PassedOver::Unanswered, call.spot.line.unwrap_or(last_line));
        }
        pass_orphans(sink, self.early.into_values());
    }
}

/// Says that these results have no call.
pub(crate) fn pass_orphans(sink: &mut dyn Sink, orphans: impl IntoIterator<Item = EarlyResult>) {
    for early in orphans {
        sink.passed_over(PassedOver::Orphaned, early.spot.line.unwrap_or(0));
    }
}
