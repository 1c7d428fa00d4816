//! `annals debate`: the question before each attempt, what failed, and two sides that argue (docs/DIALECTIC.md).

mod count;
mod gate;
mod list;
mod report;
mod request;
mod show;
mod speak;

use anyhow::anyhow;

use super::named::DEBATE;
use super::shell::{Done, Shell, Usage, clean};
use crate::domain::dialectic::csp::{Message, parse};
use crate::engine::Engine;
use crate::kernel::id::{EntryId, SessionId};

/// Commands about debates and failures.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Ask before an attempt: go (exit code 0), debate (10), escalate (11), or say whether it is the same task (12)
    Gate(gate::Arguments),
    /// Begin a debate about a plan, or about what failed
    Request(request::Arguments),
    /// Speak for it: CLAIM and CONFIDENCE, after a failure DIAGNOSIS and FIX
    Advocate(speak::AdvocateArguments),
    /// Speak against it: OBJECTION and SEVERITY, after a failure PATTERN and whether to escalate
    Critic(speak::CriticArguments),
    /// Say what a debate comes to: the rules do, from what both sides said
    Resolve(speak::ResolveArguments),
    /// Say what became of what was resolved
    Outcome(speak::OutcomeArguments),
    /// Record an attempt that failed
    Fail(count::FailArguments),
    /// Record that a task succeeded: its failures count no more
    Succeed(count::SucceedArguments),
    /// Let failures count no more, and call off a debate about them
    Reset(count::ResetArguments),
    /// Say that a task is the same as an earlier one, or is not
    Same(count::SameArguments),
    /// Switch debates off for a session
    Disable(count::SwitchArguments),
    /// Switch debates on again for a session
    Enable(count::SwitchArguments),
    /// List tasks that failed, or the attempts at one
    Failures(list::FailuresArguments),
    /// List debates, the latest first
    List(list::Arguments),
    /// Show a debate: what was said, and what it came to
    Show(show::Arguments),
    /// Count what debates were worth
    Report(report::Arguments),
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Gate(arguments) => gate::run(shell, &arguments),
        Command::Request(arguments) => request::run(shell, arguments),
        Command::Advocate(arguments) => speak::advocate(shell, &arguments),
        Command::Critic(arguments) => speak::critic(shell, &arguments),
        Command::Resolve(arguments) => speak::resolve(shell, &arguments),
        Command::Outcome(arguments) => speak::outcome(shell, &arguments),
        Command::Fail(arguments) => count::fail(shell, &arguments),
        Command::Succeed(arguments) => count::succeed(shell, &arguments),
        Command::Reset(arguments) => count::reset(shell, &arguments),
        Command::Same(arguments) => count::same(shell, &arguments),
        Command::Disable(arguments) => count::disable(shell, &arguments),
        Command::Enable(arguments) => count::enable(shell, &arguments),
        Command::Failures(arguments) => list::failures(shell, &arguments),
        Command::List(arguments) => list::run(shell, &arguments),
        Command::Show(arguments) => show::run(shell, &arguments),
        Command::Report(arguments) => report::run(shell, &arguments),
    }
}

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

/// A debate by its id or either end of it. The room says where there is none, and records nothing.
fn find(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<Box<str>> {
    Ok(shell.find(engine, &DEBATE, text)?.unwrap_or_else(|| clean(engine, text).into()))
}
