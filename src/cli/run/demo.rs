//! `annals run --demo`: a task that fails twice, is planned anew each time and then done, with answers that ship with the program.
//!
//! In a project made for it, by the program itself as a person would run it. Needs no model.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use anyhow::{Context as _, ensure};

use crate::cli::line::{Line, Style};
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::engine::clock::Clock;

/// What is asked for.
const REQUEST: &str = "write the sum of prices.csv into total.txt, in EUR";
/// The answers of the models.
const SCRIPT: &str = include_str!("demo.jsonl");
/// The project: its files.
const FILES: [(&str, &str); 4] = [
    ("prices.csv", "bread,3\ncheese,12\n# from the second page\nwine,27\n"),
    ("total.txt", "?\n"),
    (".gitignore", "/script.jsonl\n"),
    ("script.jsonl", SCRIPT),
];

/// Where the demonstration plays.
struct DemoPlace {
    folder: PathBuf,
    program: PathBuf,
}

pub(super) fn run(shell: &mut Shell) -> Done {
    let place = DemoPlace::new()?;
    for (name, text) in FILES {
        std::fs::write(place.project().join(name), text)?;
    }
    let _is_under_git = Command::new("git").args(["init", "--quiet"]).current_dir(place.project()).status();
    ensure!(place.command(&["init"]).output()?.status.success(), "cannot make {}", place.project().display());
    if shell.wants_json() {
        return Ok(outcome(place.command(&["run", REQUEST, "--model", "scripted:script.jsonl", "--json"]).status()?));
    }
    shell.out.line(format_args!("A demonstration in {}", place.project().display()))?;
    shell.out.line("Answers that ship with the program stand in for models. The first two plans fail.")?;
    let ran = shown(shell, &place, &["run", REQUEST, "--model", "scripted:script.jsonl"])?;
    shown(shell, &place, &["task", "diff"])?;
    shell.out.line("")?;
    shell.out.line("Look around in it:")?;
    shell.out.line(format_args!("  cd {}", place.project().display()))?;
    shell.out.line(format_args!(
        "  XDG_STATE_HOME={} {} task show",
        place.state().display(),
        place.program.display()
    ))?;
    Ok(outcome(ran))
}

fn shown(shell: &mut Shell, place: &DemoPlace, arguments: &[&str]) -> anyhow::Result<ExitStatus> {
    let quoted = |word: &&str| if word.contains(' ') { format!("\"{word}\"") } else { (*word).to_owned() };
    let words: Vec<_> = arguments.iter().map(quoted).collect();
    shell.out.line("")?;
    shell.out.styled(&Line::of(Style::Cyan, format_args!("$ annals {}", words.join(" "))))?;
    shell.out.flush()?;
    place.command(arguments).status().context("cannot run annals")
}

fn outcome(status: ExitStatus) -> CommandOutcome {
    if status.success() { CommandOutcome::Done } else { CommandOutcome::Refused }
}

impl DemoPlace {
    fn new() -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let chance = Clock::default().chance() & 0xffff_ffff;
        let place = Self { folder: std::env::temp_dir().join(format!("annals-run-demo-{chance:08x}")), program };
        for folder in [place.project(), place.state()] {
            std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        Ok(place)
    }

    fn project(&self) -> PathBuf {
        self.folder.join("shop")
    }

    /// Its workspaces are not among those of the person's own tasks.
    fn state(&self) -> PathBuf {
        self.folder.join("state")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(Path::new(&self.project())).env("XDG_STATE_HOME", self.state());
        command
    }
}
