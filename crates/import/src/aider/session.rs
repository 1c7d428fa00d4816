//! One session of a history: where it begins, and how it is named.

use std::collections::BTreeSet;

use super::KIND;
use super::block::Marked;
use super::body::Body;
use crate::common::hash;
use crate::entries::Origin;
use crate::{ImportError, Sink};
use annals_kernel::time::Timestamp;

/// How many lines with something on them tell a session without a header from others.
const OPENING_LINES: usize = 8;

/// The line that begins a session.
#[derive(Debug, Clone)]
pub(super) struct Header {
    text: String,
    start: Timestamp,
}

impl Header {
    /// What stands before the first header has none.
    pub(super) fn none() -> Self {
        Self { text: String::new(), start: Timestamp::default() }
    }

    /// `# aider chat started at 2024-08-05 19:33:02`.
    pub(super) fn of(line: &str) -> Option<Self> {
        let text = line.strip_prefix("# aider chat started at ")?.trim();
        let start = text.replacen(' ', "T", 1).parse().ok()?;
        Some(Self { text: text.to_owned(), start })
    }

    fn opening_lines(&self) -> usize {
        if self.text.is_empty() { OPENING_LINES } else { 1 }
    }
}

/// A session while it is read.
pub(super) struct AiderSession {
    header: Header,
    /// The line of the file that it begins on.
    first_line: u64,
    /// Lines that wait until there are enough of them to name the session.
    opening: Vec<(String, u64, Marked)>,
    body: Option<Body>,
}

impl AiderSession {
    pub(super) fn new(header: Header, first_line: u64) -> Self {
        Self { header, first_line, opening: Vec::new(), body: None }
    }

    pub(super) fn line(
        &mut self,
        line: &str,
        number: u64,
        marked: Marked,
        names: &mut Names<'_>,
        sink: &mut dyn Sink,
    ) -> Result<(), ImportError> {
        if let Some(body) = &mut self.body {
            return body.line(line, number, marked, sink);
        }
        if line.trim().is_empty() {
            return Ok(());
        }
        self.opening.push((line.to_owned(), number, marked));
        if self.opening.len() >= self.header.opening_lines() { self.open(names, sink) } else { Ok(()) }
    }

    /// Names the session by its header and the first lines, and reads those.
    fn open(&mut self, names: &mut Names<'_>, sink: &mut dyn Sink) -> Result<(), ImportError> {
        let opening = std::mem::take(&mut self.opening);
        let lines: Vec<_> = opening.iter().map(|(line, ..)| line.trim_end()).collect();
        let native = names.name(&self.header.text, &hash(&lines.join("\n")));
        let body =
            self.body.insert(Body::begin(Origin::new(KIND, &native, names.file), self.header.start, self.first_line));
        body.start(&native, sink)?;
        opening.iter().try_for_each(|(line, number, marked)| body.line(line, *number, *marked, sink))
    }

    /// The next header stands here, or the source ends.
    pub(super) fn end(
        mut self,
        names: &mut Names<'_>,
        end: SessionEnd,
        sink: &mut dyn Sink,
    ) -> Result<(), ImportError> {
        // Where only its header is there, the next one says that nothing came of it.
        let empty = self.opening.is_empty() && (self.header.text.is_empty() || end == SessionEnd::Source);
        if self.body.is_none() && !empty {
            self.open(names, sink)?;
        }
        self.body.map_or(Ok(()), |mut body| body.end(end, sink))
    }
}

/// What stands behind the last line of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SessionEnd {
    /// The next session: nothing more can come.
    Header,
    /// Nothing yet.
    Source,
}

/// The names that the sessions of a file have got.
pub(super) struct Names<'f> {
    pub(super) file: &'f str,
    given: BTreeSet<String>,
}

impl<'f> Names<'f> {
    pub(super) fn new(file: &'f str) -> Self {
        Self { file, given: BTreeSet::new() }
    }

    /// The start and a hash; where two sessions began alike in the same second, a number.
    fn name(&mut self, start: &str, hash: &str) -> String {
        let base = if start.is_empty() { hash.to_owned() } else { format!("{start}/{}", &hash[..16]) };
        let numbered = (2..).map(|number| format!("{base}/{number}"));
        let free = std::iter::once(base.clone()).chain(numbered).find(|name| !self.given.contains(name));
        let name = free.unwrap_or(base);
        self.given.insert(name.clone());
        name
    }
}
