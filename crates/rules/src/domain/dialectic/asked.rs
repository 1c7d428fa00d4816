//! What an agent's task asks for: an act, or work on code and words about one. A person's words are read by `ordered`.
//!
//! "Delete the stale branches" is an act; "add a test for delete", "delete `cache.rs`" and "fix the deploy script" are work that version
//! control takes back. Told by the verb with which each clause begins, and by what it is about. Does not understand a text.

use super::identity::canonical;
use annals_kernel::pattern::Pattern;

/// Of a text so many characters are looked at: further down a prompt quotes, plans and explains.
const LOOKED_AT: usize = 1500;

/// What only names something: code, paths, quotes, addresses, commands of an agent.
static NAMES: Pattern = Pattern::made(|| {
    let code = r#"(?s)(?i:drag.and.drop)|```.*?(?:```|$)|`[^`\n]*`|"[^"\n]{1,200}""#;
    let names = r"https?://[^ \t\r\n]+|(?m:^[ \t]*/[a-z][A-Za-z0-9_-]*)|[^ \t\r\n]*[A-Za-z0-9_]/[^ \t\r\n]+|\b[A-Za-z0-9_-]+\.(?:c|cc|cpp|cs|css|go|h|html|java|js|json|jsx|kt|md|py|rb|rs|sh|sql|swift|toml|ts|tsx|txt|yaml|yml)\b|\b[A-Za-z0-9_]+(?:\(\)|_[A-Za-z0-9_]+\b)";
    format!("{code}|{names}")
});

/// Where a clause ends.
static ENDS: Pattern = Pattern::new(r"[.!?;:]\s|[,\n]|\b(?:and|then|but|because|so that)\b");

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
const CODE: [&str; 58] = [
    "agent", "arg", "argument", "assertion", "block", "button", "call", "class", "code", "comment", "comments",
    "component", "dashes", "dependency", "directory", "docs", "document", "enum", "field", "fields", "file", "flag",
    "folder", "function", "gifs", "heading", "icon", "image", "images", "import", "imports", "interface", "line",
    "lines", "logic", "method", "methods", "mock", "module", "option", "page", "param", "parameter", "plan",
    "property", "screen", "script", "scripts", "section", "skill", "skills", "struct", "test", "tests", "text", "type",
    "variable", "word",
];

/// The clauses of a text that ask for an act, each without what it only names.
pub(super) fn acts(text: &str) -> Vec<String> {
    clauses(text).into_iter().filter(|clause| !is_work(clause)).collect()
}

/// The beginning of a text, with a word in the place of what only names something.
pub(super) fn unnamed(text: &str) -> String {
    let head: String = text.chars().take(LOOKED_AT).collect();
    NAMES.replace_all(&head, " somenamedcode ").into_owned()
}

/// Clauses in canonical form.
fn clauses(text: &str) -> Vec<String> {
    ENDS.split(&unnamed(text)).map(canonical).filter(|clause| !clause.is_empty()).collect()
}

fn head<'c>(words: &[&'c str]) -> Option<&'c str> {
    words.iter().find(|word| !BEFORE.contains(word)).copied()
}

/// Whether a clause asks for work on code or words, and not for the act that it names.
fn is_work(clause: &str) -> bool {
    let words: Vec<&str> = clause.split_whitespace().collect();
    head(&words).is_some_and(|head| WORKS.contains(&head))
}

/// What version control does not bring back, whatever else is named beside it.
const KEPT: [&str; 19] = [
    "account", "accounts", "backup", "backups", "branch", "branches", "bucket", "database", "databases", "db",
    "history", "records", "rows", "stash", "tag", "tags", "users", "volume", "worktrees",
];

/// Whether what a clause is about is code.
pub(super) fn is_about_code(clause: &str) -> bool {
    let is_code = |word: &str| CODE.contains(&word) || *word == *"somenamedcode";
    clause.split_whitespace().any(is_code) && !clause.split_whitespace().any(|word| KEPT.contains(&word))
}

/// "Release v1", "create and push the tag", "push to main": what others get.
static RELEASES: Pattern = Pattern::made(|| {
    let made = r"^(?:create|cut|make|do|run|execute|ship|push|tag|trigger)\b.*\b(?:release|tag|tags)(?: |$)";
    let given = r"^(?:manual |manually )?(?:publish|release|deploy)(?: |$)";
    let to = r"^(?:push|send|ship|submit|upload)\b.*\b(?:git|github|remote|repo|repository|origin|main|mainline|master|upstream|production|prod|registry|npm|pypi|crates|directly|testflight|test flight|store|staging|cloudflare|vercel|netlify|heroku)\b";
    let merged = r"^(?:commit\b.*\b)?push\b.*\bmerge(?: |$)|^(?:approve and )?merge (?:it|this|(?:the |this )?(?:pr|pull request)\b.*)$|^merge\b.*\b(?:into|to) (?:the )?(?:main|mainline|master)\b";
    format!("{made}|{given}|{to}|{merged}")
});

/// What is looked at, written or tried where a release, or one of its parts, is only spoken of.
const SPOKEN_OF: [&str; 22] = [
    "action", "agent", "agents", "branch", "button", "changelog", "command", "config", "docs", "fail", "failed", "job",
    "notes", "page", "pipeline", "previously", "process", "script", "step", "was", "workflow", "worked",
];

/// "Deploy works now", "release failed": what a verb of giving does there is told.
pub(super) fn is_told(clause: &str) -> bool {
    const GIVES: [&str; 4] = ["deploy", "deployment", "publish", "release"];
    const TOLD: [&str; 9] = ["fail", "failed", "is", "mean", "means", "was", "work", "worked", "works"];
    let mut words = clause.split_whitespace();
    words.next().is_some_and(|head| GIVES.contains(&head)) && words.next().is_some_and(|word| TOLD.contains(&word))
}

/// Whether a text asks to give something to others: a release, a push to where everybody works.
pub(super) fn releases(text: &str) -> bool {
    clauses(text).iter().any(|clause| {
        let words: Vec<&str> = clause.split_whitespace().skip_while(|word| BEFORE.contains(word)).collect();
        is_release(&words.join(" "))
    })
}

/// Whether a clause in canonical form, without what leads to its verb, asks for that.
pub(super) fn is_release(clause: &str) -> bool {
    let is_spoken_of = clause.split_whitespace().any(|word| SPOKEN_OF.contains(&word));
    !is_spoken_of && !is_told(clause) && RELEASES.is_match(clause)
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
