//! The screen of a run: what is said as it is said, what is asked and used, and how it ends; with `--json` a line each.

use std::io::{BufRead, IsTerminal};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::Serialize;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::frame::RunBegun;
use super::person::WhoIsAsked;
use super::place::reopened;
use super::tree::{Depth, branch};
use crate::act::{Consent, ModelAnswer, RunEnd, Stop, Watch};
use crate::cli::line::{Line, Style};
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::cli::task::{dollars, parts, used};
use crate::domain::task::bus::{MessageKind, Party};
use crate::role::auditor::RoleCost;
use crate::role::delegate::{AgentJob, AgentProgram, AgentUsage};
use crate::role::ggs::{FinalResult, Terminal};
use crate::role::message::{ApprovalRequest, BusMessage};
use crate::role::run::{BusSaid, RoleQuestion, ToolJob, Undone};

/// What the threads of a run tell the one that prints.
pub(super) enum ScreenLine {
    /// A message is on the record.
    Said(u32, Box<BusSaid>, u64),
    /// A model is asked.
    Question(Party),
    /// A tool is used.
    Uses(ToolJob),
    /// An agent is at work.
    Delegates(AgentProgram),
    /// A new approach begins.
    Undone(Undone),
    /// It is no more, and says that it used up so much.
    AgentUsed(AgentUsage, u64),
    /// It answered.
    Answered(ModelAnswer),
    /// What the person should know.
    Warning(String),
    /// The person is asked.
    Asks(ApprovalRequest, Sender<Consent>),
}

/// Watches a run from its own threads.
pub(super) struct Channel(Mutex<Sender<ScreenLine>>);

impl Channel {
    pub(super) fn new(sends: Sender<ScreenLine>) -> Self {
        Self(Mutex::new(sends))
    }

    /// What an agent used up, and in how many milliseconds.
    pub(super) fn agent_used(&self, used: AgentUsage, ms: u64) {
        self.send(ScreenLine::AgentUsed(used, ms));
    }

    pub(super) fn warn(&self, words: &str) {
        self.send(ScreenLine::Warning(words.to_owned()));
    }

    fn send(&self, line: ScreenLine) {
        // Where nobody looks any more, the record has it all the same.
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).send(line);
    }
}

impl Watch for Channel {
    fn said(&self, n: u32, said: &BusSaid, alive_ms: u64) {
        self.send(ScreenLine::Said(n, Box::new(said.clone()), alive_ms));
    }

    fn asks(&self, question: &RoleQuestion) {
        self.send(ScreenLine::Question(question.role));
    }

    fn answered(&self, _: &RoleQuestion, answer: &ModelAnswer) {
        self.send(ScreenLine::Answered(ModelAnswer { text: String::new(), ..answer.clone() }));
    }

    fn uses(&self, job: &ToolJob) {
        self.send(ScreenLine::Uses(job.clone()));
    }

    fn delegates(&self, job: &AgentJob) {
        self.send(ScreenLine::Delegates(job.program));
    }

    fn undone(&self, undone: &Undone) {
        self.send(ScreenLine::Undone(undone.clone()));
    }
}

/// One message, as `--json` streams it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct StreamedMessage {
    n: u32,
    alive_ms: u64,
    from: Party,
    kind: MessageKind,
    to: Party,
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    message: BusMessage,
}

/// Prints what it is told.
pub(super) struct RunScreen {
    wants_json: bool,
    stop: Arc<Stop>,
    person: WhoIsAsked,
    /// All answers together.
    used: RoleCost,
    /// Money is counted in parts of this one.
    nano_usd: u64,
}

impl RunScreen {
    pub(super) fn of(shell: &Shell, stop: &Arc<Stop>, person: WhoIsAsked) -> Self {
        let (wants_json, stop) = (shell.wants_json(), Arc::clone(stop));
        Self { wants_json, stop, person, used: RoleCost::default(), nano_usd: 0 }
    }

