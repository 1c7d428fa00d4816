//! What calls put into a text that was not known: islands, which get their place when the text is seen.
//!
//! An island has one place or none; where somebody changed it, its pieces have.

use super::fit::own_pieces;
use super::model::{By, Line};
use super::text::{fits, is_telling};

/// Gives the lines of an island their authors where it stands in the text, and nowhere else.
pub(crate) fn land(island: &[Line], lines: &mut [Line]) {
    let is_own = |line: &Line| line.by != By::Nobody;
    if !island.iter().any(|line| is_own(line) && is_telling(&line.text)) {
        return;
    }
    match places(island, lines).as_slice() {
        [at] => settle(island, &mut lines[*at..]),
        [] => {
            for run in own_pieces(island, lines) {
                settle(&island[run.old..run.old + run.len], &mut lines[run.new..]);
            }
        }
        [_, _, ..] => {}
    }
}

fn places(island: &[Line], lines: &[Line]) -> Vec<usize> {
    let is_at = |at: &usize| island.iter().zip(&lines[*at..]).all(|(own, line)| fits(&own.text, &line.text));
    (0..(lines.len() + 1).saturating_sub(island.len())).filter(is_at).collect()
}

fn settle(island: &[Line], lines: &mut [Line]) {
    for (line, own) in lines.iter_mut().zip(island) {
        if line.by == By::Nobody {
            line.by = own.by;
        }
    }
}

/// Of two equal lines, one below the other, of which an island has one, nobody can say which.
pub(crate) fn slide(known: &[Line], lines: &mut [Line]) {
    let is_landed = |at: usize| known[at].by != lines[at].by;
    let is_mixed = |at: usize| {
        let (one, two) = (&lines[at - 1], &lines[at]);
        one.text == two.text && one.by != two.by && (is_landed(at - 1) || is_landed(at))
    };
    let mixed: Vec<usize> = (1..lines.len()).filter(|at| is_mixed(*at)).collect();
    for at in mixed.into_iter().flat_map(|at| [at - 1, at]) {
        lines[at].by = By::Nobody;
    }
}
