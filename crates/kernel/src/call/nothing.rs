//! Which failed calls are no failure: a search that finds nothing says so by its exit code; a look at a place that is not there, a
//! page that nobody has, and a folder that is no repository by their words.

use super::arguments::Arguments;
use super::finished::Printed;
use super::shell::{Act, Joint, Line};
use super::{CallKind, tool};
use crate::envelope::{Ending, Envelope};
use crate::fingerprint::parts;
use crate::pattern::Pattern;

/// An exit code of 1 at the end, as several tools write it; nothing stands behind it.
static EXIT_ONE: Pattern = Pattern::new(r"(?i)exit code:? 1(?:, stdout: , stderr:)?\s*\z");

/// What a program prints that went wrong.
static WENT_WRONG: Pattern = Pattern::new(
    r"(?im)^\s*(?:\S+: )*(?:error|fatal|panic|traceback|usage)\b|no such file|not found|unmatched|cannot|can't|permission denied|syntax error|invalid",
);

/// What tools that search say where they find nothing.
const NOTHING: [&str; 5] = ["no files found", "no match", "no matches found", "no results", "nothing found"];

/// Whether the call of an entry failed only because it found nothing.
pub fn found_nothing(entry: &Envelope<'_>) -> bool {
    if entry.ending() == Ending::Succeeded {
        return false;
    }
    let arguments = entry.input_text().map(Arguments::read).unwrap_or_default();
    let line = arguments.command.as_deref().map(Line::of);
    of(entry, tool::kind(&entry.name(), &arguments), line.as_ref(), &Printed::of(entry))
}

/// The same of a call whose tool does this, with this command line.
pub(super) fn of(entry: &Envelope<'_>, kind: CallKind, line: Option<&Line<'_>>, printed: &Printed<'_>) -> bool {
    if entry.ending() == Ending::Succeeded {
        return false;
    }
    let line = line.filter(|_| kind == CallKind::Shell);
    let error = entry.error().unwrap_or_default();
    says_nothing(&error) && is_empty(line.map_or(kind, |line| line.run().kind), line, &error, || printed.texts())
        || kind == CallKind::Web && is_no_page(&error)
        || line.is_some_and(|line| looks(line) && is_not_there(&error, &printed.texts()))
        || line.is_some_and(|line| asks_git(line) && says(&error, &printed.texts(), "fatal: not a git repository"))
}

/// An address that was guessed, or has gone.
fn is_no_page(error: &str) -> bool {
    ["status code 404", "404 Not Found", "HTTP 404"].iter().any(|words| error.contains(words))
}

/// Whether a line does nothing but ask git where it stands.
fn asks_git(line: &Line<'_>) -> bool {
    const ASKS: [&str; 3] = ["log", "rev-parse", "status"];
    let acts = line.acts();
    let asks = |act: &Act<'_>| act.program() == "git" && act.verb().is_some_and(|verb| ASKS.contains(&verb));
    acts.iter().any(&asks) && acts.iter().all(|act| asks(act) || matches!(act.program(), "cd" | "echo" | "pwd" | "ls"))
}

/// Whether a line does nothing but look at files.
fn looks(line: &Line<'_>) -> bool {
    const LOOKING: [&str; 9] = ["cat", "file", "head", "ls", "readlink", "stat", "tail", "tree", "wc"];
    let acts = line.acts();
    let looks = |act: &Act<'_>| LOOKING.contains(&act.program()) || matches!(act.program(), "cd" | "echo" | "pwd");
    acts.last().is_some_and(|last| LOOKING.contains(&last.program())) && acts.iter().all(looks)
}

/// Whether it is said that something is not there: one looks to find that out.
fn is_not_there(error: &str, printed: &str) -> bool {
    says(error, printed, "No such file")
}

fn says(error: &str, printed: &str, words: &str) -> bool {
    error.contains(words) || printed.contains(words)
}

/// Whether a call with this error and output failed only because it found nothing: exit code 1 of a search, and nothing
/// printed that says otherwise; or the words of a tool.
pub fn is_empty_search(kind: CallKind, command: Option<&str>, error: &str, output: &str) -> bool {
    says_nothing(error) && is_empty(kind, command.map(Line::of).as_ref(), error, || output.to_owned())
}

fn is_said(first: &str) -> bool {
    let is_there = |words: &&str| first.get(..words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words));
    NOTHING.iter().any(is_there)
}

/// Whether an error can be that of a search that found nothing: few are, so no more is read of the others.
fn says_nothing(error: &str) -> bool {
    let (first, _) = parts(error);
    is_said(first) || EXIT_ONE.is_match(first)
}

