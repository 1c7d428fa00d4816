//! What is in files that hold secrets is told to no model (AFS 11.3): told by whether a quote of it could be kept.

use serde_json::{Value, json};

use super::Bench;

/// A session in which an agent read a file that holds secrets, in ways of its own, and one that holds none.
fn reading(bench: &Bench) -> String {
    let id = bench.does(&["session", "start", "Mend the login"]).trim().to_owned();
    let called = |name: &str, input: &Value, output: &str| {
        let (input, output) = (input.to_string(), json!(output).to_string());
        let words = ["record", "--session", &id, "--type", "tool_call", "--name", name, "--input", &input];
        bench.does(&[&words[..], &["--output", &output]].concat());
    };
    called("Read", &json!({ "file_path": ".env" }), "ENVPLAIN just a line of the env file");
    called("Bash", &json!({ "command": "cat notes/plan.txt" }), "NOTEPLAIN just a line of the plan");
    called(
        "Bash",
        &json!({ "command": "grep -rn PLAIN ." }),
        "./.env:1:GREPPLAIN just a line\na.md:1:OPENPLAIN just a line",
    );
    id
}

const SECRET: [&str; 3] = ["ENVPLAIN", "NOTEPLAIN", "GREPPLAIN"];

#[test]
fn nothing_of_files_that_hold_secrets_is_told_to_a_model_and_what_is_left_out_is_counted() {
    let bench = Bench::new();
    bench.does(&["config", "set", "sanitization.excluded_files", r#"["notes/*"]"#]);
    let id = reading(&bench);
    let entity = |name: &str| json!({ "name": name, "type": "concept" });
    let entities: Vec<_> = SECRET.iter().chain(&["OPENPLAIN"]).map(|name| entity(name)).collect();
    let said = json!({ "title": "The login", "summary": "It was read.", "entities": entities });
    let told = bench.judged(&["session", "summary", &id, "--json"], &[("summary", said)]);
    let told: Value = serde_json::from_str(&told.stdout).expect("JSON");
    let kept: Vec<_> =
        told["model"]["summary"]["entities"].as_array().into_iter().flatten().map(|one| &one["name"]).collect();
    assert_eq!((&told["left_out"], kept), (&json!(3), vec![&json!("OPENPLAIN")]), "{told}");

    let finding = |word: &str| json!({ "kind": "major", "text": "so it is", "quote": format!("{word} just a line") });
    let findings: Vec<_> = SECRET.iter().chain(&["OPENPLAIN"]).map(|word| finding(word)).collect();
    let critic = json!({ "findings": findings });
    let told = bench.judged(&["analyse", &id, "--mode", "critic", "--json"], &[("critic", critic.clone())]);
    let told: Value = serde_json::from_str(&told.stdout).expect("JSON");
    let quotes: Vec<_> =
        told["by_model"]["findings"].as_array().into_iter().flatten().map(|one| &one["quote"]).collect();
    let expected = json!("OPENPLAIN just a line");
    assert_eq!((&told["by_model"]["left_out"], quotes), (&json!(3), vec![&expected]), "{told}");

    let said = bench.judged(&["analyse", &id, "--mode", "critic"], &[("critic", critic)]).stderr;
    assert!(said.contains("not told to the model: 3 calls and lines of files that hold secrets"), "{said}");
    bench.replays();
}

/// Who asked a model and got nothing that can be used is told so by the exit code, whatever was asked.
#[test]
fn a_question_without_an_answer_that_can_be_used_is_refused_everywhere() {
    let bench = Bench::new();
    let id = reading(&bench);
    let no = |role: &'static str| [(role, json!("I would rather not."))];
    for (words, role) in [
        (&["session", "summary", &id][..], "summary"),
        (&["analyse", &id, "--mode", "critic"], "critic"),
        (&["canon", "check", "Seryn's eyes are green."], "canon"),
    ] {
        let told = bench.judged(words, &no(role));
        assert_eq!(told.code, Some(1), "{words:?}: {}{}", told.stdout, told.stderr);
    }
}
