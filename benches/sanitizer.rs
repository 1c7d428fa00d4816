//! How fast real transcripts are cleaned: `ANNALS_TRANSCRIPTS=… cargo bench --bench sanitizer`.
//!
//! One core, every `.jsonl` line of `claude-code`, `codex` and `copilot-cli`, 25 rounds; the best and the median count.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, io};

use annals::sanitizer::{Config, Context, Sanitizer, Source};

const ROUNDS: usize = 25;

#[allow(clippy::disallowed_methods, reason = "a benchmark measures time, and is told where its data is")]
#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() -> io::Result<()> {
    let Some(folder) = env::var_os("ANNALS_TRANSCRIPTS").map(PathBuf::from) else {
        println!("skipped: ANNALS_TRANSCRIPTS is not set");
        return Ok(());
    };
    let mut lines = Vec::new();
    for kind in ["claude-code", "codex", "copilot-cli"] {
        read_lines(&folder.join(kind), &mut lines)?;
    }
    let bytes: usize = lines.iter().map(String::len).sum();
    let sanitizer = Sanitizer::new(Config::default()).expect("the default configuration");
    let context = Context::of(Source::History);
    let first = Instant::now();
    sanitizer.sanitize_json("{}", &context);
    println!("| first use | {:?} |", first.elapsed());
    let mut rounds: Vec<Duration> = (0..ROUNDS).map(|_| round(&sanitizer, &context, &lines)).collect();
    rounds.sort();
    let rate = |took: Duration| bytes as u128 * 1_000 / took.as_nanos().max(1);
    let (best, median) = (rate(rounds[0]), rate(rounds[ROUNDS / 2]));
    println!("| sessions, {} lines, {bytes} bytes | best {best} MB/s, median {median} MB/s |", lines.len());
    for piece in PIECES {
        println!("| {piece:?} again and again | {} MB/s |", dense(&sanitizer, &context, piece));
    }
    Ok(())
}

/// What a text is made of that shall cost most: names, beginnings of tokens, quotes, signs.
#[rustfmt::skip] // A list of words, as text.
const PIECES: &[&str] = &[
    ".ey", "eyJ", "password=", "password:", "token: ", "{\"password\":", "password=\"", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n", "://", "://a:@",
    "\u{1b}[", "\\x1b[", "&amp;", "%77", "=3D", "\"'", "ghp_", "sk-", "AKIA", "xoxb-", "T3BlbkFJ", "heroku ", "heroku=", "curl -u ", "mysql ",
    "kind: secret\n", "cookie: a=b; ", "basic ", "bearer ", "identified by ", "/hooks/a/", "chpasswd ", "12→", "{{", "${", "пароль: ",
    "keyword = value\n", "api_key=hunter2\n", "DB_PASSWORD=\"hunter2\"\n", "--password hunter2 ", "<secret>hunter2</secret>\n",
    "{\"DB_PASSWORD\":\"hunter2\"}\n", "token=3Dhunter2\n", "api_key=3Dhunter2\n", "api_key%3Dhunter2%26", "gldt-", "xkeysib-", "sk_live_", "private_key=0x/",
];

/// How fast a megabyte of one piece is cleaned, in megabytes a second.
#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn dense(sanitizer: &Sanitizer, context: &Context<'_>, piece: &str) -> u128 {
    let text = piece.repeat(1_000_000 / piece.len());
    let start = Instant::now();
    std::hint::black_box(sanitizer.sanitize_text(&text, context));
    text.len() as u128 * 1_000 / start.elapsed().as_nanos().max(1)
}

#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn round(sanitizer: &Sanitizer, context: &Context<'_>, lines: &[String]) -> Duration {
    let start = Instant::now();
    for line in lines {
        std::hint::black_box(sanitizer.sanitize_json(line, context));
    }
    start.elapsed()
}

fn read_lines(folder: &Path, lines: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read_lines(&path, lines)?;
        } else if path.extension().is_some_and(|name| name == "jsonl") {
            let bytes = fs::read(&path)?;
            lines.extend(bytes.split(|byte| *byte == b'\n').map(|line| String::from_utf8_lossy(line).into_owned()));
        }
    }
    Ok(())
}
