//! Both engines find the same: of patterns made for it, and of every one that stands in a crate.

use std::path::Path;

use proptest::prelude::*;

use super::*;

static WORDS: Pattern = Pattern::new(r"\b[\w-]+\b|\s{2,}|[^\W_]\d?\S\D");
static EMPTY: Pattern = Pattern::new(r"x*");

#[test]
fn classes_are_of_ascii_in_both_engines() {
    for text in ["", "é1 über_a  b-c", "’x’", "a\u{a0}b\u{b}c ſK", "日本 12 x"] {
        assert!(WORDS.finds_alike(text) && EMPTY.finds_alike(text), "{text}");
    }
    let found: Vec<_> = Pattern::new(r"\w+").find_iter("über 1").map(|found| found.as_str().to_owned()).collect();
    assert_eq!(found, ["ber", "1"]);
}

#[test]
fn what_stands_between_is_all_that_stands_there() {
    let parts = |text| Pattern::new(r",|\band\b").split(text).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(parts("a,b and c"), ["a", "b ", " c"]);
    assert_eq!(parts(""), [""]);
    assert_eq!(parts(",é,"), ["", "é", ""]);
    let empty: Vec<_> = EMPTY.find_iter("äx").map(|found| found.range()).collect();
    assert_eq!(empty, [0..0, 2..3, 3..3]);
}

/// Whatever answers, it says the same: before the quick engine has read its share, and afterwards.
#[test]
fn the_engine_changes_and_the_answer_does_not() {
    let pattern = Pattern::new(r"(?P<first>\w)\w*");
    let text = "one two ".repeat(QUICK_BYTES / 24);
    let replaced: Vec<_> = (0..6).map(|_| pattern.replace_all(&text, "$first").into_owned()).collect();
    assert!(pattern.fast.get().is_some() && pattern.quick.get().is_some());
    assert!(replaced.iter().all(|one| *one == replaced[0]), "{}", replaced[0]);
}

/// The patterns that stand in the crates as they are, each with its file.
fn patterns() -> Vec<(String, &'static str)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("a folder of sources").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                found.extend(written(&text).into_iter().map(|pattern| (path.display().to_string(), pattern)));
            }
        }
    }
    found
}

/// Raw strings behind `Pattern::new(`.
fn written(source: &str) -> Vec<&'static str> {
    let calls = source.split("Pattern::new(").skip(1).map(str::trim_start);
    let raw = calls.filter_map(|rest| {
        let rest = rest.strip_prefix('r')?;
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let text = rest[hashes..].strip_prefix('"')?;
        text.split_once(&format!("\"{}", "#".repeat(hashes))).map(|(pattern, _)| pattern)
    });
    raw.map(|pattern| &*pattern.to_owned().leak()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_pattern_finds_the_same_in_both_engines(
        texts in prop::collection::vec(
            prop_oneof![
                "[ -~\n\t\u{b}éß’“—✓❯]{0,20}",
                prop::sample::select(vec![
                    "all 12 tests pass", "exit code: 1", "error: no such file", "cargo fmt --check", "then", "could you",
                    "\n  3 failed", "[STARTED] x", "$ ls", "user@host:~$ make", "2026-01-01T10:00", "it isn't fixed", "e.g. 1.2",
                    "and", ", but", "Traceback (most", "✗ one", "src/a.rs:1:2", "ENOENT", "because",
                ]).prop_map(str::to_owned),
            ],
            0..12,
        )
    ) {
        static ALL: std::sync::LazyLock<Vec<(String, Pattern)>> = std::sync::LazyLock::new(|| {
            patterns().into_iter().map(|(file, text)| (file, Pattern::new(text))).collect()
        });
        prop_assert!(ALL.len() > 20, "only {} patterns were found", ALL.len());
        let text = texts.concat();
        for (file, pattern) in ALL.iter() {
            prop_assert!(pattern.finds_alike(&text), "{file}: {}: {text:?}", pattern.text.read());
        }
    }
}
