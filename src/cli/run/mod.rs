//! `annals run`: a task of the control loop, from its request to its final result, in a workspace of its own.
//!
//! Joins what the loop needs: models, the workspace, the person at the terminal, and the screen.

mod agent;
mod at_work;
mod checks;
mod demo;
pub(super) mod excluded;
mod frame;
mod models;
mod parses;
mod person;
mod place;
mod screen;
mod tools;
mod tree;
mod watch;
mod web;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

use annals_workspace::proxy::AllowedHost;
use annals_workspace::workspace::Workspace;

use self::agent::{AgentExecutor, AgentParts, AgentReady, NoAgents};
use self::models::{RunModels, purposes};
use self::person::TerminalPerson;
use self::screen::{Channel, RunScreen};
use self::tools::WorkspaceTools;
use self::watch::Watchers;
use self::web::WebFetcher;
use super::audit::AuditStore;
use super::shell::{Done, Shell, Usage};
use super::task::{named, rest_of};
use crate::act::{Agents, Beginning, Journal, Recorded, RunEnd, RunError, Runner, Stop};
use crate::engine::Engine;
use crate::role::auditor::RoleCost;
use crate::role::delegate::AgentProgram;
use crate::role::ggs::Terminal;
use crate::role::plan::TaskRequest;
use crate::role::planner;
use crate::role::run::{RunLimits, RunSetting};
use crate::role::tool::ToolName;
use crate::world::World;

pub(super) use self::agent::hooks::through as handed_out;
pub(super) use self::at_work::TaskLock;
pub(super) use self::checks::forbidden_changes;
pub(super) use self::frame::{RunBegun, ToldEnd};
pub(super) use self::person::WhoIsAsked;
pub(super) use self::place::{Whereabouts, author, outside, project, reopened, require_here, state, whereabouts};
pub(super) use self::screen::{StreamedMessage, lines, stops_at_a_signal};
pub(super) use self::watch::Overheard;

/// The tools that a run offers; `fetch` besides, where the person allowed hosts.
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
    /// A host that may be reached, NAME or NAME:PORT: by an agent besides those of its own model, else by the tool fetch
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
/// its record, answers and checks, nobody here has seen; nor does anything become of its changes here.
pub(super) fn own_task(shell: &Shell, engine: &Engine, name: Option<&str>) -> anyhow::Result<String> {
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
    let id = named(shell, engine, Some(name))?;
    if engine.ask(|world| is_own(world, &id))? {
        return Ok(id);
    }
    let there = Workspace::whose(&state(shell)?, &id).ok();
    let there = there.map(|there| format!(" ({})", there.display())).unwrap_or_default();
    let words = format!(
        "task {id} was begun in another clone{there}, goes on there and is settled there; here `annals run \"…\"` begins it anew"
    );
    Err(Usage(words).into())
}

/// What a run works with.
struct RunParts {
    engine: Arc<Engine>,
    models: Arc<RunModels>,
    /// The task that goes on, which no other process is at work on; none where one begins.
    resumed: Option<(TaskLock, String)>,
    /// The agent that stands in for the executor.
    agent: Option<AgentReady>,
    /// Who brings pages to the executor.
    fetcher: Option<WebFetcher>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    if arguments.demo {
        return demo::run(shell);
    }
    let raw_input = arguments.request.as_deref().map(words_of).transpose()?.unwrap_or_default();
    let engine = Arc::new(shell.engine()?);
    let limits = RunLimits::of(engine.settings()).map_err(|error| Usage(format!("the settings ggs.*: {error}")))?;
    let resumed =
        arguments.resume.as_deref().map(|task| own_task(shell, &engine, Some(task).filter(|task| !task.is_empty())));
    let resumed = resumed.transpose()?.map(|task| Ok::<_, anyhow::Error>((TaskLock::take(shell, &task)?, task)));
    let resumed = resumed.transpose()?;
    let task = resumed.as_ref().map(|(_, task)| task.as_str());
    let Reach { executor, hosts } = reach(&engine, task, arguments)?;
    let agent = executor.map(|program| agent::prepared(shell, &outside()?, program, &hosts)).transpose()?;
    let fetcher = if executor.is_some() { None } else { WebFetcher::of(&hosts)? };
    let models = RunModels::of(shell, arguments.model.as_deref(), engine.sanitizer(), &purposes(executor))?;
    let models = models.with_executor(executor);
    let models = Arc::new(models.behind(&engine, task)?);
    let known = Arc::clone(&engine);
    let bench = RunParts { engine, models, resumed, agent, fetcher };
    let wanted = WantedTask { raw_input, checks: checks(&arguments.check)?, limits, executor, hosts };
    let (end, used) = drive(shell, bench, wanted)?;
    let go_on = go_on(frame::task(&end), arguments);
    let done = screen::told(shell, &end, &go_on)?;
    let rest = match &end {
        RunEnd::Ended { task, .. } | RunEnd::Paused { task, .. } => Some(rest_of(shell, &known, task)?),
        RunEnd::Left { .. } => None,
    };
    if let (RunEnd::Ended { result, .. }, Some(rest)) = (&end, &rest) {
        rest.say(shell)?;
        if result.directive != Terminal::Abandon {
            rest.say_whose(shell)?;
        }
    }
    if shell.wants_json() {
        shell.out.answer(&ToldEnd::of(&end, &go_on, used, rest))?;
    }
    Ok(done)
}

