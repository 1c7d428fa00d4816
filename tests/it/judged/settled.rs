//! Contradictions between entries of knowledge: by rule where whose words they are tells, else a question; a model advises
//! (Galatea, Phase F).

use serde_json::{Value, json};

use super::Bench;

fn contradictions(bench: &Bench) -> Vec<Value> {
    let told: Value = serde_json::from_str(&bench.does(&["knowledge", "settle", "--json"])).expect("JSON");
    told["contradictions"].as_array().expect("a list").clone()
}

#[test]
fn what_a_rule_settles_is_decided_when_the_user_says_so_and_the_rest_is_asked() {
    let bench = Bench::new();
    let add = |text: &str, who: &str| {
        let told = bench.does(&["knowledge", "add", "fact", text, "--as", who]);
        told.split_whitespace().next().expect("an id").to_owned()
    };
    let none = bench.annals(&["knowledge", "settle"]);
    assert!(none.stderr.contains("nothing that is known contradicts anything else"), "{}", none.stderr);
    let own = add("never use tabs in the Go files", "user");
    let others = add("use tabs in the Go files", "moderator");
    let port = add("the API listens on port 8080 here", "user");
    add("the API listens on port 8081 here", "user");
    let told = bench.annals(&["knowledge", "settle"]);
    assert!(
        told.stdout.contains(&format!("{own} holds: you said or accepted it, and not the other")),
        "{}",
        told.stdout
    );
    assert!(
        told.stdout.contains("which holds? you said or accepted both: `annals knowledge supersede"),
        "{}",
        told.stdout
    );
    assert!(told.stderr.contains("settles 1 contradiction by rule"), "{}", told.stderr);
    assert_eq!(contradictions(&bench).len(), 2, "looking decides nothing");

    let advice = json!({ "reason": "it is later", "holds": "second" });
    let advised = bench.judged(&["knowledge", "settle"], &[("canon", advice)]);
    let line = "a model advises, and decides nothing: the second holds: it is later";
    assert_eq!(
        advised.stdout.matches(line).count(),
        1,
        "only where no rule tells: {}{}",
        advised.stdout,
        advised.stderr
    );
    assert_eq!((contradictions(&bench).len(), bench.entries("model_answer").len()), (2, 1));

    for words in [&["--apply"][..], &["--by-model"]] {
        let agent = bench.annals(&[&["knowledge", "settle", "--as", "moderator"], words].concat());
        assert!(
            agent.code == Some(2) && agent.stderr.contains("the user settles what contradicts"),
            "{}",
            agent.stderr
        );
    }
    let applied = bench.does(&["knowledge", "settle", "--apply"]);
    assert!(applied.contains(&format!("decided: {own} holds")), "{applied}");
    let settled = &bench.entries("knowledge.contradiction.settle")[0];
    let data = json!({ "entry": others, "by": own, "because": "own_word" });
    assert_eq!(settled["operation"]["output"]["events"][0]["data"], data);
    let left = contradictions(&bench);
    assert_eq!((left.len(), &left[0]["first"]["entry"]), (1, &json!(port)));
    let shown = bench.does(&["knowledge", "show", &others]);
    assert!(shown.contains("by rule: own word"), "{shown}");
    bench.replays();
}

#[test]
fn what_canon_contradicts_goes_whoever_said_it() {
    let bench = Bench::new();
    bench.does(&["canon", "state", "api-port", "The API's port is 8080"]);
    bench.does(&["knowledge", "add", "fact", "The API's port is 8080", "--as", "moderator"]);
    // The user's own word, and later; canon is more.
    let wrong = bench.does(&["knowledge", "add", "correction", "The API's port is 8081"]);
    let wrong = wrong.split_whitespace().next().expect("an id");
    let told = bench.does(&["knowledge", "settle", "--apply"]);
    assert!(told.contains(&format!("decided: {wrong} goes: canon says otherwise, api-port@1: 8080")), "{told}");
    assert!(bench.does(&["knowledge", "show", wrong]).contains("canon says otherwise: api-port@1: 8080"));
    assert_eq!(contradictions(&bench).len(), 0);
    bench.replays();
}
