//! Of which ids no line counts, because lines with it say different things (decision 44).
//!
//! Does not choose between lines; `log::versions` does.

use std::collections::BTreeSet;

use crate::domain::Rooms;
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;

/// Ids of several lines, with the lines, until the user has named one that is there, as it was or as scrubs have left it.
pub fn open_conflicts(rooms: &Rooms) -> impl Iterator<Item = (EntryId, &BTreeSet<LineHash>)> {
    let settled = rooms.history.settlements();
    let is_open = move |(id, versions): &(EntryId, &BTreeSet<LineHash>)| {
        settled.get(id).is_none_or(|named| left_of(rooms, *id, *named).iter().all(|hash| !versions.contains(hash)))
    };
    rooms.history.conflicts.iter().map(|(id, versions)| (*id, versions)).filter(is_open)
}

/// What an entry of several versions says was scrubbed counts for none of them.
fn left_of(rooms: &Rooms, id: EntryId, named: LineHash) -> Vec<LineHash> {
    let records = rooms.erasure.scrubs.get(&id).into_iter().flatten();
    let counted = records.filter(|record| !rooms.history.conflicts.contains_key(&record.by_entry));
    let scrubs: Vec<_> = counted.map(|record| (record.before, record.after)).collect();
    named.left_by(&scrubs)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::domain::erasure;
    use crate::domain::history::state::DecisionRecord;
    use annals_kernel::id::AgentId;
    use annals_kernel::time::Timestamp;

    fn entry(number: u128) -> EntryId {
        EntryId::new(Timestamp::from_millis(1000), number)
    }

    fn hash(text: &str) -> LineHash {
        LineHash::of(text.as_bytes())
    }

    fn settled(by: u128, name: &str) -> DecisionRecord<LineHash> {
        DecisionRecord {
            by_entry: entry(by),
            at: Timestamp::from_millis(1000),
            actor: AgentId::from("user"),
            what: hash(name),
        }
    }

    fn scrub(by: u128, before: &str, after: &str) -> erasure::Record {
        erasure::Record {
            by_entry: entry(by),
            at: Timestamp::from_millis(1000),
            actor: AgentId::from("user"),
            confirmed_by: "Ada".into(),
            before: hash(before),
            after: hash(after),
        }
    }

    /// Whether one id is open of which these lines are there.
    fn is_open(
        lines: &[&str],
        words: Vec<DecisionRecord<LineHash>>,
        scrubs: Vec<erasure::Record>,
        disputed: &[u128],
    ) -> bool {
        let mut rooms = Rooms::default();
        rooms.history.conflicts = disputed.iter().map(|by| (entry(*by), BTreeSet::new())).collect();
        rooms.history.conflicts.insert(entry(1), lines.iter().map(|line| hash(line)).collect());
        rooms.history.settled = BTreeMap::from([(entry(1), words)]);
        rooms.erasure.scrubs = BTreeMap::from([(entry(1), scrubs)]);
        open_conflicts(&rooms).any(|(id, _)| id == entry(1))
    }

    #[test]
    fn a_conflict_is_open_until_a_line_that_is_there_was_named() {
        assert!(is_open(&["one", "two"], vec![], vec![], &[]));
        assert!(!is_open(&["one", "two"], vec![settled(5, "one")], vec![], &[]));
        assert!(is_open(&["two", "three"], vec![settled(5, "one")], vec![], &[]));
    }

    #[test]
    fn what_scrubs_have_left_of_the_line_that_was_named_is_it() {
        let twice = || vec![scrub(7, "less", "least"), scrub(6, "one", "less")];
        assert!(!is_open(&["two", "least"], vec![settled(5, "one")], twice(), &[]));
        assert!(is_open(&["two", "least"], vec![settled(5, "one")], twice(), &[6]), "its scrub is in conflict itself");
        assert!(is_open(&["two", "three"], vec![settled(5, "one")], twice(), &[]));
    }
}
