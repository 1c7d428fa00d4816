//! `annals debate request`: begins a debate, and prints what the advocate is to be told.

use super::gate::FactArguments;
use crate::cli::output::Output;
use crate::cli::shell::{Done, Shell, Usage, clean, text_of};
use crate::domain::Event;
use crate::domain::dialectic::command::{DebateKind, Request};
use crate::domain::dialectic::csp::{FailureRequest, Message, PlanRequest, Stakes, parse, write};
use crate::domain::dialectic::identity::is_id;
use crate::domain::dialectic::{Command, Debate, Event as Dialectic, Observed};
use crate::engine::Answer;
use crate::kernel::json::Json;

/// Arguments of `annals debate request`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The task, or a line DEBATE or `DEBATE_FAILURE`; - reads it from stdin
    task: String,
    /// How, where that is more than the task says
    #[arg(long)]
    plan: Option<String>,
    /// Argue about what failed
    #[arg(long)]
    failure: bool,
    /// 1 to 3 [default: 1]
    #[arg(long)]
    rounds: Option<u8>,
    /// low, medium or high [default: as the words say]; only the user may say less than they do
    #[arg(long)]
    stakes: Option<Stakes>,
    #[command(flatten)]
    facts: FactArguments,
    /// An attempt that failed, where it was not recorded
    #[arg(long = "attempt", value_name = "APPROACH")]
    attempts: Vec<String>,
    /// What came of it
    #[arg(long = "error", value_name = "ERROR")]
    errors: Vec<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let request = asked(arguments)?;
    let answer = engine.decide(Command::from(request.clone()), &Json::of(&Observed::default()), &shell.by_now())?;
    let begun = answer.events.iter().find_map(|event| {
        let Event::Dialectic(Dialectic::Requested(requested)) = event else { return None };
        Some(requested.debate.clone())
    });
    let debate = begun.map(|id| shell.ask(&engine, |world| world.rooms.dialectic.debate(&id).cloned())).transpose()?;
    let line = debate.flatten().map(|debate| clean(&engine, &told(&debate, &request)));
    shell.report(&answer, |out| say(out, &answer, line.as_deref()))
}

fn say(out: &mut Output, answer: &Answer, line: Option<&str>) -> std::io::Result<()> {
    for event in &answer.events {
        let Event::Dialectic(Dialectic::Requested(requested)) = event else { continue };
        let (id, kind) = (&requested.debate, requested.kind);
        out.line(id)?;
        out.say(format_args!(
            "a {kind} debate, {} stakes ({}); the advocate is told:",
            requested.stakes, requested.category
        ))?;
        line.map_or(Ok(()), |line| out.line(line))?;
    }
    Ok(())
}

/// The line for the advocate: after failures with the last two attempts.
fn told(debate: &Debate, request: &Request) -> String {
    write(&message_of(debate, request))
}

/// What the advocate is told, as a message.
pub(super) fn message_of(debate: &Debate, request: &Request) -> Message {
    let task = || if is_id(&request.task) { debate.summary.clone() } else { request.task.clone() };
    match debate.kind {
        DebateKind::Planning => Message::Plan(PlanRequest {
            proposal: request.plan.clone().unwrap_or_else(task),
            rounds: debate.rounds,
            stakes: debate.stakes,
        }),
        DebateKind::Failure => Message::Failure(FailureRequest {
            task: task(),
            attempts: debate.attempts.clone(),
            errors: debate.errors.clone(),
        }),
    }
}

/// Options, or a line that begins with its word.
fn asked(arguments: &Arguments) -> anyhow::Result<Request> {
    let text = text_of(&arguments.task)?;
    let boxed = |texts: &[String]| texts.iter().map(|text| text.as_str().into()).collect();
    let mut request = Request {
        task: text.trim().into(),
        kind: if arguments.failure { DebateKind::Failure } else { DebateKind::Planning },
        plan: arguments.plan.as_deref().map(Into::into),
        rounds: arguments.rounds,
        stakes: arguments.stakes,
        facts: arguments.facts.facts(),
        attempts: boxed(&arguments.attempts),
        errors: boxed(&arguments.errors),
    };
    let is_line = ["DEBATE ", "DEBATE_FAILURE "].iter().any(|word| text.trim_start().starts_with(word));
    if !is_line {
        return Ok(request);
    }
    match parse(&text).map_err(|error| Usage(error.to_string()))? {
        Message::Plan(plan) => {
            request.task = plan.proposal;
            (request.rounds, request.stakes) = (Some(plan.rounds), Some(plan.stakes));
        }
        Message::Failure(failure) => {
            (request.kind, request.task) = (DebateKind::Failure, failure.task);
            (request.attempts, request.errors) = (failure.attempts, failure.errors);
        }
        Message::Claim(_)
        | Message::Objection(_)
        | Message::Diagnosis(_)
        | Message::Doubt(_)
        | Message::Resolution(_) => {}
    }
    Ok(request)
}