    pub(super) fn show(&mut self, shell: &mut Shell, line: ScreenLine) -> anyhow::Result<()> {
        match line {
            ScreenLine::Asks(asked, answers) => {
                tell_of(shell, &asked)?;
                let question = "may all of this be done, once?";
                // A run that ended meanwhile waits for no answer.
                let _ = answers.send(word(shell, question, &self.person, &self.stop)?);
                Ok(())
            }
            ScreenLine::Warning(words) => Ok(shell.out.say(words)?),
            ScreenLine::Said(n, said, alive_ms) if self.wants_json => {
                let BusSaid { from, to, message } = *said;
                let kind = message.kind();
                Ok(shell.out.answer(&StreamedMessage { n, alive_ms, from, kind, to, message })?)
            }
            ScreenLine::Answered(answer) => {
                self.add(&answer);
                Ok(())
            }
            ScreenLine::AgentUsed(used, ms) => {
                let AgentUsage { tokens_in, tokens_out, micro_usd } = used;
                let nano_usd = micro_usd.saturating_mul(1_000);
                self.add(&ModelAnswer { tokens_in, tokens_out, nano_usd, ms, ..ModelAnswer::default() });
                Ok(())
            }
            ScreenLine::Question(_) | ScreenLine::Uses(_) | ScreenLine::Delegates(_) | ScreenLine::Undone(_)
                if self.wants_json =>
            {
                Ok(())
            }
            ScreenLine::Said(_, said, alive_ms) => said_line(shell, &said, alive_ms),
            ScreenLine::Question(role) => {
                tree_line(shell, Depth::of_question(role), None, &format!("… {role} is asked"))
            }
            ScreenLine::Delegates(agent) => tree_line(shell, Depth::Call, None, &format!("… {agent} is at work")),
            ScreenLine::Undone(undone) => tree_line(shell, Depth::Task, None, &put_back(&undone)),
            ScreenLine::Uses(job) => tree_line(shell, Depth::Call, None, &format!("· {}", used(&job.request))),
        }
    }

    fn add(&mut self, answer: &ModelAnswer) {
        let used = &mut self.used;
        used.calls += 1;
        used.prompt_tokens += answer.tokens_in;
        used.answer_tokens += answer.tokens_out;
        used.model_ms += answer.ms;
        self.nano_usd += answer.nano_usd;
        used.cost_micro_usd = self.nano_usd / 1_000;
    }

    /// What models took, at the end.
    pub(super) fn close(self, shell: &mut Shell) -> anyhow::Result<RoleCost> {
        let RoleCost { calls, prompt_tokens, answer_tokens, model_ms, cost_micro_usd } = self.used;
        if calls > 0 && !self.wants_json {
            let cost = if cost_micro_usd == 0 { String::new() } else { format!(", {}", dollars(cost_micro_usd)) };
            let seconds = model_ms / 1_000;
            let said =
                format!("calls {calls}, tokens read {prompt_tokens}, written {answer_tokens}, {seconds} s{cost}");
            shell.out.say(format_args!("models: {said}"))?;
        }
        Ok(self.used)
    }
}

/// What one yes is for: the call as a whole, and then all of it that cannot be undone, next to the question.
fn tell_of(shell: &mut Shell, asked: &ApprovalRequest) -> anyhow::Result<()> {
    let ApprovalRequest { request, why, .. } = asked;
    let command = request.input.get("command").and_then(serde_json::Value::as_str);
    let whole = command.map_or_else(|| request.input.to_string(), str::to_owned);
    shell.out.say(format_args!("{}, all of it:\n{whole}", request.tool))?;
    for line in why.lines() {
        shell.out.say(format_args!("cannot be undone: {line}"))?;
    }
    Ok(())
}

/// What became of the work of the rounds before.
fn put_back(undone: &Undone) -> String {
    match undone {
        Undone::All { files } if files.is_empty() => "↺ begins anew: nothing had changed".to_owned(),
        Undone::All { files } => format!("↺ begins anew, as it was before: {}", files.join(", ")),
        Undone::Not { why } => format!("↺ goes on with what is there: {why}"),
    }
}

fn said_line(shell: &mut Shell, said: &BusSaid, alive_ms: u64) -> anyhow::Result<()> {
    branch(said).map_or(Ok(()), |(depth, words)| tree_line(shell, depth, Some(alive_ms), &words))
}

fn tree_line(shell: &mut Shell, depth: Depth, alive_ms: Option<u64>, words: &str) -> anyhow::Result<()> {
    let time = alive_ms.map(|ms| format!("{} s", ms / 1_000)).unwrap_or_default();
    Ok(shell.out.line(format_args!("{time:>6} {}{words}", depth.indent()))?)
}

