//! Which lines count as of another time than they say, because the clock of their writer was wrong (decision 45).
//!
//! A line keeps its id as its name, and stays as it is on the disk; its place in the order of the fold and the time that
//! the rooms see are another. Does not read the entries that say so; the engine gathers them.

use annals_kernel::envelope::Envelope;
use annals_kernel::id::WriterId;

/// Lines of a writer, by their counts, and how many milliseconds later they count than they say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mend {
    /// Whose clock was wrong.
    pub writer: WriterId,
    /// The count of the first line.
    pub from: u64,
    /// The count of the last line.
    pub to: u64,
    /// How many milliseconds later; negative where the clock was ahead.
    pub shift: i64,
}

/// Which lines count as of another time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mending(Vec<Mend>);

impl Mending {
    /// Of several mends of one line the last counts; those that no line can see any more are left out.
    pub fn of(mends: impl IntoIterator<Item = Mend>) -> Self {
        let mut kept: Vec<Mend> = Vec::new();
        for mend in mends {
            kept.retain(|old| !(old.writer == mend.writer && mend.from <= old.from && old.to <= mend.to));
            let touches = |old: &Mend| old.writer == mend.writer && old.from <= mend.to && mend.from <= old.to;
            if mend.shift != 0 || kept.iter().any(touches) {
                kept.push(mend);
            }
        }
        Self(kept)
    }

    /// The mends that lines can see, the last one last.
    pub fn mends(&self) -> &[Mend] {
        &self.0
    }

    /// Whether every line counts as of the time that it says.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many milliseconds later than it says a line counts. What was made from a record of another tool has the time of
    /// that record, whatever the clock said.
    pub fn shift_of(&self, entry: &Envelope<'_>) -> i64 {
        if self.is_empty() || entry.has_source() {
            return 0;
        }
        entry.writer().map_or(0, |(writer, count)| self.shift_at(&writer, count))
    }

    /// The same by writer and count.
    pub(crate) fn shift_at(&self, writer: &str, count: u64) -> i64 {
        let is_of = |mend: &&Mend| mend.writer.as_str() == writer && (mend.from..=mend.to).contains(&count);
        self.0.iter().rev().find(is_of).map_or(0, |mend| mend.shift)
    }

    /// The shifts that lines of a writer may have, up to a count.
    pub fn shifts_up_to(&self, writer: &WriterId, count: u64) -> impl Iterator<Item = i64> {
        self.0.iter().filter(move |mend| mend.writer == *writer && mend.from <= count).map(|mend| mend.shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mend(from: u64, to: u64, shift: i64) -> Mend {
        Mend { writer: "one".into(), from, to, shift }
    }

    fn shifts(mends: &[Mend]) -> Vec<i64> {
        let mending = Mending::of(mends.iter().cloned());
        (1..=5).map(|count| mending.shift_at("one", count)).collect()
    }

    #[test]
    fn of_several_mends_of_a_line_the_last_counts_and_zero_takes_one_back() {
        assert_eq!(shifts(&[mend(1, 4, -5), mend(2, 3, 7)]), [-5, 7, 7, -5, 0]);
        assert_eq!(shifts(&[mend(2, 3, 7), mend(1, 4, -5)]), [-5, -5, -5, -5, 0]);
        assert_eq!(shifts(&[mend(1, 4, -5), mend(2, 2, 0)]), [-5, 0, -5, -5, 0]);
        assert_eq!(Mending::of([mend(1, 4, -5)]).shift_at("two", 2), 0);
    }

    #[test]
    fn what_no_line_can_see_any_more_is_as_if_it_had_never_been() {
        assert!(Mending::of([mend(1, 4, 0)]).is_empty());
        assert!(Mending::of([mend(2, 3, -5), mend(1, 4, 0)]).is_empty());
        assert_eq!(Mending::of([mend(2, 3, -5), mend(1, 4, 7)]), Mending::of([mend(1, 4, 7)]));
        assert!(!Mending::of([mend(1, 4, -5), mend(2, 3, 0)]).is_empty());
    }
}
