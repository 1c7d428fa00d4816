//! How agents mark the environment of the commands that they run: one table (decision 55).
//!
//! A mark is a help and no proof: whoever runs a command may take it away. What is sure is a token.

/// A variable that an agent sets for the commands that it runs.
struct ShellMark {
    variable: &'static str,
    value: Value,
    /// The agent, as it is named in the history and in the roster.
    program: &'static str,
}

/// What a variable must say.
enum Value {
    /// Anything but nothing, 0 and false.
    Any,
    /// This word.
    Is(&'static str),
}

const fn mark(variable: &'static str, program: &'static str) -> ShellMark {
    ShellMark { variable, value: Value::Any, program }
}

const fn word(variable: &'static str, word: &'static str, program: &'static str) -> ShellMark {
    ShellMark { variable, value: Value::Is(word), program }
}

/// Every mark, in the order in which it is looked for: an agent's own variables before those that several use. Aider marks
/// nothing. What terminals inside an editor have for its person, too (`CURSOR_TRACE_ID`, `TERM_PROGRAM`), is none.
const MARKS: &[ShellMark] = &[
    mark("CLAUDECODE", "claude-code"),
    mark("CLAUDE_CODE_CHILD_SESSION", "claude-code"),
    mark("CODEX_THREAD_ID", "codex"),
    mark("CODEX_SANDBOX", "codex"),
    mark("CODEX_SANDBOX_NETWORK_DISABLED", "codex"),
    mark("CODEX_CI", "codex"),
    mark("GEMINI_CLI", "gemini"),
    mark("QWEN_CODE", "qwen-code"),
    mark("COPILOT_CLI", "copilot"),
    mark("COPILOT_AGENT", "copilot"),
    mark("CURSOR_AGENT", "cursor"),
    mark("OPENCODE", "opencode"),
    mark("OPENCODE_CLIENT", "opencode"),
    mark("AMP_CURRENT_THREAD_ID", "amp"),
    mark("GOOSE_TERMINAL", "goose"),
    mark("CLINE_ACTIVE", "cline"),
    mark("CRUSH", "crush"),
    mark("AUGMENT_AGENT", "augment"),
    mark("ANTIGRAVITY_AGENT", "antigravity"),
    mark("TRAE_AI_SHELL_ID", "trae"),
    mark("PI_CODING_AGENT", "pi"),
    word("AGENT", "amp", "amp"),
    word("AGENT", "goose", "goose"),
    word("AGENT", "crush", "crush"),
];

/// In which any agent may say its name.
const NAMED: &str = "AI_AGENT";

/// An agent that says no name which could be one.
const NAMELESS: &str = "agent";

/// The agent in whose environment a command runs, where one has marked it.
pub(super) fn agent_around(read: impl Fn(&str) -> Option<String>) -> Option<Box<str>> {
    let marked = MARKS.iter().find(|mark| read(mark.variable).is_some_and(|value| mark.value.is_met(&value)));
    let named = || read(NAMED).filter(|value| Value::Any.is_met(value)).map(|value| name_in(&value));
    marked.map(|mark| mark.program.into()).or_else(named)
}

/// How clients of the Model Context Protocol call themselves whose agent has another name here.
const CLIENTS: [(&str, &str); 6] = [
    ("claude-code", "claude-code"),
    ("codex", "codex"),
    ("gemini", "gemini"),
    ("github-copilot", "copilot"),
    ("copilot", "copilot"),
    ("cursor", "cursor"),
];

/// The agent that a client is; where it says no name, the one around it; never the user.
pub(super) fn program_of(client: Option<&str>, around: Option<&str>) -> Box<str> {
    let Some(client) = client.filter(|client| !client.trim().is_empty()) else {
        return around.unwrap_or(NAMELESS).into();
    };
    let name = name_in(client);
    let is_one = |begins: &str| {
        let rest = name.strip_prefix(begins);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
    };
    CLIENTS.iter().find(|(begins, _)| is_one(begins)).map_or(name.clone(), |(_, program)| (*program).into())
}

/// Every variable that is read for it.
pub(super) fn variables() -> impl Iterator<Item = &'static str> {
    MARKS.iter().map(|mark| mark.variable).chain([NAMED])
}

