//! Runs a command to its end: question in, lines out, within limits. Dropping the run kills its whole process group.
//!
//! Knows no command: arguments and lines are the backends'.

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};

use crate::failure::{KEPT_BYTES, ModelError, kept};
use crate::wire::ANSWER_BYTES;
use crate::wire::lines::Lines;
use crate::wire::trouble::Trouble;

/// A command and what it reads.
pub struct Run {
    /// As it is called.
    pub program: String,
    /// What follows.
    pub args: Vec<String>,
    /// Variables beside those of our own environment.
    pub variables: Vec<(&'static str, String)>,
    /// What it reads.
    pub input: String,
    /// Where it runs.
    pub folder: TempDir,
}

/// How it ended.
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// All that it wrote.
    pub output: String,
    /// The beginning of its complaints.
    pub complaints: String,
}

/// Hears the lines of a command.
pub type Hear<'h> = dyn FnMut(&str) -> Result<(), Trouble> + Send + 'h;

/// An empty folder for one call, which goes when the call does.
pub fn folder(scratch: &Path) -> Result<TempDir, ModelError> {
    let made = tempfile::Builder::new().prefix("annals-model-").tempdir_in(scratch);
    made.map_err(|error| ModelError::NoScratch { reason: error.to_string() })
}

/// Writes a file that the command is to read, and gives its path.
pub fn file(folder: &TempDir, name: &str, text: &str) -> Result<String, ModelError> {
    let path = folder.path().join(name);
    std::fs::write(&path, text).map_err(|error| ModelError::NoScratch { reason: error.to_string() })?;
    Ok(path.to_string_lossy().into_owned())
}

impl Run {
    /// Runs it to its end.
    pub async fn end(self, hear: &mut Hear<'_>) -> Result<Ended, ModelError> {
        let mut child = self.start()?;
        let group = Group::of(&child);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(mut stdout), Some(mut stderr)) = pipes else {
            unreachable!("BUG: all three were piped");
        };
        let mut complaints = Vec::new();
        let mut output = Output { program: &self.program, bytes: Vec::new(), lines: Lines::default() };
        let ((), read, (), status) = tokio::join!(
            write(stdin, &self.input),
            output.read(&mut stdout, hear, &group),
            keep(&mut stderr, &mut complaints),
            // What it leaves running would hold the pipes open.
            async {
                let status = child.wait().await;
                group.kill();
                status
            },
        );
        read?;
        output.finish(hear)?;
        let status = status.map_err(|error| self.failed(&error.to_string(), &output.bytes))?;
        let output = String::from_utf8_lossy(&output.bytes).into_owned();
        Ok(Ended { status, output, complaints: kept(&complaints) })
    }

    /// Why it failed, with what it wrote.
    fn failed(&self, said: &str, output: &[u8]) -> ModelError {
        ModelError::ProgramFailed { program: self.program.clone(), said: said.to_owned(), received: kept(output) }
    }

    fn start(&self) -> Result<Child, ModelError> {
        let mut command = Command::new(&self.program);
        command.args(&self.args).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.current_dir(self.folder.path()).process_group(0).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let no_program =
            |error: std::io::Error| ModelError::NoProgram { program: self.program.clone(), reason: error.to_string() };
        command.spawn().map_err(no_program)
    }
}

/// A command that does not read its question says so itself.
async fn write(mut stdin: ChildStdin, input: &str) {
    let _ = stdin.write_all(input.as_bytes()).await;
}

/// Reads all and keeps the beginning, so that the command never waits for us.
async fn keep(from: &mut (impl AsyncRead + Unpin), into: &mut Vec<u8>) {
    let mut piece = [0; 8192];
    while let Ok(count @ 1..) = from.read(&mut piece).await {
        into.extend_from_slice(&piece[..count.min(KEPT_BYTES.saturating_sub(into.len()))]);
    }
}

/// What a command writes.
struct Output<'r> {
    program: &'r str,
    bytes: Vec<u8>,
    lines: Lines,
}

impl Output<'_> {
    /// One that writes too much is killed, and so comes to its end.
    async fn read(
        &mut self,
        from: &mut (impl AsyncRead + Unpin),
        hear: &mut Hear<'_>,
        group: &Group,
    ) -> Result<(), ModelError> {
        let read = self.read_all(from, hear).await;
        if read.is_err() {
            group.kill();
        }
        read
    }

    async fn read_all(&mut self, from: &mut (impl AsyncRead + Unpin), hear: &mut Hear<'_>) -> Result<(), ModelError> {
        let mut piece = vec![0; 65_536];
        while let Ok(count @ 1..) = from.read(&mut piece).await {
            self.bytes.extend_from_slice(&piece[..count]);
            if self.bytes.len() > ANSWER_BYTES {
                return Err(self.blame(Trouble::TooLarge { limit: ANSWER_BYTES }));
            }
            self.lines.push(&piece[..count], hear).map_err(|trouble| self.blame(trouble))?;
        }
        Ok(())
    }

    fn finish(&mut self, hear: &mut Hear<'_>) -> Result<(), ModelError> {
        let last = std::mem::take(&mut self.lines).rest();
        last.map_or(Ok(()), |line| hear(&line)).map_err(|trouble| self.blame(trouble))
    }

    fn blame(&self, trouble: Trouble) -> ModelError {
        trouble.of(self.program, &self.bytes)
    }
}

/// The processes of one run. Killed once: later its number may be another's.
struct Group(Mutex<Option<Pid>>);

impl Group {
    fn of(child: &Child) -> Self {
        Self(Mutex::new(child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw)))
    }

    fn kill(&self) {
        if let Some(group) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // Nobody of it may be left, which is what is wanted.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
