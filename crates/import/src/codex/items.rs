//! `response_item`: what the model was given and what it gave. The truth about the conversation.

use annals_kernel::record::Speech;
use serde_json::value::RawValue;

use super::echo::EchoSaid;
use super::outcome::{read, still_runs};
use super::prompt::{SortedPrompt, sort};
use super::{CodexReader, KIND};
use crate::calls::{EndNote, OpenCall, Paired, pass_orphans};
use crate::common::{Attachment, object_in, text_of, touched};
use crate::entries::{EntryStep, Made, Spot, pass_unread, put};
use crate::object::{self, Object};
use crate::{PassedOver, Sink};
use annals_kernel::call::patch;
use annals_kernel::id::AgentId;
use annals_kernel::json::Json;

impl CodexReader {
    pub(super) fn item(&mut self, sink: &mut dyn Sink, text: &str, payload: &Object<'_>, spot: &Spot) -> Made {
        let kind = payload.text("type").unwrap_or_default();
        match &*kind {
            "message" => self.message(sink, payload, spot),
            "reasoning" => self.reasoning(sink, payload, spot),
            "function_call" | "tool_search_call" => self.call(sink, payload, "arguments", spot),
            "custom_tool_call" => self.call(sink, payload, "input", spot),
            "local_shell_call" => self.call(sink, payload, "action", spot),
            "function_call_output" | "custom_tool_call_output" => self.result(sink, payload, "output", spot),
            "tool_search_output" => self.result(sink, payload, "tools", spot),
            "web_search_call" | "image_generation_call" => self.call_without_output(sink, payload, spot),
            "compaction" | "compaction_summary" => Ok(Some(PassedOver::Copy)),
            "ghost_snapshot" | "ghost_commit" | "other" => Ok(Some(PassedOver::Bookkeeping)),
            "agent_message" => self.told(sink, payload, spot),
            "additional_tools" => Ok(Some(PassedOver::Injected)),
            other => pass_unread(sink, &format!("response_item/{other}"), text, &self.origin, spot),
        }
    }

    fn message(&mut self, sink: &mut dyn Sink, payload: &Object<'_>, spot: &Spot) -> Made {
        let text = payload.raw("content").map(text_of).unwrap_or_default();
        match payload.text("role").as_deref() {
            Some("assistant") => self.say(sink, EchoSaid::Message, &[text], spot),
            Some("user") => Ok(self.user_item(payload, text, spot)),
            // What a developer or the system says is the tool's own.
            _ => Ok(Some(PassedOver::Injected)),
        }
    }

    /// What another agent says to this one. To a sub-agent it is a task; what sub-agents say stands in their sessions.
    fn told(&mut self, sink: &mut dyn Sink, payload: &Object<'_>, spot: &Spot) -> Made {
        let is_ours = self.path.as_deref().is_some_and(|path| payload.text("recipient").is_some_and(|to| *to == *path));
        if !is_ours {
            return Ok(Some(PassedOver::Copy));
        }
        let text = payload.raw("content").map(text_of).unwrap_or_default();
        let task = text.split_once("Payload:").map_or(&*text, |(_, task)| task).trim();
        if task.is_empty() {
            return Ok(Some(PassedOver::Empty));
        }
        self.put(sink, EntryStep::says(Speech::Task, task).by(AgentId::from(KIND)), spot)
    }

    /// What is shown of the same message makes the entry; here are only its pictures.
    fn user_item(&mut self, payload: &Object<'_>, text: String, spot: &Spot) -> Option<PassedOver> {
        if sort(&text) == SortedPrompt::Injected {
            return Some(PassedOver::Injected);
        }
        let urls = payload.list("content").into_iter().map(|block| Object::of(block.get()).text("image_url"));
        self.images = urls.flatten().filter_map(|url| Attachment::of_data_url(&url)).collect();
        self.prompts.copy(text, spot);
        None
    }

    fn reasoning(&mut self, sink: &mut dyn Sink, payload: &Object<'_>, spot: &Spot) -> Made {
        let texts = |key| payload.list(key).into_iter().filter_map(|part| Object::of(part.get()).text("text"));
        let mut all: Vec<String> = texts("summary").map(String::from).collect();
        if all.is_empty() {
            all = texts("content").map(String::from).collect();
        }
        self.say(sink, EchoSaid::Thinking, &all, spot)
    }

