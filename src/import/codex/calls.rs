//! Calls that wait for their results, by call id.
//!
//! Does not read outputs; `outcome` does.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::outcome::{Outcome, Verdict};
use crate::import::Draft;
use crate::import::entries::{Fields, Origin, Spot, Step};
use crate::import::object::keep;
use crate::kernel::id::ModelId;
use crate::kernel::json::Json;

/// Results that came before their calls are kept up to this size altogether: a source may be shuffled.
const EARLY_BYTES: usize = 4 << 20;

/// A call without its result.
#[derive(Debug)]
pub struct Call {
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
    /// What an event said about its end before the output came.
    pub note: EndNote,
}

/// What `exec_command_end` and its like say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndNote {
    /// Why it failed.
    pub error: Option<String>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
}

/// A result whose call has not come.
#[derive(Debug)]
pub struct Early {
    /// The output, as it was written.
    pub output: Option<Json>,
    /// Where it stands.
    pub spot: Spot,
}

/// What a result does.
#[derive(Debug)]
pub enum Ended {
    /// It ends its call.
    Now(Box<Draft>),
    /// It waits for its call; those no longer can wait.
    Early(Vec<Early>),
}

/// Everything that waits.
#[derive(Debug, Default)]
pub struct Calls {
    open: BTreeMap<Box<str>, Call>,
    early: BTreeMap<Box<str>, Early>,
}

impl Calls {
    /// A call begins; a draft where its result was there before it.
    pub fn begin(&mut self, origin: &Origin, call: Call) -> Option<Draft> {
        let Some(early) = self.early.remove(&call.spot.record) else {
            self.open.insert(call.spot.record.clone(), call);
            return None;
        };
        let output = early.output.as_ref().and_then(|json| serde_json::from_str(json.text()).ok());
        Some(finish(origin, call, output, &early.spot))
    }

    /// A result comes.
    pub fn end(&mut self, origin: &Origin, id: &str, output: Option<&RawValue>, spot: &Spot) -> Ended {
        if let Some(call) = self.open.remove(id) {
            return Ended::Now(Box::new(finish(origin, call, output, spot)));
        }
        let kept = output.map(keep);
        let replaced = self.early.insert(id.into(), Early { output: kept, spot: spot.clone() });
        Ended::Early(replaced.into_iter().chain(self.crowded_out()).collect())
    }

    fn crowded_out(&mut self) -> Option<Early> {
        let size = |early: &Early| early.output.as_ref().map_or(0, |output| output.text().len());
        let bytes: usize = self.early.values().map(size).sum();
        if bytes > EARLY_BYTES { self.early.pop_first().map(|(_, early)| early) } else { None }
    }

    /// An event says how a call ended, before its output comes.
    pub fn note_end(&mut self, id: &str, note: EndNote) {
        if let Some(call) = self.open.get_mut(id) {
            call.note = note;
        }
    }

    /// Nothing that is open can finish any more.
    pub fn interrupt(&mut self, origin: &Origin, spot: &Spot) -> Vec<Draft> {
        let open = std::mem::take(&mut self.open);
        let interrupted = |call: Call| {
            let duration = spot.at.since(call.spot.at);
            let place = Spot { at: spot.at, ..call.spot.clone() };
            step(call).lasting(Some(duration)).failing(Some("interrupted")).at(origin, place)
        };
        open.into_values().map(interrupted).collect()
    }

    /// Everything that still waits at the end of the source: calls, then results.
    pub fn rest(self) -> (Vec<Call>, Vec<Early>) {
        (self.open.into_values().collect(), self.early.into_values().collect())
    }
}

fn step(call: Call) -> Step {
    Step::call(&call.name, call.arguments).files(call.files).model(call.model.as_ref())
}

fn finish(origin: &Origin, mut call: Call, output: Option<&RawValue>, spot: &Spot) -> Draft {
    let outcome = Outcome::of(output);
    let place = Spot { record: call.spot.record.clone(), ..spot.clone() };
    let note = std::mem::take(&mut call.note);
    let error = match outcome.verdict {
        Verdict::Rejected(reason) => return refusal(call, &reason, Step::user, "rejection").at(origin, place),
        Verdict::Denied(reason) => return refusal(call, &reason, Step::event, "denial").at(origin, place),
        Verdict::Failed(error) => Some(error),
        Verdict::Done => note.error,
    };
    let measured = outcome.duration_ms.or(note.duration_ms);
    let duration = measured.unwrap_or_else(|| spot.at.since(call.spot.at));
    step(call).output(outcome.output).lasting(Some(duration)).failing(error.as_deref()).at(origin, place)
}

fn refusal(call: Call, reason: &str, step: fn(&str, Fields) -> Step, name: &str) -> Step {
    let input = Fields::new()
        .with("tool", &call.name)
        .some("input", call.arguments.as_ref())
        .with("call", &call.spot.record)
        .with("reason", reason);
    step(name, input).files(call.files)
}
