//! `annals run`: a task of the control loop, from its request to its final result, in a workspace of its own.
//!
//! Joins what the loop needs: models, the workspace, the person at the terminal, and the screen.

mod agent;
mod demo;
mod excluded;
mod models;
mod person;
mod place;
mod screen;
mod tools;
mod tree;
mod watch;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

use annals_workspace::proxy::AllowedHost;

use self::agent::{AgentExecutor, AgentParts, AgentReady, NoAgents};
use self::models::{RunModels, purposes};
use self::person::TerminalPerson;
use self::screen::{Channel, RunScreen};
use self::tools::WorkspaceTools;
use self::watch::Watchers;
use super::audit::AuditStore;
use super::shell::{Done, Shell, Usage};
use super::task::{named, tell_rest};
use crate::act::{Agents, Beginning, Journal, RunEnd, RunError, Runner, Stop};
use crate::engine::Engine;
use crate::role::delegate::AgentProgram;
use crate::role::executor::ExecutorForm;
use crate::role::plan::TaskRequest;
use crate::role::planner;
use crate::role::run::{NewApproach, RunLimits, RunSetting};
use crate::role::tool::ToolName;
use crate::world::World;

pub(super) use self::agent::hooks::through as handed_out;
pub(super) use self::place::{author, reopened};
pub(super) use self::screen::{StreamedMessage, lines, stops_at_a_signal};

/// The tools that a run offers: the web needs hosts that a person allowed.
const TOOLS: [ToolName; 7] = [
    ToolName::Find,
    ToolName::Glob,
    ToolName::Search,
    ToolName::Read,
    ToolName::Write,
    ToolName::Edit,
    ToolName::Shell,
];

/// Arguments of `annals run`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What is to be done, in words; - reads it from stdin
    #[arg(required_unless_present_any = ["resume", "demo"], conflicts_with = "resume")]
    request: Option<String>,
    /// Who answers: one of `annals model list`, or `scripted:FILE`, JSON lines of `{"role": …, "answer": …}`, in order by
    /// role [default: the models that you wrote down, by purpose]
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Go on with a task that was stopped or killed: its id, or the beginning or end of it [default: the latest]
    #[arg(long, value_name = "TASK", num_args = 0..=1, default_missing_value = "")]
    resume: Option<String>,
    /// A whole agent makes the attempts, in place of the executor with its tools; what it says is checked like anything else
    #[arg(long, value_name = "claude|codex", conflicts_with = "resume")]
    executor: Option<AgentProgram>,
    /// A command that ends with 0 when it is done, such as your tests; it runs in the workspace, and outranks what a model
    /// thinks the task should be checked by
    #[arg(long, value_name = "COMMAND", conflicts_with = "resume")]
    check: Vec<String>,
    /// A host that the agent may reach besides those of its own model: NAME or NAME:PORT
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<AllowedHost>,
    /// Show a task that fails twice and is planned anew, in a project made for it: needs no model
    #[arg(long, conflicts_with_all = ["request", "resume", "model", "executor", "allow_host", "check"])]
    demo: bool,
}

/// Where this is the helper that walls a command in, or the one that starts an agent within, that is all it does: it must have
/// no thread yet.
pub(super) fn walled() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let first = words.next()?;
    if first == place::WALLED {
        return Some(annals_workspace::confine::enter(words.next().as_deref()));
    }
    (first == agent::within::WORD).then(|| agent::within::run(words))
}

/// A task that this clone began, the latest where none is named. What another clone brought does not go on here: what is on
/// its record, answers and checks, nobody here has seen.
fn own_task(engine: &Engine, name: Option<&str>) -> anyhow::Result<String> {
    let own = engine.own_entries()?;
    let is_own = |world: &World, id: &str| world.rooms.task.task(id).is_some_and(|task| own.wrote(&task.own_line()));
    let Some(name) = name else {
        let latest = engine.ask(|world| {
            let all = world.rooms.task.latest(usize::MAX);
            all.into_iter().find(|(id, _)| is_own(world, id)).map(|(id, _)| id.to_owned())
        })?;
        return latest
            .ok_or_else(|| Usage("this clone began no task yet; `annals run \"…\"` begins one".to_owned()).into());
    };
    let id = named(engine, Some(name))?;
    if engine.ask(|world| is_own(world, &id))? {
        return Ok(id);
    }
    let words =
        format!("task {id} was begun in another clone, and goes on there; here `annals run \"…\"` begins it anew");
    Err(Usage(words).into())
}

