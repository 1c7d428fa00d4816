//! What is sent, and what is asked beside questions.

use serde_json::{Value, json};

use super::{models_on, on, whole};
use crate::availability::Availability;
use crate::cancel::Cancel;
use crate::config::{ModelConfig, SchemaMode, ThinkOff};
use crate::failure::ModelError;
use crate::models::Unasked;
use crate::request::{GenerateRequest, Speaker, Turn};
use crate::testing::{Reply, Server, Still, ask, models, only, question};

async fn sent(change: impl FnOnce(ModelConfig) -> ModelConfig, request: &GenerateRequest) -> Value {
    let server = Server::start([Reply::json(200, &whole(&json!({ "content": "Hi" }), "stop"))]).await;
    let models = models(only(change(on(&server))), Still::new());
    ask(&models, request).await.unwrap();
    server.bodies().remove(0)
}

fn full() -> GenerateRequest {
    GenerateRequest {
        key: "effect-1".to_owned(),
        earlier: vec![
            Turn { speaker: Speaker::User, text: "Before.".to_owned() },
            Turn { speaker: Speaker::Assistant, text: "Yes?".to_owned() },
        ],
        schema: Some(json!({ "type": "object", "properties": { "word": { "type": "string" } }, "required": ["word"] })),
        temperature: Some(0.7),
        seed: Some(5),
        ..question()
    }
}

