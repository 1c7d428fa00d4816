//! In which ways two texts line up best: with the most lines kept, in the fewest pieces.
//!
//! Where several ways are as good, nobody who has both texts can say which of them was gone; each is told. Where a text begins
//! and ends counts as a line that is the same. Knows no authors.

/// Two texts whose lines are held against each other.
pub(crate) struct Sides<E> {
    /// How many lines the old one has.
    pub old: usize,
    /// How many the new one has.
    pub new: usize,
    /// Whether an old line and a new one are the same.
    pub is_same: E,
}

/// The best ways to line two texts up.
pub(crate) struct Ways<E> {
    sides: Sides<E>,
    /// What is kept above a place, where the last step kept a line, and where it did not.
    above: [Table; 2],
    /// What is kept below a place, likewise by the step before.
    below: [Table; 2],
}

/// Where lines of one text may stand in the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Origins {
    /// The old lines that a new one may be.
    pub old: Vec<usize>,
    /// Whether it may be none of them.
    pub is_maybe_new: bool,
}

/// Lines that are the same, one below the other in both texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    /// The first old one.
    pub old: usize,
    /// The first new one.
    pub new: usize,
    /// How many.
    pub len: usize,
}

/// A line that is kept weighs more than any number of pieces.
const KEPT: i64 = 1 << 32;
const NEVER: i64 = i64::MIN / 4;

/// The last step kept a line.
const ON: usize = 0;
/// It did not.
const OFF: usize = 1;

impl<E: Fn(usize, usize) -> bool> Ways<E> {
    /// Weighs all ways.
    pub(crate) fn of(sides: Sides<E>) -> Self {
        let table = || Table::new(sides.old + 1, sides.new + 1);
        let (above, below) = ([table(), table()], [table(), table()]);
        let mut ways = Self { sides, above, below };
        ways.weigh_above();
        ways.weigh_below();
        ways
    }

    fn weigh_above(&mut self) {
        self.above[ON].put(0, 0, 0);
        for old in 0..=self.sides.old {
            for new in 0..=self.sides.new {
                if old > 0 && new > 0 && (self.sides.is_same)(old - 1, new - 1) {
                    let kept = self.kept_above(old - 1, new - 1);
                    self.above[ON].put(old, new, kept);
                }
                let from_old = old.checked_sub(1).map_or(NEVER, |old| self.best_above(old, new));
                let from_new = new.checked_sub(1).map_or(NEVER, |new| self.best_above(old, new));
                let off = self.above[OFF].at(old, new).max(from_old).max(from_new);
                self.above[OFF].put(old, new, off);
            }
        }
    }

    fn best_above(&self, old: usize, new: usize) -> i64 {
        self.above[ON].at(old, new).max(self.above[OFF].at(old, new))
    }

    /// What is kept where a line at a place is: it goes on with a piece, or begins one.
    fn kept_above(&self, old: usize, new: usize) -> i64 {
        (self.above[ON].at(old, new) + KEPT).max(self.above[OFF].at(old, new) + KEPT - 1)
    }

    fn weigh_below(&mut self) {
        let (olds, news) = (self.sides.old, self.sides.new);
        for old in (0..=olds).rev() {
            for new in (0..=news).rev() {
                let is_end = old == olds && new == news;
                let from_old = if old < olds { self.below[OFF].at(old + 1, new) } else { NEVER };
                let from_new = if new < news { self.below[OFF].at(old, new + 1) } else { NEVER };
                let is_kept = old < olds && new < news && (self.sides.is_same)(old, new);
                let kept = if is_kept { self.below[ON].at(old + 1, new + 1) + KEPT } else { NEVER };
                let end = if is_end { 0 } else { NEVER };
                let left_out = from_old.max(from_new);
                self.below[ON].put(old, new, kept.max(left_out).max(end));
                self.below[OFF].put(old, new, (kept - 1).max(left_out).max(end - 1));
            }
        }
    }