fn is_empty(kind: CallKind, line: Option<&Line<'_>>, error: &str, output: impl FnOnce() -> String) -> bool {
    let (first, rest) = parts(error);
    let is_alone = || line.is_none_or(|line| !line.text().contains([';', '&', '|', '\n']));
    let is_search =
        || kind == CallKind::Search && is_alone() || line.is_some_and(|line| line.is_whole() && searches(line));
    kind == CallKind::Search && is_said(first)
        || is_search() && EXIT_ONE.is_match(first) && !says_wrong(rest) && !says_wrong(&output())
}

/// Whether a program searches whose exit code can be that of the whole line: the last, or one before `&&`. How a line ends
/// that is too long to be looked at, nobody knows.
fn searches(line: &Line<'_>) -> bool {
    let own: Vec<_> = line.acts().iter().filter(|act| !act.is_asked()).collect();
    let searches = |act: &Act<'_>| match act.program() {
        "git" => act.verb() == Some("grep"),
        program => matches!(program, "ack" | "ag" | "egrep" | "fgrep" | "grep" | "pgrep" | "rg"),
    };
    let mut places = own.iter().zip(own.iter().skip(1).map(Some).chain([None]));
    places.any(|(act, next)| searches(act) && next.is_none_or(|next| next.joint() == Joint::And))
}

/// The tool's own line about the exit code does not count.
fn says_wrong(printed: &str) -> bool {
    printed.lines().any(|line| WENT_WRONG.is_match(line) && !EXIT_ONE.is_match(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    fn is_empty(command: &str, error: &str) -> bool {
        let input = serde_json::json!({ "command": command }).to_string();
        is_empty_search(Call::of("Bash", &input, None).kind, Some(command), error, "")
    }

    #[test]
    fn a_search_that_finds_nothing_is_no_failure() {
        for (command, error) in [
            ("rg pear orchard", "exit code 1"),
            ("cd orchard && git ls-tree main | grep pear", "exit code 1"),
            ("git ls-tree main | grep -i pear && echo there", "exit code 1"),
            ("rg pear", "failed in sandbox: denied exec error, exit code: 1, stdout: , stderr: "),
            ("grep pear list", "Exit code 1\n=== pears ==="),
            ("grep -rn pear . | grep -v apple", "Exit code 1"),
        ] {
            assert!(is_empty(command, error), "{command}: {error}");
        }
        for (command, error) in [
            ("rg pear orchard", "exit code 2"),
            ("grep pear list; make pie", "exit code 1"),
            ("make pie", "exit code 1"),
            ("cd nowhere && grep pear list", "Exit code 1\ncd: nowhere: No such file or directory"),
            ("grep pear list", "Exit code 1\ngrep: list: No such file or directory"),
        ] {
            assert!(!is_empty(command, error), "{command}: {error}");
        }
        for error in ["No files found", "No matches found for pattern \"pear\"", "exit code 1"] {
            assert!(is_empty_search(CallKind::Search, None, error, ""), "{error}");
        }
        assert!(!is_empty_search(CallKind::Read, None, "No files found", ""));
        assert!(!is_empty_search(CallKind::Search, None, "path is not allowed", ""));
    }

    #[test]
    fn a_page_that_nobody_has_and_a_folder_that_is_no_repository_are_found_out_by_asking() {
        let is_nothing = |tool: &str, input: serde_json::Value, error: &str| {
            let entry = serde_json::json!({
                "id": "01KRH71MHHHFHSZ8KTKWY6DMWY", "timestamp": "2026-01-01T00:00:00.000Z", "session_id": "s",
                "operation": { "type": "tool_call", "name": tool, "input": input, "success": false, "error": error },
                "provenance": {}, "metadata": {}, "extensions": {},
            });
            let line = crate::entry::HistoryEntry::read(&entry.to_string()).expect("an entry").to_line();
            let span = crate::envelope::Span::scan(line.as_bytes()).expect("a line of our own shape");
            found_nothing(&Envelope::new(line.as_bytes(), &span))
        };
        let git = |command: &str| {
            is_nothing("Bash", serde_json::json!({ "command": command }), "exit code 128: fatal: not a git repository")
        };
        assert!(git("git status") && git("cd a && git rev-parse HEAD"));
        assert!(!git("git commit -m x") && !git("git remote add origin x") && !git("git status && make"));
        let page = |error: &str| is_nothing("WebFetch", serde_json::json!({ "url": "https://a.example/b" }), error);
        assert!(page("Request failed with status code 404") && !page("Request failed with status code 500"));
    }
}
