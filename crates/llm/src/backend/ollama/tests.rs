//! What Ollama is sent, and what it answers.

use serde_json::{Value, json};

use crate::answer::Finish;
use crate::cancel::Cancel;
use crate::config::{BackendKind, ModelConfig};
use crate::failure::ModelError;
use crate::models::{Models, Unasked};
use crate::purpose::Purpose;
use crate::request::GenerateRequest;
use crate::testing::{Notes, Piece, Reply, Server, Still, ask, at, models, only, question};

/// Whether it is the failure that was to be.
type Fits = fn(&ModelError) -> bool;

const LINES: &[&str] = &[
    r#"{"model":"m1:latest","message":{"role":"assistant","content":"","thinking":"hm"},"done":false}"#,
    r#"{"model":"m1:latest","message":{"role":"assistant","content":"Hi "},"done":false}"#,
    r#"{"model":"m1:latest","message":{"role":"assistant","content":"é!"},"done":false}"#,
    r#"{"model":"m1:latest","message":{"content":""},"done_reason":"stop","done":true,"prompt_eval_count":7,"eval_count":3}"#,
];

fn stream(lines: &[&str]) -> Reply {
    let pieces = lines.iter().map(|line| Piece::Bytes(format!("{line}\n").into_bytes()));
    Reply::stream("application/x-ndjson", pieces).ended()
}

fn models_on(server: &Server) -> Models {
    models(only(at(BackendKind::Ollama, &server.url)), Still::new())
}

#[tokio::test]
async fn lines_are_heard_and_kept_whole() {
    let server = Server::start([stream(LINES)]).await;
    let mut notes = Notes::default();
    let models = models_on(&server);
    let asked = models.ask(Purpose::Eval, &question(), &mut *notes.listen(), &Cancel::new()).await.unwrap();
    let answer = asked.answer;
    assert_eq!(notes.0, "!(hm)Hi é!");
    assert_eq!((answer.text.as_str(), answer.thinking.as_deref(), answer.finish), ("Hi é!", Some("hm"), Finish::Stop));
    assert_eq!((answer.model.as_str(), answer.tokens_in, answer.tokens_out), ("m1:latest", Some(7), Some(3)));
    assert_eq!(answer.raw, format!("{}\n", LINES.join("\n")));
}

#[tokio::test]
async fn lines_may_be_split_at_every_byte_and_the_last_may_lack_its_end() {
    let text = LINES.join("\n");
    let pieces = text.bytes().map(|byte| Piece::Bytes(vec![byte]));
    let server = Server::start([Reply::stream("application/x-ndjson", pieces).ended()]).await;
    assert_eq!(ask(&models_on(&server), &question()).await.unwrap().answer.text, "Hi é!");
}

#[tokio::test]
async fn a_question_is_sent_with_all_it_has() {
    let server = Server::start([stream(&LINES[3..])]).await;
    let config = ModelConfig {
        context: Some(8_192),
        keep_alive: Some("10m".to_owned()),
        stream: false,
        thinking_tokens: Some(100),
        ..at(BackendKind::Ollama, &server.url)
    };
    let schema = json!({ "type": "object" });
    let request = GenerateRequest { schema: Some(schema.clone()), seed: Some(5), temperature: Some(0.0), ..question() };
    let models = models(only(config), Still::new());
    ask(&models, &request).await.unwrap();
    ask(&models, &GenerateRequest { may_think: true, ..question() }).await.unwrap();
    let messages = json!([{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "Say hi." }]);
    let told = json!({
        "model": "m1", "messages": messages, "stream": false, "think": false, "format": schema, "keep_alive": "10m",
        "options": { "num_predict": 16, "num_ctx": 8_192, "temperature": 0.0, "seed": 5 },
    });
    let free = json!({
        "model": "m1", "messages": messages, "stream": false, "keep_alive": "10m",
        "options": { "num_predict": 116, "num_ctx": 8_192 },
    });
    assert_eq!(server.bodies(), [told, free]);
    assert_eq!(server.seen()[0].line, "POST /api/chat");
}

