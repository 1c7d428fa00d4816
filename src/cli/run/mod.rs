//! `annals run`: a task of the control loop, from its request to its final result, in a workspace of its own.
//!
//! Joins what the loop needs: models, the workspace, the person at the terminal, and the screen.

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

use self::models::RunModels;
use self::person::TerminalPerson;
use self::screen::{Channel, RunScreen};
use self::tools::WorkspaceTools;
use self::watch::Watchers;
use super::audit::AuditStore;
use super::shell::{Done, Shell, Usage};
use super::task::named;
use crate::act::{Beginning, Journal, RunEnd, RunError, Runner, Stop};
use crate::engine::Engine;
use crate::role::plan::TaskRequest;
use crate::role::run::{RunLimits, RunSetting};
use crate::role::tool::ToolName;

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
    /// Show a task that fails twice and is planned anew, in a project made for it: needs no model
    #[arg(long, conflicts_with_all = ["request", "resume", "model"])]
    demo: bool,
}

/// Where this is the helper that walls a command in, that is all it does: it must have no thread yet.
pub(super) fn walled() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let is_walled = words.next().is_some_and(|word| word == place::WALLED);
    is_walled.then(|| annals_workspace::confine::enter(words.next().as_deref()))
}

/// What a run works with.
struct RunParts {
    engine: Arc<Engine>,
    models: Arc<RunModels>,
    /// The task that goes on; none where one begins.
    resumed: Option<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    if arguments.demo {
        return demo::run(shell);
    }
    let engine = Arc::new(shell.engine()?);
    let limits = RunLimits::of(engine.settings()).map_err(|error| Usage(format!("the settings ggs.*: {error}")))?;
    let resumed = arguments.resume.as_deref().map(|task| named(&engine, Some(task).filter(|task| !task.is_empty())));
    let resumed = resumed.transpose()?;
    let models = RunModels::of(shell, arguments.model.as_deref(), engine.sanitizer())?;
    let models = Arc::new(models.behind(&engine, resumed.as_deref())?);
    let bench = RunParts { engine, models, resumed };
    let request = arguments.request.as_deref().map(words_of).transpose()?;
    let end = drive(shell, bench, request, limits)?;
    screen::told(shell, &end)
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
fn drive(shell: &mut Shell, bench: RunParts, request: Option<String>, limits: RunLimits) -> anyhow::Result<RunEnd> {
    let RunParts { engine, models, resumed } = bench;
    let start = match resumed {
        Some(task) => Start::Again(task),
        None => begin(shell, &engine, &models, request.unwrap_or_default(), limits)?,
    };
    let task = match &start {
        Start::New(journal, _) => journal.task().to_owned(),
        Start::Again(task) => task.clone(),
    };
    let (outside, workspace) = place::workspace(shell, &task)?;
    let tools = WorkspaceTools::behind_walls(shell, &outside, workspace, engine.sanitizer().clone())?;
    let auditor = AuditStore::of(&shell.environment)?;
    let (sends, lines) = channel();
    let stop = Arc::new(Stop::default());
    stops_at_a_signal(&stop)?;
    let runner = Runner {
        engine,
        models,
        tools: Arc::new(tools),
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

fn begin(
    shell: &Shell,
    engine: &Arc<Engine>,
    models: &RunModels,
    raw_input: String,
    limits: RunLimits,
) -> anyhow::Result<Start> {
    let listing = place::listing(&place::project(shell)?);
    let setting = RunSetting { task_id: String::new(), limits, tools: TOOLS.to_vec(), place: listing };
    let request = TaskRequest { raw_input, history: place::history(engine)? };
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
