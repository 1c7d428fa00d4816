//! The place in a text that is most like another text, for one who remembers it almost.
//!
//! Pure. Compares line by line: first without white space, then by pairs of letters.

use std::collections::BTreeMap;
use std::fmt;

use super::cut_line;

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Nearest {
    /// The same but for white space, from this line on.
    OtherWhiteSpace(usize),
    /// A line that is like the first of it.
    Like(usize, String),
}

impl fmt::Display for Nearest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherWhiteSpace(line) => write!(f, "with other white space it stands from line {line} on"),
            Self::Like(line, text) => write!(f, "most like it is line {line}: {}", cut_line(text, 200)),
        }
    }
}

/// Longer texts are not looked through by pairs.
const MOST_BYTES: usize = 1 << 20;

pub(super) fn nearest(text: &str, wanted: &str) -> Option<Nearest> {
    let bare = |line: &str| line.split_whitespace().collect::<String>();
    let wanted_lines: Vec<String> = wanted.lines().map(bare).filter(|line| !line.is_empty()).collect();
    let first = wanted_lines.first()?;
    let lines: Vec<(usize, String)> = text.lines().map(bare).enumerate().filter(|(_, line)| !line.is_empty()).collect();
    let is_it = |window: &[(usize, String)]| window.iter().map(|(_, line)| line).eq(wanted_lines.iter());
    if let Some(window) = lines.windows(wanted_lines.len()).find(|window| is_it(window)) {
        return Some(Nearest::OtherWhiteSpace(window[0].0 + 1));
    }
    if text.len() > MOST_BYTES {
        return None;
    }
    let wanted_pairs = pairs(first);
    let scored = lines.iter().map(|(at, line)| (likeness(&wanted_pairs, &pairs(line)), *at));
    // Of equals the first.
    let (score, at) = scored.max_by_key(|(score, at)| (*score, std::cmp::Reverse(*at)))?;
    (score >= 500).then(|| Nearest::Like(at + 1, text.lines().nth(at).unwrap_or_default().trim().to_owned()))
}

fn pairs(line: &str) -> BTreeMap<[char; 2], usize> {
    let letters: Vec<char> = line.chars().take(400).collect();
    let mut counted = BTreeMap::new();
    for pair in letters.windows(2) {
        *counted.entry([pair[0], pair[1]]).or_default() += 1;
    }
    counted
}

/// Dice's coefficient, in thousandths.
fn likeness(one: &BTreeMap<[char; 2], usize>, other: &BTreeMap<[char; 2], usize>) -> usize {
    let shared: usize = one.iter().map(|(pair, count)| (*count).min(other.get(pair).copied().unwrap_or(0))).sum();
    let all: usize = one.values().chain(other.values()).sum();
    (2_000 * shared).checked_div(all).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_almost_remembered_is_found() {
        let text = "fn main() {\n    let count = 1;\n    print(count);\n}\n";
        for (wanted, expected) in [
            ("let count = 1;\nprint( count );", Some(Nearest::OtherWhiteSpace(2))),
            ("let counter = 1;", Some(Nearest::Like(2, "let count = 1;".to_owned()))),
            ("something else entirely", None),
            ("  \n ", None),
        ] {
            assert_eq!(nearest(text, wanted), expected, "{wanted:?}");
        }
        assert_eq!(nearest("", "a"), None);
    }
}
