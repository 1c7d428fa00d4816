//! A whole agent as executor (decisions 61, 63, 66): one process an attempt, behind the walls of the workspace, with our hooks
//! on and our proxy as its only way out.
//!
//! Runs it and says how it ended; what that is worth is R4a's matter.

mod codex;
mod find;
pub(super) mod hooks;
mod login;
mod program;
pub(super) mod within;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use annals_workspace::Outside;
use annals_workspace::confine::{Cancel, CommandEnd, CommandLimits, CommandOutcome, Confinement, Mapped, Opening};
use annals_workspace::proxy::{AllowedHost, AllowedHosts, Proxy, listener_at, resolve};
use annals_workspace::workspace::AgentPlace;
use anyhow::{Context as _, ensure};

use self::hooks::{HookDoor, HookGate};
use self::login::AgentLogin;
use self::program::KnownAgent as _;
use super::models::RunModels;
use super::screen::Channel;
use super::tools::WorkspaceTools;
use crate::act::Agents;
use crate::cli::shell::{Shell, Usage};
use crate::engine::clock::Clock;
use crate::role::delegate::{self, AgentEnd, AgentJob, AgentOutcome, AgentProgram};

/// Where an agent finds the sockets, within.
const SOCKETS: &str = "/run/annals";
/// The sockets' names.
const PROXY: &str = "proxy.sock";
const HOOKS: &str = "hooks.sock";
/// So much of what it writes is kept of the beginning, and as much of the end.
const OUTPUT_BYTES: usize = 512 << 10;
/// Agents start more than commands do: their threads count, too.
const PROCESSES: u64 = 2_048;

/// What an agent needs of this machine, found before a task begins.
pub(super) struct AgentReady {
    program: AgentProgram,
    /// The program, and what of its installation it reads.
    path: PathBuf,
    reads: Vec<PathBuf>,
    login: AgentLogin,
    /// What the person allows beside it.
    hosts: Vec<AllowedHost>,
}

/// Runs agents in the workspace of a task.
pub(super) struct AgentExecutor {
    ready: AgentReady,
    tools: Arc<WorkspaceTools>,
    models: Arc<RunModels>,
    outside: Outside,
    door: HookDoor,
    screen: Channel,
    cancel: Cancel,
    clock: Clock,
}

/// What an executor works with.
pub(super) struct AgentParts {
    pub(super) ready: AgentReady,
    pub(super) tools: Arc<WorkspaceTools>,
    pub(super) models: Arc<RunModels>,
    pub(super) outside: Outside,
    pub(super) screen: Channel,
}

/// For tasks with the executor of the loop: nobody asks it anything.
pub(super) struct NoAgents;

impl Agents for NoAgents {
    fn run(&self, _: &AgentJob) -> AgentOutcome {
        AgentOutcome::silent(AgentEnd::NotStarted { why: "this task has no agent as executor".to_owned() })
    }

    fn stop(&self) {}
}

impl AgentExecutor {
    /// Looks whether the walls of this machine hold an agent.
    pub(super) fn of(shell: &Shell, parts: AgentParts) -> anyhow::Result<Self> {
        let AgentParts { ready, tools, models, outside, screen } = parts;
        if !tools.confinement().holds_agents() {
            let words = "an agent needs walls that this machine does not have (a network and a view of its own); \
                         the executor of the loop does without: annals run without --executor";
            return Err(Usage(words.to_owned()).into());
        }
        tools.workspace().clear_agents()?;
        let door = HookDoor::of(shell, ready.program, &tools.workspace().folder())?;
        let (cancel, clock) = (Cancel::default(), Clock::default());
        Ok(Self { ready, tools, models, outside, door, screen, cancel, clock })
    }

    fn attempt(&self, job: &AgentJob) -> anyhow::Result<AgentOutcome> {
        self.models.require_left().map_err(anyhow::Error::msg)?;
        let place = self.tools.workspace().agent_place()?;
        let session = self.ready.program.facts().own_session.then(|| uuid(self.clock.chance()));
        self.furnish(&place, job)?;
        let gate = HookGate::open(listener_at(&place.sockets(), HOOKS)?, self.door.clone(), session.clone())?;
        let hosts = self.ready.login.hosts.iter().chain(&self.ready.hosts).cloned();
        let proxy = Proxy::start(listener_at(&place.sockets(), PROXY)?, AllowedHosts::of(hosts), resolve)?;
        let walls = self.walls(&place);
        let argv = self.argv(&place, session.as_deref());
        let limits = CommandLimits {
            deadline: Duration::from_millis(job.deadline_ms),
            output_bytes: OUTPUT_BYTES,
            processes: PROCESSES,
            ..CommandLimits::default()
        };
        let stopwatch = self.clock.stopwatch();
        let CommandOutcome { end, output } = self.tools.workspace().run_agent(&walls, argv, &limits, &self.cancel)?;
        let folder = self.tools.workspace().folder().to_string_lossy().into_owned();
        let (hooks, session) = (gate.heard(), gate.session());
        let outcome = AgentOutcome {
            folder,
            output,
            refused: proxy.refused(),
            hooks,
            session,
            ..AgentOutcome::silent(ended(end))
        };
        let (used, ms) = (delegate::read(job.program, &outcome).usage, stopwatch.millis());
        self.models.spend_agent(used, ms);
        self.screen.agent_used(used, ms);
        Ok(outcome)
    }