/// The command that goes on with a task, with whom was asked.
fn go_on(task: &str, arguments: &Arguments) -> String {
    let quoted =
        |model: &str| if model.contains(' ') { format!(" --model '{model}'") } else { format!(" --model {model}") };
    let model = arguments.model.as_deref().map(quoted).unwrap_or_default();
    format!("annals run --resume {task}{model}")
}

/// Who executes, and which hosts may be reached.
struct Reach {
    executor: Option<AgentProgram>,
    hosts: Vec<AllowedHost>,
}

/// A task that goes on keeps both; more hosts may be allowed, where any were from the beginning.
fn reach(engine: &Arc<Engine>, resumed: Option<&str>, arguments: &Arguments) -> anyhow::Result<Reach> {
    let (executor, mut hosts) = (arguments.executor, arguments.allow_host.clone());
    let Some(task) = resumed else { return Ok(Reach { executor, hosts }) };
    let Recorded { setting, hosts: before, .. } = Journal::look(engine, task)?;
    if setting.executor.is_none() && !hosts.is_empty() && !setting.tools.contains(&ToolName::Fetch) {
        let words = format!("--allow-host: task {task} was begun without the tool fetch, and goes on without it");
        return Err(Usage(words).into());
    }
    for host in before {
        let host = host.parse::<AllowedHost>().map_err(|error| Usage(format!("task {task}: {error}")))?;
        if !hosts.contains(&host) {
            hosts.push(host);
        }
    }
    Ok(Reach { executor: setting.executor, hosts })
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
    let words = if words == "-" { std::io::read_to_string(std::io::stdin())? } else { words.to_owned() };
    if words.trim().is_empty() {
        return Err(Usage("the request is empty: say in words what is to be done".to_owned()).into());
    }
    Ok(words)
}

/// A run that is about to begin, or to go on.
enum Start {
    New(Journal, Box<Beginning>),
    Again(String),
}

/// The run has threads of its own; what it says comes here, to the one place that prints.
fn drive(shell: &mut Shell, bench: RunParts, wanted: WantedTask) -> anyhow::Result<(RunEnd, RoleCost)> {
    let RunParts { engine, models, resumed, agent, fetcher } = bench;
    let mut folder = None;
    let (lock, task, start) = if let Some((lock, task)) = resumed {
        (lock, task.clone(), Start::Again(task))
    } else {
        folder = place::require_place(shell)?;
        let (journal, beginning) = begin(shell, &engine, &models, wanted)?;
        let task = journal.task().to_owned();
        (TaskLock::take(shell, &task)?, task, Start::New(journal, beginning))
    };
    let own_checks = match &start {
        Start::New(_, beginning) => beginning.request.checks.clone(),
        Start::Again(task) => Journal::look(&engine, task)?.request.checks,
    };
    let asked = WhoIsAsked::by(shell, &engine, &task)?;
    let (outside, workspace) = place::workspace(shell, &engine, &task)?;
    if folder.is_none() && !workspace.is_clone() {
        folder = Some(place::in_itself(shell, workspace.path())?);
    }
    screen::begins(shell, &RunBegun::of(&task, &workspace))?;
    let tools = WorkspaceTools::behind_walls(shell, &outside, workspace, engine.sanitizer().clone(), &asked)?;
    let tools = Arc::new(tools.with_fetcher(fetcher).with_own_checks(own_checks));
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
    lock.listens(&stop)?;
    let mut screen = RunScreen::of(shell, &stop, asked);
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
    for line in lines {
        screen.show(shell, line)?;
    }
    let used = screen.close(shell)?;
    let end = work.join().expect("BUG: a run does not panic")?;
    drop(folder);
    Ok((end, used))
}

/// What a new task is to be.
struct WantedTask {
    raw_input: String,
    checks: Vec<String>,
    limits: RunLimits,
    executor: Option<AgentProgram>,
    hosts: Vec<AllowedHost>,
}

fn begin(
    shell: &Shell,
    engine: &Arc<Engine>,
    models: &RunModels,
    wanted: WantedTask,
) -> anyhow::Result<(Journal, Box<Beginning>)> {
    let WantedTask { raw_input, checks, limits, executor, hosts } = wanted;
    let hosts: Vec<_> = hosts.iter().map(ToString::to_string).collect();
    let (mut place, mut tools) = (place::listing(&project(shell)?), TOOLS.to_vec());
    if executor.is_none() && !hosts.is_empty() {
        tools.push(ToolName::Fetch);
        place.extend(["\n(fetch reaches ", &hosts.join(", "), ")"]);
    }
    let setting = RunSetting { executor, ..RunSetting::today(limits, tools, place) };
    let request = TaskRequest { raw_input, history: place::history(engine)?, checks };
    let beginning = Beginning { request, setting, models: models.by_role(), hosts };
    let journal = Journal::begin(Arc::clone(engine), &beginning, &shell.by_now())?;
    Ok((journal, Box::new(beginning)))
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
