//! `annals debate`: the question before each attempt, what failed, and two sides that argue (docs/DIALECTIC.md).

mod by_model;
mod count;
pub(super) mod gate;
pub(super) mod list;
pub(super) mod report;
mod request;
pub(super) mod show;
mod speak;

use anyhow::anyhow;

use super::named::DEBATE;
use super::registry::{CommandRow, rows};
use super::shell::{Shell, Usage, clean};
use crate::domain::dialectic::csp::{Message, parse};
use crate::engine::Engine;
use crate::kernel::id::{EntryId, SessionId};

/// Commands about debates and failures.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Ask before an attempt: go (exit code 0), debate (10), escalate (11), or say whether it is the same task (12)
    "gate" => Runs(&With(gate::run)),
    /// Begin a debate about a plan, or about what failed
    "request" => Runs(&With(request::run)),
    /// Speak for it: CLAIM and CONFIDENCE, after a failure DIAGNOSIS and FIX; or let a model
    "advocate" => Runs(&With(speak::advocate)),
    /// Speak against it: OBJECTION and SEVERITY, after a failure PATTERN and whether to escalate; or let a model
    "critic" => Runs(&With(speak::critic)),
    /// Say what a debate comes to: the rules do, from what both sides said
    "resolve" => Runs(&With(speak::resolve)),
    /// Say what became of what was resolved
    "outcome" => decides("dialectic.debate.judge", "debate@ outcome --helped", speak::outcome),
    /// Record an attempt that failed
    "fail" => decides("dialectic.attempt.fail", "task error- --approach", count::fail),
    /// Record that a task succeeded: its failures count no more
    "succeed" => decides("dialectic.attempt.succeed", "task", count::decide),
    /// Let failures count no more, and call off a debate about them
    "reset" => decides("dialectic.task.reset", "task --reason", count::decide),
    /// Say that a task is the same as an earlier one, or is not
    "same" => decides("dialectic.task.relate", "task other --different=same/different:relation", count::decide),
    /// Switch debates off for a session
    "disable" => decides("dialectic.session.switch", "--session@here .debates=off", count::decide),
    /// Switch debates on again for a session
    "enable" => decides("dialectic.session.switch", "--session@here .debates=on", count::decide),
    /// Let a command run that was held because it is hard to undo: once, or as often as it comes in its session
    "approve" => decides("dialectic.command.approve", "command --session=once/session:span", count::decide),
    /// List tasks that failed, or the attempts at one
    "failures" => Runs(&With(list::failures)),
    /// List debates, the latest first
    "list" => Runs(&With(list::run)),
    /// Show a debate: what was said, and what it came to
    "show" => Runs(&With(show::run)),
    /// Count what debates were worth
    "report" => Runs(&With(report::run)),
};

/// A message of CSP/1, as an argument or on stdin.
fn message(text: &str) -> anyhow::Result<Message> {
    let text = super::shell::text_of(text)?;
    parse(&text).map_err(|error| anyhow!(Usage(error.to_string())))
}

/// A session that an option names, else the one of the environment; a whole id is taken as it is.
fn session(shell: &Shell, engine: &Engine, given: Option<&str>) -> anyhow::Result<Option<SessionId>> {
    match (given, shell.environment.session.as_deref()) {
        (None, None) => Ok(None),
        (None, Some(id)) => Ok(Some(SessionId::from(id))),
        (Some(id), _) if EntryId::parse(id.as_bytes()).is_some() => Ok(Some(SessionId::from(id))),
        (Some(text), _) => shell.find_session(engine, text).map(Some),
    }
}

/// The same, where one is needed.
pub(super) fn here(shell: &Shell, engine: &Engine, given: Option<&str>) -> anyhow::Result<SessionId> {
    let wrong = || anyhow!(Usage("name a session with --session, or set ANNALS_SESSION".to_owned()));
    session(shell, engine, given)?.ok_or_else(wrong)
}

/// A debate by its id or either end of it. The room says where there is none, and records nothing.
pub(super) fn find(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<Box<str>> {
    Ok(shell.find(engine, &DEBATE, text)?.unwrap_or_else(|| clean(engine, text).into()))
}
