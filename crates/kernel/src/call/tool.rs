//! What tools do, by the names that agents give them.
//!
//! A shell runs anything: `shell` tells what.

use std::borrow::Cow;

use super::CallKind;
use super::arguments::Arguments;

/// Names in lower case, without a server's prefix, in order.
const KINDS: [(&str, CallKind); 104] = [
    ("agent", CallKind::Delegate),
    ("append_file", CallKind::Edit),
    ("apply_patch", CallKind::Edit),
    ("await_shell", CallKind::Wait),
    ("bash", CallKind::Shell),
    ("bashoutput", CallKind::Wait),
    ("cat", CallKind::Read),
    ("codebase_search", CallKind::Search),
    ("command", CallKind::Shell),
    ("create", CallKind::Edit),
    ("create_file", CallKind::Edit),
    ("delegate", CallKind::Delegate),
    ("dispatch_agent", CallKind::Delegate),
    ("edit", CallKind::Edit),
    ("edit_file", CallKind::Edit),
    ("editor", CallKind::Edit),
    ("enterplanmode", CallKind::Plan),
    ("exec", CallKind::Shell),
    ("exec_command", CallKind::Shell),
    ("execute_bash", CallKind::Shell),
    ("execute_command", CallKind::Shell),
    ("execute_ipython_cell", CallKind::Shell),
    ("exitplanmode", CallKind::Plan),
    ("fetch", CallKind::Web),
    ("file_editor", CallKind::Edit),
    ("file_search", CallKind::Search),
    ("find", CallKind::Search),
    ("find_file", CallKind::Search),
    ("followup_task", CallKind::Delegate),
    ("get_task_output", CallKind::Wait),
    ("glob", CallKind::Search),
    ("google_web_search", CallKind::Web),
    ("goto", CallKind::Read),
    ("grep", CallKind::Search),
    ("grep_search", CallKind::Search),
    ("insert", CallKind::Edit),
    ("insert_edit_into_file", CallKind::Edit),
    ("list_dir", CallKind::Search),
    ("list_directory", CallKind::Search),
    ("list_files", CallKind::Search),
    ("local_shell", CallKind::Shell),
    ("local_shell_call", CallKind::Shell),
    ("ls", CallKind::Search),
    ("multiedit", CallKind::Edit),
    ("notebookedit", CallKind::Edit),
    ("notebookread", CallKind::Read),
    ("open", CallKind::Read),
    ("powershell", CallKind::Shell),
    ("read", CallKind::Read),
    ("read_bash", CallKind::Wait),
    ("read_file", CallKind::Read),
    ("read_many_files", CallKind::Read),
    ("readfile", CallKind::Read),
    ("replace", CallKind::Edit),
    ("rg", CallKind::Search),
    ("run", CallKind::Shell),
    ("run_command", CallKind::Shell),
    ("run_in_terminal", CallKind::Shell),
    ("run_shell_command", CallKind::Shell),
    ("run_terminal_cmd", CallKind::Shell),
    ("run_test", CallKind::Test),
    ("run_tests", CallKind::Test),
    ("runtests", CallKind::Test),
    ("save_file", CallKind::Edit),
    ("scroll_down", CallKind::Read),
    ("scroll_up", CallKind::Read),
    ("search", CallKind::Search),
    ("search_dir", CallKind::Search),
    ("search_file", CallKind::Search),
    ("search_file_content", CallKind::Search),
    ("search_files", CallKind::Search),
    ("search_replace", CallKind::Edit),
    ("shell", CallKind::Shell),
    ("shell_command", CallKind::Shell),
    ("sleep", CallKind::Wait),
    ("spawn_agent", CallKind::Delegate),
    ("str_replace", CallKind::Edit),
    ("str_replace_editor", CallKind::Edit),
    ("task", CallKind::Delegate),
    ("task_tracker", CallKind::Plan),
    ("taskcreate", CallKind::Plan),
    ("taskget", CallKind::Plan),
    ("tasklist", CallKind::Plan),
    ("taskoutput", CallKind::Wait),
    ("taskupdate", CallKind::Plan),
    ("terminal", CallKind::Shell),
    ("think", CallKind::Plan),
    ("todoread", CallKind::Plan),
    ("todowrite", CallKind::Plan),
    ("unified_exec", CallKind::Shell),
    ("update_file", CallKind::Edit),
    ("update_plan", CallKind::Plan),
    ("view", CallKind::Read),
    ("view_image", CallKind::Read),
    ("wait", CallKind::Wait),
    ("wait_agent", CallKind::Wait),
    ("web_fetch", CallKind::Web),
    ("web_search", CallKind::Web),
    ("webfetch", CallKind::Web),
    ("websearch", CallKind::Web),
    ("write", CallKind::Edit),
    ("write_file", CallKind::Edit),
    ("write_stdin", CallKind::Shell),
    ("write_todos", CallKind::Plan),
];

