//! Two reports of one thing are one thing: which entries of a session tell what another one has told.
//!
//! Whichever comes first counts; what comes later may know better how a call ended. Order makes no difference to what is
//! counted. Does not count; `row` and `stats` do.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::kernel::base64;
use crate::kernel::id::EntryId;
use crate::kernel::report::{Fate, Report, ReportKey, Side, Subject};
use crate::kernel::rows::Ranked;

/// What was reported of one session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reports {
    /// Calls with an id, and what is known best of each.
    #[serde(skip_serializing_if = "Calls::is_empty")]
    calls: Calls,
    /// What has no id, and was told by one side only so far; in the order of the fold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    open: Vec<Open>,
    /// Completions of entries that have not come yet: a transcript's time may be before a hook's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    early: Vec<(EntryId, Side, Option<Fate>)>,
}

/// What one side has told of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Open {
    key: ReportKey,
    entry: EntryId,
    side: Side,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fate: Option<Fate>,
    #[serde(default, skip_serializing_if = "Branch::is_main")]
    branch: Branch,
}

/// Where in a session something was told. Hooks of the Gemini CLI tell of the calls of a sub-agent as the main one's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Branch {
    /// In the session itself.
    #[default]
    Main,
    /// In a session below it.
    Below,
}

impl Branch {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    fn is_main(&self) -> bool {
        *self == Self::Main
    }
}

/// What an entry tells, beside what is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// Something new. Of a call, what became of it, where another entry knew that better.
    New(Option<Fate>),
    /// Nothing that is counted.
    Again,
    /// That a call which was counted in the session above was made here.
    Moved {
        /// As it was counted there.
        was: Fate,
        /// As it is to be counted here.
        is: Fate,
    },
    /// That a call ended otherwise than was known.
    Otherwise {
        /// As it was counted.
        was: Fate,
        /// As it is to be counted.
        is: Fate,
    },
}

impl Told {
    fn of(was: Fate, is: Fate) -> Self {
        if was == is { Self::Again } else { Self::Otherwise { was, is } }
    }
}

impl Ranked for Reports {
    fn rank(&self) -> i64 {
        0
    }
}

impl Reports {
    /// Takes in what an entry reports.
    pub fn take(&mut self, report: Report, entry: EntryId, branch: Branch) -> Told {
        let Report { side, subject } = report;
        match subject {
            Subject::Call { key, fate } => self.call(key, (side, fate), entry),
            Subject::Next { key, fate } => self.next(Open { key, entry, side, fate, branch }),
            Subject::Completion { of, key, fate } => self.completed(of, key, (side, fate)),
        }
    }

    fn call(&mut self, key: ReportKey, told: (Side, Fate), entry: EntryId) -> Told {
        if let Some(known) = self.calls.0.get_mut(&key) {
            return better(known, told);
        }
        let early = self.take_early(entry);
        let known = early.and_then(|(side, fate)| Some((side, fate?)));
        let best = known.map_or(told, |known| Fate::better(known, told));
        self.calls.0.insert(key, best);
        Told::New(known.map(|_| best.1))
    }

    fn next(&mut self, told: Open) -> Told {
        if let Some((side, fate)) = self.take_early(told.entry) {
            let better = fate.zip(told.fate).map(|(known, fate)| Fate::better((side, known), (told.side, fate)).1);
            return Told::New(better);
        }
        let is_other = |open: &Open| open.key == told.key && open.side != told.side;
        let Some(place) = self.open.iter().position(is_other) else {
            self.open.push(told);
            return Told::New(None);
        };
        let open = self.open.remove(place);
        let known = fate_of_both((open.side, open.fate), (told.side, told.fate));
        match (open.fate, known) {
            (Some(was), Told::Again | Told::Otherwise { .. })
                if (open.branch, told.branch) == (Branch::Main, Branch::Below) =>
            {
                let is = if let Told::Otherwise { is, .. } = known { is } else { was };
                Told::Moved { was, is }
            }
            (Some(_) | None, known) => known,
        }
    }

    fn completed(&mut self, of: EntryId, key: ReportKey, told: (Side, Option<Fate>)) -> Told {
        if let Some(known) = self.calls.0.get_mut(&key) {
            return told.1.map_or(Told::Again, |fate| better(known, (told.0, fate)));
        }
        if of == EntryId::MIN {
            return Told::Again;
        }
        let Some(place) = self.open.iter().position(|open| open.entry == of) else {
            self.early.push((of, told.0, told.1));
            return Told::Again;
        };
        let open = self.open.remove(place);
        fate_of_both((open.side, open.fate), told)
    }

    fn take_early(&mut self, entry: EntryId) -> Option<(Side, Option<Fate>)> {
        let place = self.early.iter().position(|(of, ..)| *of == entry)?;
        let (_, side, fate) = self.early.remove(place);
        Some((side, fate))
    }
}

fn better(known: &mut (Side, Fate), told: (Side, Fate)) -> Told {
    let was = known.1;
    *known = Fate::better(*known, told);
    Told::of(was, known.1)
}

fn fate_of_both(known: (Side, Option<Fate>), told: (Side, Option<Fate>)) -> Told {
    match (known.1, told.1) {
        (Some(was), Some(is)) => Told::of(was, Fate::better((known.0, was), (told.0, is)).1),
        (None, _) | (_, None) => Told::Again,
    }
}

/// Calls, as they are stored: nine bytes each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Calls(BTreeMap<ReportKey, (Side, Fate)>);

impl Calls {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

const STORED_BYTES: usize = 9;

impl Serialize for Calls {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::with_capacity(self.0.len() * STORED_BYTES);
        for (key, (side, fate)) in &self.0 {
            bytes.extend(key.to_bytes());
            bytes.push(side.code() << 4 | fate.code());
        }
        serializer.serialize_str(&base64::encode(&bytes))
    }
}

impl<'de> Deserialize<'de> for Calls {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = base64::decode(&text).ok_or_else(|| D::Error::custom("is not base64"))?;
        let (stored, []) = bytes.as_chunks::<STORED_BYTES>() else { return Err(D::Error::custom("is cut short")) };
        let read = |[key @ .., code]: &[u8; STORED_BYTES]| {
            Some((ReportKey::from_bytes(*key), (Side::of_code(code >> 4)?, Fate::of_code(code & 15)?)))
        };
        let calls = stored.iter().map(read).collect::<Option<_>>();
        calls.map(Self).ok_or_else(|| D::Error::custom("has a code that is none"))
    }
}
