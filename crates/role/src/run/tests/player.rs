//! Plays a task: answers questions from a script, uses tools of paper, and keeps what was said.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Value, json};

use crate::bus::Party;
use crate::criterion::{CheckResult, CheckState};
use crate::delegate::{AgentJob, AgentOutcome, AgentProgram};
use crate::ggs::{CallResult, FinalResult};
use crate::message::{Approval, BusMessage, MemoryAnswer};
use crate::plan::{CriterionCheck, PastTurn, TaskRequest};
use crate::run::{
    BusSaid, Pace, Permission, RunEffect, RunInput, RunLimits, RunSetting, TaskRun, ToolJob, UndoJob, Undone,
};
use crate::tool::{ToolCall, ToolName};

/// So many inputs are more than any task needs.
pub(super) const MOST_INPUTS: usize = 5_000;
/// Time goes on with each input, in milliseconds.
const STEP_MS: u64 = 10;

/// A tool or check of paper, by what it is asked.
pub(super) type PaperTool = fn(&ToolJob) -> ToolCall;

/// What a task is played with.
pub(super) struct Player {
    pub(super) answers: BTreeMap<Party, VecDeque<String>>,
    /// What a role says when its script is at its end.
    pub(super) otherwise: fn(Party) -> String,
    pub(super) tool: PaperTool,
    pub(super) check: fn(&CriterionCheck) -> CheckState,
    /// Where it is given, checks, tools and the person go by it and by what is asked, each its own way.
    pub(super) odds: Option<u64>,
    /// Whether the files are as they were, where it is asked of a proposal.
    pub(super) changed: CheckState,
    /// A file that is gone when the whole is judged.
    pub(super) gone: Option<&'static str>,
    /// What every check comes to before anything is done.
    pub(super) baseline: CheckState,
    pub(super) memory: MemoryAnswer,
    /// Whether the person says yes.
    pub(super) consent: fn(&str) -> bool,
    pub(super) limits: RunLimits,
    /// How long each input takes.
    pub(super) step_ms: u64,
    /// What is asked for.
    pub(super) words: &'static str,
    /// What the person says it is checked by.
    pub(super) checks: Vec<String>,
    /// What was asked for before.
    pub(super) history: Vec<PastTurn>,
    /// What becomes of what was done, at a new approach.
    pub(super) undo: fn(&UndoJob) -> Undone,
    /// The agent that stands in for the executor.
    pub(super) agent: Option<fn(&AgentJob) -> AgentOutcome>,
}

/// What was played.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) said: Vec<BusSaid>,
    pub(super) asked: Vec<Party>,
    pub(super) used: Vec<ToolJob>,
    pub(super) delegated: Vec<AgentJob>,
    pub(super) inputs: Vec<(RunInput, u64)>,
    pub(super) run: TaskRun,
}

impl Default for Player {
    fn default() -> Self {
        Self {
            answers: BTreeMap::new(),
            otherwise: |_| String::new(),
            tool: worked,
            check: |_| CheckState::Met,
            odds: None,
            changed: CheckState::Unmet,
            gone: None,
            baseline: CheckState::Unmet,
            memory: MemoryAnswer::default(),
            consent: |_| false,
            limits: RunLimits::default(),
            step_ms: STEP_MS,
            words: "write a greeting into hello.txt",
            checks: Vec::new(),
            history: Vec::new(),
            undo: |_| Undone::All { files: vec!["hello.txt".to_owned()] },
            agent: None,
        }
    }
}

/// A tool that always works.
pub(super) fn worked(job: &ToolJob) -> ToolCall {
    ToolCall {
        request: job.request.clone(),
        result: CallResult::Worked,
        exit: None,
        output: "wrote the greeting".to_owned(),
        entry: Some(format!("entry-{}", job.key)),
        is_uncertain: false,
    }
}

