//! Finds many words at once in one pass over a text, whatever their capitals.
//!
//! Every word is known by its rarest four letters. The pass looks four letters up in a table of bits, one place after
//! the other, and compares whole words only where a bit is set: several times as fast as an automaton, whose steps
//! have to wait for each other.

use std::ops::Range;

/// How many letters are looked at in one step.
const GRAM: usize = 4;

/// The bits that tell capitals from small letters.
const CAPITALS: u32 = 0x2020_2020;

/// How many places are looked at before the first word is compared.
const BLOCK: usize = 64;

/// The table has two to the power of this many bits, which just fits the fastest cache.
const TABLE_BITS: u32 = 18;

/// How many places share one entry in the index of the grams.
const GROUP: usize = 32;

const TABLE: usize = 1 << (TABLE_BITS - 6);

const SECOND_BITS: u32 = 16;

const SECOND: usize = 1 << (SECOND_BITS - 6);

/// Words to be found.
pub(super) struct Words {
    list: Vec<&'static [u8]>,
    /// Those that may stand so near to the end of a text that no four letters are left, by their first letter: every name and
    /// every value of a field has an end, and comparing all of them there took a seventh of the instructions of a record.
    short: [Vec<usize>; 256],
    table: Box<[u64; TABLE]>,
    /// A second, smaller table: what both agree on is rarely a chance.
    second: [u64; SECOND],
    /// In the order of their groups of places in the table.
    grams: Vec<Gram>,
    /// Which gram is the first of each group of places.
    firsts: Vec<u16>,
}

/// Four letters that a word is known by.
#[derive(Debug, Clone, Copy)]
struct Gram {
    letters: u32,
    /// The last four letters of the word: most words that are not there differ in these.
    last: u32,
    /// How far behind the four letters the last ones begin.
    distance: u16,
    /// Where in the word the four letters stand.
    offset: u16,
    word: u16,
}

impl Words {
    /// Words in lower case. One of three letters needs another byte of ASCII behind it, one of two letters or digits.
    pub(super) fn new(words: impl IntoIterator<Item = &'static str>) -> Self {
        let list: Vec<&[u8]> = words.into_iter().map(str::as_bytes).collect();
        let mut grams = Vec::new();
        for (index, word) in list.iter().enumerate() {
            add_grams(word, u16::try_from(index).expect("BUG: too many words"), &mut grams);
        }
        let (grams, firsts) = by_group(&grams);
        let mut table: Box<[u64; TABLE]> =
            vec![0; TABLE].into_boxed_slice().try_into().expect("BUG: the table has its size");
        let mut second = [0; SECOND];
        for gram in &grams {
            let (place, other) = (place(gram.letters), second_place(gram.letters));
            table[place / 64] |= 1 << (place % 64);
            second[other / 64] |= 1 << (other % 64);
        }
        let mut short = [const { Vec::new() }; 256];
        for index in (0..list.len()).filter(|index| list[*index].len() < GRAM) {
            short[usize::from(list[index][0])].push(index);
        }
        Self { list, short, table, second, grams, firsts }
    }

    /// Which words stand where, in no particular order.
    pub(super) fn find(&self, text: &[u8], mut found: impl FnMut(usize, Range<usize>)) {
        let mut at = 0;
        while let Some(block) = text.get(at..).and_then(<[u8]>::first_chunk) {
            let mut likely = self.likely(block);
            while likely != 0 {
                let place = at + likely.trailing_zeros() as usize;
                if self.is_likelier(text, place) {
                    self.compare(text, place, &mut found);
                }
                likely &= likely - 1;
            }
            at += BLOCK;
        }
        // Names and the values of fields are shorter than a block: here they ask the tables, too, as every place of a block does.
        for at in at..text.len() {
            if self.is_likely(text, at) {
                self.compare(text, at, &mut found);
            }
        }
    }

    /// Whether both tables agree that one of the words may be at a place.
    fn is_likely(&self, text: &[u8], at: usize) -> bool {
        let letters = text[at..].first_chunk().map(|letters| u64::from(u32::from_le_bytes(*letters)));
        letters.is_none_or(|letters| self.bit(letters) == 1 && self.is_likelier(text, at))
    }

