//! Models, tools and a person of paper: the same question has the same answer, however often a run is killed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::json;

use annals_engine::clock::Clock;
use annals_engine::{By, Engine};
use annals_kernel::id::SessionId;
use annals_kernel::share::Share;
use annals_log::disk::RealDisk;
use annals_role::bus::Party;
use annals_role::criterion::{CheckResult, CheckState};
use annals_role::delegate::{AgentEnd, AgentJob, AgentOutcome};
use annals_role::ggs::CallResult;
use annals_role::message::ApprovalRequest;
use annals_role::plan::{CriterionCheck, TaskRequest};
use annals_role::run::{BusSaid, CheckJob, Permission, RoleQuestion, RunLimits, RunSetting, ToolJob, UndoJob, Undone};
use annals_role::tool::{ToolCall, ToolName};

use crate::error::RunError;
use crate::journal::{Beginning, Journal};
use crate::runner::{RunEnd, Runner};
use crate::surroundings::{
    Agents, AnswerTrouble, AskOutcome, Awaited, Consent, ModelAnswer, Models, Person, Stop, ToolEnd, Tools, Watch,
};

/// What a question is answered with, by its key.
pub(super) type Answers = fn(&RoleQuestion) -> Result<String, AnswerTrouble>;

/// Answers, and counts what was asked.
pub(super) struct PaperModels {
    answers: Answers,
    asked: Mutex<BTreeMap<String, u32>>,
}

impl Models for PaperModels {
    fn ask<'a>(&'a self, question: &'a RoleQuestion) -> Awaited<'a, AskOutcome> {
        *self.asked.lock().expect("no panic").entry(question.key.to_string()).or_default() += 1;
        let answer = (self.answers)(question);
        Box::pin(async move {
            let model = "paper".to_owned();
            let answer =
                answer.map(|text| ModelAnswer { text, model, tokens_in: 10, tokens_out: 5, ..ModelAnswer::default() });
            answer.into()
        })
    }
}

/// Writes nothing, and remembers what it was asked.
#[derive(Default)]
pub(super) struct PaperTools {
    used: Mutex<Vec<ToolJob>>,
}

impl Tools for PaperTools {
    fn run(&self, job: &ToolJob) -> ToolEnd {
        let is_final = job.request.input["command"] == "git push --force";
        match job.permission {
            Permission::NotAsked if is_final => return ToolEnd::NeedsApproval("rewrites history".to_owned()),
            Permission::NotToBeAsked if is_final => return ToolEnd::Ran(job.refused()),
            Permission::NotAsked | Permission::NotToBeAsked | Permission::Granted => {}
        }
        self.used.lock().expect("no panic").push(job.clone());
        let (request, output) = (job.request.clone(), "wrote the greeting".to_owned());
        let result = CallResult::Worked;
        ToolEnd::Ran(ToolCall { request, result, exit: None, output, entry: None, is_uncertain: false })
    }

    fn check(&self, job: &CheckJob) -> CheckResult {
        let check = &job.check;
        let is_missing = matches!(check, CriterionCheck::FileContains { contains, .. } if contains == "never");
        let is_of_any_change = *check == CriterionCheck::Untouched { untouched: vec!["*".to_owned()] };
        let state =
            if is_missing || is_of_any_change || job.key.is_baseline() { CheckState::Unmet } else { CheckState::Met };
        CheckResult { check: check.clone(), state, evidence: "as it was found".to_owned(), entry: None }
    }

    fn undo(&self, _: &UndoJob) -> Undone {
        Undone::All { files: vec!["hello.txt".to_owned()] }
    }

    fn stop(&self) {}
}

struct Refuses;

impl Person for Refuses {
    fn may(&self, _: &ApprovalRequest) -> Consent {
        Consent::nobody()
    }
}

struct Blind;

impl Watch for Blind {
    fn said(&self, _: u32, _: &BusSaid, _: u64) {}
    fn asks(&self, _: &RoleQuestion) {}
    fn answered(&self, _: &RoleQuestion, _: &ModelAnswer) {}
    fn uses(&self, _: &ToolJob) {}
    fn delegates(&self, _: &AgentJob) {}
    fn undone(&self, _: &Undone) {}
}

/// Says what a script says; remembers what it was told.
pub(super) struct PaperAgents {
    says: fn(&AgentJob) -> AgentOutcome,
    jobs: Mutex<Vec<AgentJob>>,
}

impl Default for PaperAgents {
    fn default() -> Self {
        let says = |_: &AgentJob| AgentOutcome::silent(AgentEnd::NotStarted { why: "there is none".to_owned() });
        Self { says, jobs: Mutex::default() }
    }
}

impl Agents for PaperAgents {
    fn run(&self, job: &AgentJob) -> AgentOutcome {
        self.jobs.lock().expect("no panic").push(job.clone());
        (self.says)(job)
    }

    fn stop(&self) {}
}

/// A folder with a runner on it.
pub(super) struct RunStage {
    pub(super) runner: Runner,
    pub(super) models: Arc<PaperModels>,
    pub(super) tools: Arc<PaperTools>,
    pub(super) agents: Arc<PaperAgents>,
}

