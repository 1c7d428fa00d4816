//! The tools by name, and how a call ends. The contract of the roles has the same words.

use annals_kernel::grounding::words;

words! {
    /// The tools, the first that applies first.
    pub enum ToolKind {
        /// Files by a part of their name: `{"name": …}`.
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

words! {
    /// How a tool call ended.
    pub enum ToolResult {
        /// With a result.
        Worked = "worked",
        /// Without one.
        Failed = "failed",
    }
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolEnd {
    /// How it ended.
    pub result: ToolResult,
    /// The exit code of a command that came so far.
    pub exit: Option<i32>,
    /// What came out, or why it failed.
    pub output: String,
}