impl Value {
    fn is_met(&self, value: &str) -> bool {
        match self {
            Self::Any => !["", "0", "false"].contains(&value),
            Self::Is(word) => value == *word,
        }
    }
}

/// `Claude Code@2.1` is `claude-code`; a word that means no agent is none.
fn name_in(value: &str) -> Box<str> {
    let word = value.split('@').next().unwrap_or_default().trim().to_lowercase().replace(char::is_whitespace, "-");
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    let is_name = (2..=64).contains(&word.len()) && word.chars().all(is_plain) && !["user", "system"].contains(&&*word);
    if is_name { word.into() } else { NAMELESS.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(variables: &[(&str, &str)]) -> Option<String> {
        let read = |name: &str| Some(variables.iter().find(|(variable, _)| *variable == name)?.1.to_owned());
        agent_around(read).map(String::from)
    }

    #[test]
    fn every_agent_is_known_by_its_own_mark() {
        for ShellMark { variable, value, program } in MARKS {
            let value = if let Value::Is(word) = value { word } else { "1" };
            assert_eq!(around(&[(*variable, value), ("AI_AGENT", "other")]).as_deref(), Some(*program));
        }
        assert_eq!(around(&[("CODEX_THREAD_ID", "0199-a")]).as_deref(), Some("codex"));
    }

    /// What commands found that Claude Code 2.1.330 and Codex 0.169.0 ran.
    #[test]
    fn the_environments_of_real_agents_are_known() {
        let claude =
            [("AI_AGENT", "claude-code_2-1-330_agent"), ("CLAUDECODE", "1"), ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")];
        assert_eq!(around(&claude).as_deref(), Some("claude-code"));
        let thread = "01a20944-19d0-7751-903b-c493842264e6";
        let codex = [("CODEX_CI", "1"), ("CODEX_SESSION_ID", thread), ("CODEX_THREAD_ID", thread)];
        assert_eq!(around(&codex).as_deref(), Some("codex"));
    }

    #[test]
    fn a_client_is_known_by_the_name_that_it_gives_and_is_never_the_user() {
        for (client, around, program) in [
            (Some("claude-code"), None, "claude-code"),
            (Some("codex-mcp-client"), Some("claude-code"), "codex"),
            (Some("gemini-cli-mcp-client"), None, "gemini"),
            (Some("github-copilot-developer"), None, "copilot"),
            (Some("cursor-vscode"), None, "cursor"),
            (Some("Codexia"), None, "codexia"),
            (Some("user"), None, "agent"),
            (Some("System"), None, "agent"),
            (Some("../../x\n"), None, "agent"),
            (Some(" "), Some("codex"), "codex"),
            (None, None, "agent"),
        ] {
            assert_eq!(&*program_of(client, around), program, "{client:?}");
        }
    }

    #[test]
    fn the_terminal_of_a_person_is_no_agents() {
        assert_eq!(around(&[]), None);
        for variable in ["CURSOR_TRACE_ID", "TERM_PROGRAM", "AIDER_MODEL", "VSCODE_PID"] {
            assert_eq!(around(&[(variable, "1")]), None, "{variable}");
        }
        for value in ["", "0", "false"] {
            assert_eq!(around(&[("CLAUDECODE", value), ("AI_AGENT", value)]), None);
        }
        assert_eq!(around(&[("AGENT", "smith")]), None);
    }

    #[test]
    fn an_agent_may_say_its_name_and_is_nobody_else_by_it() {
        assert_eq!(around(&[("AI_AGENT", "devin@1")]).as_deref(), Some("devin"));
        assert_eq!(around(&[("AI_AGENT", "My Agent")]).as_deref(), Some("my-agent"));
        for value in ["user", "System", "1", "../x", "\u{1b}[2J"] {
            assert_eq!(around(&[("AI_AGENT", value)]).as_deref(), Some("agent"), "{value}");
        }
    }
}
