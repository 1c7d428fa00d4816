//! A field of a command of the domain as an argument: what may stand there, from the schema of the field.
//!
//! Does not resolve names and does not read stdin; `read` does.

use clap::{Arg, ArgAction};
use serde_json::{Number, Value};

use super::Decision;
use super::line::{ArgumentPlace, HERE, Reads, Token, tokens};
use crate::domain::command_docs;
use crate::kernel::grounding::UnknownWord;

/// The bounds of numbers whose schema says none.
const MOST: f64 = 1_000_000.0;

/// What may stand in a field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FieldKind {
    /// Any text.
    Text,
    /// One of these words.
    Words(Vec<String>),
    /// A whole number.
    Whole(i64, i64),
    /// A number.
    Number(f64, f64),
    /// That it is so, where it is said.
    Truth,
    /// Yes or no.
    Answer,
}

/// A field, and how it is given.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    /// As it is given.
    pub token: Token,
    /// What may stand there.
    pub kind: FieldKind,
    /// The name of its type, where it has one.
    pub named: Option<String>,
    /// Whether it holds several.
    pub is_list: bool,
    /// Whether the command needs it.
    pub is_required: bool,
    /// What it means.
    pub meaning: String,
}

impl Decision {
    /// Its fields, in the order of its line.
    pub(crate) fn fields(&self) -> Vec<Field> {
        let doc = command_docs().find(|doc| doc.name == self.command);
        let schema = doc.map(|doc| doc.schema().to_value()).unwrap_or_default();
        tokens(self.line).map(|token| Field::of(&schema, token)).collect()
    }

    /// Its arguments; of flags for one field only one is given.
    pub(crate) fn arguments(&self) -> Vec<Arg> {
        let fields = self.fields();
        let is_rival = |one: &Field, other: &Field| one.is_flag() && one.token.path == other.token.path && one != other;
        let rivals = |one: &Field| -> Vec<_> {
            fields.iter().filter(|other| is_rival(one, other)).map(|other| other.token.name).collect()
        };
        fields.iter().filter_map(|one| Some(one.argument()?.conflicts_with_all(rivals(one)))).collect()
    }
}

impl Field {
    fn of(schema: &Value, token: Token) -> Self {
        let (mut at, mut is_required) = (schema, true);
        let name = token.path.replace('-', "_");
        for part in name.split('.') {
            let holder = target(schema, at);
            is_required &= holder["required"].as_array().is_some_and(|names| names.iter().any(|name| name == part));
            at = &holder["properties"][part];
        }
        let whole = target(schema, at);
        let flag = token.flag().and_then(|(_, with)| choices(whole).find(|choice| choice["const"] == with));
        let meaning = without_reference(flag.unwrap_or(at)["description"].as_str().unwrap_or_default());
        let is_list = is_type(whole, "array");
        let one = if is_list { &whole["items"] } else { at };
        let named = name_of(one).map(str::to_owned);
        Self { token, kind: FieldKind::of(target(schema, one)), named, is_list, is_required, meaning }
    }

    /// Whether it is given by its name alone.
    pub(crate) fn is_flag(&self) -> bool {
        self.token.flag().is_some() || self.kind == FieldKind::Truth
    }

    /// As an argument; none where it is not one of this command.
    fn argument(&self) -> Option<Arg> {
        let Token { place, name, value, .. } = self.token;
        let has_default = self.token.default.is_some() || self.token.reads == Reads::Named(HERE);
        let is_needed = self.token.is_needed || (self.is_required && !has_default);
        let argument = Arg::new(name).help(self.help());
        let argument = match place {
            ArgumentPlace::Word => argument.required(is_needed),
            ArgumentPlace::Option if self.is_flag() => return Some(argument.long(name).action(ArgAction::SetTrue)),
            ArgumentPlace::Option => argument.long(name).required(is_needed),
            ArgumentPlace::Above | ArgumentPlace::Nowhere => return None,
        };
        let called = value.map_or_else(|| name.replace('-', "_").to_ascii_uppercase(), str::to_owned);
        let argument = argument.value_name(called).allow_negative_numbers(self.may_begin_with_a_sign());
        let argument = match self.token.default {
            None | Some("") => argument,
            Some(default) => argument.default_value(default),
        };
        let argument = match (self.is_list, place) {
            (false, _) => argument,
            (true, ArgumentPlace::Word) => argument.action(ArgAction::Append).num_args(1..),
            (true, _) => argument.action(ArgAction::Append),
        };
        let kind = self.kind.clone();
        Some(argument.value_parser(move |text: &str| kind.read(text)))
    }

    /// Numbers, and sessions: -1 is the latest.
    fn may_begin_with_a_sign(&self) -> bool {
        match &self.kind {
            FieldKind::Whole(..) | FieldKind::Number(..) => true,
            FieldKind::Text | FieldKind::Words(_) | FieldKind::Truth | FieldKind::Answer => {
                self.named.as_deref() == Some("SessionId")
            }
        }
    }

