//! `annals setup agents-md`, `skill` and `--status-line`, from outside.

use serde_json::Value;

use crate::program::Project;

/// A text of the person's comes back to the byte, and what a hand changed stays.
#[test]
fn the_block_and_the_skill_leave_no_trace() {
    let project = Project::new();
    let before = "# Ours\r\n\r\nA rule.\r\n";
    project.write("AGENTS.md", before);
    let skills = [".agents/skills/annals/SKILL.md", ".claude/skills/annals/SKILL.md"];
    for what in ["agents-md", "skill"] {
        assert_eq!(project.annals(["setup", what, "--check"], "").code, Some(1), "{what}");
        assert_eq!(project.annals(["setup", what], "").code, Some(0), "{what}");
        assert_eq!(project.annals(["setup", what, "--check"], "").code, Some(0), "{what}");
        assert!(project.annals(["setup", what], "").stdout.starts_with("unchanged"), "{what}");
    }
    let text = project.read("AGENTS.md");
    assert!(text.starts_with(before) && text.lines().count() <= 3 + 1 + 12, "{text}");
    assert!(skills.iter().all(|skill| project.read(skill).starts_with("---\nname: annals\n")));
    project.write("AGENTS.md", &text.replace("annals prime", "my own words"));
    let changed = project.annals(["setup", "agents-md", "--remove"], "");
    assert!(changed.code == Some(3) && changed.stderr.contains("changed by hand"), "{changed:?}");
    project.write("AGENTS.md", &text);
    for what in ["agents-md", "skill"] {
        assert_eq!(project.annals(["setup", what, "--remove"], "").code, Some(0), "{what}");
    }
    assert_eq!(project.read("AGENTS.md"), before);
    assert!(skills.iter().all(|skill| !project.path().join(skill).exists()));
}

/// A link that came with the project leads no writing elsewhere.
#[test]
#[cfg(unix)]
fn a_link_in_the_place_of_agents_md_is_not_followed() {
    let project = Project::new();
    project.write("elsewhere", "theirs\n");
    std::os::unix::fs::symlink("elsewhere", project.path().join("AGENTS.md")).expect("linked");
    let run = project.annals(["setup", "agents-md"], "");
    assert_eq!((run.code, &*project.read("elsewhere")), (Some(3), "theirs\n"), "{run:?}");
}

#[test]
fn the_status_line_names_what_an_agent_does_not_know() {
    let project = Project::hooked();
    assert_eq!(project.annals(["setup", "claude-code", "--status-line"], "").code, Some(0));
    let settings: Value = serde_json::from_str(&project.read(".claude/settings.json")).expect("JSON");
    let command = settings["statusLine"]["command"].as_str().expect("a command");
    assert!(command.ends_with("exec annals status --line"), "{command}");
    assert_eq!(project.annals(["setup", "claude-code", "--status-line", "--check"], "").code, Some(0));
    let line =
        |session: &str| project.annals(["status", "--line"], &format!("{{\"session_id\": \"{session}\"}}")).stdout;
    assert_eq!(line("s1"), "annals\n");
    for number in 0..2 {
        let payload = format!(
            r#"{{"session_id": "s1", "hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_use_id": "t{number}",
                "tool_input": {{"command": "make"}}, "error": "Exit code 2"}}"#
        );
        project.annals(["hook", "claude-code"], &payload);
    }
    assert_eq!(line("s1"), "annals · 2 failures in a row\n");
    assert_eq!(line("s2"), "annals\n", "another session's failures are not this one's");
    assert_eq!(project.annals(["setup", "claude-code", "--status-line", "--remove"], "").code, Some(0));
    assert_eq!(project.annals(["setup", "claude-code", "--status-line", "--check"], "").code, Some(1));
}
