//! What of a person's `config.toml` of Codex an agent gets: which model is asked where.
//!
//! No servers of tools, no hooks, no programs to be told: these are the person's, outside.

use std::path::Path;

use toml_edit::{DocumentMut, Item};

use super::login::OwnSettings;
use crate::cli::shell::Usage;

/// What is kept.
const KEPT: [&str; 7] = [
    "model", "model_provider", "model_providers", "model_reasoning_effort", "model_verbosity", "model_context_window",
    "service_tier",
];

/// Reads the file; it need not be there.
pub(super) fn own_settings(folder: &Path) -> anyhow::Result<OwnSettings> {
    let path = folder.join("config.toml");
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(OwnSettings::default()) };
    let read = text.parse::<DocumentMut>();
    let mut document = read.map_err(|error| Usage(format!("{}: {error}", path.display())))?;
    let provider = provider(&document);
    let member = |name: &str| Some(provider.as_ref()?.get(name)?.as_str()?.to_owned());
    let (keys, bases) = (member("env_key").into_iter().collect(), member("base_url").into_iter().collect());
    let asks_openai = provider.as_ref().and_then(|provider| provider.get("requires_openai_auth")?.as_bool());
    let needs_no_login = provider.is_some() && asks_openai != Some(true);
    let names: Vec<String> = document.iter().map(|(name, _)| name.to_owned()).collect();
    for name in names.iter().filter(|name| !KEPT.contains(&name.as_str())) {
        document.remove(name);
    }
    Ok(OwnSettings { files: vec![("config.toml", document.to_string())], keys, bases, needs_no_login })
}

/// The servers that are asked, where they are not the usual ones.
fn provider(document: &DocumentMut) -> Option<Item> {
    let name = document.get("model_provider")?.as_str()?;
    document.get("model_providers")?.get(name).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = r#"
model = "m"
model_provider = "own"
notify = ["/home/ada/tell"]
[model_providers.own]
base_url = "https://gateway.example.com/v1"
env_key = "GATEWAY_KEY"
[mcp_servers.all]
command = "/bin/sh"
[hooks]
"#;

    #[test]
    fn of_the_settings_only_what_says_who_is_asked_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("config.toml"), CONFIG).expect("written");
        let own = own_settings(folder.path()).expect("read");
        assert_eq!((own.keys, own.needs_no_login), (vec!["GATEWAY_KEY".to_owned()], true));
        assert_eq!(own.bases, ["https://gateway.example.com/v1"]);
        let kept = &own.files[0].1;
        assert!(kept.contains("model = \"m\"") && kept.contains("GATEWAY_KEY"), "{kept}");
        assert!(!kept.contains("notify") && !kept.contains("mcp_servers") && !kept.contains("hooks"), "{kept}");
    }

    #[test]
    fn without_settings_it_needs_a_login() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!own_settings(folder.path()).expect("read").needs_no_login);
    }
}
