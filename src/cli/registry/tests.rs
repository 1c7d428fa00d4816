//! Whether the list and the commands of the domain fit each other.

use serde_json::{Value, json};

use super::field::FieldKind;
use super::line::{ArgumentPlace, Reads, Token, tokens};
use super::*;
use crate::domain::command_docs;

/// Every decision below some rows, with the words that lead there.
fn decisions<'a>(rows: &'a [CommandRow], above: &str) -> Vec<(String, &'a Decision)> {
    let of = |row: &'a CommandRow| {
        let words = format!("{above} {}", row.name);
        match &row.does {
            Does::Decides(decision) => vec![(words, decision)],
            Does::Holds(rows, _) => decisions(rows, &words),
            Does::Runs(_) => Vec::new(),
        }
    };
    rows.iter().flat_map(of).collect()
}

/// What is wrong with the line of a command.
fn flaws(decision: &Decision) -> Vec<String> {
    let Some(doc) = command_docs().find(|doc| doc.name == decision.command) else {
        return vec![format!("there is no {}", decision.command)];
    };
    let schema = doc.schema().to_value();
    let fields = decision.fields();
    let is_field = |path: &str| schema["properties"].get(path.split('.').next().unwrap_or_default()).is_some();
    let paths: Vec<String> = fields.iter().map(|field| field.token.path.replace('-', "_")).collect();
    let strange = paths.iter().filter(|path| !is_field(path)).map(|path| format!("{path} is no field"));
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let forgotten = required.filter(|name| paths.iter().all(|path| path.split('.').next() != Some(name)));
    let nameless = fields.iter().filter_map(|field| match field.token.reads {
        Reads::Named(noun) if read::finder(noun).is_none() => Some(format!("{noun} is no noun")),
        Reads::Named(_) | Reads::Plain | Reads::Stdin | Reads::Trimmed => None,
    });
    let silent = fields
        .iter()
        .filter(|field| field.token.place == ArgumentPlace::Word || field.token.place == ArgumentPlace::Option);
    let silent =
        silent.filter(|field| field.meaning.is_empty()).map(|field| format!("{} says nothing", field.token.path));
    strange.chain(forgotten.map(|name| format!("{name} is forgotten"))).chain(nameless).chain(silent).collect()
}

#[test]
fn every_line_has_the_fields_of_its_command() {
    let all = decisions(crate::cli::ROWS, "annals");
    let wrong: Vec<_> =
        all.iter().map(|(words, decision)| (words, flaws(decision))).filter(|(_, f)| !f.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(!all.is_empty());
}

#[test]
fn a_line_is_read_as_its_grammar_says() {
    let plain = Token {
        place: ArgumentPlace::Word,
        name: "",
        is_needed: false,
        value: None,
        reads: Reads::Plain,
        default: None,
        path: "",
    };
    let named = |noun| Reads::Named(noun);
    for (text, expected) in [
        ("key", Token { name: "key", path: "key", ..plain }),
        ("fact-a@", Token { name: "fact-a", path: "fact-a", reads: named("fact-a"), ..plain }),
        ("by@knowledge", Token { name: "by", path: "by", reads: named("knowledge"), ..plain }),
        ("text~:content", Token { name: "text", path: "content", reads: Reads::Trimmed, ..plain }),
        (
            ".debates=off",
            Token { place: ArgumentPlace::Nowhere, name: "debates", path: "debates", default: Some("off"), ..plain },
        ),
        (
            "--because<TEXT>-=none:about.reason",
            Token {
                place: ArgumentPlace::Option,
                name: "because",
                is_needed: false,
                value: Some("TEXT"),
                reads: Reads::Stdin,
                default: Some("none"),
                path: "about.reason",
            },
        ),
    ] {
        assert_eq!(tokens(text).collect::<Vec<_>>(), [expected], "{text}");
    }
}

#[test]
fn what_does_not_fit_a_field_says_what_may_stand_there() {
    let words = || FieldKind::Words(vec!["low".to_owned(), "high".to_owned()]);
    for (kind, text, expected) in [
        (FieldKind::Text, "-", Ok(json!("-"))),
        (words(), "low", Ok(json!("low"))),
        (words(), "Low", Err("\"Low\" is none of low, high")),
        (FieldKind::Whole(0, 255), "255", Ok(json!(255))),
        (FieldKind::Whole(0, 255), "256", Err("256 is not in 0..=255")),
        (FieldKind::Whole(0, 255), "x", Err("invalid digit found in string")),
        (FieldKind::Number(0.0, 1.0), "0.25", Ok(json!(0.25))),
        (FieldKind::Number(0.0, 1.0), "-1", Err("\"-1\" is not a number from 0 to 1")),
        (FieldKind::Number(0.0, 1.0), "NaN", Err("\"NaN\" is not a number from 0 to 1")),
        (FieldKind::Answer, "yes", Ok(json!(true))),
        (FieldKind::Answer, "true", Err("\"true\" is none of yes, no")),
    ] {
        assert_eq!(kind.read(text), expected.map_err(str::to_owned), "{kind:?} {text}");
    }
}
