//! A list by rank is the list of all rows, whatever is in which layer, and old layers are not walked through again.

use proptest::prelude::*;

use super::*;
use annals_kernel::annals::Usage;
use annals_log::disk::RealDisk;
use annals_rules::domain::usage::{SessionUsage, Tally};

const TABLE: &str = "usage.sessions";

fn row(rank: u32) -> SessionUsage {
    let usage = Usage { output: rank.into(), ..Usage::default() };
    SessionUsage { by_model: [("m".into(), Tally { usage, ..Tally::default() })].into() }
}

/// A checkpoint in a folder, and beside it all rows that it should hold.
struct Stored {
    folder: tempfile::TempDir,
    shelf: Arc<Shelf>,
    all: BTreeMap<String, u32>,
    last: EntryId,
}

impl Stored {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let shelf = Shelf::new(Checkpoint::none(folder.path()));
        Self { folder, shelf, all: BTreeMap::new(), last: EntryId::MIN }
    }

    /// Stores some rows with their ranks, and opens what was stored.
    fn put(&mut self, rows: impl IntoIterator<Item = (String, u32)>) {
        self.last = self.last.next().expect("an id");
        let mut world = World { last: self.last, ..World::default() };
        for (key, rank) in rows {
            *world.rooms.usage.sessions.entry(&key, SessionUsage::default) = row(rank);
            self.all.insert(key, rank);
        }
        self.shelf.put(&RealDisk, &world, &Watermarks::default()).expect("stored");
        self.shelf = Shelf::new(Checkpoint::open(&RealDisk, self.folder.path()));
    }

    /// The first rows by rank, as the checkpoint lends them.
    fn first(&mut self, count: usize) -> Vec<(String, u32)> {
        let world = self.shelf.newest_state().0;
        let rows = world.rooms.usage.sessions.first_by_rank(count);
        let output = |row: &SessionUsage| row.by_model.values().map(|tally| tally.usage.output).sum::<i64>();
        rows.iter().map(|(key, row)| (key.to_string(), u32::try_from(output(row)).expect("small"))).collect()
    }

    fn expected(&self, count: usize) -> Vec<(String, u32)> {
        let mut rows: Vec<_> = self.all.clone().into_iter().collect();
        rows.sort_by(|(left_key, left), (right_key, right)| (right, right_key).cmp(&(left, left_key)));
        rows.truncate(count);
        rows
    }
}

fn name(number: usize) -> String {
    format!("session {number}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_list_by_rank_is_that_of_all_rows(
        layers in prop::collection::vec(prop::collection::vec((0..400_usize, 0..1000_u32), 1..40), 1..12),
        count in 1..30_usize,
    ) {
        let mut stored = Stored::new();
        stored.put((0..400).map(|number| (name(number), 2000)));
        for rows in layers {
            stored.put(rows.into_iter().map(|(number, rank)| (name(number), rank)));
            prop_assert_eq!(stored.first(count), stored.expected(count));
        }
    }
}

#[test]
fn what_was_dealt_with_is_not_walked_past_again() {
    const AT_ONCE: usize = 20;
    let mut stored = Stored::new();
    stored.put((0..4000).map(|number| (name(number), 5000 - u32::try_from(number).expect("small"))));
    for _ in 0..20 {
        let first = stored.first(AT_ONCE);
        assert_eq!(first, stored.expected(AT_ONCE));
        stored.put(first.into_iter().map(|(key, _)| (key, 0)));
    }
    stored.shelf.newest_state();
    let (oldest, begin) = stored.shelf.with(|checkpoint| {
        let oldest = &checkpoint.entries[0];
        (oldest.last, checkpoint.begins[&oldest.file][TABLE].clone())
    });
    let passed = stored.all.iter().filter(|(_, rank)| **rank == 0).count();
    let (rank, _) = ranks::read(&begin).expect("a place");
    assert_eq!((passed, rank), (20 * AT_ONCE, 5000 - 19 * 20 + 1));
    stored.shelf.go_before(oldest.next().expect("an id"));
    assert_eq!(stored.first(1), [(name(0), 5000)]);
    let left = stored.shelf.with(|checkpoint| (checkpoint.entries.len(), checkpoint.begins.clone()));
    assert_eq!(left, (1, Begins::new()));
}
