//! `annals task why`: why a task ended as it did: each verdict with what it rests on, and each ruling of the solver with its
//! figures.
//!
//! Reads the record; asks nobody.

use std::sync::Arc;

use serde::Serialize;

use super::gist::{short, subtask_name};
use super::{looked, named, state_now};
use crate::cli::line::{Line, Style};
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::role::ggs::{CriterionVerdict, FinalResult, Loss, PlanDirective, RoundOutcome};
use crate::role::message::BusMessage;

/// Arguments of `annals task why`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Its id, or the beginning or end of it [default: the latest]
    task: Option<String>,
}

/// A round and what the solver made of it.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ReasonedRound {
    /// What the gate said, and each verdict with its evidence.
    outcome: Option<RoundOutcome>,
    /// Which way it went on.
    directive: Option<PlanDirective>,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct TaskReasons {
    id: String,
    state: String,
    rounds: Vec<ReasonedRound>,
    result: Option<FinalResult>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = Arc::new(shell.engine()?);
    let id = named(shell, &engine, arguments.task.as_deref())?;
    let row = shell.ask(&engine, |world| world.rooms.task.task(&id).cloned())?;
    let state = state_now(shell, &engine, &id, &row.expect("BUG: a task that was named is there"))?;
    let recorded = match looked(shell, &engine, &id)? {
        Ok(recorded) => recorded,
        Err(error) if error.is_of_record() => {
            shell.out.say(error)?;
            return Ok(CommandOutcome::Refused);
        }
        Err(error) => return Err(error.into()),
    };
    let reasons = TaskReasons { id, state, rounds: rounds(recorded.messages()), result: recorded.result().cloned() };
    if shell.wants_json() {
        shell.out.answer(&reasons)?;
        return Ok(CommandOutcome::Done);
    }
    print(shell, &reasons)
}

fn rounds<'s>(said: impl Iterator<Item = &'s BusMessage>) -> Vec<ReasonedRound> {
    let mut rounds: Vec<ReasonedRound> = Vec::new();
    for message in said {
        if let BusMessage::ReplanRequest(outcome) | BusMessage::OutcomeSummary(outcome) = message {
            rounds.push(ReasonedRound { outcome: Some(outcome.clone()), directive: None });
        } else if let BusMessage::PlanDirective(directive) = message {
            // A round without a plan has no outcome.
            if rounds.last().is_none_or(|round| round.directive.is_some()) {
                rounds.push(ReasonedRound::default());
            }
            rounds.last_mut().into_iter().for_each(|round| round.directive = Some(directive.clone()));
        }
    }
    rounds
}

fn print(shell: &mut Shell, reasons: &TaskReasons) -> Done {
    shell.out.styled(&Line::of(Style::Bold, format!("{}  {}", reasons.id, reasons.state)))?;
    for (number, round) in (1..).zip(&reasons.rounds) {
        shell.out.line(format_args!("round {number}"))?;
        print_round(shell, round)?;
    }
    if let Some(result) = &reasons.result {
        shell.out.line(format_args!("end: {}", result.rationale))?;
        shell.out.line(format_args!("     loss {}", parts(&result.loss)))?;
    }
    Ok(CommandOutcome::Done)
}

fn print_round(shell: &mut Shell, round: &ReasonedRound) -> std::io::Result<()> {
    if let Some(outcome) = &round.outcome {
        for subtask in &outcome.outcomes {
            let (name, status) = (subtask_name(&subtask.subtask_id), subtask.status);
            let why = subtask.failure_reason.as_deref().map(|why| format!(": {}", short(why))).unwrap_or_default();
            shell.out.line(format_args!("  {name} {status}{why}"))?;
            subtask.criteria_verdicts.iter().try_for_each(|verdict| print_verdict(shell, verdict))?;
        }
        outcome.task_verdicts.iter().try_for_each(|verdict| print_verdict(shell, verdict))?;
        shell.out.line(format_args!("  gate {}: {}", outcome.gate, short(&outcome.summary)))?;
    }
    let Some(directive) = &round.directive else { return Ok(()) };
    shell.out.line(format_args!("  {}", directive.rationale))?;
    let (loss, cell, level) = (parts(&directive.loss), directive.cell, directive.urgency.level);
    shell.out.line(format_args!("     loss {loss}, gradient {}, cell {cell}, urgency {level}", directive.grad_l))?;
    let blocked = [&directive.blocked_tools[..], &directive.blocked_targets].concat();
    if blocked.is_empty() { Ok(()) } else { shell.out.line(format_args!("     blocked: {}", blocked.join(", "))) }
}

fn print_verdict(shell: &mut Shell, verdict: &CriterionVerdict) -> std::io::Result<()> {
    let CriterionVerdict { criterion, mode, verdict, evidence, .. } = verdict;
    shell.out.line(format_args!("    {verdict} ({mode}) {}: {}", short(criterion), short(evidence)))
}

/// The loss and what it is made of.
pub(in crate::cli) fn parts(loss: &Loss) -> String {
    let measures = &loss.measures;
    let [l, d, p, omega] = [loss.l, measures.d, measures.p, measures.omega].map(crate::role::ggs::Reading::number);
    format!("{l:.2} (D {d:.2}, P {p:.2}, Ω {omega:.2})")
}
