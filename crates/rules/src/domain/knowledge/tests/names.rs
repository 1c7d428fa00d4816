//! Names and words in texts.

use crate::domain::knowledge::entity::{MOST_ENTITIES, find};
use crate::domain::knowledge::text::{MOST_WORDS, key, normal, words};

fn found(text: &str) -> Vec<String> {
    find(text).iter().map(ToString::to_string).collect()
}

#[test]
fn names_are_found_by_their_form() {
    for (text, names) in [
        ("put it into `src/lib.rs` and parser.rs, please", vec!["src/lib.rs", "parser.rs"]),
        ("We use Postgres and the MQTT Broker here", vec!["Postgres", "MQTT Broker"]),
        (
            "don't use `IgnorantTemporaryDirectory` use GitTemporaryDirectory",
            vec!["IgnorantTemporaryDirectory", "GitTemporaryDirectory"],
        ),
        ("mock repo.get_commit_message, or @packages/services", vec!["repo.get_commit_message", "@packages/services"]),
        ("The sky is blue. The sea is not", vec![]),
        ("e.g. this, i.e. that, and/or 3.5", vec![]),
        ("I asked Alina's team", vec!["Alina"]),
        ("`a b c d e`", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(found(text), names, "{text}");
    }
}

#[test]
fn names_are_bounded_and_told_apart_without_their_accidents() {
    assert_eq!(found("`Sqlite`, `SQLite` and `sqlite`"), ["Sqlite"]);
    let many: Vec<String> = (0..100).map(|number| format!("file{number}.rs")).collect();
    assert_eq!(found(&many.join(" ")).len(), MOST_ENTITIES);
    assert_eq!(found(&format!("`{}`", "x".repeat(81))), [""; 0]);
}

#[test]
fn words_are_folded_and_bounded() {
    let all = |text: &str| words(text).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(all("The Tests, the test; a class is busy: 7"), ["the", "test", "class", "is", "busy", "7"]);
    assert_eq!(all("GitDirectory"), ["gitdirectory", "git", "directory"]);
    assert_eq!(all("中文字"), ["中文", "文字"]);
    assert_eq!(all("中 x"), ["中"]);
    let many: Vec<String> = (0..1000).map(|number| format!("w{number}")).collect();
    assert_eq!(all(&many.join(" ")).len(), MOST_WORDS);
}

#[test]
fn the_same_text_is_known_by_the_same_key() {
    assert_eq!(normal("  The sky\n is BLUE. "), "the sky is blue");
    assert_eq!(key("fact", "The sky is blue"), key("fact", "the  sky is blue!"));
    assert_ne!(key("fact", "The sky is blue"), key("rule", "The sky is blue"));
}
