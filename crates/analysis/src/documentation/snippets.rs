//! Pieces of code between blank lines, and how much each wants a comment.

use std::sync::LazyLock;

use regex::Regex;

use super::Spot;
use crate::edit::Line;
use crate::text::regex;
use annals_kernel::share::Share;

/// How a language writes comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Syntax {
    /// What begins a comment up to the end of the line.
    pub(super) line: &'static [&'static str],
    /// What begins one that goes over lines.
    pub(super) block: &'static [&'static str],
}

/// By the ending of a file's name; `None` for what is no code.
pub(super) fn syntax(language: &str) -> Option<Syntax> {
    let slashes = Syntax { line: &["//"], block: &["/*", "*"] };
    let hash = Syntax { line: &["#"], block: &["\"\"\"", "'''"] };
    Some(match language {
        "rs" | "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "go" | "java" | "kt" | "c" | "h" | "cc" | "cpp"
        | "hpp" | "cs" | "swift" | "scala" | "dart" | "zig" | "php" | "svelte" | "vue" => slashes,
        "py" | "rb" | "sh" | "bash" | "ex" | "exs" | "r" | "jl" | "pl" => hash,
        "sql" | "lua" | "hs" | "elm" => Syntax { line: &["--"], block: &["/*", "--[[", "{-"] },
        "lisp" | "clj" | "el" | "scm" => Syntax { line: &[";"], block: &[] },
        _ => return None,
    })
}

impl Syntax {
    /// The text of a line that is a comment and nothing else.
    pub(super) fn comment<'l>(&self, line: &'l str) -> Option<&'l str> {
        let trimmed = line.trim();
        let starts = self.line.iter().chain(self.block).find(|start| trimmed.starts_with(**start))?;
        // In C a line that begins with a star may be a dereference.
        let is_star = *starts == "*" && !(trimmed == "*" || trimmed.starts_with("* ") || trimmed.starts_with("*/"));
        (!is_star).then(|| trimmed.trim_start_matches(['/', '*', '#', '-', '!', '"', '\'', ';', '{']).trim())
    }

    /// Whether a comment stands anywhere on a line.
    pub(super) fn has_comment(&self, line: &str) -> bool {
        self.comment(line).is_some() || self.line.iter().any(|start| line.contains(&format!(" {start} ")))
    }
}

/// A piece of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Snippet<'e> {
    pub(super) lines: Vec<Line<'e>>,
}

/// A wish for a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) confidence: Share,
    pub(super) reason: String,
    pub(super) spot: Spot,
}

/// Pieces between blank lines, none longer than asked for.
pub(super) fn split<'e>(lines: &[Line<'e>], most: usize) -> Vec<Snippet<'e>> {
    let is_blank = |line: &Line<'_>| line.text.trim().is_empty();
    let groups = lines.chunk_by(|left, right| is_blank(left) == is_blank(right));
    let pieces = groups.filter(|group| !is_blank(&group[0])).flat_map(|group| group.chunks(most));
    pieces.map(|lines| Snippet { lines: lines.to_vec() }).collect()
}