    /// At which places of a block one of the words may be. Branches nowhere, so that the steps overlap.
    fn likely(&self, block: &[u8; BLOCK + GRAM]) -> u64 {
        let mut likely = 0;
        for at in (0..BLOCK).step_by(GRAM) {
            // Eight letters hold the grams of four places.
            let letters =
                u64::from_le_bytes(block[at..at + 2 * GRAM].try_into().expect("BUG: eight letters are eight"));
            let bits = self.bit(letters)
                | self.bit(letters >> 8) << 1
                | self.bit(letters >> 16) << 2
                | self.bit(letters >> 24) << 3;
            likely |= bits << at;
        }
        likely
    }

    #[allow(clippy::cast_possible_truncation, reason = "the first four letters are meant")]
    fn bit(&self, letters: u64) -> u64 {
        let place = place(letters as u32 | CAPITALS);
        self.table[place / 64] >> (place % 64) & 1
    }

    /// Whether the second table agrees.
    fn is_likelier(&self, text: &[u8], at: usize) -> bool {
        let place = text[at..].first_chunk().copied().map_or(0, |letters| second_place(fold(letters)));
        self.second[place / 64] >> (place % 64) & 1 == 1
    }

    fn compare(&self, text: &[u8], at: usize, found: &mut impl FnMut(usize, Range<usize>)) {
        let Some(letters) = text[at..].first_chunk().copied().map(fold) else {
            return self.compare_short(text, at, found);
        };
        let group = place(letters) / GROUP;
        let grams = usize::from(self.firsts[group])..usize::from(self.firsts[group + 1]);
        let may_end = |gram: &&Gram| {
            let last = text.get(at + usize::from(gram.distance)..).and_then(<[u8]>::first_chunk);
            // The end of the word comes first: words that begin alike (`pass`, `passwd`, `password`) are told apart
            // there, which took a quarter off texts of nothing but one beginning.
            gram.letters == letters && last.is_some_and(|last| fold(*last) == gram.last)
        };
        for gram in self.grams[grams].iter().filter(may_end) {
            let word = self.list[usize::from(gram.word)];
            let start = at.checked_sub(usize::from(gram.offset)).filter(|start| is_at(word, text, *start));
            if let Some(start) = start {
                found(usize::from(gram.word), start..start + word.len());
            }
        }
    }

    /// The last letters of a text have no four letters behind them.
    fn compare_short(&self, text: &[u8], at: usize, found: &mut impl FnMut(usize, Range<usize>)) {
        let short = &self.short[usize::from(text[at].to_ascii_lowercase())];
        for index in short.iter().filter(|index| is_at(self.list[**index], text, at)) {
            found(*index, at..at + self.list[*index].len());
        }
    }
}

/// The rarest four letters of a word; for a shorter word, all that can stand behind it.
fn add_grams(word: &'static [u8], index: u16, grams: &mut Vec<Gram>) {
    let windows = word.windows(GRAM).zip(0..);
    if let (Some(last), Some((letters, offset))) =
        (word.last_chunk(), windows.clone().min_by_key(|(letters, _)| commonness(letters)))
    {
        let letters = fold(letters.try_into().expect("BUG: a window has its size"));
        let distance = windows.map(|(_, at)| at).max().unwrap_or(offset) - offset;
        return grams.push(Gram { letters, last: fold(*last), distance, offset, word: index });
    }
    let letters = (b'0'..=b'9').chain(b'a'..=b'z');
    let gram = |letters| Gram { letters: fold(letters), last: fold(letters), distance: 0, offset: 0, word: index };
    match *word {
        [a, b, c] => grams.extend((0x20..0x40).chain(0x60..0x80).map(|next| gram([a, b, c, next]))),
        [a, b] => grams.extend(letters.clone().flat_map(|c| letters.clone().map(move |d| gram([a, b, c, d])))),
        _ => unreachable!("BUG: a word of one letter is everywhere"),
    }
}

