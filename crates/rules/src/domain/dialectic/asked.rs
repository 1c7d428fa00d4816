//! What a task asks for: an act, or work on code and words about one.
//!
//! "Delete the stale branches" is an act; "add a test for delete", "delete `cache.rs`" and "fix the deploy script" are work that version
//! control takes back. Told by the verb with which each clause begins, and by what it is about. Does not understand a text.

use std::sync::LazyLock;

use regex::Regex;

use super::identity::canonical;

/// Of a text so many characters are looked at: further down a prompt quotes, plans and explains.
const LOOKED_AT: usize = 1500;

/// What only names something: code, paths, quotes, addresses, commands of an agent.
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    let code = r#"(?s)```.*?(?:```|$)|`[^`\n]*`|"[^"\n]{1,200}""#;
    let names = r"https?://\S+|(?m:^\s*/[a-z][\w-]*)|\S*\w/\S+|\b[\w-]+\.(?:c|cc|cpp|cs|css|go|h|html|java|js|json|jsx|kt|md|py|rb|rs|sh|sql|swift|toml|ts|tsx|txt|yaml|yml)\b|\b\w+\(\)|\b\w+_\w+\b";
    Regex::new(&format!("{code}|{names}")).expect("BUG: the pattern of names")
});

/// Where a clause ends.
static ENDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[.!?;:]\s|[,\n]|\b(?:and|then|but|because|so that)\b").expect("BUG: the pattern of clauses")
});

/// What a person says before the verb.
const BEFORE: [&str; 40] = [
    "also", "and", "can", "could", "first", "go", "ahead", "help", "i", "id", "ill", "just", "lets", "let", "like",
    "me", "must", "need", "next", "now", "ok", "okay", "once", "please", "pls", "should", "so", "then", "to", "us",
    "want", "we", "well", "will", "would", "you", "yes", "work", "on", "task",
];

/// Verbs of work on code and words: what stands behind them is what the work is about.
const WORKS: [&str; 64] = [
    "add", "address", "adjust", "allow", "analyze", "await", "bug", "build", "catch", "change", "check", "clarify",
    "consider", "convert", "debug", "describe", "design", "detect", "document", "ensure", "evaluate", "explain",
    "expose", "extend", "extract", "feature", "fix", "handle", "implement", "improve", "introduce", "investigate",
    "list", "log", "look", "make", "mention", "mock", "monitor", "move", "optimize", "plan", "prevent", "print",
    "read", "refactor", "rename", "replace", "research", "respond", "review", "rewrite", "show", "simplify", "split",
    "summarize", "support", "test", "tests", "update", "use", "verify", "wait", "write",
];

/// What code is made of: whoever deletes these has version control.
const CODE: [&str; 39] = [
    "arg", "argument", "assertion", "block", "call", "class", "code", "comment", "comments", "component", "dependency",
    "docs", "enum", "field", "fields", "file", "flag", "function", "import", "imports", "interface", "line", "lines",
    "logic", "method", "methods", "mock", "module", "option", "param", "parameter", "property", "script", "scripts",
    "struct", "test", "tests", "type", "variable",
];

/// The clauses of a text that ask for an act, each without what it only names.
pub(super) fn acts(text: &str) -> Vec<String> {
    clauses(text).into_iter().filter(|clause| !is_work(clause)).collect()
}

/// Clauses in canonical form.
fn clauses(text: &str) -> Vec<String> {
    let head: String = text.chars().take(LOOKED_AT).collect();
    let bare = NAMES.replace_all(&head, " somenamedcode ");
    ENDS.split(&bare).map(canonical).filter(|clause| !clause.is_empty()).collect()
}

fn head<'c>(words: &[&'c str]) -> Option<&'c str> {
    words.iter().find(|word| !BEFORE.contains(word)).copied()
}

/// Whether a clause asks for work on code or words, and not for the act that it names.
fn is_work(clause: &str) -> bool {
    let words: Vec<&str> = clause.split_whitespace().collect();
    head(&words).is_some_and(|head| WORKS.contains(&head))
}

/// Whether what a clause is about is code.
pub(super) fn is_about_code(clause: &str) -> bool {
    clause.split_whitespace().any(|word| CODE.contains(&word) || *word == *"somenamedcode")
}

/// "Release v1", "create and push the tag", "push to main": what others get.
static RELEASES: LazyLock<Regex> = LazyLock::new(|| {
    let what = r"(?:release|tag|tags|package)\b";
    let verbs = r"^(?:create|cut|make|do|run|execute|ship|push|tag|trigger|manual|manually)\b";
    let to = r"^push\b.*\b(?:github|remote|origin|main|master|upstream|production|registry|npm|pypi|directly)\b";
    Regex::new(&format!(r"{verbs}.*\b(?:push|create|cut|tag)?\s*\b{what}|^(?:publish|release|deploy)\b|^(?:manual|manually) publish\b|{to}")).expect("BUG: the pattern of releases")
});

/// Whether a text asks to give something to others: a release, a push to where everybody works.
pub(super) fn releases(text: &str) -> bool {
    clauses(text).iter().any(|clause| {
        let words: Vec<&str> = clause.split_whitespace().skip_while(|word| BEFORE.contains(word)).collect();
        let clause = words.join(" ");
        let is_looked_at = words.iter().any(|word| {
            matches!(
                *word,
                "script" | "workflow" | "notes" | "changelog" | "docs" | "branch" | "pr" | "command" | "button"
            )
        });
        !is_looked_at && RELEASES.is_match(&clause)
    })
}

/// The clauses of a text but for those that test, document or look.
pub(super) fn touched(text: &str) -> Vec<String> {
    let looks = |clause: &String| {
        let words: Vec<&str> = clause.split_whitespace().collect();
        let is_look = |word: &&str| {
            matches!(*word, "test" | "tests" | "document" | "docs" | "review" | "example" | "examples" | "list")
        };
        words.iter().any(is_look)
    };
    clauses(text).into_iter().filter(|clause| !looks(clause)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_is_told_from_work_about_one() {
        for text in
            ["Delete the stale branches", "please switch to main and delete old branches", "can you wipe the database"]
        {
            assert!(acts(text).iter().any(|clause| clause.contains("delete") || clause.contains("wipe")), "{text}");
        }
        for text in
            ["add a test for delete", "fix `delete` in the parser", "implement the delete button", "/drop src/a.py"]
        {
            assert!(!acts(text).iter().any(|clause| clause.contains("delete") || clause.contains("drop")), "{text}");
        }
        for text in [
            "Release v1.2.0", "Create and push git tag v1", "publish the crate", "push directly to main",
            "Push release tag",
        ] {
            assert!(releases(text), "{text}");
        }
        for text in [
            "update the release notes", "monitor the publish job", "push to the PR", "fix the release workflow",
            "tag the issue as a bug",
        ] {
            assert!(!releases(text), "{text}");
        }
    }
}
