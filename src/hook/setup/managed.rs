//! Text of ours among texts of a person's: a block between two marks, or a page of its own. Put there, replaced, taken out.
//!
//! Pure. Taking out gives the old bytes again. Ours carries a hash of itself, so that what a hand has changed since is the
//! person's, and is neither replaced nor removed. Does not know which files there are.

use super::HooksStanding;
use crate::kernel::json::sha256_hex;

/// What the first mark begins with; version and hash follow.
const BEGIN: &str = "<!-- annals:begin v1 ";
const MARK_END: &str = " -->";
const END: &str = "<!-- annals:end -->";
/// Where a page has its hash, in its front matter.
const PAGE_MARK: &str = "  annals: \"";
/// So many letters of a hash tell an edit from none.
const HASH_CHARS: usize = 12;

/// Why a text stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManagedError {
    /// A block has no end.
    #[error("the block of annals that begins in line {line} has no end: put `{END}` behind it, or take the mark out")]
    Open {
        /// Of the first mark, from 1.
        line: usize,
    },
    /// A second block follows.
    #[error("a second block of annals begins in line {line}: take one of them out")]
    Twice {
        /// Of its first mark, from 1.
        line: usize,
    },
    /// A hand has changed it.
    #[error(
        "the block of annals in line {line} was changed by hand: take its two marks out to keep it, or the block to have it anew"
    )]
    Changed {
        /// Of the first mark, from 1.
        line: usize,
    },
    /// The page is not ours, or a hand has changed it.
    #[error("it is not as annals wrote it: keep it under another name, or remove it to have it anew")]
    NotOurs,
}

/// Where our block stands.
struct FoundBlock<'t> {
    before: &'t str,
    /// From mark to mark, with both.
    block: &'t str,
    after: &'t str,
}

fn find(text: &str) -> Result<Option<FoundBlock<'_>>, ManagedError> {
    let Some(start) = text.find(BEGIN) else { return Ok(None) };
    let line_of = |at: usize| text[..at].matches('\n').count() + 1;
    let line = line_of(start);
    let len = text[start..].find(END).ok_or(ManagedError::Open { line })? + END.len();
    let end = start + len;
    if let Some(at) = text[start + BEGIN.len()..].find(BEGIN) {
        return Err(ManagedError::Twice { line: line_of(start + BEGIN.len() + at) });
    }
    let found = FoundBlock { before: &text[..start], block: &text[start..end], after: &text[end..] };
    if found.is_untouched() { Ok(Some(found)) } else { Err(ManagedError::Changed { line }) }
}

impl FoundBlock<'_> {
    fn is_untouched(&self) -> bool {
        let plain = self.block.replace("\r\n", "\n");
        let inner = plain.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END));
        let parts = inner.and_then(|inner| inner.split_once(MARK_END)?.1.strip_prefix('\n').map(|body| (inner, body)));
        parts.is_some_and(|(inner, body)| inner.starts_with(&hash(body)))
    }
}

fn hash(body: &str) -> String {
    let mut hash = sha256_hex(body.as_bytes());
    hash.truncate(HASH_CHARS);
    hash
}

/// A body between its marks.
fn block_of(body: &str) -> String {
    format!("{BEGIN}{}{MARK_END}\n{body}{END}", hash(body))
}

