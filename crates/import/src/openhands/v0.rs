//! Events of version 0: `{id, timestamp, source, action + args | observation + content + extras, cause}`, and the
//! older form, flat and without ids and times, in which a result follows its call.

use super::flow::{Answered, Flow};
use super::tokens::accumulated;
use crate::calls::{CallVerdict, Outcome};
use crate::common::{Attachment, first_line, object_in, text_of};
use crate::entries::{EntryStep, Fields, Made, Spot, pass_unread};
use crate::object::{Object, keep, text as text_in};
use crate::{PassedOver, Sink};
use annals_kernel::annals::Usage;
use annals_kernel::id::ModelId;
use annals_kernel::json::{Json, Members};
use annals_kernel::record::{Event, Input, Speech};

/// Takes an event.
pub(super) fn event(flow: &mut Flow, sink: &mut dyn Sink, text: &str, event: &Object<'_>, spot: &Spot) -> Made {
    match (event.text("action"), event.text("observation")) {
        (Some(action), _) => act(flow, sink, &action, event, spot),
        (None, Some(observation)) => observe(flow, sink, &observation, text, event, spot),
        (None, None) => pass_unread(sink, "event", text, &flow.origin, spot),
    }
}

fn act(flow: &mut Flow, sink: &mut dyn Sink, action: &str, event: &Object<'_>, spot: &Spot) -> Made {
    let args = args(event);
    let source = event.text("source").unwrap_or_default();
    match action {
        "message" if source == "user" => prompt(flow, sink, &args, event, spot),
        "message" => {
            let text = args.text("content").or_else(|| event.text("message")).unwrap_or_default();
            let usage = usage(flow, event);
            flow.says(sink, &[(Speech::Message, &text, spot.clone())], usage, spot)?;
            Ok(text.trim().is_empty().then_some(PassedOver::Empty))
        }
        "system" => Ok(Some(PassedOver::Injected)),
        "change_agent_state" if source == "user" && stops(&args) => {
            let state = args.text("agent_state").unwrap_or_default();
            flow.put(sink, EntryStep::user(Input::Interrupt, Fields::new().with("text", &*state)), spot)
        }
        "null" | "recall" | "change_agent_state" | "condensation_request" => Ok(Some(PassedOver::Bookkeeping)),
        "finish" | "reject" => finish(flow, sink, action, event, spot),
        "condensation" => {
            let summary = args.text("summary");
            flow.put(sink, EntryStep::event(Event::Compaction, Fields::new().some("summary", summary.as_deref())), spot)
        }
        "run" if source == "user" => {
            flow.types(spot);
            let command = args.text("command").unwrap_or_default();
            flow.put(sink, EntryStep::user(Input::Shell, Fields::new().with("command", &*command)), spot)
        }
        _ => call(flow, sink, action, event, spot),
    }
}

fn stops(args: &Object<'_>) -> bool {
    matches!(args.text("agent_state").as_deref(), Some("stopped" | "paused"))
}

fn prompt(flow: &mut Flow, sink: &mut dyn Sink, args: &Object<'_>, event: &Object<'_>, spot: &Spot) -> Made {
    flow.interrupt(sink, spot.at)?;
    let text = args.text("content").or_else(|| event.text("message")).unwrap_or_default();
    let images = args.list("image_urls").into_iter().filter_map(text_in);
    let images: Vec<_> = images.filter_map(|url| Attachment::of_data_url(&url)).collect();
    let images = Some(images).filter(|images| !images.is_empty());
    if text.is_empty() && images.is_none() {
        return Ok(Some(PassedOver::Empty));
    }
    flow.put(
        sink,
        EntryStep::user(Input::Prompt, Fields::new().with("text", &*text).some("attachments", images.as_ref())),
        spot,
    )
}

/// The agent's last word. Nothing comes back from it, nor from what is open.
fn finish(flow: &mut Flow, sink: &mut dyn Sink, action: &str, event: &Object<'_>, spot: &Spot) -> Made {
    flow.interrupt(sink, spot.at)?;
    let usage = usage(flow, event);
    let members = args(event);
    let mut texts: Vec<_> = ["thought", "final_thought"].into_iter().filter_map(|key| members.text(key)).collect();
    texts.retain(|text| !text.trim().is_empty());
    texts.dedup();
    if texts.is_empty() {
        texts.extend(event.text("message").filter(|text| !text.trim().is_empty()));
    }
    let told = |input: Fields| {
        let told = ["task_completed", "outputs"].into_iter().filter_map(|key| Some((key, members.json(key)?)));
        told.filter(|(_, value)| value.text() != "{}").fold(input, |input, (key, value)| input.with(key, &value))
    };
    let step = if texts.is_empty() {
        EntryStep::event(Event::SessionEnd, told(Fields::new().with("reason", action)))
    } else {
        EntryStep::message(told(Fields::new().with("text", texts.join("\n\n").trim())))
    };
    flow.put(sink, step.model(flow.model.as_ref()).usage(usage), spot)
}

