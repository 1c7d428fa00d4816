//! An agent's shell is not the user (decision 55).

use crate::program::{Project, Run, run};

fn within(project: &Project, variables: &[(&str, &str)], words: &str) -> Run {
    let mut command = project.command(words.split(' '));
    for (name, value) in variables {
        command.env(name, value);
    }
    run(command, "")
}

fn actor(project: &Project) -> String {
    project.last().provenance.agent_id.expect("an actor").to_string()
}

/// A swarm in which two agents act from programs.
fn swarm() -> Project {
    let project = Project::new();
    project.done("agent add mo --role moderator --devils-advocate");
    project.done("agent add coder --role writer --program claude-code");
    project.done("agent add codex --role writer");
    project
}

const CLAUDE: (&str, &str) = ("CLAUDECODE", "1");

#[test]
fn who_is_not_named_is_the_agent_whose_shell_it_is() {
    let project = swarm();
    for (variables, who) in [
        (&[][..], "user"),
        (&[CLAUDE], "coder"),
        (&[("CODEX_THREAD_ID", "0199")], "codex"),
        (&[CLAUDE, ("ANNALS_AS", "codex")], "codex"),
        (&[("ANNALS_AS", "coder")], "coder"),
    ] {
        assert_eq!(within(&project, variables, "issue new A").code, Some(0), "{variables:?}");
        assert_eq!(actor(&project), who, "{variables:?}");
    }
    let named = within(&project, &[CLAUDE, ("ANNALS_AS", "codex")], "issue new A --as mo");
    assert_eq!((named.code, actor(&project).as_str()), (Some(0), "mo"));
    assert_eq!(within(&project, &[("ANNALS_AS", "System")], "issue new A").code, Some(2));
    let stranger = within(&project, &[("GEMINI_CLI", "1")], "issue new A");
    assert!(stranger.stderr.contains("refused: gemini is not an active agent of the roster"), "{stranger:?}");
    assert!(project.done("replay --all").contains(" 0 differed"));
}

#[test]
fn a_program_without_a_roster_is_a_member_by_its_name() {
    let project = Project::new();
    let refused = within(&project, &[CLAUDE], "issue new A");
    assert!(!refused.stderr.contains("is not an active agent of the roster"), "{refused:?}");
    assert!(within(&project, &[CLAUDE], "hivemind add knowledge port 8080").code == Some(0));
    assert_eq!(actor(&project), "claude-code");
    assert_eq!(within(&project, &[], "hivemind add knowledge speed 9 --as claude-code").code, Some(1));
}

#[test]
fn in_an_agents_shell_the_user_shows_a_token() {
    let project = swarm();
    let refused = |run: Run| {
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stderr.contains("refused: this is a shell of claude-code"), "{run:?}");
    };
    for words in [
        "issue new A --as user",
        "agent token user --as user",
        "agent add me --role team-lead --as user",
        "config set roster.require_token false --as user",
        "access grant memory --to claude-code --as user",
        "session start A --as user",
    ] {
        refused(within(&project, &[CLAUDE], words));
        refused(within(&project, &[CLAUDE, ("ANNALS_TOKEN", "guessed")], words));
        refused(within(&project, &[CLAUDE, ("ANNALS_AS", "user")], words.trim_end_matches(" --as user")));
    }
    let token = project.done("agent token user");
    let token = ("ANNALS_TOKEN", token.trim());
    refused(within(&project, &[CLAUDE], "issue new A --as user"));
    refused(within(&project, &[CLAUDE, ("ANNALS_TOKEN", "guessed")], "issue new A --as user"));
    let proved = within(&project, &[CLAUDE, token], "issue new A --as user");
    assert_eq!((proved.code, actor(&project).as_str()), (Some(0), "user"), "{proved:?}");
    assert_eq!(within(&project, &[], "issue new B").code, Some(0), "in a terminal of its own nothing has changed");
    assert!(project.done("replay --all").contains(" 0 differed"));
}

#[test]
fn reading_and_what_only_keeps_the_folder_need_no_token() {
    let project = swarm();
    project.done("issue new A");
    for words in ["issue show 1", "issue list", "status", "health", "session list", "render", "init", "exec -- true"] {
        let run = within(&project, &[("GEMINI_CLI", "1")], words);
        assert_eq!(run.code, Some(0), "{words}: {run:?}");
    }
    assert_eq!(actor(&project), "gemini", "what was run is recorded as the agent's");
}

#[test]
fn what_an_agent_may_not_is_recorded_once_a_day_and_told_to_the_user() {
    let project = swarm();
    for _ in 0..3 {
        assert_eq!(within(&project, &[CLAUDE], "issue new A --as user").code, Some(1));
        assert_eq!(within(&project, &[CLAUDE], "config set swarm.mode team").code, Some(1));
    }
    let events: Vec<_> = project.entries().into_iter().filter(|entry| !entry.operation.success).collect();
    assert_eq!(events.len(), 2, "{events:?}");
    let notices = project.done("notice list");
    assert!(notices.contains("claude-code tried what it may not: roster.not_the_user_here"), "{notices}");
    assert!(notices.contains("coder tried what it may not: config.not_a_lead"), "{notices}");
    let health = project.done("health");
    assert!(health.contains("barred   config.not_a_lead: coder\n"), "{health}");
}
