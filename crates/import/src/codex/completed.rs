//! `item_completed` of Codex 0.169 and later: how a step ended, as the screen shows it. What a call came to stands here
//! before its output; the rest repeats what the model was given, except for prompts.

use super::CodexReader;
use super::echo::{EchoSaid, EchoWay};
use super::prompts;
use crate::calls::{CallVerdict, EndNote};
use crate::common::{first_line, text_of};
use crate::entries::{EntryStep, Fields, Made, Spot, pass_unread};
use crate::object::{self, Object, millis};
use crate::{PassedOver, Sink};
use annals_kernel::record::Event;

impl CodexReader {
    pub(super) fn completed(&mut self, sink: &mut dyn Sink, text: &str, payload: &Object<'_>, spot: &Spot) -> Made {
        // What these tell stands in other records of the rollout, too.
        const COPIES: [&str; 11] = [
            "CollabAgentToolCall", "ContextCompaction", "DynamicToolCall", "EnteredReviewMode", "ExitedReviewMode",
            "ImageGeneration", "ImageView", "Plan", "Sleep", "SubAgentActivity", "WebSearch",
        ];
        let item = payload.object("item");
        let content = || item.raw("content").map(text_of).unwrap_or_default();
        match item.text("type").as_deref().unwrap_or_default() {
            "UserMessage" => self.prompt(sink, prompts::PromptWay::Item, &content(), &item, spot),
            "AgentMessage" => Ok(self.shown(EchoSaid::Message, EchoWay::Item, Some(&content()), spot)),
            "Reasoning" => Ok(self.thought(&item, spot)),
            "CommandExecution" => self.ran(sink, &item, spot),
            "FileChange" | "McpToolCall" => Ok(Some(self.noted(&item))),
            "HookPrompt" => Ok(Some(PassedOver::Injected)),
            copy if COPIES.contains(&copy) => Ok(Some(PassedOver::Copy)),
            other => pass_unread(sink, &format!("event_msg/item_completed/{other}"), text, &self.origin, spot),
        }
    }

    fn thought(&mut self, item: &Object<'_>, spot: &Spot) -> Option<PassedOver> {
        let texts = |key| item.list(key).into_iter().filter_map(object::text).collect::<Vec<_>>();
        let (summary, raw) = (texts("summary_text"), texts("raw_content"));
        let parts = if summary.is_empty() { raw } else { summary };
        let mut made = Some(PassedOver::Empty);
        for part in &parts {
            made = self.shown(EchoSaid::Thinking, EchoWay::Item, Some(part), spot);
        }
        made
    }

    /// How a call ended, for when its output comes.
    fn noted(&mut self, item: &Object<'_>) -> PassedOver {
        let id = item.text("id").unwrap_or_default();
        if let Some(call) = self.calls.get_mut(&id) {
            call.note = note(item);
        }
        PassedOver::Copy
    }

    /// A command ended. Where its call had its output before, the command went on in the background until now.
    fn ran(&mut self, sink: &mut dyn Sink, item: &Object<'_>, spot: &Spot) -> Made {
        let id = item.text("id").unwrap_or_default();
        if !self.running.remove(&*id) {
            return Ok(Some(self.noted(item)));
        }
        let EndNote { verdict, duration_ms } = note(item);
        let error = match verdict {
            Some(CallVerdict::Failed(error) | CallVerdict::Rejected(error) | CallVerdict::Denied(error)) => Some(error),
            Some(CallVerdict::Done) | None => None,
        };
        let input = Fields::new()
            .with("call", &*id)
            .some("status", item.text("status").as_deref())
            .some("exit_code", item.integer("exit_code").as_ref());
        let step = EntryStep::event(Event::BackgroundEnd, input).lasting(duration_ms).failing(error.as_deref());
        self.put(sink, step, spot)
    }
}

/// What an item says of its end. That a call was declined is said again, and by whom, in its output.
fn note(item: &Object<'_>) -> EndNote {
    let duration = item.object("duration");
    let nanos = duration.number("nanos").unwrap_or(0.0);
    let duration_ms = duration.number("secs").and_then(|seconds| millis(seconds + nanos / 1e9));
    let code = item.integer("exit_code").filter(|code| *code != 0).map(|code| format!("exit code {code}"));
    let told =
        || ["stderr", "error"].into_iter().filter_map(|key| item.raw(key)).map(text_of).find(|text| !text.is_empty());
    let verdict = match item.text("status").as_deref() {
        Some("declined") => Some(CallVerdict::Failed("declined".to_owned())),
        Some("failed") => Some(CallVerdict::Failed(
            code.unwrap_or_else(|| told().map_or("failed".to_owned(), |text| first_line(&text))),
        )),
        _ => code.map(CallVerdict::Failed),
    };
    EndNote { verdict, duration_ms }
}
