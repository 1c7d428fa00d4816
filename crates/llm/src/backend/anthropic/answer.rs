//! What such a server answers: events of eight types, or a message whole.

use serde_json::Value;

use crate::answer::Finish;
use crate::model::Deltas;
use crate::wire::draft::Draft;
use crate::wire::json::{count, text};
use crate::wire::trouble::Trouble;

/// Takes an event, or the whole. Types that are not known, as `ping`, are passed over: new ones come.
pub fn piece(value: &Value, draft: &mut Draft, deltas: &mut Deltas<'_>) -> Result<(), Trouble> {
    match text(value, "/type") {
        "" => return Err(Trouble::unreadable("it has no type")),
        "message_start" => take_head(&value["message"], draft),
        "content_block_start" => take_block(&value["content_block"], draft, deltas),
        "content_block_delta" => take_block(&value["delta"], draft, deltas),
        "message_delta" => {
            draft.tokens_out = count(value, "/usage/output_tokens").or(draft.tokens_out);
            take_reason(text(value, "/delta/stop_reason"), draft);
        }
        "message_stop" => draft.is_ended = true,
        "message" => {
            take_head(value, draft);
            let blocks = value["content"].as_array().into_iter().flatten();
            blocks.for_each(|block| take_block(block, draft, deltas));
            take_reason(text(value, "/stop_reason"), draft);
            draft.is_ended = true;
        }
        _ => {}
    }
    Ok(())
}

/// What was read from or written to a cache was part of the question, too.
pub fn tokens_in(usage: &Value) -> Option<u64> {
    let cached = ["/cache_creation_input_tokens", "/cache_read_input_tokens"];
    let plain = count(usage, "/input_tokens")?;
    Some(cached.iter().filter_map(|name| count(usage, name)).fold(plain, u64::saturating_add))
}

/// Why it ended, in its words.
pub fn finish(reason: &str) -> Finish {
    match reason {
        "end_turn" | "stop_sequence" => Finish::Stop,
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "refusal" => Finish::Refused,
        "tool_use" => Finish::ToolUse,
        other => Finish::Other(other.to_owned()),
    }
}

fn take_head(message: &Value, draft: &mut Draft) {
    draft.name(text(message, "/model"));
    draft.tokens_in = tokens_in(&message["usage"]);
    draft.tokens_out = count(message, "/usage/output_tokens");
}

/// A block and a change to one have the same members. Calls of tools are left in the raw answer.
fn take_block(block: &Value, draft: &mut Draft, deltas: &mut Deltas<'_>) {
    draft.think(text(block, "/thinking"), deltas);
    draft.say(text(block, "/text"), deltas);
}

fn take_reason(reason: &str, draft: &mut Draft) {
    if !reason.is_empty() {
        draft.finish(finish(reason));
    }
}
