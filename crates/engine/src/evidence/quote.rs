//! How close a quote is to what stands in a text: normalised Levenshtein of the best-matching window (decision 14).
//!
//! Runs of white space count as one space. The distance is that of Myers' bit-parallel search ("A fast bit-vector algorithm
//! for approximate string matching based on dynamic programming", 1999), 64 rows of the matrix at a time.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A quote as good as its source, in thousandths.
const WHOLE: usize = 1000;
/// Words of 64 rows times characters of text that all quotes of one comment may cost together: a second or two. What
/// would cost more is compared to the letter only.
const MOST_STEPS: usize = 1 << 29;
/// So many times as much all comments that are looked at again may cost together: a minute or less.
const MOST_COMMENTS: usize = 1 << 5;
/// A pattern of more words than these (32 MiB) is compared to the letter only, too. A page in a script of thousands of
/// letters has some hundred thousand.
// One line of 200 KB took a gigabyte while every letter of a quote had a row.
const MOST_WORDS: usize = 1 << 22;

/// What comparing may still cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompareBudget {
    pub(super) steps: usize,
    /// How many quotes were compared to the letter only, because the rest would cost too much.
    pub(super) cut_short: usize,
}

impl Default for CompareBudget {
    fn default() -> Self {
        Self { steps: MOST_STEPS, cut_short: 0 }
    }
}

impl CompareBudget {
    /// That of many comments together.
    pub(super) fn of_many() -> Self {
        Self { steps: MOST_STEPS.saturating_mul(MOST_COMMENTS), cut_short: 0 }
    }

    /// That of one of them: no more than is left.
    pub(super) fn of_one<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let most = self.steps.min(MOST_STEPS);
        let mut own = Self { steps: most, cut_short: self.cut_short };
        let found = look(&mut own);
        *self = Self { steps: self.steps - (most - own.steps), cut_short: own.cut_short };
        found
    }

    /// Whether so many steps are left; they are taken.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        let left = self.steps.checked_sub(steps);
        self.steps = left.unwrap_or(self.steps);
        left.is_some()
    }
}

/// How close a quote is to the best window of a text, in thousandths of the quote's length: 1000 only where it stands
/// there to the letter, 0 where nothing of it does. Rounded up, so that "more than 800" is exactly that.
pub fn similarity(quote: &str, text: &str, effort: &mut CompareBudget) -> u32 {
    let (quote, text) = (fold(quote), fold(text));
    if memchr::memmem::find(text.as_bytes(), quote.as_bytes()).is_some() {
        return 1000;
    }
    let (length, letters) = (quote.chars().count(), Letters::of_both(&quote, &text));
    let words = length.div_ceil(64);
    let table = words.saturating_mul(letters.count() + 1);
    // A text has as many characters as bytes, or fewer.
    if table > MOST_WORDS || !effort.spend(words.saturating_mul(text.len()).saturating_add(table)) {
        effort.cut_short += 1;
        return 0;
    }
    let kept = length - Pattern::of(&quote, &letters).distance(&text);
    u32::try_from((kept * WHOLE).div_ceil(length).min(WHOLE - 1)).unwrap_or_default()
}

