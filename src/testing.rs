//! For tests: where the recorded sessions are that some of them need.

use std::path::PathBuf;

/// The folder of recorded sessions, where the environment names one.
#[expect(clippy::disallowed_methods, clippy::print_stderr, reason = "nothing else can tell a test where the data is")]
pub fn transcripts() -> Option<PathBuf> {
    let folder = std::env::var_os("ANNALS_TRANSCRIPTS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: ANNALS_TRANSCRIPTS does not name the folder of transcripts");
    }
    folder
}