fn call(flow: &mut Flow, sink: &mut dyn Sink, action: &str, event: &Object<'_>, spot: &Spot) -> Made {
    let metadata = event.object("tool_call_metadata");
    let usage = usage(flow, event);
    let members = args(event);
    // Of a `think` action the thought is the argument.
    let thought = members.text("thought").filter(|_| action != "think").unwrap_or_default();
    flow.says(sink, &[(Speech::Thinking, &thought, spot.part("thought"))], usage, spot)?;
    let name = metadata.text("function_name").unwrap_or_else(|| action.to_owned().into());
    flow.call(sink, &name, arguments(event), metadata.text("tool_call_id").as_deref(), spot, read)
}

/// What an action was given: `args`, or in the older form the event itself.
fn args<'a>(event: &Object<'a>) -> Object<'a> {
    if event.has("args") { event.object("args") } else { event.clone() }
}

/// What the model gave to the call; where that is not there, what the action was given, without what it has entries for.
fn arguments(event: &Object<'_>) -> Option<Json> {
    given(&event.object("tool_call_metadata")).or_else(|| {
        let mut members = Members::default();
        let own: &[&str] = match (event.text("action").as_deref(), event.has("args")) {
            (Some("think"), true) => &[],
            (_, true) => &["thought"],
            (_, false) => &["thought", "action", "id", "timestamp", "source"],
        };
        let all = args(event);
        for (name, value) in all.members().filter(|(name, _)| !own.contains(name)) {
            members.set(name, keep(value));
        }
        Some(Json::of(&members))
    })
}

fn given(metadata: &Object<'_>) -> Option<Json> {
    let id = metadata.text("tool_call_id")?;
    let choices = metadata.object("model_response").list("choices");
    let calls = Object::of(choices.first()?.get()).object("message").list("tool_calls");
    let mut calls = calls.into_iter().map(|call| Object::of(call.get()));
    let call = calls.find(|call| call.text("id").is_some_and(|found| found == id))?;
    object_in(&call.object("function").text("arguments")?)
}

/// Counts from the start where the event has them, otherwise those of the response that it came from.
fn usage(flow: &mut Flow, event: &Object<'_>) -> Option<Usage> {
    let metrics = event.object("llm_metrics");
    let response = event.object("tool_call_metadata").object("model_response");
    let model = response.text("model").or_else(|| metrics.object("accumulated_token_usage").text("model"));
    if let Some(model) = model {
        flow.model = Some(ModelId::from(&*model));
    }
    if metrics.has("accumulated_token_usage") {
        return flow.tokens.total(accumulated(&metrics));
    }
    let (used, cost) = (flow.tokens.response(&response), flow.tokens.cost(&metrics));
    if used.is_none() { cost } else { used.map(|used| used + cost.unwrap_or_default()) }
}

fn observe(
    flow: &mut Flow,
    sink: &mut dyn Sink,
    observation: &str,
    text: &str,
    event: &Object<'_>,
    spot: &Spot,
) -> Made {
    let call = event.object("tool_call_metadata").text("tool_call_id");
    let cause = event.integer("cause").map(|cause| cause.to_string());
    let answered = Answered { call: call.as_deref(), action: cause.as_deref() };
    match observation {
        "null" | "agent_state_changed" | "recall" | "agent_condensation" => Ok(Some(PassedOver::Bookkeeping)),
        _ if flow.is_typed(answered.action) => {
            let printed = event.raw("content").map(text_of).unwrap_or_default();
            flow.put(sink, EntryStep::event(Event::CommandOutput, Fields::new().with("text", &printed)), spot)
        }
        // The model's reply was no call that can be made, and the model is asked again: no action was recorded.
        "error" if event.has("id") && !flow.is_open(answered) => {
            let error = event.raw("content").map(text_of).unwrap_or_default();
            flow.put(
                sink,
                EntryStep::event(Event::Error, Fields::new().with("error", &error)).failing(Some(&error)),
                spot,
            )
        }
        _ => flow.result(sink, text, event, answered, spot, read),
    }
}

/// Reads an observation. Exit code −1 means that the command still runs, where nothing says that it failed.
fn read(event: &Object<'_>) -> Outcome {
    let content = event.raw("content").map(text_of).unwrap_or_default();
    let extras = event.object("extras");
    let code = extras.object("metadata").integer("exit_code").or_else(|| extras.integer("exit_code"));
    let code = code.or_else(|| event.integer("exit_code"));
    let verdict = match (code, event.text("observation").as_deref()) {
        (_, Some("user_rejected")) => CallVerdict::Rejected(first_line(&content)),
        (Some(code), _) if code != 0 && code != -1 => CallVerdict::Failed(format!("exit code {code}")),
        (_, Some("error")) => CallVerdict::Failed(first_line(&content)),
        _ if content.starts_with("ERROR:") => CallVerdict::Failed(first_line(&content[6..])),
        _ if event.flag("success") == Some(false) => CallVerdict::Failed(first_line(&content)),
        _ => CallVerdict::Done,
    };
    Outcome { verdict, output: event.json("content"), duration_ms: None }
}
