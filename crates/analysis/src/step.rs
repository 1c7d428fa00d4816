//! A session as analysis sees it: who did what, in order, with the id of every entry.
//!
//! What only looks like a step of it is taken back in `settle`. Does not read the history: its caller brings the entries
//! in reading order, large values in place.

use serde_json::Value;

use super::check::{self, Check};
use super::edit::{self, Edit};
use super::settle::settle;
use super::text;
use annals_kernel::actor::SYSTEM;
use annals_kernel::call::{self, Action, CallKind};
use annals_kernel::entry::{HistoryEntry, Operation};
use annals_kernel::id::EntryId;
use annals_kernel::json::{Json, texts};
use annals_kernel::record::{Event, Input, Kind, Speech};
use annals_kernel::time::Timestamp;

/// What of an output is looked at: its first and its last bytes, so many of each.
const OUTPUT_BYTES: usize = 32 << 10;

/// One step of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its entry.
    pub id: EntryId,
    /// When; a call, when it ended.
    pub at: Timestamp,
    /// Who; empty where nobody said so.
    pub agent: Box<str>,
    /// What.
    pub what: What,
}

/// What happened in a step.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// A person, or an agent above, asked for something.
    Asked(String),
    /// A person gave a command to the tool, as `/add a.rs`, or ran one beside it, as `!ls`.
    Typed(String),
    /// An agent said something.
    Said(String),
    /// An agent thought something.
    Thought(String),
    /// A call that ended.
    Called(Box<Call>),
    /// Somebody said no, or stop.
    Stopped(Stop),
    /// The model's service failed.
    Failed,
    /// A session below this one began.
    Began(Began),
    /// Anything else.
    Noted,
}

/// A finished call.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The tool.
    pub tool: Box<str>,
    /// The program that it ran, and its verb; of a tool that runs none, its name.
    pub program: Box<str>,
    /// What it did.
    pub kind: CallKind,
    /// What it can show.
    pub check: Option<Check>,
    /// The same for the same tool with the same arguments.
    pub action: Action,
    /// What it was about, in short.
    pub target: Box<str>,
    /// What was tried: the name of a file, the program of a shell and its verb; the same when it is tried again otherwise.
    pub tried: Box<str>,
    /// The command of a shell.
    pub command: Option<String>,
    /// What came out, as text; of a long one the beginning and the end.
    pub output: String,
    /// What a person answered, where it asked one: not what it asked.
    pub answer: Option<String>,
    /// Why it failed; `None` where it did not.
    pub error: Option<String>,
    /// When it was asked for, at the latest.
    pub asked_at: Timestamp,
    /// The files that it names.
    pub files: Vec<Box<str>>,
    /// What it changed, as far as its arguments say.
    pub edits: Vec<Edit>,
}

/// How somebody said no, or stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// A person stopped the agent.
    Interrupted,
    /// A person said no to a call.
    Rejected {
        /// What it was of.
        call: RefusedCall,
        /// What the person said.
        reason: String,
    },
    /// A rule said no to a call.
    Denied {
        /// What it was of.
        call: RefusedCall,
    },
}

/// What a call was of that nobody ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedCall {
    /// The tool; of a shell, the program and its verb.
    pub tool: Box<str>,
    /// What it was about.
    pub target: Box<str>,
    /// The file that it names.
    pub file: Option<Box<str>>,
}

/// A session that began below this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Began {
    /// Its id.
    pub session: Box<str>,
    /// Its kind of agent, where it says so.
    pub agent_type: Option<Box<str>>,
}

/// A session, and those below it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    /// The session's id.
    pub session: Box<str>,
    /// Its steps.
    pub steps: Vec<Step>,
    /// The sessions below it, their steps and their own children.
    pub children: Vec<Record>,
}

impl Record {
    /// The steps of a session: entries of another one are those that begin it below this one. What Annals wrote of the
    /// session itself, decisions and measurements, is no part of it.
    pub fn of(session: &str, entries: &[HistoryEntry], children: Vec<Self>) -> Self {
        let entries: Vec<_> = entries.iter().filter(|entry| !is_of_annals(entry)).collect();
        let steps = entries.iter().map(|entry| Step::of(session, entry)).collect();
        Self { session: session.into(), steps: settle(steps, &entries), children }
    }

    /// Whether a person asked for anything in it: of a sub-agent's session, and of a record that lost its prompts, nobody can
    /// say what was not asked for.
    pub(crate) fn has_person(&self) -> bool {
        self.steps.iter().any(|step| step.prompt().is_some())
    }

