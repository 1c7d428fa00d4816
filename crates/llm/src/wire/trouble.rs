//! What is wrong with an answer, before it is said whose it is.

use serde_json::Value;

use super::json::text;
use crate::failure::{ModelError, kept};

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It is not what was asked for.
    Unreadable {
        /// Why.
        reason: String,
    },
    /// It is longer than anything needs.
    TooLarge {
        /// In bytes.
        limit: usize,
    },
    /// It holds an error.
    Said {
        /// The HTTP status that it stands for.
        status: u16,
        /// Its words.
        said: String,
    },
}

impl Trouble {
    /// It is not what was asked for.
    pub fn unreadable(reason: impl Into<String>) -> Self {
        Self::Unreadable { reason: reason.into() }
    }

    /// With whose it is, and what came.
    pub fn of(self, at: &str, received: &[u8]) -> ModelError {
        let (at, received) = (at.to_owned(), kept(received));
        match self {
            Self::Unreadable { reason } => ModelError::Unreadable { at, reason, received },
            Self::TooLarge { limit } => ModelError::TooLarge { at, limit, received },
            Self::Said { status, said } => ModelError::Status { at, status, said, retry_after_ms: None },
        }
    }

    /// An `error` in an answer, as servers of all kinds write it: a text, or an object with a message, a type and
    /// perhaps a code.
    pub fn of_error(error: &Value) -> Self {
        let message = error.as_str().unwrap_or_else(|| text(error, "/message"));
        let said = if message.is_empty() { error.to_string() } else { message.to_owned() };
        Self::Said { status: status(error), said }
    }
}

fn status(error: &Value) -> u16 {
    let code = error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    if let Some(code) = code.filter(|code| (400..600).contains(code)) {
        return code;
    }
    match text(error, "/type") {
        "invalid_request_error" | "exceed_context_size_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "not_supported_error" => 501,
        "unavailable_error" => 503,
        "timeout_error" => 504,
        "overloaded_error" => 529,
        _ => 500,
    }
}
