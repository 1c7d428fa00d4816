//! An expression that is built twice, where it is needed: for texts of ASCII alone, and for all others.
//!
//! Each hook that folds a failed call builds these expressions anew. Classes such as `\w` hold 140,000 letters where they mean
//! those of every script; within ASCII they find the same, and are built in a fraction of the time.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::{Regex, bytes};

/// Which letters an expression is to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// Those of ASCII.
    Ascii,
    /// All.
    Unicode,
}

/// An expression, in both builds.
pub(super) struct Pattern {
    text: fn(Alphabet) -> Cow<'static, str>,
    ascii: OnceLock<bytes::Regex>,
    unicode: OnceLock<Regex>,
}

const BROKEN: &str = "BUG: a pattern of fingerprints";

impl Pattern {
    /// The expression whose text a function gives.
    pub(super) const fn new(text: fn(Alphabet) -> Cow<'static, str>) -> Self {
        Self { text, ascii: OnceLock::new(), unicode: OnceLock::new() }
    }

    fn ascii(&self) -> &bytes::Regex {
        let text = || (self.text)(Alphabet::Ascii);
        self.ascii.get_or_init(|| bytes::RegexBuilder::new(&text()).unicode(false).build().expect(BROKEN))
    }

    fn unicode(&self) -> &Regex {
        self.unicode.get_or_init(|| Regex::new(&(self.text)(Alphabet::Unicode)).expect(BROKEN))
    }

    /// A text with something else in the place of each match.
    pub(super) fn replace_all<'t>(&self, text: &'t str, with: &str) -> Cow<'t, str> {
        if !text.is_ascii() {
            return self.unicode().replace_all(text, with);
        }
        match self.ascii().replace_all(text.as_bytes(), with.as_bytes()) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8(bytes).expect("BUG: ASCII in place of ASCII is none")),
        }
    }

    /// The first match that is wanted.
    pub(super) fn find<'t>(&self, text: &'t str, is_wanted: impl Fn(&str) -> bool) -> Option<&'t str> {
        if !text.is_ascii() {
            return self.unicode().find_iter(text).map(|found| found.as_str()).find(|found| is_wanted(found));
        }
        let found = self.ascii().find_iter(text.as_bytes()).map(|found| &text[found.range()]);
        { found }.find(|found| is_wanted(found))
    }

    /// Whether it matches somewhere.
    pub(super) fn is_match(&self, text: &str) -> bool {
        if text.is_ascii() { self.ascii().is_match(text.as_bytes()) } else { self.unicode().is_match(text) }
    }

    /// What the build for all letters makes of a text, for comparison.
    #[cfg(test)]
    pub(super) fn replace_all_slowly<'t>(&self, text: &'t str, with: &str) -> Cow<'t, str> {
        self.unicode().replace_all(text, with)
    }
}
