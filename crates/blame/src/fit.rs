//! Lines up a text that is followed with a text that is there: which lines are the same, and whose they stay.
//!
//! Decides nothing about lines that are in only one of the two. Where several ways to line up are as good, and they differ in
//! whose a line is, it is nobody's.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::model::{By, Line};
use super::text::{fits, is_marked, is_telling};
use super::ways::{Origins, Run, Sides, Ways};

/// How far a way to line up is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// The text was changed by a call that says so: what lines up stays.
    Said,
    /// What lines up only by chance does not stay, where changes that no call explains stand on both sides.
    Seen,
    /// It is enough to have one of several ways.
    OneWay,
}

/// The new lines: those that stood there keep their authors, the others are of `by`.
pub(crate) fn align(old: &[Line], new: &[Rc<str>], by: By, trust: Trust) -> Vec<Line> {
    let prefix = old.iter().zip(new).take_while(|(old, new)| old.text == **new).count();
    let rest = old.len().min(new.len()) - prefix;
    let suffix = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old.text == **new).count();
    if prefix + suffix == old.len() && old.len() == new.len() {
        return old.to_vec();
    }
    let (head, tail) = (prefix.saturating_sub(SLACK), suffix.saturating_sub(SLACK));
    let part = Part { old: &old[head..old.len() - tail], new: &new[head..new.len() - tail] };
    let mut lines = old[..head].to_vec();
    lines.extend(part.lines(by, trust));
    lines.extend_from_slice(&old[old.len() - tail..]);
    lines
}

/// How many lines of a text stood there.
pub(crate) fn kept(old: &[Line], new: &[Rc<str>]) -> usize {
    let standing: Vec<Line> = old.iter().map(|line| Line { by: By::Standing, ..line.clone() }).collect();
    let aligned = align(&standing, new, By::Nobody, Trust::OneWay);
    aligned.iter().filter(|line| line.by == By::Standing).count()
}

/// So many lines that are the same are looked at above and below those that differ: a change may as well stand there.
const SLACK: usize = 64;

/// More pairs of lines than this are not weighed against each other: one way is taken.
const MOST_PAIRS: usize = 1 << 19;

/// Texts, but for what is the same above and below.
struct Part<'l> {
    old: &'l [Line],
    new: &'l [Rc<str>],
}

impl Part<'_> {
    fn lines(&self, by: By, trust: Trust) -> Vec<Line> {
        let (runs, origins) = self.fitted(trust);
        let chance = if trust == Trust::Seen { self.chance(&runs, &origins) } else { BTreeSet::new() };
        let whose = |(at, origins): (usize, &Origins)| {
            let mut marks = origins.old.iter().map(|old| self.old[*old].by).chain(origins.is_maybe_new.then_some(by));
            let first = marks.next().filter(|_| !chance.contains(&at)).unwrap_or(by);
            if chance.contains(&at) || marks.all(|mark| mark == first) { first } else { By::Nobody }
        };
        let authors = origins.iter().enumerate().map(whose);
        authors.zip(self.new).map(|(by, text)| Line { text: text.clone(), by }).collect()
    }

    fn fitted(&self, trust: Trust) -> (Vec<Run>, Vec<Origins>) {
        if self.old.len() * self.new.len() > MOST_PAIRS {
            let runs = self.roughly();
            let origins = one_way(&runs, self.new.len());
            return (runs, origins);
        }
        let numbers = Numbers::of(self.old, self.new);
        let sides = Sides {
            old: self.old.len(),
            new: self.new.len(),
            is_same: |old, new| numbers.are_same(old, new) || self.is_hidden(old, new),
        };
        let ways = Ways::of(sides);
        let runs = ways.runs();
        let origins = if trust == Trust::OneWay { one_way(&runs, self.new.len()) } else { ways.origins() };
        (runs, origins)
    }

    /// Whether an old line with marks in the place of secrets can be a new one.
    fn is_hidden(&self, old: usize, new: usize) -> bool {
        is_marked(&self.old[old].text) && fits(&self.old[old].text, &self.new[new])
    }

    fn roughly(&self) -> Vec<Run> {
        let texts: Vec<&str> = self.old.iter().map(|line| &*line.text).collect();
        let news: Vec<&str> = self.new.iter().map(|line| &**line).collect();
        equal(&texts, &news)
    }

    /// New lines that line up by chance: between changes, with no line among them that says something and stands there once.
    fn chance(&self, runs: &[Run], origins: &[Origins]) -> BTreeSet<usize> {
        let texts: Vec<&str> = self.old.iter().map(|line| &*line.text).collect();
        let news: Vec<&str> = self.new.iter().map(|line| &**line).collect();
        let single: BTreeSet<&str> = singles(&texts).intersection(&singles(&news)).copied().collect();
        let is_anchored = |run: &Run| {
            let sure =
                (run.new..run.new + run.len).filter(|at| origins[*at].old.len() == 1 && !origins[*at].is_maybe_new);
            sure.into_iter().any(|at| single.contains(news[at]))
        };
        let is_at_edge = |run: &Run| {
            run.old == 0 && run.new == 0 || run.old + run.len == texts.len() && run.new + run.len == news.len()
        };
        let chance = runs.iter().filter(|run| !is_at_edge(run) && !is_anchored(run));
        chance.flat_map(|run| run.new..run.new + run.len).collect()
    }
}

