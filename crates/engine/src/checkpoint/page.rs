//! Lines `"key" row` in the order of their keys: the rows of a block, or the index of a table. Does not read files.

use std::borrow::Cow;

use serde::Serialize;

use super::layer::BadLayer;

/// Lines, and where they begin.
pub(super) struct Page {
    text: String,
    starts: Vec<usize>,
}

impl Page {
    /// Takes lines apart.
    pub(super) fn of(bytes: Vec<u8>) -> Result<Self, BadLayer> {
        let text = String::from_utf8(bytes).map_err(|_| BadLayer::Damaged)?;
        let behind = memchr::memchr_iter(b'\n', text.as_bytes()).map(|newline| newline + 1);
        let starts = std::iter::once(0).chain(behind).filter(|start| *start < text.len()).collect();
        Ok(Self { text, starts })
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }

    pub(super) fn line(&self, place: usize) -> &str {
        let end = self.starts.get(place + 1).copied().unwrap_or(self.text.len());
        self.text[self.starts[place]..end].trim_end_matches('\n')
    }

    /// The place of a key's line.
    pub(super) fn find(&self, key: &str) -> Result<Option<usize>, BadLayer> {
        let Some(place) = self.behind(key)?.checked_sub(1) else { return Ok(None) };
        Ok((self.key(place)? == key).then_some(place))
    }

    /// The place of the first line whose key comes behind a key.
    pub(super) fn behind(&self, key: &str) -> Result<usize, BadLayer> {
        let (mut low, mut high) = (0, self.starts.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if *self.key(middle)? <= *key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// The key of a line.
    pub(super) fn key(&self, place: usize) -> Result<Cow<'_, str>, BadLayer> {
        row_of(self.line(place)).map(|(key, _)| key).ok_or(BadLayer::Damaged)
    }
}

/// A line for a row.
pub(super) fn line_of(key: &str, row: &str) -> String {
    format!("{} {row}\n", in_json(key))
}

/// A value as JSON.
pub(super) fn in_json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("BUG: it does not serialize")
}

/// The key and the row of a line.
pub(super) fn row_of(line: &str) -> Option<(Cow<'_, str>, &str)> {
    let quoted = line.strip_prefix('"')?;
    // Nearly no key has an escape: where none comes before the closing quote, no JSON is parsed.
    let end = quoted.find(['"', '\\'])?;
    if quoted.as_bytes()[end] == b'"' {
        return Some((Cow::Borrowed(&quoted[..end]), quoted.get(end + 2..)?));
    }
    let mut values = serde_json::Deserializer::from_str(line).into_iter::<String>();
    let key = values.next()?.ok()?;
    Some((Cow::Owned(key), line.get(values.byte_offset() + 1..)?))
}
