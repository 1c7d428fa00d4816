//! `annals setup AGENT --mcp`: put in, seen, and out again, beside whatever else is there.

use serde_json::Value;

use super::client::{Client, Revision};
use crate::program::Project;

/// Each agent, where its servers are listed, and what a person has there.
const AGENTS: [(&str, &str, &str, &str); 7] = [
    (
        "claude-code",
        "--project",
        ".mcp.json",
        "{\n\t\"mcpServers\": {\n\t\t\"mine\": {\"command\": \"x\"} // keep\n\t}\n}\n",
    ),
    ("claude-code", "--user", "home/.claude.json", "{ \"theme\": \"dark\" }\n"),
    ("claude-code", "--local", "home/.claude.json", "{\n  \"projects\": {\n    \"/x\": {}\n  }\n}\n"),
    ("codex", "--project", ".codex/config.toml", "model = \"m\" # mine\n\n[mcp_servers.mine]\ncommand = \"x\"\n"),
    ("gemini", "--project", ".gemini/settings.json", "{\n  \"theme\": \"x\"\n}\n"),
    (
        "copilot",
        "--user",
        "home/.copilot/mcp-config.json",
        "{\n  \"mcpServers\": { \"mine\": { \"command\": \"x\" } }\n}\n",
    ),
    ("cursor", "--project", ".cursor/mcp.json", ""),
];

#[test]
fn each_agent_gets_our_server_and_gives_it_back() {
    for (agent, scope, file, before) in AGENTS {
        let project = Project::new();
        if !before.is_empty() {
            project.write(file, before);
        }
        let set_up = |more: &[&str]| {
            let words = [["--as", "critic", "setup", agent, "--mcp", scope].as_slice(), more].concat();
            project.annals(words, "")
        };
        assert_eq!(set_up(&["--check"]).code, Some(1), "{agent} {scope}");
        let printed = set_up(&["--print"]);
        assert_eq!(printed.code, Some(0), "{agent} {scope}: {printed:?}");
        assert!(!project.path().join(file).exists() || project.read(file) == before, "{agent} {scope}");
        assert_eq!(set_up(&[]).code, Some(0), "{agent} {scope}");
        let text = project.read(file);
        assert_eq!(text, printed.stdout, "{agent} {scope}");
        assert!(text.contains("critic") && text.contains("mcp"), "{agent} {scope}: {text}");
        assert_eq!(set_up(&["--check"]).code, Some(0), "{agent} {scope}");
        assert_eq!(set_up(&[]).code, Some(0));
        assert_eq!(project.read(file), text, "{agent} {scope}");
        assert_eq!(set_up(&["--remove"]).code, Some(0), "{agent} {scope}");
        let after = if project.path().join(file).exists() { project.read(file) } else { String::new() };
        assert_eq!(after, before, "{agent} {scope}");
    }
}

/// What stands there starts a server that answers.
#[test]
fn what_is_put_in_starts_a_server() {
    let project = Project::new();
    let words = ["--as", "critic", "setup", "claude-code", "--mcp", "--program", env!("CARGO_BIN_EXE_annals")];
    assert_eq!(project.annals(words, "").code, Some(0));
    let settings: Value = serde_json::from_str(&project.read(".mcp.json")).expect("JSON");
    let args = settings["mcpServers"]["annals"]["args"].as_array().expect("a list").clone();
    let args: Vec<&str> = args.iter().filter_map(Value::as_str).collect();
    let mut client = Client::start(&project, Revision::Stateless, &args);
    assert_eq!(client.done("issue_next", serde_json::json!({}))["agent"], "critic");
}

#[test]
fn what_cannot_be_read_is_anothers_or_behind_a_link_is_named_and_not_touched() {
    let hostile = [
        (".mcp.json", "{ not json"),
        (".mcp.json", "{\"mcpServers\": {\"annals\": {\"command\": \"evil\", \"args\": [\"mcp\"]}}}"),
        (".mcp.json", "{\"mcpServers\": {}, \"mcpServers\": {}}"),
        (".codex/config.toml", "[mcp_servers\n"),
        (".codex/config.toml", "[mcp_servers.annals]\nurl = \"http://evil\"\n"),
    ];
    for (file, text) in hostile {
        let project = Project::new();
        project.write(file, text);
        let agent = if file.ends_with("toml") { "codex" } else { "claude-code" };
        for more in [[].as_slice(), &["--remove"], &["--check"]] {
            let run = project.annals([["setup", agent, "--mcp"].as_slice(), more].concat(), "");
            assert_eq!(run.code, Some(3), "{file} {text} {more:?}: {run:?}");
            assert!(run.stderr.contains(file), "{run:?}");
            assert_eq!(project.read(file), text);
        }
    }
    let (project, outside) = (Project::new(), Project::bare());
    outside.write("victim.json", "{}\n");
    std::os::unix::fs::symlink(outside.path().join("victim.json"), project.path().join(".mcp.json")).expect("linked");
    assert_eq!(project.annals(["setup", "claude-code", "--mcp"], "").code, Some(3));
    assert_eq!(outside.read("victim.json"), "{}\n");
}

#[test]
fn what_makes_no_sense_together_is_refused() {
    let project = Project::new();
    for words in [
        "setup cursor", "setup git --mcp", "setup copilot --mcp", "setup claude-code --token-file t",
        "--as user setup claude-code --mcp", "setup claude-code --mcp --required",
    ] {
        let run = project.annals(words.split(' '), "");
        assert_eq!(run.code, Some(2), "{words}: {run:?}");
    }
    assert!(!project.path().join(".mcp.json").exists());
}
