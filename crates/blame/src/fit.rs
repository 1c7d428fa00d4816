//! Lines up a text that is followed with a text that is there: which lines are the same, and whose they stay.
//!
//! Decides nothing about lines that are in only one of the two.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::model::{By, Line};
use super::text::{fits, is_marked, is_telling};

/// Whether lines that only line up by chance keep their authors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// They do: the text was changed by a call that says so.
    Said,
    /// Not where changes that no call explains stand on both sides.
    Seen,
}

/// The new lines: those that stood there keep their authors, the others are of `by`.
pub(crate) fn align(old: &[Line], new: &[Rc<str>], by: By, trust: Trust) -> Vec<Line> {
    let prefix = old.iter().zip(new).take_while(|(old, new)| old.text == **new).count();
    let rest = old.len().min(new.len()) - prefix;
    let suffix = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old.text == **new).count();
    let (middle_old, middle_new) = (&old[prefix..old.len() - suffix], &new[prefix..new.len() - suffix]);
    let mut lines: Vec<Line> = old[..prefix].to_vec();
    lines.extend(middle(middle_old, middle_new, by, trust));
    lines.extend_from_slice(&old[old.len() - suffix..]);
    lines
}

fn middle(old: &[Line], new: &[Rc<str>], by: By, trust: Trust) -> Vec<Line> {
    let texts: Vec<&str> = old.iter().map(|line| &*line.text).collect();
    let news: Vec<&str> = new.iter().map(|line| &**line).collect();
    let single = match trust {
        Trust::Said => BTreeSet::new(),
        Trust::Seen => singles(&texts).intersection(&singles(&news)).copied().collect(),
    };
    let ops = capture_diff_slices(Algorithm::Patience, &texts, &news);
    let mut lines = Vec::with_capacity(new.len());
    for (at, op) in ops.iter().enumerate() {
        match *op {
            DiffOp::Equal { old_index, len, .. } => {
                let kept = &old[old_index..old_index + len];
                // What touches an edge stands beside lines that did not change at all.
                let is_between = at > 0 && at + 1 < ops.len();
                let is_anchored = kept.iter().any(|line| single.contains(&*line.text));
                let is_chance = trust == Trust::Seen && is_between && !is_anchored;
                lines
                    .extend(kept.iter().map(|line| if is_chance { Line { by, ..line.clone() } } else { line.clone() }));
            }
            DiffOp::Delete { .. } => {}
            DiffOp::Insert { new_index, new_len, .. } => lines.extend(fresh(&new[new_index..new_index + new_len], by)),
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                lines.extend(marked(&old[old_index..old_index + old_len], &new[new_index..new_index + new_len], by));
            }
        }
    }
    lines
}

/// Texts that say something and stand there once: they line up with no other.
fn singles<'t>(texts: &[&'t str]) -> BTreeSet<&'t str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts.iter().filter(|text| is_telling(text)) {
        *counts.entry(text).or_default() += 1;
    }
    counts.into_iter().filter(|(_, count)| *count == 1).map(|(text, _)| text).collect()
}

fn fresh(new: &[Rc<str>], by: By) -> impl Iterator<Item = Line> {
    new.iter().map(move |text| Line { text: text.clone(), by })
}

/// Lines with marks in the place of secrets keep their authors where a real line fits, in their order.
fn marked(old: &[Line], new: &[Rc<str>], by: By) -> Vec<Line> {
    let mut old = old.iter().filter(|line| is_marked(&line.text)).peekable();
    let take = |text: &Rc<str>| {
        let by = old.next_if(|line| fits(&line.text, text)).map_or(by, |line| line.by);
        Line { text: text.clone(), by }
    };
    new.iter().map(take).collect()
}

/// How two texts that are changed into one another line up: from the first to the last common line of each.
pub(crate) struct Overlap {
    /// The line of the first, where the second would begin.
    pub start: usize,
    /// The line of the first, behind the last of the second.
    pub end: usize,
}

/// Where a part of a text stands in it, by the lines that both have; `None` where they have too few.
pub(crate) fn overlap(whole: &[Line], part: &[Rc<str>]) -> Option<Overlap> {
    let texts: Vec<&str> = whole.iter().map(|line| &*line.text).collect();
    let parts: Vec<&str> = part.iter().map(|line| &**line).collect();
    let ops = capture_diff_slices(Algorithm::Patience, &texts, &parts);
    let equal: Vec<(usize, usize, usize)> = ops
        .iter()
        .filter_map(|op| match *op {
            DiffOp::Equal { old_index, new_index, len } => Some((old_index, new_index, len)),
            DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => None,
        })
        .collect();
    let telling =
        |(old, _, len): &(usize, usize, usize)| texts[*old..old + len].iter().filter(|text| is_telling(text)).count();
    let common: usize = equal.iter().map(telling).sum();
    let told = parts.iter().filter(|text| is_telling(text)).count();
    let (first, last) = (equal.first()?, equal.last()?);
    let (start, end) = (first.0.checked_sub(first.1)?, last.0 + (parts.len() - last.1));
    let is_near = end.min(whole.len()) - start <= 2 * parts.len() + 8;
    (common * 2 >= told && common > 0 && is_near).then_some(Overlap { start, end: end.min(whole.len()) })
}
