//! The members of an object that a model wrote, each read as what it has to be.
//!
//! What is wrong is named by its dotted path, so that the model can be told. Cuts nothing: what is too long is refused.

use serde_json::{Map, Value};

use crate::prompt::BadAnswer;

/// A name, a tool, a target: at most so many characters.
pub const NAME_CHARS: usize = 400;
/// An intent, a criterion, a reason: at most so many characters.
pub const TEXT_CHARS: usize = 4_000;
/// What goes into a file: at most so many characters.
pub const BODY_CHARS: usize = 400_000;
/// A list has at most so many items.
pub const MOST_ITEMS: usize = 200;

/// An object of an answer, and where it stands.
#[derive(Debug, Clone)]
pub struct ReplyObject<'a> {
    members: &'a Map<String, Value>,
    /// The dotted path to it, with a dot behind; empty for the answer itself.
    path: String,
}

impl<'a> ReplyObject<'a> {
    /// The answer itself.
    pub fn new(members: &'a Map<String, Value>) -> Self {
        Self { members, path: String::new() }
    }

    /// A member, where it is there and not null.
    pub fn value(&self, field: &str) -> Option<&'a Value> {
        self.members.get(field).filter(|value| !value.is_null())
    }

    /// A text that has to be there, and not blank.
    pub fn text(&self, field: &str, most: usize) -> Result<String, BadAnswer> {
        let text = self.optional_text(field, most)?;
        text.ok_or_else(|| self.bad(field, if self.value(field).is_some() { "is empty" } else { "is missing" }))
    }

    /// A text that may be missing, null or blank.
    pub fn optional_text(&self, field: &str, most: usize) -> Result<Option<String>, BadAnswer> {
        self.value(field).map_or(Ok(None), |value| self.read_text(field, value, most))
    }

    /// A text as it stands, with its blanks, for what goes into a file or is compared with one.
    pub fn body(&self, field: &str, most: usize) -> Result<String, BadAnswer> {
        let value = self.value(field).ok_or_else(|| self.bad(field, "is missing"))?;
        let text = value.as_str().ok_or_else(|| self.bad(field, is_no("text", value)))?;
        if text.chars().count() > most {
            return Err(self.bad(field, format!("is longer than {most} characters")));
        }
        Ok(text.to_owned())
    }

    /// Texts; one alone is a list of one, blank ones are left out, and no member is an empty list.
    pub fn texts(&self, field: &str, most: usize) -> Result<Vec<String>, BadAnswer> {
        let read = |(at, value)| self.read_text(&self.place(field, at), value, most);
        let texts: Result<Vec<_>, _> = self.items(field)?.iter().enumerate().map(read).collect();
        Ok(texts?.into_iter().flatten().collect())
    }

    /// A number that has to be there; one in quotes is one, too.
    pub fn number(&self, field: &str) -> Result<f64, BadAnswer> {
        let value = self.value(field).ok_or_else(|| self.bad(field, "is missing"))?;
        let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
        number.filter(|number| number.is_finite()).ok_or_else(|| self.bad(field, "is no number"))
    }

    /// A whole number that may be missing or null.
    pub fn optional_whole(&self, field: &str) -> Result<Option<i64>, BadAnswer> {
        let Some(value) = self.value(field) else { return Ok(None) };
        // Beyond 2^53 a float is no longer exact, and no model means it.
        let of_float = || value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 9e15);
        #[expect(clippy::cast_possible_truncation, reason = "it is whole, and below 2^53")]
        let whole = value.as_i64().or_else(|| of_float().map(|number| number as i64));
        let whole = whole.or_else(|| value.as_str()?.trim().parse().ok());
        whole.map(Some).ok_or_else(|| self.bad(field, "is no whole number"))
    }

    /// A yes or no that may be missing or null.
    pub fn optional_flag(&self, field: &str) -> Result<Option<bool>, BadAnswer> {
        let Some(value) = self.value(field) else { return Ok(None) };
        let of_text = || value.as_str().and_then(|text| text.trim().to_ascii_lowercase().parse().ok());
        value.as_bool().or_else(of_text).map(Some).ok_or_else(|| self.bad(field, "is neither true nor false"))
    }

    /// An object that may be missing or null.
    pub fn optional_object(&self, field: &str) -> Result<Option<Self>, BadAnswer> {
        self.value(field).map(|value| self.below(field, value)).transpose()
    }

    /// Objects; one alone is a list of one, and no member is an empty list.
    pub fn objects(&self, field: &str) -> Result<Vec<Self>, BadAnswer> {
        let read = |(at, value)| self.below(&self.place(field, at), value);
        self.items(field)?.iter().enumerate().map(read).collect()
    }

    /// Texts or objects, as they stand, to be read with `read_text` or `below`.
    pub fn items(&self, field: &str) -> Result<&'a [Value], BadAnswer> {
        let items = match self.value(field) {
            None => &[],
            Some(Value::Array(items)) => items.as_slice(),
            Some(value) => std::slice::from_ref(value),
        };
        let problem = || format!("holds {} items, more than {MOST_ITEMS}", items.len());
        if items.len() > MOST_ITEMS { Err(self.bad(field, problem())) } else { Ok(items) }
    }

    /// An item of a list as an object.
    pub fn below(&self, place: &str, value: &'a Value) -> Result<Self, BadAnswer> {
        let members = value.as_object().ok_or_else(|| self.bad(place, is_no("object", value)))?;
        Ok(Self { members, path: format!("{}{place}.", self.path) })
    }

    /// An item of a list as a text; nothing where it is blank.
    pub fn read_text(&self, place: &str, value: &Value, most: usize) -> Result<Option<String>, BadAnswer> {
        let text = value.as_str().ok_or_else(|| self.bad(place, is_no("text", value)))?;
        let text = cleaned(text);
        if text.chars().count() > most {
            return Err(self.bad(place, format!("is longer than {most} characters")));
        }
        Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty()))
    }

    /// Where an item of a list stands.
    pub fn place(&self, field: &str, at: usize) -> String {
        match self.value(field) {
            Some(Value::Array(_)) => format!("{field}.{at}"),
            Some(_) | None => field.to_owned(),
        }
    }

    /// The dotted path of a member.
    pub fn path_of(&self, field: &str) -> String {
        format!("{}{field}", self.path)
    }

    /// That a member is not what it has to be.
    pub fn bad(&self, field: &str, problem: impl Into<String>) -> BadAnswer {
        BadAnswer::Field { field: self.path_of(field), problem: problem.into() }
    }
}

/// A text without control characters, but for line breaks and tabs.
pub fn cleaned(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control() || matches!(letter, '\n' | '\t')).collect()
}

fn is_no(wanted: &str, value: &Value) -> String {
    let is = match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    format!("is {is}, no {wanted}")
}
