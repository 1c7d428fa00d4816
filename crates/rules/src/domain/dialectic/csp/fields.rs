//! Fields of one message by key, each at most once, read as what they must be.

use super::error::CspError;
use super::scan::{Field, Scanner, Value};
use annals_kernel::share::Share;

/// The fields of a message, as they are taken out one by one.
pub(super) struct Fields<'t> {
    text: &'t str,
    fields: Vec<Field>,
}

/// What says that there is nothing.
fn is_nothing(text: &str) -> bool {
    text.is_empty() || text.eq_ignore_ascii_case("none")
}

impl<'t> Fields<'t> {
    /// Reads all fields from a place on.
    pub(super) fn read(text: &'t str, keys: &'static [&'static str], at: usize) -> Result<Self, CspError> {
        let mut scanner = Scanner::new(text, keys, at);
        let mut fields: Vec<Field> = Vec::new();
        while let Some(field) = scanner.next()? {
            if fields.iter().any(|known| known.key == field.key) {
                return Err(CspError::at(text, field.at, format!("no second {}", field.key)));
            }
            fields.push(field);
        }
        Ok(Self { text, fields })
    }

    fn take(&mut self, key: &str) -> Option<Field> {
        let place = self.fields.iter().position(|field| field.key == key)?;
        Some(self.fields.remove(place))
    }

    /// Where a field's value stands; the end where it is not there.
    pub(super) fn place(&self, key: &str) -> usize {
        let field = self.fields.iter().find(|field| field.key == key);
        field.map_or(self.text.trim_end().len(), |field| field.value_at)
    }

    /// Whether it is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.fields.iter().any(|field| field.key == key)
    }

    pub(super) fn fail<T>(&self, at: usize, expected: impl Into<String>) -> Result<T, CspError> {
        Err(CspError::at(self.text, at, expected))
    }

    /// A text that must be there.
    pub(super) fn text(&mut self, key: &str) -> Result<Box<str>, CspError> {
        let at = self.place(key);
        match self.take(key).map(|field| field.value) {
            Some(Value::Text(text) | Value::Quoted(text)) if !text.is_empty() => Ok(text.into()),
            Some(Value::Text(_) | Value::Quoted(_)) => self.fail(at, format!("a text for {key}")),
            Some(Value::List(_)) => self.fail(at, format!("a text for {key}; between quotes, where it begins with [")),
            None => self.fail(at, format!("{key}:")),
        }
    }

    /// A text that may be missing, or say that there is nothing.
    pub(super) fn optional(&mut self, key: &str) -> Result<Option<Box<str>>, CspError> {
        let at = self.place(key);
        match self.take(key).map(|field| field.value) {
            Some(Value::Text(text)) => Ok((!is_nothing(&text)).then(|| text.into())),
            Some(Value::Quoted(text)) => Ok((!text.is_empty()).then(|| text.into())),
            Some(Value::List(_)) => self.fail(at, format!("a text for {key}; between quotes, where it begins with [")),
            None => Ok(None),
        }
    }

    /// A list that may be missing, or say that there is nothing.
    pub(super) fn list(&mut self, key: &str) -> Result<Vec<Box<str>>, CspError> {
        let at = self.place(key);
        match self.take(key).map(|field| field.value) {
            Some(Value::List(items)) => Ok(items.into_iter().map(Into::into).collect()),
            Some(Value::Text(text)) if is_nothing(&text) => Ok(Vec::new()),
            Some(Value::Text(_) | Value::Quoted(_)) => self.fail(at, "["),
            None => Ok(Vec::new()),
        }
    }

    /// A list that must be there.
    pub(super) fn full_list(&mut self, key: &str) -> Result<Vec<Box<str>>, CspError> {
        if self.has(key) { self.list(key) } else { self.fail(self.place(key), format!("{key}:")) }
    }

    /// One of a few words.
    pub(super) fn word<W: Copy>(
        &mut self,
        key: &str,
        all: &[W],
        name: impl Fn(W) -> &'static str,
    ) -> Result<W, CspError> {
        let at = self.place(key);
        let text = self.text(key)?;
        let found = all.iter().find(|word| name(**word).eq_ignore_ascii_case(&text));
        let known = || all.iter().map(|word| name(*word)).collect::<Vec<_>>().join(", ");
        found.copied().map_or_else(|| self.fail(at, format!("one of {}", known())), Ok)
    }

    /// A whole number in a range.
    pub(super) fn number(&mut self, key: &str, least: u8, most: u8) -> Result<u8, CspError> {
        let at = self.place(key);
        let number = self.text(key)?.parse().ok().filter(|number| (least..=most).contains(number));
        number.map_or_else(|| self.fail(at, format!("a number from {least} to {most}")), Ok)
    }

    /// A number from 0 to 1.
    pub(super) fn share(&mut self, key: &str) -> Result<Share, CspError> {
        let at = self.place(key);
        let share = self.text(key)?.parse().ok();
        share.map_or_else(|| self.fail(at, "a number from 0 to 1"), Ok)
    }
}