/// Where a run acts, and what of the project it does not have.
pub(super) fn begins(shell: &mut Shell, begun: &RunBegun) -> anyhow::Result<()> {
    for left in &begun.left_out {
        shell.out.say(format_args!("not in the clone: {}", left.words()))?;
    }
    if shell.wants_json() {
        shell.out.answer(begun)?;
    }
    Ok(())
}

/// How a run ended, and what can be done now.
pub(super) fn told(shell: &mut Shell, end: &RunEnd, go_on: &str) -> Done {
    match end {
        RunEnd::Paused { task, words, .. } => {
            shell.out.say(format_args!("task {task} stopped: {words}"))?;
            shell.out.say(format_args!("go on: {go_on}; end it: annals task abort {task}"))?;
            Ok(CommandOutcome::Refused)
        }
        RunEnd::Left { task } => {
            shell.out.say(format_args!("task {task} stopped here: another process ends it"))?;
            Ok(CommandOutcome::Refused)
        }
        RunEnd::Ended { task, result } => ended(shell, task, result),
    }
}

fn ended(shell: &mut Shell, task: &str, result: &FinalResult) -> Done {
    if !shell.wants_json() {
        shell.out.line("")?;
        shell.out.styled(&Line::of(Style::Bold, &result.rationale))?;
        shell.out.line(format_args!("loss {}", parts(&result.loss)))?;
        lines(shell, &result.summary)?;
    }
    // Only a project under git has branches.
    let has_branches = reopened(shell, task).is_ok_and(|workspace| workspace.is_clone());
    let then = if has_branches { "apply, keep or drop" } else { "apply or drop" };
    shell.out.say(format_args!("the changes: annals task diff {task}; then annals task {then} {task}"))?;
    Ok(match result.directive {
        Terminal::Accept | Terminal::Success => CommandOutcome::Done,
        Terminal::Abandon => CommandOutcome::Refused,
    })
}

/// A text of several lines: a line of the output is one.
pub(in crate::cli) fn lines(shell: &mut Shell, text: &str) -> std::io::Result<()> {
    text.lines().try_for_each(|line| shell.out.line(line))
}

/// Whether the person says yes.
pub(super) fn asks(shell: &mut Shell, question: &str, asked: &WhoIsAsked) -> anyhow::Result<bool> {
    Ok(word(shell, question, asked, &Stop::default())? == Consent::Yes)
}

/// Asks the person, where there is one, until a run is to stop: a pipe or an agent is a no, and so is what nobody waits for any
/// more. Whatever is no yes is a no with its reason.
fn word(shell: &mut Shell, question: &str, asked: &WhoIsAsked, stop: &Stop) -> anyhow::Result<Consent> {
    if let WhoIsAsked::Nobody { why } = asked {
        shell.out.say(format_args!("{question} {why}: no"))?;
        return Ok(Consent::No { reason: format!("the person was not asked: {why}") });
    }
    if !std::io::stdin().is_terminal() {
        shell.out.say(format_args!("{question} Nobody is there to say yes: no"))?;
        return Ok(Consent::nobody());
    }
    shell.out.say(format_args!("{question} [y/N, or why not]"))?;
    while !has_answer()? {
        if stop.is_wanted() {
            return Ok(Consent::nobody());
        }
    }
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(consent(answer.trim()))
}

fn consent(answer: &str) -> Consent {
    let reason = match answer.to_lowercase().as_str() {
        "y" | "yes" => return Consent::Yes,
        "n" | "no" => "",
        _ => answer,
    };
    Consent::No { reason: reason.to_owned() }
}

/// How long is waited for an answer before the next look whether it is still wanted.
const ANSWER: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Whether the terminal has a line. A signal ends the wait, too.
fn has_answer() -> anyhow::Result<bool> {
    let stdin = std::io::stdin();
    match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&ANSWER)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Ctrl-C pauses: what is on the record stays. A second one ends the program at once.
pub(in crate::cli) fn stops_at_a_signal(stop: &Arc<Stop>) -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let stop = Arc::clone(stop);
    std::thread::spawn(move || {
        let mut signals = signals.forever();
        if signals.next().is_some() {
            stop.stop();
        }
        if let Some(again) = signals.next() {
            // What a kill leaves is gone on from; where even that fails, there is nothing else to try.
            let _ = emulate_default_handler(again);
        }
    });
    Ok(())
}
