//! `.context` folders as strangers make them: whatever is in one, nothing beside it is read, written or removed, no line
//! that was acknowledged is lost, and every command comes to an end.
//!
//! `ANNALS_HOSTILE=10000` plays so many variants, `ANNALS_HOSTILE_FROM` says the first; a failure names its number.

mod attack;
mod canary;
mod chance;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::mpsc;
use std::time::Duration;

use self::attack::ATTACKS;
use self::canary::Canary;
use self::chance::Chance;
use crate::program::Project;

/// So long a command may take, on a slow machine without optimisation.
const BOUND: Duration = Duration::from_secs(60);

/// The commands that are tried, each with what it reads.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["session", "list"], ""),
    (&["log"], ""),
    (&["state"], ""),
    (&["stats"], ""),
    (&["search", "shed"], ""),
    (&["render"], ""),
    (&["doctor"], ""),
    (&["verify"], ""),
    (&["verify", "--blobs"], ""),
    (&["replay", "--all"], ""),
    (&["record", "--type", "tool_call", "--name", "acknowledged"], ""),
    (&["hook", "claude-code"], PAYLOAD),
    (&["hook", "gemini"], "{"),
    (&["archive", "--before", "2026-11-21"], ""),
    (&["issue", "list"], ""),
    (&["canon", "list"], ""),
    (&["hivemind", "list"], ""),
    (&["config", "list"], ""),
    (&["config", "set", "history.inline_bytes", "4096"], ""),
    (&["init"], ""),
    (&["session", "start", "Acknowledged"], ""),
    (&["exec", "--", "true"], ""),
];

const PAYLOAD: &str = r#"{"session_id":"5f5d6f7e-0000-4000-8000-000000000001","transcript_path":"/nowhere","cwd":"/","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"x"},"tool_use_id":"toolu_1"}"#;

/// A project with a few lines, beside a canary.
struct Stage {
    folder: tempfile::TempDir,
    canary: Canary,
}

impl Stage {
    fn new(model: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        copy(model, &folder.path().join("project/.context"));
        let canary = Canary::make(&folder.path().join("out"));
        Self { folder, canary }
    }

    fn context(&self) -> PathBuf {
        self.folder.path().join("project/.context")
    }

    fn run(&self, project: &Project, arguments: &[&str], stdin: &str) -> Option<Output> {
        let mut command = project.command(arguments);
        command.current_dir(self.folder.path().join("project")).env("HOME", self.folder.path().join("home"));
        let mut child = command.spawn().expect("started");
        let pid = rustix::process::Pid::from_child(&child);
        // Whoever does not read its stdin may be gone already.
        let _ = std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), stdin.as_bytes());
        let (tell, told) = mpsc::channel();
        let waiting = std::thread::spawn(move || tell.send(child.wait_with_output()));
        let ended = told.recv_timeout(BOUND).ok();
        if ended.is_none() {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
        waiting.join().expect("waited").ok();
        ended.map(|output| output.expect("ended"))
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("copied");
        }
    }
}

/// What was recorded before strangers came; without `local/`, as it goes into a repository.
fn model() -> Project {
    let project = Project::new();
    for name in ["one", "two"] {
        let run = project.annals(["record", "--type", "tool_call", "--name", name], "");
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    assert_eq!(project.annals(["issue", "new", "Paint the shed"], "").code, Some(0));
    fs::remove_dir_all(project.context().join("local")).expect("removed");
    project
}

/// Every byte of every file below a folder, unpacked; no link is followed.
fn bytes_below(folder: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        let metadata = path.symlink_metadata().expect("there");
        if metadata.is_dir() {
            bytes.extend(bytes_below(&path));
        } else if metadata.is_file() {
            let content = fs::read(&path).expect("read");
            let is_packed = path.extension().is_some_and(|end| end == "zst") && content.len() < 4096;
            let plain = is_packed.then(|| zstd::bulk::decompress(&content, 1 << 20).ok()).flatten();
            bytes.extend(plain.unwrap_or(content));
            bytes.push(b'\n');
        }
    }
    bytes
}

fn play(model: &Project, number: u64) -> Result<(), String> {
    let mut chance = Chance(number);
    let stage = Stage::new(&model.context());
    let mut names = Vec::new();
    for _ in 0..=chance.below(3) {
        let (name, attack) = chance.one_of(ATTACKS);
        attack(&stage.context(), &mut chance);
        names.push(*name);
    }
    let mut promised: Vec<String> = Vec::new();
    for _ in 0..4 {
        let (arguments, stdin) = chance.one_of(COMMANDS);
        let failed = |what: String| Err(format!("variant {number} ({names:?}), {arguments:?}: {what}"));
        let Some(output) = stage.run(model, arguments, stdin) else { return failed("did not end".to_owned()) };
        let code = output.status.code();
        if !matches!(code, Some(0..=3)) {
            return failed(format!("{code:?}: {}", String::from_utf8_lossy(&output.stderr)));
        }
        if let Some(harm) = stage.canary.harm() {
            return failed(harm);
        }
        if code == Some(0) && arguments[0] == "record" {
            promised.push(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
        let all = bytes_below(&stage.context());
        if let Some(lost) = promised.iter().find(|id| memchr::memmem::find(&all, id.as_bytes()).is_none()) {
            return failed(format!("{lost} is lost"));
        }
    }
    Ok(())
}

fn variable(name: &str, default: u64) -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a long run is asked for by the environment")]
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn whatever_a_repository_brings_nothing_outside_is_touched_and_nothing_is_lost() {
    let (from, count) = (variable("ANNALS_HOSTILE_FROM", 0), variable("ANNALS_HOSTILE", 40));
    let model = model();
    let failures: Vec<_> = (from..from + count).filter_map(|number| play(&model, number).err()).collect();
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
}

/// Each attack alone against each command once: a variant by chance may miss a pair.
#[test]
fn each_attack_is_harmless_to_a_command_that_reads_and_to_one_that_writes() {
    let model = model();
    for (number, (name, attack)) in (0_u64..).zip(ATTACKS) {
        let stage = Stage::new(&model.context());
        attack(&stage.context(), &mut Chance(number));
        for arguments in [&["session", "list"][..], &["record", "--type", "tool_call", "--name", "x"], &["render"]] {
            let output =
                stage.run(&model, arguments, "").unwrap_or_else(|| panic!("{name}: {arguments:?} did not end"));
            assert!(matches!(output.status.code(), Some(0..=3)), "{name}: {arguments:?}: {output:?}");
            assert_eq!(stage.canary.harm(), None, "{name}: {arguments:?}");
        }
    }
}
