//! Finds the fields of a line that has our own key order, from both of its ends, and leaves the payload untouched.
//!
//! Right on every line that is valid JSON: the only guess, which `"provenance"` is the entry's own, is proved by
//! the braces behind it. Does not check the payload; `log verify` does. Everything else is read by `HistoryEntry`.

use std::sync::LazyLock;

use memchr::memmem;
use memchr::memmem::Finder;

use super::super::id::EntryId;
use super::super::record::Kind;
use super::super::time::Timestamp;
use super::cursor::{Cursor, Part, decimal};

/// Where the fields of an entry are in its line.
#[derive(Debug, Clone, Default)]
pub struct Span {
    pub(super) id: EntryId,
    pub(super) at: Timestamp,
    /// How many milliseconds later the id counts than it says.
    pub(super) shift: i64,
    pub(super) session: Part,
    pub(super) project: Part,
    pub(super) kind: Part,
    pub(super) record: Kind,
    pub(super) name: Part,
    pub(super) input: u32,
    pub(super) success: bool,
    pub(super) duration_ms: Option<u64>,
    pub(super) error: Part,
    pub(super) agent: Part,
    pub(super) model: Part,
    pub(super) parent_entry: Part,
    pub(super) tags: Part,
    pub(super) files: Part,
    pub(super) token_count: Option<u64>,
    pub(super) redacted: bool,
    pub(super) rules: Option<u64>,
    pub(super) source: Part,
    pub(super) usage: Part,
    pub(super) scrubbed: Part,
    pub(super) writer: Part,
    pub(super) count: u64,
    pub(super) previous: Part,
    pub(super) seen: Part,
    pub(super) lost: Part,
    pub(super) left: Part,
}

/// A timestamp this near to its id was read from the same clock as the id.
const SAME_CLOCK_MS: u64 = 5 * 60 * 1000;

/// The end of the year 9999: a later time is not read back as it is written.
const LAST_WRITTEN: Timestamp = Timestamp::from_millis(253_402_300_799_999);

impl Span {
    /// Has the line count so many milliseconds later than its id says, and its time with it. A timestamp far from the id
    /// was not read from the clock that was wrong: ids go on from a wrong one until the clock has caught up, or another
    /// program has given the time.
    pub fn count_later(&mut self, millis: i64) {
        self.shift = millis;
        let time = self.id.time();
        if time.since(self.at).max(self.at.since(time)) <= SAME_CLOCK_MS {
            self.at = self.at.plus_millis(millis).clamp(Timestamp::from_millis(0), LAST_WRITTEN);
        }
    }
}

const ID: &[u8] = br#"{"id":""#;
const TIMESTAMP: &[u8] = br#"","timestamp":""#;
const SESSION: &[u8] = br#"","session_id":""#;

