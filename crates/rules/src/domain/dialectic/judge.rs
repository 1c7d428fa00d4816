//! Finds by rule what the synthesis asks: whether a difference is substantial, whether a counter can be acted on, whether
//! a pattern was seen before (Dialectic, "Synthesis Judgment Criteria"; decision 26b).
//!
//! A model may find better, and its finding is then an observation; this is the plain default. Where it is not clear, the
//! answer is "unclear", and that counts as yes.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::command::TextFinding;
use super::csp::{FailureDiagnosis, Objection};
use super::identity::{ARTICLES, canonical};
use super::phrases::PhraseText;
use annals_kernel::fingerprint;

/// Names: code between backticks, files, calls, words with `_`, `::`, inner dots or capitals, hyphenated tools.
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = concat!(
        r"`([^`\n]{2,60})`", r"|\b([\w-]+(?:[/.:][\w-]+)+)", r"|\b(\w+)\(\)", r"|\b(\w*[a-z0-9]_[a-z0-9]\w*)\b",
        r"|\b([a-z]+[A-Z]\w*)\b", r"|\b([a-z][a-z0-9]+(?:-[a-z0-9]+)+)\b",
    );
    Regex::new(pattern).expect("BUG: the pattern of names")
});

/// What one says of a small change of the same.
const SMALL: [&str; 14] = [
    "typo", "typos", "tweak", "tweaked", "minor", "slightly", "same", "again", "retry", "whitespace", "spelling",
    "nothing", "none", "unchanged",
];

/// What one says of another approach.
const NEW: [&str; 22] = [
    "instead", "replace", "replaces", "replaced", "switch", "switched", "switching", "new", "different", "another",
    "rewrite", "rewrote", "caching", "cache", "library", "tool", "method", "algorithm", "approach", "strategy", "use",
    "using",
];

/// What one says to lessen a risk.
const MITIGATION: [&str; 32] = [
    "back", "backup", "first", "before", "instead", "use", "add", "run", "check", "verify", "test", "wrap", "limit",
    "keep", "dry-run", "rollback", "lock", "validate", "guard", "replace", "split", "stage", "move", "restrict",
    "rename", "rotate", "pin", "copy", "after", "only", "ensure", "require",
];

/// Objections that name nothing.
const VAGUE: [&str; 10] = [
    "might not work", "may not work", "could fail", "might fail", "might break", "not sure", "be careful", "risky",
    "could be better", "seems wrong",
];

/// Words that most errors have, and words that join others.
const SAYS_LITTLE: [&str; 40] = [
    "error", "errors", "fail", "fails", "failed", "failing", "failure", "failures", "fatal", "exception", "panicked",
    "exit", "exited", "code", "status", "command", "returned", "result", "test", "tests", "build", "run", "running",
    "line", "file", "with", "without", "from", "into", "this", "that", "when", "what", "same", "again", "still",
    "cannot", "could", "does", "have",
];

fn names(text: &str) -> BTreeSet<String> {
    let found = NAMES.captures_iter(text).filter_map(|found| found.iter().skip(1).flatten().next());
    found.map(|name| name.as_str().to_lowercase()).collect()
}

fn has_any(said: &PhraseText, words: &[&str]) -> bool {
    words.iter().any(|word| said.has(word))
}

/// Whether a fix changes the approach: it names a tool, library, method or file that no earlier attempt names.
pub fn substantial(diagnosis: &FailureDiagnosis, attempts: &[Box<str>]) -> TextFinding {
    let own = [&*diagnosis.fix, &*diagnosis.diff].join("\n");
    let earlier = attempts.join("\n");
    let known = names(&earlier);
    let said_before = PhraseText::of(&earlier);
    let is_new = |name: &String| !known.contains(name) && !said_before.has(name);
    let (said, diff) = (PhraseText::of(&own), canonical(&diagnosis.diff));
    let is_small = has_any(&PhraseText::of(&diagnosis.diff), &SMALL);
    if attempts.iter().any(|attempt| canonical(attempt) == canonical(&diagnosis.fix)) || diff.is_empty() {
        return TextFinding::No;
    }
    match (names(&own).iter().any(is_new), is_small, has_any(&said, &NEW)) {
        (true, false, _) | (false, false, true) => TextFinding::Yes,
        (false, true, _) => TextFinding::No,
        (true, true, _) | (false, false, false) => TextFinding::Unclear,
    }
}

/// Whether a counter can be acted on: there is a risk, and something to do about it.
pub fn actionable(objection: &Objection) -> TextFinding {
    let Some(counter) = &objection.counter else { return TextFinding::No };
    let said = PhraseText::of(counter);
    let names_a_risk = !objection.risks.is_empty() || !names(&objection.objection).is_empty();
    let mitigates = has_any(&said, &MITIGATION) || !names(counter).is_empty();
    match (names_a_risk, mitigates, has_any(&said, &VAGUE)) {
        (_, false, true) => TextFinding::No,
        (true, true, false) => TextFinding::Yes,
        (true, _, true) | (false, true, _) | (_, false, false) => TextFinding::Unclear,
    }
}

/// Whether a pattern was seen before: as an earlier debate named it, or as one of the errors reads.
pub fn is_seen(pattern: &str, earlier: &[Box<str>], errors: &[Box<str>]) -> bool {
    let plain = canonical(pattern);
    let is_known = earlier.iter().any(|known| canonical(known) == plain);
    is_known || errors.iter().any(|error| reads_like(pattern, error))
}

