//! Two reports of one thing are one thing: which entries of a session tell what another one has told.
//!
//! Whichever comes first counts; what comes later may know better how a call ended. Order makes no difference to what is
//! counted. Does not count; `row` and `stats` do.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) use super::open::Branch;
use super::open::{AllOpen, OpenSide};
use super::packed;
use annals_kernel::id::EntryId;
use annals_kernel::report::{Fate, Report, ReportKey, Side, Subject, Witnessed};
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
            Subject::Call { key, fate } => self.call(key, Witnessed { side, fate }, entry),
            Subject::Next { key, fate } => self.next(entry, OpenSide { key, side, fate, branch }),
            Subject::Completion { of, key, fate } => self.completed(of, key, side, fate),
        }
    }

    fn call(&mut self, key: ReportKey, told: Witnessed, entry: EntryId) -> Told {
        if let Some(known) = self.calls.0.get_mut(&key) {
            return better(known, told);
        }
        let early = self.early.remove(&entry).and_then(|(side, fate)| Some(Witnessed { side, fate: fate? }));
        let end = self.ends.remove(&key).map(|(side, fate)| Witnessed { side, fate });
        let known = early.into_iter().chain(end).reduce(Witnessed::or_better);
        let best = known.map_or(told, |known| known.or_better(told));
        self.calls.0.insert(key, best);
        Told::New(known.map(|_| best.fate))
    }

    fn next(&mut self, entry: EntryId, told: OpenSide) -> Told {
        if let Some((side, fate)) = self.early.remove(&entry) {
            let known = fate.map(|fate| Witnessed { side, fate });
            return Told::New(known.zip(told.witnessed()).map(|(known, told)| known.or_better(told).fate));
        }
        let Some(open) = self.open.take_other(told) else {
            self.open.add(entry, told);
            return Told::New(None);
        };
        let known = fate_of_both(open.witnessed(), told.witnessed());
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

    fn completed(&mut self, of: EntryId, key: ReportKey, side: Side, fate: Option<Fate>) -> Told {
        let told = fate.map(|fate| Witnessed { side, fate });
        if let Some(known) = self.calls.0.get_mut(&key) {
            return told.map_or(Told::Again, |told| better(known, told));
        }
        if of == EntryId::MIN {
            self.ends.extend(fate.map(|fate| (key, (side, fate))));
            return Told::Again;
        }
        let Some(open) = self.open.take(of) else {
            self.early.entry(of).or_insert((side, fate));
            return Told::Again;
        };
        fate_of_both(open.witnessed(), told)
    }
}

fn better(known: &mut Witnessed, told: Witnessed) -> Told {
    let was = known.fate;
    *known = known.or_better(told);
    Told::of(was, known.fate)
}

fn fate_of_both(known: Option<Witnessed>, told: Option<Witnessed>) -> Told {
    known.zip(told).map_or(Told::Again, |(known, told)| Told::of(known.fate, known.or_better(told).fate))
}

/// Calls, as they are stored: nine bytes each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Calls(BTreeMap<ReportKey, Witnessed>);

const STORED_BYTES: usize = 9;

impl Serialize for Calls {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        packed::serialize::<STORED_BYTES, _>(
            self.0.iter().map(|(key, Witnessed { side, fate })| {
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
            let (side, fate) = (Side::of_code(code >> 4)?, Fate::of_code(code & 15)?);
            Some((ReportKey::from_bytes(*key), Witnessed { side, fate }))
        };
        let calls = packed::deserialize::<STORED_BYTES, _, _>(deserializer, read)?;
        Ok(Self(calls.into_iter().collect()))
    }
}