/// Runs of white space become one space; none is left at the ends.
pub fn fold(text: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| !letter.is_whitespace() || letter == ' ';
    if text.chars().all(is_plain) && !text.contains("  ") && text.trim() == text {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    Cow::Owned(folded)
}

/// The least number of characters to insert, delete or replace that makes a pattern out of some stretch of a text.
pub fn distance(pattern: &str, text: &str) -> usize {
    Pattern::of(pattern, &Letters::of_both(pattern, text)).distance(text)
}

/// Characters.
struct Letters {
    /// A bit for each of ASCII.
    ascii: u128,
    others: BTreeSet<char>,
}

impl Letters {
    fn of(text: &str) -> Self {
        let mut own = Self { ascii: 0, others: BTreeSet::new() };
        for letter in text.chars() {
            if letter.is_ascii() {
                own.ascii |= 1 << letter as u32;
            } else {
                own.others.insert(letter);
            }
        }
        own
    }

    /// Those that occur in both of two texts: where the others stand matters to nobody.
    fn of_both(left: &str, right: &str) -> Self {
        let (left, right) = (Self::of(left), Self::of(right));
        Self { ascii: left.ascii & right.ascii, others: &left.others & &right.others }
    }

    fn count(&self) -> usize {
        self.ascii.count_ones() as usize + self.others.len()
    }

    fn have(&self, letter: char) -> bool {
        if letter.is_ascii() { self.ascii >> (letter as u32) & 1 == 1 } else { self.others.contains(&letter) }
    }
}

/// For each character that the text has, too, where it stands in the pattern.
struct Pattern {
    length: usize,
    words: usize,
    last_row: u64,
    /// `words` words for each character that occurs; the first are for those that do not.
    bits: Vec<u64>,
    ascii: [usize; 128],
    others: BTreeMap<char, usize>,
}

impl Pattern {
    fn of(text: &str, letters: &Letters) -> Self {
        let length = text.chars().count();
        let words = length.div_ceil(64);
        let last_row = 1 << ((length + 63) % 64);
        let mut own = Self { length, words, last_row, bits: vec![0; words], ascii: [0; 128], others: BTreeMap::new() };
        for (at, letter) in text.chars().enumerate().filter(|(_, letter)| letters.have(*letter)) {
            let start = own.start_of(letter);
            own.bits[start + at / 64] |= 1 << (at % 64);
        }
        own
    }

    fn start_of(&mut self, letter: char) -> usize {
        let next = self.bits.len();
        let place = match self.ascii.get_mut(letter as usize) {
            Some(place) => place,
            None => self.others.entry(letter).or_default(),
        };
        if *place == 0 {
            *place = next;
            self.bits.resize(next + self.words, 0);
        }
        *place
    }

    fn row(&self, letter: char) -> &[u64] {
        let other = || self.others.get(&letter).copied().unwrap_or_default();
        let start = self.ascii.get(letter as usize).copied().unwrap_or_else(other);
        &self.bits[start..start + self.words]
    }

    fn distance(&self, text: &str) -> usize {
        let (mut columns, mut score) = (vec![Column::START; self.words], self.length);
        let mut least = score;
        for letter in text.chars() {
            // The row above the first never changes: a window costs nothing wherever it begins in the text.
            let mut carry = Carry::Level;
            for (word, column) in columns.iter_mut().enumerate() {
                let last = if word + 1 == self.words { self.last_row } else { 1 << 63 };
                carry = column.advance(self.row(letter)[word], carry, last);
            }
            match carry {
                Carry::Up => score += 1,
                Carry::Down => score -= 1,
                Carry::Level => {}
            }
            least = least.min(score);
        }
        least
    }
}

/// How the distance changes from one character of the text to the next, in one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Carry {
    Up,
    Level,
    Down,
}

/// 64 rows of a column of the matrix: where the distance rises and where it falls from a row to the next.
#[derive(Debug, Clone, Copy)]
struct Column {
    rises: u64,
    falls: u64,
}

impl Column {
    const START: Self = Self { rises: u64::MAX, falls: 0 };

    /// Goes on by one character; says how the row `last` changes.
    fn advance(&mut self, matches: u64, carry: Carry, last: u64) -> Carry {
        let Self { rises, falls } = *self;
        let vertical = matches | falls;
        let matches = matches | u64::from(carry == Carry::Down);
        let diagonal = ((matches & rises).wrapping_add(rises) ^ rises) | matches;
        let (up, down) = (falls | !(diagonal | rises), rises & diagonal);
        let out = match (up & last != 0, down & last != 0) {
            (true, _) => Carry::Up,
            (false, true) => Carry::Down,
            (false, false) => Carry::Level,
        };
        let up = (up << 1) | u64::from(carry == Carry::Up);
        let down = (down << 1) | u64::from(carry == Carry::Down);
        *self = Self { rises: down | !(vertical | up), falls: up & vertical };
        out
    }
}
