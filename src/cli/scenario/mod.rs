//! `annals scenario FILE…`: conversations with the resident agent, each step checked.
//!
//! Each is played in a folder made for it: nothing of the project is read or changed, and time moves as the file says.

mod expect;
mod file;
mod play;

use std::path::{Path, PathBuf};

use serde::Serialize;

use self::expect::Miss;
use self::file::ScenarioFile;
use super::line::{Line, Style};
use super::resident::ToldTick;
use super::shell::{CommandOutcome, Done, Shell};

/// Arguments of `annals scenario`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Scenarios, in TOML or JSON (`docs/RESIDENT.md` has the form)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Who answers, in place of the answers of the file: one of `annals model list`, or `scripted:FILE`
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PlayedScenarios {
    scenarios: Vec<PlayedScenario>,
    /// How many went as they should.
    passed: usize,
    failed: usize,
}

/// One scenario.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlayedScenario {
    file: String,
    name: String,
    /// Those that were played: behind one that could not be, none is.
    steps: Vec<PlayedStep>,
}

/// One step, what came of it, and what did not come as it should.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlayedStep {
    /// The how-manieth, 1 the first.
    n: usize,
    /// What was done, in a few words.
    step: String,
    tick: Option<ToldTick>,
    missed: Vec<Miss>,
}

impl PlayedScenario {
    fn has_passed(&self) -> bool {
        self.steps.iter().all(|step| step.missed.is_empty())
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    // All are read before one is played.
    let read = |path: &PathBuf| Ok((path.display().to_string(), ScenarioFile::read(&path_of(shell, path))?));
    let files = arguments.files.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    let mut scenarios = Vec::new();
    for (file, scenario) in files {
        let steps = play::play(shell, &scenario, arguments.model.as_deref())?;
        let played = PlayedScenario { file, name: scenario.name, steps };
        if !shell.wants_json() {
            print(shell, &played)?;
        }
        scenarios.push(played);
    }
    let passed = scenarios.iter().filter(|played| played.has_passed()).count();
    let failed = scenarios.len() - passed;
    if shell.wants_json() {
        shell.out.answer(&PlayedScenarios { scenarios, passed, failed })?;
    } else {
        shell.out.line(format_args!("passed {passed}, failed {failed}"))?;
    }
    Ok(if failed == 0 { CommandOutcome::Done } else { CommandOutcome::Refused })
}

fn path_of(shell: &Shell, path: &Path) -> PathBuf {
    shell.environment.directory.join(path)
}

fn print(shell: &mut Shell, played: &PlayedScenario) -> std::io::Result<()> {
    shell.out.styled(&Line::of(Style::Bold, &played.name).and(Style::Dim, format_args!("  {}", played.file)))?;
    for PlayedStep { n, step, missed, .. } in &played.steps {
        let word = if missed.is_empty() { "as expected" } else { "NOT AS EXPECTED" };
        shell.out.line(format_args!("  {n}. {step}: {word}"))?;
        for miss in missed {
            shell.out.line(format_args!("     {miss}"))?;
        }
    }
    Ok(())
}
