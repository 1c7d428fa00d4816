//! What agents say of their work: claims that the record can be held against, and what they admit.
//!
//! Rules over sentences; a wish, a condition or a question claims nothing.

use annals_kernel::pattern::Pattern;

/// What an agent claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    /// That tests pass.
    TestsPass,
    /// That checks pass: builds, linters, all of them.
    ChecksPass,
    /// That something works, or is done and checked.
    Works,
}

static TESTS_PASS: Pattern = Pattern::new(
    r"(?i)\b(?:all|the|every|both|existing|unit|integration|\d+)?\s*(?:unit |integration |e2e |new |existing |the |\d+ )*tests?(?: suites?)? (?:are |is |now |all |still |also )*(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b|\btest suites? (?:is |are |now |all )*(?:pass(?:es|ed|ing)?|green|clean)\b",
);
/// What a server says of it, the record cannot be held against: continuous integration is no check here.
static CHECKS_PASS: Pattern = Pattern::new(
    r"(?i)\b(?:checks|builds|everything|linters|type ?checks) (?:is |are |now |all |still |also )*(?:pass(?:es|ed|ing)?|green|clean)\b|\b(?:check|build|linter|lint|type ?check) (?:is |now |still |also )*(?:passe[sd]|passing|green|clean)\b",
);
static WORKS: Pattern = Pattern::new(
    r"(?i)\b(?:it|this|that|everything|the (?:fix|bug|issue|problem|change|feature|command|error)) (?:now |is now |has been |is |are )?(?:works?(?: now| correctly| as expected)?|working|fixed|resolved|verified)\b|\b(?:fully|now) (?:works?|working|functional|fixed)\b|\bverified (?:that|to)\b|\bsuccessfully (?:fixed|implemented|resolved|verified|completed)\b",
);
/// What makes a claim none: a wish, a condition, a plan, a question, somebody else's words.
static NOT_CLAIMED: Pattern = Pattern::new(
    r"(?i)\b(?:how|tests? that|should|would|will|could|may|might|if|once|until|when|whether|ensure|ensures|make sure|makes sure|to (?:see|check|verify|confirm|make|get|keep)|before|so that|let me|let's|let’s|i'll|i’ll|need|needs|want|hope|expect|not|never|unless|please|confirm that|asks?|require[sd]?|goal|verify|after)\b",
);

/// What an agent claims in a text, and where, in bytes; a sentence that says it with a condition claims nothing.
pub(crate) fn claims(text: &str) -> Vec<(Claim, std::ops::Range<usize>)> {
    let prose = super::text::prose(text);
    let mut claims = Vec::new();
    for (start, sentence) in sentences(&prose) {
        let found = said_of_success(sentence).filter(|_| !NOT_CLAIMED.is_match(sentence));
        let found = found.filter(|_| !sentence.trim_end().ends_with('?'));
        claims.extend(found.map(|(claim, found)| (claim, start + found.start..start + found.end)));
    }
    claims
}

/// The first words of a sentence that a claim is made of, whatever else it says.
fn said_of_success(sentence: &str) -> Option<(Claim, std::ops::Range<usize>)> {
    // What can be proved best comes first: "all tests pass, it works" is held against the tests.
    let ways = [(Claim::TestsPass, &TESTS_PASS), (Claim::ChecksPass, &CHECKS_PASS), (Claim::Works, &WORKS)];
    { ways }.into_iter().find_map(|(claim, words)| Some((claim, words.find(sentence)?.range())))
}

/// The sentences of a text, and where each begins.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    let ends = text.char_indices().filter(|(at, letter)| {
        let next = text.as_bytes().get(at + 1).copied();
        // Only before white space, because names of files and versions have dots.
        *letter == '\n' || matches!(letter, '.' | '?' | '!') && next.is_none_or(|byte| byte.is_ascii_whitespace())
    });
    let bounds: Vec<_> = ends.map(|(at, _)| at + 1).chain([text.len()]).collect();
    bounds.into_iter().filter_map(move |end| {
        let sentence = (start, text.get(start..end).unwrap_or_default());
        start = end;
        (!sentence.1.trim().is_empty()).then_some(sentence)
    })
}

static ADMITS: Pattern = Pattern::new(
    r"(?i)\b(?:fail(?:s|ed|ing|ure|ures)?|error(?:s|ed)?|could(?:n't|n’t| not)|can(?:'t|’t|not)|unable|not (?:run|tested|verified|able|available|found|possible|executed)|did(?:n't|n’t| not)|have(?:n't|n’t| not)|was(?:n't|n’t| not)|issues?|problems?|broke[n]?|blocked|denied|warning|sandbox|does(?:n't|n’t| not)|unfortunately|missing|skipped|pre-existing|unrelated)\b",
);

/// Whether an agent says that something went wrong, or was not done. A name in code says nothing.
pub(crate) fn admits(text: &str) -> bool {
    ADMITS.is_match(&super::text::without_code(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_not_a_wish() {
        let claimed = |text: &str| claims(text).into_iter().map(|(claim, _)| claim).collect::<Vec<_>>();
        let cases: [(&str, &[Claim]); 16] = [
            ("All tests pass.", &[Claim::TestsPass]),
            ("Done. All 12 unit tests are now passing!", &[Claim::TestsPass]),
            ("The bug is fixed.", &[Claim::Works]),
            ("Everything works as expected.", &[Claim::Works]),
            ("It now works.", &[Claim::Works]),
            ("All three checks are green:", &[Claim::ChecksPass]),
            ("The build passes.", &[Claim::ChecksPass]),
            ("The unit tests pass:", &[Claim::TestsPass]),
            ("CI is green.", &[]),
            ("Once the tests pass I will push.", &[]),
            ("Let me check that all tests pass.", &[]),
            ("The tests should pass.", &[]),
            ("Do all tests pass?", &[]),
            ("The tests do not pass.", &[]),
            ("```\nall tests pass\n```", &[]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(claimed(text), expected, "{text}");
        }
    }

    #[test]
    fn a_name_in_code_admits_nothing() {
        assert!(admits("One test failed."));
        assert!(!admits("It gives back `Result<Pie, Error>`.\n```\nraise Error\n```"));
    }
}
