//! The sentences of a text: up to a line's end, or behind a mark that stands before a blank. A stop within a name ends none.
//!
//! Does not understand them.

/// With the marks that end them; `ends` are those marks.
pub fn sentences<'t>(text: &'t str, ends: &'static [char]) -> impl Iterator<Item = &'t str> {
    text.lines().flat_map(move |line| of_line(line, ends))
}

fn of_line<'t>(line: &'t str, ends: &[char]) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some(at) = end(rest, ends) {
        let (sentence, behind) = rest.split_at(at);
        parts.push(sentence);
        rest = behind;
    }
    parts.push(rest);
    parts
}

fn end(line: &str, ends: &[char]) -> Option<usize> {
    let mut pairs = line.char_indices().zip(line.chars().skip(1));
    pairs.find_map(|((at, letter), next)| {
        (ends.contains(&letter) && next.is_whitespace()).then_some(at + letter.len_utf8())
    })
}
