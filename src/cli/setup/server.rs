//! `annals setup AGENT --mcp`: our server among those that an agent starts, how it stands, and out again.

use std::path::{Path, PathBuf};

use super::{Arguments, Scope, SetUp, is_there, project, word};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::hook::Agent;
use crate::hook::setup::server::{ServerForm, ServerList, ServerPlan};
use crate::hook::setup::{HooksStanding, Settings, SettingsFile};
use crate::kernel::actor::USER;

/// Whose servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerClient {
    /// An agent that hooks know, too.
    Agent(Agent),
    /// An editor that takes servers, and hooks of others.
    Cursor,
}

impl ServerClient {
    fn name(self) -> &'static str {
        match self {
            Self::Agent(agent) => agent.name(),
            Self::Cursor => "cursor",
        }
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments, client: ServerClient) -> Done {
    let (file, list) = place(shell, client, Scope::of(arguments))?;
    let plan = plan(shell, arguments, client, list)?;
    let path = file.path().to_owned();
    let settings = Settings::read(file)?;
    if arguments.check {
        return check(shell, client, &path, settings.server_standing(&plan)?);
    }
    if arguments.print {
        shell.out.page(&settings.with_server(&plan)?)?;
        return Ok(CommandOutcome::Done);
    }
    let text = if arguments.remove { settings.without_server(&plan)? } else { Some(settings.with_server(&plan)?) };
    let is_changed = settings.text() != text.as_deref();
    settings.store(text.as_deref())?;
    let change = match (is_changed, arguments.remove) {
        (false, _) => "unchanged",
        (true, true) => "removed",
        (true, false) => "installed",
    };
    say(shell, client, &path, change)?;
    if !arguments.remove {
        advise(shell, arguments, client)?;
    }
    Ok(CommandOutcome::Done)
}

fn say(shell: &mut Shell, client: ServerClient, path: &Path, change: &str) -> std::io::Result<()> {
    if shell.wants_json() {
        return shell.out.answer(&SetUp::Changed { agent: client.name(), file: path, change });
    }
    let path = path.display();
    shell.out.line(match change {
        "installed" => format!("{path} starts annals mcp"),
        "removed" => format!("took our server out of {path}"),
        _ => format!("{path} stays as it is"),
    })
}

fn check(shell: &mut Shell, client: ServerClient, path: &Path, standing: HooksStanding) -> Done {
    let word = word(standing);
    if shell.wants_json() {
        let events = [("mcp", word)].into_iter().collect();
        shell.out.answer(&SetUp::Looked { agent: client.name(), file: path, events })?;
    } else {
        shell.out.line(format_args!("{word} in {}", path.display()))?;
    }
    Ok(if standing == HooksStanding::Installed { CommandOutcome::Done } else { CommandOutcome::Refused })
}

fn advise(shell: &mut Shell, arguments: &Arguments, client: ServerClient) -> std::io::Result<()> {
    if shell.context().is_err() {
        shell.out.say("there is no .context here: each tool says so until `annals init` made one")?;
    }
    if !is_there(shell, &arguments.program) {
        let program = &arguments.program;
        shell.out.say(format_args!("{program} is not on the PATH: put it there, or name it with --program"))?;
    }
    let asks = match client {
        ServerClient::Agent(Agent::ClaudeCode) => {
            "Claude Code asks before it starts a server of a project; /mcp shows it"
        }
        ServerClient::Agent(Agent::Codex) => {
            "Codex reads a project's settings only where you trust the project; /mcp shows it"
        }
        ServerClient::Agent(Agent::Gemini) => "Gemini starts servers only in folders that you trust; /mcp shows it",
        ServerClient::Agent(Agent::Copilot) => "the Copilot CLI shows its servers with /mcp",
        ServerClient::Cursor => "Cursor shows its servers in its settings, and asks before it calls a tool",
    };
    shell.out.say(asks)
}

