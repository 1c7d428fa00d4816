//! What a hostile or broken server can do: fail, cut, drip, flood, lie, and send us elsewhere.

use std::time::Duration;

use serde_json::json;

use super::{STREAMED, asked, hi, models_on, on, refused, stream_text, whole};
use crate::cancel::Cancel;
use crate::config::{BackendKind, ModelConfig};
use crate::failure::ModelError;
use crate::models::Unasked;
use crate::purpose::Purpose;
use crate::testing::{Notes, Piece, Reply, Server, Still, ask, at, models, only, question};
use crate::wire::{ANSWER_BYTES, LINE_BYTES};

fn bytes(text: &str) -> Piece {
    Piece::Bytes(text.as_bytes().to_vec())
}

#[tokio::test]
async fn a_server_that_asks_for_patience_gets_it() {
    let busy = Reply::json(429, &json!({ "error": { "message": "slow down" } })).header("retry-after: 3");
    let server = Server::start([busy, Reply::events(STREAMED)]).await;
    let still = Still::new();
    let mut notes = Notes::default();
    let models = models_on(&server, &still);
    let asked = models.ask(Purpose::Planner, &question(), &mut *notes.listen(), &Cancel::new()).await.unwrap();
    assert_eq!(asked.answer, hi(&stream_text()));
    assert_eq!(notes.0, "?!Hi é!");
    let at = format!("{}/v1", server.url);
    let error = ModelError::Status { at, status: 429, said: "slow down".to_owned(), retry_after_ms: Some(3_000) };
    assert_eq!(asked.attempts[0].error, error);
    assert_eq!((asked.attempts.len(), still.waits()), (1, vec![3_500]));
}

