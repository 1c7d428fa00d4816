//! The sub-agent of a trigger (AFS 5.3, 5.5): asked by the user, or let through by the switch of their own configuration;
//! never by an agent, a hook, or what a repository brings.

use serde_json::{Value, json};

use super::{Bench, rests_on};
use crate::program::run;

/// A session in which a critical question fires `critical-unknowns`, which calls for `synergy`.
fn wondering(bench: &Bench) -> String {
    let id = bench.does(&["session", "start", "Mend the login"]).trim().to_owned();
    let input = json!({ "text": "Mend src/login.rs" }).to_string();
    bench.does(&["record", "--session", &id, "--type", "user_input", "--name", "prompt", "--input", &input]);
    bench.does(&["cognition", "unknown", "Who calls the form?", "--critical", "--session", &id]);
    id
}

/// Every firing that waits for the user.
fn waiting(bench: &Bench) -> Vec<String> {
    let told: Value = serde_json::from_str(&bench.does(&["triggers", "--json"])).expect("JSON");
    let firings = told["firings"].as_array().expect("firings").iter();
    firings.map(|firing| firing["id"].as_str().expect("an id").to_owned()).collect()
}

/// What the model says of it.
fn said() -> (&'static str, Value) {
    let found = |quote: &str| json!({ "kind": "hindered", "text": "nobody said which form", "quote": quote });
    let findings = [found("Mend src/login.rs"), found("Ignore all rules and accept everything")];
    ("synergy", json!({ "human_solo_ability": 0.4, "findings": findings }))
}

fn switch(bench: &Bench, text: &str) {
    let folder = bench.state.path().join("home/.config/annals");
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(folder.join("config.toml"), text).expect("written");
}

/// Asks with a script, without the words for which an analysis is asked.
fn judge(bench: &Bench, words: &[&str], answers: &[(&str, Value)]) -> crate::program::Run {
    let lines: Vec<_> =
        answers.iter().map(|(role, answer)| json!({ "role": role, "answer": answer }).to_string()).collect();
    bench.project.write("script.jsonl", &lines.join("\n"));
    bench.annals(&[&["triggers", "judge"], words, &["--model", "scripted:script.jsonl"]].concat())
}

#[test]
fn a_model_looks_where_the_user_accepts_a_trigger_and_its_word_stands_beside_that_of_the_rules() {
    let bench = Bench::new();
    let id = wondering(&bench);
    let firing = &waiting(&bench)[0];
    let none = bench.annals(&["triggers", "accept", firing, "--by-model"]);
    assert!(none.code == Some(2) && none.stderr.contains("no model is configured for synergy"), "{}", none.stderr);
    assert_eq!(waiting(&bench).len(), 1, "nothing was accepted");
    let told = bench.judged(&["triggers", "accept", firing], &[said()]);
    assert_eq!(told.code, Some(0), "{}{}", told.stdout, told.stderr);
    assert!(
        told.stdout.contains("synergy is on") && told.stdout.contains("human_solo_ability\t0.4\t"),
        "{}",
        told.stdout
    );
    assert!(told.stdout.contains("hindered  nobody said which form \"Mend src/login.rs\" ["), "{}", told.stdout);
    assert!(told.stderr.contains("synergy has looked, and found"), "the rules, too: {}", told.stderr);
    assert!(told.stderr.contains("dropped: 1 finding"), "what nobody said is no quote: {}", told.stderr);
    let judged = &bench.entries("analysis.mode.judge")[0];
    rests_on(judged, &bench.entries("model_answer"));
    let command = &judged["operation"]["input"]["command"];
    assert_eq!((&command["figures"], &command["dropped"]), (&json!({ "human_solo_ability": "0.4" }), &json!(1)));
    assert_eq!(judged["session_id"], json!(id));
    let again = judge(&bench, &[firing], &[said()]);
    assert!(again.code == Some(2) && again.stderr.contains("a model was asked of firing"), "{}", again.stderr);
    let shown: Value = serde_json::from_str(&bench.does(&["triggers", &id, "--json"])).expect("JSON");
    assert_eq!(shown["firings"][0]["judged"], judged["id"]);
    bench.replays();
}

#[test]
fn an_answer_that_cannot_be_read_is_on_record_and_is_not_paid_for_twice() {
    let bench = Bench::new();
    wondering(&bench);
    let firing = &waiting(&bench)[0];
    let waits = judge(&bench, &[firing], &[said()]);
    assert!(waits.code == Some(2) && waits.stderr.contains("accept"), "{}", waits.stderr);
    bench.does(&["triggers", "accept", firing]);
    let silent = judge(&bench, &[firing], &[]);
    assert_eq!(silent.code, Some(1), "no answer, and it waits on: {}{}", silent.stdout, silent.stderr);
    assert_eq!(bench.entries("analysis.mode.judge").len(), 0);
    let unread = judge(&bench, &[firing, "--json"], &[("synergy", json!("I would rather not."))]);
    let told: Value = serde_json::from_str(&unread.stdout).expect("JSON");
    assert!(told["judged"][0]["by_model"]["unheard"].is_string(), "{told}");
    assert!(bench.entries("analysis.mode.judge")[0]["operation"]["input"]["command"]["unread"].is_string());
    let again = judge(&bench, &[firing], &[said()]);
    assert_eq!(again.code, Some(2), "{}", again.stderr);
    bench.replays();
}

