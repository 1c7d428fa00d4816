//! What a call changed in a file, as far as its arguments say: old lines, new lines, and where they stand.
//!
//! Knows the editors of the usual agents, patches, and the blocks that Aider writes. Does not read files.

use std::collections::BTreeMap;

use serde_json::Value;

/// A change of one place in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The file; empty where nobody says which.
    pub file: String,
    /// What stood there.
    pub old: String,
    /// What stands there now.
    pub new: String,
    /// The number of the first new line in the file, where the record says so.
    pub first_line: Option<usize>,
    /// Whether there was a file before.
    pub before: Before,
}

/// Whether there was a file before an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// There was: what is changed was found in it.
    There,
    /// There was none, or it was written over.
    New,
    /// Nobody says.
    Unknown,
}

/// A line of the new text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'e> {
    /// Its number: in the file where that is known, else in the edit. From 1.
    pub number: usize,
    /// What it says.
    pub text: &'e str,
    /// Whether it stood there before.
    pub origin: Origin,
}

/// Whether a line stood there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The edit brought it.
    Added,
    /// It stood there.
    Kept,
}

impl Edit {
    /// The new lines, and which of them the edit brought: each old line accounts for one equal new one.
    pub fn lines(&self) -> Vec<Line<'_>> {
        let mut old: BTreeMap<&str, usize> = BTreeMap::new();
        for line in self.old.lines() {
            *old.entry(line).or_default() += 1;
        }
        let first = self.first_line.unwrap_or(1);
        let line = |(index, text)| {
            let left = old.get_mut(text).filter(|left| **left > 0);
            let origin = left.map_or(Origin::Added, |left| {
                *left -= 1;
                Origin::Kept
            });
            Line { number: first.saturating_add(index), text, origin }
        };
        self.new.lines().enumerate().map(line).collect()
    }

    /// The old lines that are gone.
    pub fn removed(&self) -> Vec<&str> {
        let mut new: BTreeMap<&str, usize> = BTreeMap::new();
        for line in self.new.lines() {
            *new.entry(line).or_default() += 1;
        }
        let mut is_gone = |line: &&str| match new.get_mut(*line).filter(|left| **left > 0) {
            Some(left) => {
                *left -= 1;
                false
            }
            None => true,
        };
        self.old.lines().filter(|line| is_gone(line)).collect()
    }

    /// The ending of the file's name, in lower case: `rs`.
    pub fn language(&self) -> String {
        let name = super::text::base(&self.file);
        name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default()
    }
}

/// More edits than this in one call are not looked at.
const MOST_EDITS: usize = 1000;

/// What a call changed, by its arguments; some tools say in the output where.
pub(crate) fn of_call(arguments: &Value, output: &Value, files: &[Box<str>]) -> Vec<Edit> {
    let text = |keys: &[&str]| keys.iter().find_map(|key| arguments.get(key)?.as_str());
    let named = text(&["file_path", "path", "filePath", "notebook_path", "filename"]);
    let file = || named.or(files.first().map(|file| &**file)).unwrap_or_default().to_owned();
    let patch = patch_in(arguments).map(|patch| patched(&patch)).filter(|edits| !edits.is_empty());
    if let Some(edits) = patch {
        return edits;
    }
    if let Some(edits) = arguments.get("edits").and_then(Value::as_array) {
        return edits.iter().take(MOST_EDITS).filter_map(|edit| replaced(edit, file(), None)).collect();
    }
    let created = text(&["file_text", "content", "contents"]).filter(|_| named.is_some());
    if let Some(new) = created {
        let (old, before) = (original(output).unwrap_or_default(), Before::New);
        return vec![Edit { file: file(), old, new: new.to_owned(), first_line: Some(1), before }];
    }
    let first = first_line(output, text(&["new_string", "new_str"]));
    let block = text(&["command"]).and_then(|command| numbered(command, file()));
    replaced(arguments, file(), first).or(block).into_iter().collect()
}

fn replaced(arguments: &Value, file: String, first_line: Option<usize>) -> Option<Edit> {
    let text = |keys: &[&str]| keys.iter().find_map(|key| arguments.get(key)?.as_str());
    let old = text(&["old_string", "old_str", "search", "oldText", "old_text"]);
    let new = text(&["new_string", "new_str", "replace", "newText", "new_text", "new_source"])?;
    let inserted = old.is_none().then(|| arguments.get("insert_line")?.as_u64()).flatten();
    let after = inserted.and_then(|line| usize::try_from(line).ok()).map(|line| line.saturating_add(1));
    let before =
        if old.is_some_and(|old| !old.is_empty()) || after.is_some() { Before::There } else { Before::Unknown };
    Some(Edit {
        file,
        old: old.unwrap_or_default().to_owned(),
        new: new.to_owned(),
        first_line: first_line.or(after),
        before,
    })
}

