//! What a model was not shown is counted and told, and no word over a part reads as one over the whole; no file that holds
//! secrets is told, however it is named.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::Bench;
use crate::program::run;

fn none() -> (&'static str, Value) {
    ("canon", json!({ "claims": [] }))
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
    let mut piped = bench.command(&["canon", "check", "-", "--by-model", "--model", "scripted:script.jsonl"]);
    piped.env("NOTHING", "");
    let told = run(piped, "The sky is blue.");
    assert!(!told.stderr.contains("is told to no model"), "{}", told.stderr);
    // The rules look at it where they are told to: nobody else does.
    assert_ne!(bench.annals(&["canon", "check", ".env"]).code, Some(2));
}
