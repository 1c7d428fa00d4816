//! `annals doctor`: whether the folder, the configuration and the hooks are as they should be.
//!
//! Exit code 1 where something is wrong; what only wants a look does not count.

use std::path::{Path, PathBuf};

use super::line::{Line, Style};
use super::output::say_anyway;
use super::setup::{Scope, file_of};
use super::shell::{CommandOutcome, Done, Shell};
use crate::engine::Engine;
use crate::engine::doctor::{Check, HealthVerdict};
use crate::hook::lost::{Ledger, Lost};
use crate::hook::seen::{self, SeenAgent};
use crate::hook::setup::{HooksStanding, OnFailure, Plan, Readers, Settings};
use crate::hook::{Agent, spool};
use crate::import::watch;

pub(super) fn run(shell: &mut Shell) -> Done {
    let context = shell.context()?;
    let mut checks = vec![Check::good("folder", context.display())];
    match shell.engine() {
        Ok(engine) => checks.extend(examine(shell, &engine)?),
        Err(error) => {
            let says = error.chain().map(ToString::to_string).collect::<Vec<_>>().join(": ");
            let says = says.trim_end().to_owned();
            checks.push(Check::bad("config", says, "nothing can be recorded until it is right"));
        }
    }
    print(shell, &checks)?;
    let is_bad = checks.iter().any(|check| check.verdict == HealthVerdict::Bad);
    Ok(if is_bad { CommandOutcome::Refused } else { CommandOutcome::Done })
}

/// Says once that `local/` was not this clone's.
pub(super) fn say_set_aside(engine: &Engine) {
    if let Some(path) = engine.set_aside() {
        let whose = "local/ was not made here, but copied or brought by the repository: nothing in it is believed";
        say_anyway(format_args!("annals: {whose}; it is {} now", path.display()));
    }
}

fn examine(shell: &Shell, engine: &Engine) -> anyhow::Result<Vec<Check>> {
    let mut checks = engine.examine()?;
    let waiting = spool::count(&**engine.disk(), engine.place())?;
    if waiting > 0 {
        let says = format!("payloads of hooks that could not be recorded yet: {waiting}");
        checks.push(Check::bad(
            "spool",
            says,
            "they wait in local/spool; the next command that can write records them",
        ));
    }
    if let Some((ledger, lost)) = lost(shell, engine.place().context()) {
        let says = format!("{} (counted in {})", lost.told(), ledger.display());
        checks.push(Check::bad(
            "lost",
            says,
            "the disk was full or not to be written; delete that file to forget them",
        ));
    }
    let seen = seen::read(&**engine.disk(), engine.place())?;
    for agent in Agent::ALL {
        checks.push(hooks(shell, agent, seen.0.get(agent.name())));
    }
    checks.extend(watch::checks(engine)?);
    Ok(checks)
}

/// What hooks could keep nowhere, and the file in which that is counted.
pub(super) fn lost(shell: &Shell, context: &Path) -> Option<(PathBuf, Lost)> {
    let ledger = Ledger::below(&shell.environment.state()?);
    Some((ledger.path(context), ledger.lost(context)?))
}

/// Installed is one thing, seen at work another.
fn hooks(shell: &Shell, agent: Agent, seen: Option<&SeenAgent>) -> Check {
    let about = about(agent);
    let worked = seen.map(|seen| {
        let count: u64 = seen.events.values().map(|event| event.count).sum();
        format!("last seen at {}, events {count}", seen.last)
    });
    match (installed(shell, agent), worked) {
        (Err(error), _) => Check::bad(about, error, "correct the file; it is left as it is"),
        (Ok(HooksPlace::Nowhere), None) => Check::absent(about, "not installed"),
        (Ok(HooksPlace::Nowhere), Some(worked)) => {
            Check::note(about, format_args!("not installed here any more; {worked}"), "`annals setup` installs them")
        }
        (Ok(HooksPlace::Partly(file)), _) => {
            Check::note(about, format_args!("some in {file} are missing"), "`annals setup` puts them right")
        }
        (Ok(HooksPlace::Wholly(file)), Some(worked)) => Check::good(about, format_args!("in {file}; {worked}")),
        (Ok(HooksPlace::Wholly(file)), None) => {
            Check::note(about, format_args!("in {file}, but none was ever seen"), unseen(agent))
        }
    }
}

fn about(agent: Agent) -> &'static str {
    match agent {
        Agent::ClaudeCode => "hooks of claude-code",
        Agent::Codex => "hooks of codex",
        Agent::Gemini => "hooks of gemini",
        Agent::Copilot => "hooks of copilot",
    }
}

fn unseen(agent: Agent) -> &'static str {
    match agent {
        Agent::ClaudeCode => "start a session here; `/hooks` in it lists what it runs",
        Agent::Codex => "Codex skips hooks that you have not trusted: start it here and open /hooks",
        Agent::Gemini => "Gemini runs hooks only in folders that you trust",
        Agent::Copilot => "Copilot runs hooks only in folders that you trust",
    }
}

/// Where the hooks of an agent stand.
enum HooksPlace {
    Nowhere,
    Partly(String),
    Wholly(String),
}

/// Which program they start does not matter here; `annals setup --check` compares it.
fn installed(shell: &Shell, agent: Agent) -> anyhow::Result<HooksPlace> {
    let (on_failure, readers) = (OnFailure::Continue, Readers::Person);
    let plan = Plan { agent, program: "annals".to_owned(), on_failure, readers, through: None };
    for scope in Scope::ALL {
        let Ok(file) = file_of(shell, agent, scope) else { continue };
        let path = file.path().to_owned();
        let standing = Settings::read(file)?.standing(&plan)?;
        let missing = standing.iter().filter(|(_, standing)| *standing == HooksStanding::Missing).count();
        if missing < standing.len() {
            let file = path.display().to_string();
            return Ok(if missing == 0 { HooksPlace::Wholly(file) } else { HooksPlace::Partly(file) });
        }
    }
    Ok(HooksPlace::Nowhere)
}

/// The answer in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Checks<'c> {
    checks: &'c [Check],
}

fn print(shell: &mut Shell, checks: &[Check]) -> std::io::Result<()> {
    if shell.wants_json() {
        return shell.out.answer(&Checks { checks });
    }
    for Check { about, verdict, says, advice } in checks {
        let (word, style) = match verdict {
            HealthVerdict::Good => ("ok  ", Style::Green),
            HealthVerdict::Absent => ("-   ", Style::Dim),
            HealthVerdict::Note => ("note", Style::Yellow),
            HealthVerdict::Bad => ("BAD ", Style::Red),
        };
        shell.out.styled(&Line::of(style, word).then(format_args!("  {about}: {says}")))?;
        if let Some(advice) = advice {
            shell.out.styled(&Line::plain("      ").and(Style::Dim, advice))?;
        }
    }
    Ok(())
}
