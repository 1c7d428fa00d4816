//! An expression that is written twice, where it is needed: for texts of ASCII alone, and for all others.
//!
//! Classes such as `\w` hold 140,000 letters where they mean those of every script; within ASCII they find the same, and are
//! built in a fraction of the time.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::Regex;

use crate::pattern::{Pattern, PatternText};

/// Which letters an expression is to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// Those of ASCII.
    Ascii,
    /// All.
    Unicode,
}

/// An expression, for both.
pub(super) struct PairedPattern {
    ascii: Pattern,
    text: PatternText,
    unicode: OnceLock<Regex>,
}

impl PairedPattern {
    /// An expression that is written alike for both.
    pub(super) const fn new(text: &'static str) -> Self {
        Self { ascii: Pattern::new(text), text: PatternText::Given(text), unicode: OnceLock::new() }
    }

    /// One that is not.
    pub(super) const fn both(ascii: fn() -> String, unicode: fn() -> String) -> Self {
        Self { ascii: Pattern::made(ascii), text: PatternText::Made(unicode), unicode: OnceLock::new() }
    }

    fn unicode(&self) -> &Regex {
        self.unicode.get_or_init(|| Regex::new(&self.text.read()).expect("BUG: a pattern of fingerprints"))
    }

    /// A text with something else in the place of each match.
    pub(super) fn replace_all<'t>(&self, text: &'t str, with: &str) -> Cow<'t, str> {
        if text.is_ascii() { self.ascii.replace_all(text, with) } else { self.unicode().replace_all(text, with) }
    }

    /// The first match that is wanted.
    pub(super) fn find<'t>(&self, text: &'t str, is_wanted: impl Fn(&str) -> bool) -> Option<&'t str> {
        if text.is_ascii() {
            return self.ascii.find_iter(text).map(|found| found.as_str()).find(|found| is_wanted(found));
        }
        self.unicode().find_iter(text).map(|found| found.as_str()).find(|found| is_wanted(found))
    }

    /// Whether it matches somewhere.
    pub(super) fn is_match(&self, text: &str) -> bool {
        if text.is_ascii() { self.ascii.is_match(text) } else { self.unicode().is_match(text) }
    }

    /// What the build for all letters makes of a text, for comparison.
    #[cfg(test)]
    pub(super) fn replace_all_slowly<'t>(&self, text: &'t str, with: &str) -> Cow<'t, str> {
        self.unicode().replace_all(text, with)
    }
}
