//! The rules of review: a table of patterns for lines, and a few that look at more than one line.
//!
//! By the ending of the file's name. A comment or a string can fool them; that is what their confidence says.

use std::sync::LazyLock;

use regex::Regex;

use super::Category::{BestPractices, Formatting};
use super::Severity::{Major, Minor};
use super::table::{By, In, RULES, Rule};
use super::{Category, Comment, LineOf, Location, Severity};
use crate::edit::{Edit, Line, Origin};
use crate::text::regex;
use annals_kernel::id::EntryId;
use annals_kernel::share::Share;

/// What a rule says of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remark {
    pub(super) category: Category,
    pub(super) severity: Severity,
    pub(super) confidence: Share,
    /// The index of its line; none for the whole file.
    pub(super) at: Option<usize>,
    /// What should stand there; empty to delete it.
    pub(super) fix: Option<String>,
    /// The index of the line that the fix changes, where it is another.
    pub(super) fix_at: Option<usize>,
    pub(super) text: &'static str,
    pub(super) url: Option<&'static str>,
    pub(super) automatable: bool,
}

impl Remark {
    pub(super) fn comment(self, entry: EntryId, edit: &Edit, lines: &[Line<'_>]) -> Comment {
        let line = self.at.and_then(|at| lines.get(at));
        let location = Location {
            file: edit.file.clone(),
            line: line.map(|line| line.number),
            line_of: if edit.first_line.is_some() { LineOf::File } else { LineOf::Edit },
            snippet: line.map(|line| crate::text::short(line.text, 160)),
        };
        Comment {
            category: self.category,
            severity: self.severity,
            location,
            comment: self.text,
            suggested_edit: self.fix,
            best_practice_url: self.url,
            confidence: self.confidence,
            automatable: self.automatable,
            entry,
        }
    }
}

static COMPILED: LazyLock<Vec<Regex>> = LazyLock::new(|| RULES.iter().map(|rule| regex(rule.pattern)).collect());

/// Longer lines are made by programs, for programs.
const MOST_BYTES: usize = 2000;

/// What the rules say of the new lines of an edit.
pub(super) fn remarks(edit: &Edit, lines: &[Line<'_>]) -> Vec<Remark> {
    let language = edit.language();
    let mut remarks = Vec::new();
    if !is_code(&language) {
        return remarks;
    }
    let is_test = is_test(&edit.file);
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.text.len() <= MOST_BYTES) {
        for (rule, pattern) in RULES.iter().zip(COMPILED.iter()) {
            let is_for = rule.languages.is_empty() || rule.languages.contains(&language.as_str());
            let is_here = is_for && (rule.place == In::Code || is_test == (rule.place == In::Tests));
            if is_here && pattern.is_match(line.text) && !is_excused(rule, line.text, lines, at) {
                remarks.push(rule.remark(at));
            }
        }
    }
    functions(&language, lines, &mut remarks);
    nested(lines, &mut remarks);
    dead(&language, lines, &mut remarks);
    swallowed(&language, lines, &mut remarks);
    if lines.len() > LONG_FILE {
        remarks.push(Remark { at: None, text: "the file is long", ..of(BestPractices, Minor, 750) });
    }
    remarks
}

/// A file of more lines than this is remarked upon as a whole.
const LONG_FILE: usize = 800;

fn of(category: Category, severity: Severity, confidence: u16) -> Remark {
    Remark {
        category,
        severity,
        confidence: Share::thousandths(confidence),
        at: None,
        fix: None,
        fix_at: None,
        text: "",
        url: None,
        automatable: true,
    }
}

impl Rule {
    fn remark(&self, at: usize) -> Remark {
        let automatable = self.by == By::Linter;
        Remark {
            at: Some(at),
            text: self.text,
            url: self.url,
            automatable,
            ..of(self.category, self.severity, self.confidence)
        }
    }
}

fn is_code(language: &str) -> bool {
    const CODE: [&str; 30] = [
        "rs", "py", "js", "jsx", "ts", "tsx", "mjs", "cjs", "svelte", "vue", "go", "rb", "java", "kt", "c", "h", "cc",
        "cpp", "hpp", "cs", "php", "swift", "sh", "bash", "sql", "scala", "lua", "dart", "ex", "zig",
    ];
    CODE.contains(&language)
}

fn is_test(file: &str) -> bool {
    let file = file.to_ascii_lowercase();
    let name = crate::text::base(&file);
    ["test", "spec", "fixture", "mock", "example", "debug"].iter().any(|word| name.contains(word))
        || ["/test", "tests/", "/scripts/", "/examples/", "/benches/"].iter().any(|part| file.contains(part))
}

/// What only looks like it: comments, texts in quotes, a word that excuses it.
fn is_excused(rule: &Rule, line: &str, lines: &[Line<'_>], at: usize) -> bool {
    let trimmed = line.trim_start();
    let is_comment = ["//", "#", "*", "/*", "<!--", "--"].iter().any(|start| trimmed.starts_with(start));
    let wants_comment = rule.pattern.contains("//") || rule.pattern.contains("#|") || rule.pattern.starts_with('#');
    if is_comment && !wants_comment && rule.category != Formatting {
        return true;
    }
    let before = at.checked_sub(1).and_then(|at| lines.get(at)).map(|line| line.text).unwrap_or_default();
    match rule.text {
        "nothing says why this is sound" => before.to_uppercase().contains("SAFETY"),
        "a promise without an issue: nobody will come back to it" => {
            line.contains('#')
                && line.split('#').skip(1).any(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()))
        }
        "`==` converts what it compares; `===` does not" => line.contains("= null") || line.contains("=== "),
        _ => false,
    }
}

/// Functions that are longer than a page.
fn functions(language: &str, lines: &[Line<'_>], remarks: &mut Vec<Remark>) {
    const PAGE: usize = 80;
    static STARTS: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"^(\s*)(?:(?:pub(?:\([a-z]+\))?|export|default|async|static|public|private|protected|final|override|unsafe)\s+)*(?:fn|def|func|function)\b\s*[\w(]";
        regex(pattern)
    });
    let starts: Vec<_> = lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| {
            let indent = STARTS.captures(line.text)?.get(1)?.as_str().len();
            Some((at, indent))
        })
        .collect();
    for (start, indent) in starts {
        let is_end = |line: &Line<'_>| {
            let text = line.text.trim_end();
            let own = text.len() - text.trim_start().len();
            !text.is_empty() && own <= indent && (language == "py" || text.trim_start().starts_with('}'))
        };
        // Long ones are told after a page and a bit; no further is looked.
        let body = lines[start + 1..].iter().take(PAGE * 4).position(is_end);
        let length = body.unwrap_or_else(|| lines.len() - start - 1).min(PAGE * 4);
        if length > PAGE {
            remarks.push(Remark {
                at: Some(start),
                text: "the function is longer than a page",
                ..of(BestPractices, Minor, 750)
            });
        }
    }
}

