//! Where the demonstration plays: runs commands, shows them with what they print, and checks that they did what they say.
//!
//! Knows no steps.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::cli::line::{Line, Style};
use crate::cli::output::OutputTarget;
use crate::cli::shell::Shell;
use crate::view::width::cut;

/// What stands before each line that a command prints.
const INDENT: &str = "    ";

/// The project that is played with, and where it is told.
pub(super) struct Stage<'s> {
    shell: &'s mut Shell,
    folder: PathBuf,
    program: PathBuf,
    steps: u32,
}

impl<'s> Stage<'s> {
    pub(super) fn new(shell: &'s mut Shell, folder: &Path) -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let project = folder.join("reactor");
        std::fs::create_dir(&project)?;
        shell.out.line(format_args!("A demonstration in {}", project.display()))?;
        Ok(Self { shell, folder: project, program, steps: 0 })
    }

    /// The project's folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn step(&mut self, title: &str, text: &str) -> anyhow::Result<()> {
        self.steps += 1;
        self.shell.out.line("")?;
        self.shell.out.styled(&Line::of(Style::Bold, format_args!("{}. {title}", self.steps)))?;
        self.shell.out.page(text)?;
        Ok(())
    }

    pub(super) fn say(&mut self, text: impl Display) -> anyhow::Result<()> {
        Ok(self.shell.out.page(&text.to_string())?)
    }

    /// Which commands show more.
    pub(super) fn more(&mut self, text: &str) -> anyhow::Result<()> {
        Ok(self.shell.out.styled(&Line::of(Style::Dim, format_args!("more: {text}")))?)
    }

    /// Runs a command that must succeed; returns what it printed.
    pub(super) fn annals(&mut self, arguments: &[&str]) -> anyhow::Result<String> {
        self.show(&self.folder.clone(), "annals", arguments, 0)
    }

    /// Runs a command that must succeed and is for reading: on a terminal it prints there itself.
    pub(super) fn read(&mut self, arguments: &[&str]) -> anyhow::Result<()> {
        if self.shell.out.target == OutputTarget::Pipe {
            return self.annals(arguments).map(drop);
        }
        self.show_line("annals", arguments)?;
        self.shell.out.flush()?;
        let status = self.command(&self.folder, "annals", arguments).status().context("cannot run annals")?;
        demand(status, "annals", arguments, 0)
    }

    /// Runs a command that must be refused.
    pub(super) fn refused(&mut self, arguments: &[&str]) -> anyhow::Result<String> {
        self.refused_in(&self.folder.clone(), arguments)
    }

    /// The same in another folder.
    pub(super) fn refused_in(&mut self, folder: &Path, arguments: &[&str]) -> anyhow::Result<String> {
        self.show(folder, "annals", arguments, 1)
    }

    pub(super) fn git(&mut self, arguments: &[&str]) -> anyhow::Result<()> {
        self.show(&self.folder.clone(), "git", arguments, 0).map(drop)
    }

    /// Everything that changed becomes a commit.
    pub(super) fn commit(&mut self, message: &str) -> anyhow::Result<()> {
        self.git(&["add", "."])?;
        self.git(&["commit", "--quiet", "--message", message])
    }

    /// A copy of the `.context` beside the project, as a clone has it: without `local/`.
    pub(super) fn copy(&self, name: &str) -> anyhow::Result<PathBuf> {
        let copy = self.folder.with_file_name(name);
        for entry in walkdir::WalkDir::new(self.folder.join(".context")) {
            let entry = entry?;
            if entry.path().starts_with(self.folder.join(".context/local")) {
                continue;
            }
            let to = copy.join(entry.path().strip_prefix(&self.folder)?);
            if entry.file_type().is_dir() {
                std::fs::create_dir_all(&to)?;
            } else {
                std::fs::copy(entry.path(), &to)?;
            }
        }
        Ok(copy)
    }

    /// A text of the JSON that a command prints, which itself is not shown.
    pub(super) fn first_cell(&self, arguments: &[&str], pointer: &str) -> anyhow::Result<String> {
        let output = self.output(&self.folder, "annals", arguments)?;
        let answer: Value = serde_json::from_slice(&output.stdout)?;
        let text = answer.pointer(pointer).and_then(Value::as_str);
        Ok(text.with_context(|| format!("annals {} has no {pointer}", arguments.join(" ")))?.to_owned())
    }

    pub(super) fn close(self) -> anyhow::Result<()> {
        let out = &mut self.shell.out;
        out.line("")?;
        out.line(format_args!("The project stays in {}; look around in it:", self.folder.display()))?;
        out.line(format_args!("  cd {}", self.folder.display()))?;
        out.line(format_args!("  {} session show", self.program.display()))?;
        out.line("  head -n 1 .context/history/2026-11-18*.jsonl")?;
        Ok(())
    }

    fn show(&mut self, folder: &Path, program: &str, arguments: &[&str], code: i32) -> anyhow::Result<String> {
        self.show_line(program, arguments)?;
        let output = self.output(folder, program, arguments)?;
        let said = [output.stdout.as_slice(), &output.stderr].concat();
        for line in String::from_utf8_lossy(&said).lines() {
            let line = cut(line, self.shell.out.width() - INDENT.len());
            self.shell.out.page(&format!("{INDENT}{line}"))?;
        }
        self.shell.out.flush()?;
        demand(output.status, program, arguments, code)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn show_line(&mut self, program: &str, arguments: &[&str]) -> std::io::Result<()> {
        self.shell.out.styled(&Line::of(Style::Cyan, format_args!("$ {program} {}", typed(arguments))))
    }

    fn output(&self, folder: &Path, program: &str, arguments: &[&str]) -> anyhow::Result<Output> {
        self.command(folder, program, arguments).output().with_context(|| format!("cannot run {program}"))
    }

    fn command(&self, folder: &Path, program: &str, arguments: &[&str]) -> Command {
        let mut command = match program {
            "annals" => Command::new(&self.program),
            other => Command::new(other),
        };
        if program == "git" {
            // The demonstration does not depend on the person's own settings of git.
            command.args(["-c", "user.name=annals demo", "-c", "user.email=demo@localhost"]);
            command.args(["-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null"]);
        }
        command.args(arguments).current_dir(folder);
        command
    }
}

fn demand(status: ExitStatus, program: &str, arguments: &[&str], code: i32) -> anyhow::Result<()> {
    if status.code() == Some(code) {
        return Ok(());
    }
    bail!("{program} {} ended with {status}, not with exit code {code}", typed(arguments))
}

fn typed(arguments: &[&str]) -> String {
    arguments.iter().map(|argument| quoted(argument)).collect::<Vec<_>>().join(" ")
}

/// Whether git is on this machine.
pub(super) fn has_git() -> bool {
    Command::new("git").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// An argument as it is typed in a shell.
fn quoted(argument: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=./:".contains(letter);
    if argument.chars().all(is_plain) { argument.to_owned() } else { format!("'{argument}'") }
}