/// What a run works with.
struct RunParts {
    engine: Arc<Engine>,
    models: Arc<RunModels>,
    /// The task that goes on; none where one begins.
    resumed: Option<String>,
    /// The agent that stands in for the executor.
    agent: Option<AgentReady>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    if arguments.demo {
        return demo::run(shell);
    }
    let engine = Arc::new(shell.engine()?);
    let limits = RunLimits::of(engine.settings()).map_err(|error| Usage(format!("the settings ggs.*: {error}")))?;
    let resumed = arguments.resume.as_deref().map(|task| own_task(&engine, Some(task).filter(|task| !task.is_empty())));
    let resumed = resumed.transpose()?;
    let executor = executor(&engine, resumed.as_deref(), arguments.executor)?;
    let agent = executor.map(|program| agent::prepared(shell, &place::outside()?, program, &arguments.allow_host));
    let agent = agent.transpose()?;
    let models = RunModels::of(shell, arguments.model.as_deref(), engine.sanitizer(), &purposes(executor))?;
    let models = models.with_executor(executor);
    let models = Arc::new(models.behind(&engine, resumed.as_deref())?);
    let known = Arc::clone(&engine);
    let bench = RunParts { engine, models, resumed, agent };
    let raw_input = arguments.request.as_deref().map(words_of).transpose()?.unwrap_or_default();
    let wanted = WantedTask { raw_input, checks: checks(&arguments.check)?, limits, executor };
    let end = drive(shell, bench, wanted)?;
    let told = screen::told(shell, &end)?;
    if let RunEnd::Ended { task, .. } = &end {
        tell_rest(shell, &known, task)?;
    }
    Ok(told)
}

/// A task that goes on keeps the executor that it began with.
fn executor(
    engine: &Arc<Engine>,
    resumed: Option<&str>,
    wanted: Option<AgentProgram>,
) -> anyhow::Result<Option<AgentProgram>> {
    resumed.map_or(Ok(wanted), |task| Ok(Journal::look(engine, task)?.setting.executor))
}

/// The person's checks; one that could not fail, or does what cannot be undone, is none.
fn checks(lines: &[String]) -> anyhow::Result<Vec<String>> {
    for line in lines {
        if let Some(problem) = planner::check_problem(line) {
            return Err(Usage(format!("--check '{line}' {problem}")).into());
        }
    }
    Ok(lines.to_vec())
}

fn words_of(words: &str) -> anyhow::Result<String> {
    if words == "-" { Ok(std::io::read_to_string(std::io::stdin())?) } else { Ok(words.to_owned()) }
}

/// A run that is about to begin, or to go on.
enum Start {
    New(Journal, Box<Beginning>),
    Again(String),
}

/// The run has threads of its own; what it says comes here, to the one place that prints.
fn drive(shell: &mut Shell, bench: RunParts, wanted: WantedTask) -> anyhow::Result<RunEnd> {
    let RunParts { engine, models, resumed, agent } = bench;
    let start = match resumed {
        Some(task) => Start::Again(task),
        None => begin(shell, &engine, &models, wanted)?,
    };
    let task = match &start {
        Start::New(journal, _) => journal.task().to_owned(),
        Start::Again(task) => task.clone(),
    };
    let (outside, workspace) = place::workspace(shell, &task)?;
    let tools = WorkspaceTools::behind_walls(shell, &outside, workspace, engine.sanitizer().clone())?;
    let tools = Arc::new(tools);
    let auditor = AuditStore::of(&shell.environment)?;
    let (sends, lines) = channel();
    let agents: Arc<dyn Agents> = match agent {
        None => Arc::new(NoAgents),
        Some(ready) => {
            let (tools, models, screen) = (Arc::clone(&tools), Arc::clone(&models), Channel::new(sends.clone()));
            Arc::new(AgentExecutor::of(shell, AgentParts { ready, tools, models, outside, screen })?)
        }
    };
    let stop = Arc::new(Stop::default());
    stops_at_a_signal(&stop)?;
    let runner = Runner {
        engine,
        models,
        tools,
        agents,
        person: Arc::new(TerminalPerson::new(sends.clone())),
        watch: Arc::new(Watchers::of(Channel::new(sends), auditor, &task)),
        stop,
        by: shell.by_now(),
    };
    let work = thread::spawn(move || work(&runner, start));
    let mut screen = RunScreen::of(shell);
    for line in lines {
        screen.show(shell, line)?;
    }
    screen.close(shell)?;
    Ok(work.join().expect("BUG: a run does not panic")?)
}

/// What a new task is to be.
struct WantedTask {
    raw_input: String,
    checks: Vec<String>,
    limits: RunLimits,
    executor: Option<AgentProgram>,
}

fn begin(shell: &Shell, engine: &Arc<Engine>, models: &RunModels, wanted: WantedTask) -> anyhow::Result<Start> {
    let WantedTask { raw_input, checks, limits, executor } = wanted;
    let (place, form) = (place::listing(&place::project(shell)?), ExecutorForm::Whole);
    let (task_id, tools, new_approach) = (String::new(), TOOLS.to_vec(), NewApproach::BeginsAnew);
    let setting = RunSetting { task_id, limits, tools, place, executor, form, new_approach };
    let request = TaskRequest { raw_input, history: place::history(engine)?, checks };
    let beginning = Beginning { request, setting, models: models.by_role() };
    let journal = Journal::begin(Arc::clone(engine), &beginning, &shell.by_now())?;
    Ok(Start::New(journal, Box::new(beginning)))
}

fn work(runner: &Runner, start: Start) -> Result<RunEnd, RunError> {
    let runtime = super::models::runtime().expect("BUG: two threads can be started");
    runtime.block_on(async {
        match start {
            Start::New(journal, beginning) => runner.begin(journal, &beginning).await,
            Start::Again(task) => runner.resume(&task).await,
        }
    })
}