/// Whether the words of one stand in the other, one behind the other: as fingerprints, or as they were said.
fn reads_like(pattern: &str, error: &str) -> bool {
    let prints = [pattern, error].map(|text| words(&fingerprint::of(text)));
    let said = [pattern, error].map(words);
    let is_same = prints[0] == prints[1] && prints[0] != "  ";
    is_same || [prints, said].iter().any(|[left, right]| is_within(left, right) || is_within(right, left))
}

/// The words of a text without articles, each between blanks.
fn words(text: &str) -> String {
    let said = PhraseText::of(text);
    let words: Vec<_> = said.words().filter(|word| !ARTICLES.contains(word)).collect();
    format!(" {} ", words.join(" "))
}

/// Whether a text stands in another one, and says more than that something failed.
fn is_within(part: &str, whole: &str) -> bool {
    // One word at least has to say more than that something failed, or every pattern would match every error.
    const LEAST: usize = 4;
    let tells = |word: &str| {
        word.chars().count() >= LEAST && word.contains(char::is_alphabetic) && !SAYS_LITTLE.contains(&word)
    };
    whole.contains(part) && part.split_whitespace().any(tells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::dialectic::csp::ObjectionSeverity;

    fn fix(fix: &str, diff: &str) -> FailureDiagnosis {
        FailureDiagnosis { diagnosis: "x".into(), fix: fix.into(), diff: diff.into() }
    }

    /// Dialectic, "Synthesis Judgment Criteria": substantial.
    #[test]
    fn a_difference_is_substantial_when_it_names_something_new() {
        let attempts: [Box<str>; 2] = ["optimize query in src/db.rs".into(), "raise the timeout".into()];
        for (given, expected) in [
            (fix("use caching", "caching in place of the query"), TextFinding::Yes),
            (fix("add `moka` in front", "a library"), TextFinding::Yes),
            (fix("edit src/cache.rs", "another file"), TextFinding::Yes),
            (fix("edit src/db.rs", "fixed a typo"), TextFinding::No),
            (fix("raise the timeout", "to 60 s"), TextFinding::No),
            (fix("raise it once more", "minor tweak"), TextFinding::No),
            (fix("think harder", "more thought"), TextFinding::Unclear),
        ] {
            assert_eq!(substantial(&given, &attempts), expected, "{given:?}");
        }
        assert!(TextFinding::Unclear.is_accepted() && TextFinding::Yes.is_accepted() && !TextFinding::No.is_accepted());
    }

    /// Dialectic, "Synthesis Judgment Criteria": actionable.
    #[test]
    fn a_counter_is_actionable_when_it_names_a_risk_and_what_to_do() {
        let said = |risks: &[&str], counter: Option<&str>| Objection {
            objection: "no".into(),
            severity: ObjectionSeverity::High,
            risks: risks.iter().map(|risk| (*risk).into()).collect(),
            counter: counter.map(Into::into),
        };
        for (given, expected) in [
            (said(&["data loss"], Some("take a backup first")), TextFinding::Yes),
            (said(&["data loss"], Some("see `pg_dump`")), TextFinding::Yes),
            (said(&["data loss"], Some("might not work")), TextFinding::No),
            (said(&[], Some("might not work")), TextFinding::No),
            (said(&["data loss"], None), TextFinding::No),
            (said(&[], Some("take a backup first")), TextFinding::Unclear),
            (said(&["data loss"], Some("hm")), TextFinding::Unclear),
        ] {
            assert_eq!(actionable(&given), expected, "{given:?}");
        }
    }

    /// Decision 26b.
    #[test]
    fn a_pattern_is_seen_in_errors_and_in_earlier_debates() {
        let (earlier, prints) = (["Wrong paths".into()], ["cannot find module".into()]);
        for (pattern, seen) in [("the wrong paths!", true), ("Cannot find module 'x'", true), ("wrong version", false)]
        {
            assert_eq!(is_seen(pattern, &earlier, &prints), seen, "{pattern}");
        }
        assert!(!is_seen("'quoted only'", &[], &["".into()]));
    }

    /// Dialectic, "Synthesis Rules": a pattern that matches previous errors, whichever part of them it names.
    #[test]
    fn a_pattern_matches_an_error_that_has_its_words() {
        let (enoent, types) = ("ENOENT: no such file or directory, open '/a'", "error[E0308]: mismatched types");
        for (pattern, error, seen) in [
            ("no such file or directory", enoent, true),
            ("ENOENT", enoent, true),
            ("the mismatched types", types, true),
            ("E0308", types, true),
            ("it is mismatched types, each time", "mismatched types", true),
            ("module './auth'", "Cannot find module './auth'", true),
            ("exit code 1", "exit code 1", true),
            ("matched types", types, false),
            ("types mismatched", types, false),
            ("such", "suchlike things", false),
            ("error", types, false),
            ("failed", "linking failed", false),
            ("exit code 1", "exit code 1: linking", false),
            ("the error is in the alias", "error", false),
            ("", types, false),
            ("wrong paths", "", false),
        ] {
            assert_eq!(is_seen(pattern, &[], &[error.into()]), seen, "{pattern}: {error}");
        }
    }
}
