//! Scripts and recordings.

use proptest::prelude::*;
use serde_json::json;

use super::recorded::{Recorded, Recordings};
use super::scripted::Scripted;
use crate::answer::{Finish, RawAnswer};
use crate::clean::CleanRequest;
use crate::config::BadModel;
use crate::failure::ModelError;
use crate::model::Model;
use crate::purpose::Purpose;
use crate::request::GenerateRequest;
use crate::testing::{question, sanitizer};

fn asked(purpose: Purpose) -> CleanRequest {
    sanitizer().request(purpose, &question())
}

async fn said(script: &Scripted, purpose: Purpose) -> Result<String, ModelError> {
    script.generate(&asked(purpose), &mut |_| {}).await.map(|answer| answer.text)
}

fn script(text: &str) -> Scripted {
    Scripted::parse("s", "s.jsonl", text).unwrap()
}

fn ended(role: &str) -> Result<String, ModelError> {
    Err(ModelError::ScriptEnded { file: "s.jsonl".to_owned(), role: role.to_owned() })
}

const SCRIPT: &str = r#"
{"role": "planner", "answer": "first"}
{"role": "executor", "answer": {"tool": "read", "path": "a"}}
{"role": "planner", "answer": "second"}
{"role": "*", "answer": ["any"]}
{"role": "planner", "error": "down"}
"#;

#[tokio::test]
async fn a_script_answers_in_order_by_role() {
    let script = script(SCRIPT);
    assert_eq!(said(&script, Purpose::Planner).await.unwrap(), "first");
    assert_eq!(said(&script, Purpose::Executor).await.unwrap(), "{\"tool\": \"read\", \"path\": \"a\"}");
    assert_eq!(said(&script, Purpose::Planner).await.unwrap(), "second");
    assert_eq!(said(&script, Purpose::Planner).await, Err(ModelError::Scripted { said: "down".to_owned() }));
    assert_eq!(said(&script, Purpose::Executor).await.unwrap(), "[\"any\"]");
    assert_eq!(said(&script, Purpose::Executor).await, ended("executor"));
    assert_eq!(said(&script, Purpose::Planner).await, ended("planner"));
}

/// Two words that mean the same.
const WORDS: &str = r#"{"role": "embedding", "answer": {"": [0, 0.5], "login": [1, 0], "sign-in": [1, 0]}}"#;

