//! Lines, events, addresses, schemas: tables and laws.

use annals_kernel::time::Timestamp;
use proptest::prelude::*;
use serde_json::json;

use super::address::{Address, BadAddress};
use super::after::retry_after_ms;
use super::lines::Lines;
use super::sse::Sse;
use super::trouble::Trouble;
use super::{LINE_BYTES, schema};
use crate::purpose::Place;

fn lines(pieces: &[&[u8]]) -> (Vec<String>, Option<String>) {
    let (mut lines, mut heard) = (Lines::default(), Vec::new());
    for piece in pieces {
        lines
            .push(piece, &mut |line| {
                heard.push(line.to_owned());
                Ok(())
            })
            .unwrap();
    }
    (heard, lines.rest())
}

fn events(pieces: &[&[u8]]) -> (Vec<String>, Option<String>) {
    let (mut events, mut heard) = (Sse::default(), Vec::new());
    for piece in pieces {
        events
            .push(piece, &mut |data| {
                heard.push(data.to_owned());
                Ok(())
            })
            .unwrap();
    }
    (heard, events.rest())
}

#[test]
fn lines_end_with_lf_cr_or_both() {
    assert_eq!(
        lines(&[b"a\nb\rc\r\n\n\rd"]),
        (["a", "b", "c", "", ""].map(str::to_owned).to_vec(), Some("d".to_owned()))
    );
    assert_eq!(lines(&[b"a\r", b"\nb\r", b"c\n"]), (["a", "b", "c"].map(str::to_owned).to_vec(), None));
    assert_eq!(lines(&[b"a\r", b"", b"\nb\n"]), (["a", "b"].map(str::to_owned).to_vec(), None));
}

#[test]
fn a_line_without_end_is_refused() {
    let mut lines = Lines::default();
    let mib = vec![b'x'; LINE_BYTES];
    assert_eq!(lines.push(&mib, &mut |_| Ok(())), Ok(()));
    assert_eq!(lines.push(b"x", &mut |_| Ok(())), Err(Trouble::TooLarge { limit: LINE_BYTES }));
}

#[test]
fn events_are_their_data() {
    let cases: &[(&str, &[&str], Option<&str>)] = &[
        ("data: a\n\n", &["a"], None),
        ("data:a\n\n", &["a"], None),
        ("data:  a\n\n", &[" a"], None),
        ("\u{feff}data: a\n\n", &["a"], None),
        ("data: a\ndata: b\n\n", &["a\nb"], None),
        ("event: x\nid: 1\nretry: 5\ndata: a\n\n", &["a"], None),
        (": a comment\n\n: another\n\ndata: a\r\n\r\n", &["a"], None),
        ("data\n\n", &[""], None),
        ("datax: a\n\n", &[], None),
        ("<html>\n\n</html>\n", &[], None),
        ("data: a\n\ndata: b", &["a"], Some("b")),
        ("data: a\n\ndata: b\n", &["a"], Some("b")),
    ];
    for (text, heard, rest) in cases {
        let heard = heard.iter().map(|&data| data.to_owned()).collect();
        assert_eq!(events(&[text.as_bytes()]), (heard, rest.map(str::to_owned)), "{text:?}");
    }
}

proptest! {
    #[test]
    fn events_are_the_same_however_the_bytes_are_split(
        data in prop::collection::vec("[a-zé😀{}:\" ]{0,12}", 0..6),
        ends in prop::sample::select(vec!["\n", "\r", "\r\n"]),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let stream = data.iter().map(|data| format!("event: e{ends}data: {data}{ends}{ends}")).collect::<Vec<_>>().concat();
        let bytes = stream.as_bytes();
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).chain([0, bytes.len()]).collect();
        cuts.sort_unstable();
        let pieces: Vec<_> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
        prop_assert_eq!(events(&pieces), (data.clone(), None));
        let single: Vec<_> = bytes.chunks(1).collect();
        prop_assert_eq!(events(&single), (data, None));
    }

    #[test]
    fn any_bytes_are_lines_or_events_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let (heard, rest) = lines(&[&bytes]);
        let ends = |byte: &&u8| matches!(byte, b'\n' | b'\r');
        prop_assert!(heard.len() <= bytes.iter().filter(ends).count());
        prop_assert_eq!(rest.is_some(), bytes.last().is_some_and(|byte| !ends(&byte)));
        events(&[&bytes]);
    }
}

#[test]
fn an_address_is_local_only_if_it_says_so_itself() {
    let cases = [
        ("http://127.0.0.1:8080", Place::Local),
        ("http://127.9.9.9", Place::Local),
        ("http://2130706433/", Place::Local),
        ("http://localhost:1", Place::Local),
        ("http://LOCALHOST./", Place::Local),
        ("http://gpu.localhost", Place::Local),
        ("http://[::1]:8080", Place::Local),
        ("http://[::ffff:127.0.0.1]", Place::Local),
        ("http://[::ffff:8.8.8.8]", Place::Cloud),
        ("http://[fd00::1]", Place::Local),
        ("http://10.1.2.3", Place::Local),
        ("http://172.16.0.1", Place::Local),
        ("http://172.32.0.1", Place::Cloud),
        ("http://192.168.1.1", Place::Local),
        ("http://169.254.169.254", Place::Cloud),
        ("http://0.0.0.0:11434", Place::Cloud),
        ("https://api.example.com", Place::Cloud),
        ("https://localhost.example.com", Place::Cloud),
        ("https://127.0.0.1.example.com", Place::Cloud),
        ("https://notlocalhost", Place::Cloud),
        ("https://gpu.local", Place::Cloud),
    ];
    for (url, place) in cases {
        assert_eq!(Address::parse(url).unwrap().place(), place, "{url}");
    }
}

