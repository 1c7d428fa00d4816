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

/// Transcripts of folders whose clock is the machine's: neither time nor chance is given, and none shows in them.
pub const MACHINE: [&str; 2] = ["empty", "verify"];

/// What a transcript's commands find in their environment.
pub fn fixed_for(name: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_given = !MACHINE.contains(&name);
    FIXED.into_iter().filter(move |(name, _)| is_given || !["ANNALS_NOW", "ANNALS_SEED"].contains(name))
}

fn fixed(cases: &trycmd::TestCases, is_fixed: impl Fn(&str) -> bool) {
    for (name, value) in FIXED.iter().filter(|(name, _)| is_fixed(name)) {
        cases.env(*name, *value);
    }
    // Transcripts are a person's, whoever runs the tests.
    for name in annals::cli::agents_variables() {
        cases.env(name, "");
    }
}

/// The transcripts whose names begin with one of the letters: parts that take about as long as each other.
fn say(letters: &str) {
    let cases = trycmd::TestCases::new();
    cases.case(format!("tests/cmd/{letters}*.trycmd")).skip(DAYS);
    for name in MACHINE {
        cases.skip(format!("tests/cmd/{name}.trycmd"));
    }
    fixed(&cases, |_| true);
}

mod commands_print_what_their_transcripts_say {
    use super::{fixed, say};

    #[test]
    fn of_readme() {
        let cases = trycmd::TestCases::new();
        cases.case("README.md");
        fixed(&cases, |_| true);
    }

    #[test]
    fn from_a_to_g_but_c() {
        say("[a-bd-g]");
    }

    #[test]
    fn of_c() {
        say("c");
    }

    #[test]
    fn from_h_to_k() {
        say("[h-k]");
    }

    #[test]
    fn from_l_to_n() {
        say("[l-n]");
    }

    #[test]
    fn from_o_to_z() {
        say("[o-z]");
    }

    #[test]
    fn and_every_transcript_is_in_one_part() {
        let names = std::fs::read_dir("tests/cmd").expect("transcripts").map(|entry| entry.expect("one").file_name());
        let other = |name: &String| !name.starts_with(|first: char| first.is_ascii_lowercase());
        assert_eq!(names.map(|name| name.to_string_lossy().into_owned()).find(other), None);
    }
}

#[test]
fn commands_print_what_their_transcripts_say_in_the_time_of_the_machine() {
    let cases = trycmd::TestCases::new();
    for name in MACHINE {
        cases.case(format!("tests/cmd/{name}.trycmd"));
    }
    fixed(&cases, |name| !["ANNALS_NOW", "ANNALS_SEED"].contains(&name));
}

#[test]
fn commands_print_what_their_transcripts_say_in_which_days_pass() {
    let cases = trycmd::TestCases::new();
    cases.case(DAYS);
    fixed(&cases, |name| !["ANNALS_NOW", "HOME"].contains(&name));
}
