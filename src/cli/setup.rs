//! `annals setup AGENT`: puts our hooks among the settings of an agent, shows how they stand, takes them out.
//! `annals setup git` does the same with git's hook before a commit; `guide` with what agents without hooks read.

mod exclude;
mod git;
mod guide;
mod server;
mod status_line;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use self::exclude::{FileReach, Own, SaidReach};
use self::guide::Guide;
use self::server::ServerClient;
use super::hook::agent;
use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::cli::table::Column::{Key, Text};
use crate::engine::settings::FAIL_CLOSED;
use crate::engine::{Engine, EngineError};
use crate::hook::Agent;
use crate::hook::setup::{HooksStanding, OnFailure, Plan, Readers, Settings, SettingsFile};

/// Arguments of `annals setup`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "options, as they are typed")]
#[command(group = clap::ArgGroup::new("deed").multiple(false))]
#[command(group = clap::ArgGroup::new("where").multiple(false))]
pub(super) struct Arguments {
    /// Whose settings: claude-code, codex, gemini, copilot; with --mcp cursor, too; git, for a hook that signs before each
    /// commit; agents-md, skill: what agents without hooks read
    #[arg(value_parser = target, value_name = "AGENT|git|agents-md|skill")]
    target: SettingsTarget,
    /// Change nothing; say how each hook stands, and exit with 1 where one is missing
    #[arg(long, group = "deed")]
    check: bool,
    /// Take our hooks out, and nothing else
    #[arg(long, group = "deed")]
    remove: bool,
    /// Change nothing; print the settings as they would be
    #[arg(long, group = "deed")]
    print: bool,
    /// The settings of this project, which a team shares [default]
    #[arg(long, group = "where")]
    project: bool,
    /// The settings that are yours alone: of Claude Code those for this project, else those of your home
    #[arg(long, group = "where")]
    local: bool,
    /// The settings of the person, for all projects
    #[arg(long, group = "where")]
    user: bool,
    /// With claude-code: a line below its prompt with session, cost, failures and what waits, in place of the hooks
    #[arg(long, conflicts_with_all = ["required", "mcp"])]
    status_line: bool,
    /// With git: a commit fails where the head cannot be signed
    #[arg(long)]
    required: bool,
    /// Not our hooks: our server of tools (`annals mcp`), which acts as --as says
    #[arg(long)]
    mcp: bool,
    /// With --mcp: a file that holds the token of the agent
    #[arg(long, value_name = "FILE", requires = "mcp")]
    token_file: Option<PathBuf>,
    /// The program that the agent starts
    #[arg(long, value_name = "PATH", default_value = "annals")]
    program: String,
}

/// Whose settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SettingsTarget {
    Agent(Agent),
    Cursor,
    Git,
    Guide(Guide),
}

fn target(name: &str) -> Result<SettingsTarget, String> {
    let guide = Guide::ALL.into_iter().find(|guide| guide.name() == name).map(SettingsTarget::Guide);
    match (guide, name) {
        (Some(guide), _) => Ok(guide),
        (None, "git") => Ok(SettingsTarget::Git),
        (None, "cursor") => Ok(SettingsTarget::Cursor),
        (None, name) => {
            agent(name).map(SettingsTarget::Agent).map_err(|known| format!("{known}, cursor, git, agents-md, skill"))
        }
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    match arguments.target {
        SettingsTarget::Agent(_) | SettingsTarget::Cursor | SettingsTarget::Guide(_) if arguments.required => {
            Err(Usage("--required is for git".to_owned()).into())
        }
        SettingsTarget::Agent(Agent::ClaudeCode) if arguments.status_line => status_line::run(shell, arguments),
        SettingsTarget::Agent(_) | SettingsTarget::Cursor | SettingsTarget::Git | SettingsTarget::Guide(_)
            if arguments.status_line =>
        {
            Err(Usage("--status-line is for claude-code".to_owned()).into())
        }
        SettingsTarget::Git | SettingsTarget::Guide(_) if arguments.mcp => {
            Err(Usage("--mcp is for an agent".to_owned()).into())
        }
        SettingsTarget::Agent(agent) if arguments.mcp => server::run(shell, arguments, ServerClient::Agent(agent)),
        SettingsTarget::Cursor if arguments.mcp => server::run(shell, arguments, ServerClient::Cursor),
        SettingsTarget::Cursor => {
            Err(Usage("cursor takes our server alone: `annals setup cursor --mcp`".to_owned()).into())
        }
        SettingsTarget::Guide(guide) => guide::run(shell, arguments, guide),
        SettingsTarget::Agent(agent) => of_agent(shell, arguments, agent),
        SettingsTarget::Git => git::run(shell, arguments),
    }
}

fn of_agent(shell: &mut Shell, arguments: &Arguments, agent: Agent) -> Done {
    let engine = if shell.context().is_ok() { Some(shell.engine()?) } else { None };
    let scope = Scope::of(arguments);
    let file = file_of(shell, agent, scope)?;
    let path = file.path().to_owned();
    let on_failure = match &engine {
        Some(engine) if engine.settings().get(&FAIL_CLOSED) => OnFailure::Block,
        Some(_) | None => OnFailure::Continue,
    };
    let readers = scope.readers();
    let plan = Plan { agent, program: arguments.program.clone(), on_failure, readers, through: None };
    let project = file.project().filter(|_| readers == Readers::Person).map(Path::to_owned);
    let own = project.as_deref().map(|project| Own::new(project, &path));
    let settings = Settings::read(file)?;
    if arguments.check {
        check(shell, &path, &settings, &plan)
    } else if arguments.remove {
        let done = remove(shell, &path, &settings, plan.agent)?;
        if let Some(exclude) = own.map_or(Ok(None), |own| own.give_back())? {
            shell.out.say(format_args!("{} says nothing of {} any more", exclude.display(), path.display()))?;
        }
        Ok(done)
    } else if arguments.print {
        shell.out.json_text(settings.with(&plan)?.trim_end())?;
        Ok(CommandOutcome::Done)
    } else {
        let done = install(shell, &path, &settings, &plan)?;
        say_who_reads(shell, &plan, &path, &own.map_or(FileReach::Alone, |own| own.keep_out()))?;
        warn_of_others(shell, &plan, &path)?;
        advise(shell, &plan, engine.as_ref())?;
        Ok(done)
    }
}

/// Whose settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The project's, for everybody who has it.
    Project,
    /// The person's, for this project where the agent knows such settings.
    Local,
    /// The person's, for all projects.
    User,
}

