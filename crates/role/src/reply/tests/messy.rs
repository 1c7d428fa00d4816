//! What stands around the object, and what is wrong within.

use serde_json::json;

use super::{found, problem};
use crate::prompt::BadAnswer;

#[test]
fn the_object_is_found_whatever_stands_around_it() {
    for raw in [
        "```json\n{\"a\": 1}\n```",
        "```\n{\"a\": 1}\n```\nI hope this helps!",
        "Sure! Here is the plan you asked for:\n\n{\"a\": 1}\n\nLet me know {if} you need <more>.",
        "{\"a\": 1}}",
        "{\"a\": 1},",
        "{\"a\": 1}]\n```",
        "[{\"a\": 1}]",
        "\u{feff}{\"a\": 1}",
        "<think>Maybe {\"a\": 2}? No.</think>{\"a\": 1}",
        "<THINK>\n{\"a\": 2}\n</THINK>\n\n{\"a\": 1}",
        "I think {\"a\": 2} fits.\n</think>\n{\"a\": 1}",
        "{\"a\": 1}<think>was that right? {\"a\": 2}",
        "{\"a\": 2}\nCorrection:\n{\"a\": 1}",
        "{\"a\": 1}\n{\"note\": \"done\"}",
        "{\"a\": 1}\n{\"a\": \"cut o",
        "Use {curly} braces, or { like that. {\"a\": 1}",
        "{\"b: 1} is wrong, {\"a\": 1}",
        "{\"b\": \"it's \"quoted\" badly\"}\nSorry:\n{\"a\": 1}",
        "{“a”: 2}\n{\"a\": 1}",
        "x < y {\"a\": 1} <p>",
    ] {
        assert_eq!(found(raw), json!({"a": 1}), "{raw}");
    }
}

#[test]
fn json_in_a_text_of_json_is_unpacked() {
    for raw in [
        r#""{\"a\": 1}""#, "```json\n\"{\\\"a\\\": 1}\"\n```", r#"Answer: "\n{\n\"a\": 1}\n""#,
        r#""\"{\\\"a\\\": 1}\"""#, "<think>{</think> \"{\\\"a\\\": 1}\"",
    ] {
        assert_eq!(found(raw), json!({"a": 1}), "{raw}");
    }
    assert_eq!(problem(r#""{\"a\": 1, \"b"#), BadAnswer::CutOff);
}

#[test]
fn what_models_get_wrong_within_is_read_as_it_was_meant() {
    for (raw, expected) in [
        ("{\"a\": [1, 2,], \"b\": 3,}", json!({"a": [1, 2], "b": 3})),
        ("{\"a\": \"one\ntwo\"}", json!({"a": "one\ntwo"})),
        (r#"{"a": "^\d+\.\w$"}"#, json!({"a": r"^\d+\.\w$"})),
        (r#"{"a": True, "b": None, "c": False}"#, json!({"a": true, "b": null, "c": false})),
        (r#"{"a": "\u00e9\ud83d\ude00\ud83dx\u12"}"#, json!({"a": "é😀\u{fffd}x\u{fffd}12"})),
        (r#"{"a": "“smart” ‘quotes’"}"#, json!({"a": "“smart” ‘quotes’"})),
        (r#"{"a": "<think>no</think> {\"a\": 2}"}"#, json!({"a": "<think>no</think> {\"a\": 2}"})),
        (r#"{"a": 1, "a": 2}"#, json!({"a": 2})),
        ("{ \"a\" :\t1\r\n}", json!({"a": 1})),
    ] {
        assert_eq!(found(raw), expected, "{raw}");
    }
}

#[test]
fn an_answer_without_an_object_says_why() {
    let refused = |words: &str| BadAnswer::Refused { words: words.to_owned() };
    let not_json = |reason: &str| BadAnswer::NotJson { reason: reason.to_owned() };
    for (raw, expected) in [
        ("", BadAnswer::Empty),
        (" \n\t", BadAnswer::Empty),
        ("<think>I should write {\"a\": 1}", BadAnswer::Empty),
        ("<think>{\"a\": 1}</think>\n", BadAnswer::Empty),
        ("all of it {\"a\": 1} </think>", BadAnswer::Empty),
        ("{\"a\": [{\"a\": 1}, {\"a\": \"x", BadAnswer::CutOff),
        ("{\"a\": 1", BadAnswer::CutOff),
        ("{\"a\": tru", BadAnswer::CutOff),
        ("```json\n{", BadAnswer::CutOff),
        ("I'm sorry, but I can't help with that.", refused("I'm sorry, but I can't help with that.")),
        ("I’m sorry,\nI can’t.", refused("I’m sorry, I can’t.")),
        ("Es tut mir leid, das geht nicht.", refused("Es tut mir leid, das geht nicht.")),
        ("抱歉，我无法回答。", refused("抱歉，我无法回答。")),
        ("The plan is to sort the file.", not_json("it has no object")),
        ("[1, 2]", not_json("it has no object")),
        ("{'a': 1}", not_json("a member's name in quotes was expected at byte 1")),
        ("{\"a\": 1 \"b\": 2}", not_json("a comma or } was expected at byte 8")),
        ("{\"a\": [1, 2}", not_json("a comma or ] was expected at byte 11")),
        ("{\"a\": NaN}", not_json("a value was expected at byte 6")),
        ("{\"a\": 1.2.3}", not_json("a number was expected at byte 6")),
        ("{“a”: 1}", not_json("a member's name in quotes was expected at byte 1")),
        ("{\"b\": 1}", BadAnswer::Field { field: "a".to_owned(), problem: "is missing".to_owned() }),
    ] {
        assert_eq!(problem(raw), expected, "{raw}");
    }
}

#[test]
fn a_part_of_an_object_that_was_cut_off_is_no_answer() {
    assert_eq!(problem("{\"b\": [{\"a\": 1}, {\"a\": 2}"), BadAnswer::CutOff);
}

#[test]
fn an_answer_that_repeats_itself_is_a_loop() {
    let line = "Let me think about it once more.\n";
    for raw in [
        line.repeat(20),
        format!("{{\"a\": [{}", "{\"b\": \"read the file\"}, ".repeat(40)),
        format!("{{\"a\": \"{}", "the end of ".repeat(60)),
        format!("{}That is all.", line.repeat(12)),
        "\u{1f600}".repeat(100),
    ] {
        assert_eq!(problem(&raw), BadAnswer::Loops, "{raw}");
    }
    let long: Vec<_> = (0..200).map(|number| format!("Line {number} says something else.")).collect();
    assert_eq!(problem(&long.join("\n")), BadAnswer::NotJson { reason: "it has no object".to_owned() });
}
