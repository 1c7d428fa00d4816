//! The rules of review: a table of patterns for lines, and a few that look at more than one line.
//!
//! By the ending of the file's name. A comment or a string can fool them; that is what their confidence says.

use std::sync::LazyLock;

use regex::Regex;

use super::{Category, Comment, LineOf, Location, Severity};
use crate::analysis::edit::{Edit, Line, Origin};
use crate::kernel::id::EntryId;
use crate::kernel::share::Share;

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
            snippet: line.map(|line| crate::analysis::text::short(line.text, 160)),
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
#[derive(Clone, Copy, PartialEq, Eq)]
enum In {
    /// All code.
    Code,
    /// Code that is no test.
    NoTests,
}

/// Whether a linter could find it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Linter,
    Reader,
}

struct Rule {
    languages: &'static [&'static str],
    place: In,
    category: Category,
    severity: Severity,
    confidence: u16,
    by: By,
    pattern: &'static str,
    text: &'static str,
    url: Option<&'static str>,
}

const JS: &[&str] = &["js", "jsx", "ts", "tsx", "mjs", "cjs", "svelte", "vue"];
const TS: &[&str] = &["ts", "tsx"];
const PY: &[&str] = &["py"];
const RS: &[&str] = &["rs"];
const GO: &[&str] = &["go"];
const SH: &[&str] = &["sh", "bash"];
const ANY: &[&str] = &[];

use Category::{BestPractices, CodeIdioms, Documentation, Formatting, LanguageFeatures, Naming};
use Severity::{Critical, Major, Minor, Nit};

