//! A line of an evaluation's `output.jsonl`: one task, with its history of events, its metrics and how it ended.

use super::KIND;
use super::flow::Flow;
use super::tokens::accumulated;
use crate::common::hash;
use crate::entries::{EntryClock, EntryStep, Fields, Origin, Spot};
use crate::feed::DueRecord;
use crate::object::{Object, list};
use crate::{ImportError, Sink};
use annals_kernel::annals::Usage;
use annals_kernel::id::ModelId;
use annals_kernel::record::Event;

/// Reads a line as a session of its own.
pub(super) fn import(
    file_name: &str,
    task: &Object<'_>,
    line: &DueRecord,
    sink: &mut dyn Sink,
) -> Result<(), ImportError> {
    // Old evaluations hold pairs of an action and its observation.
    let history = task.list("history").into_iter();
    let events: Vec<_> =
        history.flat_map(|event| if event.get().starts_with('[') { list(event) } else { vec![event] }).collect();
    let first = events.first().map_or(&*line.text, |event| event.get());
    let instance = task.text("instance_id").unwrap_or_default();
    // One instance may be tried several times: its first event tells the tries apart.
    let native = format!("{instance}/{}", &hash(first)[..16]);
    let mut flow = Flow::new(Origin::new(KIND, &native, file_name));
    let started = Object::of(first).time("timestamp");
    let model = task.object("metadata").object("llm_config").text("model");
    flow.model = model.as_deref().map(ModelId::from);
    flow.start(sink, start(task, &native), started, Some(line.number))?;
    for event in &events {
        if let Some(reason) = flow.event(sink, event.get(), &Object::of(event.get()), Some(line.number))? {
            sink.passed_over(reason, line.number);
        }
    }
    end(&mut flow, task, line, sink)?;
    flow.finish(sink, line.number);
    Ok(())
}

fn start(task: &Object<'_>, native: &str) -> Fields {
    let metadata = task.object("metadata");
    Fields::new()
        .with("tool", KIND)
        .with("native_id", native)
        .some("version", metadata.text("git_commit").as_deref())
        .some("model", metadata.object("llm_config").text("model").as_deref())
        .some("agent_type", metadata.text("agent_class").as_deref())
}

/// A line is written when its task is over: what has no result gets none, and the metrics are complete.
fn end(flow: &mut Flow, task: &Object<'_>, line: &DueRecord, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let at = flow.now().unwrap_or_default();
    let clock = if flow.now().is_some() { EntryClock::Tool } else { EntryClock::Synthetic };
    let spot = |record: &str| Spot { at, clock, record: record.into(), line: Some(line.number) };
    flow.interrupt(sink, at)?;
    if let Some(usage) = rest(flow, task) {
        let step = EntryStep::event(Event::Usage, Fields::new()).usage(Some(usage)).model(flow.model.as_ref());
        flow.put(sink, step, &spot("metrics"))?;
    }
    let error = task.text("error");
    let input = Fields::new().with("reason", if error.is_some() { "error" } else { "finished" });
    flow.put(sink, EntryStep::event(Event::SessionEnd, input).failing(error.as_deref()), &spot("session_end"))
        .map(|_| ())
}

/// What the metrics of the whole task add to what its events said.
fn rest(flow: &mut Flow, task: &Object<'_>) -> Option<Usage> {
    let metrics = task.object("metrics");
    if !metrics.has("accumulated_token_usage") {
        return flow.tokens.cost(&metrics);
    }
    let requests = i64::try_from(metrics.list("token_usages").len()).unwrap_or(0);
    flow.tokens.total(Usage { requests, ..accumulated(&metrics) })
}
