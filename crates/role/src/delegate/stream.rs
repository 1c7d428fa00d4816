//! What is heard of an agent's stream, whichever agent it is: lines of JSON, calls by their ids, and the last word.
//!
//! Keeps; the adapters read.

use std::path::Path;

use serde_json::{Value, json};

use super::outcome::AgentUsage;
use crate::evidence::head_tail;
use crate::evidence::transcript::OUTPUT_CHARS;
use crate::ggs::CallResult;
use crate::tool::{ToolCall, ToolName, ToolRequest};

/// Characters of a text that a call was given.
const INPUT_CHARS: usize = 2000;

/// What was heard so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Heard {
    /// Calls that ended, in the order in which they began.
    pub(super) calls: Vec<ToolCall>,
    /// Calls of which no end was heard, by their ids.
    open: Vec<(String, usize)>,
    /// Its last words.
    pub(super) result: Option<String>,
    /// Why it failed.
    pub(super) failure: Option<String>,
    /// What it used up.
    pub(super) usage: AgentUsage,
    /// Where it works.
    folder: String,
}

/// The lines that are JSON; others are complaints.
pub(super) fn lines(output: &str) -> impl Iterator<Item = Value> {
    let is_object = |line: &&str| line.trim_start().starts_with('{');
    output.lines().filter(is_object).filter_map(|line| serde_json::from_str(line).ok())
}

/// How a call ended.
pub(super) struct CallEnding {
    pub(super) result: CallResult,
    pub(super) exit: Option<i32>,
    pub(super) output: String,
}

impl Heard {
    /// Nothing yet, of an agent that works there.
    pub(super) fn within(folder: &str) -> Self {
        Self { folder: folder.to_owned(), ..Self::default() }
    }

    /// A call begins; until its end is heard, what it did is not known.
    pub(super) fn begins(&mut self, id: &str, request: ToolRequest) {
        self.open.push((id.to_owned(), self.calls.len()));
        let began = ToolCall::failed(request, "no end of this call was heard");
        self.calls.push(ToolCall { is_uncertain: true, ..began });
    }

    /// It ends.
    pub(super) fn ends(&mut self, id: &str, ending: CallEnding) {
        let Some(at) = self.open.iter().position(|(open, _)| open == id) else { return };
        let (_, at) = self.open.swap_remove(at);
        let CallEnding { result, exit, output } = ending;
        let call = &mut self.calls[at];
        (call.result, call.exit, call.is_uncertain) = (result, exit, false);
        call.output = head_tail(&output, OUTPUT_CHARS);
    }

    /// A path as our tools name it: from the folder that is worked in.
    pub(super) fn path(&self, path: &str) -> String {
        let below = Path::new(path).strip_prefix(&self.folder).ok().filter(|_| !self.folder.is_empty());
        below.and_then(Path::to_str).filter(|below| !below.is_empty()).unwrap_or(path).to_owned()
    }
}

/// A request of one of our tools.
pub(super) fn request(tool: ToolName, members: &[(&str, String)]) -> ToolRequest {
    let member = |(name, text): &(&str, String)| ((*name).to_owned(), json!(head_tail(text, INPUT_CHARS)));
    ToolRequest { tool, input: Value::Object(members.iter().map(member).collect()) }
}

/// A text member; empty where there is none.
pub(super) fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// A count; 0 where there is none.
pub(super) fn count(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or_default()
}
