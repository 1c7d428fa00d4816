//! A log of one completion: the request, the response, what it cost. The request repeats what was said before it.

use super::KIND;
use super::flow::Flow;
use super::tokens::usage_of_response;
use crate::common::text_of;
use crate::entries::{EntryClock, Fields, Made, Origin, Spot};
use crate::feed::DueRecord;
use crate::object::{Object, rounded};
use crate::{PassedOver, Sink};
use annals_kernel::annals::Usage;
use annals_kernel::id::ModelId;
use annals_kernel::record::Speech;
use annals_kernel::time::Timestamp;

/// Reads a log as a session of its own, known by the id of the response.
pub(super) fn import(file_name: &str, log: &Object<'_>, line: &DueRecord, sink: &mut dyn Sink) -> Made {
    let response = log.object("response");
    let native = response.text("id").map_or_else(|| line.hash.clone(), String::from);
    let mut flow = Flow::new(Origin::new(KIND, &native, file_name));
    let model = response.text("model");
    flow.model = model.as_deref().map(ModelId::from);
    let at = log.number("timestamp").and_then(|seconds| rounded(seconds * 1000.0)).map(Timestamp::from_millis);
    let input = Fields::new().with("tool", KIND).with("native_id", &native).some("model", model.as_deref());
    flow.start(sink, input, at, Some(line.number))?;
    for _ in log.list("messages") {
        sink.passed_over(PassedOver::Copy, line.number);
    }
    let clock = if at.is_some() { EntryClock::Tool } else { EntryClock::Synthetic };
    let spot = Spot { at: at.unwrap_or_default(), clock, record: native.as_str().into(), line: Some(line.number) };
    let cost = log.number("cost").and_then(|cost| rounded(cost * 1e6)).unwrap_or(0);
    let usage = Usage { requests: 1, cost_micro_usd: cost, ..usage_of_response(&response) };
    let message = response.list("choices").first().map(|choice| Object::of(choice.get()).object("message"));
    let message = message.unwrap_or_default();
    let text = message.raw("content").map(text_of).unwrap_or_default();
    let thinking = message.text("reasoning_content").unwrap_or_default();
    let texts = [(Speech::Message, &*text, spot.clone()), (Speech::Thinking, &*thinking, spot.part("thinking"))];
    flow.says(sink, &texts, Some(usage), &spot)?;
    for _ in message.list("tool_calls") {
        sink.passed_over(PassedOver::Unanswered, line.number);
    }
    Ok(None)
}
