//! `event_msg`: what was shown on the screen. Most of it repeats items; prompts, token counts and ends of turns do not.

use super::echo::{self, Copied, EchoSaid};
use super::prompt::{SortedPrompt, sort};
use super::prompts::{PromptWay, Shown};
use super::{CodexReader, KIND};
use crate::calls::{CallVerdict, EndNote};
use crate::common::{Attachment, text_of};
use crate::entries::{EntryStep, Fields, Made, Spot, pass_unread};
use crate::object::{self, Object, millis};
use crate::{ImportError, PassedOver, Sink};
use annals_kernel::annals::Usage;
use annals_kernel::id::AgentId;
use annals_kernel::record::{Event, Input};

impl CodexReader {
    pub(super) fn event(&mut self, sink: &mut dyn Sink, text: &str, payload: &Object<'_>, spot: &Spot) -> Made {
        let kind = payload.text("type").unwrap_or_default();
        match &*kind {
            "user_message" => {
                let message = payload.text("message").unwrap_or_default();
                self.prompt(sink, PromptWay::Event, &message, payload, spot)
            }
            "item_completed" => self.completed(sink, text, payload, spot),
            "agent_message" => {
                Ok(self.shown(EchoSaid::Message, echo::EchoWay::Event, payload.text("message").as_deref(), spot))
            }
            "agent_reasoning" => {
                Ok(self.shown(EchoSaid::Thinking, echo::EchoWay::Event, payload.text("text").as_deref(), spot))
            }
            "token_count" => self.count(sink, payload, spot),
            "turn_aborted" => self.aborted(sink, payload, spot),
            "task_started" | "turn_started" => {
                self.turn_over(sink, spot)?;
                Ok(Some(PassedOver::Bookkeeping))
            }
            "task_complete" | "turn_complete" => {
                self.prompts_over(sink)?;
                self.turn_over(sink, spot)?;
                Ok(Some(PassedOver::Bookkeeping))
            }
            "thread_settings_applied" => {
                self.context(&payload.object("thread_settings"));
                Ok(Some(PassedOver::Bookkeeping))
            }
            "exec_command_end" | "patch_apply_end" | "mcp_tool_call_end" => {
                let id = payload.text("call_id").unwrap_or_default();
                if let Some(call) = self.calls.get_mut(&id) {
                    call.note = note(payload);
                }
                Ok(Some(PassedOver::Copy))
            }
            "context_compacted" => self.compacted_event(sink, spot),
            "thread_name_updated" => self.title(sink, payload, spot),
            "error" | "stream_error" => {
                let message = payload.text("message");
                let error = message.as_deref().unwrap_or("error");
                self.put(
                    sink,
                    EntryStep::event(Event::ApiError, Fields::new().with("error", error)).failing(Some(error)),
                    spot,
                )
            }
            other => match without_entry(other) {
                Some(why) => Ok(Some(why)),
                None => pass_unread(sink, &format!("event_msg/{other}"), text, &self.origin, spot),
            },
        }
    }

    /// A prompt is shown: the copies that the model was given before are copies of it.
    pub(super) fn prompt(
        &mut self,
        sink: &mut dyn Sink,
        way: PromptWay,
        message: &str,
        payload: &Object<'_>,
        spot: &Spot,
    ) -> Made {
        let shown = self.prompts.show(way, message);
        self.pass_copies(sink);
        if shown == Shown::Again {
            return Ok(Some(PassedOver::Copy));
        }
        self.turn_over(sink, spot)?;
        let attached = self.attached(payload);
        self.typed(sink, message, &attached, spot)
    }

