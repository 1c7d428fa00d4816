//! `annals sanitize`: what a filter does to a stream.

use std::io::{BufRead, BufReader, Write};

use crate::program::{Project, Run};

fn ran(code: i32, stdout: &str, stderr: &str) -> Run {
    Run { code: Some(code), stdout: stdout.to_owned(), stderr: stderr.to_owned() }
}

#[test]
fn a_text_loses_its_secrets_and_nothing_else() {
    let project = Project::bare();
    let text = "first\r\npassword = \"tr0ub4dor&3\"\n\n  curl -u ann:S3same7x https://h.example/ # no newline";
    let left = "first\r\npassword = \"[REDACTED_PASSWORD]\"\n\n  curl -u ann:[REDACTED_PASSWORD] https://h.example/ # no newline";
    let said = "taken out: command-password 1, named-password 1\n";
    assert_eq!(project.annals(["sanitize"], text), ran(0, left, said));
    assert_eq!(project.annals(["sanitize"], left), ran(0, left, ""));
}

#[test]
fn lines_of_json_come_out_as_they_come_in() {
    let project = Project::bare();
    let mut child = project.start(["sanitize"]);
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for (line, left) in [
        ("{\"a\": {\"password\":\"S3same7x\"} }\n", "{\"a\": {\"password\":\"[REDACTED_PASSWORD]\"} }\n"),
        ("{\"n\":1.50}\n", "{\"n\":1.50}\n"),
    ] {
        input.write_all(line.as_bytes()).expect("written");
        let mut read = String::new();
        output.read_line(&mut read).expect("read while the input is still open");
        assert_eq!(read, left);
    }
    drop(input);
    assert!(child.wait().expect("ended").success());
}

#[test]
fn the_name_of_the_file_says_what_is_secret() {
    let run = Project::bare().annals(["sanitize", "--file", ".env"], "GREETING=good morning\n");
    assert_eq!(run, ran(0, "GREETING=[REDACTED_SECRET]\n", "taken out: secret-file 1\n"));
}

#[test]
fn a_check_names_the_rules_and_ends_with_one() {
    let project = Project::bare();
    let found = project.annals(["sanitize", "--check"], r#"{"db":{"password":"S3same7x"}}"#);
    assert_eq!(found, ran(1, "named-password\tdb.password\n", ""));
    assert_eq!(project.annals(["sanitize", "--check"], "nothing here\n"), ran(0, "", ""));
}

#[test]
fn the_patterns_of_the_project_count() {
    let project = Project::new();
    let patterns = r#"[{"name":"ticket","pattern":"TICKET-\\d+","replacement":"[TICKET]"}]"#;
    assert_eq!(project.annals(["config", "set", "sanitization.custom_patterns", patterns], "").code, Some(0));
    assert_eq!(project.annals(["sanitize"], "see TICKET-42\n"), ran(0, "see [TICKET]\n", "taken out: ticket 1\n"));
}
