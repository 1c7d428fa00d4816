//! `extensions.annals`: what Annals adds to an entry, the link of its chain above all.
//!
//! Does not build or check chains; `log::chain` does.

use std::collections::BTreeMap;
use std::fmt;

use annals_sparse::sparse;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::entry::{BadEntry, Reader, Writer};
use super::id::{EntryId, WriterId};
use super::json::{Json, Members, hex};
use super::time::Timestamp;

/// The format of the lines that this version writes.
pub const FORMAT_VERSION: u32 = 1;

/// The rules of this version. Raised when any `decide` changes (decision 38), from the first release on.
pub const RULES_VERSION: u32 = 2;

/// Stands in `metadata.tags` of a state of a mind that Annals computed: it is known already, and no work of the session.
pub const SNAPSHOT_TAG: &str = "snapshot";

/// The members of `extensions.annals`. All are optional: a line of another tool has none.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, JsonSchema)]
pub struct Annals {
    /// Version of the line format.
    pub v: Option<u32>,
    /// Version of the rules: only a decision has it, and every decision has it.
    pub r: Option<u32>,
    /// The record of another tool that this entry was made from.
    pub source: Option<Source>,
    /// Tokens that this entry adds to its session.
    pub usage: Option<Usage>,
    /// Hashes of this line before each scrub, oldest first.
    #[schemars(with = "Option<Vec<LineHash>>")]
    pub scrubbed: Vec<LineHash>,
    /// Place in the chain of its writer: `w`, `n`, `p` and `s`.
    #[serde(flatten)]
    pub link: Option<Link>,
    /// Keys of a later version, as they were.
    #[schemars(skip)]
    pub unknown: Members,
}

/// What programs add to an entry, each under its own name.
#[sparse]
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct Extensions {
    /// What Annals adds.
    annals: Option<Annals>,
}

/// The place of a line in the chain of its writer.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema)]
pub struct Link {
    /// The writer: one clone of the log.
    #[schemars(rename = "w")]
    pub writer: WriterId,
    /// How many lines the writer has written, this one included.
    #[schemars(rename = "n")]
    pub count: u64,
    /// Hash of the writer's previous line; zeros for the first.
    #[schemars(rename = "p")]
    pub previous: LineHash,
    /// Other writers' heads, where they changed since the writer's last line: the causal past.
    #[schemars(rename = "s", with = "Option<BTreeMap<WriterId, (u64, LineHash)>>")]
    pub seen: BTreeMap<WriterId, Head>,
    /// In the first line of a writer: the last line that its clone remembered of the writer before, where the log held
    /// it no longer, and no branch did (decision 43).
    pub lost: Option<Absent>,
    /// The same where another branch held it, or where nobody had asked the branches.
    pub left: Option<Absent>,
}

/// A line that a clone wrote and its log does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Absent {
    /// Its writer.
    #[serde(rename = "w")]
    pub writer: WriterId,
    /// Its count.
    #[serde(rename = "n")]
    pub count: u64,
    /// Its hash.
    #[serde(rename = "p")]
    pub hash: LineHash,
}

impl Absent {
    /// How far its writer had come with it.
    pub fn head(&self) -> Head {
        Head { count: self.count, hash: self.hash }
    }
}

/// How far a writer has come: its count, and the hash of that line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, LineHash)", into = "(u64, LineHash)")]
pub struct Head {
    /// Lines written.
    pub count: u64,
    /// Hash of the last of them.
    pub hash: LineHash,
}

impl From<(u64, LineHash)> for Head {
    fn from((count, hash): (u64, LineHash)) -> Self {
        Self { count, hash }
    }
}

impl From<Head> for (u64, LineHash) {
    fn from(head: Head) -> Self {
        (head.count, head.hash)
    }
}

/// SHA-256 of a line without its newline, cut to 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LineHash([u8; 16]);

/// An entry, and what it says: a clone keeps the hash of what it wrote itself.
pub type OwnLine = (EntryId, String);

impl LineHash {
    /// Hashes a line, given without its newline.
    pub fn of(line: &[u8]) -> Self {
        let digest = Sha256::digest(line);
        Self(digest[..16].try_into().expect("BUG: SHA-256 has 32 bytes"))
    }

    /// Reads 32 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digit = |byte: &u8| char::from(*byte).to_digit(16).filter(|_| !byte.is_ascii_uppercase());
        let pairs = text.as_bytes().chunks_exact(2);
        let mut bytes = [0; 16];
        if text.len() != 32 {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(pairs) {
            *byte = u8::try_from(digit(&pair[0])? << 4 | digit(&pair[1])?).ok()?;
        }
        Some(Self(bytes))
    }

    /// This one, and what scrubs have made of its line since: each has the hash of a line before and after.
    pub fn left_by(self, scrubs: &[(Self, Self)]) -> Vec<Self> {
        let mut left = vec![self];
        let mut next = 0;
        while let Some(hash) = left.get(next).copied() {
            let after = scrubs.iter().filter(|(before, _)| *before == hash).map(|(_, after)| *after);
            let new: Vec<_> = after.filter(|after| !left.contains(after)).collect();
            left.extend(new);
            next += 1;
        }
        left
    }
}

