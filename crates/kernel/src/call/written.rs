//! The files that a call changed.
//!
//! Those that its entry names, where its tool writes; and of a command line what the line says. Whether the call
//! succeeded is for others to ask.

use super::arguments::Arguments;
use super::shell::Line;
use super::{CallKind, patch, tool};
use crate::envelope::Envelope;
use crate::record::Kind;

/// The files that the call of an entry changed, relative to the project where they lie in it and the entry says so; of a
/// command line as it names them.
pub fn written(entry: &Envelope<'_>) -> Vec<Box<str>> {
    if entry.record() != Kind::Call {
        return Vec::new();
    }
    let name = entry.name();
    let by_name = tool::by_name(&name);
    if !matches!(by_name, CallKind::Edit | CallKind::Shell) {
        return Vec::new();
    }
    let text = entry.input_text().unwrap_or("{}");
    // An editor's command is short and stands with its path: only then is the input worth reading.
    if by_name == CallKind::Edit && memchr::memmem::find(text.as_bytes(), b"\"command\"").is_none() {
        let files = named(entry);
        if !files.is_empty() {
            return files;
        }
    }
    let arguments = Arguments::read(text);
    let line = arguments.command.as_deref().map(Line::of);
    of(entry, tool::kind(&name, &arguments), &arguments, line.as_ref())
}

/// The same of a call whose tool does this, with these arguments.
pub(super) fn of(
    entry: &Envelope<'_>,
    kind: CallKind,
    arguments: &Arguments<'_>,
    line: Option<&Line<'_>>,
) -> Vec<Box<str>> {
    match kind {
        CallKind::Edit => or_else(named(entry), || {
            let patched = arguments.text.as_deref().map(patch::files).unwrap_or_default();
            let path = arguments.path.as_deref().filter(|_| patched.is_empty());
            patched.into_iter().chain(path).map(Into::into).collect()
        }),
        CallKind::Shell => {
            let Some(line) = line else { return Vec::new() };
            let files = named(entry);
            // Hardly an entry of a shell names files: what the line does is asked only where one does.
            let is_by_entry = !files.is_empty() && line.run().kind == CallKind::Edit;
            if is_by_entry { files } else { line.written() }
        }
        CallKind::Read
        | CallKind::Search
        | CallKind::Test
        | CallKind::Web
        | CallKind::Plan
        | CallKind::Delegate
        | CallKind::Wait
        | CallKind::Other => Vec::new(),
    }
}

fn named(entry: &Envelope<'_>) -> Vec<Box<str>> {
    entry.files().into_iter().map(|file| file.as_ref().into()).collect()
}

fn or_else(files: Vec<Box<str>>, others: impl FnOnce() -> Vec<Box<str>>) -> Vec<Box<str>> {
    if files.is_empty() { others() } else { files }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::HistoryEntry;
    use crate::envelope::Span;

    fn of(name: &str, input: &serde_json::Value, files: &[&str]) -> Vec<String> {
        let line = serde_json::json!({
            "id": "01M7W6C3807W710BW29113ZHPE", "timestamp": "2026-11-20T17:00:00.000Z", "session_id": "s",
            "operation": { "type": "tool_call", "name": name, "input": input, "success": true },
            "provenance": {}, "metadata": { "files_touched": files },
        });
        let line = HistoryEntry::read(&line.to_string()).expect("an entry").to_line();
        let span = Span::scan(line.as_bytes()).expect("a line of our own shape");
        written(&Envelope::new(line.as_bytes(), &span)).into_iter().map(String::from).collect()
    }

    fn by(command: &str) -> Vec<String> {
        of("Bash", &serde_json::json!({ "command": command }), &[])
    }

    #[test]
    fn a_tool_that_writes_changes_the_files_of_its_entry() {
        let path = serde_json::json!({ "file_path": "/w/a.rs", "content": "x" });
        assert_eq!(of("Write", &path, &["a.rs"]), ["a.rs"]);
        assert_eq!(of("Write", &path, &[]), ["/w/a.rs"], "what the arguments say");
        assert_eq!(of("Read", &path, &["a.rs"]), [""; 0]);
        let view = |command| serde_json::json!({ "command": command, "path": "a.rs" });
        assert_eq!(of("str_replace_editor", &view("view"), &["a.rs"]), [""; 0]);
        assert_eq!(of("str_replace_editor", &view("create"), &["a.rs"]), ["a.rs"]);
        let patch = "*** Begin Patch\n*** Add File: a.rs\n+x\n*** Update File: b.rs\n*** End Patch";
        assert_eq!(of("apply_patch", &serde_json::json!({ "input": patch }), &[]), ["a.rs", "b.rs"]);
        let shell = serde_json::json!({ "command": ["bash", "-lc", format!("apply_patch <<'P'\n{patch}\nP")] });
        assert_eq!(of("shell", &shell, &[]), ["a.rs", "b.rs"]);
        assert_eq!(of("shell", &shell, &["sub/a.rs", "sub/b.rs"]), ["sub/a.rs", "sub/b.rs"], "as the entry has them");
        assert_eq!(of("exec_command", &serde_json::json!({ "cmd": "echo x > a.txt" }), &[]), ["a.txt"]);
    }

    #[test]
    fn a_command_line_changes_the_files_that_it_writes() {
        let cases: [(&str, &[&str]); 24] = [
            ("cat > src/a.rs <<'E'\nx > y\nE", &["src/a.rs"]),
            ("echo x >> notes.md", &["notes.md"]),
            ("sed -i 's/a/b/' a.rs b.rs", &["a.rs", "b.rs"]),
            ("perl -pi -e 's/a/b/' a.pl", &["a.pl"]),
            ("sed -n 1,5p a.rs", &[]),
            ("printf x | tee a.txt b.txt", &["a.txt", "b.txt"]),
            ("printf x | tee -a a.txt >/dev/null", &["a.txt"]),
            ("mv a.rs b.rs", &["a.rs", "b.rs"]),
            ("rm -f a.rs", &["a.rs"]),
            ("rm -rf target", &[]),
            ("cp a.rs b.rs", &["b.rs"]),
            ("git mv a.rs b.rs && git rm c.rs", &["a.rs", "b.rs", "c.rs"]),
            ("git apply <<'P'\n--- a/a.rs\n+++ b/a.rs\nP", &["a.rs"]),
            ("bash -lc 'cat > a.txt'", &["a.txt"]),
            ("docker exec -w /app box sed -i s/a/b/ a.py", &["a.py"]),
            ("docker exec -it box bash -c 'echo x > a.py'", &["a.py"]),
            ("timeout 60 env A=b sed -i s/a/b/ ./a.py", &["a.py"]),
            ("cargo test > /tmp/log 2>&1", &[]),
            ("ls 2>/dev/null", &[]),
            ("make > $OUT", &[]),
            ("create src/new.py", &["src/new.py"]),
            ("str_replace_editor create a.py --file_text x", &["a.py"]),
            ("str_replace_editor view a.py", &[]),
            ("edit 3:5\nif a > b:\n  rm x.py\nend_of_edit", &[]),
        ];
        for (command, files) in cases {
            assert_eq!(by(command), files, "{command}");
        }
    }

    /// Whoever compares each with each takes minutes here.
    #[test]
    fn a_patch_of_many_files_names_each_once() {
        let heads = (0..200_000).map(|number| format!("*** Add File: {number}.rs\n"));
        let patch = heads.collect::<String>();
        assert_eq!(by(&format!("apply_patch <<'P'\n{patch}{patch}P")).len(), 200_000);
    }
}
