//! The one door through which texts leave: sanitized, or not at all.
//!
//! A backend takes a `CleanRequest` or `CleanTexts`, and only a `Sanitizer` makes them. What a secret looks like is
//! known to the function that is handed in.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::purpose::Purpose;
use crate::request::{GenerateRequest, Turn};

/// Takes secrets out of every text of a request.
#[derive(Clone)]
pub struct Sanitizer(Arc<dyn Fn(&str) -> String + Send + Sync>);

/// A request that may leave.
#[derive(Debug, Clone, PartialEq)]
pub struct CleanRequest {
    purpose: Purpose,
    request: GenerateRequest,
}

/// Texts that may leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CleanTexts(Vec<String>);

impl Sanitizer {
    /// By a function from a text to the same without secrets.
    pub fn new(sanitize: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        Self(Arc::new(sanitize))
    }

    /// A request as it may leave. Its key is ours, and stays here.
    pub fn request(&self, purpose: Purpose, request: &GenerateRequest) -> CleanRequest {
        let turn = |turn: &Turn| Turn { speaker: turn.speaker, text: self.text(&turn.text) };
        let request = GenerateRequest {
            system: self.text(&request.system),
            earlier: request.earlier.iter().map(turn).collect(),
            user: self.text(&request.user),
            schema: request.schema.as_ref().map(|schema| self.value(schema)),
            ..request.clone()
        };
        CleanRequest { purpose, request }
    }

    /// Texts as they may leave.
    pub fn texts(&self, texts: &[String]) -> CleanTexts {
        CleanTexts(texts.iter().map(|text| self.text(text)).collect())
    }

    fn text(&self, text: &str) -> String {
        (self.0)(text)
    }

    /// Names are texts, too: a schema may be made of data.
    fn value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(values) => values.iter().map(|value| self.value(value)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, value)| (self.text(name), self.value(value))).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }
}

impl fmt::Debug for Sanitizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sanitizer")
    }
}

impl CleanRequest {
    /// What it is for; scripts answer by it.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// What is asked.
    pub fn request(&self) -> &GenerateRequest {
        &self.request
    }
}

impl CleanTexts {
    /// What is to become vectors.
    pub fn texts(&self) -> &[String] {
        &self.0
    }
}
