//! Server-sent events out of bytes that come in any pieces.
//!
//! Hands on the data of each event; names, ids and comments are passed over: the data of all backends says what it is.

use super::lines::Lines;
use super::trouble::Trouble;

/// The event that is not complete yet.
#[derive(Debug, Default)]
pub struct Sse {
    lines: Lines,
    data: Option<String>,
}

impl Sse {
    /// Hands on the data of each event that is complete now.
    pub fn push(&mut self, bytes: &[u8], each: &mut dyn FnMut(&str) -> Result<(), Trouble>) -> Result<(), Trouble> {
        let data = &mut self.data;
        self.lines.push(bytes, &mut |line| take(data, line, each))
    }

    /// The data of an event whose empty line never came.
    pub fn rest(self) -> Option<String> {
        let mut data = self.data;
        if let Some(line) = self.lines.rest() {
            take(&mut data, &line, &mut |_| Ok(())).ok()?;
        }
        data
    }
}

fn take(
    data: &mut Option<String>,
    line: &str,
    each: &mut dyn FnMut(&str) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    if line.is_empty() {
        return data.take().map_or(Ok(()), |data| each(&data));
    }
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let (field, value) = line.split_once(':').unwrap_or((line, ""));
    if field == "data" {
        let value = value.strip_prefix(' ').unwrap_or(value);
        match data {
            Some(data) => data.extend(["\n", value]),
            None => *data = Some(value.to_owned()),
        }
    }
    Ok(())
}
