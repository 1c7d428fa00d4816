//! Answers in pages: as much as a budget of tokens holds, and a cursor to the rest.
//!
//! A cursor belongs to one tool and one question.

use annals_mcp::Seals;
use serde::Serialize;
use serde_json::{Value, json};

use crate::kernel::cut::head;

/// The budget where none is given, in tokens.
pub(super) const TOKENS: u32 = 2000;
/// The largest that may be asked for.
const MOST_TOKENS: u32 = 20_000;
/// And the smallest that holds anything.
const LEAST_TOKENS: u32 = 100;
/// A token is at least so many bytes, so that a budget is an upper bound.
const BYTES_A_TOKEN: usize = 3;

/// A part of a list.
pub(super) struct ListPage<T> {
    /// The part.
    pub items: Vec<T>,
    /// How many come behind it.
    pub left: usize,
    /// Where those begin.
    pub next: Option<String>,
}

/// The budget that is asked for, in bytes.
pub(super) fn budget(tokens: Option<u32>) -> usize {
    tokens.unwrap_or(TOKENS).clamp(LEAST_TOKENS, MOST_TOKENS) as usize * BYTES_A_TOKEN
}

/// The part of a list that a budget holds, from a cursor on: at least one item.
pub(super) fn page<T: Serialize>(
    seals: &Seals,
    question: &str,
    cursor: Option<&str>,
    all: Vec<T>,
    budget: usize,
) -> anyhow::Result<ListPage<T>> {
    let from = place(seals, question, cursor)?;
    let total = all.len();
    let (mut used, mut items) = (0, Vec::new());
    for item in all.into_iter().skip(from) {
        used += serde_json::to_string(&item)?.len() + 1;
        if used > budget && !items.is_empty() {
            break;
        }
        items.push(item);
    }
    let next = from.saturating_add(items.len());
    let left = total.saturating_sub(next);
    let cursor = (left > 0).then(|| seals.cursor(question, &json!(next)));
    Ok(ListPage { items, left, next: cursor })
}

/// The part of a text that a budget holds: whole lines where that is possible.
pub(super) fn part(
    seals: &Seals,
    question: &str,
    cursor: Option<&str>,
    text: &str,
    budget: usize,
) -> anyhow::Result<(String, Option<String>)> {
    let from = head(text, place(seals, question, cursor)?).len();
    let rest = &text[from..];
    if rest.len() <= budget {
        return Ok((rest.to_owned(), None));
    }
    let end = head(rest, budget).len();
    let end = rest[..end].rfind('\n').map_or(end, |newline| newline + 1);
    Ok((rest[..end].to_owned(), Some(seals.cursor(question, &json!(from + end)))))
}

/// Where a cursor says that a list goes on.
fn place(seals: &Seals, question: &str, cursor: Option<&str>) -> anyhow::Result<usize> {
    let Some(cursor) = cursor else { return Ok(0) };
    let place = seals.place(question, cursor)?;
    let from = place.as_u64().and_then(|from| usize::try_from(from).ok());
    Ok(from.ok_or(annals_mcp::BadCursor)?)
}

/// A question as cursors name it.
pub(super) fn question(tool: &str, asked: &Value) -> String {
    format!("{tool} {asked}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_comes_once_whatever_the_budget() {
        let seals = Seals::new(3);
        let all: Vec<String> = (0..40).map(|number| "x".repeat(number * 7 % 50)).collect();
        for budget in [1, 30, 100, 10_000] {
            let (mut seen, mut cursor) = (Vec::new(), None);
            loop {
                let part = page(&seals, "q", cursor.as_deref(), all.clone(), budget).expect("a page");
                seen.extend(part.items);
                assert_eq!(part.left, all.len() - seen.len());
                cursor = part.next;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(seen, all);
        }
    }

    #[test]
    fn a_text_comes_whole_in_its_parts() {
        let seals = Seals::new(3);
        let text = "a line of äöü\n".repeat(30) + &"ü".repeat(200);
        for budget in [4, 33, 100, 10_000] {
            let (mut seen, mut cursor) = (String::new(), None);
            loop {
                let (part, next) = part(&seals, "q", cursor.as_deref(), &text, budget).expect("a part");
                seen += &part;
                cursor = next;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(seen, text);
        }
    }
}
