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
pub(super) struct Paged {
    /// What is dropped is the whole, never a way that gave place to another.
    way: Way,
}

/// Where the text goes.
enum Way {
    /// Not yet known how long it becomes.
    Held(Screen),
    /// Into a pager.
    Pager(Child),
    /// Straight to stdout.
    Direct,
}

/// What would fit a screen so far.
struct Screen {
    pager: String,
    rows: usize,
    lines: usize,
    text: Vec<u8>,
}

impl Paged {
    /// For the terminal of the process.
    pub(super) fn new(environment: &Environment) -> Self {
        let rows = terminal_size::terminal_size().map_or(0, |(_, rows)| usize::from(rows.0));
        let is_watched = rows > 0 && io::stdin().is_terminal() && io::stdout().is_terminal();
        // Looking for a pager asks for a file in each folder of PATH: no command in a pipe shall pay for that.
        let pager = is_watched.then(|| pager(environment)).flatten();
        let screen = |pager| Screen { pager, rows, lines: 0, text: Vec::new() };
        Self { way: pager.map_or(Way::Direct, |pager| Way::Held(screen(pager))) }
    }

    /// Sends what was held on another way, and all that follows. A pager that is left has been read to its end.
    fn turn(&mut self, way: Way) -> io::Result<()> {
        match std::mem::replace(&mut self.way, way) {
            Way::Held(screen) => self.write_all(&screen.text),
            Way::Pager(mut child) => {
                drop(child.stdin.take());
                child.wait().map(drop)
            }
            Way::Direct => Ok(()),
        }
    }
}

/// A pager that runs; straight to stdout where none can be started.
fn started(pager: &str) -> Way {
    // Through a shell, because PAGER may hold options.
    let Ok(child) = Command::new("sh").arg("-c").arg(pager).stdin(Stdio::piped()).spawn() else { return Way::Direct };
    // Ctrl-C is for the pager; it would leave it without a reader of its keys.
    let _ = signal_hook::flag::register(SIGINT, Arc::new(AtomicBool::new(false)));
    Way::Pager(child)
}

impl Write for Paged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.way {
            Way::Direct => io::stdout().write(bytes),
            Way::Pager(child) => child.stdin.as_mut().map_or(Ok(bytes.len()), |stdin| stdin.write(bytes)),
            Way::Held(screen) => {
                screen.text.extend_from_slice(bytes);
                screen.lines += memchr::memchr_iter(b'\n', bytes).count();
                // As many lines as rows are too many: the prompt of the shell takes one.
                if screen.lines >= screen.rows {
                    let way = started(&screen.pager);
                    self.turn(way)?;
                }
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.way {
            Way::Held(_) => self.turn(Way::Direct)?,
            Way::Pager(child) => return child.stdin.as_mut().map_or(Ok(()), Write::flush),
            Way::Direct => {}
        }
        io::stdout().flush()
    }
}

impl Drop for Paged {
    /// The program ends when its reader has read.
    fn drop(&mut self) {
        // When nobody reads any more there is nobody left to tell.
        let _ = self.turn(Way::Direct);
    }
}

/// The pager that the environment names; `less` where there is one.
fn pager(environment: &Environment) -> Option<String> {
    let named = environment.pager.as_ref().map(|pager| pager.trim().to_owned());
    named.or_else(|| Some(less(environment)?.to_owned())).filter(|pager| !pager.is_empty() && pager != "cat")
}

fn less(environment: &Environment) -> Option<&'static str> {
    let path = environment.path.as_ref()?;
    // As git starts it: it ends where all fits, lets colours through and leaves the screen as it is; a LESS of the
    // person's own wins.
    std::env::split_paths(path).any(|folder| folder.join("less").is_file()).then_some("LESS=${LESS-FRX} less")
}
