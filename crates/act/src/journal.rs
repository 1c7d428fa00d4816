//! The record of one task: every message, answer and call as an entry, before it counts; and what a killed run left.
//!
//! Does not decide what is said; checks that what is said again is what was recorded.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use annals_engine::intercept::{Begun, CallEnd, Interceptor, Unfinished};
use annals_engine::own_word::OwnWords;
use annals_engine::query::expand::Expansion;
use annals_engine::query::filter::Filter;
use annals_engine::{Answer, By, Engine};
use annals_kernel::annals::OwnLine;
use annals_kernel::entry::{HistoryEntry, Provenance};
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::json::Json;
use annals_role::criterion::CheckResult;
use annals_role::delegate::{AgentEnd, AgentJob, AgentOutcome};
use annals_role::ggs::CallResult;
use annals_role::message::BusMessage;
use annals_role::plan::TaskRequest;
use annals_role::run::{BusSaid, CheckJob, RoleQuestion, RunSetting, ToolJob, UndoJob, Undone};
use annals_role::tool::ToolCall;
use annals_rules::domain::task::command::{Begin, Pause, PauseReason, Resume, RoleModel, Send};
use annals_rules::domain::task::{self, TaskPhase};
use annals_rules::domain::{Command, Event, session};

pub use crate::answered::ANSWER;
use crate::error::RunError;
use crate::record;
pub use crate::record::AGENT;
use crate::recorded::came;
pub use crate::recorded::{Came, Recorded, Step};
use crate::surroundings::{FailedAttempt, ModelAnswer};

/// What a task is begun with.
#[derive(Debug, Clone, PartialEq)]
pub struct Beginning {
    /// The person's words, and the turns before.
    pub request: TaskRequest,
    /// What it is given; its id is minted here.
    pub setting: RunSetting,
    /// Which models answer.
    pub models: Vec<RoleModel>,
    /// Which hosts the person allowed, as they were written.
    pub hosts: Vec<String>,
}

/// The record of one task.
pub struct Journal {
    engine: Arc<Engine>,
    task: Box<str>,
    session: SessionId,
    next: u32,
}

impl Journal {
    /// A task begins, in a session of its own.
    pub fn begin(engine: Arc<Engine>, beginning: &Beginning, by: &By) -> Result<Self, RunError> {
        let title: String = beginning.request.raw_input.chars().take(80).collect();
        let start = session::command::Start { title: Some(title.into()), ..session::command::Start::default() };
        let started = engine.decide(session::Command::from(start), &Json::empty_object(), by)?;
        let id = kept(&started)?.entry.expect("BUG: what was decided has an entry").to_string();
        let session = SessionId::from(id.as_str());
        let begin = Begin {
            request: beginning.request.raw_input.as_str().into(),
            models: beginning.models.clone(),
            setting: given(beginning),
        };
        let begun = engine.decide_due(task::Command::from(begin), &session)?;
        let task = kept(&begun)?.events.iter().find_map(task_begun).expect("BUG: a task that begins has an id");
        Ok(Self { engine, task, session, next: 1 })
    }

    /// The record of a task that has not ended, and what is on it. What was in flight is interrupted.
    pub fn reopen(engine: Arc<Engine>, task: &str) -> Result<(Self, Recorded), RunError> {
        let found = engine.ask(|world| world.rooms.task.task(task).map(|row| (row.session.clone(), row.phase)))?;
        let (session, phase) = found.ok_or_else(|| RunError::UnknownTask { task: task.to_owned() })?;
        if phase == TaskPhase::Ended {
            return Err(RunError::HasEnded { task: task.to_owned() });
        }
        engine.recover_calls(Unfinished::InSession(&session), engine.clock().now())?;
        let mut journal = Self { engine, task: task.into(), session, next: 1 };
        let own = journal.engine.own_entries()?;
        let recorded = journal.recorded(Some(&own), None)?;
        Ok((journal, recorded))
    }