/// Lines as numbers: equal ones have the same.
struct Numbers {
    old: Vec<usize>,
    new: Vec<usize>,
}

impl Numbers {
    fn of(old: &[Line], new: &[Rc<str>]) -> Self {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut number = |text| {
            let next = numbers.len();
            *numbers.entry(text).or_insert(next)
        };
        let olds = old.iter().map(|line| number(&*line.text)).collect();
        let news = new.iter().map(|line| number(&**line)).collect();
        Self { old: olds, new: news }
    }

    fn are_same(&self, old: usize, new: usize) -> bool {
        self.old[old] == self.new[new]
    }
}

/// Where the new lines come from, if they line up in one way.
fn one_way(runs: &[Run], count: usize) -> Vec<Origins> {
    let mut origins = vec![Origins { old: Vec::new(), is_maybe_new: true }; count];
    for run in runs {
        for at in 0..run.len {
            origins[run.new + at] = Origins { old: vec![run.old + at], is_maybe_new: false };
        }
    }
    origins
}

/// The equal pieces of two texts, in one way.
fn equal(old: &[&str], new: &[&str]) -> Vec<Run> {
    let run = |op: &DiffOp| match *op {
        DiffOp::Equal { old_index, new_index, len } => Some(Run { old: old_index, new: new_index, len }),
        DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => None,
    };
    capture_diff_slices(Algorithm::Patience, old, new).iter().filter_map(run).collect()
}

/// Texts that say something and stand there once: they line up with no other.
fn singles<'t>(texts: &[&'t str]) -> BTreeSet<&'t str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts.iter().filter(|text| is_telling(text)) {
        *counts.entry(text).or_default() += 1;
    }
    counts.into_iter().filter(|(_, count)| *count == 1).map(|(text, _)| text).collect()
}

/// The pieces of an island in a text: each with a line of its own that says something and stands once in both.
pub(crate) fn own_pieces(island: &[Line], lines: &[Line]) -> Vec<Run> {
    let texts: Vec<&str> = island.iter().map(|line| &*line.text).collect();
    let news: Vec<&str> = lines.iter().map(|line| &*line.text).collect();
    let single: BTreeSet<&str> = singles(&texts).intersection(&singles(&news)).copied().collect();
    let is_own = |at: usize| island[at].by != By::Nobody && single.contains(texts[at]);
    equal(&texts, &news).into_iter().filter(|run| (run.old..run.old + run.len).any(is_own)).collect()
}

/// The lines of two texts between which they are the same, or changed into one another.
pub(crate) struct Overlap {
    /// Of the first text.
    pub whole: Range<usize>,
    /// Of the part.
    pub part: Range<usize>,
}

/// Where a part of a text stands in it, by the lines that both have; `None` where they have too few.
pub(crate) fn overlap(whole: &[Line], part: &[Rc<str>]) -> Option<Overlap> {
    let texts: Vec<&str> = whole.iter().map(|line| &*line.text).collect();
    let parts: Vec<&str> = part.iter().map(|line| &**line).collect();
    let runs = equal(&texts, &parts);
    let single: BTreeSet<&str> = singles(&texts).intersection(&singles(&parts)).copied().collect();
    let common = |run: &Run| texts[run.old..run.old + run.len].iter().filter(|text| is_telling(text)).count();
    let told = parts.iter().filter(|text| is_telling(text)).count();
    // Beyond lines of which there is one, equal ones may be others.
    let is_sure = |run: &&Run| texts[run.old..run.old + run.len].iter().any(|text| single.contains(text));
    let (first, last) = (runs.iter().find(is_sure)?, runs.iter().rev().find(is_sure)?);
    let (whole, part) = (first.old..last.old + last.len, first.new..last.new + last.len);
    let is_near = whole.len() <= 2 * parts.len() + 8;
    (runs.iter().map(common).sum::<usize>() * 2 >= told && is_near).then_some(Overlap { whole, part })
}
