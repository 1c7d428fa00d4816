//! Whether a request acts, or only looks: what follows a failed act and only looks proves nothing of it (artoo R4a).
//!
//! Told from the request alone. A command line that is not known to look only counts as an act.

use annals_kernel::call::{Act, acts};

use super::call::input_text;
use crate::tool::{ToolName, ToolRequest};

/// Programs that change nothing.
const LOOKING: &[&str] = &[
    "[", "ack", "ag", "basename", "cat", "cd", "cmp", "cut", "diff", "dirname", "du", "echo", "egrep", "exit", "false",
    "fd", "fgrep", "file", "find", "grep", "head", "ls", "nl", "printf", "pwd", "readlink", "realpath", "rg", "sed",
    "sort", "stat", "tail", "test", "tr", "tree", "true", "uniq", "wc", "which",
];

/// Verbs of git that change nothing.
const GIT_LOOKING: &[&str] = &["blame", "diff", "grep", "log", "ls-files", "ls-tree", "rev-parse", "show", "status"];

/// Programs that search; what they print is what they found.
const SEARCHING: &[&str] = &["ack", "ag", "egrep", "fd", "fgrep", "find", "grep", "ls", "rg"];

/// Programs that print what they are told, and those that print nothing.
const PRINTING: &[&str] = &["cd", "echo", "exit", "false", "printf", "true"];

/// A longer command line is not looked at.
const MOST_CHARS: usize = 4096;

/// Whether a request may change the workspace, or what lies beyond it.
pub fn is_effectful(request: &ToolRequest) -> bool {
    match request.tool {
        ToolName::Write | ToolName::Edit => true,
        ToolName::Find | ToolName::Glob | ToolName::Search | ToolName::Read | ToolName::Fetch => false,
        ToolName::Shell => !only_looks(input_text(request, "command")),
    }
}

fn only_looks(command: &str) -> bool {
    let found = if command.len() > MOST_CHARS { Vec::new() } else { acts(command) };
    !found.is_empty() && found.iter().all(looks)
}

fn looks(act: &Act<'_>) -> bool {
    let is_known = match act.program() {
        "git" => act.verb().is_some_and(|verb| GIT_LOOKING.contains(&verb)),
        program => LOOKING.contains(&program),
    };
    let writes = act.outputs().any(|file| !file.starts_with("/dev/") && !file.starts_with('&'));
    is_known && !writes && !act.is_in_place() && !act.words().any(|word| makes_act(act.program(), word))
}

/// Whether a program that looks acts by this option.
fn makes_act(program: &str, word: &str) -> bool {
    let starts = |with: &[&str]| with.iter().any(|option| word.starts_with(option));
    match program {
        "find" => starts(&["-delete", "-exec", "-ok", "-fprint", "-fls"]),
        "fd" => starts(&["-x", "-X", "--exec"]),
        "sort" | "tree" => starts(&["-o", "--output"]),
        "rg" => starts(&["--pre"]),
        "git" => starts(&["--output", "--ext-diff", "-O", "--open-files"]),
        _ => false,
    }
}

/// Whether a command line does nothing but search.
pub fn searches(command: &str) -> bool {
    let searches = |act: &Act<'_>| SEARCHING.contains(&act.program()) || act.verb() == Some("grep");
    only_looks(command) && acts(command).iter().any(searches)
}

/// Whether a command line does nothing but print what stands in it.
pub fn only_prints(command: &str) -> bool {
    only_looks(command) && acts(command).iter().all(|act| PRINTING.contains(&act.program()))
}
