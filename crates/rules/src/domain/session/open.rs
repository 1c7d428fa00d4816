//! What has no id and was told by one side only so far, found by what it says and by its entry.
//!
//! A long session that only a transcript tells has as many of these as it has messages, so nothing here looks through
//! all of them. Does not say what becomes of them; `joined` does.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::packed;
use annals_kernel::id::EntryId;
use annals_kernel::report::{Fate, ReportKey, Side, Witnessed};

/// What one side has told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenSide {
    /// Of what it says.
    pub key: ReportKey,
    /// Who told it.
    pub side: Side,
    /// What became of it, where it is a call.
    pub fate: Option<Fate>,
    /// Where it was told.
    pub branch: Branch,
}

impl OpenSide {
    pub(super) fn witnessed(&self) -> Option<Witnessed> {
        self.fate.map(|fate| Witnessed { side: self.side, fate })
    }
}

/// Where in a session something was told. Hooks of the Gemini CLI tell of the calls of a sub-agent as the main one's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Branch {
    /// In the session itself.
    Main,
    /// In a session below it.
    Below,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct AllOpen {
    by_entry: BTreeMap<EntryId, OpenSide>,
    by_key: BTreeSet<(ReportKey, Side, EntryId)>,
}

impl AllOpen {
    pub(super) fn add(&mut self, entry: EntryId, open: OpenSide) {
        self.by_entry.insert(entry, open);
        self.by_key.insert((open.key, open.side, entry));
    }

    /// What an entry told, which is open no more.
    pub(super) fn take(&mut self, entry: EntryId) -> Option<OpenSide> {
        let open = self.by_entry.remove(&entry)?;
        self.by_key.remove(&(open.key, open.side, entry));
        Some(open)
    }

    /// The first of what the other side told of the same.
    pub(super) fn take_other(&mut self, told: OpenSide) -> Option<OpenSide> {
        let other = match told.side {
            Side::Hook => Side::Transcript,
            Side::Transcript => Side::Hook,
        };
        let same = (told.key, other, EntryId::MIN)..=(told.key, other, EntryId::MAX);
        let (_, _, entry) = *self.by_key.range(same).next()?;
        self.take(entry)
    }
}

// Packed by hand: as rows of JSON each takes 90 bytes of the checkpoint, and a transcript alone leaves one for each
// message.
const STORED_BYTES: usize = 25;

fn code(open: OpenSide) -> u8 {
    let branch = u8::from(open.branch == Branch::Below);
    open.side.code() << 7 | branch << 6 | open.fate.map_or(0, |fate| fate.code() + 1)
}

fn of_code(key: ReportKey, code: u8) -> Option<OpenSide> {
    let branch = if code >> 6 & 1 == 0 { Branch::Main } else { Branch::Below };
    let fate = match code & 63 {
        0 => None,
        fate => Some(Fate::of_code(fate - 1)?),
    };
    Some(OpenSide { key, side: Side::of_code(code >> 7)?, fate, branch })
}

impl Serialize for AllOpen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        packed::serialize::<STORED_BYTES, _>(
            self.by_entry.iter().map(|(entry, open)| {
                let mut bytes = [0; STORED_BYTES];
                bytes[..16].copy_from_slice(&entry.to_bytes());
                bytes[16..24].copy_from_slice(&open.key.to_bytes());
                bytes[24] = code(*open);
                bytes
            }),
            serializer,
        )
    }
}

impl<'de> Deserialize<'de> for AllOpen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |bytes: &[u8; STORED_BYTES]| {
            let (entry, rest) = bytes.split_first_chunk()?;
            let (key, [code]) = rest.split_first_chunk()? else { return None };
            Some((EntryId::from_bytes(*entry), of_code(ReportKey::from_bytes(*key), *code)?))
        };
        let mut all = Self::default();
        for (entry, open) in packed::deserialize::<STORED_BYTES, _, _>(deserializer, read)? {
            all.add(entry, open);
        }
        Ok(all)
    }
}
