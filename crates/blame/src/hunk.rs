//! Finds the places of hunks in a text, and changes it there.
//!
//! Knows no authors but those of the lines that it is given.

use std::rc::Rc;

use super::deed::{Hunk, HunkLine, Side};
use super::fit::{Trust, align};
use super::model::{By, Line};
use super::text::{Text, fits};

impl Hunk {
    /// Its old lines.
    pub(crate) fn old(&self) -> Vec<Rc<str>> {
        self.side(Side::Old)
    }

    /// Its new lines.
    pub(crate) fn new_lines(&self) -> Vec<Rc<str>> {
        let is_there = |line: &&HunkLine| line.side != Side::Old;
        self.lines.iter().filter(is_there).map(|line| Rc::from(line.text.as_str())).collect()
    }

    fn side(&self, own: Side) -> Vec<Rc<str>> {
        let is_there = |line: &&HunkLine| line.side == Side::Both || line.side == own;
        self.lines.iter().filter(is_there).map(|line| Rc::from(line.text.as_str())).collect()
    }

    /// The lines behind it, where before it these stood.
    pub(crate) fn replaced(&self, old: &[Line], by: By) -> Vec<Line> {
        let (mut at, mut lines) = (0, Vec::new());
        let mut rest = self.lines.as_slice();
        while let Some(first) = rest.first() {
            if first.side == Side::Both {
                lines.extend(old.get(at).cloned());
                (at, rest) = (at + 1, &rest[1..]);
                continue;
            }
            let changed = rest.iter().take_while(|line| line.side != Side::Both).count();
            let gone = rest[..changed].iter().filter(|line| line.side == Side::Old).count();
            lines.extend(changed_lines(&old[at.min(old.len())..(at + gone).min(old.len())], &rest[..changed], by));
            (at, rest) = (at + gone, &rest[changed..]);
        }
        lines
    }

    /// As a text of its own, where nothing stands before it: the old lines are of nobody.
    pub(crate) fn island(&self, by: By) -> Vec<Line> {
        let old: Vec<Line> = self.old().into_iter().map(|text| Line { text, by: By::Nobody }).collect();
        self.replaced(&old, by)
    }
}

fn changed_lines(old: &[Line], lines: &[HunkLine], by: By) -> Vec<Line> {
    let new: Vec<&HunkLine> = lines.iter().filter(|line| line.side != Side::Old).collect();
    let texts: Vec<Rc<str>> = new.iter().map(|line| Rc::from(line.text.as_str())).collect();
    let mut aligned = align(old, &texts, by, Trust::Said);
    for (line, told) in aligned.iter_mut().zip(new) {
        if told.side == Side::Foreign {
            line.by = By::Nobody;
        }
    }
    aligned
}

/// Where the old lines of a hunk stand, from a line on or as near as possible to where it says.
pub(crate) fn place(lines: &[Line], hunk: &Hunk, from: usize) -> Option<usize> {
    let old = hunk.old();
    if old.is_empty() {
        return Some(hunk.first.unwrap_or(lines.len()).min(lines.len()));
    }
    let matches = |like: fn(&str, &str) -> bool| -> Vec<usize> {
        let last = (lines.len() + 1).saturating_sub(old.len());
        (0..last).filter(|at| old.iter().zip(&lines[*at..]).all(|(old, line)| like(old, &line.text))).collect()
    };
    let mut found = matches(|old, line| old == line);
    for like in [is_like as fn(&str, &str) -> bool, |old, line| old.trim() == line.trim()] {
        if found.is_empty() {
            found = matches(like);
        }
    }
    if let Some(first) = hunk.first {
        found.into_iter().min_by_key(|at| at.abs_diff(first.saturating_sub(1)))
    } else {
        let from = hunk
            .below
            .as_ref()
            .and_then(|below| {
                let heads = lines.iter().enumerate().skip(from);
                heads.into_iter().find(|(_, line)| line.text.trim() == below.trim()).map(|(at, _)| at)
            })
            .unwrap_or(from);
        found.iter().copied().find(|at| *at >= from).or(found.first().copied())
    }
}

/// As `apply_patch` takes lines for the same, and with marks on either side.
fn is_like(old: &str, line: &str) -> bool {
    old.trim_end() == line.trim_end() || fits(old, line) || fits(line, old)
}

/// The text before hunks changed it, from the text behind them; `None` where they do not fit. How far lines are indented
/// hunks may say otherwise; that of lines that are gone is theirs.
pub(crate) fn before(after: &Text, hunks: &[Hunk]) -> Option<Text> {
    let (mut lines, mut at, mut drift) = (Vec::new(), 0, 0_isize);
    for hunk in hunks {
        let old = hunk.old().len();
        let first = hunk.first?.saturating_sub(usize::from(old > 0));
        let start = first.checked_add_signed(drift)?;
        lines.extend_from_slice(after.lines.get(at..start)?);
        at = start;
        for line in &hunk.lines {
            if line.side == Side::Old {
                lines.push(Rc::from(line.text.as_str()));
                continue;
            }
            let there = after.lines.get(at).filter(|there| there.trim() == line.text.trim())?;
            lines.extend((line.side == Side::Both).then(|| there.clone()));
            at += 1;
        }
        drift += (at - start).cast_signed() - old.cast_signed();
    }
    lines.extend_from_slice(after.lines.get(at..)?);
    Some(Text { lines, ending: after.ending })
}
