//! Expressions of ours, ready at once: a hook lives for some milliseconds, and building one expression can take one of them.
//!
//! Each is built twice where it is needed: at first by an engine that is built in a tenth of the time and searches slowly,
//! and, once so much was searched that building pays, by one that searches fast. Both find the same, whichever answers. Classes
//! (`\w`, `\s`, `\d`, `\b`) and `(?i)` mean letters of ASCII; everything else is a whole letter of any script.

mod narrow;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use narrow::narrow;

/// So much text is searched by the engine that is built quickly, in bytes. It takes some 0.2 us for each of them; building the
/// other one takes 200 to 1,600 us.
const QUICK_BYTES: usize = 4096;

const BROKEN: &str = "BUG: a pattern of ours";

/// An expression.
pub struct Pattern {
    text: PatternText,
    quick: OnceLock<regex_lite::Regex>,
    fast: OnceLock<regex::Regex>,
    searched: AtomicUsize,
}

/// How an expression is written.
pub(crate) enum PatternText {
    /// As it stands.
    Given(&'static str),
    /// Put together where it is built.
    Made(fn() -> String),
}

impl PatternText {
    pub(crate) fn read(&self) -> Cow<'static, str> {
        match self {
            Self::Given(text) => (*text).into(),
            Self::Made(make) => make().into(),
        }
    }
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found<'t> {
    text: &'t str,
    start: usize,
    end: usize,
}

impl<'t> Found<'t> {
    /// The words that fit.
    pub fn as_str(&self) -> &'t str {
        &self.text[self.start..self.end]
    }

    /// Where it begins, in bytes.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Where it ends, in bytes.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Where it stands, in bytes.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start..self.end
    }
}

/// Which engine searches.
enum Engine<'p> {
    Quick(&'p regex_lite::Regex),
    Fast(&'p regex::Regex),
}

impl Engine<'_> {
    fn find_at<'t>(&self, text: &'t str, from: usize) -> Option<Found<'t>> {
        let range = match self {
            Self::Quick(engine) => engine.find_at(text, from)?.range(),
            Self::Fast(engine) => engine.find_at(text, from)?.range(),
        };
        Some(Found { text, start: range.start, end: range.end })
    }

    /// The next place behind the last one; none where the text is at its end.
    fn next<'t>(&self, text: &'t str, from: &mut Option<usize>) -> Option<Found<'t>> {
        let found = self.find_at(text, (*from)?)?;
        let behind = || text[found.end..].chars().next().map(|letter| found.end + letter.len_utf8());
        *from = if found.end > found.start { Some(found.end) } else { behind() };
        Some(found)
    }
}

fn all<'t>(engine: Engine<'_>, text: &'t str) -> impl Iterator<Item = Found<'t>> {
    let mut from = Some(0);
    std::iter::from_fn(move || engine.next(text, &mut from))
}

impl Pattern {
    /// An expression.
    pub const fn new(text: &'static str) -> Self {
        Self::of(PatternText::Given(text))
    }

    /// One that is put together.
    pub const fn made(text: fn() -> String) -> Self {
        Self::of(PatternText::Made(text))
    }

    const fn of(text: PatternText) -> Self {
        Self { text, quick: OnceLock::new(), fast: OnceLock::new(), searched: AtomicUsize::new(0) }
    }

    /// Whether it fits somewhere.
    pub fn is_match(&self, text: &str) -> bool {
        match self.engine(text) {
            Engine::Quick(engine) => engine.is_match(text),
            Engine::Fast(engine) => engine.is_match(text),
        }
    }

    /// The first place where it fits.
    pub fn find<'t>(&self, text: &'t str) -> Option<Found<'t>> {
        self.engine(text).find_at(text, 0)
    }

    /// All places where it fits, none within another.
    pub fn find_iter<'t>(&self, text: &'t str) -> impl Iterator<Item = Found<'t>> {
        all(self.engine(text), text)
    }

    /// What stands between those places.
    pub fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let mut from = 0;
        let ends = self.find_iter(text).map(|found| (found.start, found.end)).chain([(text.len(), text.len())]);
        ends.map(move |(end, next)| {
            let between = &text[from..end];
            from = next;
            between
        })
    }

    /// The text with something else in those places; `$name` in it is what the group of that name holds.
    pub fn replace_all<'t>(&self, text: &'t str, with: &str) -> Cow<'t, str> {
        match self.engine(text) {
            Engine::Quick(engine) => engine.replace_all(text, with),
            Engine::Fast(engine) => engine.replace_all(text, with),
        }
    }

    fn engine(&self, text: &str) -> Engine<'_> {
        // Once the share is used up it is only read: many threads fold at once.
        let before = self.searched.load(Ordering::Relaxed);
        if before > QUICK_BYTES {
            return self.fast();
        }
        let searched = before.saturating_add(text.len());
        self.searched.store(searched, Ordering::Relaxed);
        if searched > QUICK_BYTES { self.fast() } else { self.quick() }
    }

    fn quick(&self) -> Engine<'_> {
        Engine::Quick(self.quick.get_or_init(|| regex_lite::Regex::new(&self.text.read()).expect(BROKEN)))
    }

    fn fast(&self) -> Engine<'_> {
        Engine::Fast(self.fast.get_or_init(|| regex::Regex::new(&narrow(&self.text.read())).expect(BROKEN)))
    }

    /// Whether both engines find the same in a text, for tests.
    pub fn finds_alike(&self, text: &str) -> bool {
        all(self.quick(), text).eq(all(self.fast(), text))
    }
}
