//! A table of which a part is in memory.

use super::Table as _;
use super::*;
use crate::id::SessionId;

type Numbers = Rows<SessionId, i64>;

impl Ranked for i64 {
    fn rank(&self) -> i64 {
        *self
    }
}

fn key(text: &str) -> SessionId {
    text.into()
}

#[test]
fn a_whole_table_leaves_no_notes() {
    let mut table = Numbers::default();
    *table.entry("a", || 0) += 1;
    assert_eq!((table.get("a"), table.get("b")), (Some(&1), None));
    assert!(table.take_notes().is_empty());
}

#[test]
fn a_part_notes_what_it_lacks_until_it_is_brought() {
    let mut table = Numbers::absent();
    assert_eq!(table.get("a"), None);
    assert_eq!(table.take_notes().keys, [key("a")].into());
    table.bring(key("a"), Some(7));
    table.bring(key("b"), None);
    assert_eq!((table.get("a"), table.get("b")), (Some(&7), None));
    assert!(table.take_notes().is_empty());
}

#[test]
fn what_is_newer_than_the_store_stays() {
    let mut table = Numbers::absent();
    *table.entry("a", || 0) += 1;
    table.bring(key("a"), Some(7));
    assert_eq!(table.get("a"), Some(&1), "the caller looks at the notes and begins again");
    assert_eq!(table.take_notes().keys, [key("a")].into());
}

#[test]
fn only_changed_rows_are_stored_again() {
    let mut table = Numbers::absent();
    table.bring(key("a"), Some(1));
    table.bring(key("b"), Some(2));
    *table.entry("b", || 0) += 1;
    assert_eq!(table.changed(), [(&key("b"), &3)]);
    table.stored();
    assert_eq!(table.changed(), []);
}

#[test]
fn a_list_by_rank_asks_for_as_many_rows_as_it_shows() {
    let mut table = Numbers::absent();
    table.bring(key("a"), Some(1));
    assert_eq!(table.first_by_rank(2).len(), 1);
    assert_eq!(table.take_notes().ranked, 2);
    table.bring(key("b"), Some(5));
    table.bring(key("c"), Some(3));
    table.brought(Brought::Ranked(2));
    assert_eq!(table.first_by_rank(2), [(&key("b"), &5), (&key("c"), &3)]);
    assert!(table.take_notes().is_empty());
}

/// What the first two rows are, as far as a part has to be brought for it.
fn first_two(part: &mut Numbers, stored: &Numbers) -> Vec<SessionId> {
    loop {
        let keys = part.first_by_rank(2).into_iter().map(|(key, _)| key.clone()).collect();
        if part.bring_asked(&part.take_notes(), stored) == Lent::Nothing {
            return keys;
        }
    }
}

fn last_of_all(numbers: &mut Numbers) {
    for name in ["a", "b"] {
        *numbers.get_mut(name).expect("a row") = 0;
    }
}

/// A decision must not depend on what happens to be in memory.
#[test]
fn rows_that_changed_do_not_hide_those_that_are_first_now() {
    let mut whole = Numbers::default();
    for (name, rank) in [("a", 4), ("b", 3), ("c", 2), ("d", 1)] {
        *whole.entry(name, || 0) = rank;
    }
    let mut part = Numbers::absent();
    assert_eq!(first_two(&mut part, &whole), [key("a"), key("b")]);
    last_of_all(&mut part);
    assert_eq!(first_two(&mut part, &whole), [key("c"), key("d")]);
    let mut part = Numbers::absent();
    assert_eq!(first_two(&mut part, &whole), [key("a"), key("b")]);
    last_of_all(&mut part);
    last_of_all(&mut whole);
    part.stored();
    assert_eq!(first_two(&mut part, &whole), [key("c"), key("d")]);
}
