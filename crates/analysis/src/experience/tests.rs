//! What sessions teach, step by step.

use serde_json::{Value, json};

use super::{MOST_OF_A_SESSION, SessionEnd, experiences};
use crate::testing::{broke, call, edit, failed, id, interrupt, prompt, ran, read, rejection, said, session};
use annals_rules::domain::memory::command::{Experience, ExperienceRule as Rule};
use annals_rules::domain::memory::quantum::MacroState;

fn taught(steps: &[Value]) -> Vec<Experience> {
    experiences(&session(steps), SessionEnd::Ended)
}

/// Rule, state and tags of what was learnt.
fn short(steps: &[Value]) -> Vec<(Rule, MacroState, String)> {
    let tags = |one: &Experience| format!("{} {}", one.space, one.entity);
    taught(steps).iter().map(|one| (one.rule, one.state, tags(one))).collect()
}

#[test]
fn a_failure_and_what_ended_it_is_one_experience_with_its_sources() {
    let steps = [
        prompt("fix the flaky login test"),
        broke("cargo test login", "exit code 1\nerror: test login::expires failed: clock moved"),
        edit("src/clock.rs", "now()", "frozen()"),
        broke("cargo test login", "exit code 1\nerror: test login::expires failed: clock moved"),
        edit("tests/login.rs", "sleep", "tick"),
        ran("cargo test login", "test result: ok. 3 passed"),
    ];
    let found = taught(&steps);
    let expected = Experience {
        session: "s".into(),
        rule: Rule::Mended,
        cause: id(6),
        space: "tool:cargo test".into(),
        entity: "env:local".into(),
        content: "`cargo test login` failed 2 times: error: test login::expires failed: clock moved. It worked after \
                  changing tests/login.rs (task: fix the flaky login test)"
            .into(),
        state: MacroState::BreakSymmetry,
        sources: vec![id(2), id(4), id(6)],
    };
    assert_eq!(found.iter().find(|one| one.rule == Rule::Mended), Some(&expected));
    assert_eq!(found.iter().map(|one| one.rule).collect::<Vec<_>>(), [Rule::Mended, Rule::Fulfilled]);
}

#[test]
fn how_a_failure_ends_says_how_much_it_weighs() {
    let slip =
        [read("a.rs"), failed("Edit", json!({ "file_path": "a.rs" }), "string not found"), edit("a.rs", "a", "b")];
    assert_eq!(short(&slip), [(Rule::Mended, MacroState::Refine, "tool:Edit path:a.rs".to_owned())]);
    let replaced = [broke("python run.py", "sh: python: command not found"), ran("python3 run.py", "done")];
    let expected = (Rule::Replaced, MacroState::ChangeApproach, "tool:python path:run.py".to_owned());
    assert_eq!(short(&replaced), [expected]);
    let abandoned = [broke("make dist", "error: no rule"), broke("make dist", "error: no rule"), said("I could not")];
    assert_eq!(short(&abandoned), [(Rule::Abandoned, MacroState::Abandon, "tool:make dist env:local".to_owned())]);
    assert_eq!(experiences(&session(&abandoned), SessionEnd::Open), [], "it may still end well");
}

#[test]
fn an_ordinary_call_teaches_nothing() {
    let steps = [
        prompt("look around"),
        read("a.rs"),
        ran("ls", "a.rs"),
        broke("grep -r nothing .", "exit code 1"),
        broke("cat missing.txt", "cat: missing.txt: No such file or directory"),
        said("done"),
    ];
    assert_eq!(taught(&steps), []);
}

#[test]
fn a_no_is_remembered_with_its_reason() {
    let input = json!({ "command": "git push --force" });
    let steps = [prompt("publish it"), rejection("Bash", &input, "never force push to main, open a pull request")];
    let found = taught(&steps);
    assert_eq!((found[0].rule, found[0].state), (Rule::Refused, MacroState::ChangeApproach));
    assert!(found[0].content.contains("never force push to main"), "{}", found[0].content);
    let bare = [prompt("publish it"), rejection("Bash", &input, "")];
    assert_eq!(taught(&bare)[0].state, MacroState::ChangePath);
}

#[test]
fn what_a_person_sets_right_is_against_what_was_understood() {
    let steps = [
        prompt("Add a cache to the parser"),
        edit("src/parser.rs", "a", "b"),
        said("done"),
        prompt("No, I meant the lexer, not the parser."),
        said("I see"),
    ];
    let found = taught(&steps);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].rule, &*found[0].space, found[0].cause), (Rule::Corrected, "intent:add_a_cache", id(4)));
    let stopped =
        [prompt("Delete the old log files"), interrupt(), prompt("Delete the old log files in tmp only"), said("ok")];
    assert_eq!(taught(&stopped)[0].rule, Rule::Corrected);
    let other = [prompt("Delete the old log files"), interrupt(), prompt("add a README to the project"), said("ok")];
    assert_eq!(taught(&other), []);
}

#[test]
fn the_same_steps_teach_the_same_and_a_session_teaches_only_so_much() {
    let mut steps = vec![prompt("try everything")];
    for number in 0..60 {
        steps.push(broke(&format!("tool{number} run"), &format!("error: reason {number} was wrong")));
        steps.push(broke(&format!("tool{number} run"), &format!("error: reason {number} was wrong")));
    }
    let (one, other) = (taught(&steps), taught(&steps));
    assert_eq!(one, other);
    assert_eq!(one.len(), MOST_OF_A_SESSION);
    let mut ids: Vec<_> = one.iter().map(Experience::megram).collect();
    ids.dedup();
    assert_eq!(ids.len(), one.len(), "rule and cause name an experience");
}

#[test]
fn no_text_makes_it_fail() {
    let texts = ["", "\u{0}", "İ", "`", "cd && ", "no", "…", "a/b::c", "'\"", &"x".repeat(10_000)];
    for text in texts {
        let steps = [
            prompt(text),
            broke(text, text),
            failed("Edit", json!({ "file_path": text, "old_string": text }), text),
            rejection(text, &json!({ "command": text }), text),
            call(text, json!({ "x": text }), text),
            ran(text, text),
            interrupt(),
            prompt(text),
        ];
        for one in taught(&steps) {
            assert!(!one.content.is_empty() && !one.space.chars().any(char::is_control), "{one:?}");
        }
    }
}