#[tokio::test]
async fn a_question_is_sent_with_all_it_has() {
    let body = sent(|config| config, &full()).await;
    let schema = json!({
        "type": "object", "properties": { "word": { "type": "string" } }, "required": ["word"],
        "additionalProperties": false,
    });
    let expected = json!({
        "model": "m1",
        "messages": [
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Before." },
            { "role": "assistant", "content": "Yes?" },
            { "role": "user", "content": "Say hi." },
        ],
        "max_tokens": 16,
        "temperature": 0.7,
        "seed": 5,
        "stream": true,
        "stream_options": { "include_usage": true },
        "response_format": {
            "type": "json_schema", "json_schema": { "name": "answer", "strict": true, "schema": schema },
        },
        "chat_template_kwargs": { "enable_thinking": false },
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn what_is_not_asked_for_is_not_sent() {
    let plain = |config| ModelConfig { stream: false, think_off: Some(ThinkOff::Unsaid), model: None, ..config };
    let request = GenerateRequest { system: String::new(), ..question() };
    let expected = json!({ "messages": [{ "role": "user", "content": "Say hi." }], "max_tokens": 16, "stream": false });
    assert_eq!(sent(plain, &request).await, expected);
}

#[tokio::test]
async fn a_schema_may_go_into_the_prompt() {
    let body = sent(|config| ModelConfig { schema: SchemaMode::Prompted, ..config }, &full()).await;
    assert_eq!(body.get("response_format"), None);
    let system = body["messages"][0]["content"].as_str().unwrap();
    assert!(system.starts_with("Be brief.\n\nAnswer with JSON alone that follows this schema:\n{"), "{system}");
}

#[tokio::test]
async fn thinking_is_turned_off_as_the_model_wants_it() {
    let member = |word: ThinkOff, may_think: bool| async move {
        let request = GenerateRequest { may_think, ..question() };
        let body = sent(|config| ModelConfig { think_off: Some(word), ..config }, &request).await;
        (body.get("chat_template_kwargs").cloned(), body.get("reasoning_effort").cloned())
    };
    let template = Some(json!({ "enable_thinking": false }));
    let cases = [
        (ThinkOff::Template, template, None),
        (ThinkOff::EffortNone, None, Some(json!("none"))),
        (ThinkOff::EffortMinimal, None, Some(json!("minimal"))),
        (ThinkOff::EffortLow, None, Some(json!("low"))),
        (ThinkOff::Unsaid, None, None),
    ];
    for (word, template, effort) in cases {
        assert_eq!(member(word, false).await, (template, effort), "{word}");
        assert_eq!(member(word, true).await, (None, None), "{word}");
    }
}

#[tokio::test]
async fn thoughts_that_stay_come_on_top_of_the_answer() {
    let most = |word: ThinkOff, may_think: bool| async move {
        let change = |config| ModelConfig { think_off: Some(word), thinking_tokens: Some(1_000), ..config };
        sent(change, &GenerateRequest { may_think, ..question() }).await["max_tokens"].clone()
    };
    assert_eq!(most(ThinkOff::Template, false).await, 16);
    assert_eq!(most(ThinkOff::Template, true).await, 1_016);
    assert_eq!(most(ThinkOff::EffortLow, false).await, 1_016);
}

#[tokio::test]
async fn the_key_is_read_when_it_is_sent() {
    let server = Server::start([Reply::json(200, &whole(&json!({ "content": "Hi" }), "stop"))]).await;
    let config = ModelConfig { key_variable: Some("SOME_KEY".to_owned()), ..on(&server) };
    let with_key = models(only(config.clone()), Still::with(&[("SOME_KEY", " sk-1\n")]));
    ask(&with_key, &question()).await.unwrap();
    assert!(server.seen()[0].headers.contains("authorization: bearer sk-1\r\n"), "{}", server.seen()[0].headers);
    assert_eq!(server.seen()[0].line, "POST /v1/chat/completions");

    for value in [None, Some(""), Some("  "), Some("a\nb"), Some("a\0b")] {
        let variables: Vec<_> = value.map(|value| ("SOME_KEY", value)).into_iter().collect();
        let error = ask(&models(only(config.clone()), Still::with(&variables)), &question()).await.unwrap_err();
        let no_key = ModelError::NoKey { variable: "SOME_KEY".to_owned() };
        assert_eq!(error.why, Unasked::Model(no_key), "{value:?}");
        assert_eq!(error.attempts.len(), 1);
    }
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn vectors_come_in_the_order_of_their_texts_with_model_and_time() {
    let body = json!({
        "data": [{ "index": 1, "embedding": [0.5, 1] }, { "index": 0, "embedding": [1e0, -0.25] }],
        "model": "e1-q8", "usage": { "prompt_tokens": 4 },
    });
    let server = Server::start([Reply::json(200, &body)]).await;
    let config = ModelConfig { embed_model: Some("e1".to_owned()), ..on(&server) };
    let texts = ["a".to_owned(), "my hunter2".to_owned()];
    let embedded = models(only(config), Still::new()).embed(&texts, &Cancel::new()).await.unwrap();
    assert_eq!(embedded.vectors.vectors, [[1.0, -0.25], [0.5, 1.0]]);
    assert_eq!((embedded.vectors.model.as_str(), embedded.vectors.tokens_in), ("e1-q8", Some(4)));
    assert_eq!((embedded.name.as_str(), embedded.at.millis()), ("one", 0));
    assert_eq!(server.bodies(), [json!({ "model": "e1", "input": ["a", "my [gone]"] })]);
}

#[tokio::test]
async fn vectors_that_do_not_fit_their_texts_are_refused() {
    let bodies = [
        json!({}),
        json!({ "data": [] }),
        json!({ "data": [{ "embedding": [1.0] }] }),
        json!({ "data": [{ "embedding": [1.0] }, { "embedding": [1.0, 2.0] }] }),
        json!({ "data": [{ "embedding": [] }, { "embedding": [] }] }),
        json!({ "data": [{ "embedding": "AAAA" }, { "embedding": [1.0] }] }),
        json!({ "data": [{ "embedding": [1e300] }, { "embedding": [1.0] }] }),
        json!({ "data": [{ "embedding": [0.0, 0.0] }, { "embedding": [1.0, 0.0] }] }),
        json!({ "data": [{ "embedding": [1.0] }, { "embedding": null }] }),
        json!({ "data": [{ "index": 1, "embedding": [1.0] }, { "index": 1, "embedding": [2.0] }] }),
        json!({ "data": [{ "index": 1, "embedding": [1.0] }, { "index": 2, "embedding": [2.0] }] }),
        json!({ "data": [{ "index": 0, "embedding": [1.0] }, { "embedding": [2.0] }] }),
    ];
    for body in bodies {
        let server = Server::start([Reply::json(200, &body)]).await;
        let texts = ["a".to_owned(), "b".to_owned()];
        let error = models_on(&server, &Still::new()).embed(&texts, &Cancel::new()).await.unwrap_err();
        assert!(matches!(error.why, Unasked::Model(ModelError::Unreadable { .. })), "{body}: {error}");
    }
}

#[tokio::test]
async fn a_look_says_what_a_person_needs_to_know() {
    let known = json!({ "data": [{ "id": "a" }, { "id": "m1" }] });
    let others = json!({ "data": [{ "id": "a" }, { "id": "b" }] });
    let loading = json!({ "error": { "message": "Loading model", "code": 503 } });
    let cases = [
        (Reply::json(200, &known), "ready".to_owned()),
        (Reply::json(200, &json!({ "data": [] })), "ready".to_owned()),
        (Reply::json(404, &json!({})), "ready".to_owned()),
        (Reply::json(200, &others), "the server has no m1, but a, b".to_owned()),
        (Reply::json(401, &json!({ "error": "no" })), "AT refuses the key".to_owned()),
        (Reply::json(503, &loading), "AT answers with status 503: Loading model".to_owned()),
        (
            Reply::of(200, "text/html", "<html>"),
            "the answer of AT cannot be read: expected value at line 1 column 1; it is text/html".to_owned(),
        ),
    ];
    for (reply, words) in cases {
        let server = Server::start([reply]).await;
        let availability = models_on(&server, &Still::new()).check("one").await.unwrap();
        let at = format!("{}/v1", server.url);
        assert_eq!(availability.to_string(), words.replace("AT", &at));
        assert_eq!(server.seen()[0].line, "GET /v1/models");
    }
    let gone = Server::start([]).await;
    let models = models_on(&gone, &Still::new());
    let at = format!("{}/v1", gone.url);
    drop(gone);
    tokio::task::yield_now().await;
    let start_with = Some("llama-server -m MODEL.gguf --port PORT".to_owned());
    assert_eq!(models.check("one").await, Some(Availability::NoServer { at, start_with }));
    assert_eq!(models.check("two").await, None);
}
