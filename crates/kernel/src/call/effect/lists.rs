//! Programs by what they print and what they run, and words by which a command says that it does nothing.
//!
//! Lists alone: `reader` asks them.

use crate::call::shell::Act;

/// Programs that put a folder, a name or nothing in another command's place; what the others print is not known.
pub(super) const HARMLESS_PRINTERS: [&str; 24] = [
    "basename", "brew", "cat", "command", "conda", "date", "direnv", "dirname", "find", "fnm", "git", "go", "kubectl",
    "ls", "mamba", "minikube", "npm", "nproc", "pwd", "pyenv", "rbenv", "ssh-agent", "which", "yarn",
];

/// Programs that fetch or decode: what they print, nobody has read.
pub(super) const UNREAD_PRINTERS: [&str; 25] = [
    "awk", "base32", "base64", "bunzip2", "bzcat", "curl", "dd", "gpg", "gunzip", "gzip", "http", "nc", "ncat", "od",
    "openssl", "perl", "python", "python3", "rev", "sed", "tr", "uudecode", "wget", "xxd", "zcat",
];

/// Words that a command has which removes or forces something, whatever its program is.
pub(super) const GRAVE_WORDS: [&str; 12] =
    ["-rf", "-fr", "-r", "-R", "-f", "-Rf", "-fR", "--force", "--recursive", "--hard", "-delete", "--delete"];

/// Whether a program runs code that it is given.
pub(super) fn is_interpreter(program: &str) -> bool {
    let bare = program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    matches!(
        bare,
        "python"
            | "node"
            | "nodejs"
            | "ruby"
            | "perl"
            | "php"
            | "bun"
            | "deno"
            | "tsx"
            | "ts-node"
            | "pypy"
            | "ipython"
            | "irb"
            | "lua"
            | "osascript"
            | "pwsh"
            | "powershell"
    )
}

/// Whether a command only says what it would do, or how it is used.
pub(super) fn says_only(act: &Act<'_>) -> bool {
    let mut words = act.words().take_while(|word| *word != "--").peekable();
    let is_help = words.peek().is_some_and(|word| matches!(*word, "help" | "--help" | "-help" | "--version"));
    let says = |word: &str| match word.split_once('=') {
        Some(("--dry-run" | "--dryrun" | "--dry_run", value)) => !matches!(value, "none" | "false" | "no" | "0"),
        Some(_) => false,
        None => matches!(
            word,
            "--dry-run"
                | "--dryrun"
                | "--dry_run"
                | "--help"
                | "--what-if"
                | "-WhatIf"
                | "--noop"
                | "--no-op"
                | "--just-print"
                | "--recon"
                | "--preview"
        ),
    };
    is_help || words.any(says) || act.words().last() == Some("-h")
}
