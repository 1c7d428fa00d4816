//! What such a server is sent, and what it answers.

use serde_json::{Value, json};

use crate::answer::Finish;
use crate::cancel::Cancel;
use crate::config::{BackendKind, ModelConfig, ThinkOff};
use crate::failure::ModelError;
use crate::models::{Models, Unasked};
use crate::purpose::Purpose;
use crate::request::GenerateRequest;
use crate::testing::{Notes, Piece, Reply, Server, Still, ask, at, models, only, question};

/// Whether it is the failure that was to be.
type Fits = fn(&ModelError) -> bool;

const EVENTS: &[&str] = &[
    r#"{"type":"message_start","message":{"model":"m1-2026","content":[],"usage":{"input_tokens":7,"cache_read_input_tokens":20,"cache_creation_input_tokens":100,"output_tokens":1}}}"#,
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}"#,
    r#"{"type":"ping"}"#,
    r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
    r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hi "}}"#,
    r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"é!"}}"#,
    r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}"#,
    r#"{"type":"message_stop"}"#,
];

fn stream(data: &[&str]) -> Reply {
    let events = data.iter().map(|data| Piece::Bytes(format!("event: x\ndata: {data}\n\n").into_bytes()));
    Reply::stream("text/event-stream", events).ended()
}

fn whole(content: &Value, reason: &str) -> Reply {
    let usage = json!({ "input_tokens": 7, "output_tokens": 3 });
    Reply::json(
        200,
        &json!({ "type": "message", "model": "m1", "content": content, "stop_reason": reason, "usage": usage }),
    )
}

fn config(server: &Server) -> ModelConfig {
    ModelConfig { key_variable: Some("KEY".to_owned()), ..at(BackendKind::Anthropic, &server.url) }
}

fn models_on(server: &Server) -> Models {
    models(only(config(server)), Still::with(&[("KEY", "sk-1")]))
}

#[tokio::test]
async fn events_are_heard_and_kept_whole() {
    let server = Server::start([stream(EVENTS)]).await;
    let mut notes = Notes::default();
    let models = models_on(&server);
    let asked = models.ask(Purpose::Eval, &question(), &mut *notes.listen(), &Cancel::new()).await.unwrap();
    let answer = asked.answer;
    assert_eq!(notes.0, "!(hm)Hi é!");
    assert_eq!((answer.text.as_str(), answer.thinking.as_deref(), answer.finish), ("Hi é!", Some("hm"), Finish::Stop));
    assert_eq!((answer.model.as_str(), answer.tokens_in, answer.tokens_out), ("m1-2026", Some(127), Some(3)));
    assert!(answer.raw.ends_with("data: {\"type\":\"message_stop\"}\n\n"));
    let seen = server.seen().remove(0);
    assert_eq!(seen.line, "POST /v1/messages");
    assert!(seen.headers.contains("x-api-key: sk-1\r\n") && seen.headers.contains("anthropic-version: 2023-06-01\r\n"));
}

#[tokio::test]
async fn a_question_is_sent_with_all_it_has() {
    let server = Server::start([stream(EVENTS)]).await;
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer", "minimum": 1 } } });
    let request = GenerateRequest { schema: Some(schema), seed: Some(5), temperature: Some(0.0), ..question() };
    ask(&models_on(&server), &request).await.unwrap();
    let schema =
        json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "additionalProperties": false });
    let expected = json!({
        "model": "m1", "max_tokens": 16, "system": "Be brief.",
        "messages": [{ "role": "user", "content": "Say hi." }],
        "stream": true, "thinking": { "type": "disabled" },
        "output_config": { "format": { "type": "json_schema", "schema": schema } },
    });
    assert_eq!(server.bodies(), [expected]);
}

