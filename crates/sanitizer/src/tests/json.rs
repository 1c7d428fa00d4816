//! JSON as it is written: what is cleaned in it, and that all else stays byte for byte.

use super::{history, joined, sanitizer, with_pii};

const TOKEN: &str = "gh¦p_k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP";

fn cleaned(raw: &str) -> String {
    sanitizer().sanitize_json(&joined(raw), &history()).text.into_owned()
}

#[test]
fn all_bytes_but_the_secrets_stay() {
    let raw = format!("{{ \"b\" : 1.50,\n\t\"a\":[ \"\\u00fc\\/ {TOKEN} \\ud83d\\ude00\\n\" , null ] ,\"b\":2e5}}\n");
    let expected =
        "{ \"b\" : 1.50,\n\t\"a\":[ \"\\u00fc\\/ [REDACTED_TOKEN] \\ud83d\\ude00\\n\" , null ] ,\"b\":2e5}\n";
    assert_eq!(cleaned(&raw), expected);
}

#[test]
fn the_key_says_what_the_value_is() {
    let cases = [
        (r#"{"password":"hunter2x"}"#, r#"{"password":"[REDACTED_PASSWORD]"}"#),
        (r#"{"pass\u0077ord":"hunter2x"}"#, r#"{"pass\u0077ord":"[REDACTED_PASSWORD]"}"#),
        (
            r#"{"password":["hunter2x",["S3same7x"]]}"#,
            r#"{"password":["[REDACTED_PASSWORD]",["[REDACTED_PASSWORD]"]]}"#,
        ),
        (
            r#"{"env":[{"name":"API_KEY","value":"k3J9xQ2mV7tR4wZ8bN1c"},{"name":"HOME","value":"k3J9xQ2mV7tR4wZ8bN1c"}]}"#,
            r#"{"env":[{"name":"API_KEY","value":"[REDACTED_API_KEY]"},{"name":"HOME","value":"k3J9xQ2mV7tR4wZ8bN1c"}]}"#,
        ),
        (
            r#"[{"n\u0061me":"contrase\u00f1a","v\u0061lue":"hunter2x"},{"value":"hunter2x","name":"\u5bc6\u7801"}]"#,
            r#"[{"n\u0061me":"contrase\u00f1a","v\u0061lue":"[REDACTED_PASSWORD]"},{"value":"[REDACTED_PASSWORD]","name":"\u5bc6\u7801"}]"#,
        ),
        (r#"{"password":{"type":"string1","min":8}}"#, r#"{"password":{"type":"string1","min":8}}"#),
        (r#"{"password":12345678,"token":true}"#, r#"{"password":12345678,"token":true}"#),
    ];
    for (raw, expected) in cases {
        assert_eq!(cleaned(raw), expected);
    }
}

#[test]
fn a_word_of_a_list_says_what_the_next_one_is() {
    let cases = [
        (r#"{"args":["--db-password","hunter2x","-v"]}"#, r#"{"args":["--db-password","[REDACTED_PASSWORD]","-v"]}"#),
        (r#"["--contrase\u00f1a","hunter2x"]"#, r#"["--contrase\u00f1a","[REDACTED_PASSWORD]"]"#),
        (r#"["\u002d-password","hunter2x"]"#, r#"["\u002d-password","[REDACTED_PASSWORD]"]"#),
        (r#"["--password","\u002dverbose","hunter2x"]"#, r#"["--password","\u002dverbose","hunter2x"]"#),
        (r#"["--password","--verbose","hunter2x"]"#, r#"["--password","--verbose","hunter2x"]"#),
        (r#"["--password","the password to use"]"#, r#"["--password","the password to use"]"#),
        (r#"{"--password":"x1","b":["hunter2x"]}"#, r#"{"--password":"x1","b":["hunter2x"]}"#),
    ];
    for (raw, expected) in cases {
        assert_eq!(cleaned(raw), expected);
    }
}

#[test]
fn keys_are_cleaned_too() {
    assert_eq!(cleaned(&format!(r#"{{"{TOKEN}":1}}"#)), r#"{"[REDACTED_TOKEN]":1}"#);
}

#[test]
fn json_in_strings_is_cleaned_at_any_level() {
    let mut raw = r#"{"password":"hunter2x","note":"a\"b"}"#.to_owned();
    let mut expected = raw.replace("hunter2x", "[REDACTED_PASSWORD]");
    for level in 0..7 {
        assert_eq!(cleaned(&raw), expected, "level {level}");
        raw = serde_json::json!({ "arguments": raw }).to_string();
        expected = serde_json::json!({ "arguments": expected }).to_string();
    }
}

#[test]
fn escapes_do_not_hide_a_secret() {
    let cases = [
        (r#"["\u0067hp_¦k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP"]"#, r#"["[REDACTED_TOKEN]"]"#),
        (r#"["https:\/\/ann:S3same7x@h\/"]"#, r#"["https:\/\/ann:[REDACTED_PASSWORD]@h\/"]"#),
        (r#"["a=1\u0026token\u003dk3J9xQ2mV7tR4wZ8bN1c"]"#, r#"["a=1\u0026token\u003d[REDACTED_TOKEN]"]"#),
        (r#"["DB_PASSWORD=hunter2x\nA=b"]"#, r#"["DB_PASSWORD=[REDACTED_PASSWORD]\nA=b"]"#),
        (
            r#"["echo \"{\\\"token\\\":\\\"k3J9xQ2mV7tR4wZ8bN1c\\\"}\""]"#,
            r#"["echo \"{\\\"token\\\":\\\"[REDACTED_TOKEN]\\\"}\""]"#,
        ),
    ];
    for (raw, expected) in cases {
        assert_eq!(cleaned(raw), expected);
    }
}

#[test]
fn depth_is_no_limit() {
    for depth in [3_000, 1_000_000] {
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
            let nest = |inside: &str| format!("{}{inside}{}", open.repeat(depth), close.repeat(depth));
            let raw = nest(r#"{"password":"hunter2x"}"#);
            assert!(cleaned(&raw) == nest(r#"{"password":"[REDACTED_PASSWORD]"}"#), "{open} {depth} deep");
        }
    }
}

#[test]
fn what_is_not_json_is_cleaned_as_text() {
    let cases = [
        (r#"{"password":"hunter2x","#, r#"{"password":"[REDACTED_PASSWORD]","#),
        (r#"{"a":1}{"password":"hunter2x"}"#, r#"{"a":1}{"password":"[REDACTED_PASSWORD]"}"#),
        ("password=hunter2x", "password=[REDACTED_PASSWORD]"),
        (r#"["a","password=hunter2x\"#, r#"["a","password=[REDACTED_PASSWORD]\"#),
    ];
    for (raw, expected) in cases {
        assert_eq!(cleaned(raw), expected);
    }
}

#[test]
fn people_in_json_go_where_it_is_asked_for() {
    let cleaned = with_pii().sanitize_json(r#"{"from":"\"Ann\" <ann@annals.test>"}"#, &history());
    assert_eq!(cleaned.text, r#"{"from":"\"Ann\" <[REDACTED_EMAIL]>"}"#);
}