#[tokio::test]
async fn what_goes_wrong_is_told_apart() {
    let missing = json!({ "error": "model \"m1\" not found, try pulling it first" });
    let cases: Vec<(Reply, Fits)> = vec![
        (
            Reply::json(404, &missing),
            |error| matches!(error, ModelError::Status { status: 404, said, .. } if said.starts_with("model")),
        ),
        (
            stream(&[LINES[1], r#"{"error":"out of memory"}"#]),
            |error| matches!(error, ModelError::Status { status: 500, said, .. } if said == "out of memory"),
        ),
        (stream(&LINES[..3]), |error| matches!(error, ModelError::Broken { .. })),
        (stream(&[LINES[1], "{\"model\""]), |error| matches!(error, ModelError::Unreadable { .. })),
        (Reply::of(200, "text/html", "<html>\n</html>\n"), |error| matches!(error, ModelError::Unreadable { .. })),
        (Reply::of(200, "text/html", ""), |error| matches!(error, ModelError::Unreadable { .. })),
        (stream(&["{}"]), |error| matches!(error, ModelError::Unreadable { .. })),
    ];
    for (reply, fits) in cases {
        let server = Server::start([reply]).await;
        let error = ask(&models_on(&server), &question()).await.unwrap_err();
        assert!(matches!(&error.why, Unasked::Model(error) if fits(error)), "{error:?}");
    }
}

#[tokio::test]
async fn an_answer_that_is_cut_or_only_thought_says_so() {
    let line = r#"{"model":"m1","message":{"content":"","thinking":"hm"},"done":true,"done_reason":"length"}"#;
    let server = Server::start([stream(&[line])]).await;
    let answer = ask(&models_on(&server), &question()).await.unwrap().answer;
    assert_eq!((answer.text.as_str(), answer.thinking.as_deref(), answer.finish), ("", Some("hm"), Finish::Length));
}

#[tokio::test]
async fn vectors_come_as_they_are_asked_for() {
    let body = json!({ "model": "e1", "embeddings": [[1.0, 0.5], [0.0, 1.0]], "prompt_eval_count": 4 });
    let server = Server::start([Reply::json(200, &body)]).await;
    let texts = ["a".to_owned(), "b".to_owned()];
    let embedded = models_on(&server).embed(&texts, &Cancel::new()).await.unwrap();
    assert_eq!((embedded.vectors.vectors, embedded.vectors.tokens_in), (vec![vec![1.0, 0.5], vec![0.0, 1.0]], Some(4)));
    assert_eq!(server.bodies(), [json!({ "model": "m1", "input": ["a", "b"], "truncate": true })]);
    assert!(models_on(&server).embed(&texts[..1], &Cancel::new()).await.is_err());
}

#[tokio::test]
async fn a_look_says_what_a_person_needs_to_know() {
    let tags =
        |names: &[&str]| json!({ "models": names.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>() });
    let cases: Vec<(Value, &str)> = vec![
        (tags(&["m1:latest"]), "ready"),
        (tags(&["m1:7b"]), "the server has no m1:latest, but m1:7b; bring it with `ollama pull m1`"),
        (
            tags(&["a", "b", "c", "d", "e", "f"]),
            "the server has no m1:latest, but a, b, c, d, e and 1 more; bring it with `ollama pull m1`",
        ),
        (tags(&[]), "the server has no m1:latest, and no other; bring it with `ollama pull m1`"),
    ];
    for (tags, words) in cases {
        let server = Server::start([Reply::json(200, &tags)]).await;
        assert_eq!(models_on(&server).check("one").await.unwrap().to_string(), words);
        assert_eq!(server.seen()[0].line, "GET /api/tags");
    }
    let gone = Server::start([]).await;
    let (models, url) = (models_on(&gone), gone.url.clone());
    drop(gone);
    tokio::task::yield_now().await;
    let words = format!("no server answers at {url}; start it with `ollama serve`");
    assert_eq!(models.check("one").await.unwrap().to_string(), words);
}
