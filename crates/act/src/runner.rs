//! One task, from its request to its final result, or to where it stops.
//!
//! Does what `role::run` wants done, records it, and hands back what came of it: nothing counts before it is on the record.
//! Plans and judges nothing.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::task::JoinSet;

use annals_engine::clock::Stopwatch;
use annals_engine::intercept::Begun;
use annals_engine::{By, Engine};
use annals_role::criterion::CheckResult;
use annals_role::delegate::{AgentJob, AgentOutcome};
use annals_role::ggs::FinalResult;
use annals_role::message::{Approval, ApprovalRequest, BusMessage, MemoryQuery};
use annals_role::run::{
    BusSaid, CheckJob, Pace, RoleQuestion, RunEffect, RunInput, RunSetting, TaskRun, ToolJob, UndoJob, Undone,
};
use annals_role::tool::ToolCall;
use annals_rules::domain::task::command::PauseReason;

use crate::consolidate::consolidate;
use crate::error::RunError;
use crate::journal::{Beginning, Journal};
use crate::recall::recall;
use crate::replay::{Replayed, replay};
use crate::surroundings::{
    Agents, AnswerTrouble, AskOutcome, Consent, ModelAnswer, Models, Person, Stop, ToolEnd, Tools, Watch,
};

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEnd {
    /// With the final result.
    Ended {
        /// Of which task.
        task: String,
        /// The result.
        result: Box<FinalResult>,
    },
    /// Before it; `--resume` goes on.
    Paused {
        /// Which task.
        task: String,
        /// Why.
        reason: PauseReason,
        /// In words.
        words: String,
    },
    /// Before it; another process ends the task.
    Left {
        /// Which task.
        task: String,
    },
}

/// What runs tasks.
#[derive(Clone)]
pub struct Runner {
    /// The project's record.
    pub engine: Arc<Engine>,
    /// Who answers.
    pub models: Arc<dyn Models>,
    /// Where effects happen.
    pub tools: Arc<dyn Tools>,
    /// Who stands in for the executor.
    pub agents: Arc<dyn Agents>,
    /// Who is asked.
    pub person: Arc<dyn Person>,
    /// Who watches.
    pub watch: Arc<dyn Watch>,
    /// Who stops it.
    pub stop: Arc<Stop>,
    /// Who wants it.
    pub by: By,
}

/// What comes of an effect.
enum Outcome {
    Answer(RoleQuestion, AskOutcome),
    Tool(Box<ToolJob>, Box<Begun>, ToolEnd, Span),
    Agent(Box<AgentJob>, Box<Begun>, AgentOutcome, Span),
    Check(CheckJob, CheckResult, Span),
    Undo(UndoJob, Undone, Span),
    Person(ApprovalRequest, Consent),
}

/// When an effect began in the task's own time, and how long it took, in milliseconds.
#[derive(Debug, Clone, Copy)]
struct Span {
    alive_ms: u64,
    ms: u64,
}

impl Span {
    fn end_ms(self) -> u64 {
        self.alive_ms + self.ms
    }
}

/// What is to be done, and the time of the input that led to it: a replay has no other.
struct Due {
    effect: RunEffect,
    alive_ms: u64,
}

/// Why a run stops before its end.
struct Halt {
    reason: PauseReason,
    words: String,
}

impl Runner {
    /// Runs a task whose record has just begun.
    pub async fn begin(&self, journal: Journal, beginning: &Beginning) -> Result<RunEnd, RunError> {
        let setting = RunSetting { task_id: journal.task().to_owned(), ..beginning.setting.clone() };
        let (run, effects) = TaskRun::begin(setting, beginning.request.clone());
        let mut drive = Drive::new(self, journal, run, 0);
        drive.queue(effects, 0);
        drive.run_on().await
    }

    /// Goes on with a task that was stopped or killed.
    pub async fn resume(&self, task: &str) -> Result<RunEnd, RunError> {
        let (journal, recorded) = Journal::reopen(Arc::clone(&self.engine), task)?;
        let replayed = replay(task, &recorded)?;
        journal.resume(u32::try_from(replayed.in_flight()).unwrap_or(u32::MAX))?;
        let Replayed { run, open, queries, approvals } = replayed;
        let mut drive = Drive::new(self, journal, run, recorded.alive_ms);
        drive.queue(open, recorded.alive_ms);
        for query in &queries {
            drive.remember(query)?;
        }
        for asked in approvals {
            drive.ask_person(asked);
        }
        drive.run_on().await
    }
}

/// A run at work.
struct Drive<'r> {
    runner: &'r Runner,
    journal: Journal,
    run: TaskRun,
    due: VecDeque<Due>,
    open: JoinSet<Outcome>,
    result: Option<FinalResult>,
    stopwatch: Stopwatch,
    before_ms: u64,
}

impl<'r> Drive<'r> {
    fn new(runner: &'r Runner, journal: Journal, run: TaskRun, before_ms: u64) -> Self {
        let stopwatch = runner.engine.clock().stopwatch();
        let (due, open, result) = (VecDeque::new(), JoinSet::new(), None);
        Self { runner, journal, run, due, open, result, stopwatch, before_ms }
    }