static ID_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(ID));
static PROVENANCE_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(br#"},"provenance":{"#));

impl Span {
    /// Scans a line, given without its newline; `None` where it has another shape.
    pub fn scan(line: &[u8]) -> Option<Self> {
        let mut span = Self::default();
        span.head(line)?;
        if glued(line) {
            return None;
        }
        let mut end = line.len();
        loop {
            // Nested objects may have a key of this name, too; only behind the entry's own does the line end well.
            let provenance = rfind_near_end(&line[..end])?;
            if span.tail(line, provenance).is_some() {
                return Some(span);
            }
            end = provenance;
        }
    }

    /// The id of the entry, however broken the rest of the line is.
    pub fn scan_id(line: &[u8]) -> Option<EntryId> {
        line.starts_with(ID).then(|| EntryId::parse(line.get(7..33)?)).flatten()
    }

    fn head(&mut self, line: &[u8]) -> Option<()> {
        let mut cursor = Cursor::new(line, 0);
        cursor.literal(ID)?;
        self.id = EntryId::parse(line.get(7..33)?)?;
        cursor.at = 33;
        cursor.literal(TIMESTAMP)?;
        self.at = Timestamp::parse_canonical(line.get(48..72)?)?;
        cursor.at = 72;
        cursor.literal(SESSION)?;
        self.session = cursor.string_rest()?;
        if cursor.literal(br#","project_id":""#).is_some() {
            self.project = cursor.string_rest()?;
        }
        cursor.literal(br#","operation":{"type":""#)?;
        self.kind = cursor.string_rest()?;
        cursor.literal(br#","name":""#)?;
        self.name = cursor.string_rest()?;
        self.record = Kind::of(&self.kind.text(line), &self.name.text(line));
        cursor.literal(br#","input":"#)?;
        self.input = u32::try_from(cursor.at).ok()?;
        Some(())
    }

    /// From the brace that closes `operation`: backwards to its outcome, forwards to the end of the line.
    fn tail(&mut self, line: &[u8], operation_end: usize) -> Option<()> {
        let mut cursor = Cursor::new(line, operation_end);
        cursor.literal(br#"},"provenance":"#)?;
        self.provenance(&mut cursor)?;
        cursor.literal(br#","metadata":"#)?;
        self.metadata(&mut cursor)?;
        while cursor.literal(b",").is_some() {
            let key = cursor.string()?;
            cursor.literal(b":")?;
            if key.of(line) == b"extensions" {
                self.extensions(&mut cursor)?;
            } else {
                cursor.value()?;
            }
        }
        cursor.literal(b"}")?;
        (cursor.at == line.len()).then_some(())?;
        self.outcome(line, operation_end)
    }

    fn outcome(&mut self, line: &[u8], operation_end: usize) -> Option<()> {
        let operation = line.get(self.input as usize..operation_end)?;
        let success = match operation.strip_suffix(br#","success":true"#) {
            Some(before) => before.len(),
            None => memmem::rfind(operation, br#","success":"#)?,
        };
        let success = success + self.input as usize;
        let mut cursor = Cursor::new(line, success + 11);
        self.success = cursor.literal(b"true").is_some();
        if !self.success {
            cursor.literal(b"false")?;
        }
        self.error = Part::default();
        if cursor.at < operation_end {
            cursor.literal(br#","error":"#)?;
            self.error = cursor.string()?;
        }
        self.duration_ms = duration_before(line.get(self.input as usize..success)?);
        (cursor.at == operation_end).then_some(())
    }

    fn provenance(&mut self, cursor: &mut Cursor<'_>) -> Option<()> {
        cursor.object(|cursor, key| {
            match key {
                b"agent_id" => self.agent = cursor.string()?,
                b"model_id" => self.model = cursor.string()?,
                b"parent_entry_id" => self.parent_entry = cursor.string()?,
                b"agentId" | b"modelId" | b"parentEntryId" => return None,
                _ => drop(cursor.value()?),
            }
            Some(())
        })
    }

    fn metadata(&mut self, cursor: &mut Cursor<'_>) -> Option<()> {
        cursor.object(|cursor, key| {
            match key {
                b"tags" => self.tags = cursor.value()?,
                b"files_touched" => self.files = cursor.value()?,
                b"token_count" => self.token_count = Some(cursor.number()?),
                b"redacted" => {
                    self.redacted = cursor.literal(b"true").is_some();
                    if !self.redacted {
                        cursor.literal(b"false")?;
                    }
                }
                b"filesTouched" | b"tokenCount" => return None,
                _ => drop(cursor.value()?),
            }
            Some(())
        })
    }

    fn extensions(&mut self, cursor: &mut Cursor<'_>) -> Option<()> {
        cursor.object(|cursor, key| match key {
            b"annals" => cursor.object(|cursor, key| self.annals(cursor, key)),
            _ => cursor.value().map(drop),
        })
    }

    fn annals(&mut self, cursor: &mut Cursor<'_>, key: &[u8]) -> Option<()> {
        match key {
            b"r" => self.rules = Some(cursor.number()?),
            b"n" => self.count = cursor.number()?,
            b"w" => self.writer = cursor.string()?,
            b"p" => self.previous = cursor.string()?,
            b"s" => self.seen = cursor.value()?,
            b"lost" => self.lost = cursor.value()?,
            b"left" => self.left = cursor.value()?,
            b"source" => self.source = cursor.value()?,
            b"usage" => self.usage = cursor.value()?,
            b"scrubbed" => self.scrubbed = cursor.value()?,
            _ => drop(cursor.value()?),
        }
        Some(())
    }
}

/// Two lines in one, with no newline between them. Inside of a string the quotes would be escaped.
fn glued(line: &[u8]) -> bool {
    let begins = |at: usize| line.get(at + 33..).is_some_and(|rest| rest.starts_with(TIMESTAMP));
    ID_FINDER.find_iter(&line[1..]).any(|at| begins(at + 1))
}

/// The last place of `},"provenance":{`: looked for in a window at the end that doubles until it is found.
fn rfind_near_end(line: &[u8]) -> Option<usize> {
    let mut window = 512;
    loop {
        let start = line.len().saturating_sub(window);
        if let Some(at) = PROVENANCE_FINDER.find_iter(&line[start..]).last() {
            return Some(start + at);
        }
        if start == 0 {
            return None;
        }
        window *= 4;
    }
}

/// The number of `,"duration_ms":N` at the end of a text.
fn duration_before(text: &[u8]) -> Option<u64> {
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (before, number) = text.split_at(text.len() - digits);
    before.ends_with(br#","duration_ms":"#).then(|| decimal(number)).flatten()
}
