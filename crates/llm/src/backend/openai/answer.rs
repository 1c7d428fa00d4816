//! What such a server answers, piece by piece or whole: the whole has a `message` where a piece has a `delta`.

use serde_json::Value;

use crate::answer::{Finish, Vectors};
use crate::model::Deltas;
use crate::wire::draft::Draft;
use crate::wire::json::{count, text, vector};
use crate::wire::trouble::Trouble;

/// Takes a piece, or the whole.
pub fn piece(value: &Value, draft: &mut Draft, deltas: &mut Deltas<'_>) -> Result<(), Trouble> {
    draft.name(text(value, "/model"));
    draft.tokens_in = count(value, "/usage/prompt_tokens").or(draft.tokens_in);
    draft.tokens_out = count(value, "/usage/completion_tokens").or(draft.tokens_out);
    if let Some(choice) = value.pointer("/choices/0") {
        for message in ["delta", "message"].iter().filter_map(|name| choice.get(name)) {
            take_message(message, draft, deltas);
        }
        match text(choice, "/finish_reason") {
            "" => {}
            reason => draft.finish(finish(reason)),
        }
        draft.is_ended |= choice.get("message").is_some();
    } else if !value["choices"].is_array() && value.get("usage").is_none() {
        return Err(Trouble::unreadable("there is no choice in it"));
    }
    Ok(())
}

/// Thoughts go by several names.
fn take_message(message: &Value, draft: &mut Draft, deltas: &mut Deltas<'_>) {
    let thoughts = ["/reasoning_content", "/reasoning", "/thinking"].map(|name| text(message, name));
    draft.think(thoughts.into_iter().find(|thoughts| !thoughts.is_empty()).unwrap_or_default(), deltas);
    match message.get("content") {
        Some(Value::Array(parts)) => parts.iter().for_each(|part| draft.say(text(part, "/text"), deltas)),
        Some(content) => draft.say(content.as_str().unwrap_or_default(), deltas),
        None => {}
    }
    draft.refuse(text(message, "/refusal"), deltas);
}

fn finish(reason: &str) -> Finish {
    match reason {
        "stop" | "eos" => Finish::Stop,
        "length" => Finish::Length,
        "content_filter" => Finish::Refused,
        "tool_calls" | "function_call" => Finish::ToolUse,
        other => Finish::Other(other.to_owned()),
    }
}

/// Vectors, put into the order of their texts. Servers that say no index keep that order.
pub fn vectors(value: &Value, texts: usize) -> Result<Vectors, String> {
    let rows = value.get("data").and_then(Value::as_array).ok_or("there is no data in it")?;
    let mut rows: Vec<_> =
        rows.iter().map(|row| (count(row, "/index"), row.get("embedding").and_then(vector))).collect();
    rows.sort_by_key(|(index, _)| *index);
    let is_in_order = (0..).zip(&rows).all(|(at, (index, _))| *index == Some(at));
    if !is_in_order && rows.iter().any(|(index, _)| index.is_some()) {
        let indexes: Vec<_> = rows.iter().map(|(index, _)| *index).collect();
        return Err(format!("its vectors have the indexes {indexes:?} for {texts} texts"));
    }
    let vectors = rows.into_iter().map(|(_, vector)| vector.ok_or("one is no list of numbers"));
    let vectors = vectors.collect::<Result<Vec<_>, _>>()?;
    let tokens_in = count(value, "/usage/prompt_tokens");
    let vectors = Vectors { model: text(value, "/model").to_owned(), vectors, tokens_in };
    vectors.require_one_each(texts)?;
    Ok(vectors)
}
