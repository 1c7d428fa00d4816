//! A long text in parts, each short enough for one question.
//!
//! A part begins a little before the one before it ends, and at a blank: what is said in a sentence stands whole in one of
//! them. What is too much for that many questions is counted, and is in no part.

/// More parts are not asked for.
const MOST_PARTS: usize = 32;
/// Characters that two parts share, at most.
const SHARED_CHARS: usize = 300;

/// A text in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextParts<'t> {
    /// In order; one where the text is short, and none where it is blank.
    pub parts: Vec<TextPart<'t>>,
    /// Characters at the end that are in none of them.
    pub left_out: usize,
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPart<'t> {
    /// The how-manieth, 1 the first.
    pub n: usize,
    /// Of how many.
    pub of: usize,
    /// What stands in it.
    pub text: &'t str,
}

/// A text in parts of at most so many characters.
pub(super) fn parts(text: &str, most: usize) -> TextParts<'_> {
    let text = text.trim();
    let (mut texts, mut begin, mut covered) = (Vec::new(), 0, 0);
    while covered < text.len() && texts.len() < MOST_PARTS {
        covered = begin + length(&text[begin..], most);
        texts.push(&text[begin..covered]);
        begin = covered - shared(&text[begin..covered], most);
    }
    let of = texts.len();
    let parts = texts.into_iter().enumerate().map(|(at, text)| TextPart { n: at + 1, of, text }).collect();
    TextParts { parts, left_out: text[covered..].chars().count() }
}

/// How long the next part is: up to a blank, where there is one in its second half.
fn length(rest: &str, most: usize) -> usize {
    let Some((end, _)) = rest.char_indices().nth(most) else { return rest.len() };
    let blank = rest[..end].char_indices().rfind(|(_, letter)| letter.is_whitespace());
    blank.map(|(at, letter)| at + letter.len_utf8()).filter(|at| *at > end / 2).unwrap_or(end)
}

/// How much of the end of a part the next one begins with.
fn shared(part: &str, most: usize) -> usize {
    let chars = SHARED_CHARS.min(most / 8);
    let tail = part.char_indices().rev().take(chars).last().map_or("", |(at, _)| &part[at..]);
    let blank = tail.char_indices().find(|(_, letter)| letter.is_whitespace());
    blank.map_or(tail.len(), |(at, letter)| tail.len() - at - letter.len_utf8())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_short_text_is_one_part_and_a_blank_one_none() {
        let one = TextPart { n: 1, of: 1, text: "a b" };
        assert_eq!(parts(" a b\n", 3), TextParts { parts: vec![one], left_out: 0 });
        assert_eq!(parts(" \n", 3), TextParts { parts: Vec::new(), left_out: 0 });
    }

    #[test]
    fn what_is_more_than_all_parts_hold_is_counted() {
        let text = "ä".repeat(40 * MOST_PARTS);
        let TextParts { parts, left_out } = parts(&text, 10);
        let shown: usize = parts.iter().map(|part| part.text.chars().count()).sum();
        // One letter is shared by two parts.
        assert_eq!((parts.len(), left_out), (MOST_PARTS, 40 * MOST_PARTS - (shown - (MOST_PARTS - 1))));
    }

    proptest! {
        /// Nothing is lost, and a sentence stands whole in one of them.
        #[test]
        fn every_few_words_stand_whole_in_one_part(words in prop::collection::vec("[a-zä]{1,9}", 1..200), at in 0..199_usize) {
            let said = words.join(" ");
            let TextParts { parts, left_out } = parts(&said, 200);
            prop_assert_eq!(left_out, 0);
            prop_assert!(parts.iter().all(|part| part.text.chars().count() <= 200));
            let at = at.min(words.len() - 1);
            let two = words[at..words.len().min(at + 2)].join(" ");
            prop_assert!(parts.iter().any(|part| part.text.contains(&two)), "{two}");
            prop_assert!(said.starts_with(parts[0].text) && said.ends_with(parts[parts.len() - 1].text));
        }
    }
}
