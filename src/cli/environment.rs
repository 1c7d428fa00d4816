//! The environment, read once. Nothing else in the program asks for it.

use std::ffi::OsString;
use std::path::PathBuf;

use super::agents_shell::agent_around;
use crate::log::git::GitEnvironment;

/// What the program finds around it.
#[derive(Debug, Clone)]
pub(super) struct Environment {
    /// Arguments, the program's name first.
    pub arguments: Vec<OsString>,
    /// Where it was started.
    pub directory: PathBuf,
    /// The home of the person who started it.
    pub home: Option<PathBuf>,
    /// `XDG_STATE_HOME`: where programs keep what is the user's and no project's.
    pub state_home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`: where programs keep what the person set.
    pub config_home: Option<PathBuf>,
    /// `ANNALS_NOW`: a fixed time, where the folder takes one (`given`).
    pub now: Option<String>,
    /// `ANNALS_SEED`: fixed chance, likewise.
    pub seed: Option<String>,
    /// `CODEX_HOME`, where Codex keeps its own.
    pub codex_home: Option<PathBuf>,
    /// `COPILOT_HOME`, where the Copilot CLI keeps its own.
    pub copilot_home: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`, where Claude Code keeps its own.
    pub claude_home: Option<PathBuf>,
    /// `NO_COLOR` is set, or `TERM` is `dumb`.
    pub wants_no_colour: bool,
    /// `CLAUDE_PROJECT_DIR` or `GEMINI_PROJECT_DIR`: the project, as an agent tells its hooks.
    pub project: Option<PathBuf>,
    /// `ANNALS_SESSION`: the session of what is recorded by hand.
    pub session: Option<String>,
    /// `ANNALS_AS`: who acts, where no option says it.
    pub actor: Option<String>,
    /// The agent that runs the command, where it marks what it runs.
    pub agent: Option<Box<str>>,
    /// `ANNALS_TOKEN`: shows that who acts is who it says, where the roster requires that.
    pub token: Option<String>,
    /// `DISABLE_DEBATE` is set, and not to 0 or false: nothing is argued about.
    pub is_debate_off: bool,
    /// `ANNALS_PAGER`, else `PAGER`; an empty one: none.
    pub pager: Option<String>,
    /// `PATH`, where programs are looked for.
    pub path: Option<OsString>,
    /// `ANNALS_LOG`: what is told of effects on stderr.
    pub log: Option<String>,
    /// `COLUMNS`: how wide the terminal is.
    pub columns: Option<usize>,
    /// `USER`, for entries that a person stands for.
    pub user: Option<String>,
    /// What it says to git.
    pub git: GitEnvironment,
}

impl Environment {
    #[expect(clippy::disallowed_methods, reason = "this is the one place")]
    pub(super) fn read() -> Self {
        let text = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let path = |name| text(name).map(PathBuf::from);
        let raw = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let directory = std::env::current_dir().unwrap_or_default();
        Self {
            arguments: std::env::args_os().collect(),
            git: GitEnvironment {
                directory: directory.clone(),
                git_dir: raw("GIT_DIR"),
                work_tree: raw("GIT_WORK_TREE"),
                index_file: raw("GIT_INDEX_FILE"),
            },
            directory,
            home: path("HOME"),
            state_home: path("XDG_STATE_HOME"),
            config_home: path("XDG_CONFIG_HOME"),
            now: text("ANNALS_NOW"),
            seed: text("ANNALS_SEED"),
            codex_home: path("CODEX_HOME"),
            copilot_home: path("COPILOT_HOME"),
            claude_home: path("CLAUDE_CONFIG_DIR"),
            wants_no_colour: text("NO_COLOR").is_some() || text("TERM").as_deref() == Some("dumb"),
            project: path("CLAUDE_PROJECT_DIR").or_else(|| path("GEMINI_PROJECT_DIR")),
            session: text("ANNALS_SESSION"),
            actor: text("ANNALS_AS"),
            agent: agent_around(text),
            token: text("ANNALS_TOKEN"),
            is_debate_off: text("DISABLE_DEBATE").is_some_and(|value| value != "0" && value != "false"),
            // An empty one says something here, too: no pager.
            pager: std::env::var("ANNALS_PAGER").or_else(|_| std::env::var("PAGER")).ok(),
            path: std::env::var_os("PATH"),
            log: text("ANNALS_LOG"),
            columns: text("COLUMNS").and_then(|columns| columns.parse().ok()),
            user: text("USER"),
        }
    }

    /// All of it, for commands that are kept in: what of it they get, the walls say. Values that are no text are left out.
    pub(super) fn variables() -> std::collections::BTreeMap<String, String> {
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect()
    }

    /// Where programs keep what the person set, for all projects.
    pub(super) fn config(&self) -> Option<PathBuf> {
        let config = self.config_home.clone().or_else(|| self.home.as_ref().map(|home| home.join(".config")));
        config.map(|config| self.directory.join(config))
    }

    /// Where programs keep what is the person's own and no setting: sealed opinions, the key, whom it trusts.
    pub(super) fn state(&self) -> Option<PathBuf> {
        let state = self.state_home.clone().or_else(|| self.home.as_ref().map(|home| home.join(".local/state")));
        state.map(|state| self.directory.join(state))
    }
}