impl Scope {
    pub(super) const ALL: [Self; 3] = [Self::Project, Self::Local, Self::User];

    fn of(arguments: &Arguments) -> Self {
        match (arguments.local, arguments.user) {
            (true, _) => Self::Local,
            (false, true) => Self::User,
            (false, false) => Self::Project,
        }
    }

    fn readers(self) -> Readers {
        match self {
            Self::Project => Readers::Team,
            Self::Local | Self::User => Readers::Person,
        }
    }
}

/// The folder of the project; the working directory where there is none.
fn project(shell: &Shell) -> PathBuf {
    let context = shell.context().ok();
    context.as_deref().and_then(Path::parent).unwrap_or(&shell.environment.directory).to_owned()
}

/// The file that the agent reads.
pub(super) fn file_of(shell: &Shell, agent: Agent, scope: Scope) -> anyhow::Result<SettingsFile> {
    let environment = &shell.environment;
    let (folder, file) = match agent {
        Agent::ClaudeCode => (".claude", "settings.json"),
        Agent::Codex => (".codex", "hooks.json"),
        Agent::Gemini => (".gemini", "settings.json"),
        Agent::Copilot if scope == Scope::Project => (".github/hooks", "annals.json"),
        Agent::Copilot => (".copilot/hooks", "annals.json"),
    };
    let file = if (agent, scope) == (Agent::ClaudeCode, Scope::Local) { "settings.local.json" } else { file };
    if scope == Scope::Project || (agent, scope) == (Agent::ClaudeCode, Scope::Local) {
        return Ok(SettingsFile::in_project(&project(shell), &Path::new(folder).join(file)));
    }
    let own = match agent {
        Agent::ClaudeCode => environment.claude_home.clone(),
        Agent::Codex => environment.codex_home.clone(),
        Agent::Gemini => None,
        Agent::Copilot => environment.copilot_home.as_ref().map(|home| home.join("hooks")),
    };
    let home = own.or_else(|| environment.home.as_ref().map(|home| home.join(folder)));
    let home = home.ok_or_else(|| Usage("--user: nobody says where the home is ($HOME)".to_owned()))?;
    Ok(SettingsFile::of_person(home.join(file)))
}

fn install(shell: &mut Shell, path: &Path, settings: &Settings, plan: &Plan) -> Done {
    let text = settings.with(plan)?;
    let is_new = settings.text() != Some(&text);
    settings.store(Some(&text))?;
    let change = if is_new { "installed" } else { "unchanged" };
    report(shell, path, plan.agent, change)?;
    if shell.wants_json() {
        return Ok(CommandOutcome::Done);
    }
    let count = plan.events().len();
    let verb = if is_new { "now call" } else { "already call" };
    shell.out.line(format_args!("{count} hooks in {} {verb} {} hook", path.display(), plan.program))?;
    Ok(CommandOutcome::Done)
}

/// The answer in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum SetUp<'s> {
    /// What was done with the file.
    Changed { agent: &'static str, file: &'s Path, change: &'s str },
    /// How the hooks stand in it, by event.
    Looked { agent: &'static str, file: &'s Path, events: BTreeMap<&'s str, &'static str> },
}

fn report(shell: &mut Shell, path: &Path, agent: Agent, change: &str) -> std::io::Result<()> {
    if !shell.wants_json() {
        return Ok(());
    }
    shell.out.answer(&SetUp::Changed { agent: agent.name(), file: path, change })
}

