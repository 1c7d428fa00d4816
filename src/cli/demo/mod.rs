//! `annals demo`: a project is made, and everything that annals does is done to it once, step by step.
//!
//! Each step runs the program itself, as a person would, and checks what came of it. Needs no agent and no model; where
//! git is not there, the step that needs it is left out and says so.

mod stage;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use self::stage::{Stage, has_git};
use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::engine::clock::Clock;

/// Arguments of `annals demo`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Where to make the project; the folder must be empty [default: a new folder among the temporary ones]
    folder: Option<PathBuf>,
}

/// The sessions that ship with us.
const SESSIONS: [(&str, &str); 2] = [
    ("claude-code-session.jsonl", include_str!("../../../examples/claude-code-session.jsonl")),
    ("codex-rollout.jsonl", include_str!("../../../examples/codex-rollout.jsonl")),
];

/// The agents of which a council is made.
const COUNCIL: [&str; 3] = ["explore", "critic", "general"];

/// What stands in one of them and must not get into the history.
const PASSWORD: &str = "warm-Coolant-77";

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let folder = folder(shell, arguments)?;
    let mut stage = Stage::new(shell, &folder)?;
    make(&mut stage)?;
    import(&mut stage)?;
    read(&mut stage)?;
    decide(&mut stage)?;
    think(&mut stage)?;
    verify(&mut stage)?;
    replay(&mut stage)?;
    travel(&mut stage)?;
    merge(&mut stage)?;
    stage.close()?;
    Ok(CommandOutcome::Done)
}

fn folder(shell: &Shell, arguments: &Arguments) -> anyhow::Result<PathBuf> {
    let folder = match &arguments.folder {
        Some(folder) => shell.environment.directory.join(folder),
        None => std::env::temp_dir().join(format!("annals-demo-{:08x}", Clock::default().chance() & 0xffff_ffff)),
    };
    std::fs::create_dir_all(&folder)?;
    if std::fs::read_dir(&folder)?.next().is_some() {
        return Err(Usage(format!("{} is not empty: give a folder that is", folder.display())).into());
    }
    Ok(folder)
}

fn make(stage: &mut Stage<'_>) -> anyhow::Result<()> {
    stage.step("A project", "Everything is kept in one folder of the project, .context, as plain text.")?;
    stage.annals(&["init", "--clock", "given"])?;
    stage
        .more("`annals setup claude-code` (or codex, gemini) records from then on what the agent does; `annals doctor`")
}

fn import(stage: &mut Stage<'_>) -> anyhow::Result<()> {
    stage.step(
        "Sessions that are there already",
        "Two agents have left their own records behind. They are brought in.",
    )?;
    for (name, text) in SESSIONS {
        std::fs::write(stage.folder().join(name), text)?;
    }
    let arguments: Vec<_> = std::iter::once("import").chain(SESSIONS.map(|(name, _)| name)).collect();
    stage.annals(&arguments)?;
    stage.say("Each entry has an id made of its source, so importing again adds nothing:")?;
    let again = stage.annals(&arguments)?;
    ensure!(again.contains("0 entries added"), "BUG: importing again added something");
    stage.say(format_args!("One command held the password {PASSWORD}. It did not get into the history:"))?;
    let found = stage.annals(&["log", "--text", "DATABASE_URL"])?;
    ensure!(found.contains("[REDACTED_PASSWORD]") && !found.contains(PASSWORD), "BUG: the password is there");
    stage.more("`annals import --discover` finds what agents kept for a project on this machine; `annals sanitize`")
}

fn read(stage: &mut Stage<'_>) -> anyhow::Result<()> {
    stage.step("Reading", "A session as one reads it: prompts ▶, messages ●, calls, failures ✗, refusals ■.")?;
    stage.read(&["session", "list"])?;
    let session = stage.first_cell(&["session", "list", "--json"], "/sessions/1/id")?;
    stage.read(&["session", "show", &session])?;
    stage.read(&["stats"])?;
    stage.more("`annals log -f` follows what happens; `annals show ENTRY`; and cat, grep and jq on .context/history")
}

fn decide(stage: &mut Stage<'_>) -> anyhow::Result<()> {
    stage
        .step("Deciding", "What annals is asked to do is decided by rules, and the answer is a line like any other.")?;
    let session = stage.annals(&["session", "start", "Check the coolant alarm"])?;
    let session = session.trim();
    stage.annals(&["exec", "--session", session, "--", "echo", "alarm at 350 degrees"])?;
    stage.annals(&["session", "complete", session])?;
    stage.say("A session that has ended does not end again:")?;
    stage.refused(&["session", "suspend", session])?;
    stage.more("`annals why SESSION` names the lines behind a value; `annals config list`; `annals access PATH`")
}

