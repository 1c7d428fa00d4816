//! What Ollama answers: one JSON a line, the last of which is `done`.

use serde_json::Value;

use crate::answer::{Finish, Vectors};
use crate::model::Deltas;
use crate::wire::draft::Draft;
use crate::wire::json::{count, text, vector};
use crate::wire::trouble::Trouble;

/// Takes a line, or the whole, which is a last line.
pub fn piece(value: &Value, draft: &mut Draft, deltas: &mut Deltas<'_>) -> Result<(), Trouble> {
    if value.get("message").is_none() && value.get("done").is_none() {
        return Err(Trouble::unreadable("there is no message in it"));
    }
    draft.name(text(value, "/model"));
    draft.think(text(value, "/message/thinking"), deltas);
    draft.say(text(value, "/message/content"), deltas);
    if value.get("done") == Some(&Value::Bool(true)) {
        draft.tokens_in = count(value, "/prompt_eval_count");
        draft.tokens_out = count(value, "/eval_count");
        draft.finish(finish(text(value, "/done_reason")));
        draft.is_ended = true;
    }
    Ok(())
}

fn finish(reason: &str) -> Finish {
    match reason {
        "stop" | "" => Finish::Stop,
        "length" => Finish::Length,
        other => Finish::Other(other.to_owned()),
    }
}

/// Vectors, which come in the order of their texts.
pub fn vectors(value: &Value, texts: usize) -> Result<Vectors, String> {
    let rows = value.get("embeddings").and_then(Value::as_array).ok_or("there are no embeddings in it")?;
    let vectors = rows.iter().map(vector).collect::<Option<Vec<_>>>().ok_or("one is no list of numbers")?;
    let tokens_in = count(value, "/prompt_eval_count");
    let vectors = Vectors { model: text(value, "/model").to_owned(), vectors, tokens_in };
    vectors.require_one_each(texts)?;
    Ok(vectors)
}
