//! What we know of the agents that can stand in for the executor: how each is started, what it needs, whom it asks.
//!
//! A table. The hosts are those without which it does not answer; news, plugins and figures of use are none of them.

use crate::hook::Agent;
use crate::role::delegate::AgentProgram;

/// What we know of one.
pub(super) struct AgentFacts {
    /// Its command.
    pub(super) command: &'static str,
    /// Whose hooks it has.
    pub(super) hooks: Agent,
    /// How it is installed, and how it is logged in.
    pub(super) install: &'static str,
    pub(super) login: &'static str,
    /// Variables that hold a key; one of them is a login.
    pub(super) keys: &'static [&'static str],
    /// Others of the person's that it gets.
    pub(super) variables: &'static [&'static str],
    /// Where its servers are, where the person says so.
    pub(super) base: &'static str,
    /// Variables that it gets of us.
    pub(super) fixed: &'static [(&'static str, &'static str)],
    /// Where its login folder is, as it is told, and where it is usually below the home.
    pub(super) login_variable: &'static str,
    pub(super) login_folder: &'static str,
    /// The file with which it is logged in.
    pub(super) secret: &'static str,
    /// Whom it asks.
    pub(super) hosts: &'static [&'static str],
    /// What it is started with: without questions, for the walls are ours.
    pub(super) words: &'static [&'static str],
    /// What comes last.
    pub(super) last_word: Option<&'static str>,
    /// Where our hooks are put: in its login folder, or in what it is given.
    pub(super) hooks_in_login: bool,
    pub(super) hooks_file: &'static str,
    /// Whether it takes the name of its session from us.
    pub(super) own_session: bool,
}

const CLAUDE: AgentFacts = AgentFacts {
    command: "claude",
    hooks: Agent::ClaudeCode,
    install: "npm install --global @anthropic-ai/claude-code",
    login: "`claude auth login`, or set ANTHROPIC_API_KEY",
    keys: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    variables: &["ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"],
    base: "ANTHROPIC_BASE_URL",
    fixed: &[
        ("DISABLE_AUTOUPDATER", "1"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        // It would ask a server that says no for minutes.
        ("CLAUDE_CODE_MAX_RETRIES", "4"),
        // Root may start it so where it is walled in.
        ("IS_SANDBOX", "1"),
    ],
    login_variable: "CLAUDE_CONFIG_DIR",
    login_folder: ".claude",
    secret: ".credentials.json",
    // The last two renew a login.
    hosts: &["api.anthropic.com", "platform.claude.com", "console.anthropic.com"],
    words: &[
        "-p", "--output-format", "stream-json", "--verbose", "--permission-mode", "bypassPermissions",
        "--strict-mcp-config",
    ],
    last_word: None,
    hooks_in_login: false,
    hooks_file: "settings.json",
    own_session: true,
};

const CODEX: AgentFacts = AgentFacts {
    command: "codex",
    hooks: Agent::Codex,
    install: "npm install --global @openai/codex",
    login: "`codex login`, or set CODEX_API_KEY",
    keys: &["CODEX_API_KEY"],
    variables: &["OPENAI_BASE_URL"],
    base: "OPENAI_BASE_URL",
    fixed: &[],
    login_variable: "CODEX_HOME",
    login_folder: ".codex",
    secret: "auth.json",
    // The last one renews a login.
    hosts: &["api.openai.com", "chatgpt.com", "auth.openai.com"],
    words: &[
        "exec",
        "--json",
        "--color",
        "never",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        // Our hooks are in its login folder, which is made anew each time.
        "--dangerously-bypass-hook-trust",
        "-c",
        "features.plugins=false",
        "-c",
        "features.apps=false",
        "-c",
        "web_search=\"disabled\"",
        "-c",
        "analytics.enabled=false",
    ],
    last_word: Some("-"),
    hooks_in_login: true,
    hooks_file: "hooks.json",
    own_session: false,
};

/// What is known of an agent.
pub(super) trait KnownAgent {
    /// Its row.
    fn facts(self) -> &'static AgentFacts;
}

impl KnownAgent for AgentProgram {
    fn facts(self) -> &'static AgentFacts {
        match self {
            Self::Claude => &CLAUDE,
            Self::Codex => &CODEX,
        }
    }
}
