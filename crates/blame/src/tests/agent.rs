//! Calls as the usual agents make them: arguments and result of an edit of a text.

use serde_json::{Value, json};

/// A change of lines: from one on, so many gave way to others.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub at: usize,
    pub gone: usize,
    pub new: Vec<String>,
}

/// A call: tool, arguments, result.
#[derive(Debug, Clone)]
pub(super) struct Called {
    pub tool: &'static str,
    pub input: Value,
    pub output: Value,
}

/// The ways in which a change can be made.
pub(super) const KINDS: [&str; 18] = [
    "edit", "edit-bare", "multiedit", "write", "write-bare", "gemini", "gemini-write", "copilot", "insert", "patch",
    "shell-patch", "diff", "heredoc", "append", "echo", "sed-s", "sed-d", "swe",
];

fn text(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_ref(), "\n"]).collect()
}

/// A change of a text by a call of some kind; `None` where that kind cannot make it.
pub(super) fn call(kind: &str, path: &str, old: &[String], change: &Change) -> Option<Called> {
    let mut new = old.to_vec();
    new.splice(change.at..change.at + change.gone, change.new.iter().cloned());
    let called = |tool, input, output| Some(Called { tool, input, output });
    let exchanges = ["edit", "edit-bare", "multiedit", "gemini", "copilot"];
    if exchanges.contains(&kind) {
        return exchange(kind, path, old, change);
    }
    match kind {
        "write" => {
            let output = json!({ "type": "update", "filePath": path, "content": text(&new), "structuredPatch": [hunk(old, change)] });
            called("Write", json!({ "file_path": path, "content": text(&new) }), output)
        }
        "gemini-write" => {
            let output = json!({ "output": "Successfully overwrote file" });
            called("write_file", json!({ "file_path": path, "content": text(&new) }), output)
        }
        "write-bare" => called("Write", json!({ "file_path": path, "content": text(&new) }), Value::Null),
        "insert" if change.gone == 0 => {
            let input =
                json!({ "command": "insert", "path": path, "insert_line": change.at, "new_str": text(&change.new) });
            called("str_replace_editor", input, json!("ok"))
        }
        "patch" => called("apply_patch", json!({ "input": patch(path, old, change) }), json!("Success.")),
        "shell-patch" => {
            let line = format!("apply_patch <<'EOF'\n{}\nEOF", patch(path, old, change));
            called("shell", json!({ "command": ["bash", "-lc", line] }), json!({ "output": "Success." }))
        }
        "diff" => {
            let line = format!("git apply <<'EOF'\n{}EOF", diff(path, old, change));
            called("Bash", json!({ "command": line }), json!({ "stdout": "" }))
        }
        "heredoc" => {
            let line = format!("cat > {path} <<'EOF'\n{}EOF", text(&new));
            called("Bash", json!({ "command": line }), json!({ "stdout": "" }))
        }
        "append" if change.at == old.len() => {
            let line = format!("cat >> {path} <<'EOF'\n{}EOF", text(&change.new));
            called("exec_command", json!({ "cmd": line }), json!("Chunk ID: 1\nOutput:\n"))
        }
        "echo" if change.at == old.len() && change.new.len() == 1 => {
            let line = format!("echo '{}' >> {path}", change.new[0]);
            called("run_shell_command", json!({ "command": line }), json!({ "output": "" }))
        }
        "sed-s" if change.gone == 1 && change.new.len() == 1 => {
            let line = format!("sed -i '{}s/^.*$/{}/' {path}", change.at + 1, change.new[0]);
            called("Bash", json!({ "command": line }), json!({ "stdout": "" }))
        }
        "sed-d" if change.gone > 0 && change.new.is_empty() => {
            let line = format!("sed -i '{},{}d' {path}", change.at + 1, change.at + change.gone);
            called("Bash", json!({ "command": line }), json!({ "stdout": "" }))
        }
        "swe" if change.gone > 0 => {
            let line = format!("edit {}:{}\n{}end_of_edit", change.at + 1, change.at + change.gone, text(&change.new));
            called("run", json!({ "command": line, "path": path }), json!(""))
        }
        _ => None,
    }
}

/// By a call that says which text gives way to which.
fn exchange(kind: &str, path: &str, old: &[String], change: &Change) -> Option<Called> {
    let (before, after) = exchanged(old, change)?;
    let input = json!({ "file_path": path, "old_string": before, "new_string": after });
    let (tool, input, output) = match kind {
        "edit" => {
            ("Edit", input, json!({ "filePath": path, "structuredPatch": [hunk(old, change)], "userModified": false }))
        }
        "edit-bare" => ("Edit", input, Value::Null),
        "multiedit" => {
            let edits = json!([{ "old_string": before, "new_string": after }]);
            ("MultiEdit", json!({ "file_path": path, "edits": edits }), Value::Null)
        }
        "gemini" => ("replace", input, json!({ "output": "Successfully modified file" })),
        _ => {
            let input = json!({ "command": "str_replace", "path": path, "old_str": before, "new_str": after });
            ("str_replace_editor", input, json!("File updated with changes."))
        }
    };
    Some(Called { tool, input, output })
}

/// Old and new text around a change: so much of it that it stands there once.
fn exchanged(old: &[String], change: &Change) -> Option<(String, String)> {
    let whole = text(old);
    let (mut first, mut last) = (change.at, change.at + change.gone);
    loop {
        let before = text(&old[first..last]);
        // Places that overlap count.
        let places = whole.char_indices().filter(|(at, _)| whole[*at..].starts_with(&before)).count();
        if !before.is_empty() && places == 1 {
            let after = text(&old[first..change.at]) + &text(&change.new) + &text(&old[change.at + change.gone..last]);
            return Some((before, after));
        }
        if first == 0 && last == old.len() {
            return None;
        }
        first = first.saturating_sub(1);
        last = (last + 1).min(old.len());
    }
}

fn around(old: &[String], change: &Change) -> (usize, usize) {
    (change.at.saturating_sub(3), (change.at + change.gone + 3).min(old.len()))
}

fn hunk_lines(old: &[String], change: &Change) -> Vec<String> {
    let (first, last) = around(old, change);
    let end = change.at + change.gone;
    let context = |lines: &[String]| lines.iter().map(|line| format!(" {line}")).collect::<Vec<_>>();
    let mut lines = context(&old[first..change.at]);
    lines.extend(old[change.at..end].iter().map(|line| format!("-{line}")));
    lines.extend(change.new.iter().map(|line| format!("+{line}")));
    lines.extend(context(&old[end..last]));
    lines
}

fn hunk(old: &[String], change: &Change) -> Value {
    let (first, last) = around(old, change);
    let (before, after) = (last - first, last - first - change.gone + change.new.len());
    json!({ "oldStart": first + 1, "oldLines": before, "newStart": first + 1, "newLines": after, "lines": hunk_lines(old, change) })
}

fn patch(path: &str, old: &[String], change: &Change) -> String {
    format!("*** Begin Patch\n*** Update File: {path}\n@@\n{}\n*** End Patch", hunk_lines(old, change).join("\n"))
}

fn diff(path: &str, old: &[String], change: &Change) -> String {
    let (first, last) = around(old, change);
    let (before, after) = (last - first, last - first - change.gone + change.new.len());
    let lines = hunk_lines(old, change).join("\n");
    format!("--- a/{path}\n+++ b/{path}\n@@ -{},{before} +{},{after} @@\n{lines}\n", first + 1, first + 1)
}
