//! The login of an agent: what of the person's it gets, and nothing else (decision 63).
//!
//! Not its folder as a whole: settings and hooks that it left there would run outside of the walls the next time, and the
//! sessions of other projects are none of its business. It gets a folder made anew, with a copy of its login, or where that may have
//! to be renewed meanwhile the file itself, to change; and of its settings what says which model is asked where.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use annals_workspace::Outside;
use annals_workspace::proxy::AllowedHost;
use serde_json::{Value, json};

use super::codex;
use super::program::{AgentFacts, KnownAgent};
use crate::cli::shell::{Shell, Usage};
use crate::engine::clock::Clock;
use crate::role::delegate::AgentProgram;

/// No agent is at work for longer, in milliseconds.
const LONGEST_MS: i64 = 2 * 60 * 60 * 1000;

/// What an agent gets of the person's.
pub(in crate::cli::run) struct AgentLogin {
    /// Files of its login folder, made anew.
    pub(super) files: Vec<(&'static str, String)>,
    /// The file with a login that it may have to renew, and its name in that folder.
    pub(super) secret: Option<(PathBuf, &'static str)>,
    /// Variables.
    pub(super) variables: BTreeMap<String, String>,
    /// Whom it may ask.
    pub(super) hosts: Vec<AllowedHost>,
}

/// What the person's settings of an agent say.
#[derive(Debug, Default)]
pub(super) struct OwnSettings {
    /// What is kept of them, in its login folder.
    pub(super) files: Vec<(&'static str, String)>,
    /// Variables that hold keys.
    pub(super) keys: Vec<String>,
    /// Where its servers are.
    pub(super) bases: Vec<String>,
    /// Whether servers are asked that need no login of its own.
    pub(super) needs_no_login: bool,
}

/// What an agent needs; where it is not logged in, that is said.
pub(in crate::cli::run) fn ready(
    shell: &Shell,
    outside: &Outside,
    program: AgentProgram,
) -> anyhow::Result<AgentLogin> {
    let facts = program.facts();
    let variable = |name: &str| outside.environment.get(name).filter(|value| !value.is_empty());
    let own = own_settings(shell, program, facts)?;
    let given = facts.keys.iter().chain(facts.variables).map(|name| (*name).to_owned()).chain(own.keys.clone());
    let variables: BTreeMap<_, _> =
        given.filter_map(|name| variable(&name).cloned().map(|value| (name, value))).collect();
    let has_key = facts.keys.iter().any(|name| variables.contains_key(*name));
    let secret = folder(shell, program, facts).map(|folder| folder.join(facts.secret)).filter(|path| path.is_file());
    let has_own_key = own.needs_no_login && own.keys.iter().all(|name| variables.contains_key(name));
    let secret = secret.filter(|_| !has_key && !has_own_key);
    if secret.is_none() && !has_key && !has_own_key {
        let missing = own.keys.iter().find(|name| own.needs_no_login && !variables.contains_key(*name));
        let how = missing.map_or_else(|| facts.login.to_owned(), |name| format!("set {name}, which its settings name"));
        return Err(Usage(format!("{} is not logged in: {how}", facts.command)).into());
    }
    let bases = own.bases.iter().chain(variables.get(facts.base));
    let usual = facts.hosts.iter().map(|name| AllowedHost::web(name));
    let hosts = usual.chain(bases.filter_map(|base| public_host(base))).collect();
    let (mut files, now_ms) = (own.files, Clock::default().now().millis());
    let lasting = secret.as_ref().and_then(|path| lasting(program, path, now_ms));
    let secret = secret.filter(|_| lasting.is_none()).map(|path| (path, facts.secret));
    files.extend(lasting.map(|text| (facts.secret, text)));
    Ok(AgentLogin { files, secret, variables, hosts })
}

/// A login that need not be renewed while the agent is at work: of that it gets a copy, and the person's own stays as it is.
fn lasting(program: AgentProgram, path: &Path, now_ms: i64) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    is_lasting(program, &serde_json::from_str(&text).ok()?, now_ms).then_some(text)
}

fn is_lasting(program: AgentProgram, login: &Value, now_ms: i64) -> bool {
    match program {
        AgentProgram::Claude => {
            let until = login.pointer("/claudeAiOauth/expiresAt").and_then(Value::as_i64);
            until.is_some_and(|until| until > now_ms + LONGEST_MS)
        }
        AgentProgram::Codex => {
            let has_key = login["OPENAI_API_KEY"].as_str().is_some_and(|key| !key.is_empty());
            has_key && login["tokens"].is_null()
        }
    }
}

/// Where the person's own is.
pub(super) fn folder(shell: &Shell, program: AgentProgram, facts: &AgentFacts) -> Option<PathBuf> {
    let named = match program {
        AgentProgram::Claude => shell.environment.claude_home.clone(),
        AgentProgram::Codex => shell.environment.codex_home.clone(),
    };
    named.or_else(|| Some(shell.environment.home.as_ref()?.join(facts.login_folder)))
}

fn own_settings(shell: &Shell, program: AgentProgram, facts: &AgentFacts) -> anyhow::Result<OwnSettings> {
    match program {
        AgentProgram::Claude => Ok(of_claude(shell)),
        AgentProgram::Codex => match folder(shell, program, facts) {
            Some(folder) => codex::own_settings(&folder),
            None => Ok(OwnSettings::default()),
        },
    }
}

/// Who is logged in stands in a file that also knows all projects: of it these members alone.
fn of_claude(shell: &Shell) -> OwnSettings {
    let environment = &shell.environment;
    let folder = environment.claude_home.as_ref().or(environment.home.as_ref());
    let known = folder.and_then(|folder| read(&folder.join(".claude.json"))).unwrap_or_default();
    let mut kept = json!({ "hasCompletedOnboarding": true });
    for name in ["oauthAccount", "userID"] {
        if let Some(value) = known.get(name) {
            kept[name] = value.clone();
        }
    }
    OwnSettings { files: vec![(".claude.json", kept.to_string())], ..OwnSettings::default() }
}

fn read(path: &Path) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// A server that the person set may be asked, where it is one of the open net: one of this machine they name themselves.
fn public_host(base: &str) -> Option<AllowedHost> {
    let (rest, port) = match base.strip_prefix("https://") {
        Some(rest) => (rest, 443),
        None => (base.strip_prefix("http://")?, 80),
    };
    let place = rest.split(['/', '?']).next()?;
    let name = place.rsplit_once(':').map_or(place, |(name, _)| name);
    if name == "localhost" || name.starts_with('[') || name.parse::<std::net::IpAddr>().is_ok() {
        return None;
    }
    let with_port = if name == place { format!("{name}:{port}") } else { place.to_owned() };
    with_port.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_that_lasts_is_copied_and_one_that_is_to_be_renewed_is_not() {
        let claude = |until: i64| json!({ "claudeAiOauth": { "accessToken": "a", "expiresAt": until } });
        let rows = [
            (AgentProgram::Claude, claude(LONGEST_MS + 2), true),
            (AgentProgram::Claude, claude(LONGEST_MS), false),
            (AgentProgram::Claude, json!({}), false),
            (AgentProgram::Codex, json!({ "OPENAI_API_KEY": "k" }), true),
            (AgentProgram::Codex, json!({ "OPENAI_API_KEY": null, "tokens": { "id_token": "t" } }), false),
        ];
        for (program, login, lasts) in rows {
            assert_eq!(is_lasting(program, &login, 1), lasts, "{program} {login}");
        }
    }

    #[test]
    fn a_server_that_the_person_set_may_be_asked_unless_it_is_of_this_machine() {
        for (base, host) in [
            ("https://gateway.example.com/v1", Some("gateway.example.com:443")),
            ("http://gateway.example.com:8080", Some("gateway.example.com:8080")),
            ("http://127.0.0.1:8901", None),
            ("http://localhost:8901", None),
            ("http://[::1]:8901", None),
            ("https://10.0.0.1", None),
            ("ftp://a.b", None),
        ] {
            assert_eq!(public_host(base).map(|host| host.to_string()).as_deref(), host, "{base}");
        }
    }
}