    fn best(&self) -> i64 {
        self.below[ON].at(0, 0)
    }

    fn may_keep(&self, old: usize, new: usize) -> bool {
        (self.sides.is_same)(old, new) && self.kept_above(old, new) + self.below[ON].at(old + 1, new + 1) == self.best()
    }

    /// Where each new line may have come from.
    pub(crate) fn origins(&self) -> Vec<Origins> {
        let origins = |new: usize| Origins {
            old: (0..self.sides.old).filter(|old| self.may_keep(*old, new)).collect(),
            is_maybe_new: (0..=self.sides.old)
                .any(|old| self.best_above(old, new) + self.below[OFF].at(old, new + 1) == self.best()),
        };
        (0..self.sides.new).map(origins).collect()
    }

    /// The pieces that are kept in one of the best ways.
    pub(crate) fn runs(&self) -> Vec<Run> {
        let (mut old, mut new, mut runs) = (0, 0, Vec::<Run>::new());
        let mut last = ON;
        while old < self.sides.old && new < self.sides.new {
            let best = self.below[last].at(old, new);
            let kept = self.below[ON].at(old + 1, new + 1) + KEPT - i64::from(last == OFF);
            if (self.sides.is_same)(old, new) && kept == best {
                match runs.last_mut() {
                    Some(run) if last == ON && run.old + run.len == old && run.new + run.len == new => run.len += 1,
                    Some(_) | None => runs.push(Run { old, new, len: 1 }),
                }
                (old, new, last) = (old + 1, new + 1, ON);
            } else if self.below[OFF].at(old + 1, new) == best {
                (old, last) = (old + 1, OFF);
            } else {
                (new, last) = (new + 1, OFF);
            }
        }
        runs
    }
}

/// A number for each place between the lines of two texts.
struct Table {
    width: usize,
    cells: Vec<i64>,
}

impl Table {
    fn new(height: usize, width: usize) -> Self {
        Self { width, cells: vec![NEVER; height * width] }
    }

    fn at(&self, old: usize, new: usize) -> i64 {
        self.cells[old * self.width + new]
    }

    fn put(&mut self, old: usize, new: usize, weight: i64) {
        self.cells[old * self.width + new] = weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each new line the old ones that it may be, `+` where it may be new.
    fn origins(old: &str, new: &str) -> String {
        let is_same = |at: usize, other: usize| old.as_bytes()[at] == new.as_bytes()[other];
        let sides = Sides { old: old.len(), new: new.len(), is_same };
        let told = |origins: Origins| {
            let olds: String = origins.old.iter().map(ToString::to_string).collect();
            format!("{olds}{}", if origins.is_maybe_new { "+" } else { "" })
        };
        Ways::of(sides).origins().into_iter().map(told).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_line_may_be_each_that_one_of_the_best_ways_makes_it() {
        let cases = [
            ("abc", "axc", "0 + 2"),
            ("a}}b", "a}b", "0 12 3"),
            ("a}b", "a}}b", "0 1+ 1+ 2"),
            // In one piece rather than in two.
            ("a}b", "a}bc}d", "0 1 2 + + +"),
            // The end of the text is as good as a line.
            ("a}", "a}c}", "0 1+ + 1+"),
            ("a}b", "a}c}b", "0 1+ + 1+ 2"),
            ("abab", "ab", "02 13"),
            ("", "a", "+"),
        ];
        for (old, new, expected) in cases {
            assert_eq!(origins(old, new), expected, "{old} {new}");
        }
    }

    #[test]
    fn one_of_the_best_ways_is_told_in_pieces() {
        let (old, new) = ("abcd", "abxd");
        let is_same = |at: usize, other: usize| old.as_bytes()[at] == new.as_bytes()[other];
        let sides = Sides { old: 4, new: 4, is_same };
        let expected = [Run { old: 0, new: 0, len: 2 }, Run { old: 3, new: 3, len: 1 }];
        assert_eq!(Ways::of(sides).runs(), expected);
    }
}
