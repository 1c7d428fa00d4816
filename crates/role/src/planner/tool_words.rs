//! How prose speaks of tools, so that a plan cannot use in words what it must not name as a tool.
//!
//! English, and names of programs. A tool counts where it is put to use ("use grep", "in the terminal", "shell command"), or
//! where a clause begins with its verb ("Run the tests"); a word alone is no use ("write a bash script").

use super::spelling::{SpelledWord, Spelling};
use crate::tool::ToolName;

/// A tool, and how it is spoken of.
#[derive(Debug, Clone)]
pub(super) struct ToolWords {
    /// One name for all of its names.
    canonical: String,
    names: Vec<String>,
    /// Verbs that are of no other use.
    orders: &'static [&'static str],
    /// Verbs that everybody uses: a request may begin with one.
    verbs: &'static [&'static str],
    /// Whether programs are run by it.
    pub(super) is_shell: bool,
}

struct ToolRow {
    tool: ToolName,
    names: &'static [&'static str],
    orders: &'static [&'static str],
    verbs: &'static [&'static str],
}

const ROWS: &[ToolRow] = &[
    ToolRow {
        tool: ToolName::Find,
        names: &["find", "fd", "mdfind", "find_file", "find_files", "findfiles"],
        orders: &[],
        verbs: &["find", "finding"],
    },
    ToolRow { tool: ToolName::Glob, names: &["glob", "globbing", "glob_files"], orders: &["glob"], verbs: &[] },
    ToolRow {
        tool: ToolName::Search,
        names: &["search", "grep", "rg", "ripgrep", "search_files", "grep_search"],
        orders: &["grep", "grepping"],
        verbs: &["search", "searching"],
    },
    ToolRow {
        tool: ToolName::Read,
        names: &["read", "read_file", "readfile", "view_file", "open_file"],
        orders: &["cat"],
        verbs: &["read", "reading", "open", "view"],
    },
    ToolRow {
        tool: ToolName::Write,
        names: &["write", "write_file", "writefile", "create_file"],
        orders: &[],
        verbs: &["write", "writing", "overwrite"],
    },
    ToolRow {
        tool: ToolName::Edit,
        names: &["edit", "edit_file", "multiedit", "str_replace", "apply_patch"],
        orders: &[],
        verbs: &["edit", "editing", "patch"],
    },
    ToolRow {
        tool: ToolName::Shell,
        names: &[
            "shell", "bash", "sh", "zsh", "powershell", "terminal", "console", "command line", "command prompt", "cli",
            "subprocess", "run_command", "run_shell_command", "execute_command", "exec",
        ],
        orders: &["run", "re-run", "rerun", "running", "execute", "executing", "exec", "invoke", "launch"],
        verbs: &[],
    },
    ToolRow {
        tool: ToolName::Fetch,
        names: &["fetch", "curl", "wget", "web_fetch", "webfetch", "http_get", "browser"],
        orders: &["fetch", "fetching", "download", "downloading", "browse", "curl", "wget"],
        verbs: &[],
    },
];

/// What only a shell runs.
const PROGRAMS: &[&str] = &[
    "awk", "cargo", "cat", "chmod", "cp", "docker", "echo", "git", "go", "grep", "head", "java", "ls", "make", "mkdir",
    "mv", "node", "npm", "npx", "perl", "pip", "pytest", "python", "python3", "rm", "ruby", "sed", "sort", "tail",
    "tee", "touch", "tsc", "uv", "wc", "yarn",
];
/// What comes before the name of a tool that is put to use.
const USING: &[&str] = &[
    "call", "calling", "from", "in", "invoke", "invoking", "on", "open", "opening", "run", "running", "through",
    "tool", "tools", "try", "use", "using", "via", "with",
];
/// What may stand between.
const ARTICLES: &[&str] = &["a", "an", "another", "any", "new", "some", "the", "your"];
/// What follows it.
const USED: &[&str] = &["call", "command", "commands", "prompt", "session", "tool", "tools"];

impl ToolWords {
    pub(super) fn of(tool: &str) -> Self {
        let name = canonical(tool);
        match ROWS.iter().find(|row| row.tool.as_str() == name) {
            Some(row) => Self {
                canonical: name,
                names: row.names.iter().map(|name| (*name).to_owned()).collect(),
                orders: row.orders,
                verbs: row.verbs,
                is_shell: row.tool == ToolName::Shell,
            },
            None => Self { names: vec![name.clone()], canonical: name, orders: &[], verbs: &[], is_shell: false },
        }
    }

    /// Whether a tool is this one, by any of its names.
    pub(super) fn is(&self, tool: &str) -> bool {
        self.canonical == canonical(tool)
    }

    /// Whether prose may put it to use, if only by a verb.
    pub(super) fn are_in(&self, prose: &Spelling) -> bool {
        prose.words().iter().any(|word| word.opens && self.verbs.contains(&word.text.as_str()))
            || self.are_named_in(prose)
    }

    /// Whether prose puts it to use and could mean nothing else: "Write a greeting" is what was asked for.
    pub(super) fn are_named_in(&self, prose: &Spelling) -> bool {
        let words = prose.words();
        let acts = |word: &SpelledWord| word.opens && self.orders.contains(&word.text.as_str());
        words.iter().any(acts) || (0..words.len()).any(|at| self.is_used_at(words, at)) || self.is_run_in(prose)
    }

    fn is_used_at(&self, words: &[SpelledWord], at: usize) -> bool {
        let lengths = self.names.iter().filter_map(|name| length_of(name, &words[at..]));
        let lengths = lengths.chain((self.is_shell && PROGRAMS.contains(&words[at].text.as_str())).then_some(1));
        let before = words[..at].iter().rev().find(|word| !ARTICLES.contains(&word.text.as_str()));
        let is_using = before.is_some_and(|word| USING.contains(&word.text.as_str()));
        lengths.into_iter().any(|length| {
            let is_called = words[at].opens && words[at + length - 1].calls;
            let is_used = words.get(at + length).is_some_and(|word| USED.contains(&word.text.as_str()));
            is_using || is_called || is_used
        })
    }

    /// Whether a command line stands between quotes.
    fn is_run_in(&self, prose: &Spelling) -> bool {
        let is_command = |part: &String| {
            let mut words = part.split(' ');
            words.next().is_some_and(|word| PROGRAMS.contains(&word)) && words.next().is_some()
        };
        self.is_shell && prose.between_quotes().iter().any(is_command)
    }
}

/// How many words a name takes here.
fn length_of(name: &str, words: &[SpelledWord]) -> Option<usize> {
    let length = name.split(' ').count();
    let is_it = words.len() >= length && name.split(' ').zip(words).all(|(part, word)| part == word.text);
    is_it.then_some(length)
}

/// The name that stands for all names of a tool.
fn canonical(tool: &str) -> String {
    let words = Spelling::of(tool);
    let name = words.words().iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let bare = name.strip_suffix(" tool").unwrap_or(&name);
    let row = ROWS.iter().find(|row| row.names.contains(&bare));
    row.map_or_else(|| bare.to_owned(), |row| row.tool.as_str().to_owned())
}
