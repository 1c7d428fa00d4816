//! Tools that see to it themselves that a file was read before it is changed.

/// Tools that change no file which their agent has not read.
const SEEN_TO_IT: [&str; 4] = ["Edit", "MultiEdit", "Write", "NotebookEdit"];

/// Those, and tools and programs that only make new files, move them or take them away.
const NEEDS_NO_LOOK: [&str; 8] = ["write_file", "create", "create_file", "mv", "cp", "rm", "tee", "cat"];

/// Whether a tool itself has seen to it that its file was read.
pub fn sees_to_it(tool: &str) -> bool {
    SEEN_TO_IT.contains(&tool)
}

/// Whether an agent need not have looked at a file that this tool, or program, writes.
pub fn needs_no_look(tool: &str) -> bool {
    sees_to_it(tool) || NEEDS_NO_LOOK.contains(&tool)
}