/// The file as it was before it was written over, where the tool says so.
fn original(output: &Value) -> Option<String> {
    output.get("originalFile")?.as_str().map(str::to_owned)
}

/// Where the new lines of an edit begin, where the tool shows the hunk: what comes before them in it is context.
fn first_line(output: &Value, new: Option<&str>) -> Option<usize> {
    let hunk = output.get("structuredPatch")?.as_array()?.first()?;
    let start = usize::try_from(hunk.get("newStart")?.as_u64()?).ok()?;
    let lines = hunk.get("lines")?.as_array()?.iter().filter_map(Value::as_str);
    let first = new?.lines().next().unwrap_or_default();
    let there = lines.filter(|line| !line.starts_with('-')).map(|line| line.get(1..).unwrap_or_default());
    let context = there.take_while(|line| *line != first).count();
    Some(start.saturating_add(context))
}

/// `edit 12:15`, new lines, `end_of_edit`: the editor of SWE-agent.
fn numbered(command: &str, file: String) -> Option<Edit> {
    let (head, rest) = command.trim_start().strip_prefix("edit ")?.split_once('\n')?;
    let first = head.split(':').next()?.trim().parse().ok()?;
    let new = rest.split("\nend_of_edit").next()?.trim_end_matches("end_of_edit").to_owned();
    Some(Edit { file, old: String::new(), new, first_line: Some(first), before: Before::There })
}

/// The patch in some arguments: alone, or in the command of a shell.
fn patch_in(arguments: &Value) -> Option<String> {
    const HEAD: &str = "*** Begin Patch";
    let keys = ["input", "patch", "arguments", "command", "cmd", "code"];
    let texts = keys.iter().filter_map(|key| match arguments.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            words.iter().filter_map(Value::as_str).find(|word| word.contains(HEAD)).map(str::to_owned)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    });
    texts.into_iter().find(|text| text.contains(HEAD))
}

/// The edits of a patch as `apply_patch` takes it, one for each hunk.
fn patched(patch: &str) -> Vec<Edit> {
    let (mut edits, mut current): (Vec<Edit>, Option<Edit>) = (Vec::new(), None);
    for line in patch.lines() {
        let begin = |file: &str, before| {
            Some(Edit {
                file: file.trim().to_owned(),
                old: String::new(),
                new: String::new(),
                first_line: None,
                before,
            })
        };
        let next = if let Some(file) = line.strip_prefix("*** Add File: ") {
            let first = |edit: Edit| Edit { first_line: Some(1), ..edit };
            Some(begin(file, Before::New).map(first))
        } else if let Some(file) = line.strip_prefix("*** Update File: ") {
            Some(begin(file, Before::There))
        } else if line.starts_with("*** ") && !line.starts_with("*** Move to: ") {
            // A move stands within an update: its hunks follow it, and belong to the file under its old name.
            Some(None)
        } else if line.starts_with("@@") {
            Some(current.as_ref().and_then(|edit| begin(&edit.file.clone(), edit.before)))
        } else {
            None
        };
        match next {
            Some(next) => edits.extend(std::mem::replace(&mut current, next)),
            None => current.iter_mut().for_each(|edit| take_line(edit, line)),
        }
    }
    edits.extend(current);
    edits.retain(|edit| !(edit.old.is_empty() && edit.new.is_empty()));
    edits.truncate(MOST_EDITS);
    edits
}

fn take_line(edit: &mut Edit, line: &str) {
    let mut put = |into: fn(&mut Edit) -> &mut String, text: &str| {
        let into = into(edit);
        into.push_str(text);
        into.push('\n');
    };
    if let Some(text) = line.strip_prefix('+') {
        put(|edit| &mut edit.new, text);
    } else if let Some(text) = line.strip_prefix('-') {
        put(|edit| &mut edit.old, text);
    } else {
        // Codex, too, takes an empty line without its blank for context.
        let text = line.strip_prefix(' ').unwrap_or(line);
        put(|edit| &mut edit.old, text);
        put(|edit| &mut edit.new, text);
    }
}

