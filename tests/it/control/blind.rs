//! Sealed opinions, by the program itself: nobody reads one before its pass is closed (control-room 7.1, decision 40).

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use crate::program::Project;

const ASKED: [&str; 3] = ["carl", "dora", "erik"];

fn done(project: &Project, arguments: &[&str], stdin: &str) -> String {
    let run = project.annals(arguments, stdin);
    assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{arguments:?}");
    run.stdout
}

/// A swarm with an issue on which a blind pass goes on.
fn asked() -> Project {
    let project = Project::new();
    for (agent, role) in [("mo", "moderator"), ("anna", "writer"), ("carl", "critic")] {
        done(&project, &["agent", "add", agent, "--role", role], "");
    }
    for agent in ["dora", "erik"] {
        done(&project, &["agent", "add", agent, "--role", "continuity", "--devils-advocate"], "");
    }
    for key in ["sanity.min_comment_length", "sanity.min_unique_words"] {
        done(&project, &["config", "set", key, "0"], "");
    }
    done(&project, &["issue", "new", "The reactor timeline", "--tag", "pacing"], "");
    done(&project, &["blind", "open", "1", "--as", "mo"], "");
    project
}

/// Everything that can be read, as everybody.
fn read_all(project: &Project) -> String {
    let readings: [&[&str]; 22] = [
        &["log"],
        &["log", "--json"],
        &["issue", "show", "1"],
        &["issue", "show", "1", "--json"],
        &["issue", "list"],
        &["issue", "ready", "--json"],
        &["issue", "stats"],
        &["blind", "show"],
        &["blind", "show", "1", "--json"],
        &["advocate", "list", "--all", "--json"],
        &["notice", "list", "--all", "--json"],
        &["topic", "list", "--json"],
        &["moderate", "show", "--json"],
        &["health", "--json"],
        &["reflect", "--json"],
        &["state"],
        &["stats", "--json"],
        &["session", "list", "--json"],
        &["render"],
        &["replay", "--all", "--json"],
        &["verify", "--json"],
        &["blind", "reveal", "1"],
    ];
    let ids: Vec<String> = project.entries().iter().map(|entry| entry.id.to_string()).collect();
    let mut seen = String::new();
    for actor in ["anna", "carl", "dora", "mo", "user"] {
        let mut read = |arguments: &[&str]| {
            let run = project.annals([arguments, &["--as", actor]].concat(), "");
            seen += &(run.stdout + &run.stderr);
        };
        for arguments in readings {
            read(arguments);
        }
        for id in &ids {
            read(&["show", id]);
            read(&["why", id]);
        }
    }
    seen
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn holds(path: &Path, text: &str) -> bool {
    let bytes = std::fs::read(path).expect("read");
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_reading_shows_a_sealed_opinion(
        texts in proptest::collection::vec("[a-z]{9,14} [a-z]{9,14}\\.", 1..3),
        stance in prop_oneof![Just("support"), Just("oppose"), Just("neutral")],
    ) {
        let project = asked();
        for (text, agent) in texts.iter().zip(ASKED) {
            done(&project, &["blind", "submit", "1", "-", "--stance", stance, "--as", agent], text);
        }
        let seen = read_all(&project);
        for text in &texts {
            prop_assert!(!seen.contains(text), "{text} was shown");
            for file in files(&project.context()) {
                prop_assert!(!holds(&file, text), "{text} stands in {}", file.display());
            }
        }
        done(&project, &["blind", "close", "1", "--as", "mo"], "");
        let thread = done(&project, &["issue", "show", "1"], "");
        for text in &texts {
            prop_assert!(thread.contains(text), "{text} is not in the thread");
        }
        prop_assert_eq!(project.annals(["replay", "--all"], "").code, Some(0));
    }
}

#[test]
fn a_sealed_opinion_is_for_its_author_alone_and_leaves_when_it_is_revealed() {
    let project = asked();
    done(&project, &["blind", "submit", "1", "Five days.", "--as", "carl"], "");
    let drawer = project.path().join("home/.local/state/annals/blind");
    let kept = files(&drawer);
    let mode = |path: &Path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!((kept.len(), mode(&kept[0]), mode(&drawer)), (1, 0o600, 0o700));
    assert_eq!(project.annals(["blind", "submit", "1", "Four days.", "--as", "anna"], "").code, Some(1));
    assert_eq!(files(&drawer), kept, "what is refused is not kept");
    done(&project, &["blind", "close", "1"], "");
    assert!(files(&drawer).is_empty());
}

/// Whoever changes the kept text changes no opinion: it is left out, and that is said.
#[test]
fn a_text_that_was_changed_is_left_out() {
    let project = asked();
    done(&project, &["blind", "submit", "1", "Five days.", "--as", "carl"], "");
    done(&project, &["blind", "submit", "1", "Six days.", "--as", "dora"], "");
    let kept = files(&project.path().join("home/.local/state/annals/blind"));
    for (path, text) in kept.iter().zip(["no opinion at all", r#"{"salt":"s","stance":"support","body":"Four days."}"#])
    {
        std::fs::write(path, text).expect("written");
    }
    let said = done(&project, &["blind", "close", "1"], "");
    let line = |agent: &str| format!("the opinion of {agent} is not what was sealed; it is left out\n");
    assert_eq!(said, format!("the pass is closed\n{}{}", line("carl"), line("dora")));
    assert!(!done(&project, &["issue", "show", "1"], "").contains("days."));
}

/// The rules of words see an opinion when it is revealed; who gives it hears before what they will say.
#[test]
fn an_opinion_of_alarm_is_not_sealed_and_one_that_was_is_left_out() {
    let project = asked();
    let alarm = "URGENT: a CRITICAL disaster";
    let run = project.annals(["blind", "submit", "1", alarm, "--as", "carl"], "");
    assert_eq!((run.code, run.stderr.contains("words of alarm")), (Some(1), true), "{}", run.stderr);
    done(&project, &["config", "set", "sanity.max_escalation_keywords_per_comment", "5"], "");
    done(&project, &["blind", "submit", "1", alarm, "--as", "carl"], "");
    done(&project, &["config", "set", "sanity.max_escalation_keywords_per_comment", "1"], "");
    let run = project.annals(["blind", "close", "1", "--as", "mo"], "");
    assert_eq!((run.code, run.stdout.contains("the opinion of carl is left out: 3 words of alarm")), (Some(0), true));
    assert!(!done(&project, &["issue", "show", "1"], "").contains("disaster"));
    assert!(files(&project.path().join("home/.local/state/annals/blind")).is_empty());
    assert_eq!(project.annals(["replay", "--all"], "").code, Some(0));
}

/// What a secret looks like is taken out before the opinion is sealed, so that it still fits its seal.
#[test]
fn an_opinion_with_a_secret_is_sealed_without_it() {
    let project = asked();
    let secret = format!("The key is AKIA{}.", "QYLPMN5HFIQR7B2C");
    done(&project, &["blind", "submit", "1", &secret, "--as", "carl"], "");
    let said = done(&project, &["blind", "close", "1"], "");
    assert_eq!(said, "the pass is closed\nthe opinion of carl stands in the thread\n");
    assert!(!files(&project.context()).iter().any(|file| holds(file, "QYLPMN5")));
}

/// The hooks of an agent see the command that gives its opinion; what they record does not hold the text.
#[test]
fn a_call_that_gives_an_opinion_is_recorded_without_its_text() {
    let project = asked();
    let call = serde_json::json!({ "command": "annals blind submit 1 'Five days.' --as carl" }).to_string();
    done(&project, &["record", "--type", "tool_call", "--name", "Bash", "--input", &call], "");
    let hook = serde_json::json!({
        "session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Bash", "cwd": project.path(),
        "tool_input": { "command": "echo 'Six days.' | annals blind submit 1 - --as dora" }, "tool_response": "sealed",
    });
    project.annals(["hook", "claude-code"], &hook.to_string());
    let history: String = project.days().into_values().collect();
    assert_eq!((history.matches("the opinion is sealed").count(), history.contains(" days.")), (2, false));
}
