//! A work tree, the git and the `annals` that run in it, and the agent that writes in it.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::lines::{Mark, Marks, marks_in, written};

/// A work tree of a clone.
#[derive(Debug, Clone)]
pub struct WorkTree {
    pub path: PathBuf,
    program: PathBuf,
    home: PathBuf,
}

/// What a command came to.
#[derive(Debug)]
pub struct Ran {
    pub is_done: bool,
    /// What it said, on both ways.
    pub said: String,
}

/// How the agent writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pen {
    /// A process for each step, as agents start hooks.
    Processes,
    /// One process that stays.
    Stream,
}

const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

impl WorkTree {
    pub fn new(path: PathBuf, program: &Path, home: &Path) -> Self {
        Self { path, program: program.to_owned(), home: home.to_owned() }
    }

    /// The same person's, elsewhere.
    pub fn beside(&self, path: PathBuf) -> Self {
        Self { path, ..self.clone() }
    }

    pub fn context(&self) -> PathBuf {
        self.path.join(".context")
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.path).env_clear().env("PATH", PATH).env("HOME", &self.home);
        for (name, value) in [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null"), ("LC_ALL", "C")] {
            command.env(name, value);
        }
        for (name, value) in [("GIT_EDITOR", "true"), ("GIT_MERGE_AUTOEDIT", "no"), ("GIT_TERMINAL_PROMPT", "0")] {
            command.env(name, value);
        }
        for person in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{person}_NAME"), "A").env(format!("GIT_{person}_EMAIL"), "a@example.org");
        }
        command
    }

    pub fn git(&self, arguments: &[&str]) -> Ran {
        let mut git = self.command(Path::new("git"));
        git.args(["-c", "gc.auto=0", "-c", "advice.detachedHead=false"]).args(arguments);
        let output = git.stdin(Stdio::null()).output().expect("git runs");
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        Ran { is_done: output.status.success(), said }
    }

    /// What git answers; nothing where it fails.
    pub fn ask(&self, arguments: &[&str], stdin: &str) -> Vec<u8> {
        let mut git = self.command(Path::new("git"));
        git.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = git.spawn().expect("git runs");
        let (mut pipe, text) = (child.stdin.take().expect("a pipe"), stdin.to_owned());
        let fed = std::thread::spawn(move || pipe.write_all(text.as_bytes()));
        let output = child.wait_with_output().expect("ended");
        let _ = fed.join();
        if output.status.success() { output.stdout } else { Vec::new() }
    }

    /// Its lines.
    pub fn list(&self, arguments: &[&str]) -> Vec<String> {
        String::from_utf8_lossy(&self.ask(arguments, "")).lines().map(str::to_owned).collect()
    }

    pub fn annals(&self, arguments: &[&str], stdin: &str) -> Ran {
        let mut annals = self.command(&self.program);
        annals.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = annals.spawn().expect("annals runs");
        // Whoever does not read its stdin may be gone already.
        let _ = child.stdin.take().expect("a pipe").write_all(stdin.as_bytes());
        let output = child.wait_with_output().expect("ended");
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        Ran { is_done: output.status.success(), said }
    }

    /// Records entries, together; acknowledged when it returns with success.
    pub fn record(&self, marks: &[Mark]) -> Ran {
        let lines: String = marks.iter().map(|mark| step(*mark)).collect();
        self.annals(&["record"], &lines)
    }

    /// A hook of an agent. One that fails is no acknowledgement, and neither is one that has nowhere to write.
    pub fn hook(&self, mark: Mark) -> Ran {
        let payload = format!(
            concat!(
                r#"{{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"{0}","#,
                r#""tool_input":{{"command":"echo {0}"}},"tool_response":{{"stdout":"done"}}}}"#
            ),
            written(mark)
        );
        let has_context = self.context().is_dir();
        let ran = self.annals(&["hook", "claude-code"], &payload);
        Ran { is_done: ran.is_done && has_context, said: ran.said }
    }

    /// Writes until it is told to stop, and says what was acknowledged.
    pub fn write_until(&self, pen: Pen, marks: &AtomicU32, is_over: &AtomicBool) -> Vec<Mark> {
        match pen {
            Pen::Processes => self.processes_until(marks, is_over),
            Pen::Stream => self.stream_until(marks, is_over),
        }
    }

    fn processes_until(&self, marks: &AtomicU32, is_over: &AtomicBool) -> Vec<Mark> {
        let mut acknowledged = Vec::new();
        loop {
            let mark = marks.fetch_add(1, Ordering::Relaxed);
            if self.record(&[mark]).is_done {
                acknowledged.push(mark);
            }
            if is_over.load(Ordering::Relaxed) {
                return acknowledged;
            }
        }
    }

    fn stream_until(&self, marks: &AtomicU32, is_over: &AtomicBool) -> Vec<Mark> {
        let mut annals = self.command(&self.program);
        annals.args(["record", "--each"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = annals.spawn().expect("annals runs");
        let (mut stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let (mut acknowledged, mut answers) = (Vec::new(), BufReader::new(stdout).lines());
        loop {
            let mark = marks.fetch_add(1, Ordering::Relaxed);
            if stdin.write_all(step(mark).as_bytes()).is_err() || !matches!(answers.next(), Some(Ok(_))) {
                break;
            }
            acknowledged.push(mark);
            if is_over.load(Ordering::Relaxed) {
                break;
            }
        }
        drop(stdin);
        child.wait().expect("ended");
        acknowledged
    }

    /// What can be read here.
    pub fn marks(&self) -> Marks {
        let mut found = Marks::new();
        let archive = fs::read_dir(self.context().join("history/archive")).into_iter().flatten().flatten();
        let packed = archive.map(|file| file.path().display().to_string());
        for path in self.segments().into_iter().chain(packed) {
            found.extend(marks_in(&path, fs::read(self.path.join(&path)).unwrap_or_default()));
        }
        found
    }

    /// The segments, as paths from the top, the last written last.
    pub fn segments(&self) -> Vec<String> {
        let mut files: Vec<_> = fs::read_dir(self.context().join("history"))
            .into_iter()
            .flatten()
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let changed = entry.metadata().ok()?.modified().ok()?;
                Some((changed, entry.file_name().into_string().ok()?))
            })
            .filter(|(_, name)| Path::new(name).extension().is_some_and(|extension| extension == "jsonl"))
            .collect();
        files.sort();
        files.into_iter().map(|(_, name)| format!(".context/history/{name}")).collect()
    }

    /// Whether a file stands here as some commit has it.
    pub fn is_as_committed(&self, path: &str) -> bool {
        let now = self.list(&["hash-object", path]);
        let commits =
            self.list(&["log", "--all", "--raw", "--no-abbrev", "--no-renames", "-m", "--format=", "--", path]);
        now.first().is_some_and(|now| commits.iter().any(|line| line.contains(now.as_str())))
    }

    pub fn has_blob(&self, hash: &str) -> bool {
        let folder = fs::read_dir(self.context().join("history/blobs").join(&hash[..2]));
        folder.into_iter().flatten().flatten().any(|file| holds(&file.file_name().to_string_lossy(), hash))
    }
}

/// Whether a file is named by a large value: `HASH.zst`, or `HASH.OWNER.5.zst` where it was put back.
pub fn holds(name: &str, hash: &str) -> bool {
    name.starts_with(hash) && Path::new(name).extension().is_some_and(|extension| extension == "zst")
}

/// A step as `annals record` takes it; each tenth has a large value of its own.
fn step(mark: Mark) -> String {
    let text = written(mark);
    let output = if mark.is_multiple_of(10) { format!("the {text} of it, ").repeat(2500) } else { text.clone() };
    let step = r#"{"operation":{"type":"note","name":"step","success":true,"input":{"text":"#;
    format!("{step}\"{text}\"}},\"output\":\"{output}\"}}}}\n")
}
