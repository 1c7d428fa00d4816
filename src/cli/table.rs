//! Rows in columns that fit a width: which columns go, which are cut, and which take what is left.
//!
//! Does not print. Cells come as they are shown, behind `escape`. No crate for tables has columns that go in an order: what
//! is left to such a crate, blanks behind a cell, is a line here.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::kernel::id::EntryId;
use crate::view::gist::SHORT_ID;
use crate::view::width::{cut, padded, width};

/// A column, and what it does where there is no room for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    /// It stays: which row it is, its state, its time.
    Key(&'static str),
    /// It stays, and only people see it: programs get it with `--json`.
    Seen(&'static str),
    /// It stays, and is the first to be cut: a title, a text.
    Text(&'static str),
    /// It goes; the lowest number first.
    Goes(u8, &'static str),
}

use Column::{Goes, Key, Seen, Text};

/// No text is cut below this as long as a column can go.
const COMFORT: usize = 28;
/// No key is cut below this as long as a text can be cut.
const WHOLE_KEY: usize = 44;
/// And then no text below this,
const TIGHT_TEXT: usize = 10;
/// and no key below this: the short form of an id fits.
const TIGHT_KEY: usize = 12;
/// Between two columns.
const GAP: &str = "  ";
/// The characters of a whole id.
const WHOLE_ID: usize = 26;

/// A table, ready to be printed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Drawn {
    /// The titles of its columns.
    pub header: String,
    /// Its rows.
    pub rows: Vec<String>,
    /// Columns for which there was no room.
    pub hidden: Vec<&'static str>,
}

impl Column {
    /// What stands above it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Key(title) | Seen(title) | Text(title) | Goes(_, title) => title,
        }
    }

    fn floor(self, squeeze: Squeeze, natural: usize) -> usize {
        natural.min(match (squeeze, self) {
            (Squeeze::None, Text(_) | Goes(..)) => COMFORT,
            (Squeeze::None | Squeeze::Texts, Key(_) | Seen(_)) => WHOLE_KEY,
            (Squeeze::Texts | Squeeze::All, Text(_) | Goes(..)) => TIGHT_TEXT,
            (Squeeze::All, Key(_) | Seen(_)) => TIGHT_KEY,
            (Squeeze::Most, _) => 1,
        })
    }
}

/// How far columns are cut, when none of them can go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Squeeze {
    None,
    Texts,
    All,
    Most,
}

/// A table in so many columns of the terminal.
pub(super) fn draw(columns: &[Column], rows: &[Vec<String>], room: usize) -> Drawn {
    let titles: Vec<String> = columns.iter().map(|column| column.title().to_uppercase()).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let rows = with_short_ids(columns.len(), rows);
    let widest = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| width(cell)).max().unwrap_or(0);
    let natural: Vec<usize> = titles.iter().enumerate().map(|(at, title)| widest(at).max(width(title))).collect();
    let shown = layout(columns, &natural, room);
    let line = |cells: &[&str]| {
        let cell = |(at, most): &(usize, usize)| padded(&cut(cells.get(*at).unwrap_or(&""), *most), *most);
        shown.iter().map(cell).collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    };
    let hidden = (0..columns.len()).filter(|at| shown.iter().all(|(column, _)| column != at));
    Drawn {
        header: line(&titles),
        rows: rows.iter().map(|row| line(row)).collect(),
        hidden: hidden.map(|at| columns[at].title()).collect(),
    }
}