fn newline_of(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The text with a block of this body, in the place of ours where one is, else at its end. The body ends with a line break.
pub fn with_block(text: Option<&str>, body: &str) -> Result<String, ManagedError> {
    let Some(text) = text else { return Ok(format!("{}\n", block_of(body))) };
    let newline = newline_of(text);
    let block = block_of(body).replace('\n', newline);
    Ok(match find(text)? {
        Some(FoundBlock { before, after, .. }) => format!("{before}{block}{after}"),
        None if text.is_empty() => block,
        None if text.ends_with('\n') => format!("{text}{newline}{block}{newline}"),
        // A text without an end of its last line goes on without one, so that taking out knows.
        None => format!("{text}{newline}{newline}{block}"),
    })
}

/// The text without our block; none where it held nothing else and we made it.
pub fn without_block(text: &str) -> Result<Option<String>, ManagedError> {
    let Some(FoundBlock { before, block, after }) = find(text)? else { return Ok(Some(text.to_owned())) };
    let newline = newline_of(block);
    let less = |before: &'_ str| before.strip_suffix(newline).unwrap_or(before).to_owned();
    Ok(match (before, after) {
        ("", "") => Some(String::new()),
        ("", after) if after == newline => None,
        (before, "") => Some(less(&less(before))),
        (before, after) => Some(format!("{}{}", less(before), after.strip_prefix(newline).unwrap_or(after))),
    })
}

/// How a block of this body stands in a text.
pub fn block_standing(text: Option<&str>, body: &str) -> Result<HooksStanding, ManagedError> {
    let found = text.map_or(Ok(None), find)?;
    Ok(match found {
        None => HooksStanding::Missing,
        Some(found) if found.block.replace("\r\n", "\n") == block_of(body) => HooksStanding::Installed,
        Some(_) => HooksStanding::Differs,
    })
}

/// A page of ours, whole: `head` is its front matter without the closing line.
pub fn page_of(head: &str, body: &str) -> String {
    let text = |mark: &str| format!("{head}metadata:\n{mark}---\n{body}");
    text(&format!("{PAGE_MARK}{}\"\n", hash(&text(""))))
}

/// How a page stands; one that a hand has changed, or that is another's, is an error.
pub fn page_standing(text: Option<&str>, page: &str) -> Result<HooksStanding, ManagedError> {
    match text {
        None => Ok(HooksStanding::Missing),
        Some(text) if text == page => Ok(HooksStanding::Installed),
        Some(text) if is_own_page(text) => Ok(HooksStanding::Differs),
        Some(_) => Err(ManagedError::NotOurs),
    }
}

fn is_own_page(text: &str) -> bool {
    let Some(start) = text.find(PAGE_MARK) else { return false };
    let Some(len) = text[start..].find('\n') else { return false };
    let (mark, rest) = (&text[start + PAGE_MARK.len()..start + len], &text[start + len + 1..]);
    mark.strip_suffix('"') == Some(&hash(&format!("{}{rest}", &text[..start])))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BODY: &str = "## Annals\nA line.\n";

    fn taken_out(text: Option<&str>) -> Option<String> {
        without_block(&with_block(text, BODY).expect("no block is there")).expect("it is ours")
    }

    #[test]
    fn what_was_put_in_is_taken_out_to_the_byte() {
        for text in
            [None, Some(""), Some("\n"), Some("a"), Some("a\n"), Some("a\n\n\n"), Some("a\r\nb\r\n"), Some("a\r\nb")]
        {
            assert_eq!(taken_out(text).as_deref(), text, "{text:?}");
        }
    }

    #[test]
    fn a_new_version_takes_the_place_of_the_old_one() {
        for text in ["a", "a\n", "a\r\nb\r\n"] {
            let old = with_block(Some(text), "old\n").expect("new") + "behind\n";
            let new = with_block(Some(&old), BODY).expect("ours");
            assert_eq!(block_standing(Some(&old), BODY), Ok(HooksStanding::Differs));
            assert_eq!(block_standing(Some(&new), BODY), Ok(HooksStanding::Installed));
            assert_eq!(with_block(Some(&new), BODY).as_ref(), Ok(&new));
            assert!(new.ends_with("behind\n"), "{new:?}");
        }
    }

    #[test]
    fn what_a_hand_changed_is_the_persons() {
        let text = with_block(Some("a\n"), BODY).expect("new");
        let edited = text.replace("A line", "My line");
        assert_eq!(with_block(Some(&edited), BODY), Err(ManagedError::Changed { line: 3 }));
        assert_eq!(without_block(&edited), Err(ManagedError::Changed { line: 3 }));
        let open = text.replace(END, "");
        assert_eq!(with_block(Some(&open), BODY), Err(ManagedError::Open { line: 3 }));
        let twice = format!("{text}{text}");
        assert_eq!(with_block(Some(&twice), BODY), Err(ManagedError::Twice { line: 9 }));
    }

    #[test]
    fn a_page_knows_itself() {
        let page = page_of("---\nname: annals\n", "# Annals\n");
        let older = page_of("---\nname: annals\n", "# Older\n");
        assert_eq!(page_standing(None, &page), Ok(HooksStanding::Missing));
        assert_eq!(page_standing(Some(&page), &page), Ok(HooksStanding::Installed));
        assert_eq!(page_standing(Some(&older), &page), Ok(HooksStanding::Differs));
        assert_eq!(page_standing(Some(&older.replace("Older", "Mine")), &page), Err(ManagedError::NotOurs));
        assert_eq!(page_standing(Some("# Another's\n"), &page), Err(ManagedError::NotOurs));
    }

    proptest! {
        /// Whatever a file holds: what was put in is taken out to the byte.
        #[test]
        fn any_text_comes_back(text in "[a\\r\\n<!\u{e9}-]{0,40}") {
            prop_assert_eq!(taken_out(Some(&text)), Some(text));
        }
    }
}