    fn alive_ms(&self) -> u64 {
        self.before_ms + self.stopwatch.millis()
    }

    fn queue(&mut self, effects: Vec<RunEffect>, alive_ms: u64) {
        self.due.extend(effects.into_iter().map(|effect| Due { effect, alive_ms }));
    }

    async fn run_on(mut self) -> Result<RunEnd, RunError> {
        let stop = Arc::clone(&self.runner.stop);
        loop {
            self.work_off()?;
            if self.run.has_ended() {
                return self.ended();
            }
            // Whoever stops a run answers no question with it: what comes at the same time does not count.
            let outcome = tokio::select! {
                biased;
                () = stop.wanted() => return self.halt(&by_person()),
                outcome = self.open.join_next() => outcome,
            };
            let outcome = outcome.expect("BUG: a task that goes on waits for an effect");
            let outcome = outcome.expect("BUG: an effect does not panic, and is not cancelled");
            if let Some(halt) = self.take(outcome)? {
                return self.halt(&halt);
            }
        }
    }

    /// Puts messages on the record and begins effects, until nothing is left to do but wait.
    fn work_off(&mut self) -> Result<(), RunError> {
        while let Some(Due { effect, alive_ms }) = self.due.pop_front() {
            match effect {
                RunEffect::Say(said) => self.say(said, alive_ms)?,
                RunEffect::Ask(question) => self.ask(question),
                RunEffect::Use(job) => self.use_tool(job),
                RunEffect::Delegate(job) => self.delegate(job),
                RunEffect::Check(job) => self.check(job),
                RunEffect::Undo(job) => self.undo(job),
            }
        }
        Ok(())
    }

    fn feed(&mut self, input: RunInput, alive_ms: u64) {
        let effects = self.run.take(input, alive_ms);
        self.queue(effects, alive_ms);
    }

    fn say(&mut self, said: BusSaid, alive_ms: u64) -> Result<(), RunError> {
        let n = self.journal.say(&said, alive_ms)?;
        self.runner.watch.said(n, &said, alive_ms);
        if let BusMessage::MemoryQuery(query) = &said.message {
            self.remember(query)?;
        } else if let BusMessage::ApprovalRequest(asked) = said.message {
            self.ask_person(asked);
        } else if let BusMessage::FinalResult(result) = said.message {
            self.result = Some(result);
        }
        Ok(())
    }

    fn remember(&mut self, query: &MemoryQuery) -> Result<(), RunError> {
        let answer = recall(&self.runner.engine, query, &self.runner.by)?;
        self.feed(RunInput::Heard(BusMessage::MemoryAnswer(answer)), self.alive_ms());
        Ok(())
    }

    fn ask_person(&mut self, asked: ApprovalRequest) {
        let person = Arc::clone(&self.runner.person);
        self.open.spawn_blocking(move || {
            let consent = person.may(&asked);
            Outcome::Person(asked, consent)
        });
    }

    fn ask(&mut self, question: RoleQuestion) {
        self.runner.watch.asks(&question);
        let models = Arc::clone(&self.runner.models);
        self.open.spawn(async move {
            let answer = models.ask(&question).await;
            Outcome::Answer(question, answer)
        });
    }

    fn use_tool(&mut self, job: ToolJob) {
        self.runner.watch.uses(&job);
        let (alive_ms, stopwatch) = (self.alive_ms(), self.runner.engine.clock().stopwatch());
        let begun = self.journal.tool_begun(&job, alive_ms);
        let tools = Arc::clone(&self.runner.tools);
        self.open.spawn_blocking(move || {
            let span = tracing::info_span!("tool.run", tool = job.request.tool.as_str(), key = job.key.as_str());
            let end = span.in_scope(|| tools.run(&job));
            Outcome::Tool(Box::new(job), Box::new(begun), end, Span { alive_ms, ms: stopwatch.millis() })
        });
    }

    /// The whole process is one effect: its handle before, its outcome behind it.
    fn delegate(&mut self, job: AgentJob) {
        self.runner.watch.delegates(&job);
        let (alive_ms, stopwatch) = (self.alive_ms(), self.runner.engine.clock().stopwatch());
        let begun = self.journal.agent_begun(&job, alive_ms);
        let agents = Arc::clone(&self.runner.agents);
        self.open.spawn_blocking(move || {
            let span = tracing::info_span!("agent.run", agent = job.program.as_str(), key = job.key.as_str());
            let outcome = span.in_scope(|| agents.run(&job));
            Outcome::Agent(Box::new(job), Box::new(begun), outcome, Span { alive_ms, ms: stopwatch.millis() })
        });
    }

    fn check(&mut self, job: CheckJob) {
        let (alive_ms, stopwatch) = (self.alive_ms(), self.runner.engine.clock().stopwatch());
        let tools = Arc::clone(&self.runner.tools);
        self.open.spawn_blocking(move || {
            let span = tracing::info_span!("tool.check", key = job.key.as_str());
            let result = span.in_scope(|| tools.check(&job));
            Outcome::Check(job, result, Span { alive_ms, ms: stopwatch.millis() })
        });
    }

