//! What a file may say, where a call named lines by their numbers: before it, somebody may have put lines in or taken some out.
//!
//! Each guess is a model of its own. What is seen of the file tells which of them holds; where several do, and differ in whose
//! a line is, it is nobody's.

use annals_kernel::id::EntryId;

use super::deed::{Extent, LineRange, What};
use super::model::{By, Followed, Line, Model};
use super::text::Text;

/// A line may stand so many lines above or below the number by which a call names it.
const MOST_SHIFT: isize = 6;

/// More guesses than this are not followed: the ones that come first are, with the smallest shifts.
const MOST_GUESSES: usize = 169;

/// What a file may say: at least one guess.
#[derive(Debug, Clone)]
pub(crate) struct Guesses(Vec<Model>);

impl Default for Guesses {
    fn default() -> Self {
        Self::of(Model::default())
    }
}

impl Guesses {
    /// One that holds.
    pub(crate) fn of(model: Model) -> Self {
        Self(vec![model])
    }

    /// Whether the text may be just this one.
    pub(crate) fn may_be(&self, text: &Text) -> bool {
        self.0.iter().any(|model| model.is(text))
    }

    /// Follows what a call did.
    pub(crate) fn take(&mut self, what: &What, call: EntryId) -> Followed {
        if let What::Seen(_, text, Extent::All) = what {
            let lines = self.settled(text);
            self.0 = vec![Model::seen(lines, text.ending)];
            return Followed::Yes;
        }
        if let What::Whole(text, _) = what {
            self.keep_nearest(text);
        }
        if self.0.iter().any(|model| model.admits(what)) {
            self.0.retain(|model| model.admits(what));
        }
        let shifted: Vec<What> = shifts().filter_map(|by| shifted(what, by)).collect();
        let whats =
            if shifted.is_empty() || !self.0.iter().any(Model::is_known) { vec![what.clone()] } else { shifted };
        self.take_each(&whats, call)
    }

    fn take_each(&mut self, whats: &[What], call: EntryId) -> Followed {
        let (mut after, mut followed) = (Vec::<Model>::new(), Followed::No);
        for what in whats {
            for model in &self.0 {
                let mut model = model.clone();
                if model.take(what, call) == Followed::Yes {
                    followed = Followed::Yes;
                }
                if after.len() < MOST_GUESSES && !after.contains(&model) {
                    after.push(model);
                }
            }
        }
        self.0 = after;
        followed
    }

    /// The lines of a text that the file has now, each with its author: as the guesses say from which it differs least.
    pub(crate) fn settled(&self, text: &Text) -> Vec<Line> {
        let mut best = self.clone();
        best.keep_nearest(text);
        best.0.iter().map(|model| model.settled(text)).reduce(common).unwrap_or_default()
    }

    /// Those stay from which a text differs least.
    fn keep_nearest(&mut self, text: &Text) {
        if self.0.len() > 1 {
            let far: Vec<usize> = self.0.iter().map(|model| model.distance(text)).collect();
            let nearest = far.iter().min().copied();
            let mut far = far.into_iter();
            self.0.retain(|_| far.next() == nearest);
        }
    }
}

/// What two guesses say alike.
fn common(mut one: Vec<Line>, other: Vec<Line>) -> Vec<Line> {
    for (line, other) in one.iter_mut().zip(other) {
        if line.by != other.by {
            line.by = By::Nobody;
        }
    }
    one
}

/// The smallest first.
fn shifts() -> impl Iterator<Item = isize> {
    std::iter::once(0).chain((1..=MOST_SHIFT).flat_map(|by| [by, -by]))
}

/// The same some lines further below, where it names lines by their numbers.
fn shifted(what: &What, by: isize) -> Option<What> {
    match what {
        What::Edited(script) if script.has_numbers() => script.shifted(by).map(What::Edited),
        What::Inserted(after, text) => Some(What::Inserted(after.checked_add_signed(by)?, text.clone())),
        What::Lines(LineRange { first, last }, text) => {
            let range = LineRange { first: first.checked_add_signed(by)?.max(1), last: last.checked_add_signed(by)? };
            Some(What::Lines(range, text.clone()))
        }
        What::Edited(_)
        | What::Whole(..)
        | What::Replaced(_)
        | What::Hunks(_)
        | What::Shown(..)
        | What::Appended(_)
        | What::Removed
        | What::Moved(_)
        | What::Copied(_)
        | What::Restored
        | What::Opaque
        | What::Seen(..) => None,
    }
}
