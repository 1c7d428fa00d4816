//! Bounds the work on a text that is full of keywords, without passing over what stands there once.
//!
//! Where a text repeats itself, a look comes to what it came to before; and in one run of letters without a blank, one
//! keyword is looked at a few times only.

use std::ops::Range;

use super::edit::Edit;
use super::probe::Hit;
use super::token;

/// How many keywords may stand close together before they are counted.
// Below it every keyword is looked at: only a text made of keywords pays for the bookkeeping. Without it one of a
// single keyword took up to a hundred times as long as any other.
pub(super) const MOST_CLOSE: usize = 256;

/// How close.
const CLOSE: usize = 64;

/// How often one keyword is looked at in one run of letters without a blank, in a text that is full of keywords.
const MOST_TRIES: usize = 8;

/// How many looks at one keyword are remembered: it may stand several times in what is repeated.
// One was not enough: a name that stands twice in what is repeated was looked at anew each time.
const REMEMBERED: usize = 8;

/// How far behind a keyword a first look goes.
pub(super) const REACH: usize = 1024;

/// How far before a keyword a look goes at most.
const REACH_BACK: usize = 2048;

/// Which keywords of a text are worth a closer look.
#[derive(Debug)]
pub(super) struct Crowd<'a> {
    text: &'a [u8],
    last: usize,
    close: usize,
    /// The last run of letters whose end was looked for.
    run: Range<usize>,
    /// How often each word was looked at in its last run.
    tries: Vec<Tries>,
    repeats: Repeats<'a>,
    /// Where each word stood, and whether it was worth a closer look.
    seen: Memory<bool>,
}

#[derive(Debug, Clone, Default)]
struct Tries {
    run_end: usize,
    count: usize,
}

impl<'a> Crowd<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, last: 0, close: 0, run: 0..0, tries: Vec::new(), repeats: Repeats::new(text), seen: Memory::new() }
    }

    /// Whether the look at a word says yes, if one is still worth it.
    pub(super) fn is_likely(&mut self, word: usize, at: usize, look: impl FnOnce() -> bool) -> bool {
        let is_close = at.abs_diff(self.last) < CLOSE;
        self.close = if is_close { self.close + 1 } else { 0 };
        self.last = at;
        if self.close < MOST_CLOSE {
            return look();
        }
        let before = self.repeats.find(self.seen.of(word), at, |_| at + REACH);
        let is_likely = match before {
            Some((_, is_likely)) => is_likely,
            None => self.may_try(word, at) && look(),
        };
        self.seen.add(word, at, is_likely);
        is_likely
    }

    fn may_try(&mut self, word: usize, at: usize) -> bool {
        if self.tries.len() <= word {
            self.tries.resize_with(word + 1, Tries::default);
        }
        if at >= self.tries[word].run_end {
            self.tries[word] = Tries { run_end: self.run_end(at), count: 0 };
        }
        self.tries[word].count += 1;
        self.tries[word].count <= MOST_TRIES
    }

    /// Where the run of letters ends that the place is in. All words in it ask.
    fn run_end(&mut self, at: usize) -> usize {
        if !self.run.contains(&at) {
            self.run = at..token::run_end(self.text, at);
        }
        self.run.end
    }
}

/// What came of the last looks at each word.
#[derive(Debug)]
struct Memory<T>(Vec<Last<T>>);

/// The last looks at one word, in a ring.
#[derive(Debug, Clone, Default)]
struct Last<T> {
    looks: [Option<(usize, T)>; REMEMBERED],
    count: usize,
}

impl<T: Copy + Default> Memory<T> {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn of(&self, word: usize) -> Option<&Last<T>> {
        self.0.get(word)
    }

    fn add(&mut self, word: usize, place: usize, result: T) {
        if self.0.len() <= word {
            self.0.resize_with(word + 1, Last::default);
        }
        let last = &mut self.0[word];
        last.looks[last.count % REMEMBERED] = Some((place, result));
        last.count += 1;
    }
}

impl<T: Copy> Last<T> {
    /// The latest first.
    fn iter(&self) -> impl Iterator<Item = (usize, T)> {
        (1..=REMEMBERED).map_while(|back| self.looks[self.count.wrapping_sub(back) % REMEMBERED])
    }
}

/// Closer looks at the keywords of one text.
#[derive(Debug)]
pub(super) struct Looks<'a> {
    text: &'a [u8],
    is_crowded: bool,
    repeats: Repeats<'a>,
    seen: Memory<Look>,
}

/// How far a look went, and which edits came of it.
#[derive(Debug, Clone, Copy, Default)]
struct Look {
    length: usize,
    first: usize,
    count: usize,
}

impl<'a> Looks<'a> {
    pub(super) fn new(text: &'a [u8], hits: usize) -> Self {
        Self { text, is_crowded: hits >= MOST_CLOSE, repeats: Repeats::new(text), seen: Memory::new() }
    }