impl RunStage {
    pub(super) fn on(context: &Path, answers: Answers) -> Self {
        let engine = Engine::open(Arc::new(RealDisk), context, Clock::default()).expect("opened");
        let models = Arc::new(PaperModels { answers, asked: Mutex::default() });
        let tools = Arc::new(PaperTools::default());
        let agents = Arc::new(PaperAgents::default());
        let runner = Runner {
            engine: Arc::new(engine),
            models: Arc::clone(&models) as Arc<dyn Models>,
            tools: Arc::clone(&tools) as Arc<dyn Tools>,
            agents: Arc::clone(&agents) as Arc<dyn Agents>,
            person: Arc::new(Refuses),
            watch: Arc::new(Blind),
            stop: Arc::new(Stop::default()),
            by: By::new("user", SessionId::from("here")),
        };
        Self { runner, models, tools, agents }
    }

    /// With agents of this script.
    pub(super) fn with_agents(mut self, says: fn(&AgentJob) -> AgentOutcome) -> Self {
        self.agents = Arc::new(PaperAgents { says, jobs: Mutex::default() });
        self.runner.agents = Arc::clone(&self.agents) as Arc<dyn Agents>;
        self
    }

    /// What agents were told, in order.
    pub(super) fn jobs(&self) -> Vec<AgentJob> {
        self.agents.jobs.lock().expect("no panic").clone()
    }

    pub(super) async fn begin(&self) -> Result<RunEnd, RunError> {
        let beginning = beginning();
        let journal = Journal::begin(Arc::clone(&self.runner.engine), &beginning, &self.runner.by)?;
        self.runner.begin(journal, &beginning).await
    }

    pub(super) fn asked(&self) -> BTreeMap<String, u32> {
        self.models.asked.lock().expect("no panic").clone()
    }

    pub(super) fn used(&self) -> usize {
        self.tools.used.lock().expect("no panic").len()
    }
}

/// A folder in memory, where the machine has one: hundreds of runs would otherwise wait for the disk with each line.
pub(super) fn folder() -> tempfile::TempDir {
    let in_memory = Path::new("/dev/shm");
    if in_memory.is_dir() { tempfile::tempdir_in(in_memory) } else { tempfile::tempdir() }.expect("a folder")
}

/// What every task of these tests begins with.
pub(super) fn beginning() -> Beginning {
    let request = TaskRequest {
        raw_input: "write a greeting into hello.txt".to_owned(),
        history: Vec::new(),
        checks: Vec::new(),
    };
    let (mut limits, tools) = (RunLimits::default(), ToolName::ALL.to_vec());
    // Time weighs nothing: what is played twice comes to the same figures.
    limits.ggs.w2 = Share::NONE;
    let place = "README.md".to_owned();
    let setting = RunSetting::today(limits, tools, place);
    Beginning { request, setting, models: Vec::new(), hosts: Vec::new() }
}

fn plan(criterion: &str) -> String {
    let check = json!({ "file": "hello.txt", "contains": criterion });
    let part = |sequence: u32, intent: &str| {
        json!({
            "sequence": sequence,
            "intent": intent,
            "success_criteria": [{ "text": "it is there", "check": check }, { "text": "it is friendly" }],
        })
    };
    json!({
        "task_criteria": [{ "text": "all is there", "check": check }],
        "subtasks": [part(1, "write it"), part(1, "write it beside"), part(2, "look at it")],
    })
    .to_string()
}

fn writes(question: &RoleQuestion) -> String {
    let path = format!("{}.txt", question.key.as_str().replace('.', "-"));
    let call = json!({ "tool": "write", "input": { "path": path, "content": "hello" } });
    json!({ "calls": [call], "done": true, "output": "I wrote the greeting." }).to_string()
}

/// A task that goes well.
#[expect(clippy::unnecessary_wraps, reason = "it stands for models that may have trouble")]
pub(super) fn goes_well(question: &RoleQuestion) -> Result<String, AnswerTrouble> {
    let verdict = json!({ "n": 1, "verdict": "pass", "evidence": "wrote the greeting" });
    Ok(if question.role == Party::Perceiver {
        json!({ "slug": "greet", "intent": "Write a greeting into hello.txt" }).to_string()
    } else if question.role == Party::Planner {
        plan("hello")
    } else if question.role == Party::Executor {
        writes(question)
    } else {
        json!({ "verdicts": [verdict] }).to_string()
    })
}

/// A task that does what cannot be taken back, and asks for that.
pub(super) fn goes_far(question: &RoleQuestion) -> Result<String, AnswerTrouble> {
    let is_first = question.role == Party::Executor && question.key.as_str().ends_with(".a1.1");
    let call = json!({ "tool": "shell", "input": { "command": "git push --force" } });
    let pushes = || json!({ "calls": [call], "done": false, "output": "" }).to_string();
    if is_first { Ok(pushes()) } else { goes_well(question) }
}

/// A task that code never finds done.
pub(super) fn goes_wrong(question: &RoleQuestion) -> Result<String, AnswerTrouble> {
    if question.role == Party::Planner && !question.key.as_str().starts_with("draft") {
        return Ok(plan("never"));
    }
    goes_well(question)
}

/// The same, and its proposal would do what cannot be taken back.
pub(super) fn goes_wrong_and_far(question: &RoleQuestion) -> Result<String, AnswerTrouble> {
    let is_proposal = question.key.as_str().ends_with("-proposal.a1.1");
    let call = json!({ "tool": "shell", "input": { "command": "git push --force" } });
    let pushes = || json!({ "calls": [call], "done": false, "output": "" }).to_string();
    if is_proposal { Ok(pushes()) } else { goes_wrong(question) }
}
