//! What recorded sessions say: prompts give a task, failed calls count for it, a success of what failed puts it right.
//!
//! Only the count of a call's error in its session counts for the task: that one call failed is how agents look around.
//! A task of a session has *succeeded* when everything that failed in it has worked there since: the same tool, about the
//! same thing. A new prompt is another task, and says nothing about the one before. Nothing is parsed of calls that
//! succeed where nothing has failed.

use serde::Deserialize;
use serde_json::Value;

use super::command::Ending;
use super::fingerprint;
use super::identity::{canonical, id_of};
use super::phrases::{goes_on, reset_by};
use super::row::{Open, Trail, summary};
use super::state::State;
use super::task::{Attempt, Task};
use crate::kernel::actor::USER;
use crate::kernel::call::{Call, CallKind};
use crate::kernel::envelope::{Ending as CallEnding, Envelope, Step};
use crate::kernel::id::{NO_SESSION, SessionId};
use crate::kernel::settings::Settings;

/// The input of a prompt or message, as far as it is read here.
#[derive(Deserialize)]
struct Text {
    #[serde(alias = "content", alias = "prompt")]
    text: Option<String>,
}

/// The input of `session_start`, as far as it is read here.
#[derive(Deserialize)]
struct Start {
    parent_session: Option<SessionId>,
}

impl State {
    /// Takes in one entry, whoever wrote it.
    pub fn observe(&mut self, entry: &Envelope<'_>, settings: &Settings) {
        match entry.step() {
            Step::ToolCall => match entry.ending() {
                CallEnding::Failed => self.call_failed(entry),
                CallEnding::Succeeded => self.call_succeeded(entry),
            },
            Step::UserInput if entry.name() == "prompt" => self.prompted(entry, settings),
            Step::AgentMessage if entry.name() == "message" => self.told(entry),
            Step::SystemEvent if entry.name() == "session_start" => self.begun_below(entry),
            Step::UserInput | Step::AgentMessage | Step::SystemEvent | Step::CognitiveState | Step::Other => {}
        }
    }

    fn prompted(&mut self, entry: &Envelope<'_>, settings: &Settings) {
        if entry.session() == NO_SESSION {
            return;
        }
        let Some(text) = entry.input::<Text>().and_then(|input| input.text) else { return };
        let session = entry.session();
        let current = self.trails.get(session.as_ref()).map(|trail| trail.task.clone()).unwrap_or_default();
        let is_persons = entry.agent().is_none_or(|agent| agent == USER);
        let is_reset = is_persons && !current.is_empty() && self.is_reset(&current, &text, settings);
        if current.is_empty() || !is_reset && !goes_on(&text) {
            self.given(&session, &text);
        }
    }

    /// A person's words end the count of what the session is at. Only looked for where something counts.
    fn is_reset(&mut self, current: &str, text: &str, settings: &Settings) -> bool {
        let task = self.root(current);
        let counts = self.tasks.get(&*task).is_some_and(|task| task.failures() > 0 || task.escalated.is_some());
        if !counts || reset_by(text, settings).is_none() {
            return false;
        }
        self.cleared(&task);
        true
    }

    fn given(&mut self, session: &str, text: &str) {
        let canonical = canonical(text);
        if canonical.is_empty() {
            return;
        }
        let trail = self.trails.entry(session, Trail::default);
        (trail.task, trail.awaits) = (id_of(&canonical), false);
        (trail.summary, trail.canonical) = (summary(text), summary(&canonical));
    }

    /// A session that another one began: a sub-agent, whose task is the first message.
    fn begun_below(&mut self, entry: &Envelope<'_>) {
        let parent = entry.input::<Start>().and_then(|start| start.parent_session);
        if parent.is_some() {
            self.trails.entry(entry.session().as_ref(), || Trail { awaits: true, ..Trail::default() });
        }
    }

    fn told(&mut self, entry: &Envelope<'_>) {
        let session = entry.session();
        if !self.trails.get(session.as_ref()).is_some_and(|trail| trail.awaits) {
            return;
        }
        if let Some(text) = entry.input::<Text>().and_then(|input| input.text) {
            self.given(&session, &text);
        }
    }

