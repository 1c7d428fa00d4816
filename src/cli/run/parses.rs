//! Whether the files that a task changed can be read still by whoever reads their kind: JSON, TOML, Python, scripts of a shell.
//!
//! What could not be read before is let be. Python and the shell are asked behind the walls, for their own errors of syntax;
//! where one of them is not there, nothing is said of its files.

use std::path::Path;

use annals_workspace::workspace::{ChangedText, Workspace};
use annals_workspace::{CheckOutcome, CheckResult};
use serde::de::IgnoredAny;

use super::checks::is_named;
use crate::role::evidence::first_chars;

/// So many files are looked at.
const MOST_FILES: usize = 20;
/// A longer text is not laid into a command line.
const MOST_LAID: usize = 60_000;
/// Of what is wrong with a file so many characters are said.
const WHY_CHARS: usize = 200;

/// Who reads a kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileForm {
    Json,
    Toml,
    Python,
    Shell,
}

impl FileForm {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "json" => Some(Self::Json),
            "toml" => Some(Self::Toml),
            "py" => Some(Self::Python),
            "sh" | "bash" => Some(Self::Shell),
            _ => None,
        }
    }
}

/// Runs a command line that is only to look.
type Looks<'l> = &'l dyn Fn(&str) -> CheckResult;

/// Whether the changed files that are so named can be read.
pub(super) fn parses(workspace: &Workspace, names: &[String], looks: Looks<'_>) -> CheckResult {
    let texts = match workspace.changed_texts() {
        Ok(texts) => texts,
        Err(error) => return CheckResult { outcome: CheckOutcome::CouldNotRun, evidence: error.to_string() },
    };
    let is_one = |text: &&ChangedText| is_named(workspace, names, &text.path);
    let known: Vec<_> =
        texts.iter().filter(is_one).filter_map(|text| Some((FileForm::of(&text.path)?, text))).collect();
    let broken: Vec<_> = known.iter().take(MOST_FILES).filter_map(|(form, text)| broken(*form, text, looks)).collect();
    if !broken.is_empty() {
        return CheckResult { outcome: CheckOutcome::Unmet, evidence: broken.join("\n") };
    }
    let evidence = match known.len().saturating_sub(MOST_FILES) {
        0 => format!("{} files of a known kind can be read", known.len()),
        more => format!("{MOST_FILES} files of a known kind can be read; {more} more were not looked at"),
    };
    CheckResult { outcome: CheckOutcome::Met, evidence }
}

/// What is wrong with a file, where nothing was before.
fn broken(form: FileForm, text: &ChangedText, looks: Looks<'_>) -> Option<String> {
    let why = problem(form, text.after.as_deref()?, looks)?;
    let was_broken = text.before.as_deref().is_some_and(|before| problem(form, before, looks).is_some());
    let path = text.path.display();
    (!was_broken).then(|| format!("{path} cannot be read any more: {}", first_chars(&why, WHY_CHARS)))
}

fn problem(form: FileForm, text: &str, looks: Looks<'_>) -> Option<String> {
    match form {
        FileForm::Json => serde_json::from_str::<IgnoredAny>(text).err().map(|error| error.to_string()),
        FileForm::Toml => text.parse::<toml_edit::DocumentMut>().err().map(|error| error.message().to_owned()),
        FileForm::Python => {
            let reads = "python3 -I -B -c 'import ast, sys; ast.parse(sys.stdin.buffer.read())'";
            said_by(looks, reads, text, "Error")
        }
        FileForm::Shell => said_by(looks, "bash -n", text, "syntax error"),
    }
}

/// What a reader says that stumbles over a text, in the line with the word.
fn said_by(looks: Looks<'_>, reader: &str, text: &str, word: &str) -> Option<String> {
    let end = "END_OF_THE_TEXT";
    if text.len() > MOST_LAID || text.lines().any(|line| line == end) {
        return None;
    }
    let found = looks(&format!("{reader} <<'{end}'\n{text}\n{end}"));
    let line = found.evidence.lines().rfind(|line| line.contains(word));
    line.filter(|_| found.outcome == CheckOutcome::Unmet).map(|line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, before: Option<&str>, after: Option<&str>) -> Option<String> {
        let text =
            ChangedText { path: path.into(), before: before.map(str::to_owned), after: after.map(str::to_owned) };
        // As Python says it, of a line that it cannot read.
        let looks = |line: &str| {
            let outcome = if line.contains("- not") { CheckOutcome::Unmet } else { CheckOutcome::Met };
            CheckResult { outcome, evidence: format!("`{line}`: exit 1, expected 0\nSyntaxError: invalid syntax\n") }
        };
        broken(FileForm::of(&text.path)?, &text, &looks)
    }

    #[test]
    fn what_could_be_read_is_to_be_read_still() {
        let python = "def lower(s):\n    return s.lower()\n- not met\n";
        for (path, before, after, expected) in [
            ("a.json", Some("{}"), Some("{\"a\": 1}"), None),
            (
                "a.json",
                Some("{}"),
                Some("{,}"),
                Some("a.json cannot be read any more: key must be a string at line 1 column 2"),
            ),
            ("a.json", Some("// notes\n{}"), Some("// more notes\n{}"), None),
            ("a.json", Some("{}"), None, None),
            ("new.toml", None, Some("port = 8080\n"), None),
            ("new.toml", None, Some("port: 8080\n"), Some("new.toml cannot be read any more: ")),
            ("a.py", None, Some(python), Some("a.py cannot be read any more: SyntaxError: invalid syntax")),
            ("a.py", Some("- not python"), Some(python), None),
            ("a.txt", None, Some(python), None),
        ] {
            let found = found(path, before, after);
            let is_so = match (&found, expected) {
                (Some(found), Some(expected)) => found.starts_with(expected),
                (found, expected) => found.is_none() && expected.is_none(),
            };
            assert!(is_so, "{path} {after:?}: {found:?}");
        }
    }
}