    /// Whether something went before: an agent speaks or acts before anybody asked it to, or the first prompt hands on what
    /// an earlier session had. What was looked at or run then is not in the record.
    pub(crate) fn begins_in_the_middle(&self) -> bool {
        let is_heard = |step: &&Step| match &step.what {
            What::Asked(_) | What::Said(_) | What::Thought(_) | What::Called(_) => true,
            What::Typed(_) | What::Stopped(_) | What::Failed | What::Began(_) | What::Noted => false,
        };
        let first = self.steps.iter().find(is_heard);
        first.is_some_and(|step| match &step.what {
            What::Asked(text) => goes_on(text),
            What::Said(_) | What::Thought(_) | What::Called(_) => !step.is_of_person(),
            What::Typed(_) | What::Stopped(_) | What::Failed | What::Began(_) | What::Noted => false,
        })
    }

    /// This session and all below it.
    pub fn all(&self) -> Vec<&Self> {
        let mut all = vec![self];
        let mut next = 0;
        while let Some(record) = all.get(next) {
            all.extend(&record.children);
            next += 1;
        }
        all
    }
}

/// Whether a prompt hands on what went before: programs that go on with a session whose window was full say so, and a plan
/// that is taken up with an empty window was made after reading.
fn goes_on(prompt: &str) -> bool {
    const SAYS_SO: [&str; 4] = [
        "session is being continued from a previous",
        "continued from a previous conversation",
        "Implement the following plan:",
        "conversation is summarized below",
    ];
    let head = text::head(prompt.trim_start(), 400);
    SAYS_SO.iter().any(|words| head.contains(words))
}

/// A decision, or what Annals measured.
fn is_of_annals(entry: &HistoryEntry) -> bool {
    let is_of_system = entry.provenance.agent_id.as_ref().is_some_and(|agent| agent.as_str() == SYSTEM);
    entry.annals.is_decision() || is_of_system && entry.record() == Kind::State
}

impl Step {
    fn of(session: &str, entry: &HistoryEntry) -> Self {
        let agent = entry.provenance.agent_id.as_ref().map(|agent| agent.as_str().into()).unwrap_or_default();
        let what = if entry.session_id.as_str() == session { what(entry) } else { What::Began(began(entry)) };
        Self { id: entry.id, at: entry.timestamp, agent, what }
    }

    /// Whether a person did it.
    pub(crate) fn is_of_person(&self) -> bool {
        matches!(&*self.agent, "user" | "")
    }

    /// Whether the rules did it, or the program.
    pub(crate) fn is_of_system(&self) -> bool {
        matches!(&*self.agent, "system" | "rules")
    }

    /// The call, if it is one.
    pub fn call(&self) -> Option<&Call> {
        if let What::Called(call) = &self.what { Some(call) } else { None }
    }

    /// What a person asked.
    pub fn prompt(&self) -> Option<&str> {
        if let What::Asked(text) = &self.what { Some(text.as_str()).filter(|_| self.is_of_person()) } else { None }
    }

    /// What an agent said.
    pub fn said(&self) -> Option<&str> {
        if let What::Said(text) = &self.what { Some(text) } else { None }
    }

    /// How somebody said no or stop, where somebody did.
    pub(crate) fn stopped(&self) -> Option<&Stop> {
        if let What::Stopped(stop) = &self.what { Some(stop) } else { None }
    }

    /// Whether a person ran something by hand; most commands to a tool only set it up.
    pub(crate) fn is_run_by_hand(&self) -> bool {
        const RUNS: [&str; 5] = ["/run", "/test", "/git", "/lint", "/bash"];
        let What::Typed(text) = &self.what else { return false };
        let first = text.split_whitespace().next().unwrap_or_default();
        self.is_of_person() && (text.starts_with('!') || RUNS.contains(&first))
    }
}

impl Call {
    /// Whether it did what it was asked.
    pub fn is_ok(&self) -> bool {
        self.error.is_none()
    }

    /// Whether it failed by itself: not because somebody stopped it, or another call beside it failed; and a search that
    /// finds nothing has not failed.
    pub fn is_trouble(&self) -> bool {
        let Some(error) = self.error.as_deref() else { return false };
        !call::is_empty_search(self.kind, self.command.as_deref(), error, &self.output) && !call::was_stopped(error)
    }

    /// Whether it says how it goes, as the live mind counts: not where it only waits, or was stopped.
    pub fn counts(&self) -> bool {
        self.kind != CallKind::Wait && !self.error.as_deref().is_some_and(call::was_stopped)
    }

    /// The files that an edit changed, by its text or, where that is not recorded, by its name.
    pub fn changed(&self) -> impl Iterator<Item = &str> {
        let by_name = self.files.iter().map(|file| &**file).filter(|_| self.edits.is_empty());
        let files = self.edits.iter().map(|edit| edit.file.as_str()).chain(by_name);
        files.filter(|_| self.kind == CallKind::Edit)
    }
}