    fn call_failed(&mut self, entry: &Envelope<'_>) {
        let session = entry.session();
        let Some(trail) = self.trails.get(session.as_ref()).filter(|trail| !trail.task.is_empty()) else { return };
        let error = entry.error().unwrap_or_default();
        let Some(call) = Call::in_envelope(entry).filter(|call| is_attempt(call, &error)) else { return };
        let error = told_by(entry, &error);
        if is_a_no(&call, &error) {
            return;
        }
        let approach = approach(&call);
        let (id, summary_of, canonical) = (trail.task.clone(), trail.summary.clone(), trail.canonical.clone());
        self.totals.calls += 1;
        let trail = self.trails.entry(session.as_ref(), Trail::default);
        trail.failed = trail.failed.saturating_add(1);
        trail.failed_at = trail.failed_at.max(Some(entry.at()));
        let root = self.root(&id);
        let open = Open { task: root.clone(), tool: entry.name().as_ref().into(), approach: approach.clone() };
        self.trails.entry(session.as_ref(), Trail::default).failing(open);
        let attempt = Attempt {
            attempt: 0,
            at: entry.at(),
            error: summary(&error),
            fingerprint: print(&error, &approach),
            approach: Some(approach),
            session: None,
            entry: entry.id(),
        };
        let task = self.tasks.entry(&*root, || Task { summary: summary_of, canonical, ..Task::default() });
        let took = i64::try_from(entry.duration_ms().unwrap_or(0)).unwrap_or(i64::MAX);
        task.call_failed(attempt, &SessionId::from(session.as_ref()), entry.at().plus_millis(took.saturating_neg()));
    }

    fn call_succeeded(&mut self, entry: &Envelope<'_>) {
        let session = entry.session();
        let Some(trail) = self.trails.get(session.as_ref()) else { return };
        let name = entry.name();
        if !trail.open.iter().any(|open| *open.tool == *name) {
            return;
        }
        let Some(call) = Call::in_envelope(entry) else { return };
        let approach = approach(&call);
        let tasks: Vec<_> =
            trail.open.iter().filter(|open| open.approach == approach).map(|open| open.task.clone()).collect();
        if tasks.is_empty() {
            return;
        }
        if let Some(trail) = self.trails.get_mut(session.as_ref()) {
            trail.open.retain(|open| open.approach != approach);
        }
        for task in tasks {
            self.worked(&task, &session, &approach);
        }
    }

    fn worked(&mut self, task: &str, session: &str, approach: &str) {
        let only = |task: &Task| task.declared == 0 && task.runs.iter().all(|run| *run.approach == *approach);
        if self.tasks.get(task).is_some_and(only) {
            self.ended(task, Ending::Success);
        }
        if let Some(task) = self.tasks.get_mut(task) {
            task.call_succeeded(session, approach);
        }
    }
}

/// Calls that were stopped, that only wait, or that asked Annals itself are no attempts.
fn is_attempt(call: &Call<'_>, error: &str) -> bool {
    const STOPPED: [&str; 3] = ["interrupted", "[Request interrupted", "Sibling tool call errored"];
    let is_own = call.tool == "annals" || call.tool.starts_with("annals ");
    !STOPPED.iter().any(|stopped| error.starts_with(stopped)) && call.kind != CallKind::Wait && !is_own
}

/// An error that says no more than a code is told by its output, or by a later line of its own.
fn told_by(entry: &Envelope<'_>, error: &str) -> String {
    let (first, rest) = error.split_once('\n').unwrap_or((error, ""));
    if !fingerprint::is_bare(&fingerprint::of(first)) {
        return error.to_owned();
    }
    let output = if rest.trim().is_empty() { output_of(entry) } else { rest.to_owned() };
    match fingerprint::telling_line(&output) {
        Some(line) => format!("{first}: {line}"),
        None if rest.contains(char::is_alphabetic) => error.to_owned(),
        None => first.to_owned(),
    }
}

/// The words of an output, whatever its shape.
fn output_of(entry: &Envelope<'_>) -> String {
    const NAMES: [&str; 5] = ["stderr", "output", "stdout", "content", "text"];
    match entry.output::<Value>() {
        Some(Value::String(text)) => text,
        Some(Value::Object(members)) => {
            let texts: Vec<&str> = NAMES.iter().filter_map(|name| members.get(*name)?.as_str()).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

/// Exit code 1 without a word is how these say no.
fn is_a_no(call: &Call<'_>, error: &str) -> bool {
    const ASKING: [&str; 8] = ["git config", "git diff", "diff", "cmp", "pgrep", "which", "test", "["];
    let asks = call.kind == CallKind::Search || ASKING.contains(&call.tool.as_ref());
    asks && matches!(&*fingerprint::of(error), "exit code 1" | "")
}

/// With which tool, about which file; of a tool that reads and writes, which of both.
fn approach(call: &Call<'_>) -> Box<str> {
    let Some(file) = &call.file else { return summary(&call.tool) };
    let kind = call.kind.as_str();
    let is_told = call.tool.to_lowercase().contains(kind) || !matches!(call.kind, CallKind::Read | CallKind::Edit);
    if is_told { summary(&format!("{} {file}", call.tool)) } else { summary(&format!("{} ({kind}) {file}", call.tool)) }
}

/// Where an error says nothing of its own, what failed is part of it.
fn print(error: &str, approach: &str) -> Box<str> {
    let print = fingerprint::of(error);
    if fingerprint::is_bare(&print) { summary(format!("{print} {approach}").trim()) } else { print }
}