/// The columns that are shown, each with its width: all of them where there is room, and then as far as it must be fewer
/// and narrower ones.
fn layout(columns: &[Column], natural: &[usize], room: usize) -> Vec<(usize, usize)> {
    let leaving = leaving(columns);
    let staying = |gone: usize| (0..columns.len()).filter(|at| !leaving[..gone].contains(at)).collect::<Vec<_>>();
    let fitting = |shown: Vec<usize>, squeeze: Squeeze| {
        let wanted = shown.iter().map(|at| (natural[*at], columns[*at].floor(squeeze, natural[*at])));
        let room = room.checked_sub(GAP.len() * shown.len().saturating_sub(1))?;
        let widths = fitted(&wanted.collect::<Vec<_>>(), room)?;
        Some(shown.into_iter().zip(widths).collect())
    };
    let with_fewer = (0..=leaving.len()).find_map(|gone| fitting(staying(gone), Squeeze::None));
    let squeezed = || {
        let degrees = [Squeeze::Texts, Squeeze::All, Squeeze::Most];
        degrees.into_iter().find_map(|squeeze| fitting(staying(leaving.len()), squeeze))
    };
    // No terminal is so narrow: the first columns, of one letter each.
    let first = || staying(leaving.len()).into_iter().take((room + GAP.len()) / (GAP.len() + 1)).map(|at| (at, 1));
    with_fewer.or_else(squeezed).unwrap_or_else(|| first().collect())
}

/// The columns that can go, in the order in which they do.
fn leaving(columns: &[Column]) -> Vec<usize> {
    let rank = |at: &usize| match columns[*at] {
        Goes(rank, _) => Some((rank, Reverse(*at))),
        Key(_) | Seen(_) | Text(_) => None,
    };
    let mut leaving: Vec<usize> = (0..columns.len()).filter(|at| rank(at).is_some()).collect();
    leaving.sort_by_key(rank);
    leaving
}

/// Widths of columns, given the natural and the least one of each: the widest are cut to one width, and the last that
/// wants more takes what is left.
fn fitted(wanted: &[(usize, usize)], room: usize) -> Option<Vec<usize>> {
    let capped = |cap: usize| wanted.iter().map(move |(natural, least)| (*natural).min(cap.max(*least)));
    let widest = wanted.iter().map(|(natural, _)| *natural).max().unwrap_or(0);
    let cap = (0..=widest.min(room)).rev().find(|cap| capped(*cap).sum::<usize>() <= room)?;
    let mut widths: Vec<usize> = capped(cap).collect();
    let mut left = room - widths.iter().sum::<usize>();
    for (width, (natural, _)) in widths.iter_mut().zip(wanted).rev() {
        let more = (natural - *width).min(left);
        (*width, left) = (*width + more, left - more);
    }
    Some(widths)
}

/// The cells, and of those that are whole ids as much of the ends as tells them apart in their column.
fn with_short_ids(columns: usize, rows: &[Vec<String>]) -> Vec<Vec<&str>> {
    let lengths: Vec<usize> = (0..columns).map(|at| telling(rows.iter().filter_map(|row| row.get(at)))).collect();
    let start = |at: usize, cell: &str| lengths.get(at).filter(|_| is_id(cell)).map_or(0, |length| WHOLE_ID - length);
    rows.iter().map(|row| row.iter().enumerate().map(|(at, cell)| &cell[start(at, cell)..]).collect()).collect()
}

/// A whole id, or that of one of several things of an entry: with a number behind it.
fn is_id(cell: &str) -> bool {
    let is_number = |rest: &[u8]| rest.is_empty() || rest[0] == b'.' && rest[1..].iter().all(u8::is_ascii_digit);
    let parts = cell.as_bytes().split_at_checked(WHOLE_ID);
    parts.is_some_and(|(id, rest)| EntryId::parse(id).is_some() && is_number(rest))
}

/// How much of the ends of ids must be shown to tell them apart.
fn telling<'c>(cells: impl Iterator<Item = &'c String>) -> usize {
    let ids: BTreeSet<&str> = cells.map(String::as_str).filter(|cell| is_id(cell)).collect();
    let are_told_apart = |length: &usize| {
        let ends: BTreeSet<&str> = ids.iter().map(|id| &id[WHOLE_ID - length..]).collect();
        ends.len() == ids.len()
    };
    (SHORT_ID..WHOLE_ID).find(are_told_apart).unwrap_or(WHOLE_ID)
}

#[cfg(test)]
mod tests;
