//! What stands in a user message of Codex: something typed, or text that the tool put before the model.

/// A user message, sorted.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SortedPrompt<'t> {
    /// A person typed it; an editor may have put its own context before it.
    Typed {
        /// What was typed.
        text: &'t str,
        /// What the editor added.
        context: Option<&'t str>,
    },
    /// A person ran a command.
    Shell {
        /// The command.
        command: &'t str,
        /// What it printed.
        printed: Option<&'t str>,
    },
    /// The tool wrote it.
    Injected,
}

// They stand among the messages of the person, and nothing but their beginning tells them from one.
const INJECTED: [&str; 8] = [
    "# AGENTS.md instructions", "<environment_context>", "<turn_aborted>", "<user_instructions>", "<INSTRUCTIONS>",
    "<skill>", "<permissions instructions>", "<subagent_notification>",
];

/// Sorts a message.
pub(super) fn sort(message: &str) -> SortedPrompt<'_> {
    let message = message.trim();
    if INJECTED.iter().any(|prefix| message.starts_with(prefix)) {
        return SortedPrompt::Injected;
    }
    if message.starts_with("<user_shell_command>") {
        let command = inside(message, "<command>", "</command>").unwrap_or_default();
        return SortedPrompt::Shell { command, printed: inside(message, "<result>", "</result>") };
    }
    let editor = message.starts_with("# Context from my IDE setup:");
    match message.split_once("## My request for Codex:").filter(|_| editor) {
        Some((context, text)) => SortedPrompt::Typed { text: text.trim(), context: Some(context.trim()) },
        None => SortedPrompt::Typed { text: message, context: None },
    }
}

fn inside<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(open)?;
    Some(rest.rsplit_once(close)?.0.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_sorted_by_how_they_begin() {
        assert_eq!(sort("<environment_context>\n…"), SortedPrompt::Injected);
        assert_eq!(sort(" fix it \n"), SortedPrompt::Typed { text: "fix it", context: None });
        let shell = "<user_shell_command>\n<command>\nls\n</command>\n<result>\na.rs\n</result>\n</user_shell_command>";
        assert_eq!(sort(shell), SortedPrompt::Shell { command: "ls", printed: Some("a.rs") });
        let editor = "# Context from my IDE setup:\n\n## Active file: a.rs\n\n## My request for Codex:\nfix it\n";
        let context = "# Context from my IDE setup:\n\n## Active file: a.rs";
        assert_eq!(sort(editor), SortedPrompt::Typed { text: "fix it", context: Some(context) });
    }
}
