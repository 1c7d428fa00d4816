//! Every numbered section of the control room is named by a test, and so are the improvements at its end.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Sections with something to build; 16 and 17 sum up.
const SECTIONS: &str = "2.1 2.2 2.3 2.4 3.1 3.2 3.3 3.4 4.1 4.2 4.3 5.1 5.2 5.3 6.1 6.2 7.1 7.2 8.1 8.2 9.1 9.2 9.3 \
     10.1 10.2 11.1 11.2 11.3 11.4 11.4.1 11.5 11.6 11.7 11.8 11.9 11.10 11.11 12.1 12.2 12.3 12.4 13.1 13.2 13.3 \
     14.1 14.2 14.3 14.4 15.1 15.2 15.3 15.4";

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// What is a test in a file: all of it, or what stands behind the mark of a module of tests.
fn tests_in(path: &Path) -> Option<String> {
    let extension = path.extension()?;
    if extension != "rs" && extension != "trycmd" || path.ends_with("sections.rs") {
        return None;
    }
    let text = fs::read_to_string(path).expect("a text");
    let is_all =
        extension == "trycmd" || path.components().any(|part| part.as_os_str().to_string_lossy().contains("tests"));
    if is_all { Some(text) } else { text.split_once("#[cfg(test)]").map(|(_, tests)| tests.to_owned()) }
}

/// The numbers behind the name of a document, as in `Control-room 8.2, 9.3 and 10.1`.
pub fn sections_in(text: &str, document: &str) -> BTreeSet<String> {
    let is_list = |word: &&str| *word == "and" || word.starts_with(|letter: char| letter.is_ascii_digit());
    let lists = text.split(document).skip(1).flat_map(|rest| rest.split_whitespace().take_while(is_list));
    let number = |word: &str| word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric()).to_owned();
    lists.map(number).collect()
}

/// Every test of the house.
pub fn all_tests() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["src", "crates", "tests"].map(|folder| files_below(&root.join(folder)));
    files.iter().flatten().filter_map(|path| tests_in(path)).collect()
}

#[test]
fn a_test_names_each_section_and_each_improvement() {
    let texts = all_tests();
    let named: BTreeSet<String> = texts.iter().flat_map(|text| sections_in(text, "ontrol-room ")).collect();
    let is_named = |letter: &char| texts.iter().any(|text| text.contains(&format!("mprovement {letter}")));
    let sections: Vec<&str> = SECTIONS.split_whitespace().filter(|section| !named.contains(*section)).collect();
    let improvements: Vec<char> = "ABCD".chars().filter(|letter| !is_named(letter)).collect();
    assert_eq!((sections, improvements), (Vec::new(), Vec::new()), "no test names these");
}