    fn typed(&mut self, sink: &mut dyn Sink, message: &str, attached: &[Attachment], spot: &Spot) -> Made {
        match sort(message) {
            SortedPrompt::Injected => Ok(Some(PassedOver::Injected)),
            SortedPrompt::Typed { text: "", .. } if attached.is_empty() => Ok(Some(PassedOver::Empty)),
            SortedPrompt::Typed { text, context } => {
                let attachments = Some(attached).filter(|attached| !attached.is_empty());
                let input = Fields::new().with("text", text).some("attachments", attachments).some("context", context);
                self.put(sink, self.asks(Input::Prompt, input), spot)
            }
            SortedPrompt::Shell { command, printed } => {
                self.put(sink, self.asks(Input::Shell, Fields::new().with("command", command)), spot)?;
                let output =
                    printed.map(|text| EntryStep::event(Event::CommandOutput, Fields::new().with("text", text)));
                output.map_or(Ok(None), |step| self.put(sink, step, &spot.part("output")))
            }
        }
    }

    /// The pictures of a prompt; of those on the disk only the model's copy has the bytes.
    fn attached(&mut self, payload: &Object<'_>) -> Vec<Attachment> {
        let given = std::mem::take(&mut self.images);
        let parts: Vec<_> = payload.list("content").into_iter().map(|part| Object::of(part.get())).collect();
        let is_local = parts.iter().any(|part| part.text("type").is_some_and(|kind| kind.ends_with("ocal_image")));
        if is_local || !payload.list("local_images").is_empty() {
            return given;
        }
        let shown = parts.iter().filter_map(|part| part.text("image_url"));
        let urls = payload.list("images").into_iter().filter_map(object::text).chain(shown);
        urls.filter_map(|url| Attachment::of_data_url(&url)).collect()
    }

    /// A sub-agent is asked by the agent that began it, not by a person.
    fn asks(&self, kind: Input, input: Fields) -> EntryStep {
        let step = EntryStep::user(kind, input);
        if self.origin.agent.as_str() == KIND { step } else { step.by(AgentId::from(KIND)) }
    }

    pub(super) fn shown(
        &mut self,
        said: EchoSaid,
        way: echo::EchoWay,
        text: Option<&str>,
        spot: &Spot,
    ) -> Option<PassedOver> {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return Some(PassedOver::Empty) };
        (self.echo.event(said, way, text, spot) == Copied::Yes).then_some(PassedOver::Copy)
    }

    fn count(&mut self, sink: &mut dyn Sink, payload: &Object<'_>, spot: &Spot) -> Made {
        if !payload.has("info") {
            return Ok(Some(PassedOver::Bookkeeping));
        }
        let info = payload.object("info");
        let usage = self.tokens.added(&info.object("total_token_usage"), &info.object("last_token_usage"));
        self.added(sink, usage, spot)
    }

    /// From 0.169 on every reply has a record of its own, before the event; a killed session has no more than that.
    pub(super) fn count_record(&mut self, sink: &mut dyn Sink, payload: &Object<'_>, spot: &Spot) -> Made {
        if payload.text("thread_id").is_some_and(|thread| *thread != *self.origin.session) {
            return Ok(Some(PassedOver::Copy));
        }
        let usage = self.tokens.replied(&payload.object("usage"), &payload.object("thread_token_usage"));
        self.added(sink, usage, spot)
    }

    fn added(&self, sink: &mut dyn Sink, usage: Option<Usage>, spot: &Spot) -> Made {
        let Some(usage) = usage else { return Ok(Some(PassedOver::Repeated)) };
        self.put(
            sink,
            EntryStep::event(Event::Usage, Fields::new()).usage(Some(usage)).model(self.model.as_ref()),
            spot,
        )
    }

    fn aborted(&mut self, sink: &mut dyn Sink, payload: &Object<'_>, spot: &Spot) -> Made {
        self.prompts_over(sink)?;
        self.interrupt_calls(sink, spot)?;
        let reason = payload.text("reason").unwrap_or_default();
        // `review_ended` and limits are not a person's doing; `replaced` is a new prompt in the middle of a turn.
        if !matches!(&*reason, "interrupted" | "replaced" | "") {
            return Ok(Some(PassedOver::Bookkeeping));
        }
        self.put(sink, EntryStep::user(Input::Interrupt, Fields::new().with("text", &*reason)), spot)
    }

    /// The turn is over: what has no result now gets none, and what was shown without an item never had one.
    fn turn_over(&mut self, sink: &mut dyn Sink, spot: &Spot) -> Result<(), ImportError> {
        for alone in self.echo.settle() {
            self.said(sink, alone.said, &alone.text, &alone.spot)?;
        }
        self.interrupt_calls(sink, spot)
    }

    /// The turn ended: what the model was given and nothing showed is a prompt all the same.
    fn prompts_over(&mut self, sink: &mut dyn Sink) -> Result<(), ImportError> {
        self.pass_copies(sink);
        for copy in self.prompts.settle() {
            let attached = std::mem::take(&mut self.images);
            self.typed(sink, &copy.text, &attached, &copy.spot)?;
        }
        Ok(())
    }

    fn pass_copies(&mut self, sink: &mut dyn Sink) {
        for copy in self.prompts.told() {
            sink.passed_over(PassedOver::Copy, copy.spot.line.unwrap_or(0));
        }
    }

    fn interrupt_calls(&mut self, sink: &mut dyn Sink, spot: &Spot) -> Result<(), ImportError> {
        self.calls.interrupt(spot.at).into_iter().try_for_each(|draft| sink.entry(draft))
    }

    fn compacted_event(&mut self, sink: &mut dyn Sink, spot: &Spot) -> Made {
        self.compactions -= 1;
        if self.compactions >= 0 {
            return Ok(Some(PassedOver::Copy));
        }
        self.put(sink, EntryStep::event(Event::Compaction, Fields::new()), spot)
    }

    fn title(&mut self, sink: &mut dyn Sink, payload: &Object<'_>, spot: &Spot) -> Made {
        let name = payload.text("thread_name").or_else(|| payload.text("name")).filter(|name| !name.is_empty());
        let Some(name) = name else { return Ok(Some(PassedOver::Empty)) };
        self.put(sink, EntryStep::event(Event::Title, Fields::new().with("text", &*name)), spot)
    }
}

