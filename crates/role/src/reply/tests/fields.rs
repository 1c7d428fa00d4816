//! Members of the right kind and of the wrong one.

use serde_json::{Value, json};

use super::super::{MOST_ITEMS, ReplyObject};
use super::members;
use crate::prompt::BadAnswer;

fn bad<T: std::fmt::Debug>(read: Result<T, BadAnswer>) -> String {
    read.expect_err("it is wrong").to_string()
}

#[test]
fn texts_are_cleaned_bounded_and_named_by_their_path() {
    let members =
        members(json!({"a": " x\u{0}\u{1b}[1m\ty\r\n ", "blank": " \n", "null": null, "n": 1, "long": "äää"}));
    let answer = ReplyObject::new(&members);
    assert_eq!(answer.text("a", 20), Ok("x[1m\ty".to_owned()));
    assert_eq!(answer.text("long", 3), Ok("äää".to_owned()), "letters count, not bytes");
    assert_eq!(answer.body("a", 20), Ok(" x\u{0}\u{1b}[1m\ty\r\n ".to_owned()), "what goes into a file stays as it is");
    for (field, expected) in [
        ("blank", "the answer's blank is empty"),
        ("null", "the answer's null is missing"),
        ("none", "the answer's none is missing"),
        ("n", "the answer's n is a number, no text"),
        ("long", "the answer's long is longer than 2 characters"),
    ] {
        assert_eq!(bad(answer.text(field, 2)), expected);
    }
    assert_eq!(answer.optional_text("blank", 9), Ok(None));
    assert_eq!(answer.optional_text("null", 9), Ok(None));
}

#[test]
fn one_alone_is_a_list_of_one() {
    let members = members(json!({
        "one": "x", "many": ["x", " ", "y"], "mixed": ["x", 1], "object": {"b": 1}, "objects": [{"b": 1}, {"b": "x"}],
        "wrong": [{"b": 1}, "x"], "nested": [{"c": [{"d": 1}]}],
    }));
    let answer = ReplyObject::new(&members);
    assert_eq!(answer.texts("one", 9), Ok(vec!["x".to_owned()]));
    assert_eq!(answer.texts("many", 9), Ok(vec!["x".to_owned(), "y".to_owned()]));
    assert_eq!(answer.texts("none", 9), Ok(vec![]));
    assert_eq!(bad(answer.texts("mixed", 9)), "the answer's mixed.1 is a number, no text");
    assert_eq!(answer.objects("object").map(|found| found.len()), Ok(1));
    let objects = answer.objects("objects").expect("objects");
    assert_eq!(objects[0].number("b"), Ok(1.0));
    assert_eq!(bad(objects[1].number("b")), "the answer's objects.1.b is no number");
    assert_eq!(bad(answer.objects("wrong")), "the answer's wrong.1 is a text, no object");
    let deep = answer.objects("nested").expect("objects")[0].objects("c").expect("objects")[0].clone();
    assert_eq!(bad(deep.text("d", 9)), "the answer's nested.0.c.0.d is a number, no text");
}

#[test]
fn numbers_and_flags_may_stand_in_quotes() {
    let members = members(json!({
        "n": 1.5, "text": " 2 ", "yes": true, "no": "False", "huge": 1e300, "word": "two", "list": [1], "whole": 3.0,
        "negative": "-4", "inf": "inf",
    }));
    let answer = ReplyObject::new(&members);
    assert_eq!(["n", "text", "whole"].map(|name| answer.number(name)), [Ok(1.5), Ok(2.0), Ok(3.0)]);
    assert_eq!(["text", "whole", "negative"].map(|name| answer.optional_whole(name)), [2, 3, -4].map(|n| Ok(Some(n))));
    assert_eq!(
        ["yes", "no", "none"].map(|name| answer.optional_flag(name)),
        [Ok(Some(true)), Ok(Some(false)), Ok(None)]
    );
    for name in ["n", "huge", "word", "list", "yes"] {
        assert_eq!(bad(answer.optional_whole(name)), format!("the answer's {name} is no whole number"));
    }
    for name in ["word", "list", "inf", "yes"] {
        assert_eq!(bad(answer.number(name)), format!("the answer's {name} is no number"));
    }
    assert_eq!(bad(answer.optional_flag("text")), "the answer's text is neither true nor false");
}

#[test]
fn lists_are_bounded() {
    let members = members(json!({"a": vec![Value::from("x"); MOST_ITEMS + 1]}));
    let answer = ReplyObject::new(&members);
    assert_eq!(bad(answer.texts("a", 9)), "the answer's a holds 201 items, more than 200");
    assert_eq!(bad(answer.objects("a")), "the answer's a holds 201 items, more than 200");
}
