//! Lines that may hold what is looked for, found in bytes as they lie on the disk, before any of them is decoded.
//!
//! Lets a line through rather too often than not: of a word it looks for the longest stretch that every program writes alike
//! in JSON, and what lies in a large value beside the line is not in it. Does not decode.

use std::ops::Range;

use memchr::memmem::Finder;
use regex::bytes::{Regex, RegexBuilder};

use crate::query::{Pattern, PatternKind};

/// What a line needs to be worth decoding.
#[derive(Debug)]
pub(crate) struct Needles {
    /// The longest first; none where a line need not hold anything that could be looked for.
    all: Vec<Needle>,
    blob: Finder<'static>,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a search has a handful of them")]
enum Needle {
    /// As it is.
    Exact(Finder<'static>),
    /// Whatever the capitals of ASCII.
    Folded(Regex),
}

impl Needles {
    pub(crate) fn of(pattern: &Pattern) -> Self {
        let mut stretches: Vec<_> = sought(pattern).filter_map(|stretch| stretch.plain()).collect();
        stretches.sort_by_key(|stretch| std::cmp::Reverse(stretch.text.len()));
        let all = stretches.iter().filter_map(Stretch::needle).collect();
        Self { all, blob: Finder::new(br#""$blob":"#).into_owned() }
    }

    /// Whether nothing can be ruled out by bytes.
    #[cfg(test)]
    fn is_blunt(&self) -> bool {
        self.all.is_empty()
    }

    /// The lines of some bytes that may hold it, one after the other.
    pub(crate) fn lines<'b>(&'b self, bytes: &'b [u8]) -> impl Iterator<Item = Range<usize>> + 'b {
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < bytes.len() {
                let found = self.next_from(bytes, at)?;
                let start = memchr::memrchr(b'\n', &bytes[at..found]).map_or(at, |newline| at + newline + 1);
                let end = memchr::memchr(b'\n', &bytes[found..]).map_or(bytes.len(), |newline| found + newline);
                at = end + 1;
                if self.may_hold(&bytes[start..end]) {
                    return Some(start..end);
                }
            }
            None
        })
    }

    fn next_from(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let Some(first) = self.all.first() else { return Some(at) };
        let here = first.find(&bytes[at..]);
        // Only what stands before the needle could be missed.
        let blob = self.blob.find(&bytes[at..here.map_or(bytes.len(), |here| at + here)]);
        Some(at + blob.or(here)?)
    }

    fn may_hold(&self, line: &[u8]) -> bool {
        self.all.iter().all(|needle| needle.find(line).is_some()) || self.blob.find(line).is_some()
    }
}

impl Needle {
    fn find(&self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::Exact(finder) => finder.find(bytes),
            Self::Folded(regex) => regex.find(bytes).map(|found| found.start()),
        }
    }
}

/// A stretch that each match holds.
pub(crate) struct Stretch<'p> {
    pub text: &'p str,
    pub is_folded: bool,
}

/// What each entry that answers a pattern holds.
pub(crate) fn sought(pattern: &Pattern) -> impl Iterator<Item = Stretch<'_>> {
    let (terms, regex) = match &pattern.kind {
        PatternKind::Terms(terms) => (terms.as_slice(), None),
        PatternKind::Regex(regex) => (&[][..], Some(regex)),
    };
    let of_terms = terms.iter().map(|term| Stretch { text: &term.text, is_folded: term.is_folded });
    let of_regex = regex.map(|regex| Stretch { text: &regex.required, is_folded: regex.is_folded });
    of_terms.chain(of_regex)
}

/// Whether every program writes a letter alike in a text: none of those that some of them escape.
fn is_plain(letter: char) -> bool {
    matches!(letter, ' '..='~') && !matches!(letter, '"' | '\\' | '/' | '<' | '>' | '&' | '\'')
}

impl<'p> Stretch<'p> {
    /// The longest part of it that every program writes alike.
    fn plain(&self) -> Option<Self> {
        let text: &'p str = self.text;
        let longest = text.split(|letter| !is_plain(letter)).max_by_key(|part| part.len())?;
        (!longest.is_empty()).then_some(Self { text: longest, is_folded: self.is_folded })
    }

    fn needle(&self) -> Option<Needle> {
        if !self.is_folded || !self.text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
            return Some(Needle::Exact(Finder::new(self.text).into_owned()));
        }
        let mut builder = RegexBuilder::new(&regex::escape(self.text));
        builder.case_insensitive(true).unicode(false).build().ok().map(Needle::Folded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Case, Syntax};

    fn needles(text: &str, syntax: Syntax) -> Needles {
        Needles::of(&Pattern::read(text, syntax, Case::Smart).expect("a query"))
    }

    fn lines(query: &str, text: &str) -> Vec<String> {
        let needles = needles(query, Syntax::Words);
        needles.lines(text.as_bytes()).map(|line| text[line].to_owned()).collect()
    }

    #[test]
    fn only_lines_that_may_hold_all_are_let_through() {
        let text = "one two\nTWO\none\n{\"$blob\":1}\ntwo one";
        assert_eq!(lines("two one", text), ["one two", "{\"$blob\":1}", "two one"]);
        assert_eq!(lines("two", text), ["one two", "TWO", "{\"$blob\":1}", "two one"]);
        assert_eq!(lines("TWO", text), ["TWO", "{\"$blob\":1}"]);
        assert_eq!(lines("é", text).len(), 5);
        assert!(needles("é/\"", Syntax::Words).is_blunt() && needles("a|b", Syntax::Regex).is_blunt());
    }

    #[test]
    fn only_stretches_that_nobody_escapes_are_looked_for() {
        for (text, expected) in [("src/log/read.rs", Some("read.rs")), ("Größe 7", Some("e 7")), ("\"/\n", None)] {
            let stretch = Stretch { text, is_folded: false };
            assert_eq!(stretch.plain().map(|plain| plain.text), expected, "{text}");
        }
    }
}