    fn undo(&mut self, job: UndoJob) {
        let (alive_ms, stopwatch) = (self.alive_ms(), self.runner.engine.clock().stopwatch());
        let tools = Arc::clone(&self.runner.tools);
        self.open.spawn_blocking(move || {
            let span = tracing::info_span!("tool.undo", key = job.key.as_str());
            let undone = span.in_scope(|| tools.undo(&job));
            Outcome::Undo(job, undone, Span { alive_ms, ms: stopwatch.millis() })
        });
    }

    /// Records what came, and hands it to the task. Cleaned first: what is decided on is what is recorded.
    fn take(&mut self, outcome: Outcome) -> Result<Option<Halt>, RunError> {
        match outcome {
            Outcome::Answer(question, AskOutcome { end, failed }) => {
                self.journal.unanswered(&question, &failed, self.alive_ms())?;
                match end {
                    Ok(answer) => self.take_answer(&question, answer)?,
                    Err(trouble) => return self.take_trouble(&question, &trouble),
                }
            }
            Outcome::Tool(job, begun, ToolEnd::Ran(call), span) => {
                let output = self.runner.engine.clean_text(&call.output).into();
                let call = self.journal.tool_ended(*begun, ToolCall { output, ..call }, span.ms)?;
                self.feed(RunInput::Used { key: job.key, call }, span.end_ms());
            }
            Outcome::Tool(job, begun, ToolEnd::NeedsApproval(why), span) => {
                self.journal.tool_not_run(&begun)?;
                self.feed(RunInput::NeedsApproval { key: job.key, why }, span.end_ms());
            }
            Outcome::Agent(job, begun, outcome, span) => {
                let output = self.runner.engine.clean_text(&outcome.output).into();
                let outcome = AgentOutcome { output, ..outcome };
                let outcome = self.journal.agent_ended(*begun, &job, outcome, span.ms)?;
                self.feed(RunInput::Delegated { key: job.key, outcome }, span.end_ms());
            }
            Outcome::Check(job, result, span) => {
                let evidence = self.runner.engine.clean_text(&result.evidence).into();
                let result = CheckResult { evidence, ..result };
                let result = self.journal.checked(&job, result, span.alive_ms, span.ms)?;
                self.feed(RunInput::Checked { key: job.key, result }, span.end_ms());
            }
            Outcome::Undo(job, undone, span) => {
                self.journal.undone(&job, &undone, span.alive_ms, span.ms)?;
                self.runner.watch.undone(&undone);
                self.feed(RunInput::Undone { key: job.key, undone }, span.end_ms());
            }
            Outcome::Person(asked, consent) => {
                let (is_granted, reason) = match consent {
                    Consent::Yes => (true, String::new()),
                    Consent::No { reason } => (false, self.runner.engine.clean_text(&reason).into()),
                };
                let approval = Approval { call: asked.call, is_granted, reason };
                self.feed(RunInput::Heard(BusMessage::Approval(approval)), self.alive_ms());
            }
        }
        Ok(None)
    }

    fn take_answer(&mut self, question: &RoleQuestion, answer: ModelAnswer) -> Result<(), RunError> {
        let text: String = self.runner.engine.clean_text(&answer.text).into();
        let answer = ModelAnswer { text: text.clone(), ..answer };
        let span = Span { alive_ms: self.alive_ms().saturating_sub(answer.ms), ms: answer.ms };
        self.journal.answered(question, &answer, span.alive_ms)?;
        self.runner.watch.answered(question, &answer);
        let pace = Pace { tokens: answer.tokens_out, ms: answer.ms };
        self.feed(RunInput::Answered { key: question.key.clone(), text, pace }, span.end_ms());
        Ok(())
    }

    /// No answer stops the run; a question that no model can take is answered by nothing.
    fn take_trouble(&mut self, question: &RoleQuestion, trouble: &AnswerTrouble) -> Result<Option<Halt>, RunError> {
        let words = trouble.to_string();
        if let Some(reason) = trouble.pauses() {
            return Ok(Some(Halt { reason, words }));
        }
        let answer = ModelAnswer { model: "none".to_owned(), ..ModelAnswer::default() };
        self.take_answer(question, answer).map(|()| None)
    }

    fn halt(mut self, halt: &Halt) -> Result<RunEnd, RunError> {
        self.runner.tools.stop();
        self.runner.agents.stop();
        self.open.abort_all();
        self.journal.pause(halt.reason)?;
        let (task, reason, words) = (self.journal.task().to_owned(), halt.reason, halt.words.clone());
        Ok(if self.runner.stop.is_left() { RunEnd::Left { task } } else { RunEnd::Paused { task, reason, words } })
    }

    fn ended(self) -> Result<RunEnd, RunError> {
        self.journal.complete(&self.runner.by)?;
        consolidate(&self.runner.engine, &self.runner.by)?;
        let result = self.result.expect("BUG: a task that ended has its result");
        Ok(RunEnd::Ended { task: self.journal.task().to_owned(), result: Box::new(result) })
    }
}

fn by_person() -> Halt {
    Halt { reason: PauseReason::Person, words: "stopped by the person".to_owned() }
}
