//! JSON as models write it: with commas behind the last member, line breaks in texts, escapes that JSON has not, Python's
//! constants.
//!
//! Guesses nothing else: what is not quoted is no name, and a bracket that does not close stays open.

use serde_json::{Map, Number, Value};

/// Lists and objects in each other are followed so far.
pub(super) const MOST_DEPTH: usize = 64;
/// No number is longer, in bytes.
const NUMBER_BYTES: usize = 64;

/// Why a value could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonFlaw {
    /// The text ends before the value does.
    Ends,
    /// It is nested deeper than `MOST_DEPTH`.
    Deep,
    /// Another letter stands where this was expected.
    Broken {
        /// What was expected.
        expected: &'static str,
        /// Where it was, in bytes.
        at: usize,
        /// Where to go on looking: behind the opening quote of the last text, which may be one quote off.
        resume: usize,
    },
}

type JsonRead<T> = Result<T, JsonFlaw>;

/// Reads one value from a place of a text on.
pub(super) struct JsonReader<'t> {
    text: &'t str,
    at: usize,
    /// Behind the last opening quote, or where the value begins.
    resume: usize,
}

impl<'t> JsonReader<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Self { text, at, resume: at + 1 }
    }

    /// Where the value ended, in bytes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The object that begins here.
    pub(super) fn object(&mut self, depth: usize) -> JsonRead<Map<String, Value>> {
        let mut members = Map::new();
        self.list(depth, Bracket::OBJECT, |reader| {
            let name = reader.string("a member's name in quotes")?;
            reader.require(':', "a colon")?;
            members.insert(name, reader.value(depth + 1)?);
            Ok(())
        })?;
        Ok(members)
    }

    /// The text that begins here.
    pub(super) fn string(&mut self, expected: &'static str) -> JsonRead<String> {
        self.require('"', expected)?;
        self.resume = self.at;
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let end = rest.find(['"', '\\']).ok_or(JsonFlaw::Ends)?;
            text.push_str(&rest[..end]);
            self.at += end + 1;
            if rest[end..].starts_with('"') {
                return Ok(text);
            }
            self.escape(&mut text)?;
        }
    }

    fn value(&mut self, depth: usize) -> JsonRead<Value> {
        match self.next()? {
            '{' => self.object(depth).map(Value::Object),
            '[' => self.array(depth).map(Value::Array),
            '"' => self.string("a text").map(Value::String),
            '-' | '0'..='9' => self.number().map(Value::Number),
            _ => self.constant(),
        }
    }

    fn array(&mut self, depth: usize) -> JsonRead<Vec<Value>> {
        let mut items = Vec::new();
        self.list(depth, Bracket::ARRAY, |reader| {
            items.push(reader.value(depth + 1)?);
            Ok(())
        })?;
        Ok(items)
    }

    /// What stands between brackets, parted by commas; one more may follow the last.
    fn list(
        &mut self,
        depth: usize,
        bracket: Bracket,
        mut item: impl FnMut(&mut Self) -> JsonRead<()>,
    ) -> JsonRead<()> {
        if depth >= MOST_DEPTH {
            return Err(JsonFlaw::Deep);
        }
        self.require(bracket.open, "an opening bracket")?;
        while self.next()? != bracket.close {
            item(self)?;
            match self.next()? {
                ',' => self.at += 1,
                next if next == bracket.close => {}
                _ => return Err(self.broken(bracket.expected)),
            }
        }
        self.at += 1;
        Ok(())
    }

    fn number(&mut self) -> JsonRead<Number> {
        let rest = &self.text[self.at..];
        let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
        let length = rest.bytes().take(NUMBER_BYTES + 1).take_while(is_part).count();
        if length == rest.len() {
            return Err(JsonFlaw::Ends);
        }
        let number = rest[..length].parse::<Number>().ok().filter(|_| length <= NUMBER_BYTES);
        let number = number.ok_or_else(|| self.broken("a number"))?;
        self.at += length;
        Ok(number)
    }

    fn constant(&mut self) -> JsonRead<Value> {
        let rest = &self.text[self.at..];
        let length = rest.find(|letter: char| !letter.is_ascii_alphabetic()).ok_or(JsonFlaw::Ends)?;
        let value = match &rest[..length] {
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            "null" | "None" => Value::Null,
            _ => return Err(self.broken("a value")),
        };
        self.at += length;
        Ok(value)
    }

    /// What stands behind a backslash. `\d` stays as it is: models write expressions without doubling it.
    fn escape(&mut self, text: &mut String) -> JsonRead<()> {
        let letter = self.text[self.at..].chars().next().ok_or(JsonFlaw::Ends)?;
        self.at += letter.len_utf8();
        match letter {
            '"' | '\\' | '/' => text.push(letter),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'n' => text.push('\n'),
            'r' => text.push('\r'),
            't' => text.push('\t'),
            'u' => text.push(self.code_point()),
            _ => text.extend(['\\', letter]),
        }
        Ok(())
    }

    /// Four hexadecimal digits, or twice four for what lies beyond them; half a pair is no letter.
    fn code_point(&mut self) -> char {
        let Some(first) = self.unit() else { return char::REPLACEMENT_CHARACTER };
        let mut units = vec![first];
        if (0xd800..0xdc00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            let before = self.at;
            self.at += 2;
            match self.unit().filter(|unit| (0xdc00..0xe000).contains(unit)) {
                Some(second) => units.push(second),
                None => self.at = before,
            }
        }
        char::decode_utf16(units).next().and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    fn unit(&mut self) -> Option<u16> {
        let digits = self.text.get(self.at..self.at + 4)?;
        let unit =
            digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())??;
        self.at += 4;
        Some(unit)
    }

    /// The next letter that is no blank; it is not taken.
    fn next(&mut self) -> JsonRead<char> {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed.chars().next().ok_or(JsonFlaw::Ends)
    }

    fn require(&mut self, letter: char, expected: &'static str) -> JsonRead<()> {
        if self.next()? != letter {
            return Err(self.broken(expected));
        }
        self.at += letter.len_utf8();
        Ok(())
    }

    fn broken(&self, expected: &'static str) -> JsonFlaw {
        JsonFlaw::Broken { expected, at: self.at, resume: self.resume }
    }
}

/// What a list stands between.
#[derive(Clone, Copy)]
struct Bracket {
    open: char,
    close: char,
    expected: &'static str,
}

impl Bracket {
    const ARRAY: Self = Self { open: '[', close: ']', expected: "a comma or ]" };
    const OBJECT: Self = Self { open: '{', close: '}', expected: "a comma or }" };
}
