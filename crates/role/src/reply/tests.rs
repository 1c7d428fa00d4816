//! Answers as models give them, and as an adversary would.

mod fields;
mod hostile;
mod messy;
mod verdicts;

use serde_json::{Map, Value, json};

use super::object;
use crate::prompt::BadAnswer;

fn members(value: Value) -> Map<String, Value> {
    let Value::Object(members) = value else { panic!("{value}") };
    members
}

/// What an answer holds, where members named `a` are wanted.
fn found(raw: &str) -> Value {
    object(raw, &["a"]).map_or_else(|bad| panic!("{raw}: {bad}"), Value::Object)
}

fn problem(raw: &str) -> BadAnswer {
    object(raw, &["a"]).expect_err(raw)
}

#[test]
fn an_object_alone_is_read_as_it_stands() {
    assert_eq!(found(r#"{"a":[1,-2.5e3,"x",null,true,{"b":[]}]}"#), json!({"a":[1,-2.5e3,"x",null,true,{"b":[]}]}));
    assert_eq!(object("{}", &[]), Ok(members(json!({}))), "where nothing is wanted any object will do");
}
