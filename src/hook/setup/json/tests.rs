//! Texts before and after a change: what is not changed stays to the byte, and so does each comment.

use proptest::prelude::*;
use serde_json::json;

use super::*;
fn added(text: &str, path: &[&str], key: Option<&str>, value: &Value) -> String {
    let root = parse(text).expect("JSON");
    let node = path.iter().fold(&root, |node, key| node.get(key).expect("there"));
    add(text, node, key, value)
}

#[test]
fn what_is_added_looks_like_what_is_there() {
    let text = "{\n    \"a\": 1,\n    \"b\": [\n        {\"c\": \"}\\\"]\"}\n    ]\n}\n";
    let new = "{\n    \"a\": 1,\n    \"b\": [\n        {\"c\": \"}\\\"]\"},\n        {\n            \"d\": 2\n        }\n    ]\n}\n";
    assert_eq!(added(text, &["b"], None, &json!({ "d": 2 })), new);
    assert_eq!(added("{\"a\": [1, 2]}", &["a"], None, &json!([3])), "{\"a\": [1, 2, [3]]}");
    assert_eq!(
        added("{\r\n\t\"a\": {}\r\n}", &["a"], Some("b"), &json!(1)),
        "{\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t}\r\n}"
    );
    assert_eq!(added("{}", &[], Some("é\""), &json!([])), "{\n  \"é\\\"\": []\n}");
}

#[test]
fn a_part_is_taken_out_with_its_comma() {
    let take = |text: &str, index| remove(text, &parse(text).expect("JSON"), index);
    assert_eq!(take("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", 1), "{\n  \"a\": 1,\n  \"c\": 3\n}");
    assert_eq!(take("{\n  \"a\": 1,\n  \"b\": 2\n}", 1), "{\n  \"a\": 1\n}");
    assert_eq!(take("[1, 2]", 0), "[2]");
    assert_eq!(take("[\n 1\n]", 0), "[]");
}

#[test]
fn only_comments_and_trailing_commas_are_read_beyond_json() {
    assert!(parse("{\n  // mine\n  \"a\": [1, /* one */],\n}").is_ok());
    for bad in ["{\n  'a': 1\n}", "{\n  a: 1\n}", "{\n  +1\n}"] {
        assert_eq!(parse(bad), Err(BadJson::Syntax { line: 2, column: 3 }), "{bad}");
    }
    assert_eq!(parse("// nothing yet\n"), Err(BadJson::Nothing));
}

#[test]
fn comments_stay_where_a_part_comes_and_goes() {
    let texts = [
        "{ // none yet\n}",
        "{ /* none yet */ }",
        "{\n  // first\n  \"a\": 1 // about a\n  // last\n}",
        "{\n  \"a\": 1, // about a\n}",
        "{\n  \"a\": 1 /* about\n a */ , /* b\n c */\n  /* end */ }",
        "{\r\n\t\"a\": 1, // about a\r\n\t// last\r\n}\r\n",
        "{\"a\": 1, }",
        "{\"a\": 1 /* , */}",
        "{\"a\": \"//\" // ,\n}",
    ];
    for text in texts {
        let more = added(text, &[], Some("ours"), &json!({ "b": [1] }));
        let root = parse(&more).expect("JSON");
        let ours = root.get("ours").map(|ours| ours.value(&more));
        assert_eq!(ours, Some(json!({ "b": [1] })), "{more}");
        let ValueKind::Object(members) = &root.kind else { panic!("{more}") };
        assert_eq!(remove(&more, &root, members.len() - 1), text, "{more}");
    }
}

#[test]
fn a_part_leaves_the_comments_beside_it() {
    let take = |text: &str, index| remove(text, &parse(text).expect("JSON"), index);
    assert_eq!(take("[\n  1,\n  // about 2\n  2\n]", 0), "[\n  // about 2\n  2\n]");
    assert_eq!(take("[ // a\n  1, /* b */ 2]", 0), "[ // a\n   /* b */ 2]");
    assert_eq!(take("[ // a\n  1 ]", 0), "[ // a\n   ]");
    assert_eq!(take("[1 /* a */, /* b */ 2]", 0), "[ /* a */ /* b */ 2]");
}

