//! Laws for any input.

use proptest::prelude::*;

use super::{cleaned, history, sanitizer, with_pii};
use crate::Sanitizer;

/// Pieces that mean something to the rules, so that random texts come near to them.
const PIECES: &[&str] = &[
    "password", "DB_PASS", "token", "api_key", "secret", "Bearer ", "Basic ", "curl -u ", "://", "@", ":", "=", "\"",
    "'", "\\", "\\n", "\n", " ", ",", "{", "}", "[", "]", "<", ">", "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----", "ghp_", "AKIA", "eyJ", "hunter2x", "hunter", "user: ann\npassword: ",
    "k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP", "9f86d081884c7d659a2feaa0c55ad015", "[REDACTED_TOKEN]", "\u{fc}",
    "\u{1f600}", "kind: Secret", "data:", "heroku", "sig=", "s.", "|", "+1 212 555 0123", "ann@annals.test", "/", "--",
    "value=", "...", "$X", "x",
];

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![4 => prop::sample::select(PIECES).prop_map(str::to_owned), 1 => ".{0,12}"];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn values() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        texts().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        Just(serde_json::Value::Null),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::vec((texts(), inner), 0..4)
                .prop_map(|pairs| serde_json::Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn all() -> [Sanitizer; 2] {
    [sanitizer(), with_pii()]
}

/// Writes every letter as an escape: the same value in quite other bytes.
fn escaped(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => escaped_string(text),
        serde_json::Value::Array(items) => format!("[{}]", items.iter().map(escaped).collect::<Vec<_>>().join(" , ")),
        serde_json::Value::Object(members) => {
            let member =
                |(key, value): (&String, &serde_json::Value)| format!("{} :{}", escaped_string(key), escaped(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
        }
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => value.to_string(),
    }
}

fn escaped_string(text: &str) -> String {
    let codes: Vec<String> = text.encode_utf16().map(|code| format!("\\u{code:04x}")).collect();
    format!("\"{}\"", codes.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_clean_text_has_nothing_more_to_clean(text in texts()) {
        for sanitizer in all() {
            let once = sanitizer.sanitize_text(&text, &history()).text;
            let twice = sanitizer.sanitize_text(&once, &history());
            prop_assert_eq!(&*twice.text, &*once, "from {:?}: {:?}", text, twice.findings);
        }
    }

    #[test]
    fn clean_json_is_json_and_has_nothing_more_to_clean(value in values()) {
        for sanitizer in all() {
            let raw = value.to_string();
            let once = sanitizer.sanitize_json(&raw, &history()).text;
            prop_assert!(serde_json::from_str::<serde_json::Value>(&once).is_ok(), "{}", once);
            prop_assert_eq!(&*sanitizer.sanitize_json(&once, &history()).text, &*once);
        }
    }

    #[test]
    fn the_writing_of_json_makes_no_difference(value in values()) {
        let plain = sanitizer().sanitize_json(&value.to_string(), &history()).text.into_owned();
        let other = sanitizer().sanitize_json(&escaped(&value), &history()).text.into_owned();
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
        prop_assert_eq!(read(&plain), read(&other));
    }

    #[test]
    fn what_is_not_replaced_stays(text in texts()) {
        let cleaned = sanitizer().sanitize_text(&text, &history());
        let mut rest = text.as_str();
        for part in split_at_markers(&cleaned.text) {
            let at = rest.find(part);
            prop_assert!(at.is_some(), "{:?} is not in {:?}", part, text);
            rest = &rest[at.unwrap_or(0) + part.len()..];
        }
    }

    #[test]
    fn no_text_is_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes);
        for sanitizer in all() {
            let _ = sanitizer.sanitize_text(&text, &history());
            let _ = sanitizer.sanitize_json(&text, &history());
        }
    }
}

fn split_at_markers(text: &str) -> Vec<&str> {
    let mut parts = vec![text];
    let classes = ["API_KEY", "TOKEN", "SECRET", "PASSWORD", "PRIVATE_KEY"];
    for marker in classes.map(|class| format!("[REDACTED_{class}]")) {
        parts = parts.into_iter().flat_map(|part| part.split(marker.as_str()).collect::<Vec<_>>()).collect();
    }
    parts
}

#[test]
fn names_that_stand_several_times_in_what_is_repeated_lose_all_their_values() {
    let line = "api_key=hunter2; my_api_key = \"Summer24!\"\npassword=3Dhunter2\n";
    let lines = 2_000;
    let left = cleaned(&line.repeat(lines));
    let gone = left.matches("[REDACTED_").count();
    assert!(!left.contains("hunter2") && !left.contains("Summer24!") && gone == 3 * lines, "{gone} of {}", 3 * lines);
}

#[test]
fn a_text_full_of_what_is_encoded_loses_in_each_line_what_one_line_loses() {
    for line in [
        "token=3Dhunter2\n",
        "DB_PASSWORD=3DSummer24!\n",
        "api_key=3DaB3dE5fG7hJ9kL1mN3pQ4rS6\n",
        "user%3Dann%26api_key%3Dhunter2%26",
        "\u{1b}[32mDB_PASSWORD\u{1b}[0m=hunter2\n",
        "&quot;password&quot;: &quot;hunter2&quot;\n",
    ] {
        assert_eq!(cleaned(&line.repeat(1_000)), cleaned(line).repeat(1_000), "{line}");
    }
}

#[test]
fn a_token_that_is_longer_than_any_goes_up_to_where_its_letters_end() {
    let token = format!("{}{}", "xkey\u{73}ib-", "kX9mQ2vR7tLw4zN8".repeat(4_000));
    assert_eq!(cleaned(&format!("a {token} b")), "a [REDACTED_TOKEN] b");
}
