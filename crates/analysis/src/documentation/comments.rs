//! Comments that are there, and help nobody: too long, empty of meaning, behind what they are about, about what is gone.

use std::collections::BTreeSet;

use super::snippets::Syntax;
use super::{Analyze, Issue};
use crate::edit::{Edit, Line, Origin};
use crate::text::{short, words};

/// A comment that helps nobody.
pub(super) struct UselessComment {
    pub(super) line: usize,
    pub(super) issue: Issue,
    pub(super) suggestion: &'static str,
    pub(super) text: String,
}

/// A comment of more lines than this is too long for what it stands above.
const MOST_LINES: usize = 12;

/// Looks at the comments among the new lines of an edit.
pub(super) fn poor(edit: &Edit, lines: &[Line<'_>], syntax: Syntax, analyze: Analyze) -> Vec<UselessComment> {
    let mut found = Vec::new();
    let gone = gone(edit);
    let is_comment = |line: &Line<'_>| syntax.comment(line.text).is_some();
    let mut at = 0;
    for group in lines.chunk_by(|left, right| is_comment(left) == is_comment(right)) {
        let start = at;
        at += group.len();
        if !is_comment(&group[0]) {
            continue;
        }
        let texts: Vec<&str> = group.iter().filter_map(|line| syntax.comment(line.text)).collect();
        let below: Vec<_> =
            lines[at..].iter().take_while(|line| !line.text.trim().is_empty()).take(MOST_LINES).collect();
        let is_new = group.iter().any(|line| line.origin == Origin::Added);
        let mut add = |issue, suggestion| {
            let text = short(&texts.join(" "), 80);
            found.push(UselessComment { line: lines[start].number, issue, suggestion, text });
        };
        if analyze.comment_quality && is_new {
            if group.len() > MOST_LINES && below.len() < group.len() && !is_document(group, start) {
                add(Issue::TooVerbose, "Say why in a few lines; the code says what.");
            } else if is_empty_of_meaning(&texts) || below.first().is_some_and(|line| repeats(&texts, line.text)) {
                add(Issue::Unclear, "It says what the line says; say why, or leave it out.");
            }
        }
        if analyze.comment_quality && !is_new && speaks_of(&texts, &gone) {
            add(Issue::Outdated, "It speaks of what this edit took away.");
        }
        if analyze.comment_placement && is_new && is_last_in_block(lines, start, at) {
            add(Issue::WrongLocation, "It stands behind what it is about; put it above.");
        }
    }
    found
}

/// The head of a file, or the documentation of what follows, may be long.
fn is_document(group: &[Line<'_>], start: usize) -> bool {
    let first = group[0].text.trim_start();
    start == 0 || ["///", "//!", "/**", "\"\"\"", "'''"].iter().any(|mark| first.starts_with(mark))
}

/// Names of code that stood there before the edit and stand nowhere in it any more.
fn gone(edit: &Edit) -> BTreeSet<String> {
    let names = |text: &str| -> BTreeSet<String> {
        let parts = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        // Only what can be nothing but a name: `snake_case` and `camelCase`.
        let is_name = |word: &&str| {
            let inner = word.trim_matches('_');
            inner.len() > 4
                && (inner.contains('_')
                    || inner.chars().skip(1).any(char::is_uppercase) && inner.chars().any(char::is_lowercase))
        };
        parts.filter(is_name).map(str::to_owned).collect()
    };
    let removed = edit.removed().join("\n");
    let lines = edit.lines();
    let added = lines.iter().filter(|line| line.origin == Origin::Added).map(|line| line.text);
    let added = added.collect::<Vec<_>>().join("\n");
    let now = names(&added);
    names(&removed).into_iter().filter(|name| !now.contains(name)).collect()
}

fn speaks_of(texts: &[&str], gone: &BTreeSet<String>) -> bool {
    let mut words = texts.iter().flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
    words.any(|word| gone.contains(word))
}

/// `// code`, `# helper`, `// ...`: fewer than two words that say anything; marks for tools are none of these.
fn is_empty_of_meaning(texts: &[&str]) -> bool {
    const EMPTY: [&str; 14] = [
        "code", "helper", "helpers", "stuff", "logic", "here", "misc", "util", "utils", "data", "main", "variables",
        "fix", "new",
    ];
    let all: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
    all.len() == 1 && EMPTY.contains(&all[0].as_str())
}

/// `// increment the counter` above `counter.increment()`: nothing in it that the line does not say.
fn repeats(texts: &[&str], line: &str) -> bool {
    const FILLING: [&str; 22] = [
        "the", "a", "an", "to", "of", "for", "and", "is", "are", "this", "that", "it", "in", "on", "with", "by", "we",
        "if", "as", "from", "new", "our",
    ];
    let said: BTreeSet<String> =
        texts.iter().flat_map(|text| words(text)).filter(|word| !FILLING.contains(&word.as_str())).collect();
    let code: BTreeSet<String> = parts(line).collect();
    texts.len() == 1
        && (2..=5).contains(&said.len())
        && said.iter().all(|word| code.iter().any(|part| is_same(part, word)))
}

/// `set_userName` says set, user, name.
fn parts(line: &str) -> impl Iterator<Item = String> {
    let mut spaced = String::with_capacity(line.len() + 8);
    let mut last = ' ';
    for letter in line.chars() {
        if letter.is_uppercase() && last.is_lowercase() {
            spaced.push(' ');
        }
        spaced.push(if letter.is_alphanumeric() { letter } else { ' ' });
        last = letter;
    }
    words(&spaced).collect::<Vec<_>>().into_iter()
}

/// `returns` and `return`, `users` and `user`.
fn is_same(left: &str, right: &str) -> bool {
    let stem = |word: &str| word.trim_end_matches("ing").trim_end_matches('s').trim_end_matches('e').to_owned();
    left == right || stem(left) == stem(right)
}

/// A comment with code above it and only the end of the block below: it is about what is over.
fn is_last_in_block(lines: &[Line<'_>], start: usize, end: usize) -> bool {
    let above = start.checked_sub(1).and_then(|at| lines.get(at)).map(|line| line.text.trim());
    let below = lines.get(end).map(|line| line.text.trim());
    let ends = below.is_some_and(|text| matches!(text, "}" | "};" | "})" | "});" | "end"));
    let is_statement = above.is_some_and(|text| text.ends_with(';') && !text.starts_with("//"));
    // A note that nothing is done here is where it belongs.
    let says_nothing = lines[start].text.to_lowercase();
    ends && is_statement
        && !["nothing", "ignore", "todo", "fall", "no-op", "noop", "intentional"]
            .iter()
            .any(|word| says_nothing.contains(word))
}