#[test]
fn brackets_in_each_other_are_counted_while_they_are_read() {
    let nested = |depth: usize| format!("{{\n\"a\": {}\"[[[[\\\"[[\"{}}}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(&nested(128)).is_ok());
    assert_eq!(parse(&nested(500_000)), Err(BadJson::TooDeep { line: 2 }));
    let wide = format!("[{}[]]", "[{}],".repeat(1000));
    assert!(parse(&wide).is_ok(), "beside each other is not in each other");
    assert_eq!(parse(&"[".repeat(500_000)), Err(BadJson::TooDeep { line: 1 }));
}

/// White space and comments between the parts of a text.
fn gap() -> impl Strategy<Value = String> {
    let one = prop::sample::select(vec![
        "", " ", "\t", "\n", "\r\n  ", "// a, } ]\n", "//\n", "// é\r\n", "/* , } */", "/**/", "/* // */",
    ]);
    prop::collection::vec(one, 0..3).prop_map(|parts| parts.concat())
}

/// An object or a list of numbers, of which each part is another one.
fn commented() -> impl Strategy<Value = String> {
    let parts = prop::collection::vec((gap(), gap(), gap(), gap()), 0..4);
    (any::<bool>(), parts, gap(), any::<bool>()).prop_map(|(is_list, parts, last, trails)| {
        let many = parts.len();
        let written = parts.into_iter().enumerate().map(|(at, (before, key, value, behind))| {
            let part = if is_list { format!("{at}") } else { format!("\"k{at}\"{key}:{value}{at}") };
            let comma = if at + 1 < many || trails { "," } else { "" };
            format!("{before}{part}{behind}{comma}")
        });
        let inside = written.collect::<String>() + &last;
        if is_list { format!("[{inside}]") } else { format!("{{{inside}}}") }
    })
}

/// The comments of a text without strings that hold any, and the numbers in it.
fn told(text: &str) -> (Vec<String>, Vec<u64>) {
    let pattern = regex::Regex::new(r"//[^\n]*|/\*.*?\*/|\d+").expect("a pattern");
    let (comments, numbers) = pattern
        .find_iter(text)
        .map(|found| found.as_str().trim_end())
        .partition::<Vec<_>, _>(|text| text.starts_with('/'));
    (
        comments.into_iter().map(str::to_owned).collect(),
        numbers.into_iter().map(|text| text.parse().expect("a number")).collect(),
    )
}

fn value_of(text: &str) -> Value {
    parse(text).expect("JSON").value(text)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_added_last_and_taken_out_again_leaves_value_and_comments(text in commented()) {
        let root = parse(&text).expect("JSON");
        let more = add(&text, &root, root.is_object().then_some("ours"), &json!([7]));
        let added = parse(&more).expect("JSON");
        let last = added.parts().len() - 1;
        let less = remove(&more, &added, last);
        prop_assert_eq!(value_of(&less), value_of(&text), "{}", more);
        prop_assert_eq!(told(&less).0, told(&text).0, "{}", more);
    }

    #[test]
    fn a_part_that_is_taken_out_takes_no_other_part_and_no_comment_beside_it(text in commented(), at in 0usize..4) {
        let root = parse(&text).expect("JSON");
        let Some((start, end)) = root.parts().get(at).copied() else { return Ok(()) };
        let less = remove(&text, &root, at);
        let mut value = value_of(&text);
        match &mut value {
            Value::Array(list) => drop(list.remove(at)),
            Value::Object(object) => drop(object.remove(&format!("k{at}"))),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        prop_assert_eq!(value_of(&less), value, "{}", text);
        let outside = format!("{}{}", &text[..start], &text[end..]);
        prop_assert_eq!(told(&less).0, told(&outside).0, "{}", text);
    }
}

#[test]
fn a_value_with_a_comment_behind_its_key_stays_without_its_parts() {
    let spent = |text: &str| parse(text).expect("JSON").get("hooks").expect("there").is_spent_without_one(text);
    assert!(spent("{\"hooks\": {\"a\": 1}}"));
    for text in [
        "{\"hooks\": /* mine */ {\"a\": 1}}", "{\"hooks\" // mine\n: {\"a\": 1}}",
        "{\"hooks\": {\"a\": 1 /* mine */}}", "{\"hooks\": {\"a\": 1, \"b\": 2}}",
    ] {
        assert!(!spent(text), "{text}");
    }
}