/// The edits in what an agent said: blocks of SEARCH and REPLACE below the name of their file.
pub(crate) fn in_message(text: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (mut file, mut last, mut side) = (String::new(), "", Side::Outside);
    let (mut old, mut new) = (String::new(), String::new());
    for line in text.lines() {
        let into = |text: &mut String| {
            text.push_str(line);
            text.push('\n');
        };
        match side {
            Side::Outside if line.starts_with("<<<<<<< SEARCH") => {
                last.trim().clone_into(&mut file);
                side = Side::Old;
            }
            // The name of the file stands above the fence.
            Side::Outside if !line.starts_with("```") && !line.trim().is_empty() => last = line,
            Side::Outside => {}
            Side::Old if line.starts_with("=======") => side = Side::New,
            Side::Old => into(&mut old),
            Side::New if line.starts_with(">>>>>>> REPLACE") => {
                // Aider makes a new file with an empty SEARCH.
                let before = if old.trim().is_empty() { Before::New } else { Before::There };
                let (old, new) = (std::mem::take(&mut old), std::mem::take(&mut new));
                edits.push(Edit { file: file.clone(), old, new, first_line: None, before });
                side = Side::Outside;
            }
            Side::New => into(&mut new),
        }
    }
    edits.truncate(MOST_EDITS);
    edits
}

#[derive(Clone, Copy)]
enum Side {
    Outside,
    Old,
    New,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn edits(arguments: &Value) -> Vec<Edit> {
        of_call(arguments, &Value::Null, &[])
    }

    fn edit(file: &str, old: &str, new: &str, first_line: Option<usize>, before: Before) -> Edit {
        Edit { file: file.into(), old: old.into(), new: new.into(), first_line, before }
    }

    /// AFS 5.2.7: old and new text of the usual editors.
    #[test]
    fn the_editors_of_the_usual_agents_are_known() {
        let cases = [
            (
                json!({"file_path": "a.rs", "old_string": "x", "new_string": "y"}),
                edit("a.rs", "x", "y", None, Before::There),
            ),
            (json!({"file_path": "a.rs", "content": "y"}), edit("a.rs", "", "y", Some(1), Before::New)),
            (
                json!({"path": "a.rs", "command": "create", "file_text": "y"}),
                edit("a.rs", "", "y", Some(1), Before::New),
            ),
            (
                json!({"path": "a.rs", "command": "insert", "insert_line": 4, "new_str": "y"}),
                edit("a.rs", "", "y", Some(5), Before::There),
            ),
            (
                json!({"edits": [{"old_string": "x", "new_string": "y"}], "file_path": "a"}),
                edit("a", "x", "y", None, Before::There),
            ),
            (json!({"command": "edit 12:13\ny\nend_of_edit"}), edit("", "", "y", Some(12), Before::There)),
        ];
        for (arguments, expected) in cases {
            assert_eq!(edits(&arguments), [expected], "{arguments}");
        }
        assert_eq!(edits(&json!({"command": "ls"})), []);
    }

    #[test]
    fn a_patch_gives_an_edit_for_each_hunk() {
        let patch = "*** Begin Patch\n*** Update File: a.rs\n@@ fn a\n b\n-c\n+d\n@@\n-e\n*** Add File: n.rs\n+new\n*** End Patch";
        let expected = [
            edit("a.rs", "b\nc\n", "b\nd\n", None, Before::There),
            edit("a.rs", "e\n", "", None, Before::There),
            edit("n.rs", "", "new\n", Some(1), Before::New),
        ];
        assert_eq!(edits(&json!({ "arguments": patch })), expected);
        let shell = json!({ "command": ["bash", "-lc", format!("apply_patch <<'P'\n{patch}\nP")] });
        assert_eq!(edits(&shell), expected);
    }

    #[test]
    fn blocks_in_a_message_are_edits() {
        let text = "Sure:\n\nsrc/a.py\n```python\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n";
        assert_eq!(in_message(text), [edit("src/a.py", "x = 1\n", "x = 2\n", None, Before::There)]);
        assert_eq!(in_message("<<<<<<< SEARCH\nnever ends"), []);
    }

    #[test]
    fn lines_that_stood_there_before_are_told_from_new_ones() {
        let edit = edit("a.rs", "a\nb\n", "a\na\nc\n", Some(10), Before::There);
        let line = |number, text, origin| Line { number, text, origin };
        assert_eq!(
            edit.lines(),
            [line(10, "a", Origin::Kept), line(11, "a", Origin::Added), line(12, "c", Origin::Added)]
        );
        assert_eq!(edit.removed(), ["b"]);
    }

    #[test]
    fn a_hunk_in_the_output_says_where_an_edit_stands() {
        let output = json!({"structuredPatch": [{"newStart": 40, "lines": [" a", " b", "-x", "+y"]}]});
        let arguments = json!({"file_path": "a.rs", "old_string": "x", "new_string": "y"});
        assert_eq!(of_call(&arguments, &output, &[])[0].first_line, Some(42));
    }
}
