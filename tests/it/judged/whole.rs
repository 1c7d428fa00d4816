//! What a model was not shown is counted and told, and no word over a part reads as one over the whole; no file that holds
//! secrets is told, however it is named.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::Bench;
use crate::program::run;

fn claims(value: &str) -> Value {
    let claim = json!({ "subject": "Seryn", "attribute": "eyes", "value": value, "quote": "green as the sea" });
    json!({ "claims": [claim] })
}

fn none() -> (&'static str, Value) {
    ("canon", json!({ "claims": [] }))
}

#[test]
fn a_long_text_is_held_against_canon_part_by_part_and_what_is_unheard_is_no_verdict() {
    let bench = Bench::new();
    bench.does(&["canon", "state", "seryn-eyes", "Seryn's eyes are amber"]);
    let line = "Nothing much is said in this line.\n".repeat(420);
    bench.project.write("long.md", &format!("The sky is blue.\n{line}She looked, green as the sea.\n{line}"));
    let check = |answers: &[(&'static str, Value)]| bench.judged(&["canon", "check", "long.md"], answers);
    let found = check(&[none(), ("canon", claims("green")), none()]);
    assert!(found.stdout.contains("canon says amber"), "{}{}", found.stdout, found.stderr);
    assert!(!found.stderr.contains("left out"), "{}", found.stderr);
    let unheard = check(&[none(), ("canon", json!("no")), none()]);
    assert_eq!(unheard.code, Some(1), "{}{}", unheard.stdout, unheard.stderr);
    assert!(unheard.stdout.contains("by the model not judged as a whole: "), "{}", unheard.stdout);

    bench.project.write("huge.md", &format!("The sky is blue.\n{}", line.repeat(30)));
    let answers = vec![none(); 32];
    let told = bench.judged(&["canon", "check", "huge.md"], &answers);
    assert_eq!(told.code, Some(1), "{}", told.stdout);
    assert!(told.stdout.contains("characters of it left out"), "{}", told.stdout);
    let told = bench.judged(&["canon", "check", "huge.md", "--json"], &answers);
    let told: Value = serde_json::from_str(&told.stdout).expect("JSON");
    assert!(told["by_model"]["left_out"].as_u64() > Some(1_000), "{}", told["by_model"]["left_out"]);
}

#[test]
fn what_of_a_session_is_not_shown_is_said_kept_and_in_the_summary() {
    let bench = Bench::new();
    let said = |name: &str| {
        let entities = json!([{ "name": name, "type": "concept" }]);
        ("summary", json!({ "title": "The login", "summary": "It was mended.", "entities": entities }))
    };
    let session = |prompt: &str| {
        let id = bench.does(&["session", "start", "Mend the login"]).trim().to_owned();
        let input = json!({ "text": prompt }).to_string();
        bench.does(&["record", "--session", &id, "--type", "user_input", "--name", "prompt", "--input", &input]);
        id
    };
    let word = |id: &str, json: bool| {
        let words = ["session", "summary", id, "--json"];
        bench.judged(&words[..if json { 4 } else { 3 }], &[said("LASTWORD")])
    };
    // A text that is kept apart for its size is shown as far as any other, its end too.
    let long = session(&format!("{} LASTWORD", "Mend it all. ".repeat(5_000)));
    let told: Value = serde_json::from_str(&word(&long, true).stdout).expect("JSON");
    let unseen = told["unseen"].as_u64().expect("a count");
    assert!((60_000..65_100).contains(&unseen), "{told}");
    assert_eq!(told["model"]["summary"]["entities"][0]["name"], "LASTWORD", "{told}");
    let note = format!("not judged as a whole: {unseen} characters of it left out");
    let body = told["model"]["summary"]["body"].as_str().expect("a text");
    assert!(body.ends_with(&format!("[{note}]")), "{body}");
    let shown = word(&long, false);
    assert!(shown.stderr.contains(&note) && shown.stdout.contains(&note), "{}{}", shown.stdout, shown.stderr);
    assert!(bench.does(&["session", "summary", &long]).contains(&note), "and later");
    let answers = bench.entries("model_answer");
    assert_eq!(answers[0]["operation"]["input"]["left_out"], unseen, "{}", answers[0]);
    let decided = bench.entries("history.summary.write");
    assert_eq!(decided[0]["operation"]["input"]["observed"]["model"]["left_out"], unseen);

    let short = session("Mend LASTWORD");
    let told = word(&short, false);
    assert!(!told.stderr.contains("left out") && !told.stdout.contains("left out"), "{}{}", told.stdout, told.stderr);
    bench.replays();
}

#[test]
fn no_file_that_holds_secrets_goes_into_a_question() {
    let bench = Bench::new();
    bench.project.write(".env", "DBHOST is LEAKENV_1\n");
    bench.project.write("credentials.json", "{\"type\": \"LEAKENV_2\"}");
    for (to, link) in [(".env", "alias.md"), ("alias.md", "second.md"), ("credentials.json", "schema.json")] {
        symlink(to, bench.project.path().join(link)).expect("linked");
    }
    let absolute = bench.project.path().join(".env");
    let absolute = absolute.to_str().expect("a path");
    for name in [".env", "./.env", "alias.md", "second.md", absolute] {
        let told = bench.judged(&["canon", "check", name], &[none()]);
        assert_eq!(told.code, Some(2), "{name}: {}{}", told.stdout, told.stderr);
        assert!(told.stderr.contains("is told to no model"), "{name}: {}", told.stderr);
    }
    for schema in ["credentials.json", "schema.json"] {
        let told = bench.annals(&["model", "ask", "x", "--model", "scripted:script.jsonl", "--schema", schema]);
        assert!(told.code == Some(2) && told.stderr.contains("is told to no model"), "{schema}: {}", told.stderr);
    }
    assert_eq!(bench.entries("model_answer").len(), 0, "nobody was asked");
    let piped = bench.command(&["canon", "check", "-", "--by-model", "--model", "scripted:script.jsonl"]);
    let told = run(piped, "The sky is blue.");
    assert!(!told.stderr.contains("is told to no model"), "{}", told.stderr);
    // The rules look at it where they are told to: nobody else does.
    assert_ne!(bench.annals(&["canon", "check", ".env"]).code, Some(2));
}
