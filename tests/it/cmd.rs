//! Command lines and what they print: `tests/cmd/*.trycmd`, each in a folder of its own, with time and chance fixed.

/// Time, chance, and what the program would read of the machine's environment; an empty value counts as none.
pub const FIXED: [(&str, &str); 7] = [
    ("ANNALS_NOW", "2026-11-21T03:10:00.123Z"),
    ("ANNALS_SEED", "transcripts"),
    ("CLAUDE_CONFIG_DIR", ""),
    ("CODEX_HOME", ""),
    ("HOME", ""),
    ("NO_COLOR", ""),
    ("USER", ""),
];

/// Transcripts in which days pass: each of their steps sets its own time, and its home where it needs one. What trycmd
/// sets for all steps would win over that.
const DAYS: &str = "tests/cmd/*-days.trycmd";

fn fixed(cases: &trycmd::TestCases, is_fixed: impl Fn(&str) -> bool) {
    for (name, value) in FIXED.iter().filter(|(name, _)| is_fixed(name)) {
        cases.env(*name, *value);
    }
}

#[test]
fn commands_print_what_their_transcripts_say() {
    let cases = trycmd::TestCases::new();
    cases.case("tests/cmd/*.trycmd").skip(DAYS).case("README.md");
    fixed(&cases, |_| true);
}

#[test]
fn commands_print_what_their_transcripts_say_in_which_days_pass() {
    let cases = trycmd::TestCases::new();
    cases.case(DAYS);
    fixed(&cases, |name| !["ANNALS_NOW", "HOME"].contains(&name));
}