/// Whom the change is for: a team reads what stands in the project.
fn say_who_reads(shell: &mut Shell, plan: &Plan, path: &Path, reach: &FileReach) -> std::io::Result<()> {
    match plan.readers {
        Readers::Team => {
            shell
                .out
                .say(format_args!("{} goes with the project: who shares it through git shares", path.display()))?;
            shell
                .out
                .say(format_args!("these hooks, which do nothing where {} is missing. For you alone:", plan.program))?;
            shell.out.say(format_args!("`annals setup {} --local`", plan.agent.name()))
        }
        Readers::Person => shell.out.say(SaidReach(path, reach)),
    }
}

/// Hooks in two places would record everything twice.
fn warn_of_others(shell: &mut Shell, plan: &Plan, path: &Path) -> std::io::Result<()> {
    let mut warned = vec![path.to_owned()];
    for scope in Scope::ALL {
        let Ok(other) = file_of(shell, plan.agent, scope) else { continue };
        if !warned.iter().any(|path| path == other.path()) {
            warned.push(other.path().to_owned());
            warn_of_both(shell, plan, other)?;
        }
    }
    Ok(())
}

fn warn_of_both(shell: &mut Shell, plan: &Plan, other: SettingsFile) -> std::io::Result<()> {
    let path = other.path().to_owned();
    let standing = Settings::read(other).ok().and_then(|settings| settings.standing(plan).ok()).unwrap_or_default();
    if standing.iter().any(|(_, standing)| *standing != HooksStanding::Missing) {
        shell.out.say(format_args!("our hooks are in {} too: take one of them out, or calls may", path.display()))?;
        shell.out.say("be recorded twice (`annals setup … --remove`, with or without --local or --user)")?;
    }
    Ok(())
}

/// What else must be for the hooks to work.
fn advise(shell: &mut Shell, plan: &Plan, engine: Option<&Engine>) -> anyhow::Result<()> {
    match engine {
        None => shell.out.say("there is no .context here: hooks record nothing until `annals init` made one")?,
        // The first hook would have to read the whole history; so it is read now.
        Some(engine) => {
            engine.log().write(&mut || engine.clock().chance(), |_| Ok::<(), EngineError>(()))?;
            engine.store_checkpoint()?;
        }
    }
    if !is_there(shell, &plan.program) {
        shell.out.say(format_args!("{} is not on the PATH: put it there, or name it with --program", plan.program))?;
    }
    match plan.agent {
        Agent::ClaudeCode => {}
        Agent::Codex => {
            shell.out.say("Codex runs a new or changed hook only when you trust it: start it here and open /hooks.")?;
            shell.out.say("Until then it skips the hook and says nothing; `annals doctor` shows what was seen.")?;
        }
        Agent::Gemini => {
            shell.out.say("Gemini runs hooks only in folders that you trust; `annals doctor` shows what was seen.")?;
        }
        Agent::Copilot => {
            shell.out.say("Copilot runs hooks only in folders that you trust; `annals doctor` shows what was seen.")?;
            shell.out.say("It takes no words from hooks: `annals setup agents-md` tells it where to ask.")?;
        }
    }
    let blocks_itself = matches!(plan.agent, Agent::ClaudeCode | Agent::Copilot);
    if plan.on_failure == OnFailure::Block && !blocks_itself {
        shell.out.say("hook.fail_closed: this agent goes on when a hook cannot be started; annals itself blocks")?;
    }
    Ok(())
}

fn is_there(shell: &Shell, program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).is_file();
    }
    shell
        .environment
        .path
        .as_ref()
        .is_some_and(|path| std::env::split_paths(path).any(|folder| folder.join(program).is_file()))
}

fn word(standing: HooksStanding) -> &'static str {
    match standing {
        HooksStanding::Installed => "installed",
        HooksStanding::Differs => "differs",
        HooksStanding::Missing => "missing",
    }
}

fn check(shell: &mut Shell, path: &Path, settings: &Settings, plan: &Plan) -> Done {
    let standing = settings.standing(plan)?;
    let is_complete = standing.iter().all(|(_, standing)| *standing == HooksStanding::Installed);
    if shell.wants_json() {
        let events = standing.iter().map(|(event, standing)| (*event, word(*standing))).collect();
        shell.out.answer(&SetUp::Looked { agent: plan.agent.name(), file: path, events })?;
    } else {
        let row = |(event, standing): &(&str, HooksStanding)| vec![(*event).to_owned(), word(*standing).to_owned()];
        let rows: Vec<_> = standing.iter().map(row).collect();
        shell.out.table(&[Key("event"), Text("hook")], &rows)?;
        shell.out.say(format_args!("in {}", path.display()))?;
    }
    Ok(if is_complete { CommandOutcome::Done } else { CommandOutcome::Refused })
}

fn remove(shell: &mut Shell, path: &Path, settings: &Settings, agent: Agent) -> Done {
    let text = settings.without(agent)?;
    let is_changed = settings.text() != text.as_deref();
    settings.store(text.as_deref())?;
    report(shell, path, agent, if is_changed { "removed" } else { "unchanged" })?;
    if !shell.wants_json() {
        let what = if is_changed { "took our hooks out of" } else { "there are no hooks of ours in" };
        shell.out.line(format_args!("{what} {}", path.display()))?;
    }
    Ok(CommandOutcome::Done)
}