/// Why an event of this type makes no entry; `None` for a type that is not known.
fn without_entry(kind: &str) -> Option<PassedOver> {
    const BOOKKEEPING: [&str; 15] = [
        "session_configured", "thread_rolled_back", "thread_goal_updated", "background_event", "plan_update",
        "turn_diff", "warning", "deprecation_notice", "mcp_startup_update", "mcp_startup_complete",
        "exec_approval_request", "apply_patch_approval_request", "request_user_input", "entered_review_mode",
        "exited_review_mode",
    ];
    const COPIES: [&str; 6] = [
        "web_search_end", "view_image_tool_call", "image_generation_end", "raw_response_item",
        "agent_reasoning_raw_content", "dynamic_tool_call_response",
    ];
    if BOOKKEEPING.contains(&kind) {
        return Some(PassedOver::Bookkeeping);
    }
    if COPIES.contains(&kind) || kind.starts_with("collab_") {
        return Some(PassedOver::Copy);
    }
    // By its ending, so that a new one of the kind is no unknown type.
    let passing = ["_begin", "_delta", "_started", "_section_break"].iter().any(|suffix| kind.ends_with(suffix));
    passing.then_some(PassedOver::Transient)
}

/// What an event says about the end of a call whose output is still to come.
fn note(payload: &Object<'_>) -> EndNote {
    let duration = payload.object("duration");
    let nanos = duration.number("nanos").unwrap_or(0.0);
    let duration_ms = duration.number("secs").and_then(|seconds| millis(seconds + nanos / 1e9));
    EndNote { verdict: error_of(payload).map(CallVerdict::Failed), duration_ms }
}

fn error_of(payload: &Object<'_>) -> Option<String> {
    let result = payload.object("result");
    let code = payload.integer("exit_code").filter(|code| *code != 0).map(|code| format!("exit code {code}"));
    let refused = || (payload.flag("success") == Some(false)).then(|| payload.text("stderr").unwrap_or_default());
    let refused = || refused().map(|text| text.lines().next().unwrap_or("not applied").to_owned());
    let server = || result.raw("Err").map(text_of);
    let tool =
        || (result.object("Ok").flag("isError") == Some(true)).then(|| "the tool says that it failed".to_owned());
    code.or_else(refused).or_else(server).or_else(tool)
}