/// Words in the names of tools of servers that write.
const WRITING: [&str; 9] = ["write", "edit", "create", "delete", "remove", "move", "rename", "patch", "replace"];

/// Tools that hand a plan to a person, who may take it up with an empty context.
const PLANNERS: [&str; 2] = ["exit_plan_mode", "exitplanmode"];

/// Tools that only save what was done: aider does, and works on nothing then.
const SAVERS: [&str; 1] = ["commit"];

/// A name without the prefix of its server.
fn own_name(name: &str) -> &str {
    name.rsplit("__").next().unwrap_or(name)
}

/// What a call of this tool does, by its name alone: a shell may do anything, an editor may only look.
pub fn by_name(name: &str) -> CallKind {
    let lower = || own_name(name).bytes().map(|byte| byte.to_ascii_lowercase());
    let found = KINDS.binary_search_by(|(known, _)| known.bytes().cmp(lower()));
    found.map_or(CallKind::Other, |place| KINDS[place].1)
}

/// Whether a call of this tool hands a plan to a person.
pub fn hands_over_a_plan(name: &str) -> bool {
    PLANNERS.iter().any(|known| own_name(name).eq_ignore_ascii_case(known))
}

/// Whether a call of this tool only saves what was done.
pub fn only_saves(name: &str) -> bool {
    SAVERS.contains(&name)
}

/// The command line that a call runs, by its arguments as JSON.
pub fn command_line(name: &str, arguments: &str) -> Option<String> {
    let arguments = Arguments::read(arguments);
    let is_of_editor = is_of_editor(name, &arguments);
    arguments.command.filter(|_| !is_of_editor).map(Cow::into_owned)
}

/// Whether a command says to an editor what to do with a file: it is no command line.
pub(super) fn is_of_editor(name: &str, arguments: &Arguments<'_>) -> bool {
    arguments.path.is_some() && matches!(by_name(name), CallKind::Edit | CallKind::Read)
}

/// Whether a tool may write the files that its arguments name, by its name: also where only a word of it says so, of a
/// server's tool that nobody knows.
pub fn may_write(name: &str) -> bool {
    let is_guessed = name.starts_with("mcp_") && WRITING.iter().any(|word| name.to_ascii_lowercase().contains(word));
    by_name(name) == CallKind::Edit || is_guessed
}

/// What a call of this tool with these arguments does.
pub(super) fn kind(name: &str, arguments: &Arguments<'_>) -> CallKind {
    match by_name(name) {
        CallKind::Edit if is_view(arguments) => CallKind::Read,
        CallKind::Shell if arguments.command.is_none() => typed(arguments),
        kind @ (CallKind::Read
        | CallKind::Search
        | CallKind::Edit
        | CallKind::Shell
        | CallKind::Test
        | CallKind::Web
        | CallKind::Plan
        | CallKind::Delegate
        | CallKind::Wait
        | CallKind::Other) => kind,
    }
}

/// An editor with commands of its own only looks.
fn is_view(arguments: &Arguments<'_>) -> bool {
    arguments.command.as_deref() == Some("view")
}

/// Nothing typed into a program that runs: its output is waited for.
fn typed(arguments: &Arguments<'_>) -> CallKind {
    match arguments.chars.as_deref() {
        Some("") | None => CallKind::Wait,
        Some(_) => CallKind::Shell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_in_order() {
        assert!(KINDS.is_sorted_by(|left, right| left.0 < right.0));
    }

    #[test]
    fn the_command_of_an_editor_is_no_command_line() {
        let cases = [
            ("Bash", r#"{"command":"ls -l"}"#, Some("ls -l")),
            ("shell", r#"{"command":["bash","-lc","ls | wc"],"path":"/w"}"#, Some("ls | wc")),
            ("exec_command", r#"{"cmd":"ls"}"#, Some("ls")),
            ("str_replace_editor", r#"{"command":"view","path":"a.rs"}"#, None),
            ("Read", r#"{"file_path":"a.rs"}"#, None),
        ];
        for (name, arguments, expected) in cases {
            assert_eq!(command_line(name, arguments).as_deref(), expected, "{name} {arguments}");
        }
    }

    #[test]
    fn plans_and_commits_are_told_by_the_names_of_their_tools() {
        assert!(["ExitPlanMode", "exit_plan_mode"].iter().all(|name| hands_over_a_plan(name)));
        assert!(!hands_over_a_plan("EnterPlanMode"));
        assert_eq!((only_saves("commit"), only_saves("Edit")), (true, false));
    }
}
