//! An entry as the fold sees it: its fields in place, its payload still bytes.
//!
//! Does not read files and does not keep unknown keys; `HistoryEntry` does the second.

mod cursor;
mod scan;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use self::cursor::{Cursor, Part};
pub use self::scan::Span;
use super::annals::{Head, LineHash, Link, Source, Usage};
use super::entry::OperationType;
use super::id::{EntryId, WriterId};
use super::record::Kind;
use super::time::Timestamp;

/// One line, decoded as far as somebody asks.
#[derive(Debug, Clone, Copy)]
pub struct Envelope<'a> {
    line: &'a [u8],
    span: &'a Span,
}

/// What became of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It did what it was asked.
    Succeeded,
    /// It did not.
    Failed,
}

/// The input of a prompt or a message.
#[derive(serde::Deserialize)]
struct SaidWords {
    #[serde(alias = "content", alias = "prompt")]
    text: Option<String>,
}

impl<'a> Envelope<'a> {
    /// A line, without its newline, and what `Span::scan` found in it.
    pub fn new(line: &'a [u8], span: &'a Span) -> Self {
        Self { line, span }
    }

    /// The line itself.
    pub fn line(&self) -> &'a [u8] {
        self.line
    }

    /// The id of the entry.
    pub fn id(&self) -> EntryId {
        self.span.id
    }

    /// Its turn in the fold: the id, but for a line of a clock that was mended (decision 45).
    pub fn turn(&self) -> EntryId {
        if self.span.shift == 0 { self.span.id } else { self.span.id.shifted(self.span.shift) }
    }

    /// How many milliseconds later it counts than its id says.
    pub fn shift(&self) -> i64 {
        self.span.shift
    }

    /// When it happened; of a line of a clock that was mended, by the right time.
    pub fn at(&self) -> Timestamp {
        self.span.at
    }

    fn text(&self, part: Part) -> Cow<'a, str> {
        part.text(self.line)
    }

    fn text_if_there(&self, part: Part) -> Option<Cow<'a, str>> {
        part.is_there().then(|| self.text(part))
    }

    fn read<T: Deserialize<'a>>(&self, part: Part) -> Option<T> {
        part.is_there().then(|| serde_json::from_slice(part.of(self.line)).ok()).flatten()
    }

    /// The session it belongs to.
    pub fn session(&self) -> Cow<'a, str> {
        self.text(self.span.session)
    }

    /// The project it belongs to.
    pub fn project(&self) -> Option<Cow<'a, str>> {
        self.text_if_there(self.span.project)
    }

    /// The type as it is written.
    pub fn kind_text(&self) -> Cow<'a, str> {
        self.record().type_name().map_or_else(|| self.text(self.span.kind), Cow::Borrowed)
    }

    /// What it records.
    pub fn record(&self) -> Kind {
        self.span.record
    }

    /// What kind of step.
    pub fn kind(&self) -> OperationType {
        OperationType::from(&*self.kind_text())
    }

    /// Tool name, event type or state key.
    pub fn name(&self) -> Cow<'a, str> {
        self.text(self.span.name)
    }

    /// What went in; parsed now, up to the end of the value.
    pub fn input<T: DeserializeOwned>(&self) -> Option<T> {
        let rest = self.line.get(self.span.input as usize..)?;
        serde_json::Deserializer::from_slice(rest).into_iter().next()?.ok()
    }

    /// What a prompt or a message says, as Annals and other programs write it.
    pub fn words(&self) -> Option<String> {
        self.input::<SaidWords>()?.text
    }

    /// What came out; parsed now.
    pub fn output<T: DeserializeOwned>(&self) -> Option<T> {
        let input = self.line.get(self.span.input as usize..)?;
        let mut values = serde_json::Deserializer::from_slice(input).into_iter::<serde::de::IgnoredAny>();
        values.next()?.ok()?;
        let output = input.get(values.byte_offset()..)?.strip_prefix(br#","output":"#)?;
        serde_json::Deserializer::from_slice(output).into_iter().next()?.ok()
    }

    /// What went in and came out, read in one go and borrowed from the line.
    pub fn input_and_output<I: Deserialize<'a>, O: Deserialize<'a>>(&self) -> Option<(I, O)> {
        let rest = simdutf8::basic::from_utf8(self.line.get(self.span.input as usize..)?).ok()?;
        let mut values = serde_json::Deserializer::from_str(rest).into_iter();
        let input: I = values.next()?.ok()?;
        let output = rest.get(values.byte_offset()..)?.strip_prefix(r#","output":"#)?;
        Some((input, serde_json::Deserializer::from_str(output).into_iter().next()?.ok()?))
    }

    /// How long it took, in milliseconds.
    pub fn duration_ms(&self) -> Option<u64> {
        self.span.duration_ms
    }

    /// What became of it.
    pub fn ending(&self) -> Ending {
        if self.span.success { Ending::Succeeded } else { Ending::Failed }
    }

    /// Why it failed.
    pub fn error(&self) -> Option<Cow<'a, str>> {
        self.text_if_there(self.span.error)
    }

    /// Who acted.
    pub fn agent(&self) -> Option<Cow<'a, str>> {
        self.text_if_there(self.span.agent)
    }

    /// The model behind the agent.
    pub fn model(&self) -> Option<Cow<'a, str>> {
        self.text_if_there(self.span.model)
    }

    /// The entry it belongs to.
    pub fn parent_entry(&self) -> Option<EntryId> {
        self.text_if_there(self.span.parent_entry)?.parse().ok()
    }

    /// Free tags.
    pub fn tags(&self) -> Vec<Cow<'a, str>> {
        self.read(self.span.tags).unwrap_or_default()
    }

    /// Files that it read or wrote.
    pub fn files(&self) -> Vec<Cow<'a, str>> {
        self.read(self.span.files).unwrap_or_default()
    }

    /// Tokens of the step, where nothing more exact is known.
    pub fn token_count(&self) -> Option<u64> {
        self.span.token_count
    }

    /// Whether it is a decision of ours, and under which version of the rules.
    pub fn rules(&self) -> Option<u64> {
        self.span.rules
    }

    /// Whether the sanitizer took something out of it.
    pub fn is_redacted(&self) -> bool {
        self.span.redacted
    }

    /// Tokens and money that it adds.
    pub fn usage(&self) -> Option<Usage> {
        self.read(self.span.usage)
    }

    /// Whether it was made from a record of another tool.
    pub fn has_source(&self) -> bool {
        self.span.source.is_there()
    }

    /// The record of another tool that it was made from.
    pub fn source(&self) -> Option<Source> {
        self.read(self.span.source)
    }

    /// Hashes of the line before each scrub.
    pub fn scrubbed(&self) -> Vec<LineHash> {
        self.read(self.span.scrubbed).unwrap_or_default()
    }

    /// The writer's name and count, without the rest of the link.
    pub fn writer(&self) -> Option<(Cow<'a, str>, u64)> {
        (self.span.writer.is_there() && self.span.previous.is_there())
            .then(|| (self.text(self.span.writer), self.span.count))
    }

    /// Whether its link says anything of other writers.
    pub fn has_seen(&self) -> bool {
        self.span.seen.is_there()
    }

    /// The place in the chain of its writer.
    pub fn link(&self) -> Option<Link> {
        let (writer, count) = self.writer()?;
        let previous = LineHash::parse(&self.text(self.span.previous))?;
        let seen: Option<std::collections::BTreeMap<WriterId, Head>> = self.read(self.span.seen);
        let seen = seen.unwrap_or_default();
        let (lost, left) = (self.read(self.span.lost), self.read(self.span.left));
        Some(Link { writer: writer.as_ref().into(), count, previous, seen, lost, left })
    }

    /// The text of the input, borrowed from the line.
    pub fn input_text(&self) -> Option<&'a str> {
        let part = Cursor::new(self.line, self.span.input as usize).value()?;
        simdutf8::basic::from_utf8(part.of(self.line)).ok()
    }

    /// The text of the output, borrowed from the line; nothing where nothing came out.
    pub fn output_text(&self) -> Option<&'a str> {
        let mut cursor = Cursor::new(self.line, self.span.input as usize);
        cursor.value()?;
        cursor.literal(br#","output":"#)?;
        simdutf8::basic::from_utf8(cursor.value()?.of(self.line)).ok()
    }

    /// What went in, read and borrowed from the line, and its text; nothing where it is not as expected.
    pub(crate) fn input_and_text<T: Deserialize<'a>>(&self) -> Option<(T, &'a [u8])> {
        let rest = self.line.get(self.span.input as usize..)?;
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter();
        let input = values.next()?.ok()?;
        Some((input, &rest[..values.byte_offset()]))
    }
}