static BRANCH: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"\b(?:if|elif|else if|for|while|match|switch|case|catch|except|unless|when)\b|&&|\|\||\?\s*\S+\s*:")
});
static COMBINED: LazyLock<Regex> = LazyLock::new(|| regex(r"&&|\|\||\band\b|\bor\b"));
/// A function that others may call, by the custom of its language.
static PUBLIC: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:pub (?:async |const |unsafe )*fn \w+|func (?:\([^)]*\) )?[A-Z]\w*\(|export (?:default )?(?:async )?function \w+|(?:async )?def [a-z]\w+\()",
    )
});
static MAGIC: LazyLock<Regex> = LazyLock::new(|| regex(r"[=<>*/+(,\s-]\s*(\d+(?:\.\d+)?|0x[0-9a-fA-F]+)\b"));
static REGEX: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?:re\.(?:compile|match|search|sub|findall)\(|Regex::new\(|regexp\.MustCompile\(|new RegExp\(|=\s*/[^/\s])[^\n]*[\\\[(+*?][^\n]*",
    )
});
static BITS: LazyLock<Regex> =
    LazyLock::new(|| regex(r"<<\s*\d|>>\s*\d|[^&]&\s*0x|\|=\s*\d|\^\s*\w|0x[0-9a-fA-F]{4,}"));
static HOLDS: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s*(?:import|from|use|#include|require|export \{|package|@)\b|^\s*[})\]]+[;,]?\s*$"));

/// What speaks for a comment, each with how sure it makes us.
struct Sign {
    weight: u16,
    reason: String,
}

impl Snippet<'_> {
    /// The first and the last line.
    pub(super) fn bounds(&self) -> (usize, usize) {
        let first = self.lines.first().map_or(1, |line| line.number);
        (first, self.lines.last().map_or(first, |line| line.number))
    }

    /// How much it wants a comment; nothing where it has one, or nothing speaks for it.
    pub(super) fn wish(&self, syntax: Syntax) -> Option<Wish> {
        let code: Vec<&str> = self.lines.iter().map(|line| line.text).filter(|text| !HOLDS.is_match(text)).collect();
        if code.len() < 3 || self.lines.iter().any(|line| syntax.has_comment(line.text)) {
            return None;
        }
        let signs = signs(&code);
        let strongest = signs.iter().map(|sign| sign.weight).max()?;
        // More signs of different kinds make surer, each a little.
        let more = u16::try_from(signs.len().saturating_sub(1)).unwrap_or(0).saturating_mul(80);
        let confidence = Share::thousandths(strongest.saturating_add(more).min(950));
        let is_inline = signs.len() == 1 && signs[0].reason.contains("expression");
        let reason = signs.into_iter().map(|sign| sign.reason).collect::<Vec<_>>().join(", ");
        Some(Wish { confidence, reason, spot: if is_inline { Spot::Inline } else { Spot::Top } })
    }
}

fn signs(code: &[&str]) -> Vec<Sign> {
    let matches = |pattern: &Regex| code.iter().map(|line| pattern.find_iter(line).count()).sum::<usize>();
    let branches = matches(&BRANCH);
    let numbers = magic(code);
    let mut signs = Vec::new();
    let mut add = |weight: u16, reason: String| signs.push(Sign { weight, reason });
    match branches {
        8.. => add(760, format!("{branches} branches")),
        5..8 => add(640, format!("{branches} branches")),
        _ => {}
    }
    if code.len() >= 15 && branches >= 3 {
        add(640, format!("{} lines without a break", code.len()));
    }
    if depth(code) >= 4 && branches >= 3 {
        add(640, "deeply nested".to_owned());
    }
    if code.iter().any(|line| COMBINED.find_iter(line).count() >= 3) {
        add(720, "a condition of many parts".to_owned());
    }
    match numbers.len() {
        3.. => add(720, format!("numbers without a name: {}", numbers.join(", "))),
        2 => add(640, format!("numbers without a name: {}", numbers.join(", "))),
        _ => {}
    }
    if is_undocumented(code) {
        add(720, "what others may call says nothing of what it does".to_owned());
    }
    if code.iter().any(|line| {
        REGEX
            .find(line)
            .is_some_and(|found| found.as_str().chars().filter(|letter| "\\[(+*?{".contains(*letter)).count() >= 6)
    }) {
        add(740, "a regular expression".to_owned());
    }
    if matches(&BITS) >= 2 {
        add(720, "arithmetic on bits".to_owned());
    }
    signs
}

/// How many steps of indentation there are within the piece.
fn depth(code: &[&str]) -> usize {
    let mut indents: Vec<usize> = code.iter().map(|line| line.len() - line.trim_start().len()).collect();
    indents.sort_unstable();
    indents.dedup();
    indents.len().saturating_sub(1)
}

/// A public function of ten lines and more at the start of the piece, whose first lines say nothing in words.
fn is_undocumented(code: &[&str]) -> bool {
    code.len() >= 10 && PUBLIC.is_match(code[0]) && !code[0].contains("main") && !code[0].contains("Test")
}

/// Numbers that mean something, and nobody says what.
fn magic(code: &[&str]) -> Vec<String> {
    const USUAL: [&str; 16] =
        ["0", "1", "2", "3", "4", "8", "10", "16", "100", "1000", "200", "404", "500", "0.0", "1.0", "0.5"];
    let mut found: Vec<String> = Vec::new();
    for line in code {
        let trimmed = line.trim_start();
        let is_named =
            ["const ", "static ", "pub const ", "export const "].iter().any(|start| trimmed.starts_with(start))
                || trimmed.split(['=', ':']).next().is_some_and(|name| {
                    name.chars().any(char::is_alphabetic)
                        && name.chars().all(|letter| {
                            letter.is_ascii_uppercase() || letter.is_ascii_digit() || "_ ".contains(letter)
                        })
                });
        if is_named || line.contains(['"', '\'', '`']) {
            continue;
        }
        for number in MAGIC.captures_iter(line).filter_map(|found| found.get(1)) {
            let number = number.as_str();
            if !USUAL.contains(&number) && !found.iter().any(|before| before == number) && found.len() < 8 {
                found.push(number.to_owned());
            }
        }
    }
    found
}
