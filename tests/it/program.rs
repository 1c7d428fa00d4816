//! The program itself, in a folder and an environment of its own.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use annals::kernel::entry::HistoryEntry;

/// A project with a `.context`.
pub struct Project {
    folder: tempfile::TempDir,
}

/// What a run came to.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    /// The exit code; `None` after a signal.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Project {
    pub fn new() -> Self {
        let project = Self::bare();
        assert_eq!(project.annals(["init"], "").code, Some(0));
        project
    }

    /// One whose hooks do themselves what they would leave to a process in the background: a test sees it at once.
    pub fn hooked() -> Self {
        let project = Self::new();
        let config = project.read(".context/config.toml");
        project.write(".context/config.toml", &format!("{config}\n[hook]\nbackground = false\n"));
        project
    }

    /// One whose time and chance are what commands are given, made at a time.
    pub fn given(now: &str) -> Self {
        let project = Self::bare();
        let mut command = project.command(["init", "--clock", "given"]);
        command.env("ANNALS_NOW", now).env("ANNALS_SEED", now);
        assert_eq!(run(command, "").code, Some(0));
        project
    }

    /// Without a `.context`.
    pub fn bare() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn context(&self) -> PathBuf {
        self.path().join(".context")
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).expect("read")
    }

    /// The program, ready to start.
    pub fn command<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, arguments: I) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command.args(arguments).current_dir(self.path()).env_clear();
        command.env("HOME", self.path().join("home")).env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn start<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, arguments: I) -> Child {
        self.command(arguments).spawn().expect("started")
    }

    pub fn annals<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, arguments: I, stdin: &str) -> Run {
        run(self.command(arguments), stdin)
    }

    /// What a command prints that must not fail, its words with a blank between them.
    pub fn done(&self, words: &str) -> String {
        let run = self.annals(words.split(' '), "");
        assert_eq!(run.code, Some(0), "{words}: {}", run.stderr);
        run.stdout
    }

    /// The same command by somebody who shows a token.
    pub fn with_token(&self, token: &str, words: &str) -> Run {
        let mut command = self.command(words.split(' '));
        command.env("ANNALS_TOKEN", token.trim());
        run(command, "")
    }

    /// The day files, by name.
    pub fn days(&self) -> std::collections::BTreeMap<String, String> {
        crate::support::day_files(&self.context())
    }

    /// Every entry, in the order in which they were written.
    pub fn entries(&self) -> Vec<HistoryEntry> {
        let history = self.context().join("history");
        let files = std::fs::read_dir(history).expect("a folder").map(|entry| entry.expect("an entry").path());
        let mut files: Vec<_> = files.filter(|path| path.is_file()).collect();
        files.sort();
        let texts = files.iter().map(|path| std::fs::read_to_string(path).expect("read"));
        let read = |line: &str| HistoryEntry::read(line).expect("an entry");
        texts.flat_map(|text| text.lines().map(read).collect::<Vec<_>>()).collect()
    }

    pub fn last(&self) -> HistoryEntry {
        self.entries().pop().expect("an entry")
    }
}

/// Runs a command to its end.
pub fn run(mut command: Command, stdin: &str) -> Run {
    let mut child = command.spawn().expect("started");
    // Whoever does not read its stdin may be gone already.
    let _ = child.stdin.take().expect("a pipe").write_all(stdin.as_bytes());
    ended(&child.wait_with_output().expect("ended"))
}

pub fn ended(output: &Output) -> Run {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Run { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}
