//! What a model answers the executor's question with, and what follows (artoo R3).
//!
//! Reads one answer by itself; what came before it is known to `attempt`.

use serde_json::Value;

use super::input;
use crate::evidence::head_tail;
use crate::message::ExecutionStatus;
use crate::prompt::BadAnswer;
use crate::reply::{self, ReplyObject};
use crate::tool::{ToolName, ToolRequest};

/// What is to be done now.
#[derive(Debug, Clone, PartialEq)]
pub enum ExecutorStep {
    /// Call these tools in order, and stop at the first call that did not work.
    Use {
        /// What to call.
        requests: Vec<ToolRequest>,
        /// What follows when all of them worked.
        then: Then,
    },
    /// The attempt is over.
    Finish {
        /// How it came out.
        status: ExecutionStatus,
        /// What it says; a claim.
        output: String,
    },
}

/// What follows when all calls worked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Then {
    /// The model sees the results.
    AskAgain,
    /// The attempt is over, without another question.
    Finish {
        /// What it says; a claim.
        output: String,
    },
}

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ExecutorAnswer {
    pub(super) requests: Vec<ToolRequest>,
    pub(super) is_done: bool,
    pub(super) output: String,
}

/// Characters of a claim that are kept.
pub(super) const CLAIM_CHARS: usize = 4000;

impl ExecutorAnswer {
    pub(super) fn read(raw: &str, tools: &[ToolName]) -> Result<Self, BadAnswer> {
        let members = reply::object(raw, &["calls", "done", "output"])?;
        let answer = ReplyObject::new(&members);
        let requests: Result<Vec<_>, _> =
            answer.objects("calls")?.iter().map(|call| input::request(call, tools)).collect();
        let mut requests = requests?;
        // Written twice in one answer it is a slip: nothing came between that could have taught it better.
        requests.dedup();
        Ok(Self {
            requests,
            is_done: answer.optional_flag("done")?.unwrap_or_default(),
            output: head_tail(&output(&answer), CLAIM_CHARS),
        })
    }
}

/// A list or an object is as good a claim as a text.
fn output(answer: &ReplyObject<'_>) -> String {
    match answer.value("output") {
        None => String::new(),
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(other) => other.to_string(),
    }
}

pub(super) fn bad(field: &str, problem: &str) -> BadAnswer {
    BadAnswer::Field { field: field.to_owned(), problem: problem.to_owned() }
}
