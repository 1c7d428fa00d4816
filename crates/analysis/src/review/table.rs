//! The table of rules for single lines, by language.
//!
//! A pattern, what is wrong with a line that has it, and how sure that makes us. `rules` applies it.

use super::Category::{BestPractices, CodeIdioms, Documentation, Formatting, LanguageFeatures, Naming};
use super::Severity::{Critical, Major, Minor, Nit};
use super::{Category, Severity};

/// Where a rule looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum In {
    /// All code.
    Code,
    /// Code that is no test.
    NoTests,
    /// Tests.
    Tests,
}

/// Who could find it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// A linter.
    Linter,
    /// A reader.
    Reader,
}

/// A rule for a line.
pub(super) struct Rule {
    pub(super) languages: &'static [&'static str],
    pub(super) place: In,
    pub(super) category: Category,
    pub(super) severity: Severity,
    pub(super) confidence: u16,
    pub(super) by: By,
    pub(super) pattern: &'static str,
    pub(super) text: &'static str,
    pub(super) url: Option<&'static str>,
}

const JS: &[&str] = &["js", "jsx", "ts", "tsx", "mjs", "cjs", "svelte", "vue"];
const TS: &[&str] = &["ts", "tsx"];
const PY: &[&str] = &["py"];
const RS: &[&str] = &["rs"];
const GO: &[&str] = &["go"];
const SH: &[&str] = &["sh", "bash"];
const SQL: &[&str] = &["py", "js", "ts", "go", "rb", "java", "php", "rs", "cs"];
const ANY: &[&str] = &[];

