//! A pager for what is longer than the terminal: `ANNALS_PAGER`, `PAGER`, or `less`.
//!
//! Nothing is paged where nobody can turn pages: in a pipe, and where stdin is no terminal. What is flushed before the screen
//! is full goes straight to the terminal, and so does all that follows: a question must be seen.

use std::io::{self, IsTerminal as _, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;

use super::environment::Environment;

/// Stdout, through a pager as soon as a screen is full.
pub enum Paged {
    /// Not yet known how long it becomes.
    Held { pager: String, rows: usize, lines: usize, text: Vec<u8> },
    /// In a pager.
    Pager(Child),
    /// Straight to stdout.
    Direct,
}

impl Paged {
    /// For the terminal of the process.
    pub fn new(environment: &Environment) -> Self {
        let rows = terminal_size::terminal_size().map_or(0, |(_, rows)| usize::from(rows.0));
        let is_watched = rows > 0 && io::stdin().is_terminal() && io::stdout().is_terminal();
        // Looking for a pager asks for a file in each folder of PATH: no command in a pipe shall pay for that.
        match is_watched.then(|| pager(environment)).flatten() {
            Some(pager) => Self::Held { pager, rows, lines: 0, text: Vec::new() },
            None => Self::Direct,
        }
    }

    fn go_direct(&mut self) -> io::Result<()> {
        let Self::Held { text, .. } = self else { return Ok(()) };
        let text = std::mem::take(text);
        *self = Self::Direct;
        io::stdout().write_all(&text)
    }

    fn page(&mut self, pager: &str, text: &[u8]) -> io::Result<()> {
        let mut command = Command::new("sh");
        command.arg("-c").arg(pager).stdin(Stdio::piped());
        let Ok(child) = command.spawn() else {
            *self = Self::Direct;
            return io::stdout().write_all(text);
        };
        // Ctrl-C is for the pager; it would leave it without a reader of its keys.
        let _ = signal_hook::flag::register(SIGINT, Arc::new(AtomicBool::new(false)));
        *self = Self::Pager(child);
        self.write_all(text)
    }
}

impl Write for Paged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Direct => return io::stdout().write(bytes),
            Self::Pager(child) => {
                return child.stdin.as_mut().map_or(Ok(bytes.len()), |stdin| stdin.write(bytes));
            }
            Self::Held { pager, rows, lines, text } => {
                text.extend_from_slice(bytes);
                *lines += memchr::memchr_iter(b'\n', bytes).count();
                if *lines >= *rows {
                    let (pager, text) = (std::mem::take(pager), std::mem::take(text));
                    self.page(&pager, &text)?;
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Held { .. } => self.go_direct(),
            Self::Pager(child) => child.stdin.as_mut().map_or(Ok(()), Write::flush),
            Self::Direct => io::stdout().flush(),
        }
    }
}

impl Drop for Paged {
    /// The program ends when its reader has read.
    fn drop(&mut self) {
        // When nobody reads any more there is nobody left to tell.
        let _ = self.go_direct();
        if let Self::Pager(child) = self {
            drop(child.stdin.take());
            let _ = child.wait();
        }
    }
}

/// The pager that the environment names; `less` where there is one.
fn pager(environment: &Environment) -> Option<String> {
    let named = environment.pager.as_ref().map(|pager| pager.trim().to_owned());
    named.or_else(|| Some(less(environment)?.to_owned())).filter(|pager| !pager.is_empty() && pager != "cat")
}

fn less(environment: &Environment) -> Option<&'static str> {
    let path = environment.path.as_ref()?;
    std::env::split_paths(path).any(|folder| folder.join("less").is_file()).then_some("LESS=${LESS-FRX} less")
}
