//! `annals debate gate`: the question before each attempt. Answers and records nothing.

use serde::Serialize;

use crate::cli::shell::{CommandOutcome, Done, Shell, Usage, clean, text_of};
use crate::domain::dialectic::command::{DebateKind, Facts};
use crate::domain::dialectic::event::EscalationReason;
use crate::domain::dialectic::gate::{GateAnswer, GateVerdict, Question, Similar};
use crate::domain::dialectic::identity::is_id;
use crate::domain::dialectic::stakes::{Bypass, RequestVoice};
use crate::kernel::actor::Standing;
use crate::kernel::counted::counted;
use crate::kernel::id::SessionId;

/// Exit codes, beside 0 to go on: no other outcome of the program has them.
pub(in crate::cli) const DEBATE: u8 = 10;
pub(in crate::cli) const ESCALATE: u8 = 11;
pub(in crate::cli) const ASK: u8 = 12;

/// Arguments of `annals debate gate`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The task [default: the last one of the session]
    task: Option<String>,
    /// How, where that is more than the task says
    #[arg(long)]
    plan: Option<String>,
    #[command(flatten)]
    pub facts: FactArguments,
    /// The session in which it is attempted [default: `$ANNALS_SESSION`]
    #[arg(long, allow_negative_numbers = true)]
    session: Option<String>,
}

/// What the router is told beside the text.
#[derive(Debug, clap::Args)]
pub(crate) struct FactArguments {
    /// The number of files that would be touched
    #[arg(long, allow_negative_numbers = true)]
    files: Option<u32>,
    /// Nothing would be changed: for the user to say
    #[arg(long)]
    read_only: bool,
    /// The user wants no debate: for the user to say
    #[arg(long)]
    just_do_it: bool,
}

impl FactArguments {
    pub(crate) fn facts(&self) -> Facts {
        Facts { files: self.files, read_only: self.read_only, just_do_it: self.just_do_it }
    }
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct AskedGate<'g> {
    #[serde(flatten)]
    gate: &'g GateAnswer,
    exit_code: u8,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let session = super::session(shell, &engine, arguments.session.as_deref())?;
    let task = arguments.task.as_deref().map(text_of).transpose()?;
    let (facts, at) = (arguments.facts.facts(), shell.now(&engine)?);
    let actor = shell.actor();
    let is_user = shell.ask(&engine, |world| world.rooms.roster.standing(&actor) == Standing::User)?;
    let voice = match (is_user, &task) {
        (true, _) => RequestVoice::User,
        (false, None) => RequestVoice::Prompt,
        (false, Some(_)) => RequestVoice::Agent,
    };
    let is_off = is_user && shell.environment.is_debate_off;
    let gate = shell.ask(&engine, |world| {
        let dialectic = &world.rooms.dialectic;
        let named = match &task {
            Some(task) => dialectic.named(task),
            None => session.as_ref().and_then(|session| dialectic.asked_in(session)),
        };
        Some(dialectic.gate(&Question {
            task: &named?,
            plan: arguments.plan.as_deref(),
            facts: &facts,
            voice,
            is_off: is_off || session.as_ref().is_some_and(|session| dialectic.is_off(session)),
            at,
            settings: engine.settings(),
        }))
    })?;
    let gate = gate.ok_or_else(|| no_task(task.as_deref(), session.as_ref()))?;
    let code = code(gate.verdict);
    if shell.wants_json() {
        shell.out.answer(&AskedGate { gate: &gate, exit_code: code })?;
    } else {
        for line in lines(&gate) {
            shell.out.line(clean(&engine, &line))?;
        }
    }
    Ok(if code == 0 { CommandOutcome::Done } else { CommandOutcome::Exit(code) })
}

/// Why there is nothing to ask about.
fn no_task(task: Option<&str>, session: Option<&SessionId>) -> Usage {
    Usage(match (task, session) {
        (Some(task), _) if is_id(task) => format!("nothing is known of a task {}; name it by its text", task.trim()),
        (Some(_), _) => "a task has at least one word".to_owned(),
        (None, Some(session)) => format!("nothing was asked for in session {session}"),
        (None, None) => "name a task or a session".to_owned(),
    })
}

fn code(verdict: GateVerdict) -> u8 {
    match verdict {
        GateVerdict::Go => 0,
        GateVerdict::Debate => DEBATE,
        GateVerdict::Escalate => ESCALATE,
        GateVerdict::Ask => ASK,
    }
}

/// The answer, why, and what is known of the attempts before.
fn lines(gate: &GateAnswer) -> Vec<String> {
    let mut lines = vec![format!("{}: {}", gate.verdict, reason(gate)), format!("task {}", gate.task)];
    if gate.stale {
        let at = gate.failed_at.map(|at| at.to_string()).unwrap_or_default();
        lines.push(format!("stale: the last failure was at {at}; it counts until it is reset"));
    }
    lines.extend(gate.attempts.iter().filter(|_| gate.failures > 0).map(|attempt| {
        let approach = attempt.approach.as_deref().map(|approach| format!("{approach}: ")).unwrap_or_default();
        format!("attempt {}, {}: {approach}{}", attempt.attempt, attempt.at, attempt.error)
    }));
    lines
}

fn reason(gate: &GateAnswer) -> String {
    let failures = counted(gate.failures.into(), "failure");
    match gate.verdict {
        GateVerdict::Escalate => match gate.why {
            Some(EscalationReason::DebateUsed) => format!("{failures} in a row, and the debate about them is used up"),
            Some(EscalationReason::Resolution) => "a debate came to that".to_owned(),
            Some(EscalationReason::Count) | None => format!("{failures} in a row"),
        },
        GateVerdict::Ask => ask(gate),
        GateVerdict::Debate => due(gate, &failures),
        GateVerdict::Go => go(gate, &failures),
    }
}

fn ask(gate: &GateAnswer) -> String {
    const SHORT: usize = 200;
    let Some(Similar { task, summary, failures }) = &gate.similar else { return String::new() };
    let failures = counted(u64::from(*failures), "failure");
    // The beginning of a long prompt is not the task.
    let is_whole = !gate.canonical.ends_with('…') && gate.canonical.chars().nth(SHORT).is_none();
    let text = if is_whole { format!("\"{}\"", gate.canonical) } else { "TASK".to_owned() };
    let command = format!("`annals debate same {text} {task}`");
    format!("is it the same task as \"{summary}\", with {failures}? {command} says so; --different, that it is not")
}

fn due(gate: &GateAnswer, failures: &str) -> String {
    match (&gate.open, gate.debate) {
        (Some(open), _) => format!("debate {open} goes on"),
        (None, Some(DebateKind::Failure)) => {
            format!("{failures} in a row; `annals debate request --failure` begins one")
        }
        (None, _) => format!(
            "{} stakes ({}), and the plan was not debated; `annals debate request` begins one",
            gate.stakes, gate.category
        ),
    }
}

fn go(gate: &GateAnswer, failures: &str) -> String {
    if let Some(left) = gate.attempts_left {
        return format!("{} left after the debate", counted(left.into(), "attempt"));
    }
    let why = match gate.bypass {
        Some(Bypass::ReadOnly) => "nothing is changed",
        Some(Bypass::LowStakes) => "little is at stake",
        Some(Bypass::JustDoIt) => "the user wants no debate",
        Some(Bypass::Debated) => "the plan was debated",
        Some(Bypass::Disabled) => "debates are off",
        None => "nothing speaks against it",
    };
    if gate.failures == 0 { why.to_owned() } else { format!("{why}; {failures} in a row") }
}