/// Small letters for capitals; other signs fall together, too, and are told apart when words are compared.
fn fold(letters: [u8; GRAM]) -> u32 {
    u32::from_le_bytes(letters) | CAPITALS
}

fn place(letters: u32) -> usize {
    // An odd factor spreads four letters, of which most lie close together, over the table; its high bits depend on
    // all four.
    (letters.wrapping_mul(0x9e37_79b1) >> (32 - TABLE_BITS)) as usize
}

fn second_place(letters: u32) -> usize {
    (letters.wrapping_mul(0x85eb_ca6b) >> (32 - SECOND_BITS)) as usize
}

/// The grams in the order of their groups of places; where each group begins, and where the last one ends.
// Counted, not sorted: each hook makes this table, and sorting took a seventh of its time.
fn by_group(found: &[Gram]) -> (Vec<Gram>, Vec<u16>) {
    let group = |gram: &Gram| place(gram.letters) / GROUP;
    let mut firsts = vec![0_u16; (1 << TABLE_BITS) / GROUP + 1];
    for gram in found {
        firsts[group(gram) + 1] += 1;
    }
    let mut all = 0_u16;
    for first in &mut firsts {
        all = all.checked_add(*first).expect("BUG: too many words");
        *first = all;
    }
    let (mut next, mut grams) = (firsts.clone(), found.to_vec());
    for gram in found {
        let place = &mut next[group(gram)];
        grams[usize::from(*place)] = *gram;
        *place += 1;
    }
    (grams, firsts)
}

fn is_at(word: &[u8], text: &[u8], start: usize) -> bool {
    let is_letter = |(byte, letter): (&u8, &u8)| byte.to_ascii_lowercase() == *letter;
    text.get(start..start + word.len()).is_some_and(|found| found.iter().zip(word).all(is_letter))
}

/// How often letters are met in code and English, roughly.
fn commonness(letters: &[u8]) -> u32 {
    let of = |byte: &u8| match byte {
        b'e' | b't' | b'a' | b'i' | b'n' | b's' | b'r' | b'o' | b' ' | b'-' => 16,
        b'l' | b'c' | b'd' | b'u' | b'm' | b'p' | b'_' | b'\\' => 8,
        b'f' | b'g' | b'h' | b'b' | b'v' | b'.' | b'/' | b'"' => 4,
        b'y' | b'w' | b'k' | b'0'..=b'9' => 2,
        _ => 1,
    };
    letters.iter().map(of).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &[&str] = &["=s.", "key", "secret", "api_key", "ghp_", "://", "t3blbkfj", "aaaa"];

    fn found(text: &str) -> Vec<(&'static str, usize)> {
        let mut found = Vec::new();
        Words::new(WORDS.iter().copied()).find(text.as_bytes(), |word, range| found.push((WORDS[word], range.start)));
        found.sort_by_key(|(word, start)| (*start, *word));
        found
    }

    #[test]
    fn words_are_found_wherever_they_stand() {
        assert_eq!(found("Api_Key=GHP_x SECRET"), [("api_key", 0), ("key", 4), ("ghp_", 8), ("secret", 14)]);
        assert_eq!(found("=s.=s.=\u{fc}=s."), [("=s.", 0), ("=s.", 3), ("=s.", 9)]);
        assert_eq!(found("key\tkey-\u{fc}key"), [("key", 0), ("key", 4), ("key", 10)]);
        assert_eq!(found("aaaaa"), [("aaaa", 0), ("aaaa", 1)]);
        assert_eq!(found("xT3BlbkFJ"), [("t3blbkfj", 1)]);
        for text in ["", "k", "ke", "secre", "ecret"] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn every_place_is_found_that_a_simple_search_finds() {
        let text = &"aKEY=s.://ghp_\u{1F600}secretsecretapi_key=s.\u{0}key".repeat(5);
        let lower = text.to_lowercase();
        let mut expected = Vec::new();
        for word in WORDS {
            expected.extend(lower.match_indices(word).map(|(start, _)| (*word, start)));
        }
        expected.sort_by_key(|(word, start)| (*start, *word));
        assert_eq!(found(text), expected);
    }
}
