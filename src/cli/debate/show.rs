//! `annals debate show`: a debate in the lines of CSP/1.

use serde::Serialize;

use super::list::{outcome_of, state_of};
use crate::cli::named::DEBATE;
use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::domain::dialectic::Debate;
use crate::domain::dialectic::csp::{Message, write};
use crate::view::debate::told;

/// Arguments of `annals debate show`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Which: its id, or the end of it
    debate: String,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ShownDebate {
    id: Box<str>,
    #[serde(flatten)]
    debate: Debate,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let id = super::find(shell, &engine, &arguments.debate)?;
    let debate = shell.ask(&engine, |world| world.rooms.dialectic.debate(&id).map(told))?;
    let debate = debate.ok_or_else(|| DEBATE.noun.unknown(&id))?;
    if shell.wants_json() {
        shell.out.answer(&ShownDebate { id, debate })?;
        return Ok(CommandOutcome::Done);
    }
    for line in lines(&id, &debate) {
        shell.out.line(clean(&engine, &line))?;
    }
    Ok(CommandOutcome::Done)
}

fn lines(id: &str, debate: &Debate) -> Vec<String> {
    let mut lines = vec![
        format!("{id}: a {} debate by {}, {}", debate.kind, debate.by, debate.at),
        format!("task {}: {}", debate.task, debate.summary),
    ];
    lines.extend(debate.plan.as_ref().map(|plan| format!("plan: {plan}")));
    lines.push(format!(
        "stakes {} ({}), {} in a row",
        debate.stakes,
        debate.category,
        crate::kernel::counted::counted(debate.failures.into(), "failure")
    ));
    for (attempt, error) in debate.attempts.iter().zip(&debate.errors) {
        lines.push(format!("failed: {attempt}: {error}"));
    }
    for round in &debate.spoken {
        for spoken in std::iter::once(&round.advocate).chain(&round.critic) {
            let by = spoken.model.as_ref().map_or_else(|| spoken.by.to_string(), |model| format!("the model {model}"));
            lines.push(format!("{} ({by}): {}", spoken.position.side(), write(&spoken.position.message())));
        }
    }
    match &debate.resolved {
        Some(resolved) => {
            let text = write(&Message::Resolution(resolved.resolution.message()));
            lines.extend(text.lines().map(str::to_owned));
            lines.push(format!(
                "by the rule {}, {}; outcome: {}",
                resolved.resolution.rule,
                resolved.at,
                outcome_of(debate)
            ));
        }
        None => lines.push(format!("next: {}", state_of(debate))),
    }
    lines
}