/// Code that is nested deeper than one can follow; the first line of each such place.
fn nested(lines: &[Line<'_>], remarks: &mut Vec<Remark>) {
    static BRANCH: LazyLock<Regex> =
        LazyLock::new(|| regex(r"^\s*(?:\}\s*)?(?:else\s+)?(?:if|for|while|match|switch|loop|try|with)\b.*[{:]\s*$"));
    const DEEPEST: usize = 4;
    let mut open: Vec<usize> = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.text.trim().is_empty()) {
        let indent = line.text.len() - line.text.trim_start().len();
        open.retain(|outer| *outer < indent);
        if BRANCH.is_match(line.text) {
            open.push(indent);
            if open.len() == DEEPEST + 1 {
                remarks.push(Remark {
                    at: Some(at),
                    text: "five branches within each other: hard to follow",
                    ..of(BestPractices, Minor, 800)
                });
            }
        }
    }
}

/// `except …:` and nothing but `pass` below it.
fn swallowed(language: &str, lines: &[Line<'_>], remarks: &mut Vec<Remark>) {
    let is_silent = |pair: &[Line<'_>]| {
        let (first, second) = (pair[0].text.trim(), pair[1].text.trim());
        first.starts_with("except") && first.ends_with(':') && second == "pass"
    };
    let silent = lines.windows(2).enumerate().filter(|(_, pair)| language == "py" && is_silent(pair));
    for (at, _) in silent {
        remarks.push(Remark { at: Some(at + 1), text: "an error is caught and lost", ..of(BestPractices, Major, 800) });
    }
}

/// Code in comments: three such lines and more.
fn dead(language: &str, lines: &[Line<'_>], remarks: &mut Vec<Remark>) {
    static CODE: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"^\s*(?://|#)\s*(?:(?:let|const|var|return|if|for|while|import|from|def|fn|func)\b.*[;{:)]\s*$|[\w.]+\(.*\);?\s*$|[\w.\[\]]+\s*=\s*.+;\s*$|\}\s*$)",
        )
    });
    if matches!(language, "sh" | "bash") {
        return;
    }
    let is_dead = |line: &Line<'_>| line.origin == Origin::Added && CODE.is_match(line.text);
    let mut at = 0;
    for group in lines.chunk_by(|left, right| is_dead(left) == is_dead(right)) {
        if group.len() >= 3 && is_dead(&group[0]) {
            let text = "code in comments: the history keeps what was";
            remarks.push(Remark { at: Some(at), fix: Some(String::new()), text, ..of(BestPractices, Minor, 750) });
        }
        at += group.len();
    }
}