/// One of several, by a seed and a text: the same for the same.
fn pick(seed: u64, text: &str, of: u64) -> u64 {
    let mixed = text
        .bytes()
        .fold(seed ^ 0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_right(31) % of
}

fn is_of_any_change(check: &CriterionCheck) -> bool {
    *check == CriterionCheck::Untouched { untouched: vec!["*".to_owned()] }
}

/// Checks hold more often than not: else nothing would ever be accepted.
fn found_at(seed: u64, key: &str) -> CheckState {
    [CheckState::Met, CheckState::Met, CheckState::Met, CheckState::Unmet, CheckState::CouldNotRun]
        [usize::try_from(pick(seed, key, 5)).unwrap_or_default()]
}

fn at_odds(seed: u64, job: &ToolJob) -> ToolCall {
    let call = worked(job);
    match pick(seed, job.key.as_str(), 6) {
        0 => ToolCall { result: CallResult::Failed, output: "permission denied".to_owned(), ..call },
        1 => ToolCall { result: CallResult::Failed, output: "timed out".to_owned(), ..call },
        2 => ToolCall { output: "all tests pass".to_owned(), is_uncertain: true, ..call },
        3 => ToolCall { output: String::new(), ..call },
        _ => call,
    }
}

impl Player {
    pub(super) fn script(mut self, role: Party, answers: &[Value]) -> Self {
        let texts = answers.iter().map(|answer| answer.as_str().map_or_else(|| answer.to_string(), str::to_owned));
        self.answers.entry(role).or_default().extend(texts);
        self
    }

    pub(super) fn request(&self) -> TaskRequest {
        let (raw_input, history) = (self.words.to_owned(), self.history.clone());
        TaskRequest { raw_input, history, checks: self.checks.clone() }
    }

    pub(super) fn setting(&self) -> RunSetting {
        let (tools, place) = (ToolName::ALL.to_vec(), "README.md".to_owned());
        let (task_id, executor) = ("T".to_owned(), self.agent.map(|_| AgentProgram::Claude));
        RunSetting { task_id, executor, ..RunSetting::today(self.limits, tools, place) }
    }

    pub(super) fn play(&mut self) -> Played {
        let (run, effects) = TaskRun::begin(self.setting(), self.request());
        let (said, asked, used) = (Vec::new(), Vec::new(), Vec::new());
        let (delegated, inputs) = (Vec::new(), Vec::new());
        let mut played = Played { said, asked, used, delegated, inputs, run };
        let mut due: VecDeque<RunEffect> = effects.into();
        while let Some(effect) = due.pop_front() {
            let Some(input) = self.input(&mut played, effect) else { continue };
            let alive_ms = (played.inputs.len() as u64 + 1) * self.step_ms;
            due.extend(played.run.take(input.clone(), alive_ms));
            played.inputs.push((input, alive_ms));
            assert!(played.inputs.len() < MOST_INPUTS, "the task has no end");
        }
        played
    }

    fn input(&mut self, played: &mut Played, effect: RunEffect) -> Option<RunInput> {
        match effect {
            RunEffect::Say(said) => {
                let input = self.heard(&said.message);
                played.said.push(said);
                input
            }
            RunEffect::Ask(question) => {
                played.asked.push(question.role);
                let scripted = self.answers.get_mut(&question.role).and_then(VecDeque::pop_front);
                let text = scripted.unwrap_or_else(|| (self.otherwise)(question.role));
                Some(RunInput::Answered { key: question.key, text, pace: Pace::default() })
            }
            RunEffect::Use(job) => {
                let is_final = job.request.input["command"].as_str().is_some_and(|line| line.contains("push --force"));
                match job.permission {
                    Permission::NotAsked if is_final => {
                        return Some(RunInput::NeedsApproval { key: job.key, why: "rewrites history".to_owned() });
                    }
                    Permission::NotToBeAsked if is_final => {
                        return Some(RunInput::Used { key: job.key.clone(), call: job.refused() });
                    }
                    Permission::NotAsked | Permission::NotToBeAsked | Permission::Granted => {}
                }
                let key = job.key.clone();
                let call = self.odds.map_or_else(|| (self.tool)(&job), |seed| at_odds(seed, &job));
                played.used.push(job);
                Some(RunInput::Used { key, call })
            }
            RunEffect::Delegate(job) => {
                let (key, outcome) = (job.key.clone(), self.agent.expect("there is one")(&job));
                played.delegated.push(job);
                Some(RunInput::Delegated { key, outcome })
            }
            RunEffect::Undo(job) => {
                let undone = (self.undo)(&job);
                Some(RunInput::Undone { key: job.key, undone })
            }
            RunEffect::Check(job) => {
                let entry = Some(format!("entry-{}", job.key));
                let gone = self.gone.map(|file| CriterionCheck::FileAbsent { file: file.to_owned(), absent: false });
                let is_gone = job.key.as_str().starts_with("check.r") && gone.as_ref() == Some(&job.check);
                let state = if job.key.is_baseline() { self.baseline } else { (self.check)(&job.check) };
                let state = if is_gone { CheckState::Unmet } else { state };
                let state = if is_of_any_change(&job.check) { self.changed } else { state };
                let state = self.odds.map_or(state, |seed| found_at(seed, job.key.as_str()));
                let result = CheckResult { check: job.check, state, evidence: "as it was found".to_owned(), entry };
                Some(RunInput::Checked { key: job.key, result })
            }
        }
    }

    fn heard(&self, message: &BusMessage) -> Option<RunInput> {
        if let BusMessage::MemoryQuery(_) = message {
            return Some(RunInput::Heard(BusMessage::MemoryAnswer(self.memory.clone())));
        }
        let BusMessage::ApprovalRequest(asked) = message else { return None };
        let call = asked.call.clone();
        let is_granted = self.odds.map_or_else(|| (self.consent)(&call), |seed| pick(seed, &call, 2) == 0);
        let reason = if is_granted { String::new() } else { "not before Friday".to_owned() };
        Some(RunInput::Heard(BusMessage::Approval(Approval { call, is_granted, reason })))
    }
}

impl Played {
    pub(super) fn kinds(&self) -> Vec<String> {
        self.said.iter().map(|said| said.message.kind().to_string()).collect()
    }

    pub(super) fn result(&self) -> &FinalResult {
        let results = self
            .said
            .iter()
            .filter_map(|said| if let BusMessage::FinalResult(result) = &said.message { Some(result) } else { None });
        let results: Vec<_> = results.collect();
        assert_eq!(results.len(), 1, "one final result, whatever happens");
        assert!(matches!(self.said.last().map(|said| &said.message), Some(BusMessage::FinalResult(_))));
        results[0]
    }
}

/// What R1 understands.
pub(super) fn understood() -> Value {
    json!({ "slug": "write_greeting", "intent": "Write a greeting into hello.txt" })
}

/// A plan of one subtask, with a criterion that code checks and one that a model judges.
pub(super) fn plan() -> Value {
    json!({
        "task_criteria": [{ "text": "hello.txt holds a greeting", "check": { "file": "hello.txt", "contains": "hello" } }],
        "subtasks": [{
            "sequence": 1,
            "intent": "Write hello into hello.txt",
            "success_criteria": [
                { "text": "hello.txt is there", "check": { "file": "hello.txt", "absent": false } },
                { "text": "the greeting is friendly" },
            ],
            "tools": [{ "tool": "write", "target": "hello.txt" }],
        }],
    })
}

/// The executor writes the file, and is done.
pub(super) fn writes() -> Value {
    let call = json!({ "tool": "write", "input": { "path": "hello.txt", "content": "hello" } });
    json!({ "calls": [call], "done": true, "output": "I wrote the greeting." })
}

/// The validator passes the one criterion that is its own.
pub(super) fn passes() -> Value {
    json!({ "verdicts": [{ "n": 1, "verdict": "pass", "evidence": "wrote the greeting" }] })
}