fn think(stage: &mut Stage<'_>) -> anyhow::Result<()> {
    stage.step("Minds", "What agents feel, believe and decide together is folded from the lines, too.")?;
    let session = stage.first_cell(&["session", "list", "--tool", "claude-code", "--json"], "/sessions/0/id")?;
    stage.read(&["analyse", &session, "--mode", "emotional"])?;
    stage.say("Something was learnt; it is contested, and a council of three decides:")?;
    for member in COUNCIL {
        stage.annals(&["agent", "add", member, "--role", "writer"])?;
    }
    stage.annals(&["hivemind", "add", "knowledge", "alarm-limit", "The alarm goes off at 350 degrees."])?;
    let instead = "The alarm goes off above 350 degrees.";
    stage.annals(&[
        "hivemind", "contest", "alarm-limit", "--because", "exactly 350 is fine", "--alternative", instead,
    ])?;
    for member in COUNCIL {
        let because = ["--confidence", "0.9", "--because", "the test says so"];
        let vote = ["council", "vote", "alarm-limit", "approve", "--as", member];
        stage.annals(&[vote.as_slice(), because.as_slice()].concat())?;
    }
    let shown = stage.annals(&["hivemind", "show", "alarm-limit"])?;
    ensure!(shown.contains(instead), "BUG: the council did not carry its result into the hivemind");
    stage.more("`annals debate gate TASK` before each attempt; `annals triggers`, `knowledge`, `memory`, `cognition`")
}

fn verify(stage: &mut Stage<'_>) -> anyhow::Result<()> {
    stage.step("Verifying", "Each line holds the hash of the one before it by the same writer.")?;
    stage.annals(&["verify"])?;
    stage.say("In a copy, one letter of one line is changed:")?;
    let copy = stage.copy("tampered")?;
    let history = segment_of(&copy.join(".context/history"), "2026-11-18")?;
    let text = std::fs::read_to_string(&history)?;
    std::fs::write(&history, text.replacen("alarm", "alerm", 1))?;
    stage.refused_in(&copy, &["verify"])?;
    stage.more("`annals verify --help`; `annals scrub` takes a leaked value out so that verify still holds")
}

/// A segment of a day: named by the day alone, or by its writer, too, where the folder stands in a git work tree.
fn segment_of(history: &Path, day: &str) -> anyhow::Result<PathBuf> {
    let mut paths = std::fs::read_dir(history)?.filter_map(|entry| Some(entry.ok()?.path()));
    let is_of_day = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(day));
    paths.find(is_of_day).with_context(|| format!("BUG: no segment of {day}"))
}

fn replay(stage: &mut Stage<'_>) -> anyhow::Result<()> {
    stage.step(
        "Replaying",
        "Every decision is made again, on the state that it was made on, and must come out the same.",
    )?;
    stage.annals(&["replay", "--all"])?;
    stage.more("`annals replay --set KEY=VALUE` shows what other settings would have decided")
}

fn travel(stage: &mut Stage<'_>) -> anyhow::Result<()> {
    stage.step("Travelling in time", "The state is folded from the lines, so it can be had as of any of them.")?;
    stage.read(&["--at", "2026-11-18", "session", "list"])?;
    let then = stage.annals(&["--at", "2026-11-18", "state", "--hash"])?;
    let now = stage.annals(&["state", "--hash"])?;
    ensure!(then != now, "BUG: the state is as it was then");
    stage.more("`--at TIME|ENTRY` goes with every command that reads; `annals state session`")
}

fn merge(stage: &mut Stage<'_>) -> anyhow::Result<()> {
    stage.step(
        "Merging",
        "Two branches record different things. Whichever is merged into the other, the state is the same.",
    )?;
    if !has_git() {
        return stage.say("git is not on this machine, so this step is left out.");
    }
    stage.git(&["init", "--quiet", "--initial-branch=main", "."])?;
    stage.commit("The project with its history")?;
    for (branch, title) in [("left", "Paint the reactor"), ("right", "Paint the turbine")] {
        stage.git(&["switch", "--quiet", "--create", branch, "main"])?;
        stage.annals(&["session", "start", title])?;
        stage.commit(title)?;
    }
    let mut hashes = Vec::new();
    for (into, from) in [("left", "right"), ("right", "left")] {
        stage.git(&["switch", "--quiet", "--create", &format!("{from}-into-{into}"), into])?;
        stage.git(&["merge", "--quiet", "--no-edit", from])?;
        hashes.push(stage.annals(&["state", "--hash"])?);
        stage.annals(&["verify"])?;
    }
    ensure!(hashes[0] == hashes[1], "BUG: the merges have different states");
    stage.more("`ls .context/history`: what git knows is never written again, so that no branch is in another's way")
}