/// How the server is started: what binds the actor stands there, and a token only as the name of its file.
fn plan(shell: &Shell, arguments: &Arguments, client: ServerClient, list: ServerList) -> anyhow::Result<ServerPlan> {
    let mut words = Vec::new();
    if client == ServerClient::Cursor && Scope::of(arguments) == Scope::Project {
        // Cursor starts servers in a folder of its own.
        words.extend(["--context".to_owned(), "${workspaceFolder}/.context".to_owned()]);
    }
    words.push("mcp".to_owned());
    if let Some(actor) = shell.named_actor() {
        if actor.trim().eq_ignore_ascii_case(USER) {
            return Err(Usage("agents act through the server: name one of them, as in --as critic".to_owned()).into());
        }
        words.extend(["--as".to_owned(), actor.to_owned()]);
    }
    if let Some(file) = &arguments.token_file {
        let file = shell.environment.directory.join(file);
        words.extend(["--token-file".to_owned(), file.display().to_string()]);
    }
    let form = match client {
        ServerClient::Agent(Agent::Copilot) => ServerForm::Copilot,
        ServerClient::Agent(Agent::ClaudeCode | Agent::Codex | Agent::Gemini) | ServerClient::Cursor => {
            ServerForm::Plain
        }
    };
    Ok(ServerPlan { list, program: arguments.program.clone(), arguments: words, form })
}

/// The file, and how servers are listed there.
fn place(shell: &Shell, client: ServerClient, scope: Scope) -> anyhow::Result<(SettingsFile, ServerList)> {
    let servers = || ServerList::Json(vec!["mcpServers".to_owned()]);
    let in_project = |file: &str| SettingsFile::in_project(&project(shell), Path::new(file));
    let at_home = |own: Option<&PathBuf>, folder: &str, file: &str| {
        let home = own.cloned().or_else(|| shell.environment.home.as_ref().map(|home| home.join(folder)));
        let home = home.ok_or_else(|| Usage("--user: nobody says where the home is ($HOME)".to_owned()))?;
        Ok::<_, Usage>(SettingsFile::of_person(home.join(file)))
    };
    let environment = &shell.environment;
    Ok(match (client, scope) {
        (ServerClient::Agent(Agent::ClaudeCode), Scope::Project) => (in_project(".mcp.json"), servers()),
        (ServerClient::Agent(Agent::ClaudeCode), Scope::User) => {
            (at_home(environment.claude_home.as_ref(), "", ".claude.json")?, servers())
        }
        (ServerClient::Agent(Agent::ClaudeCode), Scope::Local) => {
            let project = project(shell).display().to_string();
            let keys = ["projects".to_owned(), project, "mcpServers".to_owned()];
            (at_home(environment.claude_home.as_ref(), "", ".claude.json")?, ServerList::Json(keys.to_vec()))
        }
        (ServerClient::Agent(Agent::Codex), Scope::Project) => (in_project(".codex/config.toml"), ServerList::Toml),
        (ServerClient::Agent(Agent::Codex), _) => {
            (at_home(environment.codex_home.as_ref(), ".codex", "config.toml")?, ServerList::Toml)
        }
        (ServerClient::Agent(Agent::Gemini), Scope::Project) => (in_project(".gemini/settings.json"), servers()),
        (ServerClient::Agent(Agent::Gemini), _) => (at_home(None, ".gemini", "settings.json")?, servers()),
        (ServerClient::Agent(Agent::Copilot), Scope::Project) => {
            let says = "the Copilot CLI has its servers in the home alone: `annals setup copilot --mcp --user`";
            return Err(Usage(says.to_owned()).into());
        }
        (ServerClient::Agent(Agent::Copilot), _) => {
            (at_home(environment.copilot_home.as_ref(), ".copilot", "mcp-config.json")?, servers())
        }
        (ServerClient::Cursor, Scope::Project) => (in_project(".cursor/mcp.json"), servers()),
        (ServerClient::Cursor, _) => (at_home(None, ".cursor", "mcp.json")?, servers()),
    })
}