    fn say(&mut self, sink: &mut dyn Sink, said: EchoSaid, texts: &[String], spot: &Spot) -> Made {
        if texts.iter().all(String::is_empty) {
            return Ok(Some(PassedOver::Empty));
        }
        for copy in texts.iter().filter_map(|text| self.echo.item(said, text)) {
            sink.passed_over(PassedOver::Copy, copy.spot.line.unwrap_or(0));
        }
        self.said(sink, said, &texts.join("\n\n"), spot)
    }

    pub(super) fn said(&self, sink: &mut dyn Sink, said: EchoSaid, text: &str, spot: &Spot) -> Made {
        let kind = match said {
            EchoSaid::Message => Speech::Message,
            EchoSaid::Thinking => Speech::Thinking,
        };
        self.put(sink, EntryStep::says(kind, text).model(self.model.as_ref()), spot)
    }

    fn call(&mut self, sink: &mut dyn Sink, payload: &Object<'_>, arguments: &str, spot: &Spot) -> Made {
        let arguments = payload.raw(arguments).map(unwrapped);
        let files = arguments.as_ref().map(|arguments| self.files(arguments)).unwrap_or_default();
        let id = payload.text("call_id").or_else(|| payload.text("id"));
        let spot = id.map_or_else(|| spot.clone(), |id| spot.named(&id));
        let (origin, model) = (self.origin.clone(), self.model.clone());
        let call = OpenCall { origin, name: name(payload), arguments, files, model, spot, note: EndNote::default() };
        let Some((call, early)) = self.calls.begin(call) else { return Ok(None) };
        put(sink, call.finish(read(early.raw()), &early.spot))
    }

    fn result(&mut self, sink: &mut dyn Sink, payload: &Object<'_>, output: &str, spot: &Spot) -> Made {
        let id = payload.text("call_id").unwrap_or_default();
        let output = payload.raw(output);
        match self.calls.end(&id, output, spot) {
            Paired::With(call) => {
                if still_runs(output) {
                    self.running.insert(call.spot.record.clone());
                }
                put(sink, call.finish(read(output), spot))
            }
            Paired::Waiting(crowded_out) => {
                pass_orphans(sink, crowded_out);
                Ok(None)
            }
        }
    }

    /// A call that the model's service made itself: one record, no output.
    fn call_without_output(&self, sink: &mut dyn Sink, payload: &Object<'_>, spot: &Spot) -> Made {
        let status = payload.text("status").unwrap_or_default();
        let error = (status == "failed").then_some("failed");
        let step = EntryStep::call(&name(payload), payload.json("action")).failing(error).model(self.model.as_ref());
        self.put(sink, step, spot)
    }

    /// The files of a call: what a patch changes, and the path of tools that take one.
    fn files(&self, arguments: &Json) -> Vec<Box<str>> {
        let members = Object::of(arguments.text());
        let base = members.text("workdir").unwrap_or_default();
        let texts: Vec<String> = match serde_json::from_str(arguments.text()) {
            Ok(text) => vec![text],
            Err(_) => ["cmd", "command", "input", "patch"]
                .into_iter()
                .filter_map(|key| members.raw(key))
                .map(text_of)
                .collect(),
        };
        let patched = texts.iter().flat_map(|text| patch::files(text));
        let path = members.text("path").or_else(|| members.text("file_path"));
        touched(&self.cwd, if base.is_empty() { &self.cwd } else { &base }, patched.chain(path.as_deref()))
    }
}

/// `arguments` is an object in a string; what is no object stays as it is.
fn unwrapped(raw: &RawValue) -> Json {
    object::text(raw).and_then(|text| object_in(&text)).unwrap_or_else(|| object::keep(raw))
}

/// The tool's name with its namespace; for an item that is a tool by its type, that type.
pub fn name(payload: &Object<'_>) -> Box<str> {
    let kind = payload.text("type").unwrap_or_default();
    let name = payload.text("name").unwrap_or_else(|| kind.strip_suffix("_call").unwrap_or(&kind).to_owned().into());
    format!("{}{name}", payload.text("namespace").unwrap_or_default()).into()
}
