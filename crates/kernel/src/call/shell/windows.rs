//! The shells of Windows, as agents call them from another one: `cmd /c "…"`, `powershell -Command "…"`.
//!
//! Their lines are read as if they were of a Unix shell, once the strokes of their paths lean the other way.

use std::borrow::Cow;

/// The line that one of them is given; the script that it runs. None where it is none of them, or reads its input.
pub(super) fn line(program: &str, words: &[Cow<'_, str>]) -> Option<String> {
    let is_option = |word: &str, names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name));
    let names: &[&str] = match bare(program).to_ascii_lowercase().as_str() {
        "cmd" => &["/c", "/k"],
        "powershell" | "pwsh" => &["-command", "-c", "-file", "-f"],
        _ => return None,
    };
    let behind = words.iter().position(|word| is_option(word, names))? + 1;
    let line = words[behind..].join(" ").replace('\\', "/");
    (!line.is_empty()).then_some(line)
}

/// A program without the ending that says that it is one.
pub(super) fn bare(program: &str) -> &str {
    let Some((name, ending)) = program.rsplit_once('.') else { return program };
    if ["exe", "bat", "cmd"].iter().any(|known| ending.eq_ignore_ascii_case(known)) { name } else { program }
}

#[cfg(test)]
mod tests {
    use crate::call::{CallKind, check};

    #[test]
    fn what_a_shell_of_windows_runs_is_what_is_run() {
        for command in [
            r#"powershell -Command "Set-Location 'C:\\a'; .\\gradlew.bat assembleRelease 2>&1""#,
            r#"cmd.exe /c "cd /d C:\\a && gradlew.bat assembleRelease" 2>&1"#,
            r#"powershell.exe -ExecutionPolicy Bypass -File "C:\\a\\backup.ps1""#,
            "npm.cmd run build",
            "mix precommit",
        ] {
            assert!(check::answers_for_edits(CallKind::Shell, command), "{command}");
        }
        for command in [r#"powershell -Command "Get-Process""#, "cmd", "powershell"] {
            assert!(!check::answers_for_edits(CallKind::Shell, command), "{command}");
        }
        assert_eq!(check::of(CallKind::Shell, Some("./check-prerequisites.exe")), None, "it checks no work");
    }
}