impl fmt::Display for LineHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&hex(&self.0))
    }
}

impl fmt::Debug for LineHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for LineHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for LineHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("is not 32 lower-case hexadecimal digits"))
    }
}

impl JsonSchema for LineHash {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "LineHash".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "SHA-256 of a line, the first 128 bits, in hexadecimal.",
            "pattern": "^[0-9a-f]{32}$"
        })
    }
}

/// The record of another tool that an entry was made from.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// The tool, as `annals import` names it.
    pub kind: Box<str>,
    /// The session's id in that tool.
    pub session: Box<str>,
    /// The record's own id there; where it has none, a hash of it.
    pub record: Box<str>,
    /// The name of the file, without folders.
    pub file: Option<Box<str>>,
    /// The line of that file, from 1.
    pub line: Option<u64>,
    /// `synthetic` where the tool keeps no time and the importer gave one.
    pub time: Option<Box<str>>,
    /// The tool of a call, as who reported it names it, where the entry has the name of the tool's own transcript.
    pub tool: Option<Box<str>>,
}

impl Source {
    /// The id of the entry that an import makes of the record: its time, and a hash of which record it is.
    pub fn entry_id(&self, at: Timestamp) -> EntryId {
        EntryId::derived(at, &["entry", &self.kind, &self.session, &self.record])
    }
}

/// Tokens and money. In an entry: what it adds; it may take back, where a later record corrects an earlier one.
#[sparse]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Usage {
    /// Requests to a model.
    #[sparse]
    pub requests: i64,
    /// Tokens read that no cache had.
    #[sparse]
    pub input: i64,
    /// Tokens put into a cache.
    #[sparse]
    pub cache_write: i64,
    /// Tokens read from a cache.
    #[sparse]
    pub cache_read: i64,
    /// Tokens written, reasoning included.
    #[sparse]
    pub output: i64,
    /// Those of the tokens written that were reasoning, where the tool says so.
    #[sparse]
    pub reasoning: i64,
    /// Cost as the tool reported it, in millionths of a US dollar.
    #[sparse]
    pub cost_micro_usd: i64,
}

impl Usage {
    /// Whether it adds nothing.
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    fn zip(self, other: Self, join: impl Fn(i64, i64) -> i64) -> Self {
        Self {
            requests: join(self.requests, other.requests),
            input: join(self.input, other.input),
            cache_write: join(self.cache_write, other.cache_write),
            cache_read: join(self.cache_read, other.cache_read),
            output: join(self.output, other.output),
            reasoning: join(self.reasoning, other.reasoning),
            cost_micro_usd: join(self.cost_micro_usd, other.cost_micro_usd),
        }
    }
}

impl std::ops::Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.zip(other, i64::saturating_add)
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::ops::Sub for Usage {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.zip(other, i64::saturating_sub)
    }
}

impl Annals {
    /// Whether the entry is a decision: its events are ours, and replay checks them.
    pub fn is_decision(&self) -> bool {
        self.r.is_some()
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn from_json(json: &Json) -> Result<Self, BadEntry> {
        const PLACE: &str = "extensions.annals";
        let members: Members = json.read().map_err(|error| BadEntry::new(PLACE, error))?;
        let mut annals = Reader::new(PLACE, members);
        Ok(Self {
            v: annals.optional(&["v"])?,
            r: annals.optional(&["r"])?,
            source: annals.optional(&["source"])?,
            usage: annals.optional(&["usage"])?,
            scrubbed: annals.optional(&["scrubbed"])?.unwrap_or_default(),
            link: Link::read(&mut annals)?,
            unknown: annals.rest(),
        })
    }
}

impl Link {
    /// A link is whole or it is none: a half one stays among the unknown keys, and the line counts as unchained.
    fn read(annals: &mut Reader<'_>) -> Result<Option<Self>, BadEntry> {
        if !["w", "n", "p"].iter().all(|key| annals.has(key)) {
            return Ok(None);
        }
        Ok(Some(Self {
            writer: annals.required(&["w"])?,
            count: annals.required(&["n"])?,
            previous: annals.required(&["p"])?,
            seen: annals.optional(&["s"])?.unwrap_or_default(),
            lost: annals.optional(&["lost"])?,
            left: annals.optional(&["left"])?,
        }))
    }
}

impl Serialize for Annals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut annals = Writer(serializer.serialize_map(None)?);
        annals.some("v", self.v.as_ref())?;
        annals.some("r", self.r.as_ref())?;
        annals.some("source", self.source.as_ref())?;
        annals.some("usage", self.usage.as_ref())?;
        annals.some("scrubbed", Some(&self.scrubbed).filter(|hashes| !hashes.is_empty()))?;
        annals.members(&self.unknown)?;
        if let Some(link) = &self.link {
            // Who looks for the link in a broken line takes the last of each key.
            annals.some("lost", link.lost.as_ref())?;
            annals.some("left", link.left.as_ref())?;
            annals.field("w", &link.writer)?;
            annals.field("n", &link.count)?;
            annals.field("p", &link.previous)?;
            annals.some("s", Some(&link.seen).filter(|seen| !seen.is_empty()))?;
        }
        serde::ser::SerializeMap::end(annals.0)
    }
}
