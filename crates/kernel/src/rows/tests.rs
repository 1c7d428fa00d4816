//! A table of which a part is in memory answers as one that is whole.

use std::sync::Mutex;

use proptest::prelude::*;

use super::*;
use crate::id::SessionId;

type Numbers = Rows<SessionId, i64>;

impl Ranked for i64 {
    fn rank(&self) -> i64 {
        *self
    }
}

/// Rows in a map, and which of them were asked for.
#[derive(Debug, Default)]
struct Stored {
    rows: BTreeMap<String, String>,
    asked: Mutex<Vec<String>>,
    rejected: Mutex<Vec<String>>,
}

impl Stored {
    fn of(rows: &[(&str, i64)]) -> Arc<Self> {
        let rows = rows.iter().map(|(key, row)| ((*key).to_owned(), row.to_string())).collect();
        Arc::new(Self { rows, ..Self::default() })
    }

    fn table(self: &Arc<Self>) -> Numbers {
        Rows::above(&(Arc::clone(self) as _), "numbers")
    }

    fn take_asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().expect("no panic"))
    }
}

impl Store for Stored {
    fn row(&self, _: &'static str, key: &str) -> Option<String> {
        self.asked.lock().expect("no panic").push(key.to_owned());
        self.rows.get(key).cloned()
    }

    fn first_by_rank(&self, _: &'static str, count: usize) -> Vec<String> {
        let rank = |row: &str| row.parse::<i64>().unwrap_or_default();
        let mut rows: Vec<_> = self.rows.iter().map(|(key, row)| (rank(row), key.clone())).collect();
        rows.sort_by(|left, right| right.cmp(left));
        rows.into_iter().take(count).map(|(_, key)| key).collect()
    }

    fn each(&self, _: &'static str, take: &mut dyn FnMut(&str, &str)) {
        self.rows.iter().for_each(|(key, row)| take(key, row));
    }

    fn reject(&self, _: &'static str, key: &str) {
        self.rejected.lock().expect("no panic").push(key.to_owned());
    }
}

fn list(rows: impl IntoIterator<Item = (impl AsRef<str>, i64)>) -> Vec<(String, i64)> {
    rows.into_iter().map(|(key, row)| (key.as_ref().to_owned(), row)).collect()
}

fn all(table: &Numbers) -> Vec<(String, i64)> {
    list(table.iter().map(|(key, row)| (key.as_str(), *row)))
}

#[test]
fn a_row_is_loaded_once_and_so_is_that_there_is_none() {
    let stored = Stored::of(&[("a", 7)]);
    let mut table = stored.table();
    assert_eq!((table.get("a"), table.get("b"), table.get("a"), table.get("b")), (Some(&7), None, Some(&7), None));
    *table.entry("a", || 0) += 1;
    assert_eq!(table.get_mut("b"), None);
    assert_eq!(table.get("a"), Some(&8));
    assert_eq!(stored.take_asked(), ["a", "b"]);
}

#[test]
fn only_changed_rows_are_stored_again() {
    let mut table = Stored::of(&[("a", 1), ("b", 2)]).table();
    assert_eq!(table.get("a"), Some(&1));
    *table.entry("b", || 0) += 1;
    assert_eq!((table.changed(), table.changed_count()), (vec![(&SessionId::from("b"), &3)], 1));
    table.stored();
    assert_eq!((table.changed(), table.changed_count()), (vec![], 0));
}

#[test]
fn a_list_by_rank_loads_as_many_rows_as_it_shows() {
    let stored = Stored::of(&[("a", 1), ("b", 5), ("c", 3)]);
    let table = stored.table();
    assert_eq!(
        list(table.first_by_rank(2).into_iter().map(|(key, row)| (key.as_str(), *row))),
        list([("b", 5), ("c", 3)])
    );
    assert_eq!(stored.take_asked(), ["b", "c"]);
}

#[test]
fn a_row_that_is_none_of_the_tables_is_told_to_the_store() {
    let stored = Arc::new(Stored { rows: [("a".to_owned(), "no number".to_owned())].into(), ..Stored::default() });
    assert_eq!(stored.table().get("a"), None);
    assert_eq!(*stored.rejected.lock().expect("no panic"), ["a"]);
}

/// What may be done with a table.
#[derive(Debug, Clone)]
enum Step {
    Get(usize),
    Add(usize, i64),
    Set(usize, i64),
    List,
    First(usize),
    Begin,
    End,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..9_usize).prop_map(Step::Get),
        (0..9_usize, -9..9_i64).prop_map(|(key, by)| Step::Add(key, by)),
        (0..9_usize, -9..9_i64).prop_map(|(key, to)| Step::Set(key, to)),
        Just(Step::List),
        (0..9_usize).prop_map(Step::First),
        Just(Step::Begin),
        Just(Step::End),
    ]
}

/// Does a step, and says what is seen of it.
fn take(table: &mut Numbers, step: &Step) -> Vec<(String, i64)> {
    let name = |key: &usize| format!("key {key}");
    match step {
        Step::Get(key) => list(table.get(&name(key)).map(|row| ("", *row))),
        Step::Add(key, by) => {
            *table.entry(&name(key), || 0) += by;
            Vec::new()
        }
        Step::Set(key, to) => {
            let row = table.get_mut(&name(key));
            list(row.map(|row| ("", std::mem::replace(row, *to))))
        }
        Step::List => all(table),
        Step::First(count) => list(table.first_by_rank(*count).into_iter().map(|(key, row)| (key.as_str(), *row))),
        Step::Begin | Step::End => Vec::new(),
    }
}

proptest! {
    /// A decision must not depend on what happens to be in memory, and what was tried out leaves nothing behind.
    #[test]
    fn a_part_answers_as_the_whole_does(
        rows in prop::collection::btree_map(0..9_usize, -9..9_i64, 0..9),
        steps in prop::collection::vec(step(), 0..40),
    ) {
        let rows: Vec<_> = rows.into_iter().map(|(key, row)| (format!("key {key}"), row)).collect();
        let mut part = Stored::of(&rows.iter().map(|(key, row)| (&**key, *row)).collect::<Vec<_>>()).table();
        let mut whole = Numbers::default();
        for (key, row) in rows {
            whole.entry(&key, || row);
        }
        let mut before: Option<Numbers> = None;
        for step in steps {
            match (&step, &before) {
                (Step::Begin, None) => {
                    part.begin_trial();
                    before = Some(whole.clone());
                }
                (Step::End, Some(_)) => {
                    part.end_trial();
                    whole = before.take().expect("begun");
                }
                _ => prop_assert_eq!(take(&mut part, &step), take(&mut whole, &step)),
            }
        }
        if let Some(before) = before {
            part.end_trial();
            whole = before;
        }
        let changed = part.changed_count();
        prop_assert_eq!(part.changed().len(), changed);
        prop_assert_eq!(all(&part), all(&whole));
    }
}