/// As the tests of search have it: words that mean the same have one vector, however often they are asked.
#[tokio::test]
async fn a_script_makes_vectors_of_the_words_that_stand_in_a_text() {
    let embed = |text: &str, texts: &[&str]| {
        let texts = sanitizer().texts(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
        let script = script(text);
        async move { script.embed(&texts).await }
    };
    let vectors = embed(WORDS, &["The Login fails", "sign-in", "other"]).await.unwrap();
    assert_eq!(vectors.vectors, [[1.0, 0.5], [1.0, 0.5], [0.0, 0.5]]);
    assert_eq!((vectors.model.as_str(), vectors.tokens_in), ("s", Some(8)));
    let failed = |said: &str| ModelError::Scripted { said: said.to_owned() };
    let cases = [
        (SCRIPT, ModelError::CannotEmbed { name: "s".to_owned() }),
        (r#"{"role": "embedding", "error": "down"}"#, failed("down")),
        (r#"{"role": "embedding", "answer": {"": [0]}}"#, failed("vector 1 of 1 has no direction")),
        (r#"{"role": "embedding", "answer": {"": [1e39]}}"#, failed("vector 1 of 1 has no direction")),
        (r#"{"role": "embedding", "answer": {}}"#, failed("it has 1 vectors of lengths {0} for 1 texts")),
    ];
    for (text, error) in cases {
        assert_eq!(embed(text, &["a"]).await, Err(error), "{text}");
    }
}

#[tokio::test]
async fn a_run_that_goes_on_passes_over_what_was_answered() {
    let script = script(SCRIPT);
    script.skip("planner", 1);
    script.skip("summary", 1);
    assert_eq!(said(&script, Purpose::Planner).await.unwrap(), "second");
    assert_eq!(said(&script, Purpose::Debate).await, ended("debate"));
}

#[tokio::test]
async fn a_script_may_say_how_an_answer_ended_and_what_was_thought() {
    let script = script(r#"{"role": "*", "answer": "", "thinking": "hm", "finish": "length"}"#);
    let answer = script.generate(&asked(Purpose::Eval), &mut |_| {}).await.unwrap();
    let expected = RawAnswer {
        text: String::new(),
        thinking: Some("hm".to_owned()),
        finish: Finish::Length,
        model: "s".to_owned(),
        tokens_in: Some(4),
        tokens_out: Some(0),
        nano_usd: None,
        raw: String::new(),
    };
    assert_eq!(answer, expected);
}

#[test]
fn a_script_that_cannot_be_played_is_refused_with_the_line() {
    let cases = [
        ("{\"role\": \"ask\", \"answer\": 1}\n\nnonsense", "line 3: expected ident at line 1 column 2"),
        ("{\"role\": \"ask\"}", "line 1: there is to be either an answer or an error"),
        ("{\"role\": \"ask\", \"answer\": 1, \"error\": \"x\"}", "line 1: there is to be either an answer or an error"),
        ("{\"answer\": 1}", "line 1: missing field `role` at line 1 column 13"),
        ("{\"role\": \"ask\", \"answr\": 1}", "line 1: unknown field `answr`, expected one of"),
        ("{\"role\": \"a\", \"answer\": 1}", "line 1: there is no role \"a\""),
    ];
    for (text, words) in cases {
        match Scripted::parse("s", "s.jsonl", text).err() {
            Some(BadModel::Script { file, reason }) => {
                assert!(file == "s.jsonl" && reason.starts_with(words), "{text}: {reason}");
            }
            error => panic!("{text}: {error:?}"),
        }
    }
}

#[tokio::test]
async fn recordings_give_what_was_recorded_errors_included_and_ask_nobody() {
    let answer = script(SCRIPT).generate(&asked(Purpose::Planner), &mut |_| {}).await.unwrap();
    let answers: Recordings =
        [("a".to_owned(), Ok(answer.clone())), ("b".to_owned(), Err(ModelError::Deadline { ms: 5 }))].into();
    let recorded = Recorded::new("r", answers);
    let under = |key: &str| sanitizer().request(Purpose::Eval, &GenerateRequest { key: key.to_owned(), ..question() });
    let cases = [
        ("a", Ok(answer)),
        ("b", Err(ModelError::Deadline { ms: 5 })),
        ("c", Err(ModelError::NotRecorded { key: "c".to_owned() })),
        ("", Err(ModelError::NotRecorded { key: String::new() })),
    ];
    for (key, expected) in cases {
        assert_eq!(recorded.generate(&under(key), &mut |_| {}).await, expected);
    }
}

#[test]
fn answers_and_failures_survive_the_log() {
    let failures = [
        ModelError::Status { at: "x".to_owned(), status: 429, said: "no".to_owned(), retry_after_ms: Some(3) },
        ModelError::Cancelled,
        ModelError::TooLarge { at: "x".to_owned(), limit: 7, received: "y".to_owned() },
    ];
    for failure in failures {
        let written = serde_json::to_string(&failure).unwrap();
        assert_eq!(serde_json::from_str::<ModelError>(&written).unwrap(), failure, "{written}");
    }
    let written = json!({ "why": "deadline", "ms": 5 });
    assert_eq!(serde_json::to_value(ModelError::Deadline { ms: 5 }).unwrap(), written);
}

proptest! {
    #[test]
    fn any_text_is_a_script_or_none_without_a_panic(text in "(\\{\"role\": ?\"[a*]\", ?\"(answer|error)\": ?[\"x1\\[\\]]{0,4}\\}?\n?){0,4}") {
        let _ = Scripted::parse("s", "f", &text);
    }
}
