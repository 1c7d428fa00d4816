//! What is sent, what is heard, and what a hostile or broken server can do.

mod hostile;
mod sent;

use std::sync::Arc;

use serde_json::{Value, json};

use crate::answer::{Finish, RawAnswer};
use crate::cancel::Cancel;
use crate::config::{BackendKind, ModelConfig};
use crate::failure::ModelError;
use crate::models::{AskError, Asked, Models, Unasked};
use crate::purpose::Purpose;
use crate::testing::{Notes, Piece, Reply, Server, Still, ask, at, models, only, question};

fn on(server: &Server) -> ModelConfig {
    at(BackendKind::OpenAi, &server.url)
}

fn models_on(server: &Server, still: &Arc<Still>) -> Models {
    models(only(on(server)), still.clone())
}

async fn asked(reply: Reply) -> Result<Asked, AskError> {
    let server = Server::start([reply]).await;
    ask(&models_on(&server, &Still::new()), &question()).await
}

async fn answered(reply: Reply) -> RawAnswer {
    asked(reply).await.unwrap().answer
}

async fn refused(reply: Reply) -> ModelError {
    match asked(reply).await.unwrap_err().why {
        Unasked::Model(error) => error,
        Unasked::Choice(error) => panic!("{error}"),
    }
}

fn whole(message: &Value, reason: &str) -> Value {
    json!({
        "choices": [{ "index": 0, "finish_reason": reason, "message": message }],
        "usage": { "prompt_tokens": 7, "completion_tokens": 3 },
        "model": "m1-q4",
    })
}

fn hi(raw: &str) -> RawAnswer {
    RawAnswer {
        text: "Hi é!".to_owned(),
        thinking: None,
        finish: Finish::Stop,
        model: "m1-q4".to_owned(),
        tokens_in: Some(7),
        tokens_out: Some(3),
        nano_usd: None,
        raw: raw.to_owned(),
    }
}

const STREAMED: &[&str] = &[
    r#"{"choices":[{"finish_reason":null,"delta":{"role":"assistant","content":null}}],"model":"m1-q4"}"#,
    r#"{"choices":[{"finish_reason":null,"delta":{"content":"Hi "}}],"model":"m1-q4"}"#,
    r#"{"choices":[{"finish_reason":null,"delta":{"content":"é!"}}]}"#,
    r#"{"choices":[{"finish_reason":"stop","delta":{}}]}"#,
    r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#,
    "[DONE]",
];

fn stream_text() -> String {
    format!("data: {}\n\n", STREAMED.join("\n\ndata: "))
}

#[tokio::test]
async fn a_stream_is_heard_and_kept_whole() {
    let server = Server::start([Reply::events(STREAMED)]).await;
    let mut notes = Notes::default();
    let models = models_on(&server, &Still::new());
    let asked = models.ask(Purpose::Planner, &question(), &mut *notes.listen(), &Cancel::new()).await.unwrap();
    assert_eq!(asked.answer, hi(&stream_text()));
    assert_eq!((asked.name.as_str(), asked.attempts), ("one", Vec::new()));
    assert_eq!(notes.0, "!Hi é!");
}

#[tokio::test]
async fn a_stream_may_be_split_at_every_byte() {
    let text = stream_text();
    let pieces = text.bytes().map(|byte| Piece::Bytes(vec![byte]));
    assert_eq!(answered(Reply::stream("text/event-stream", pieces).ended()).await, hi(&text));
}

#[tokio::test]
async fn a_stream_without_its_last_mark_is_complete_once_it_said_why_it_ended() {
    let stream: String = stream_text().split("data: [DONE]").next().unwrap().to_owned();
    assert_eq!(answered(Reply::of(200, "text/event-stream", stream.clone())).await, hi(&stream));
}

#[tokio::test]
async fn an_answer_may_come_whole_whatever_kind_it_says_it_is() {
    let body = whole(&json!({ "content": "Hi é!" }), "stop").to_string();
    for kind in ["application/json", "text/event-stream", "text/html"] {
        assert_eq!(answered(Reply::of(200, kind, body.clone())).await, hi(&body), "{kind}");
    }
    let pretty =
        format!("\n  {}", serde_json::to_string_pretty(&whole(&json!({ "content": "Hi é!" }), "stop")).unwrap());
    assert_eq!(answered(Reply::of(200, "application/json", pretty.clone())).await, hi(&pretty));
}

#[tokio::test]
async fn the_reason_for_the_end_is_told_apart() {
    let cases = [
        ("stop", Finish::Stop),
        ("length", Finish::Length),
        ("content_filter", Finish::Refused),
        ("tool_calls", Finish::ToolUse),
        ("tired", Finish::Other("tired".to_owned())),
    ];
    for (reason, finish) in cases {
        let answer = answered(Reply::json(200, &whole(&json!({ "content": "Hi" }), reason))).await;
        assert_eq!(answer.finish, finish);
    }
}

#[tokio::test]
async fn thoughts_and_refusals_are_no_text() {
    let cases = [
        (json!({ "content": "", "reasoning_content": "hm" }), "length", "", Some("hm"), Finish::Length),
        (json!({ "content": null, "reasoning": "hm" }), "length", "", Some("hm"), Finish::Length),
        (json!({ "content": "<think>\nhm\n</think>\n\nHi" }), "stop", "Hi", Some("hm"), Finish::Stop),
        (json!({ "content": "<think>hm, and on" }), "length", "", Some("hm, and on"), Finish::Length),
        (json!({ "content": "say <think> twice" }), "stop", "say <think> twice", None, Finish::Stop),
        (json!({ "content": [{ "type": "text", "text": "H" }, { "text": "i" }, 7] }), "stop", "Hi", None, Finish::Stop),
        (json!({ "content": null, "refusal": "I can't" }), "stop", "I can't", None, Finish::Refused),
        (json!({ "content": 7 }), "stop", "", None, Finish::Stop),
        (json!({}), "stop", "", None, Finish::Stop),
    ];
    for (message, reason, text, thinking, finish) in cases {
        let answer = answered(Reply::json(200, &whole(&message, reason))).await;
        let told = (answer.text.as_str(), answer.thinking.as_deref(), answer.finish);
        assert_eq!(told, (text, thinking, finish), "{message}");
    }
}
