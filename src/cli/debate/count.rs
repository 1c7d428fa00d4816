//! `annals debate fail|succeed|reset|same|disable|enable`: what counts against a task, and in which session.

use crate::cli::shell::{Done, Shell, Usage, text_of};
use crate::domain::Event;
use crate::domain::dialectic::command::{Debates, Fail, Relate, Relation, Reset, Succeed, Switch};
use crate::domain::dialectic::event::Event as Dialectic;
use crate::domain::dialectic::{Command, Observed, fingerprint};
use crate::kernel::counted::counted;
use crate::kernel::json::Json;

/// Arguments of `annals debate fail`.
#[derive(Debug, clap::Args)]
pub struct FailArguments {
    /// What was attempted, or the id of the task
    task: String,
    /// What came of it; - reads it from stdin
    error: String,
    /// How it was attempted
    #[arg(long)]
    approach: Option<Box<str>>,
}

/// Arguments of `annals debate succeed`.
#[derive(Debug, clap::Args)]
pub struct SucceedArguments {
    /// What was attempted, or the id of the task
    task: String,
}

/// Arguments of `annals debate reset`.
#[derive(Debug, clap::Args)]
pub struct ResetArguments {
    /// What was attempted, or the id of the task
    task: String,
    /// Why
    #[arg(long)]
    reason: Option<Box<str>>,
}

/// Arguments of `annals debate same`.
#[derive(Debug, clap::Args)]
pub struct SameArguments {
    /// The task that is asked about, as text or id
    task: String,
    /// The earlier one, as text or id; where nothing is known of it, the first is taken for the earlier one
    other: String,
    /// They are not the same
    #[arg(long)]
    different: bool,
}

/// Arguments of `annals debate disable` and `enable`.
#[derive(Debug, clap::Args)]
pub struct SwitchArguments {
    /// Which [default: `$ANNALS_SESSION`]
    #[arg(long, allow_negative_numbers = true)]
    session: Option<String>,
}

pub(super) fn fail(shell: &mut Shell, arguments: &FailArguments) -> Done {
    let error = told(&text_of(&arguments.error)?);
    if error.is_empty() {
        return Err(Usage("ERROR is empty; say what came of it".to_owned()).into());
    }
    decide(shell, Fail { task: arguments.task.as_str().into(), error, approach: arguments.approach.clone() })
}

/// Of a long output the line that says what went wrong.
fn told(error: &str) -> Box<str> {
    const LONG: usize = 2000;
    let error = error.trim();
    if error.chars().nth(LONG).is_none() {
        return error.into();
    }
    let line = fingerprint::telling_line(error).unwrap_or(error);
    line.chars().take(LONG).collect::<String>().into()
}

pub(super) fn succeed(shell: &mut Shell, arguments: &SucceedArguments) -> Done {
    decide(shell, Succeed { task: arguments.task.as_str().into() })
}

pub(super) fn reset(shell: &mut Shell, arguments: &ResetArguments) -> Done {
    decide(shell, Reset { task: arguments.task.as_str().into(), reason: arguments.reason.clone() })
}

pub(super) fn same(shell: &mut Shell, arguments: &SameArguments) -> Done {
    let relation = if arguments.different { Relation::Different } else { Relation::Same };
    let (task, other) = (arguments.task.as_str().into(), arguments.other.as_str().into());
    decide(shell, Relate { task, other, relation })
}

pub(super) fn disable(shell: &mut Shell, arguments: &SwitchArguments) -> Done {
    switch(shell, arguments, Debates::Off)
}

pub(super) fn enable(shell: &mut Shell, arguments: &SwitchArguments) -> Done {
    switch(shell, arguments, Debates::On)
}

fn switch(shell: &mut Shell, arguments: &SwitchArguments, debates: Debates) -> Done {
    let engine = shell.engine()?;
    let session = super::session(shell, &engine, arguments.session.as_deref())?;
    let session = session.ok_or_else(|| Usage("name a session with --session, or set ANNALS_SESSION".to_owned()))?;
    decide(shell, Switch { session, debates })
}

fn decide(shell: &mut Shell, command: impl Into<Command>) -> Done {
    let engine = shell.engine()?;
    let command: Command = command.into();
    shell.decide(&engine, command, &Json::of(&Observed::default()), |out, answer| {
        answer.events.iter().filter_map(happened).try_for_each(|line| out.line(line))
    })
}

fn happened(event: &Event) -> Option<String> {
    let Event::Dialectic(event) = event else { return None };
    let cleared = |count: u32| counted(count.into(), "failure");
    Some(match event {
        Dialectic::Failed(failed) => {
            format!("task {}: attempt {} failed: {}", failed.task, failed.attempt, failed.fingerprint)
        }
        Dialectic::Escalated(escalated) => format!("task {}: a person decides ({})", escalated.task, escalated.why),
        Dialectic::Succeeded(done) => format!("task {} succeeded, after {}", done.task, cleared(done.cleared)),
        Dialectic::Cleared(reset) => format!("task {} begins anew, after {}", reset.task, cleared(reset.cleared)),
        Dialectic::Related(related) => match related.relation {
            Relation::Same => format!("task {} counts as {}", related.task, related.other),
            Relation::Different => format!("task {} is not {}", related.task, related.other),
        },
        Dialectic::Switched(switched) => format!("debates are {} in session {}", switched.debates, switched.session),
        Dialectic::Requested(_)
        | Dialectic::Argued(_)
        | Dialectic::Resolved(_)
        | Dialectic::Judged(_)
        | Dialectic::Repeated(_) => return None,
    })
}
