//! Puts blobs back into a value, as far as they can be read. One that is missing or changed stays a reference.
//!
//! Does not fail: what could not be read is named.

use std::error::Error;

use serde_json::Value;

use crate::Engine;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::json::Json;
use annals_log::blob::{BlobKind, BlobRef};

/// So much is put back and no more: each blob may refer to others, several times each.
const MOST_BYTES: usize = 1 << 30;

/// Values in full, and what could not be read of them.
#[derive(Debug, Default)]
pub struct Expansion {
    /// What was wrong, in sentences that name the blob.
    pub troubles: Vec<String>,
    /// How much was put back.
    bytes: usize,
}

impl Expansion {
    /// A value with its blobs in place, as it was written where it has none.
    pub fn json(&mut self, engine: &Engine, json: &Json) -> Json {
        if json.text().contains(r#""$blob""#) { Json::of(&self.value(engine, json)) } else { json.clone() }
    }

    /// Puts the blobs of an entry in place.
    pub fn entry(&mut self, engine: &Engine, entry: &mut HistoryEntry) {
        let operation = &mut entry.operation;
        operation.input = self.json(engine, &operation.input);
        operation.output = operation.output.take().map(|output| self.json(engine, &output));
    }

    /// The same as a tree; what is nested too deep for one stays a text.
    pub fn value(&mut self, engine: &Engine, json: &Json) -> Value {
        let mut value = json.read().unwrap_or_else(|_| Value::from(json.text()));
        self.expand(engine, &mut value);
        value
    }

    fn expand(&mut self, engine: &Engine, value: &mut Value) {
        if let Some(blob) = BlobRef::of(value) {
            match engine.blob(&blob) {
                Ok(text) if self.bytes + text.len() > MOST_BYTES => {
                    self.troubles.push(format!("blob {}: with what stands before it, it is too much", blob.sha256));
                }
                Ok(text) => self.put(engine, value, text, &blob),
                Err(error) => self.troubles.push(format!("blob {}: {}", blob.sha256, whole(&error))),
            }
            return;
        }
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.expand(engine, item)),
            Value::Object(members) => members.values_mut().for_each(|item| self.expand(engine, item)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// What was too large as a whole may hold texts that were too large by themselves.
    fn put(&mut self, engine: &Engine, value: &mut Value, text: String, blob: &BlobRef) {
        self.bytes += text.len();
        *value = match blob.is {
            BlobKind::Text => Value::String(text),
            BlobKind::Json => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        };
        if blob.is == BlobKind::Json {
            self.expand(engine, value);
        }
    }
}

/// An error with its causes.
fn whole(error: &(dyn Error + 'static)) -> String {
    let cause = error.source().map(|cause| format!(": {}", whole(cause)));
    format!("{error}{}", cause.unwrap_or_default())
}
