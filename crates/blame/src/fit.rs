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
    let mut lines: Vec<Placed> = (0..prefix).map(|at| Placed { line: old[at].clone(), from: Some(at) }).collect();
    for placed in middle(middle_old, middle_new, by, trust) {
        lines.push(Placed { from: placed.from.map(|at| at + prefix), ..placed });
    }
    lines.extend((old.len() - suffix..old.len()).map(|at| Placed { line: old[at].clone(), from: Some(at) }));
    unlike_twins(old, lines)
}

/// A new line, and the old one that it is.
struct Placed {
    line: Line,
    from: Option<usize>,
}

/// Of two equal lines, one below the other, of which one went, nobody can say which.
fn unlike_twins(old: &[Line], lines: Vec<Placed>) -> Vec<Line> {
    let kept: BTreeSet<usize> = lines.iter().filter_map(|placed| placed.from).collect();
    let is_twin = |at: usize, other: usize| {
        let pair = old.get(at).zip(old.get(other));
        pair.is_some_and(|(one, two)| one.text == two.text && one.by != two.by) && !kept.contains(&other)
    };
    let has_lost_twin = |at: usize| is_twin(at, at + 1) || at.checked_sub(1).is_some_and(|before| is_twin(at, before));
    let line = |placed: Placed| match placed.from {
        Some(at) if has_lost_twin(at) => Line { by: By::Nobody, ..placed.line },
        Some(_) | None => placed.line,
    };
    lines.into_iter().map(line).collect()
}

fn middle(old: &[Line], new: &[Rc<str>], by: By, trust: Trust) -> Vec<Placed> {
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
                lines.extend(kept.iter().enumerate().map(|(at, line)| {
                    let line = if is_chance { Line { by, ..line.clone() } } else { line.clone() };
                    Placed { line, from: Some(old_index + at) }
                }));
            }
            DiffOp::Delete { .. } => {}
            DiffOp::Insert { new_index, new_len, .. } => {
                lines.extend(marked(&[], &new[new_index..new_index + new_len], by));
            }
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

/// Lines with marks in the place of secrets keep their authors where a real line fits, in their order.
fn marked(old: &[Line], new: &[Rc<str>], by: By) -> Vec<Placed> {
    let mut old = old.iter().filter(|line| is_marked(&line.text)).peekable();
    let take = |text: &Rc<str>| {
        let by = old.next_if(|line| fits(&line.text, text)).map_or(by, |line| line.by);
        Placed { line: Line { text: text.clone(), by }, from: None }
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