    /// Adds the edits for what is secret at a hit, of which no more of the text is seen than up to `end`.
    pub(super) fn resolve(&mut self, hit: &Hit, end: usize, edits: &mut Vec<Edit>) {
        if hit.may_be_token()
            && edits.last().is_some_and(|edit| is_endless(edit) && edit.range.contains(&hit.range.start))
        {
            return;
        }
        let Some(word) = hit.word().filter(|_| self.is_crowded) else {
            return hit.resolve(&self.text[..end], edits);
        };
        let (start, first) = (hit.range.start, edits.len());
        // A look that went less far or farther may have come to something else.
        let same_end = |look: &Look| if look.length == end - start { end } else { usize::MAX };
        match self.repeats.find(self.seen.of(word), start, same_end) {
            Some((earlier, look)) => {
                let distance = start - earlier;
                edits.extend_from_within(look.first..look.first + look.count);
                for edit in &mut edits[first..] {
                    edit.range = edit.range.start + distance..edit.range.end + distance;
                }
            }
            None => hit.resolve(&self.text[..end], edits),
        }
        let edits = drop_repeated(edits, first);
        self.seen.add(word, start, Look { length: end - start, first: edits.start, count: edits.len() });
    }
}

/// Several words of one name lead to the same edit, of which one is enough. Which edits came of the look.
fn drop_repeated(edits: &mut Vec<Edit>, first: usize) -> Range<usize> {
    if first == 0 || edits.len() != first + 1 || edits[first] != edits[first - 1] {
        return first..edits.len();
    }
    edits.pop();
    first - 1..first
}

/// Longer than any token: it goes to where the letters end, and so does whatever begins in it.
fn is_endless(edit: &Edit) -> bool {
    edit.range.len() > token::LONGEST
}

/// How far a text is the same as what stands a distance before. Compares every byte once for each distance.
#[derive(Debug)]
struct Repeats<'a> {
    text: &'a [u8],
    distance: usize,
    same: Range<usize>,
}

impl<'a> Repeats<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { text, distance: 0, same: 0..0 }
    }

    /// An earlier look around which the same stood, up to the end that belongs to it. The last distance is tried first.
    fn find<T: Copy>(
        &mut self,
        looks: Option<&Last<T>>,
        place: usize,
        end: impl Fn(&T) -> usize,
    ) -> Option<(usize, T)> {
        let looks = looks?;
        let kept = (self.distance, self.same.clone());
        let is_last = |(start, _): &(usize, T)| place.checked_sub(*start) == Some(kept.0);
        if let Some((start, result)) = looks.iter().find(is_last)
            && self.is_same(start, place, end(&result))
        {
            return Some((start, result));
        }
        let mut others = looks.iter().filter(|look| !is_last(look));
        let found = others.find(|(start, result)| self.is_same(*start, place, end(result)));
        if found.is_none() {
            // The distances that were tried in vain must not cost the last good one its place: what repeats itself
            // mostly goes on.
            (self.distance, self.same) = kept;
        }
        found
    }

    /// Whether what stands around a place, as far back as looks go and up to `end`, also stands around an earlier one.
    fn is_same(&mut self, earlier: usize, place: usize, end: usize) -> bool {
        let Some(distance) = place.checked_sub(earlier).filter(|distance| *distance > 0) else { return false };
        let Some(start) = place.checked_sub(REACH_BACK).filter(|start| *start >= distance) else { return false };
        if end > self.text.len() {
            return false;
        }
        if distance != self.distance || !(self.same.start..=self.same.end).contains(&start) {
            (self.distance, self.same) = (distance, start..start);
        }
        self.extend(end);
        self.same.end >= end
    }

    fn extend(&mut self, end: usize) {
        const STEP: usize = 64;
        while self.same.end < end {
            let at = self.same.end;
            let step = STEP.min(end - at);
            let earlier = at - self.distance;
            let (one, other) = (&self.text[at..at + step], &self.text[earlier..earlier + step]);
            if one != other {
                self.same.end += one.iter().zip(other).take_while(|(one, other)| one == other).count();
                return;
            }
            self.same.end += step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_the_same_as_before_as_far_as_it_repeats() {
        let mut text = b"token=abc ".repeat(1_000);
        let same = |text: &[u8], place: usize, end: usize| Repeats::new(text).is_same(place - 10, place, end);
        assert!(same(&text, 5_000, 6_000));
        assert!(!same(&text, 5_003, 10_001) && !same(&text, 1_000, 1_100));
        text[5_500] = b'x';
        assert!(same(&text, 5_000, 5_500) && !same(&text, 5_000, 5_501));
        assert!(!same(&text, 5_600, 5_700) && same(&text, 7_570, 7_700));
    }

    #[test]
    fn what_stands_once_in_a_crowd_is_found() {
        for separator in [" ", "=", ":", "\n", ",", "\"", "", "=%s ", ": \"x\", "] {
            let crowd = format!("password{separator}").repeat(2_000);
            let text = format!("{crowd} password=hunter7\n{crowd}");
            let hits = super::super::text::scan(&text, &scene());
            let secret = crowd.len() + " password=".len();
            assert!(hits.iter().any(|edit| edit.range.contains(&secret)), "{separator:?}");
        }
    }

    fn scene() -> super::super::scene::Scene<'static> {
        let content = super::super::scene::Content::Ordinary;
        super::super::scene::Scene { patterns: super::super::Patterns::default(), custom: &[], content }
    }
}