#[test]
fn an_address_is_http_and_holds_no_secret() {
    let scheme = |scheme: &str| BadAddress::Scheme { scheme: scheme.to_owned() };
    let cases = [
        ("file:///etc/passwd", scheme("file")),
        ("ftp://127.0.0.1/", scheme("ftp")),
        ("unix:/var/run/docker.sock", scheme("unix")),
        ("javascript:alert(1)", scheme("javascript")),
        ("http://me@127.0.0.1", BadAddress::Credentials),
        ("http://me:hunter2@127.0.0.1", BadAddress::Credentials),
        ("http://127.0.0.1/?key=hunter2", BadAddress::Tail),
        ("http://127.0.0.1/#x", BadAddress::Tail),
    ];
    for (url, error) in cases {
        assert_eq!(Address::parse(url), Err(error), "{url}");
    }
    for url in ["", "127.0.0.1:8080", "localhost", "http://", "http://[::1", "http://bücher.example"] {
        assert!(Address::parse(url).is_err(), "{url}");
    }
}

#[test]
fn paths_are_added_to_addresses() {
    let at = |url: &str| Address::parse(url).unwrap().versioned().at("/models").to_string();
    assert_eq!(at("http://127.0.0.1:1"), "http://127.0.0.1:1/v1/models");
    assert_eq!(at("http://127.0.0.1:1/"), "http://127.0.0.1:1/v1/models");
    assert_eq!(at("http://127.0.0.1:1/v1"), "http://127.0.0.1:1/v1/models");
    assert_eq!(at("http://127.0.0.1:1/api/v1/"), "http://127.0.0.1:1/api/v1/models");
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    let now: Timestamp = "2026-10-21T07:27:58.500Z".parse().unwrap();
    let cases = [
        ("3", Some(3_000)),
        (" 0 ", Some(0)),
        ("99999999999999999999", None),
        ("18446744073709551615", Some(u64::MAX)),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
        ("Wed, 21 Oct 2026 07:28:00 GMT", Some(1_500)),
        ("Wed, 21 Oct 2020 07:28:00 GMT", Some(0)),
        ("Wed, 31 Feb 2027 07:28:00 GMT", None),
        ("Wed, 21 Okt 2026 07:28:00 GMT", None),
    ];
    for (text, ms) in cases {
        assert_eq!(retry_after_ms(text, now), ms, "{text:?}");
    }
}

#[test]
fn schemas_are_closed_and_lose_bounds_but_names_are_kept() {
    let open = json!({
        "type": "object",
        "properties": {
            "format": { "type": "string", "format": "uri", "minLength": 1 },
            "list": { "type": "array", "minItems": 1, "items": { "type": "object", "properties": {} } },
        },
        "required": ["format"],
        "$defs": { "pattern": { "anyOf": [{ "type": "integer", "minimum": 0 }, { "enum": ["minimum"] }] } },
    });
    let closed = json!({
        "type": "object",
        "properties": {
            "format": { "type": "string" },
            "list": {
                "type": "array",
                "items": { "type": "object", "properties": {}, "additionalProperties": false },
            },
        },
        "required": ["format"],
        "$defs": { "pattern": { "anyOf": [{ "type": "integer" }, { "enum": ["minimum"] }] } },
        "additionalProperties": false,
    });
    assert_eq!(schema::closed(&schema::unbounded(&open)), closed);
}

#[test]
fn a_schema_is_strict_if_every_object_is_closed_and_requires_all() {
    let object = |required: &[&str], closed: bool| json!({ "type": "object", "properties": { "a": {}, "b": {} }, "required": required, "additionalProperties": !closed });
    let cases = [
        (object(&["a", "b"], true), true),
        (object(&["a"], true), false),
        (object(&["a", "b"], false), false),
        (json!({ "type": "array", "items": object(&["b"], true) }), false),
        (json!({ "type": "array", "items": object(&["b", "a"], true) }), true),
        (json!({ "type": "object" }), false),
        (json!({ "type": "string" }), true),
        (json!(true), true),
    ];
    for (schema, is_strict) in cases {
        assert_eq!(schema::is_strict(&schema), is_strict, "{schema}");
    }
}

#[test]
fn errors_inside_answers_stand_for_a_status() {
    let cases = [
        (json!("out of memory"), 500, "out of memory"),
        (json!({ "message": "slow down", "type": "rate_limit_error" }), 429, "slow down"),
        (json!({ "message": "busy", "type": "overloaded_error" }), 529, "busy"),
        (json!({ "message": "loading", "code": 503, "type": "unavailable_error" }), 503, "loading"),
        (json!({ "message": "odd", "code": 7 }), 500, "odd"),
        (json!({ "message": "odd", "code": "model_not_found" }), 500, "odd"),
        (json!({ "what": 1 }), 500, "{\"what\":1}"),
        (json!(["x"]), 500, "[\"x\"]"),
    ];
    for (error, status, said) in cases {
        assert_eq!(Trouble::of_error(&error), Trouble::Said { status, said: said.to_owned() }, "{error}");
    }
}

#[test]
fn members_are_sent_in_the_order_in_which_they_are_required() {
    let schema = json!({
        "type": "object",
        "properties": { "input": { "type": "object" }, "tool": { "const": "read" }, "a": {} },
        "required": ["tool", "input"],
        "anyOf": [{ "properties": { "b": {}, "a": { "properties": { "y": {}, "x": {} } } }, "required": ["b"] }],
    });
    let text = schema::WireSchema(schema.clone()).to_string();
    let places: Vec<_> = ["\"tool\":", "\"input\":", "\"a\":{}"].iter().map(|part| text.find(part)).collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{text}");
    assert!(text.contains(r#"{"b":{},"a":{"properties":{"x":{},"y":{}}}}"#), "{text}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), schema);
}