    /// What it means, what may stand there, and where it is read from.
    fn help(&self) -> String {
        let (meaning, rest) = self.meaning.split_once(" [").map_or((&*self.meaning, None), |(a, b)| (a, Some(b)));
        let mut help = meaning.to_owned();
        if let FieldKind::Words(words) = &self.kind {
            let is_said = words.iter().any(|word| meaning.contains(word.as_str()));
            if self.token.flag().is_none() && !is_said {
                help = [&help, ": ", &in_line(words)].concat();
            }
        }
        if self.kind == FieldKind::Answer {
            help.push_str(": yes or no");
        }
        if matches!(self.token.reads, Reads::Stdin | Reads::Trimmed) {
            help.push_str("; - reads it from stdin");
        }
        rest.map_or(help.clone(), |rest| [&help, " [", rest].concat())
    }
}

impl FieldKind {
    fn of(schema: &Value) -> Self {
        let words = words(schema);
        let bound = |name: &str, default: i64| schema[name].as_i64().unwrap_or(default);
        if !words.is_empty() {
            Self::Words(words)
        } else if is_type(schema, "integer") {
            let most = if schema["format"] == "uint32" { u32::MAX.into() } else { i64::MAX };
            Self::Whole(bound("minimum", i64::MIN), bound("maximum", most))
        } else if is_type(schema, "number") {
            Self::Number(schema["minimum"].as_f64().unwrap_or(-MOST), schema["maximum"].as_f64().unwrap_or(MOST))
        } else if is_type(schema, "boolean") {
            if is_type(schema, "null") { Self::Answer } else { Self::Truth }
        } else {
            Self::Text
        }
    }

    /// A value, as it is typed.
    pub(crate) fn read(&self, text: &str) -> Result<Value, String> {
        let given: String = text.chars().take(40).collect();
        match self {
            Self::Text => Ok(text.into()),
            Self::Words(words) if words.iter().any(|word| word == text) => Ok(text.into()),
            Self::Words(words) => Err(UnknownWord { word: given, known: words.join(", ") }.to_string()),
            Self::Whole(least, most) => {
                let number = text.parse::<i64>().map_err(|error| error.to_string())?;
                let is_in = (least..=most).contains(&&number);
                if is_in { Ok(number.into()) } else { Err(format!("{number} is not in {least}..={most}")) }
            }
            Self::Number(least, most) => {
                let number = text.parse::<f64>().ok().filter(|number| (*least..=*most).contains(number));
                let wrong = || format!("\"{given}\" is not a number from {least} to {most}");
                number.and_then(Number::from_f64).map(Value::Number).ok_or_else(wrong)
            }
            Self::Truth | Self::Answer => match text {
                "yes" => Ok(true.into()),
                "no" => Ok(false.into()),
                _ => Err(format!("\"{given}\" is none of yes, no")),
            },
        }
    }
}

/// A sentence without its end, and without the place in a source document that it names.
fn without_reference(sentence: &str) -> String {
    const SOURCES: [&str; 3] = [" (AFS ", " (control-room ", " (decision "];
    let end = SOURCES.iter().filter_map(|source| sentence.find(source)).min().unwrap_or(sentence.len());
    sentence[..end].trim_end_matches('.').to_owned()
}

/// What a schema stands for: the definition that it names.
fn target<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    name_of(schema).map_or(schema, |name| &root["$defs"][name])
}

/// The definition that a schema names, also where it may be missing.
fn name_of(schema: &Value) -> Option<&str> {
    let mut choices = schema["anyOf"].as_array().into_iter().flatten().filter(|choice| choice["type"] != "null");
    let named = match (choices.next(), choices.next()) {
        (Some(only), None) => only,
        (_, _) => schema,
    };
    named["$ref"].as_str()?.rsplit('/').next()
}

fn is_type(schema: &Value, name: &str) -> bool {
    let kind = &schema["type"];
    kind == name || kind.as_array().is_some_and(|names| names.iter().any(|one| one == name))
}

/// The words of a closed set with what each means.
fn choices(schema: &Value) -> impl Iterator<Item = &Value> {
    schema["oneOf"].as_array().into_iter().flatten()
}

/// The words of a closed set.
fn words(schema: &Value) -> Vec<String> {
    let said = choices(schema).map(|choice| &choice["const"]);
    let all = said.chain(schema["enum"].as_array().into_iter().flatten());
    all.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// `low, normal or high`; of many the first.
fn in_line(words: &[String]) -> String {
    const SHOWN: usize = 8;
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() && rest.len() < SHOWN => format!("{} or {last}", rest.join(", ")),
        _ => [&words[..words.len().min(SHOWN)].join(", "), ", …"].concat(),
    }
}
