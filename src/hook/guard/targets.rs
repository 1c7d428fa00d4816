//! The paths that a call would write: those that tools for files name, and those of shell commands.
//!
//! Pure but for what `commands` is given. Does not ask whether they lie in `.context`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::event::Call;
use super::{Surroundings, commands};
use crate::kernel::call::{CallKind, by_name, may_write, patch};

/// A path that would be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WriteTarget {
    /// Absolute, with `..` and links as they are written.
    pub(super) path: PathBuf,
    /// How far the writing goes.
    pub(super) reach: WriteReach,
}

/// How far a writing goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WriteReach {
    /// The path itself.
    Itself,
    /// Everything below it.
    AllBelow,
}

/// Arguments that name files.
const PATHS: [&str; 9] =
    ["file_path", "notebook_path", "path", "filePath", "absolute_path", "file", "source", "destination", "target"];

/// The paths that a call would write.
pub(super) fn of(call: &Call, directory: &Path, around: &Surroundings) -> Vec<WriteTarget> {
    let is_shell = by_name(&call.tool) == CallKind::Shell;
    let is_writer = may_write(&call.tool);
    if !is_writer && !is_shell {
        return Vec::new();
    }
    let input = call.input.value();
    let itself = |path: &str| WriteTarget { path: directory.join(path), reach: WriteReach::Itself };
    let mut targets = Vec::new();
    if is_writer {
        let named = PATHS.iter().filter_map(|key| input.get(key)?.as_str());
        targets.extend(named.map(itself));
    }
    for text in texts(&input) {
        targets.extend(patch::files(&text).into_iter().map(itself));
        if is_shell {
            targets.extend(commands::targets(&text, directory, around));
        }
    }
    targets
}

/// The command or patch in the arguments: a text, or words of a command line.
pub(super) fn texts(input: &Value) -> Vec<String> {
    let words = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            // `["bash", "-lc", "…"]`: what the shell gets is the last word.
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            let is_script = words.len() > 2 && words[1].starts_with('-') && words[1].ends_with('c');
            Some(if is_script { words[2].to_owned() } else { words.join(" ") })
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    };
    ["command", "cmd", "input", "patch", "arguments"].iter().filter_map(|key| words(input.get(key)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::json::Json;

    fn written(tool: &str, input: &Value) -> Vec<String> {
        let call = Call { id: None, tool: tool.into(), called: None, input: Json::of(input), files: None };
        let targets = of(&call, Path::new("/p"), &Surroundings::default());
        targets.into_iter().map(|target| target.path.display().to_string()).collect()
    }

    #[test]
    fn tools_for_files_name_what_they_write() {
        let json = |text: &str| serde_json::from_str(text).expect("JSON");
        assert_eq!(written("Write", &json(r#"{"file_path":"/p/a","content":"x"}"#)), ["/p/a"]);
        assert_eq!(written("NotebookEdit", &json(r#"{"notebook_path":"b.ipynb"}"#)), ["/p/b.ipynb"]);
        assert_eq!(written("Read", &json(r#"{"file_path":"/p/a"}"#)), [""; 0]);
        assert_eq!(written("mcp__fs__move_file", &json(r#"{"source":"a","destination":"b"}"#)), ["/p/a", "/p/b"]);
        assert_eq!(written("mcp__fs__read_file", &json(r#"{"path":"a"}"#)), [""; 0]);
    }

    #[test]
    fn a_patch_names_its_files() {
        let patch = "*** Begin Patch\n*** Add File: a.rs\n+x\n*** Update File: b.rs\n*** Move to: c.rs\n*** End Patch";
        let input = serde_json::json!({ "command": patch });
        assert_eq!(written("apply_patch", &input), ["/p/a.rs", "/p/b.rs", "/p/c.rs"]);
        let here = serde_json::json!({ "command": format!("apply_patch <<'EOF'\n{patch}\nEOF") });
        assert_eq!(written("Bash", &here), ["/p/a.rs", "/p/b.rs", "/p/c.rs"]);
        let words = serde_json::json!({ "command": ["bash", "-lc", "rm a"] });
        assert_eq!(written("shell", &words), ["/p/a"]);
    }
}