const RULES: [Rule; 34] = [
    Rule {
        languages: ANY,
        place: In::Code,
        category: BestPractices,
        severity: Critical,
        confidence: 850,
        by: By::Linter,
        pattern: r#"(?i)(?:api[_-]?key|secret|passw(?:or)?d|token)\w*["']?\s*[:=]\s*["'](?:sk-|ghp_|AKIA|xox)[A-Za-z0-9_\-]{12,}["']"#,
        text: "a secret stands in the code; read it from the environment",
        url: None,
    },
    Rule {
        languages: ANY,
        place: In::NoTests,
        category: BestPractices,
        severity: Minor,
        confidence: 850,
        by: By::Reader,
        pattern: r#"["'](?:/Users/[a-z]\w+|/home/[a-z]\w+|C:\\\\Users\\\\\w+)/"#,
        text: "a path of one machine stands in the code",
        url: None,
    },
    Rule {
        languages: ANY,
        place: In::Code,
        category: Documentation,
        severity: Minor,
        confidence: 750,
        by: By::Linter,
        pattern: r"(?:#|//|/\*|--)\s*(?:TODO|FIXME|XXX|HACK)\b(?:[:\s]|$)",
        text: "a promise without an issue: nobody will come back to it",
        url: None,
    },
    Rule {
        languages: ANY,
        place: In::Code,
        category: Formatting,
        severity: Nit,
        confidence: 950,
        by: By::Linter,
        pattern: r"\S[ \t]+$",
        text: "white space at the end of the line",
        url: None,
    },
    Rule {
        languages: ANY,
        place: In::Code,
        category: Formatting,
        severity: Nit,
        confidence: 900,
        by: By::Linter,
        pattern: r"^.{161,}$",
        text: "a very long line",
        url: None,
    },
    Rule {
        languages: ANY,
        place: In::Code,
        category: Naming,
        severity: Minor,
        confidence: 800,
        by: By::Reader,
        pattern: r"\b(?:fn|def|func|function|class|struct|const|let|var)\s+(?:foo|bar|baz|tmp\d+|temp\d+|data\d+|test\d+|my(?:Function|Class|Var)|asdf|stuff|thing)\b",
        text: "the name says nothing of what it is for",
        url: None,
    },
    Rule {
        languages: ANY,
        place: In::Code,
        category: BestPractices,
        severity: Major,
        confidence: 800,
        by: By::Linter,
        pattern: r"\bverify\s*=\s*False\b|rejectUnauthorized:\s*false|InsecureSkipVerify:\s*true|danger_accept_invalid_certs\(true\)|NODE_TLS_REJECT_UNAUTHORIZED",
        text: "certificates are not checked",
        url: None,
    },
    Rule {
        languages: JS,
        place: In::Code,
        category: LanguageFeatures,
        severity: Minor,
        confidence: 850,
        by: By::Linter,
        pattern: r"(?:^|[;{(]\s*)var\s+\w+\s*=",
        text: "`var` is seen in the whole function; `const` or `let` is not",
        url: Some("https://eslint.org/docs/latest/rules/no-var"),
    },
    Rule {
        languages: JS,
        place: In::Code,
        category: LanguageFeatures,
        severity: Minor,
        confidence: 800,
        by: By::Linter,
        pattern: r#"[\w)\]'"]\s(?:==|!=)\s(?:[\w('"]|-\d)"#,
        text: "`==` converts what it compares; `===` does not",
        url: Some("https://eslint.org/docs/latest/rules/eqeqeq"),
    },
    Rule {
        languages: TS,
        place: In::NoTests,
        category: LanguageFeatures,
        severity: Minor,
        confidence: 800,
        by: By::Linter,
        pattern: r"\bas any\b|:\s*any\b(?:\s*[,;)=\[>]|$)|<any>",
        text: "`any` switches the type checker off from here on",
        url: Some("https://typescript-eslint.io/rules/no-explicit-any"),
    },
    Rule {
        languages: TS,
        place: In::Code,
        category: LanguageFeatures,
        severity: Major,
        confidence: 850,
        by: By::Linter,
        pattern: r"//\s*@ts-(?:ignore|nocheck)\b",
        text: "the type checker is told to look away",
        url: Some("https://typescript-eslint.io/rules/ban-ts-comment"),
    },
    Rule {
        languages: JS,
        place: In::NoTests,
        category: CodeIdioms,
        severity: Minor,
        confidence: 720,
        by: By::Linter,
        pattern: r"^\s*console\.(?:log|debug)\(",
        text: "an output for debugging stays in the code",
        url: Some("https://eslint.org/docs/latest/rules/no-console"),
    },
    Rule {
        languages: JS,
        place: In::Code,
        category: BestPractices,
        severity: Major,
        confidence: 850,
        by: By::Linter,
        pattern: r"catch\s*(?:\(\w*\))?\s*\{\s*\}",
        text: "an error is caught and lost",
        url: Some("https://eslint.org/docs/latest/rules/no-empty"),
    },
    Rule {
        languages: JS,
        place: In::Code,
        category: BestPractices,
        severity: Critical,
        confidence: 800,
        by: By::Linter,
        pattern: r"(?:^|[^.\w])eval\(|new Function\(",
        text: "text is run as code",
        url: Some("https://eslint.org/docs/latest/rules/no-eval"),
    },
    Rule {
        languages: JS,
        place: In::Code,
        category: BestPractices,
        severity: Major,
        confidence: 750,
        by: By::Linter,
        pattern: r"\bdangerouslySetInnerHTML\b|\.innerHTML\s*=[^=]",
        text: "text becomes part of the page as it is: scripts, too",
        url: None,
    },
    Rule {
        languages: JS,
        place: In::Code,
        category: LanguageFeatures,
        severity: Minor,
        confidence: 800,
        by: By::Linter,
        pattern: r"//\s*eslint-disable",
        text: "the linter is told to look away",
        url: None,
    },
    Rule {
        languages: JS,
        place: In::Code,
        category: CodeIdioms,
        severity: Minor,
        confidence: 750,
        by: By::Linter,
        pattern: r"\?[^:?]{1,80}:[^?:]{1,80}\?[^:?]{1,80}:",
        text: "a choice within a choice on one line",
        url: Some("https://eslint.org/docs/latest/rules/no-nested-ternary"),
    },
    Rule {
        languages: PY,
        place: In::Code,
        category: BestPractices,
        severity: Major,
        confidence: 900,
        by: By::Linter,
        pattern: r"^\s*except\s*:",
        text: "it catches everything, an interrupt from the keyboard too",
        url: Some("https://docs.astral.sh/ruff/rules/bare-except"),
    },
    Rule {
        languages: PY,
        place: In::Code,
        category: BestPractices,
        severity: Major,
        confidence: 950,
        by: By::Linter,
        pattern: r"\bdef\s+\w+\([^)]*=\s*(?:\[\]|\{\}|set\(\)|dict\(\)|list\(\))",
        text: "the default is one object for all calls",
        url: Some("https://docs.astral.sh/ruff/rules/mutable-argument-default"),
    },
    Rule {
        languages: PY,
        place: In::Code,
        category: CodeIdioms,
        severity: Minor,
        confidence: 900,
        by: By::Linter,
        pattern: r"[^=!<>]==\s*None\b|!=\s*None\b|==\s*(?:True|False)\b",
        text: "`is` is meant: `==` may be overloaded",
        url: Some("https://docs.astral.sh/ruff/rules/none-comparison"),
    },
    Rule {
        languages: PY,
        place: In::Code,
        category: CodeIdioms,
        severity: Minor,
        confidence: 800,
        by: By::Linter,
        pattern: r"\bfor\s+\w+\s+in\s+range\(len\(",
        text: "`enumerate` gives index and value",
        url: None,
    },
    Rule {
        languages: PY,
        place: In::Code,
        category: CodeIdioms,
        severity: Minor,
        confidence: 750,
        by: By::Linter,
        pattern: r"\bif\s+(?:not\s+)?len\([\w.]+\)\s*(?:==|>|!=)\s*0\b",
        text: "an empty collection is false by itself",
        url: None,
    },
    Rule {
        languages: PY,
        place: In::Code,
        category: LanguageFeatures,
        severity: Minor,
        confidence: 750,
        by: By::Linter,
        pattern: r"#\s*type:\s*ignore(?:\s*$|[^\[])|#\s*noqa\s*$",
        text: "the checker is told to look away, and not from what",
        url: None,
    },
    Rule {
        languages: PY,
        place: In::Code,
        category: BestPractices,
        severity: Critical,
        confidence: 750,
        by: By::Linter,
        pattern: r"(?:^|[^.\w])(?:eval|exec)\(|shell\s*=\s*True|\bpickle\.loads?\(|\byaml\.load\([^)]*\)\s*$",
        text: "what comes in may be run",
        url: None,
    },
    Rule {
        languages: PY,
        place: In::Code,
        category: CodeIdioms,
        severity: Minor,
        confidence: 850,
        by: By::Linter,
        pattern: r"^\s*from\s+[\w.]+\s+import\s+\*",
        text: "nobody sees which names come in",
        url: Some("https://docs.astral.sh/ruff/rules/undefined-local-with-import-star"),
    },
    Rule {
        languages: &["py", "js", "ts", "go", "rb", "java", "php", "rs", "cs"],
        place: In::NoTests,
        category: BestPractices,
        severity: Critical,
        confidence: 750,
        by: By::Linter,
        pattern: r#"(?:f"|["'`])\s*(?:SELECT\s.{1,80}\sFROM|INSERT\s+INTO|UPDATE\s.{1,60}\sSET|DELETE\s+FROM)\s[^"'`]*(?:\{\w+[\w.]*\}|["']\s*\+\s*\w|\$\{)"#,
        text: "a query is put together from text; parameters keep data apart from commands",
        url: None,
    },
    Rule {
        languages: RS,
        place: In::NoTests,
        category: LanguageFeatures,
        severity: Minor,
        confidence: 700,
        by: By::Linter,
        pattern: r"\.unwrap\(\)",
        text: "it panics where an error could be given back",
        url: Some("https://rust-lang.github.io/rust-clippy/master/#unwrap_used"),
    },
    Rule {
        languages: RS,
        place: In::Code,
        category: CodeIdioms,
        severity: Minor,
        confidence: 900,
        by: By::Linter,
        pattern: r"&(?:'\w+ )?(?:String|Vec<\w+>)\b\s*[,)]",
        text: "a slice takes more callers than a reference to the owner",
        url: Some("https://rust-lang.github.io/rust-clippy/master/#ptr_arg"),
    },
    Rule {
        languages: RS,
        place: In::Code,
        category: BestPractices,
        severity: Minor,
        confidence: 850,
        by: By::Linter,
        pattern: r"\b(?:dbg|todo|unimplemented)!\(",
        text: "it is not finished",
        url: Some("https://rust-lang.github.io/rust-clippy/master/#dbg_macro"),
    },
    Rule {
        languages: RS,
        place: In::Code,
        category: BestPractices,
        severity: Major,
        confidence: 750,
        by: By::Reader,
        pattern: r"\bunsafe\s*\{",
        text: "nothing says why this is sound",
        url: None,
    },
    Rule {
        languages: GO,
        place: In::NoTests,
        category: BestPractices,
        severity: Major,
        confidence: 750,
        by: By::Linter,
        pattern: r"^\s*(?:\w+\s*,\s*)?_\s*:?=\s*(?:os|json|io|ioutil|http|sql|strconv|exec|filepath)\.\w+\(",
        text: "an error is thrown away",
        url: Some("https://golangci-lint.run/usage/linters/#errcheck"),
    },
    Rule {
        languages: GO,
        place: In::Code,
        category: LanguageFeatures,
        severity: Minor,
        confidence: 800,
        by: By::Linter,
        pattern: r"\binterface\{\}",
        text: "`any` is its name now",
        url: None,
    },
    Rule {
        languages: GO,
        place: In::NoTests,
        category: BestPractices,
        severity: Minor,
        confidence: 750,
        by: By::Linter,
        pattern: r"^\s*panic\(",
        text: "it ends the program where an error could be given back",
        url: None,
    },
    Rule {
        languages: SH,
        place: In::Code,
        category: BestPractices,
        severity: Major,
        confidence: 750,
        by: By::Linter,
        pattern: r#"\brm\s+-rf?\s+\$\w+|\bchmod\s+(?:-R\s+)?777\b|curl\s[^|]*\|\s*(?:sudo\s+)?(?:ba)?sh\b"#,
        text: "one empty variable or one bad answer, and it does harm",
        url: None,
    },
];

