//! Two reports of one thing are one thing: which entries of a session tell what another one has told.
//!
//! Whichever comes first counts; what comes later may know better how a call ended. Order makes no difference to what is
//! counted. Does not count; `row` and `stats` do.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) use super::open::Branch;
use super::open::{AllOpen, Open};
use super::packed;
use annals_kernel::id::EntryId;
use annals_kernel::report::{Fate, Report, ReportKey, Side, Subject};
use annals_kernel::rows::Ranked;

/// What was reported of one session.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reports {
    /// Calls with an id, and what is known best of each.
    #[sparse]
    calls: Calls,
    /// What has no id, and was told by one side only so far.
    #[sparse]
    open: AllOpen,
    /// Completions of entries that have not come yet: a transcript's time may be before a hook's.
    early: BTreeMap<EntryId, (Side, Option<Fate>)>,
    /// Ends of calls that have not come yet: of what went on in the background, a hook may tell after its end.
    ends: BTreeMap<ReportKey, (Side, Fate)>,
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
            Subject::Next { key, fate } => self.next(entry, Open { key, side, fate, branch }),
            Subject::Completion { of, key, fate } => self.completed(of, key, (side, fate)),
        }
    }

    fn call(&mut self, key: ReportKey, told: (Side, Fate), entry: EntryId) -> Told {
        if let Some(known) = self.calls.0.get_mut(&key) {
            return better(known, told);
        }
        let early = self.early.remove(&entry).and_then(|(side, fate)| Some((side, fate?)));
        let known = early.into_iter().chain(self.ends.remove(&key)).reduce(Fate::better);
        let best = known.map_or(told, |known| Fate::better(known, told));
        self.calls.0.insert(key, best);
        Told::New(known.map(|_| best.1))
    }

    fn next(&mut self, entry: EntryId, told: Open) -> Told {
        if let Some((side, fate)) = self.early.remove(&entry) {
            let better = fate.zip(told.fate).map(|(known, fate)| Fate::better((side, known), (told.side, fate)).1);
            return Told::New(better);
        }
        let Some(open) = self.open.take_other(told) else {
            self.open.add(entry, told);
            return Told::New(None);
        };
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
            self.ends.extend(told.1.map(|fate| (key, (told.0, fate))));
            return Told::Again;
        }
        let Some(open) = self.open.take(of) else {
            self.early.entry(of).or_insert(told);
            return Told::Again;
        };
        fate_of_both((open.side, open.fate), told)
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

const STORED_BYTES: usize = 9;

impl Serialize for Calls {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        packed::serialize::<STORED_BYTES, _>(
            self.0.iter().map(|(key, (side, fate))| {
                let mut bytes = [0; STORED_BYTES];
                bytes[..8].copy_from_slice(&key.to_bytes());
                bytes[8] = side.code() << 4 | fate.code();
                bytes
            }),
            serializer,
        )
    }
}

impl<'de> Deserialize<'de> for Calls {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |[key @ .., code]: &[u8; STORED_BYTES]| {
            Some((ReportKey::from_bytes(*key), (Side::of_code(code >> 4)?, Fate::of_code(code & 15)?)))
        };
        let calls = packed::deserialize::<STORED_BYTES, _, _>(deserializer, read)?;
        Ok(Self(calls.into_iter().collect()))
    }
}