fn began(entry: &HistoryEntry) -> Began {
    let input = entry.operation.input.value();
    let agent_type = input.get("agent_type").and_then(Value::as_str).map(Into::into);
    Began { session: entry.session_id.as_str().into(), agent_type }
}

fn what(entry: &HistoryEntry) -> What {
    let operation = &entry.operation;
    let words = || words(&operation.input.value()).unwrap_or_default();
    let said = || words_or_output(operation);
    match entry.record() {
        Kind::Call => What::Called(Box::new(called(entry))),
        Kind::Speech(Speech::Thinking) => What::Thought(words()),
        Kind::Speech(Speech::Task) | Kind::Input(Input::Prompt | Input::Queued) => What::Asked(words()),
        Kind::Speech(_) => What::Said(said()),
        Kind::Input(Input::Interrupt) => What::Stopped(Stop::Interrupted),
        Kind::Input(Input::Rejection) => {
            let input = operation.input.value();
            let reason = input.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned();
            What::Stopped(Stop::Rejected { call: refused(&input), reason })
        }
        Kind::Event(Event::Denial) => What::Stopped(Stop::Denied { call: refused(&operation.input.value()) }),
        Kind::Input(input) => What::Typed(typed(input, &operation.input.value())),
        Kind::Event(_) if !operation.success => What::Failed,
        Kind::Event(_) | Kind::State | Kind::Other => What::Noted,
    }
}

/// A command with its arguments; `!` before one that a shell ran.
fn typed(kind: Input, input: &Value) -> String {
    let command = words(input).unwrap_or_default();
    let arguments = input.get("args").and_then(Value::as_str).unwrap_or_default();
    let mark = if kind == Input::Shell { "!" } else { "" };
    format!("{mark}{command} {arguments}").trim_end().to_owned()
}

fn words(input: &Value) -> Option<String> {
    let found = ["text", "command", "content", "prompt", "message"].iter().find_map(|key| input.get(key)?.as_str());
    found.map(str::to_owned)
}

/// What an agent said: programs that have no words of their own for it put it where results stand.
fn words_or_output(operation: &Operation) -> String {
    let output = || operation.output.as_ref()?.value().as_str().map(str::to_owned);
    words(&operation.input.value()).or_else(output).unwrap_or_default()
}

fn refused(input: &Value) -> RefusedCall {
    let tool = input.get("tool").and_then(Value::as_str).unwrap_or_default();
    let arguments = input.get("input").map(Value::to_string).unwrap_or_default();
    let judged = call::Call::of(tool, &arguments, None);
    let file = judged.file.as_deref().map(Into::into);
    RefusedCall { tool: judged.tool.as_ref().into(), target: judged.target.as_ref().into(), file }
}

/// The answers of a person to what a tool asked; none where only a sentence tells them together with the questions.
fn answer(tool: &str, output: &Value) -> Option<String> {
    const ASKING: [&str; 3] = ["AskUserQuestion", "ask_user", "request_user_input"];
    let answers = |output: &Value| output.get("answers").map(texts);
    let written = || serde_json::from_str(output.as_str()?).ok().as_ref().and_then(answers);
    if ASKING.contains(&tool) { answers(output).or_else(written) } else { None }
}

fn called(entry: &HistoryEntry) -> Call {
    let operation = &entry.operation;
    let arguments = operation.input.value();
    let output = operation.output.as_ref().map_or(Value::Null, Json::value);
    let touched: Vec<_> = entry.metadata.files_touched.iter().flatten().cloned().collect();
    let error = operation.error.as_deref().unwrap_or("failed");
    let judged = call::Call::in_entry(entry).expect("BUG: a call is no call");
    let command = call::command_line(&operation.name, operation.input.text());
    let edits = edit::of_call(&arguments, &output, &touched);
    // `sed -i` and the like name their file in the command.
    let written = judged.file.as_deref().filter(|_| judged.kind == CallKind::Edit && touched.is_empty());
    let tried = match (&judged.file, &command) {
        (Some(file), _) => text::base(file),
        (None, Some(_)) => &*judged.tool,
        (None, None) => &*judged.target,
    };
    let files = written.map(Into::into).into_iter().chain(touched.iter().cloned()).collect();
    Call {
        tried: tried.into(),
        program: judged.tool.as_ref().into(),
        kind: judged.kind,
        check: check::of(judged.kind, command.as_deref()),
        action: judged.action,
        target: judged.target.into(),
        edits,
        answer: answer(&operation.name, &output),
        output: text::ends(&texts(&output), OUTPUT_BYTES),
        error: (!operation.success).then(|| error.to_owned()),
        tool: operation.name.clone(),
        asked_at: call::asked_of(entry),
        command,
        files,
    }
}
