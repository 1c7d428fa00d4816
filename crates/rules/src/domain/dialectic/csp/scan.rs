//! Cuts a text into fields: a key and its value, with the place of each.
//!
//! Does not know which fields a message has, only which words are keys in it.

use super::error::{CspError, MOST_ITEMS};

/// A value as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// Text as it stands.
    Text(String),
    /// Text between quotes.
    Quoted(String),
    /// Several.
    List(Vec<String>),
}

/// A field and where it stands, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    /// Its key.
    pub key: &'static str,
    /// Where the key begins.
    pub at: usize,
    /// Where the value begins.
    pub value_at: usize,
    /// The value.
    pub value: Value,
}

/// Reads fields one after the other.
pub(super) struct Scanner<'t> {
    text: &'t str,
    keys: &'static [&'static str],
    at: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, keys: &'static [&'static str], at: usize) -> Self {
        Self { text, keys, at }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn fail<T>(&self, at: usize, expected: impl Into<String>) -> Result<T, CspError> {
        Err(CspError::at(self.text, at, expected))
    }

    /// Blanks, and the bar between what follows a resolution.
    fn skip_blanks(&mut self) {
        let rest = self.rest();
        let trimmed = rest.trim_start();
        let barred =
            trimmed.strip_prefix('|').filter(|after| after.is_empty() || after.starts_with(char::is_whitespace));
        let left = barred.map_or(trimmed, str::trim_start);
        self.at += rest.len() - left.len();
    }

    /// The key at a place, and where what follows it begins.
    fn key_at(&self, at: usize) -> Option<(&'static str, usize)> {
        let rest = self.text.get(at..)?;
        let (key, after) = self.keys.iter().find_map(|key| {
            let after = rest.strip_prefix(key)?;
            let is_whole = after.is_empty() || after.starts_with(|sign: char| sign == ':' || sign.is_whitespace());
            is_whole.then_some((*key, after))
        })?;
        let follows = self.text.len() - after.len();
        if after.starts_with(':') {
            return Some((key, follows + 1));
        }
        let line = self.text[..at].rsplit('\n').next().unwrap_or_default();
        // A bar begins a line, as it were.
        let is_first = line.rsplit('|').next().is_none_or(|before| before.trim().is_empty());
        is_first.then_some((key, follows))
    }

    /// The next field; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<Field>, CspError> {
        self.skip_blanks();
        if self.rest().is_empty() {
            return Ok(None);
        }
        let at = self.at;
        let Some((key, follows)) = self.key_at(at) else {
            return self.fail(at, format!("one of {}", self.keys.join(", ")));
        };
        self.at = follows;
        let gap = self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
        self.at += gap;
        let value_at = self.at;
        let value = self.value()?;
        Ok(Some(Field { key, at, value_at, value }))
    }

    fn value(&mut self) -> Result<Value, CspError> {
        match self.rest().chars().next() {
            Some('"') => self.quoted().and_then(|text| self.ended(Value::Quoted(text))),
            Some('[') => self.list().and_then(|items| self.ended(Value::List(items))),
            _ => Ok(Value::Text(self.bare())),
        }
    }

    /// After a quote or bracket comes a blank, or nothing.
    fn ended(&self, value: Value) -> Result<Value, CspError> {
        let is_end = self.rest().chars().next().is_none_or(char::is_whitespace);
        if is_end { Ok(value) } else { self.fail(self.at, "a blank after the value") }
    }

    /// Text up to the next field.
    fn bare(&mut self) -> String {
        let start = self.at;
        let starts = self
            .rest()
            .char_indices()
            .filter(|(offset, _)| *offset == 0 || self.text[..start + offset].ends_with(char::is_whitespace));
        let next = starts.map(|(offset, _)| start + offset).find(|at| self.key_at(*at).is_some());
        self.at = next.unwrap_or(self.text.len());
        let text = self.text[start..self.at].trim();
        let before_bar =
            text.strip_suffix('|').filter(|before| before.ends_with(char::is_whitespace) || before.is_empty());
        before_bar.filter(|_| next.is_some()).unwrap_or(text).trim().to_owned()
    }

    /// From the quote that begins it to the one that ends it.
    fn quoted(&mut self) -> Result<String, CspError> {
        let begun = self.at;
        let mut text = String::new();
        let mut signs = self.rest().char_indices().skip(1);
        while let Some((offset, sign)) = signs.next() {
            match sign {
                '"' => {
                    self.at = begun + offset + 1;
                    return Ok(text);
                }
                '\\' => match signs.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 'r')) => text.push('\r'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, sign @ ('"' | '\\'))) => text.push(sign),
                    _ => return self.fail(begun + offset, "\\\", \\\\, \\n, \\r or \\t"),
                },
                sign => text.push(sign),
            }
        }
        self.fail(self.text.len(), "a quote that ends the value")
    }

    /// `[a, "b", c]`.
    fn list(&mut self) -> Result<Vec<String>, CspError> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            let blank = self.rest().len() - self.rest().trim_start().len();
            self.at += blank;
            if items.is_empty() && self.rest().starts_with(']') {
                self.at += 1;
                return Ok(items);
            }
            if items.len() == MOST_ITEMS {
                return self.fail(self.at, format!("at most {MOST_ITEMS} items"));
            }
            let item_at = self.at;
            let item = if self.rest().starts_with('"') { self.quoted()? } else { self.item()? };
            let is_quoted = self.text[item_at..].starts_with('"');
            if item.is_empty() && !is_quoted {
                return self.fail(item_at, "an item");
            }
            items.push(item);
            let blank = self.rest().len() - self.rest().trim_start().len();
            self.at += blank;
            let sign = self.rest().chars().next();
            match sign {
                Some(',') => self.at += 1,
                Some(']') => {
                    self.at += 1;
                    return Ok(items);
                }
                _ => return self.fail(self.at, "a comma or ]"),
            }
        }
    }

    /// An item without quotes: brackets in it come in pairs.
    fn item(&mut self) -> Result<String, CspError> {
        let start = self.at;
        let mut depth = 0_usize;
        for (offset, sign) in self.rest().char_indices() {
            match sign {
                '[' => depth += 1,
                ']' if depth > 0 => depth -= 1,
                ']' | ',' if depth == 0 => {
                    self.at = start + offset;
                    return Ok(self.text[start..self.at].trim().to_owned());
                }
                _ => {}
            }
        }
        self.fail(self.text.len(), "]")
    }
}
