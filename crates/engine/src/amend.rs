//! What the user's decisions say about lines, as the log reads it.
//!
//! What an entry of several versions says counts for none of them: the world would else depend on what was read first.

use annals_log::amend::{Amendments, Rewrite};
use annals_log::mending::{Mend, Mending};
use annals_rules::domain::history::command::MendClock;
use annals_rules::domain::{Rooms, erasure};

/// What the rooms know about lines.
pub(super) fn amendments(rooms: &Rooms) -> Amendments {
    let conflicts = &rooms.history.conflicts;
    let rewrites = |records: &Vec<erasure::Record>| {
        let counted = records.iter().filter(|record| !conflicts.contains_key(&record.by_entry));
        counted.map(|record| Rewrite { before: record.before, after: record.after }).collect::<Vec<_>>()
    };
    let scrubs = rooms.erasure.scrubs.iter().map(|(entry, records)| (*entry, rewrites(records)));
    Amendments {
        scrubs: scrubs.filter(|(_, rewrites)| !rewrites.is_empty()).collect(),
        settled: rooms.history.settlements(),
        mending: Mending::of(mends(rooms)),
    }
}

/// Which clocks were mended, by entries in the order of their ids.
pub(super) fn mends(rooms: &Rooms) -> Vec<Mend> {
    rooms.history.mends().into_iter().map(mend).collect()
}

/// A mended clock, as the log knows it.
pub(super) fn mend(MendClock { writer, from, to, shift }: MendClock) -> Mend {
    Mend { writer, from, to, shift }
}
