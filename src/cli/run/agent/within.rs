//! The part of this program that runs within the walls: makes a port of the proxy's socket, starts the agent with what it is
//! told, and ends as it does.
//!
//! Knows nothing of the project, and decides nothing: it is walled in like the agent.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::thread;

use annals_workspace::proxy::Forwarder;

use super::{PROXY, SOCKETS};

/// The hidden word behind which this runs.
pub(in crate::cli::run) const WORD: &str = "__within";
/// The file from which the agent reads what it is told.
pub(super) const PROMPT: &str = "prompt.txt";
/// Says that it could not be started, as shells do.
const NOT_STARTED: u8 = 126;
/// So many bytes of its complaints are kept.
const COMPLAINT_BYTES: usize = 16 << 10;

/// Runs it: the folder of what is given, the program, its words.
pub(in crate::cli::run) fn run(words: impl Iterator<Item = OsString>) -> ExitCode {
    match start(&words.collect::<Vec<_>>()) {
        Ok(status) => ExitCode::from(code(status)),
        Err(error) => {
            say(&format!("annals: the agent cannot be started here: {error}\n"));
            ExitCode::from(NOT_STARTED)
        }
    }
}

fn start(words: &[OsString]) -> io::Result<ExitStatus> {
    let [given, program, words @ ..] = words else { return Err(io::ErrorKind::InvalidInput.into()) };
    let forwarder = Forwarder::start(&Path::new(SOCKETS).join(PROXY))?;
    let mut command = Command::new(program);
    command.args(words).stdin(File::open(PathBuf::from(given).join(PROMPT))?).stderr(Stdio::piped());
    let proxy = format!("http://127.0.0.1:{}", forwarder.port());
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
        command.env(name, &proxy);
    }
    let mut child = command.spawn()?;
    let complaints = heard(&mut child);
    let status = child.wait()?;
    if !status.success() {
        say(&complaints.join().unwrap_or_default());
    }
    Ok(status)
}

/// Its complaints, beside its stream: in the middle of a line they would break it.
fn heard(child: &mut Child) -> thread::JoinHandle<String> {
    let mut from = child.stderr.take().expect("BUG: standard error is piped");
    thread::spawn(move || {
        let (mut kept, mut part) = (Vec::new(), [0; 4096]);
        while let Ok(length @ 1..) = from.read(&mut part) {
            kept.extend_from_slice(&part[..length]);
            let over = kept.len().saturating_sub(COMPLAINT_BYTES);
            kept.drain(..over);
        }
        String::from_utf8_lossy(&kept).into_owned()
    })
}

fn code(status: ExitStatus) -> u8 {
    let signal = status.signal().map(|signal| 128 + signal);
    status.code().or(signal).and_then(|code| u8::try_from(code).ok()).unwrap_or(NOT_STARTED)
}

/// Behind its stream. Where nobody listens any more, nobody is to be told.
fn say(text: &str) {
    drop(io::Write::write_all(&mut io::stdout(), text.as_bytes()));
}