static COMPILED: LazyLock<Vec<Regex>> =
    LazyLock::new(|| RULES.iter().map(|rule| Regex::new(rule.pattern).expect("BUG: a pattern of ours")).collect());

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
            let is_here = is_for && (rule.place == In::Code || !is_test);
            if is_here && pattern.is_match(line.text) && !is_excused(rule, line.text, lines, at) {
                remarks.push(rule.remark(at));
            }
        }
    }
    functions(&language, lines, &mut remarks);
    nested(lines, &mut remarks);
    dead(&language, lines, &mut remarks);
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
    let name = crate::analysis::text::base(&file);
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
        Regex::new(pattern).expect("BUG: a pattern of ours")
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
    static BRANCH: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*(?:\}\s*)?(?:else\s+)?(?:if|for|while|match|switch|loop|try|with)\b.*[{:]\s*$")
            .expect("BUG: a pattern of ours")
    });
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

/// Code in comments: three such lines and more.
fn dead(language: &str, lines: &[Line<'_>], remarks: &mut Vec<Remark>) {
    static CODE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*(?://|#)\s*(?:(?:let|const|var|return|if|for|while|import|from|def|fn|func)\b.*[;{:)]\s*$|[\w.]+\(.*\);?\s*$|[\w.\[\]]+\s*=\s*.+;\s*$|\}\s*$)").expect("BUG: a pattern of ours")
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