#[tokio::test]
async fn thinking_is_turned_off_as_the_model_wants_it() {
    let sent = |word: ThinkOff, may_think: bool| async move {
        let server = Server::start([stream(EVENTS)]).await;
        let config = ModelConfig { think_off: Some(word), ..config(&server) };
        let models = models(only(config), Still::with(&[("KEY", "sk-1")]));
        ask(&models, &GenerateRequest { may_think, ..question() }).await.unwrap();
        let body = server.bodies().remove(0);
        (body.get("thinking").cloned(), body.get("output_config").cloned(), body["max_tokens"].as_u64().unwrap())
    };
    assert_eq!(sent(ThinkOff::BetweenTools, false).await, (Some(json!({ "type": "between_tools" })), None, 16));
    assert_eq!(sent(ThinkOff::EffortLow, false).await, (None, Some(json!({ "effort": "low" })), 4_112));
    assert_eq!(sent(ThinkOff::Unsaid, false).await, (None, None, 4_112));
    assert_eq!(sent(ThinkOff::Disabled, true).await, (None, None, 4_112));
}

#[tokio::test]
async fn the_reason_for_the_end_is_told_apart() {
    let cases = [
        ("end_turn", Finish::Stop),
        ("stop_sequence", Finish::Stop),
        ("max_tokens", Finish::Length),
        ("model_context_window_exceeded", Finish::Length),
        ("refusal", Finish::Refused),
        ("tool_use", Finish::ToolUse),
        ("pause_turn", Finish::Other("pause_turn".to_owned())),
    ];
    for (reason, finish) in cases {
        let server = Server::start([whole(&json!([{ "type": "text", "text": "Hi" }, 7]), reason)]).await;
        let answer = ask(&models_on(&server), &question()).await.unwrap().answer;
        assert_eq!((answer.text.as_str(), answer.finish), ("Hi", finish));
    }
}

#[tokio::test]
async fn what_goes_wrong_is_told_apart() {
    let overloaded = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    let refused =
        json!({ "type": "error", "error": { "type": "authentication_error", "message": "invalid x-api-key" } });
    let cases: Vec<(Reply, usize, Fits)> = vec![
        (
            stream(&[EVENTS[0], overloaded]),
            4,
            |error| matches!(error, ModelError::Status { status: 529, said, .. } if said == "Overloaded"),
        ),
        (
            Reply::json(401, &refused),
            1,
            |error| matches!(error, ModelError::Status { status: 401, said, .. } if said == "invalid x-api-key"),
        ),
        (stream(&EVENTS[..8]), 4, |error| matches!(error, ModelError::Broken { .. })),
        (stream(&["{}"]), 1, |error| matches!(error, ModelError::Unreadable { .. })),
        (Reply::json(200, &json!([1])), 1, |error| matches!(error, ModelError::Unreadable { .. })),
    ];
    for (reply, times, fits) in cases {
        let server = Server::start([reply]).await;
        let error = ask(&models_on(&server), &question()).await.unwrap_err();
        assert!(matches!(&error.why, Unasked::Model(error) if fits(error)), "{error:?}");
        assert_eq!(error.attempts.len(), times, "{error:?}");
    }
}

#[tokio::test]
async fn figures_beyond_all_bounds_do_no_harm() {
    let usage = json!({ "input_tokens": u64::MAX, "cache_read_input_tokens": u64::MAX, "output_tokens": -1 });
    let body = json!({ "type": "message", "content": [], "stop_reason": "end_turn", "usage": usage });
    let server = Server::start([Reply::json(200, &body)]).await;
    let answer = ask(&models_on(&server), &question()).await.unwrap().answer;
    assert_eq!((answer.tokens_in, answer.tokens_out, answer.text.as_str()), (Some(u64::MAX), None, ""));
}

#[tokio::test]
async fn a_look_knows_short_names_and_keys() {
    let list = json!({ "data": [{ "id": "m1-20260101" }] });
    let cases = [(Reply::json(200, &list), "ready"), (Reply::json(401, &json!({})), "AT refuses the key")];
    for (reply, words) in cases {
        let server = Server::start([reply]).await;
        assert_eq!(models_on(&server).check("one").await.unwrap().to_string(), words.replace("AT", &server.url));
    }
    let server = Server::start([Reply::json(200, &list)]).await;
    let keyless = models(only(config(&server)), Still::new());
    assert_eq!(keyless.check("one").await.unwrap().to_string(), "the variable KEY holds no key");
    let texts = ["a".to_owned()];
    let error = models_on(&server).embed(&texts, &Cancel::new()).await.unwrap_err();
    assert_eq!(error.to_string(), "one makes no vectors of texts");
}
