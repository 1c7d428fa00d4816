//! What one command does, and how much that says of the line in which it stands.
//!
//! Knows programs by name. What a program of a project's own does, nobody knows: it works.

use super::super::CallKind;
use super::act::{Act, is_file};
use super::lexer::Joint;
use super::wrapper::is_keyword;

/// How much a command says of what its line does, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// Nothing: `cd`, `echo`.
    Nothing,
    /// It prepares what the others do: `mkdir`, `rm -r build`, `git pull`, whatever is written below `/tmp`.
    Prepares,
    /// It looks around: `rg`, `ls`, `git status`.
    Looks,
    /// It looks into a file.
    Reads,
    /// It asks the web.
    Asks,
    /// It waits before the others look: `sleep`.
    Waits,
    /// It puts a file in its place, takes one away, or prints into one: `cp`, `rm`, `echo … >`.
    Places,
    /// It does what only its own name says: `make`, `git push`.
    Works,
    /// It writes what its words say: `sed -i`, `apply_patch`, a here-document.
    Writes,
    /// It runs tests.
    Tests,
}

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CommandWeight<'c> {
    pub(super) weight: Weight,
    pub(super) kind: CallKind,
    /// The file that it reads or writes.
    pub(super) file: Option<&'c str>,
}

impl Weight {
    /// What is printed into a command was told by what prints it, unless that says nothing.
    fn behind_a_pipe(self) -> Self {
        match self {
            Self::Tests | Self::Writes | Self::Places | Self::Prepares => self,
            Self::Works => Self::Prepares,
            Self::Nothing | Self::Looks | Self::Reads | Self::Asks | Self::Waits => Self::Nothing,
        }
    }
}

impl<'c> CommandWeight<'c> {
    pub(super) fn by(act: &'c Act<'c>) -> Self {
        let told = Self::alone(act);
        let weight = match told.weight {
            weight if act.joint() == Joint::Pipe => weight.behind_a_pipe(),
            weight if act.is_asked() && weight != Weight::Tests => weight.min(Weight::Prepares),
            weight => weight,
        };
        Self { weight, ..told }
    }

    /// As if it stood alone.
    fn alone(act: &'c Act<'c>) -> Self {
        if act.is_test() {
            return Self { weight: Weight::Tests, kind: CallKind::Test, file: None };
        }
        if let Some(file) = written(act) {
            return Self { weight: file.0, kind: CallKind::Edit, file: file.1 };
        }
        let (weight, kind) = looks(act).unwrap_or_else(|| (works(act), CallKind::Shell));
        let is_printed = matches!(weight, Weight::Nothing | Weight::Looks | Weight::Reads);
        if let Some(target) = act.redirected().filter(|_| is_printed) {
            let file = Some(target).filter(|target| is_file(target));
            return Self { weight: placed(target, act), kind: CallKind::Edit, file };
        }
        if kind == CallKind::Read && act.has_document() {
            // It prints what stands in the line.
            return Self { weight: Weight::Nothing, kind: CallKind::Shell, file: None };
        }
        let file = if kind == CallKind::Read { act.last_path() } else { None };
        Self { weight, kind, file }
    }
}

/// What programs do that change files, and the file.
fn written<'c>(act: &'c Act<'c>) -> Option<(Weight, Option<&'c str>)> {
    let operand = || act.last_operand().map(|file| (placed(file, act), Some(file)));
    let wrote = || Some((Weight::Writes, act.last_path()));
    match (act.program(), act.verb()) {
        ("apply_patch" | "patch" | "edit" | "create" | "str_replace" | "insert", _) | ("git", Some("apply")) => wrote(),
        ("str_replace_editor", Some(verb)) if verb != "view" => wrote(),
        _ if act.is_in_place() => wrote(),
        ("cp" | "mv" | "tee", _) | ("git", Some("mv")) => operand(),
        ("rm", _) | ("git", Some("rm")) if !act.is_of_folders() => operand(),
        _ if formats(act) => Some((Weight::Places, act.last_path())),
        _ => None,
    }
}

/// A text of the line that is written down is the work itself, but not below `/tmp`, nor where nobody knows.
fn placed(file: &str, act: &Act<'_>) -> Weight {
    let is_scratch = ["/tmp/", "/var/tmp/", "$"].iter().any(|place| file.starts_with(place));
    match (is_scratch, act.has_document()) {
        (true, _) => Weight::Prepares,
        (false, true) => Weight::Writes,
        (false, false) => Weight::Places,
    }
}

/// What programs do that change nothing.
fn looks(act: &Act<'_>) -> Option<(Weight, CallKind)> {
    Some(match act.program() {
        "cat" | "head" | "tail" | "less" | "more" | "bat" | "nl" | "sed" | "view" | "open" | "goto" | "wc"
        | "scroll_down" | "scroll_up" | "str_replace_editor" => (Weight::Reads, CallKind::Read),
        "rg" | "grep" | "egrep" | "fgrep" | "ag" | "ack" | "find" | "fd" | "fdfind" | "ls" | "tree" | "which"
        | "search_dir" | "search_file" | "find_file" => (Weight::Looks, CallKind::Search),
        "git" if act.verb() == Some("grep") => (Weight::Looks, CallKind::Search),
        "curl" | "wget" | "xh" | "lynx" => (Weight::Asks, CallKind::Web),
        "sleep" => (Weight::Waits, CallKind::Wait),
        _ if asks_how_far(act) => (Weight::Looks, CallKind::Wait),
        _ => return None,
    })
}