    /// What it finds: its login, its settings with our hooks, and what it is told.
    fn furnish(&self, place: &AgentPlace, job: &AgentJob) -> anyhow::Result<()> {
        for (name, text) in &self.ready.login.files {
            place.put(&place.login(), name, text)?;
        }
        if let Some((_, name)) = &self.ready.login.secret {
            // What is shown there covers it.
            place.put(&place.login(), name, "")?;
        }
        let facts = self.ready.program.facts();
        let folder = if facts.hooks_in_login { place.login() } else { place.given() };
        let hooks = hooks::settings(self.ready.program, &self.outside.helper.program, &folder)?;
        place.put(&folder, facts.hooks_file, &hooks)?;
        place.put(&place.given(), within::PROMPT, &self.tools.cleaned(&job.prompt))?;
        Ok(())
    }

    fn walls(&self, place: &AgentPlace) -> Confinement {
        let facts = self.ready.program.facts();
        let mut opening = Opening {
            read: [self.ready.reads.clone(), vec![self.outside.helper.program.clone(), place.given()]].concat(),
            write: vec![place.login()],
            mapped: vec![Mapped { from: place.sockets(), at: SOCKETS.into() }],
            // What is in files that hold secrets no model is told.
            hidden: self.tools.excluded_files(),
            environment: self.ready.login.variables.clone(),
        };
        let secret = self.ready.login.secret.iter();
        opening.mapped.extend(secret.map(|(from, name)| Mapped { from: from.clone(), at: place.login().join(name) }));
        let fixed = facts.fixed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        opening.environment.extend(fixed);
        let login = place.login().to_string_lossy().into_owned();
        opening.environment.insert(facts.login_variable.to_owned(), login);
        self.tools.confinement().widened(&opening)
    }

    /// Our own program within, which starts the agent.
    fn argv(&self, place: &AgentPlace, session: Option<&str>) -> Vec<String> {
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        let facts = self.ready.program.facts();
        let mut argv = vec![text(self.outside.helper.program.clone())];
        argv.extend([within::WORD.to_owned(), text(place.given())]);
        argv.push(text(self.ready.path.clone()));
        argv.extend(facts.words.iter().map(|word| (*word).to_owned()));
        if !facts.hooks_in_login {
            argv.extend(["--settings".to_owned(), text(place.given().join(facts.hooks_file))]);
        }
        argv.extend(session.iter().flat_map(|session| ["--session-id".to_owned(), (*session).to_owned()]));
        argv.extend(facts.last_word.map(str::to_owned));
        argv
    }

    /// What it may not reach is said at once: the record has it, too.
    fn tell_of(&self, outcome: &AgentOutcome) {
        for (host, times) in &outcome.refused {
            let program = self.ready.program;
            let words = format!("{program} may not reach {host} (refused: {times}); --allow-host {host} lets it");
            self.screen.warn(&words);
        }
    }
}

impl Agents for AgentExecutor {
    fn run(&self, job: &AgentJob) -> AgentOutcome {
        let outcome = self.attempt(job);
        let outcome =
            outcome.unwrap_or_else(|error| AgentOutcome::silent(AgentEnd::NotStarted { why: format!("{error:#}") }));
        self.tell_of(&outcome);
        outcome
    }

    fn stop(&self) {
        self.cancel.cancel();
    }
}

fn ended(end: CommandEnd) -> AgentEnd {
    match end {
        CommandEnd::Exited(code) => AgentEnd::Exited { code },
        CommandEnd::OutOfTime => AgentEnd::OutOfTime,
        CommandEnd::NotStarted(why) => AgentEnd::NotStarted { why },
        CommandEnd::Stopped => AgentEnd::Unknown { why: "the person stopped the run".to_owned() },
        CommandEnd::Lost(why) => AgentEnd::Unknown { why },
    }
}

/// One of chance (RFC 9562, version 4).
fn uuid(chance: u128) -> String {
    let marked = chance & !(0xf000 << 64 | 0xc000 << 48) | 0x4000 << 64 | 0x8000 << 48;
    let hex = format!("{marked:032x}");
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// What is needed of this machine for an agent; said before a task begins.
pub(super) fn prepared(
    shell: &Shell,
    outside: &Outside,
    program: AgentProgram,
    hosts: &[AllowedHost],
) -> anyhow::Result<AgentReady> {
    ensure!(cfg!(target_os = "linux"), Usage("an agent as executor needs the walls of Linux".to_owned()));
    let facts = program.facts();
    let found = find::program(&outside.environment, facts.command);
    let path = found.ok_or_else(|| Usage(format!("{} is not installed: {}", facts.command, facts.install)))?;
    let login = login::ready(shell, outside, program)?;
    let reads = find::parts(&path).context("cannot look at the program")?;
    Ok(AgentReady { program, path, reads, login, hosts: hosts.to_vec() })
}
