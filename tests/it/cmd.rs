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

#[test]
fn commands_print_what_their_transcripts_say() {
    let cases = trycmd::TestCases::new();
    cases.case("tests/cmd/*.trycmd").case("README.md");
    for (name, value) in FIXED {
        cases.env(name, value);
    }
}
