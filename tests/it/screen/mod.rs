//! What a screen gets to see of a log that wants to do something to it: of every command, as text, as JSON, on a
//! terminal, and in the views.

mod hostile;
mod paged;
mod reading;
mod wide;

pub use reading::{every_command, is_reading};

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use serde_json::Value;

use self::hostile::Hostile;
use crate::program::{Project, ended};

static HOSTILE: LazyLock<Hostile> = LazyLock::new(|| Hostile::new(hostile::HOSTILE));

/// Our own colours, and nothing else of what begins with an escape.
const COLOURS: [&str; 8] = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m", "\x1b[m"];

/// What does something to a terminal or to the order of letters, or hides.
fn is_forbidden(letter: char) -> bool {
    let is_control = letter.is_control() && !['\n', '\t'].contains(&letter);
    let bidi = ['\u{61c}', '\u{200e}', '\u{200f}'].contains(&letter)
        || ('\u{202a}'..='\u{202e}').contains(&letter)
        || ('\u{2066}'..='\u{2069}').contains(&letter);
    let hides = ['\u{200b}', '\u{2028}', '\u{2029}', '\u{2060}', '\u{feff}', '\u{e0041}'].contains(&letter);
    is_control || bidi || hides
}

/// What a command printed; whatever of it must not be, with the command.
fn harm(what: &str, printed: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(printed);
    let found = text.char_indices().find(|(_, letter)| is_forbidden(*letter));
    found.map(|(at, letter)| {
        let around: String = text[..at].chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect();
        format!("{what}: {letter:?} behind {around:?}")
    })
}

/// On a terminal, without its colours. `None` where the machine has no terminals to give.
fn on_terminal(project: &Project, arguments: &[String]) -> Option<Vec<u8>> {
    Some(plain(&coloured(project, arguments, 100)?).into_bytes())
}

/// A text without our own colours.
fn plain(text: &str) -> String {
    COLOURS.iter().fold(text.to_owned(), |text, colour| text.replace(colour, ""))
}

/// On a terminal of so many columns, where nobody types: what came out of it.
fn coloured(project: &Project, arguments: &[String], columns: u16) -> Option<String> {
    let Terminal { master, slave } = Terminal::new(columns)?;
    let mut command = project.command(arguments);
    command.env("TERM", "xterm-256color").stdin(Stdio::null());
    command.stdout(slave.try_clone().expect("another handle")).stderr(slave);
    Some(shown(command, master))
}

/// Both ends of a terminal.
pub struct Terminal {
    pub master: File,
    pub slave: File,
}

impl Terminal {
    /// One of 40 rows. `None` where the machine has no terminals to give.
    pub fn new(columns: u16) -> Option<Self> {
        let master = rustix::pty::openpt(rustix::pty::OpenptFlags::RDWR | rustix::pty::OpenptFlags::NOCTTY).ok()?;
        rustix::pty::grantpt(&master).ok()?;
        rustix::pty::unlockpt(&master).ok()?;
        let name = rustix::pty::ptsname(&master, Vec::new()).ok()?;
        let slave = File::options().read(true).write(true).open(name.to_str().ok()?).ok()?;
        let size = rustix::termios::Winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        rustix::termios::tcsetwinsize(&master, size).ok()?;
        Some(Self { master: File::from(master), slave })
    }
}

/// What a command printed on a terminal, whose other end it has.
fn shown(mut command: Command, mut master: File) -> String {
    let mut child = command.spawn().expect("started");
    // The handles of the child's end that the command holds would keep the terminal open.
    drop(command);
    let (mut bytes, mut chunk) = (Vec::new(), [0; 8192]);
    // A terminal whose other end is closed answers with an error.
    while let Ok(count @ 1..) = master.read(&mut chunk) {
        bytes.extend_from_slice(&chunk[..count]);
    }
    child.wait().expect("ended");
    String::from_utf8_lossy(&bytes).replace("\r\n", "\n")
}

fn words(path: &[String], arguments: &[String]) -> Vec<String> {
    path.iter().chain(arguments).cloned().collect()
}

/// How many tests share the commands that read: each asks its own, by their names, however many ways they are asked in.
const PARTS: usize = 4;

/// In each share so many commands show something of the log that is hostile, at the least.
const LEAST_SHOWN: usize = 10;

/// Asks a share of the commands that read.
fn asked(part: usize) {
    let project = HOSTILE.project();
    let (mut harmful, mut failed, mut shown) = (Vec::new(), Vec::new(), BTreeSet::new());
    let commands = reading::commands(&HOSTILE);
    let names: BTreeSet<_> = commands.iter().map(|(path, _)| path.join(" ")).collect();
    let share: BTreeSet<_> = names.into_iter().skip(part).step_by(PARTS).collect();
    for (path, arguments) in commands.into_iter().filter(|(path, _)| share.contains(&path.join(" "))) {
        let arguments = words(&path, &arguments);
        let name = path.join(" ");
        let piped = ended(&project.command(&arguments).output().expect("ended"));
        // What is not there is said, too: it stands in the log, and not in every state of it.
        let is_misused = piped.stderr.contains("--help");
        if !matches!(piped.code, Some(0..=2)) || is_misused {
            failed.push(format!("{arguments:?} ended with {:?}: {}", piped.code, piped.stderr));
        }
        if piped.stdout.contains(r"\u{202e}") {
            shown.insert(name.clone());
        }
        let terminal = on_terminal(&project, &arguments).unwrap_or_default();
        let outputs =
            [("out of", piped.stdout.as_bytes()), ("talk of", piped.stderr.as_bytes()), ("terminal of", &terminal)];
        harmful.extend(outputs.iter().filter_map(|(what, bytes)| harm(&format!("{what} {name}"), bytes)));
        if name == "schema" || name == "sanitize" {
            continue;
        }
        let json = project.annals(arguments.iter().map(String::as_str).chain(["--json"]), "");
        harmful.extend(harm(&format!("JSON of {name}"), json.stdout.as_bytes()));
        harmful.extend(harm(&format!("JSON talk of {name}"), json.stderr.as_bytes()));
        let lines = serde_json::Deserializer::from_str(&json.stdout).into_iter::<Value>();
        failed.extend(lines.filter_map(|value| Some(format!("{name} --json: {}", value.err()?))));
    }
    assert!(harmful.is_empty(), "{}", harmful.join("\n"));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(shown.len() >= LEAST_SHOWN, "only {} commands had anything hostile to show: {shown:?}", shown.len());
}

mod no_reading_command_lets_the_log_reach_the_screen_as_it_is {
    #[test]
    fn of_the_first_share() {
        super::asked(0);
    }

    #[test]
    fn of_the_second_share() {
        super::asked(1);
    }

    #[test]
    fn of_the_third_share() {
        super::asked(2);
    }

    #[test]
    fn of_the_fourth_share() {
        super::asked(3);
    }
}

#[test]
fn json_of_a_hostile_log_means_what_the_log_means() {
    let project = HOSTILE.project();
    let run = project.annals(["log", "--all", "--json"], "");
    let printed: BTreeSet<String> = run.stdout.lines().map(|line| meaning(line).to_string()).collect();
    let recorded: BTreeSet<String> = HOSTILE.lines().map(|line| meaning(line).to_string()).collect();
    assert_eq!(printed, recorded);
    assert!(!run.stdout.contains('\u{202e}') && run.stdout.contains(r"\u202e"));
}

fn meaning(line: &str) -> Value {
    serde_json::from_str(line).expect("JSON")
}

#[test]
fn what_was_asked_for_raw_is_raw() {
    let project = HOSTILE.project();
    let line = HOSTILE.lines().find(|line| line.contains('\u{202e}')).expect("a hostile line").to_owned();
    let id = meaning(&line)["id"].as_str().expect("an id").to_owned();
    assert_eq!(project.annals(["show", &id, "--raw"], "").stdout, line + "\n");
    let text = "a \x1b[31mred\x1b[0m text\n";
    assert_eq!(project.annals(["sanitize"], text).stdout, text);
}

#[test]
fn views_are_read_with_cat() {
    let project = HOSTILE.project();
    let run = project.annals(["render"], "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let (mut harmful, mut written_out) = (Vec::new(), 0);
    for entry in walkdir::WalkDir::new(project.context()).into_iter().filter_map(Result::ok) {
        let name = entry.path().strip_prefix(project.context()).expect("below").to_string_lossy().into_owned();
        let is_source = name.starts_with("history/2") || name.starts_with("local/");
        if entry.file_type().is_file() && !is_source {
            let bytes = fs::read(entry.path()).expect("read");
            harmful.extend(harm(&name, &bytes));
            written_out += usize::from(String::from_utf8_lossy(&bytes).contains("202e"));
        }
    }
    assert!(harmful.is_empty(), "{}", harmful.join("\n"));
    assert!(written_out > 20, "only {written_out} views had anything hostile in them");
}

#[test]
fn an_argument_that_is_wrong_is_said_harmlessly() {
    let project = HOSTILE.project();
    let mut harmful = Vec::new();
    for path in every_command() {
        for wrong in ["--\x1b]0;pwned\x07\u{202e}", "\x1b[2J\u{9b}31m\r"] {
            let arguments = words(&path, &[wrong.to_owned(), wrong.to_owned(), "--json=x".to_owned()]);
            let run = ended(&project.command(&arguments).output().expect("ended"));
            let printed = [run.stdout, run.stderr].concat();
            harmful.extend(harm(&arguments.join(" "), printed.as_bytes()));
        }
    }
    assert!(harmful.is_empty(), "{}", harmful.join("\n"));
}

#[test]
fn damaged_lines_and_hostile_files_are_named_harmlessly() {
    let project = HOSTILE.project();
    let day = project.context().join("history/2026-11-21.jsonl");
    let mut file = File::options().append(true).open(&day).expect("open");
    file.write_all(b"\x1b]0;pwned\x07 \xc2\x9b31m no entry\n{\"id\":\"\x1b[2J\"}\n\x9b\x9d raw\n").expect("written");
    fs::write(project.context().join("config.toml"), "[x\x1b[31m\u{202e}]\nx = \u{9b}\n").expect("written");
    for arguments in [&["verify"][..], &["doctor"], &["log", "--all"], &["log", "--all", "--json"], &["config", "list"]]
    {
        let run = project.annals(arguments, "");
        let printed = [run.stdout, run.stderr].concat();
        assert_eq!(harm(&arguments.join(" "), printed.as_bytes()), None);
    }
}
