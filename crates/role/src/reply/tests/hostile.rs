//! Answers that are meant to break the reader: deep, long, unbalanced, arbitrary.

use proptest::prelude::*;
use serde_json::json;

use super::super::{LOOKED_AT_BYTES, ReplyObject, object, word};
use super::{found, problem};
use crate::ggs::Verdict;
use crate::prompt::BadAnswer;

/// Where time is not in proportion, this takes hours.
#[test]
fn whatever_is_repeated_is_read_in_its_time() {
    const BYTES: usize = 1 << 15;
    for piece in [
        "{", "[", "\"", "\\", "\"\\", "{\"", "{\"a\":", "{\"a\":[", "{\"a\":{},", "{}", "<", "<think>", "</think>",
        "{\\\"", "\"{\\\"", "\\n{", "{\"a\" ", "{\"{\":", "{\"a\":[{},{},", "}", "{\"a\":1}", "{\"a\":1", "n{",
        "\u{2028}{", "{\"a\":\"\\u", "{<think>{\"", "{\"\\\"", "\"{", "{ ",
    ] {
        let raw = piece.repeat(BYTES / piece.len());
        let escaped = format!("\"{}\"", raw.replace(['"', '\\'], "\\\""));
        for raw in [raw.clone(), format!("{{\"b\": \"{raw}"), format!("{{\"b\": [{raw}"), format!("{raw}\"}}"), escaped]
        {
            let _ = (object(&raw, &["a"]), object(&raw, &[]));
            assert_eq!(word::<Verdict>(&raw), None);
        }
    }
}

#[test]
fn a_megabyte_of_brackets_or_quotes_is_no_object() {
    for (piece, expected) in [("{", BadAnswer::Loops), ("[", BadAnswer::Loops), ("\"\\", BadAnswer::Loops)] {
        assert_eq!(problem(&piece.repeat(LOOKED_AT_BYTES)), expected, "{piece}");
    }
}

#[test]
fn depth_is_bounded() {
    let nested = |levels: usize| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
    assert!(object(&nested(64), &["a"]).is_ok());
    let deep = BadAnswer::NotJson { reason: "it is nested deeper than 64 levels".to_owned() };
    for levels in [65, 10_000, 200_000] {
        assert_eq!(problem(&nested(levels)), deep, "{levels}");
    }
    assert_eq!(problem(&format!("{{\"a\":{}", "[".repeat(10_000))), deep);
    assert_eq!(found(&format!("{{\"a\":1}}{}", nested(100))), json!({"a": 1}), "what was complete before counts");
}

#[test]
fn what_lies_beyond_the_bound_is_not_looked_at() {
    let prose = (0..).map(|number| format!("{number} ")).take(300_000).collect::<String>();
    assert!(prose.len() > LOOKED_AT_BYTES);
    assert_eq!(found(&format!("{{\"a\": 1}}{prose}")), json!({"a": 1}));
    assert_eq!(problem(&format!("{prose}{{\"a\": 1}}")), BadAnswer::CutOff);
}

#[test]
fn texts_of_control_characters_are_no_objects() {
    let all: String = (0..0x20u8).map(char::from).collect();
    assert!(matches!(problem(&all), BadAnswer::NotJson { .. }), "{all:?}");
    assert_eq!(found(&format!("{all}{{\"a\": \"{}\"}}", all.replace(['"', '\\'], ""))), json!({"a": all}));
}

/// Pieces of which broken answers are made.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just("\""),
        Just("\\"),
        Just(":"),
        Just(","),
        Just("\n"),
        Just("a"),
        Just("\"a\":"),
        Just("1"),
        Just("-"),
        Just("null"),
        Just("<think>"),
        Just("</think>"),
        Just("```json\n"),
        Just("\\u12"),
        Just("\\ud83d"),
        Just("é"),
        Just("{\"a\":1}"),
        Just("\u{0}"),
        Just("I'm sorry"),
    ]
    .prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(crate::testing::at_least(2_000))]

    #[test]
    fn no_answer_makes_the_reader_panic(raw in prop_oneof![
        any::<String>(),
        proptest::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat()),
    ]) {
        if let Ok(members) = object(&raw, &[]) {
            let answer = ReplyObject::new(&members);
            for field in ["a", "b", ""] {
                let _ = (answer.text(field, 5), answer.texts(field, 5), answer.number(field), answer.objects(field));
                let _ = (answer.optional_whole(field), answer.optional_flag(field), answer.body(field, 5));
            }
        }
        let _ = object(&raw, &["a"]);
        let _ = word::<Verdict>(&raw);
    }

    #[test]
    fn whatever_serde_writes_is_read_back(name in ".*", text in ".*", number in any::<f64>(), before in "[^{<\"]*", after in "[^{<]*") {
        let value = json!({"a": [name.clone(), {(name): text}, number]});
        for written in [value.to_string(), serde_json::to_string_pretty(&value).expect("JSON")] {
            prop_assert_eq!(&found(&format!("{before}{written}{after}")), &serde_json::from_str::<serde_json::Value>(&written).expect("JSON"));
        }
    }

    #[test]
    fn an_object_without_its_end_is_no_answer(text in "[a-z{}\\[\\],: ]{0,40}", cut in 1usize..20) {
        let whole = json!({"a": [{"a": text}, 1]}).to_string();
        let part = &whole[..whole.len().saturating_sub(cut).max(1)];
        prop_assert!(object(part, &["a"]).is_err(), "{}", part);
    }
}
