//! A text as it was meant: without what terminals, markup, URLs and mails put around and into it.
//!
//! Colour and other terminal sequences vanish, also where they are written out; character references, percent signs,
//! escapes and quoted-printable become what they stand for. What is found in the text so seen is cut in the source.

mod unit;

use std::cell::Cell;
use std::ops::Range;

use self::unit::{Encoding, Unit, unit_at};
use super::edit::Edit;

/// What shows that a text has to be seen through a lens, in lower case; `signs` finds the rest.
#[rustfmt::skip] // A list of words, as text.
pub(super) const KEYWORDS: &[&str] = &[
    "\\x1b", "u001b[", "u{1b}[", "\\033[", "\\e[", "^[[", "=3d", "\\u00", "\\x2", "\\x3", "\\x4", "\\x5", "\\x6", "\\x7",
];

/// Where escape signs, character references and percent signs stand.
pub(super) fn signs(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let stands_for_another = |at: &usize| match text[*at] {
        b'&' => unit::is_reference(&text[*at..]),
        b'%' => text.get(*at + 1..*at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)),
        _ => true,
    };
    memchr::memchr3_iter(b'\x1b', b'&', b'%', text).filter(stands_for_another).map(|at| at..at + 1)
}

/// A text seen, and how it came from its source.
#[derive(Debug)]
pub(super) struct Lens {
    pub seen: String,
    units: Vec<Place>,
    /// How many units stood before the last place that was asked for: the next is mostly near.
    last: Cell<usize>,
}

/// What one unit of the source became.
#[derive(Debug)]
struct Place {
    seen: Range<usize>,
    source: Range<usize>,
}

impl Lens {
    /// `None` if the text is already what it means.
    pub(super) fn of(source: &str) -> Option<Self> {
        // Asked once, of the whole text.
        let encoding = Encoding::of(source);
        let mut lens = Self { seen: String::with_capacity(source.len()), units: Vec::new(), last: Cell::new(0) };
        let (mut plain, mut at) = (0, 0);
        while let Some(found) = source.as_bytes()[at..].iter().position(|byte| SIGNS[usize::from(*byte)]) {
            at += found;
            let Some(Unit { length, meaning }) = unit_at(source, at, encoding) else {
                at += 1;
                continue;
            };
            lens.seen.push_str(&source[plain..at]);
            let start = lens.seen.len();
            lens.seen.extend(meaning);
            lens.units.push(Place { seen: start..lens.seen.len(), source: at..at + length });
            at += length;
            plain = at;
        }
        lens.seen.push_str(&source[plain..]);
        (!lens.units.is_empty()).then_some(lens)
    }

    /// Where a range of the seen text stands in the source, without what vanished around it.
    pub(super) fn source(&self, seen: &Range<usize>) -> Range<usize> {
        self.byte(seen.start).start..self.byte(seen.end - 1).end
    }

    /// How many units lie before a place. Looks farther and farther from the last one.
    fn count_before(&self, is_before: impl Fn(&Place) -> bool) -> usize {
        let mut count = self.last.get();
        if count > 0 && !is_before(&self.units[count - 1]) {
            count = self.units[..count].partition_point(&is_before);
        } else {
            // Places come mostly in order: halving all units for each of them, up to eight times an edit, took
            // seconds for a megabyte of quoted-printable settings.
            let mut step = 1;
            while self.units.get(count + step - 1).is_some_and(&is_before) {
                count += step;
                step *= 2;
            }
            let end = self.units.len().min(count + step - 1);
            count += self.units[count..end].partition_point(&is_before);
        }
        self.last.set(count);
        count
    }

    /// Where one byte of the seen text came from.
    fn byte(&self, seen: usize) -> Range<usize> {
        let next = self.count_before(|place| place.seen.end <= seen);
        if let Some(place) = self.units.get(next).filter(|place| place.seen.contains(&seen)) {
            return place.source.clone();
        }
        let before = next.checked_sub(1).map(|last| &self.units[last]);
        let at = before.map_or(seen, |place| place.source.end + (seen - place.seen.end));
        at..at + 1
    }