/// All rules for single lines.
#[rustfmt::skip]
pub(super) const RULES: [Rule; 45] = [
    Rule {
        languages: ANY, place: In::Code, category: BestPractices, severity: Critical, confidence: 850, by: By::Linter, url: None,
        pattern: r#"(?i)(?:api[_-]?key|secret|passw(?:or)?d|token)\w*["']?\s*[:=]\s*["'](?:sk-|ghp_|AKIA|xox)[A-Za-z0-9_\-]{12,}["']"#,
        text: "a secret stands in the code; read it from the environment",
    },
    Rule {
        languages: ANY, place: In::NoTests, category: BestPractices, severity: Minor, confidence: 850, by: By::Reader, url: None,
        pattern: r#"["'](?:/Users/[a-z]\w+|/home/[a-z]\w+|C:\\\\Users\\\\\w+)/"#,
        text: "a path of one machine stands in the code",
    },
    Rule {
        languages: ANY, place: In::Code, category: Documentation, severity: Minor, confidence: 750, by: By::Linter, url: None,
        pattern: r"(?:#|//|/\*|--)\s*(?:TODO|FIXME|XXX|HACK)\b(?:[:\s]|$)",
        text: "a promise without an issue: nobody will come back to it",
    },
    Rule {
        languages: ANY, place: In::Code, category: Formatting, severity: Nit, confidence: 950, by: By::Linter, url: None,
        pattern: r"\S[ \t]+$",
        text: "white space at the end of the line",
    },
    Rule {
        languages: ANY, place: In::Code, category: Formatting, severity: Nit, confidence: 900, by: By::Linter, url: None,
        pattern: r"^.{161,}$",
        text: "a very long line",
    },
    Rule {
        languages: ANY, place: In::Code, category: Naming, severity: Minor, confidence: 800, by: By::Reader, url: None,
        pattern: r"\b(?:fn|def|func|function|class|struct|const|let|var)\s+(?:foo|bar|baz|tmp\d+|temp\d+|data\d+|test\d+|my(?:Function|Class|Var)|asdf|stuff|thing)\b",
        text: "the name says nothing of what it is for",
    },
    Rule {
        languages: ANY, place: In::Code, category: BestPractices, severity: Major, confidence: 800, by: By::Linter, url: None,
        pattern: r"\bverify\s*=\s*False\b|rejectUnauthorized:\s*false|InsecureSkipVerify:\s*true|danger_accept_invalid_certs\(true\)|NODE_TLS_REJECT_UNAUTHORIZED",
        text: "certificates are not checked",
    },
    Rule {
        languages: JS, place: In::Code, category: LanguageFeatures, severity: Minor, confidence: 850, by: By::Linter, url: Some("https://eslint.org/docs/latest/rules/no-var"),
        pattern: r"(?:^|[;{(]\s*)var\s+\w+\s*=",
        text: "`var` is seen in the whole function; `const` or `let` is not",
    },
    Rule {
        languages: JS, place: In::Code, category: LanguageFeatures, severity: Minor, confidence: 800, by: By::Linter, url: Some("https://eslint.org/docs/latest/rules/eqeqeq"),
        pattern: r#"[\w)\]'"]\s(?:==|!=)\s(?:[\w('"]|-\d)"#,
        text: "`==` converts what it compares; `===` does not",
    },
    Rule {
        languages: TS, place: In::NoTests, category: LanguageFeatures, severity: Minor, confidence: 800, by: By::Linter, url: Some("https://typescript-eslint.io/rules/no-explicit-any"),
        pattern: r"\bas any\b|:\s*any\b(?:\s*[,;)=\[>]|$)|<any>",
        text: "`any` switches the type checker off from here on",
    },
    Rule {
        languages: TS, place: In::Code, category: LanguageFeatures, severity: Major, confidence: 850, by: By::Linter, url: Some("https://typescript-eslint.io/rules/ban-ts-comment"),
        pattern: r"//\s*@ts-(?:ignore|nocheck)\b",
        text: "the type checker is told to look away",
    },
    Rule {
        languages: JS, place: In::NoTests, category: CodeIdioms, severity: Minor, confidence: 720, by: By::Linter, url: Some("https://eslint.org/docs/latest/rules/no-console"),
        pattern: r"^\s*console\.(?:log|debug)\(",
        text: "an output for debugging stays in the code",
    },
    Rule {
        languages: JS, place: In::Code, category: BestPractices, severity: Major, confidence: 850, by: By::Linter, url: Some("https://eslint.org/docs/latest/rules/no-empty"),
        pattern: r"catch\s*(?:\(\w*\))?\s*\{\s*\}",
        text: "an error is caught and lost",
    },
    Rule {
        languages: JS, place: In::Code, category: BestPractices, severity: Critical, confidence: 800, by: By::Linter, url: Some("https://eslint.org/docs/latest/rules/no-eval"),
        pattern: r"(?:^|[^.\w])eval\(|new Function\(",
        text: "text is run as code",
    },
    Rule {
        languages: JS, place: In::Code, category: BestPractices, severity: Major, confidence: 750, by: By::Linter, url: None,
        pattern: r"\bdangerouslySetInnerHTML\b|\.innerHTML\s*=[^=]",
        text: "text becomes part of the page as it is: scripts, too",
    },
    Rule {
        languages: JS, place: In::Code, category: LanguageFeatures, severity: Minor, confidence: 800, by: By::Linter, url: None,
        pattern: r"//\s*eslint-disable",
        text: "the linter is told to look away",
    },
    Rule {
        languages: JS, place: In::Code, category: CodeIdioms, severity: Minor, confidence: 750, by: By::Linter, url: Some("https://eslint.org/docs/latest/rules/no-nested-ternary"),
        pattern: r"\?[^:?]{1,80}:[^?:]{1,80}\?[^:?]{1,80}:",
        text: "a choice within a choice on one line",
    },
    Rule {
        languages: PY, place: In::Code, category: BestPractices, severity: Major, confidence: 900, by: By::Linter, url: Some("https://docs.astral.sh/ruff/rules/bare-except"),
        pattern: r"^\s*except\s*:",
        text: "it catches everything, an interrupt from the keyboard too",
    },
    Rule {
        languages: PY, place: In::Code, category: BestPractices, severity: Major, confidence: 950, by: By::Linter, url: Some("https://docs.astral.sh/ruff/rules/mutable-argument-default"),
        pattern: r"\bdef\s+\w+\([^)]*=\s*(?:\[\]|\{\}|set\(\)|dict\(\)|list\(\))",
        text: "the default is one object for all calls",
    },
    Rule {
        languages: PY, place: In::Code, category: CodeIdioms, severity: Minor, confidence: 900, by: By::Linter, url: Some("https://docs.astral.sh/ruff/rules/none-comparison"),
        pattern: r"[^=!<>]==\s*None\b|!=\s*None\b|==\s*(?:True|False)\b",
        text: "`is` is meant: `==` may be overloaded",
    },
    Rule {
        languages: PY, place: In::Code, category: CodeIdioms, severity: Minor, confidence: 800, by: By::Linter, url: None,
        pattern: r"\bfor\s+\w+\s+in\s+range\(len\(",
        text: "`enumerate` gives index and value",
    },
    Rule {
        languages: PY, place: In::Code, category: CodeIdioms, severity: Minor, confidence: 750, by: By::Linter, url: None,
        pattern: r"\bif\s+(?:not\s+)?len\([\w.]+\)\s*(?:==|>|!=)\s*0\b",
        text: "an empty collection is false by itself",
    },
    Rule {
        languages: PY, place: In::Code, category: LanguageFeatures, severity: Minor, confidence: 750, by: By::Linter, url: None,
        pattern: r"#\s*type:\s*ignore(?:\s*$|[^\[])|#\s*noqa\s*$",
        text: "the checker is told to look away, and not from what",
    },
    Rule {
        languages: PY, place: In::Code, category: BestPractices, severity: Critical, confidence: 750, by: By::Linter, url: None,
        pattern: r"(?:^|[^.\w])(?:eval|exec)\(|shell\s*=\s*True|\bpickle\.loads?\(|\byaml\.load\([^)]*\)\s*$",
        text: "what comes in may be run",
    },
    Rule {
        languages: PY, place: In::Code, category: CodeIdioms, severity: Minor, confidence: 850, by: By::Linter, url: Some("https://docs.astral.sh/ruff/rules/undefined-local-with-import-star"),
        pattern: r"^\s*from\s+[\w.]+\s+import\s+\*",
        text: "nobody sees which names come in",
    },
    Rule {
        languages: SQL, place: In::NoTests, category: BestPractices, severity: Critical, confidence: 750, by: By::Linter, url: None,
        pattern: r#"(?:f"|["'`])\s*(?:SELECT\s.{1,80}\sFROM|INSERT\s+INTO|UPDATE\s.{1,60}\sSET|DELETE\s+FROM)\s[^"'`]*(?:\{\w+[\w.]*\}|["']\s*\+\s*\w|\$\{)"#,
        text: "a query is put together from text; parameters keep data apart from commands",
    },
    Rule {
        languages: RS, place: In::NoTests, category: LanguageFeatures, severity: Minor, confidence: 700, by: By::Linter, url: Some("https://rust-lang.github.io/rust-clippy/master/#unwrap_used"),
        pattern: r"\.unwrap\(\)",
        text: "it panics where an error could be given back",
    },
    Rule {
        languages: RS, place: In::Code, category: CodeIdioms, severity: Minor, confidence: 900, by: By::Linter, url: Some("https://rust-lang.github.io/rust-clippy/master/#ptr_arg"),
        pattern: r"&(?:'\w+ )?(?:String\b|Vec<[\w<>]+>)\s*[,)]",
        text: "a slice takes more callers than a reference to the owner",
    },
    Rule {
        languages: RS, place: In::Code, category: BestPractices, severity: Minor, confidence: 850, by: By::Linter, url: Some("https://rust-lang.github.io/rust-clippy/master/#dbg_macro"),
        pattern: r"\b(?:dbg|todo|unimplemented)!\(",
        text: "it is not finished",
    },
    Rule {
        languages: RS, place: In::Code, category: BestPractices, severity: Major, confidence: 750, by: By::Reader, url: None,
        pattern: r"\bunsafe\s*\{",
        text: "nothing says why this is sound",
    },
    Rule {
        languages: GO, place: In::NoTests, category: BestPractices, severity: Major, confidence: 750, by: By::Linter, url: Some("https://golangci-lint.run/usage/linters/#errcheck"),
        pattern: r"^\s*(?:\w+\s*,\s*)?_\s*:?=\s*(?:os|json|io|ioutil|http|sql|strconv|exec|filepath)\.\w+\(",
        text: "an error is thrown away",
    },
    Rule {
        languages: GO, place: In::Code, category: LanguageFeatures, severity: Minor, confidence: 800, by: By::Linter, url: None,
        pattern: r"\binterface\{\}",
        text: "`any` is its name now",
    },
    Rule {
        languages: GO, place: In::NoTests, category: BestPractices, severity: Minor, confidence: 750, by: By::Linter, url: None,
        pattern: r"^\s*panic\(",
        text: "it ends the program where an error could be given back",
    },
    Rule {
        languages: SH, place: In::Code, category: BestPractices, severity: Major, confidence: 750, by: By::Linter, url: None,
        pattern: r"\brm\s+-rf?\s+\$\w+|\bchmod\s+(?:-R\s+)?777\b|curl\s[^|]*\|\s*(?:sudo\s+)?(?:ba)?sh\b",
        text: "one empty variable or one bad answer, and it does harm",
    },
    Rule {
        languages: ANY, place: In::Tests, category: BestPractices, severity: Minor, confidence: 750, by: By::Reader, url: None,
        pattern: r"\b(?:time\.sleep|time\.Sleep|thread::sleep|Thread\.sleep|sleep)\(\s*(?:time\.|Duration|\d)",
        text: "a test that waits for a time fails on a slow machine, and is slow on a fast one",
    },
    Rule {
        languages: PY, place: In::NoTests, category: BestPractices, severity: Minor, confidence: 750, by: By::Linter, url: Some("https://docs.astral.sh/ruff/rules/open-file-with-context-handler"),
        pattern: r"^\s*\w+\s*=\s*open\(",
        text: "nobody closes the file when something fails; `with` does",
    },
    Rule {
        languages: PY, place: In::Code, category: LanguageFeatures, severity: Minor, confidence: 850, by: By::Linter, url: Some("https://docs.astral.sh/ruff/rules/type-comparison"),
        pattern: r"\btype\(\w+\)\s*(?:==|!=|is)\s",
        text: "`isinstance` knows subclasses, too",
    },
    Rule {
        languages: PY, place: In::Code, category: CodeIdioms, severity: Minor, confidence: 800, by: By::Linter, url: Some("https://docs.astral.sh/ruff/rules/lambda-assignment"),
        pattern: r"^\s*\w+\s*=\s*lambda\b",
        text: "a function that has a name can be written as one",
    },
    Rule {
        languages: PY, place: In::NoTests, category: BestPractices, severity: Minor, confidence: 800, by: By::Linter, url: None,
        pattern: r"\bos\.system\(",
        text: "a shell reads the text; `subprocess.run` takes a list",
    },
    Rule {
        languages: PY, place: In::Code, category: Naming, severity: Minor, confidence: 800, by: By::Linter, url: Some("https://docs.astral.sh/ruff/rules/invalid-function-name"),
        pattern: r"^\s*def\s+[a-z]+[A-Z]\w*\(",
        text: "functions have names with underscores here",
    },
    Rule {
        languages: JS, place: In::Code, category: BestPractices, severity: Major, confidence: 850, by: By::Linter, url: None,
        pattern: r"\.forEach\(\s*async\b",
        text: "nobody waits for what this begins",
    },
    Rule {
        languages: JS, place: In::NoTests, category: CodeIdioms, severity: Minor, confidence: 750, by: By::Linter, url: None,
        pattern: r"JSON\.parse\(JSON\.stringify\(",
        text: "`structuredClone` copies what JSON loses",
    },
    Rule {
        languages: JS, place: In::Code, category: BestPractices, severity: Minor, confidence: 750, by: By::Linter, url: None,
        pattern: r"\bkey=\{(?:index|idx|i)\}",
        text: "the place in a list is no key: what moves is mixed up",
    },
    Rule {
        languages: TS, place: In::NoTests, category: LanguageFeatures, severity: Minor, confidence: 850, by: By::Linter, url: None,
        pattern: r"\bas unknown as\b",
        text: "the type checker is talked into it",
    },
    Rule {
        languages: GO, place: In::NoTests, category: BestPractices, severity: Minor, confidence: 720, by: By::Linter, url: None,
        pattern: r"\bhttp\.(?:Get|Post)\(|http\.DefaultClient\b",
        text: "it waits for ever: the client has no time limit",
    },
];
