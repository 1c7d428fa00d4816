//! The tools of the executor, as it asks for them and hears of them (artoo R3, "Tool Priority Chain").
//!
//! Names, requests and results. Runs none; what is irreversible is found by whoever runs them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ggs::CallResult;
use annals_kernel::grounding::words;

words! {
    /// The tools, the first that applies first.
    pub enum ToolName {
        /// Files by a part of their name, anywhere below the workspace: `{"name": …}`.
        Find = "find",
        /// Files by a pattern: `{"pattern": …}`.
        Glob = "glob",
        /// Lines that match an expression: `{"pattern": …, "path"?: …}`.
        Search = "search",
        /// A file: `{"path": …, "from_line"?: n, "lines"?: n}`.
        Read = "read",
        /// A whole new content: `{"path": …, "content": …}`.
        Write = "write",
        /// One place of a file: `{"path": …, "old": …, "new": …}`; `old` must occur exactly once.
        Edit = "edit",
        /// A command line: `{"command": …}`.
        Shell = "shell",
        /// A page, where hosts are allowed: `{"url": …}`.
        Fetch = "fetch",
    }
}

/// What the executor asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolRequest {
    /// Which tool.
    pub tool: ToolName,
    /// What it is given.
    pub input: serde_json::Value,
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// What was asked for.
    pub request: ToolRequest,
    /// How it ended.
    pub result: CallResult,
    /// The exit code, of a shell call that came so far.
    #[serde(default)]
    pub exit: Option<i32>,
    /// What came out, head and tail (`head_tail`), or why it failed.
    pub output: String,
    /// The ids of the entries that record it, so that a claim can cite them.
    #[serde(default)]
    pub entry: Option<String>,
    /// Whether it was in flight when the run was killed: what it did is not known.
    #[serde(default)]
    pub is_uncertain: bool,
}

impl ToolCall {
    /// A call that gave nothing, and why.
    pub fn failed(request: ToolRequest, why: &str) -> Self {
        let result = CallResult::Failed;
        Self { request, result, exit: None, output: why.to_owned(), entry: None, is_uncertain: false }
    }
}
