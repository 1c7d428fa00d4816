//! What an agent says of its own work: that it is not done, or that nothing has shown it to be right.
//!
//! Whoever says so has told the person; nobody has to say it again. Does not ask whether it is true.

use crate::pattern::Pattern;

static UNFINISHED: Pattern = Pattern::new(
    r"(?i)\b(?:WIP|work in progress|unfinished|untested|not (?:yet )?(?:done|finished|passing|complete|tested|verified|built|run)|still (?:failing|broken|to do|left)|(?:haven(?:'t|’t)|has not been|have not been) (?:run|tested|built|verified)|you(?:'ll|’ll| will)? (?:need|want) to (?:test|build|rebuild|run (?:[\w-]+ ){0,3}(?:tests?|checks?|build|linter)))\b",
);

/// "Tests were not run", "I couldn't execute `go test`", "no automated tests run": code may stand between.
static NOT_RUN: Pattern = Pattern::new(
    r"(?i)\b(?:could|did|was|were|can)(?:n['’]?t|\W{1,4}not\W{1,3})(?: able to| be)? ?(?:re-?)?(?:run|ran|execute[d]?|test(?:ed)?|verif(?:y|ied)|build|built|compiled?)\b|\bunable to (?:re-?)?(?:run|execute|test|verify|build|compile)\b|\bno (?:[\w-]+ ){0,3}(?:tests?|checks?|builds?|lint(?:ing)?|verification|`[^`\n]{1,80}`) (?:were |was |have been |has been )?(?:run|executed|performed)\b",
);

/// Whether an agent says itself that work is not done, or not tried.
pub fn is_said_unfinished(text: &str) -> bool {
    UNFINISHED.is_match(text) || NOT_RUN.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_that_nothing_was_run_has_told_it() {
        for text in [
            "A first cut, not yet tested.",
            "Tests: Not run (browser only).",
            "No automated tests run; please try it.",
            "I couldn’t run `cargo check`, the sandbox forbids it.",
            "I did **not** run `mix precommit`.",
            "No `mix precommit` run (as you asked).",
            "I was unable to execute the suite.",
            "The tests weren't run.",
            "You'll need to run the tests.",
        ] {
            assert!(is_said_unfinished(text), "{text}");
        }
        for text in [
            "All tests pass.",
            "Please run `npm test` to confirm.",
            "No tests need to change.",
            "You’ll need to run `npm install` first.",
            "Fixed what was not right.",
        ] {
            assert!(!is_said_unfinished(text), "{text}");
        }
    }
}
