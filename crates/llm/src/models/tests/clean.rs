//! No text reaches a backend unsanitized. That only a sanitizer makes what backends take is kept by the compiler: the
//! members of both types are private to `clean`.

use serde_json::json;

use crate::cancel::Cancel;
use crate::config::{BackendKind, ModelConfig, SchemaMode};
use crate::models::gate::Open;
use crate::purpose::Purpose;
use crate::request::{GenerateRequest, Speaker, Turn};
use crate::testing::{Reply, Server, Still, at, models, only, sanitizer};

/// With the secret wherever there is text.
fn leaking() -> GenerateRequest {
    GenerateRequest {
        key: "k".to_owned(),
        system: "hunter2 one".to_owned(),
        earlier: vec![Turn { speaker: Speaker::Assistant, text: "two hunter2".to_owned() }],
        user: "three hunter2 four".to_owned(),
        schema: Some(json!({
            "type": "object", "description": "hunter2", "properties": { "hunter2": { "enum": ["a", "hunter2"] } },
        })),
        ..GenerateRequest::default()
    }
}

#[test]
fn every_text_of_a_request_is_sanitized() {
    let clean = sanitizer().request(Purpose::Eval, &leaking());
    let expected = GenerateRequest {
        key: "k".to_owned(),
        system: "[gone] one".to_owned(),
        earlier: vec![Turn { speaker: Speaker::Assistant, text: "two [gone]".to_owned() }],
        user: "three [gone] four".to_owned(),
        schema: Some(json!({
            "type": "object", "description": "[gone]", "properties": { "[gone]": { "enum": ["a", "[gone]"] } },
        })),
        ..GenerateRequest::default()
    };
    assert_eq!((clean.purpose(), clean.request()), (Purpose::Eval, &expected));
}

#[tokio::test]
async fn no_server_hears_what_the_sanitizer_takes_out() {
    for backend in [BackendKind::OpenAi, BackendKind::Ollama, BackendKind::Anthropic] {
        for schema in [SchemaMode::Constrained, SchemaMode::Prompted] {
            let server = Server::start([Reply::json(400, &json!({}))]).await;
            let config = ModelConfig { schema, ..at(backend, &server.url) };
            let models = models(only(config), Still::new());
            let by_purpose = models.ask(Purpose::Eval, &leaking(), &mut |_| {}, &Cancel::new()).await;
            let by_name = models.ask_by_name("one", &leaking(), &mut |_| {}, &Cancel::new(), &Open).await;
            let _ = models.embed(&["hunter2".to_owned()], &Cancel::new()).await;
            assert!(by_purpose.is_err() && by_name.is_err());
            let sent = server.bodies();
            let texts = if backend == BackendKind::Anthropic { 2 } else { 3 };
            assert_eq!(sent.len(), texts, "{backend}");
            for body in sent {
                let body = body.to_string();
                assert!(body.contains("[gone]") && !body.contains("hunter2"), "{backend}: {body}");
            }
        }
    }
}