/// What a command with no kind of its own says of its line.
fn works(act: &Act<'_>) -> Weight {
    match act.program() {
        program if is_keyword(program) => Weight::Nothing,
        "" | "cd" | "export" | "source" | "." | "set" | "unset" | "echo" | "printf" | "true" | "false" | "pwd"
        | "pushd" | "popd" | ":" | "fi" | "done" | "date" | "for" | "case" | "esac" | "read" | "local" | "declare"
        | "trap" | "ulimit" | "shopt" | "return" | "exit" | "break" | "continue" | "wait" | "clear" | "umask" | "}" => {
            Weight::Nothing
        }
        "mkdir" | "rmdir" | "rm" | "cp" | "mv" | "tee" | "touch" | "chmod" | "chown" | "ln" | "kill" | "pkill"
        | "killall" => Weight::Prepares,
        "[" | "[[" | "annals" | "awk" | "cmp" | "column" | "command" | "cut" | "df" | "diff" | "du" | "file"
        | "hostname" | "id" | "jq" | "lsof" | "pgrep" | "ps" | "sort" | "ss" | "stat" | "test" | "tr" | "type"
        | "uname" | "uniq" | "whoami" => Weight::Looks,
        "apt" | "apt-get" | "brew" if act.verb() == Some("update") => Weight::Prepares,
        "git" => git(act),
        "gh" if act.verbs().nth(1).is_some_and(only_shows) => Weight::Looks,
        _ if act.has_verbs() && act.verb().is_some_and(only_shows) => Weight::Looks,
        _ => Weight::Works,
    }
}

/// Whether nothing but its own name says what a command does.
pub(super) fn works_by_name(act: &Act<'_>) -> bool {
    looks(act).is_none() && works(act) == Weight::Works
}

/// Asks how far something is that goes on elsewhere: the same again and again, until it is there.
fn asks_how_far(act: &Act<'_>) -> bool {
    // Asked of every command that is no other look: few are of these programs.
    if !matches!(act.program(), "gh" | "glab" | "kubectl") {
        return false;
    }
    let mut verbs = act.verbs();
    match (act.program(), verbs.next().unwrap_or_default(), verbs.next().unwrap_or_default()) {
        ("gh", "run", "list" | "view" | "watch") | ("gh", "pr", "checks") | ("gh", "release", "view") => true,
        ("glab", "ci", verb) => matches!(verb, "get" | "list" | "status" | "view"),
        ("kubectl", verb, next) => verb == "wait" || verb == "rollout" && next == "status",
        _ => false,
    }
}

/// What a verb of this name does in every program that has it.
fn only_shows(verb: &str) -> bool {
    const SHOWS: [&str; 16] = [
        "checks", "diff", "get", "help", "info", "list", "logs", "ls", "outdated", "ps", "ready", "search", "show",
        "status", "version", "view",
    ];
    SHOWS.contains(&verb)
}

fn git(act: &Act<'_>) -> Weight {
    match act.verb().unwrap_or_default() {
        "branch" if act.has(&["-d", "-D", "-m", "-M"]) => Weight::Works,
        "worktree" if act.has(&["list"]) => Weight::Looks,
        // With `--` it takes back what was written.
        "checkout" if act.has(&["--"]) => Weight::Works,
        "checkout" | "fetch" | "init" | "pull" | "submodule" | "switch" => Weight::Prepares,
        "" | "blame" | "branch" | "cat-file" | "check-ignore" | "config" | "describe" | "diff" | "log" | "ls-files"
        | "ls-remote" | "ls-tree" | "merge-base" | "reflog" | "remote" | "rev-list" | "rev-parse" | "shortlog"
        | "show" | "show-ref" | "status" => Weight::Looks,
        _ => Weight::Works,
    }
}

/// Programs that bring code into shape; each says by an option that it writes.
fn formats(act: &Act<'_>) -> bool {
    const WRITES: [&str; 6] = ["--write", "--fix", "--in-place", "--apply", "-w", "-i"];
    let is_formatter = |program| {
        matches!(
            program,
            "biome"
                | "clang-format"
                | "dprint"
                | "eslint"
                | "gofmt"
                | "goimports"
                | "oxlint"
                | "prettier"
                | "ruff"
                | "shfmt"
                | "stylelint"
                | "yapf"
        )
    };
    let runs_one = matches!(act.program(), "npm" | "pnpm" | "yarn" | "bun");
    (is_formatter(act.program()) || runs_one && act.verb().is_some_and(is_formatter)) && act.has(&WRITES)
}