    /// What is on the record of a task, ended or not.
    pub fn look(engine: &Arc<Engine>, task: &str) -> Result<Recorded, RunError> {
        Self::look_until(engine, task, None)
    }

    /// The same as it stood at that turn of the fold.
    pub fn look_until(engine: &Arc<Engine>, task: &str, until: Option<EntryId>) -> Result<Recorded, RunError> {
        let session = engine.ask(|world| world.rooms.task.task(task).map(|row| row.session.clone()))?;
        let session = session.ok_or_else(|| RunError::UnknownTask { task: task.to_owned() })?;
        Self { engine: Arc::clone(engine), task: task.into(), session, next: 1 }.recorded(None, until)
    }

    /// The id of the task.
    pub fn task(&self) -> &str {
        &self.task
    }

    /// Its session.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// Puts a message on the record.
    pub fn say(&mut self, said: &BusSaid, alive_ms: u64) -> Result<u32, RunError> {
        let BusSaid { from, to, message } = said;
        let (n, kind, body) = (self.next, message.kind(), body_of(message));
        let send = Send { task: self.task.clone(), n, from: *from, to: *to, kind, body, alive_ms };
        self.decide(task::Command::from(send))?;
        self.next += 1;
        Ok(n)
    }

    /// The run stops, and can go on.
    pub fn pause(&self, reason: PauseReason) -> Result<(), RunError> {
        self.decide(task::Command::from(Pause { task: self.task.clone(), reason })).map(drop)
    }

    /// The run goes on.
    pub fn resume(&self, in_flight: u32) -> Result<(), RunError> {
        self.decide(task::Command::from(Resume { task: self.task.clone(), in_flight })).map(drop)
    }

    /// The session is over, too.
    pub fn complete(&self, by: &By) -> Result<(), RunError> {
        let complete = session::command::Complete { session: self.session.clone() };
        self.engine.decide(session::Command::from(complete), &Json::empty_object(), by)?;
        Ok(())
    }

    /// Puts an answer on the record, as it came.
    pub fn answered(&self, question: &RoleQuestion, answer: &ModelAnswer, alive_ms: u64) -> Result<(), RunError> {
        let at = self.engine.clock().now();
        let entry = record::answer(&self.session, question, answer, alive_ms, at);
        self.engine.note(vec![entry])?;
        Ok(())
    }

    /// Puts attempts that brought no answer on the record, each as an entry (decision 65).
    pub fn unanswered(&self, question: &RoleQuestion, failed: &[FailedAttempt], alive_ms: u64) -> Result<(), RunError> {
        if failed.is_empty() {
            return Ok(());
        }
        let at = self.engine.clock().now();
        let entry = |attempt| record::failed_attempt(&self.session, question, attempt, alive_ms, at);
        self.engine.note(failed.iter().map(entry).collect())?;
        Ok(())
    }

    /// A call begins: its handle survives a kill.
    pub fn tool_begun(&self, job: &ToolJob, alive_ms: u64) -> Begun {
        let input = record::tool_input(&job.key, &job.request, alive_ms);
        let calls = Interceptor::new(&self.engine, self.session.clone());
        calls.start(job.request.tool.as_str(), &input, by_executor())
    }

    /// It has ended. Gives the call with the entry that records it.
    pub fn tool_ended(&self, begun: Begun, call: ToolCall, ms: u64) -> Result<ToolCall, RunError> {
        let error = (call.result == CallResult::Failed).then(|| first_line(&call.output).into());
        let output = Some(record::tool_output(&call));
        let (files_touched, duration) = (touched(&call), Duration::from_millis(ms));
        let calls = Interceptor::new(&self.engine, self.session.clone());
        let id = calls.finish(begun, CallEnd { output, error, duration, files_touched, usage: None })?;
        Ok(ToolCall { entry: Some(record::cited(id)), ..call })
    }

    /// It was not run after all: no entry stands for it.
    pub fn tool_not_run(&self, begun: &Begun) -> Result<(), RunError> {
        Ok(self.engine.forget_call(begun.key())?)
    }