#[tokio::test]
async fn a_server_that_asks_for_an_hour_is_left_alone() {
    let server = Server::start([Reply::json(503, &json!({})).header("retry-after: 3600")]).await;
    let error = ask(&models_on(&server, &Still::new()), &question()).await.unwrap_err();
    assert!(matches!(error.why, Unasked::Model(ModelError::Status { status: 503, .. })));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn two_failures_and_an_answer_are_an_answer() {
    let server =
        Server::start([Reply::of(500, "text/plain", "oh"), Reply::json(502, &json!({})), Reply::events(STREAMED)])
            .await;
    let asked = ask(&models_on(&server, &Still::new()), &question()).await.unwrap();
    assert_eq!(asked.answer, hi(&stream_text()));
    let said: Vec<_> = asked.attempts.iter().map(|attempt| attempt.error.received()).collect();
    assert_eq!(said, [Some("oh"), Some("{}")]);
}

#[tokio::test]
async fn what_is_our_fault_is_not_asked_again() {
    for (status, times) in
        [(400, 1), (401, 1), (403, 1), (404, 1), (413, 1), (422, 1), (501, 1), (408, 4), (409, 4), (500, 4), (529, 4)]
    {
        let server = Server::start([Reply::json(status, &json!({ "error": "no" }))]).await;
        let error = ask(&models_on(&server, &Still::new()), &question()).await.unwrap_err();
        assert_eq!((server.seen().len(), error.attempts.len()), (times, times), "{status}");
    }
}

#[tokio::test]
async fn a_connection_that_is_cut_is_asked_again_from_the_start() {
    let half = "data: {\"choices\":[{\"delta\":{\"content\":\"He\"}}]}\n\ndata: {\"choi";
    let cut = Reply::stream("text/event-stream", [bytes(half)]);
    let server = Server::start([cut, Reply::events(STREAMED)]).await;
    let mut notes = Notes::default();
    let models = models_on(&server, &Still::new());
    let asked = models.ask(Purpose::Planner, &question(), &mut *notes.listen(), &Cancel::new()).await.unwrap();
    assert_eq!((asked.answer.text.as_str(), notes.0.as_str()), ("Hi é!", "!He?!Hi é!"));
    assert!(matches!(&asked.attempts[0].error, ModelError::Broken { received, .. } if received == half));
}

#[tokio::test]
async fn a_stream_that_ends_in_good_order_and_too_early_is_broken() {
    let half = "data: {\"choices\":[{\"delta\":{\"content\":\"He\"}}]}\n\ndata: {\"choi";
    let whole_length = Reply::of(200, "text/event-stream", half);
    assert!(matches!(refused(whole_length).await, ModelError::Broken { received, .. } if received == half));
    let silent = Reply::of(200, "text/event-stream", "");
    assert!(matches!(refused(silent).await, ModelError::Unreadable { .. }));
}

#[tokio::test]
async fn a_flood_is_cut_off() {
    let word = "data: {\"choices\":[{\"delta\":{\"content\":\"on and on \"}}]}\n\n".repeat(1_000);
    let endless = Reply::stream("text/event-stream", [Piece::Endless(word.into_bytes())]);
    assert!(
        matches!(refused(endless).await, ModelError::TooLarge { limit: ANSWER_BYTES, received, .. } if received.len() == 65_536)
    );
    let line = Reply::stream("text/event-stream", [bytes("data: "), Piece::Endless(vec![b'x'; 65_536])]);
    assert!(matches!(refused(line).await, ModelError::TooLarge { limit: LINE_BYTES, .. }));
    let comments = Reply::stream("text/event-stream", [Piece::Endless(b": still here\n\n".repeat(1_000))]);
    assert!(matches!(refused(comments).await, ModelError::TooLarge { limit: ANSWER_BYTES, .. }));
    let body = Reply::of(200, "application/json", vec![b'{'; 100_000_000]);
    assert!(matches!(refused(body).await, ModelError::TooLarge { limit: ANSWER_BYTES, .. }));
    let error = Reply::of(400, "text/plain", vec![b'x'; 10_000_000]);
    assert!(matches!(refused(error).await, ModelError::Status { status: 400, said, .. } if said.len() == 65_536));
}

#[tokio::test]
async fn what_is_no_answer_is_unreadable() {
    let nested = format!("{{\"choices\":{}", "[".repeat(10_000));
    let bodies = [
        "<html>sign in</html>", "Hi", "[]", "{}", "{\"choices\":1}", "null", "{\"choices\":[", "\0\0\0",
        "data: {}\n\n", "data: Hi\n\n", &nested, "{\"a\":1}{\"a\":1}",
    ];
    for body in bodies {
        let error = refused(Reply::of(200, "text/event-stream", body)).await;
        assert!(matches!(error, ModelError::Unreadable { .. }), "{body:.20}: {error:?}");
    }
}

#[tokio::test]
async fn an_error_inside_a_stream_is_the_status_it_stands_for() {
    let busy = ["{\"choices\":[{\"delta\":{\"content\":\"He\"}}]}", "{\"error\":{\"message\":\"full\",\"code\":400}}"];
    let error = refused(Reply::events(&busy)).await;
    assert!(matches!(error, ModelError::Status { status: 400, said, .. } if said == "full"));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = Server::start([Reply::events(STREAMED)]).await;
    for status in [301, 302, 303, 307, 308] {
        let location = format!("location: {}/v1/chat/completions?k=v", other.url);
        let server = Server::start([Reply::of(status, "text/plain", "").header(&location)]).await;
        let config = ModelConfig { key_variable: Some("SOME_KEY".to_owned()), ..on(&server) };
        let models = models(only(config), Still::with(&[("SOME_KEY", "sk-1")]));
        let error = ask(&models, &question()).await.unwrap_err();
        let at = format!("{}/v1", server.url);
        assert_eq!(error.why, Unasked::Model(ModelError::Redirected { at, to: "http://127.0.0.1".to_owned() }));
    }
    assert_eq!(other.seen(), []);
}

#[tokio::test]
async fn a_local_server_is_asked_directly_whatever_proxy_there_is() {
    let proxy = Server::start([Reply::json(200, &whole(&json!({ "content": "from the proxy" }), "stop"))]).await;
    let server = Server::start([Reply::events(STREAMED)]).await;
    let names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
    let variables = names.map(|name| (name, proxy.url.as_str()));
    let models = models(only(on(&server)), Still::with(&variables));
    assert_eq!(ask(&models, &question()).await.unwrap().answer, hi(&stream_text()));
    assert_eq!(proxy.seen(), []);
}

/// `0.0.0.0` is this machine, and counts as elsewhere since it does not say so.
#[tokio::test]
async fn a_server_elsewhere_is_asked_through_the_proxy_but_for_exceptions() {
    let proxy = Server::start([Reply::json(200, &whole(&json!({ "content": "from the proxy" }), "stop"))]).await;
    let server = Server::start([Reply::events(STREAMED)]).await;
    let config = at(BackendKind::OpenAi, &server.url.replace("127.0.0.1", "0.0.0.0"));
    let still = Still::with(&[("http_proxy", &proxy.url)]);
    let asked = ask(&models(only(config.clone()), still), &question()).await.unwrap();
    assert_eq!(asked.answer.text, "from the proxy");
    let still = Still::with(&[("http_proxy", &proxy.url), ("no_proxy", "0.0.0.0")]);
    assert_eq!(ask(&models(only(config), still), &question()).await.unwrap().answer, hi(&stream_text()));
    assert_eq!((proxy.seen().len(), server.seen().len()), (1, 1));
}

#[tokio::test]
async fn a_certificate_that_nobody_vouches_for_is_no_server() {
    let server = Server::start([Reply::events(STREAMED)]).await;
    let config = at(BackendKind::OpenAi, &server.url.replace("http:", "https:"));
    let error = ask(&models(only(config), Still::new()), &question()).await.unwrap_err();
    assert!(matches!(error.why, Unasked::Model(ModelError::Unreachable { .. })), "{error}");
}

#[tokio::test]
async fn a_drip_is_bounded_by_the_deadline() {
    let drip = Reply::stream(
        "text/event-stream",
        [bytes("data: {\"choices\":[{\"delta\":{\"content\":\"He\"}}]}\n\n"), Piece::Hang],
    );
    let server = Server::start([drip]).await;
    let still = Still::new();
    let models = models_on(&server, &still);
    let mut heard = |_: crate::Delta<'_>| still.pass_deadlines();
    let error = models.ask(Purpose::Planner, &question(), &mut heard, &Cancel::new()).await.unwrap_err();
    assert_eq!(error.why, Unasked::Model(ModelError::Deadline { ms: 600_000 }));
    assert_eq!((error.attempts.len(), server.left().await), (1, 1));
}

#[tokio::test]
async fn who_cancels_ends_the_request() {
    let drip = Reply::stream(
        "text/event-stream",
        [bytes("data: {\"choices\":[{\"delta\":{\"content\":\"He\"}}]}\n\n"), Piece::Hang],
    );
    let server = Server::start([drip]).await;
    let (models, cancel) = (models_on(&server, &Still::new()), Cancel::new());
    let mut heard = |_: crate::Delta<'_>| cancel.cancel();
    let error = models.ask(Purpose::Planner, &question(), &mut heard, &cancel).await.unwrap_err();
    assert_eq!(error.why, Unasked::Model(ModelError::Cancelled));
    let left = tokio::time::timeout(Duration::from_secs(20), server.left()).await;
    assert_eq!(left, Ok(1));
    let again = models.ask(Purpose::Planner, &question(), &mut |_| {}, &cancel).await.unwrap_err();
    assert_eq!((again.why, server.seen().len()), (Unasked::Model(ModelError::Cancelled), 1));
}

#[tokio::test]
async fn nobody_there_is_asked_again_and_then_said() {
    let gone = Server::start([]).await;
    let (models, url) = (models_on(&gone, &Still::new()), gone.url.clone());
    drop(gone);
    tokio::task::yield_now().await;
    let error = ask(&models, &question()).await.unwrap_err();
    let at = format!("{url}/v1");
    assert!(matches!(&error.why, Unasked::Model(ModelError::Unreachable { at: said, .. }) if *said == at), "{error}");
    assert_eq!(error.attempts.len(), 4);
    assert!(asked(Reply::events(STREAMED)).await.is_ok());
}
