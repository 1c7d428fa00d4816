//! `annals debate fail`, and what decisions say of what counts against a task, and in which session.

use crate::cli::shell::{Done, Shell, Usage};
use crate::domain::dialectic::command::{ApprovalSpan, Relation};
use crate::domain::dialectic::event::Event as Dialectic;
use crate::domain::dialectic::{Command, Observed};
use crate::domain::{Command as Asked, Event};
use crate::engine::Engine;
use crate::kernel::counted::counted;
use crate::kernel::fingerprint;
use crate::kernel::json::Json;

/// Keeps of an error what says what went wrong.
pub(super) fn fail(shell: &mut Shell, engine: &Engine, mut command: Asked) -> Done {
    if let Asked::Dialectic(Command::Fail(fail)) = &mut command {
        fail.error = told(&fail.error);
        if fail.error.is_empty() {
            return Err(Usage("ERROR is empty; say what came of it".to_owned()).into());
        }
    }
    decide(shell, engine, command)
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

/// Decides, and says what counts now.
pub(super) fn decide(shell: &mut Shell, engine: &Engine, command: Asked) -> Done {
    shell.decide(engine, command, &Json::of(&Observed::default()), |out, answer| {
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
        Dialectic::Approved(approved) => {
            let far = match approved.span {
                ApprovalSpan::Once => "once",
                ApprovalSpan::Session => "for the rest of its session",
            };
            format!("it may run {far}: {}", approved.text)
        }
        Dialectic::Called(_)
        | Dialectic::Held(_)
        | Dialectic::Passed(_)
        | Dialectic::Requested(_)
        | Dialectic::Argued(_)
        | Dialectic::Resolved(_)
        | Dialectic::Judged(_)
        | Dialectic::Repeated(_) => return None,
    })
}