    /// An agent begins; its handle survives a kill.
    pub fn agent_begun(&self, job: &AgentJob, alive_ms: u64) -> Begun {
        let calls = Interceptor::new(&self.engine, self.session.clone());
        calls.start(AGENT, &record::agent_input(job, alive_ms), by_executor())
    }

    /// It has ended. Gives the outcome with the entry that records it.
    pub fn agent_ended(
        &self,
        begun: Begun,
        job: &AgentJob,
        outcome: AgentOutcome,
        ms: u64,
    ) -> Result<AgentOutcome, RunError> {
        let error = (outcome.end != AgentEnd::Exited { code: 0 }).then(|| "the agent did not end well".into());
        let (output, usage) = (Some(Json::of(&outcome)), Some(record::agent_usage(job, &outcome)));
        let calls = Interceptor::new(&self.engine, self.session.clone());
        let duration = Duration::from_millis(ms);
        let id = calls.finish(begun, CallEnd { output, error, duration, usage, ..CallEnd::default() })?;
        Ok(AgentOutcome { entry: Some(record::cited(id)), ..outcome })
    }

    /// Puts what code found on the record. Gives it with the entry that records it.
    pub fn checked(
        &self,
        job: &CheckJob,
        result: CheckResult,
        alive_ms: u64,
        ms: u64,
    ) -> Result<CheckResult, RunError> {
        let input = record::check_input(&job.key, &job.check, alive_ms);
        let id = self.noted(record::CHECK, &input, Json::of(&result), ms)?;
        Ok(CheckResult { entry: Some(record::cited(id)), ..result })
    }

    /// Puts what became of the workspace on the record.
    pub fn undone(&self, job: &UndoJob, undone: &Undone, alive_ms: u64, ms: u64) -> Result<(), RunError> {
        self.noted(record::UNDO, &record::undo_input(&job.key, alive_ms), Json::of(undone), ms).map(drop)
    }

    /// Puts what code did by itself on the record.
    fn noted(&self, name: &str, input: &Json, output: Json, ms: u64) -> Result<EntryId, RunError> {
        let calls = Interceptor::new(&self.engine, self.session.clone());
        let begun = calls.start(name, input, by_executor());
        let duration = Duration::from_millis(ms);
        Ok(calls.finish(begun, CallEnd { output: Some(output), duration, ..CallEnd::default() })?)
    }

    fn decide(&self, command: impl Into<Command>) -> Result<Answer, RunError> {
        kept(&self.engine.decide_due(command, &self.session)?).cloned()
    }

    /// With the words of this clone: approvals count only where they are among them.
    fn recorded(&mut self, own: Option<&OwnWords>, until: Option<EntryId>) -> Result<Recorded, RunError> {
        let filter = Filter { session: Some(self.session.clone()), until, ..Filter::default() };
        let (mut steps, mut begun, mut alive_ms) = (Vec::new(), None, 0);
        let found = self.engine.reader()?.all(&filter)?;
        for mut found in found {
            Expansion::default().entry(&self.engine, &mut found.entry);
            match self.read(&found.entry)? {
                Some(Line::Begun(given)) => begun = Some(*given),
                Some(Line::Step { step, approval }) => {
                    own.zip(approval).map_or(Ok(()), |(own, approval)| self.require_own(own, &approval))?;
                    alive_ms = alive_ms.max(step.alive_ms());
                    steps.push(*step);
                }
                None => {}
            }
        }
        let said = steps.iter().filter(|step| matches!(step, Step::Said { .. })).count();
        self.next = u32::try_from(said).unwrap_or(u32::MAX).saturating_add(1);
        let Given { setting, request, hosts } =
            begun.ok_or_else(|| RunError::UnknownTask { task: self.task.to_string() })?;
        Ok(Recorded { setting, request, hosts, steps, alive_ms })
    }

