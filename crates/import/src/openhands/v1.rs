//! Events of the SDK: `{id, timestamp, source, kind, …}`.

use super::flow::{Answered, Flow};
use super::tokens::accumulated;
use crate::calls::{CallVerdict, Outcome};
use crate::common::{first_line, object_in, text_of};
use crate::entries::{EntryStep, Fields, Made, Spot, pass_unread};
use crate::object::Object;
use crate::{PassedOver, Sink};
use annals_kernel::annals::Usage;
use annals_kernel::id::ModelId;
use annals_kernel::record::{Event, Input, Speech};

/// The session that a first event belongs to: the conversation that it names, or else that event's own id.
pub(super) fn conversation(event: &Object<'_>) -> Option<String> {
    if !event.has("kind") {
        return None;
    }
    let named = event.object("value").text("id").filter(|_| event.text("key").as_deref() == Some("full_state"));
    named.or_else(|| event.text("id")).map(String::from)
}

/// Takes an event.
pub(super) fn event(flow: &mut Flow, sink: &mut dyn Sink, text: &str, event: &Object<'_>, spot: &Spot) -> Made {
    let kind = event.text("kind").unwrap_or_default();
    match &*kind {
        "MessageEvent" => message(flow, sink, event, spot),
        "ActionEvent" => action(flow, sink, event, spot),
        "ObservationEvent" | "UserRejectObservation" | "AgentErrorEvent" => {
            let (call, action) = (event.text("tool_call_id"), event.text("action_id"));
            let answered = Answered { call: call.as_deref(), action: action.as_deref() };
            flow.result(sink, text, event, answered, spot, read)
        }
        "ConversationStateUpdateEvent" => state(flow, sink, event, spot),
        "PauseEvent" | "InterruptEvent" => {
            let text = kind.strip_suffix("Event").unwrap_or(&kind).to_lowercase();
            flow.put(sink, EntryStep::user(Input::Interrupt, Fields::new().with("text", &text)), spot)
        }
        "Condensation" | "CondensationEvent" => {
            let summary = event.text("summary");
            flow.put(sink, EntryStep::event(Event::Compaction, Fields::new().some("summary", summary.as_deref())), spot)
        }
        "ConversationErrorEvent" => {
            let error = event.text("detail").or_else(|| event.text("code")).unwrap_or_default();
            flow.put(
                sink,
                EntryStep::event(Event::ApiError, Fields::new().with("error", &*error)).failing(Some(&error)),
                spot,
            )
        }
        "SystemPromptEvent" => Ok(Some(PassedOver::Injected)),
        "CondensationSummaryEvent" | "LLMCompletionLogEvent" => Ok(Some(PassedOver::Copy)),
        "CondensationRequest" | "TokenEvent" | "StreamingDeltaEvent" => Ok(Some(PassedOver::Transient)),
        "HookExecutionEvent" => Ok(Some(PassedOver::Bookkeeping)),
        other => pass_unread(sink, other, text, &flow.origin, spot),
    }
}

fn message(flow: &mut Flow, sink: &mut dyn Sink, event: &Object<'_>, spot: &Spot) -> Made {
    let message = event.object("llm_message");
    let text = message.raw("content").map(text_of).unwrap_or_default();
    if event.text("source").as_deref() == Some("user") {
        flow.interrupt(sink, spot.at)?;
        return flow.put(sink, EntryStep::user(Input::Prompt, Fields::new().with("text", &text)), spot);
    }
    let thinking = message.text("reasoning_content").unwrap_or_default();
    let spoken = spoken(&text);
    flow.says(
        sink,
        &[(Speech::Message, spoken, spot.clone()), (Speech::Thinking, &thinking, spot.part("thinking"))],
        None,
        spot,
    )?;
    Ok((spoken.is_empty() && thinking.is_empty()).then_some(PassedOver::Empty))
}

fn action(flow: &mut Flow, sink: &mut dyn Sink, event: &Object<'_>, spot: &Spot) -> Made {
    let thought = event.raw("thought").map(text_of).unwrap_or_default();
    let reasoning = event.text("reasoning_content").unwrap_or_default();
    let thoughts = [reasoning.trim(), if reasoning.is_empty() { thought.trim() } else { spoken(&thought) }];
    let thoughts: Vec<_> = thoughts.into_iter().filter(|text| !text.is_empty()).collect();
    flow.says(sink, &[(Speech::Thinking, &thoughts.join("\n\n"), spot.part("thought"))], None, spot)?;
    let call = event.object("tool_call");
    let name = event.text("tool_name").or_else(|| call.text("name")).unwrap_or_default();
    let given = call.text("arguments").or_else(|| call.object("function").text("arguments"));
    let given = given.and_then(|text| object_in(&text)).or_else(|| event.json("action"));
    flow.call(sink, &name, given, event.text("tool_call_id").as_deref(), spot, read)
}

/// A text without the thinking that some models put before it in tags: that is there as `reasoning_content`, too.
fn spoken(text: &str) -> &str {
    let text = text.trim();
    match text.strip_prefix("<think>").and_then(|rest| rest.split_once("</think>")) {
        Some((_, spoken)) => spoken.trim(),
        None => text,
    }
}

/// Tokens and cost so far, of every model that the conversation uses.
fn state(flow: &mut Flow, sink: &mut dyn Sink, event: &Object<'_>, spot: &Spot) -> Made {
    let value = event.object("value");
    let stats = match event.text("key").as_deref() {
        Some("stats") => value,
        Some("full_state") => value.object("stats"),
        _ => return Ok(Some(PassedOver::Bookkeeping)),
    };
    let metrics = stats.object("usage_to_metrics");
    let all: Vec<_> = metrics.members().map(|(_, metrics)| Object::of(metrics.get())).collect();
    if let Some(model) = all.iter().find_map(|metrics| metrics.text("model_name")) {
        flow.model = Some(ModelId::from(&*model));
    }
    let total = all.iter().fold(Usage::default(), |sum, metrics| sum + accumulated(metrics));
    let Some(added) = flow.tokens.total(total) else { return Ok(Some(PassedOver::Repeated)) };
    let step = EntryStep::event(Event::Usage, Fields::new()).model(flow.model.as_ref()).usage(Some(added));
    flow.put(sink, step, spot)
}

/// Reads an observation, a rejection or an error of the agent.
fn read(event: &Object<'_>) -> Outcome {
    let observation = event.object("observation");
    let content = observation.raw("content").map(text_of).unwrap_or_default();
    let code = observation.integer("exit_code").filter(|code| *code != 0 && *code != -1);
    let verdict = if let Some(reason) = event.text("rejection_reason") {
        CallVerdict::Rejected(reason.into_owned())
    } else if let Some(error) = event.text("error") {
        CallVerdict::Failed(first_line(&error))
    } else if let Some(code) = code {
        CallVerdict::Failed(format!("exit code {code}"))
    } else if observation.flag("is_error") == Some(true) {
        CallVerdict::Failed(first_line(&content))
    } else {
        CallVerdict::Done
    };
    let output = observation.json("content").or_else(|| event.json("observation")).or_else(|| event.json("error"));
    Outcome { verdict, output, duration_ms: None }
}
