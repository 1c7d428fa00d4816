//! The rules of review: patterns for lines, which stand in `rules.toml`, and a few that look at more than one line.
//!
//! By the ending of the file's name. A comment or a string can fool them; that is what their confidence says.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Deserializer};

use super::Category::{BestPractices, Formatting};
use super::Severity::{Major, Minor};
use super::{Category, Comment, FileLocation, LineOf, Severity};
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
        let location = FileLocation {
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

/// Where a rule looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RulePlace {
    #[default]
    Code,
    NoTests,
    Tests,
}

/// A rule for a line, as `rules.toml` has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewRule {
    /// A group of endings, or `any`.
    languages: Box<str>,
    #[serde(default)]
    place: RulePlace,
    category: Category,
    severity: Severity,
    /// In thousandths.
    confidence: u16,
    #[serde(default = "a_linter")]
    linter: bool,
    /// Whether comments are looked at.
    #[serde(default)]
    comments: bool,
    #[serde(deserialize_with = "pattern")]
    pattern: Regex,
    /// Excuses the line.
    #[serde(default, deserialize_with = "some_pattern")]
    unless: Option<Regex>,
    /// Excuses the line below the one that has it.
    #[serde(default, deserialize_with = "some_pattern")]
    unless_above: Option<Regex>,
    pub(super) text: Box<str>,
    url: Option<Box<str>>,
    #[cfg(test)]
    pub(super) hits: Vec<String>,
    #[cfg(test)]
    pub(super) misses: Vec<String>,
    #[cfg(not(test))]
    #[serde(rename = "hits")]
    _hits: serde::de::IgnoredAny,
    #[cfg(not(test))]
    #[serde(rename = "misses")]
    _misses: serde::de::IgnoredAny,
}

fn a_linter() -> bool {
    true
}

fn pattern<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Regex, D::Error> {
    Ok(regex(&String::deserialize(deserializer)?))
}

fn some_pattern<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Regex>, D::Error> {
    pattern(deserializer).map(Some)
}

/// All rules for single lines.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    /// Groups of endings.
    languages: BTreeMap<Box<str>, Vec<Box<str>>>,
    #[serde(rename = "rule")]
    pub(super) rules: Vec<ReviewRule>,
}

pub(super) static TABLE: LazyLock<Table> =
    LazyLock::new(|| toml_edit::de::from_str(include_str!("rules.toml")).expect("BUG: a row of rules.toml"));

impl Table {
    /// An ending that a rule is for.
    #[cfg(test)]
    pub(super) fn ending(&self, rule: &ReviewRule) -> &str {
        self.languages.get(&rule.languages).map_or("js", |endings| &endings[0])
    }

    fn is_for(&self, rule: &ReviewRule, language: &str) -> bool {
        let named = || self.languages.get(&rule.languages).is_some_and(|all| all.iter().any(|one| **one == *language));
        *rule.languages == *"any" || named()
    }
}

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
    let is_here = |rule: &&ReviewRule| rule.place == RulePlace::Code || is_test == (rule.place == RulePlace::Tests);
    let rules: Vec<_> = TABLE.rules.iter().filter(|rule| TABLE.is_for(rule, &language)).filter(is_here).collect();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.text.len() <= MOST_BYTES) {
        for rule in &rules {
            if rule.pattern.is_match(line.text) && !rule.excuses(lines, at) {
                remarks.push(rule.remark(at));
            }
        }
    }
    functions(&language, lines, &mut remarks);
    nested(lines, &mut remarks);
    dead(&language, lines, &mut remarks);
    swallowed(&language, lines, &mut remarks);
    // An edit shows the lines that it brings, so that in practice only whole files are found.
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

impl ReviewRule {
    fn remark(&'static self, at: usize) -> Remark {
        Remark {
            at: Some(at),
            text: &self.text,
            url: self.url.as_deref(),
            automatable: self.linter,
            ..of(self.category, self.severity, self.confidence)
        }
    }

    /// What only looks like it: comments, texts in quotes, a word that excuses it.
    fn excuses(&self, lines: &[Line<'_>], at: usize) -> bool {
        let line = lines[at].text;
        let is_comment = ["//", "#", "*", "/*", "<!--", "--"].iter().any(|start| line.trim_start().starts_with(start));
        let above = at.checked_sub(1).and_then(|at| lines.get(at)).map(|line| line.text).unwrap_or_default();
        is_comment && !self.comments && self.category != Formatting
            || self.unless.as_ref().is_some_and(|unless| unless.is_match(line))
            || self.unless_above.as_ref().is_some_and(|unless| unless.is_match(above))
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
            // Python ends a body by its indent alone, everything else here by a brace.
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