    fn require_own(&self, own: &OwnWords, line: &OwnLine) -> Result<(), RunError> {
        let refused = || RunError::NotAllowedHere { task: self.task.to_string(), entry: line.0.to_string() };
        own.wrote(line).then_some(()).ok_or_else(refused)
    }

    fn read(&self, entry: &HistoryEntry) -> Result<Option<Line>, RunError> {
        let bad =
            |reason: String| RunError::BadEntry { task: self.task.to_string(), entry: entry.id.to_string(), reason };
        match record::read(entry) {
            Some(read) => {
                let step = Box::new(Step::Came(came(read.map_err(bad)?)));
                Ok(Some(Line::Step { step, approval: None }))
            }
            None => line(&self.task, entry).map_err(bad),
        }
    }
}

/// What an entry of the session is to the task.
enum Line {
    Begun(Box<Given>),
    /// With what a person says in it of an act that cannot be taken back.
    Step {
        step: Box<Step>,
        approval: Option<OwnLine>,
    },
}

/// A decision of the task's room, where it is one of this task.
fn line(task: &str, entry: &HistoryEntry) -> Result<Option<Line>, String> {
    #[derive(serde::Deserialize)]
    struct RunInput {
        command: Json,
    }
    let Ok(RunInput { command }) = entry.operation.input.read::<RunInput>() else { return Ok(None) };
    let has_happened = entry.operation.success;
    let Ok(command) = task::Command::read(&entry.operation.name, &command) else { return Ok(None) };
    match command {
        task::Command::Begin(begin) if entry.id.to_string() == task => {
            let given: Given = begin.setting.read().map_err(|error| error.to_string())?;
            Ok(Some(Line::Begun(Box::new(given))))
        }
        task::Command::Send(send) if *send.task == *task && has_happened => {
            let said = BusSaid { from: send.from, to: send.to, message: message_of(&send)? };
            let step = Box::new(Step::Said { n: send.n, said, alive_ms: send.alive_ms });
            Ok(Some(Line::Step { step, approval: task::approval_line(&send, entry.id) }))
        }
        task::Command::Begin(_)
        | task::Command::Send(_)
        | task::Command::Pause(_)
        | task::Command::Resume(_)
        | task::Command::Settle(_) => Ok(None),
    }
}

/// What a task was begun with, as it is recorded.
#[derive(serde::Deserialize)]
struct Given {
    setting: RunSetting,
    request: TaskRequest,
    /// Tasks of an earlier version have none.
    #[serde(default)]
    hosts: Vec<String>,
}

fn given(beginning: &Beginning) -> Json {
    let Beginning { request, setting, hosts, .. } = beginning;
    Json::of(&if hosts.is_empty() {
        json!({ "setting": setting, "request": request })
    } else {
        json!({ "setting": setting, "request": request, "hosts": hosts })
    })
}

fn body_of(message: &BusMessage) -> Json {
    let mut value = serde_json::to_value(message).expect("BUG: a message is JSON");
    Json::of(&value["body"].take())
}

fn message_of(send: &Send) -> Result<BusMessage, String> {
    let body: serde_json::Value = send.body.read().map_err(|error| error.to_string())?;
    serde_json::from_value(json!({ "kind": send.kind, "body": body })).map_err(|error| error.to_string())
}

fn task_begun(event: &Event) -> Option<Box<str>> {
    let Event::Task(task::Event::Begun(begun)) = event else { return None };
    Some(begun.task.clone())
}

fn kept(answer: &Answer) -> Result<&Answer, RunError> {
    answer.refusal.clone().map_or(Ok(answer), |refusal| Err(RunError::Refused(refusal)))
}

fn by_executor() -> Provenance {
    Provenance { agent_id: Some(AgentId::from("executor")), ..Provenance::default() }
}

fn first_line(text: &str) -> &str {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or("failed")
}

fn touched(call: &ToolCall) -> Option<Vec<Box<str>>> {
    let path = call.request.input.get("path")?.as_str()?;
    Some(vec![path.into()])
}