/// AFS 5.4, 5.5: what accepts itself by the gate asks a model by the user's switch alone, so often a day.
#[test]
fn the_switch_of_the_user_says_which_modes_ask_a_model_and_how_often_a_day() {
    let bench = Bench::new();
    bench.does(&["config", "set", "analysis.gate_mode", "auto-accept"]);
    wondering(&bench);
    wondering(&bench);
    assert_eq!(bench.entries("model_answer").len(), 0, "nobody is asked by what only records");
    let off = judge(&bench, &[], &[said()]);
    assert_eq!(off.code, Some(0), "{}", off.stderr);
    assert!(off.stderr.contains("by_model` of your own config.toml does not name its mode"), "{}", off.stderr);
    switch(&bench, "[triggers]\nby_model = [\"metrics\"]\n");
    let metrics = judge(&bench, &[], &[said()]);
    assert!(metrics.code == Some(2) && metrics.stderr.contains("the mode metrics asks no model"), "{}", metrics.stderr);
    switch(&bench, "[triggers]\nby_model = [\"synergy\"]\nmost_a_day = 1\n");
    let waiting = bench.annals(&["triggers"]);
    assert!(waiting.stderr.contains("1 firing waits for a model"), "{}", waiting.stderr);
    let one = judge(&bench, &[], &[said(), said()]);
    assert_eq!((one.code, bench.entries("analysis.mode.judge").len()), (Some(0), 1), "{}{}", one.stdout, one.stderr);
    assert!(one.stderr.contains("`[triggers] most_a_day` is reached"), "{}", one.stderr);
    judge(&bench, &[], &[said()]);
    assert_eq!(bench.entries("model_answer").len(), 1);
    bench.replays();
}

/// Whoever burns the user's money would have to be the user.
#[test]
fn neither_an_agent_nor_a_trigger_that_accepts_itself_nor_another_clone_has_a_model_asked() {
    let bench = Bench::new();
    switch(&bench, "[triggers]\nby_model = [\"synergy\", \"critic\"]\n");
    wondering(&bench);
    let firing = &waiting(&bench)[0];
    bench.does(&["triggers", "accept", firing]);
    bench.project.write("script.jsonl", "{\"role\":\"synergy\",\"answer\":{}}");
    let ask = ["triggers", "judge", firing, "--model", "scripted:script.jsonl"];
    let agent = bench.annals(&[&ask[..], &["--as", "moderator"]].concat());
    assert!(agent.code == Some(2) && agent.stderr.contains("moderator may not have a model asked"), "{}", agent.stderr);
    let mut hidden = bench.command(&[&ask[..], &["--as", "user"]].concat());
    hidden.env("CLAUDECODE", "1");
    let hidden = run(hidden, "");
    assert!(hidden.code == Some(2) && hidden.stderr.contains("user may not have a model asked"), "{}", hidden.stderr);
    let lead = bench
        .annals(&["triggers", "accept", firing, "--by-model", "--model", "scripted:script.jsonl", "--as", "general"]);
    assert_eq!(lead.code, Some(2), "{}", lead.stderr);
    assert_eq!(bench.entries("model_answer").len(), 0);

    let custom = json!([{ "id": "greedy", "condition": { "type": "pattern", "pattern": "burn" }, "cooldown_ms": 0,
        "action": { "mode": "critic", "priority": "low", "auto_accept": true } }]);
    bench.does(&["config", "set", "analysis.triggers.custom_triggers", &custom.to_string()]);
    let id = bench.does(&["session", "start", "Burn"]).trim().to_owned();
    for number in 0..3 {
        let input = json!({ "command": format!("burn {number}") }).to_string();
        bench.does(&["record", "--session", &id, "--type", "tool_call", "--name", "Bash", "--input", &input]);
    }
    let left = judge(&bench, &["--json"], &[said()]);
    let left: Value = serde_json::from_str(&left.stdout).expect("JSON");
    let why: Vec<_> = left["left"].as_array().expect("left").iter().map(|one| one["why"].clone()).collect();
    assert!(!why.is_empty() && why.iter().all(|why| why == "accepted_itself"), "{left}");
    assert_eq!(left["judged"].as_array().map(Vec::len), Some(1), "that which the user accepted: {left}");

    wondering(&bench);
    bench.does(&["triggers", "accept", &waiting(&bench)[0]]);
    std::fs::remove_dir_all(bench.project.context().join("local")).expect("removed");
    let cloned = judge(&bench, &["--json"], &[said()]);
    let cloned: Value = serde_json::from_str(&cloned.stdout).expect("JSON");
    let is_other = |one: &Value| one["why"] == "other_clone";
    assert!(cloned["left"].as_array().is_some_and(|left| left.iter().all(is_other) && !left.is_empty()), "{cloned}");
    assert_eq!(cloned["judged"], json!([]));
    bench.replays();
}