    /// Cuts from an edit of the source what only surrounds one that was seen: `=3D` and colours belong to no secret.
    /// Those that were seen are in the order of their beginnings.
    pub(super) fn sharpen(&self, edits: &mut [Edit], seen: &[Edit]) {
        for edit in edits {
            let first = seen.partition_point(|inner| inner.range.start < edit.range.start);
            let mut inside = seen[first..].iter().take_while(|inner| inner.range.start < edit.range.end);
            let inner = inside.find(|inner| inner.range.end <= edit.range.end);
            let Some(inner) = inner.map(|inner| inner.range.clone()) else { continue };
            if self.is_noise(edit.range.start..inner.start) && self.is_noise(inner.end..edit.range.end) {
                edit.range = inner;
            }
        }
    }

    /// What a range of the source means; `None` where it means itself.
    pub(super) fn meaning(&self, source: &Range<usize>) -> Option<&str> {
        let from = self.count_before(|place| place.source.end <= source.start);
        let to = self.count_before(|place| place.source.start < source.end);
        let (first, last) = (self.units.get(from)?, self.units[..to].last()?);
        if from >= to {
            return None;
        }
        // A range that begins within a unit has no part of what that stands for.
        let start = match first.source.start.checked_sub(source.start) {
            Some(before) => first.seen.start - before,
            None => first.seen.end,
        };
        let behind = source.end.saturating_sub(last.source.end);
        self.seen.get(start..last.seen.end + behind)
    }

    /// Whether a range of the source is made of units only, or of the rest of one.
    fn is_noise(&self, range: Range<usize>) -> bool {
        let mut at = range.start;
        while at < range.end {
            let next = self.count_before(|place| place.source.end <= at);
            match self.units.get(next) {
                Some(place) if place.source.contains(&at) => at = place.source.end,
                _ => return false,
            }
        }
        true
    }
}

/// Signs that may begin a unit.
const SIGNS: [bool; 256] = {
    let mut signs = [false; 256];
    let (begin, mut at) = (b"\x1b&%\\^=", 0);
    while at < begin.len() {
        signs[begin[at] as usize] = true;
        at += 1;
    }
    signs
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_seen_as_it_was_meant() {
        let cases = [
            ("a\u{1b}[31mb\u{1b}[0mc", "abc"),
            ("a\u{1b}]8;;x\u{7}b\u{1b}(Bc", "abc"),
            (r"a\x1b[1;31mb\u001b[0mc\033[Kd\e[0me^[[0mf", "abcdef"),
            (r"a\\u001b[0mb", "ab"),
            ("&quot;a&#58;&#x22;&lt;&amp;", "\"a:\"<&"),
            ("pass%77ord%3Da%C3%B1", "password=añ"),
            (r"\u003cb\u003e\x41", "<b>A"),
            ("a=3Db=\nc=22d", "a=bc\"d"),
        ];
        for (source, seen) in cases {
            assert_eq!(Lens::of(source).map(|lens| lens.seen).as_deref(), Some(seen), "{source}");
        }
        for plain in ["a & b", "100%", "%d %zz", "a=b=\nc", r"C:\users", "&copy", "^a"] {
            assert!(Lens::of(plain).is_none(), "{plain}");
        }
    }

    #[test]
    fn what_was_seen_is_found_in_the_source() {
        let source = "k\u{1b}[31m=\u{1b}[32mhun%74er\u{1b}[0m.";
        let lens = Lens::of(source).expect("a lens");
        let at = lens.seen.find("hunter").expect("the value");
        assert_eq!(&source[lens.source(&(at..at + 6))], "hun%74er");
    }

    #[test]
    fn places_are_found_in_any_order() {
        let source = "ab%20".repeat(200);
        let lens = Lens::of(&source).expect("a lens");
        for at in [0, 599, 300, 301, 2, 598, 299, 5, 0, 450, 449] {
            let unit = at % 3 == 2;
            let start = at / 3 * 5 + at % 3;
            assert_eq!(lens.source(&(at..at + 1)), start..start + if unit { 3 } else { 1 }, "{at}");
        }
    }
}
