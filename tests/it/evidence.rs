//! Evidence: the quick search finds what the slow one finds, and a later look tells then from now (decision 14).

use std::collections::BTreeSet;
use std::fs;

use annals::domain::issue::command::{Comment, Open};
use annals::domain::issue::number::Label;
use annals::domain::issue::{self, Observed};
use annals::engine::evidence::quote::{CompareBudget, distance, fold, similarity};
use annals::engine::evidence::recheck::{CitationVerdict, recheck};
use annals::engine::evidence::{check, say};
use annals::kernel::grounding::{Evidence, FileReference};
use annals::kernel::id::EntryId;
use annals::kernel::json::Json;
use proptest::prelude::*;

use crate::support::{Project, user};

/// Levenshtein as the textbook has it: the least over every stretch of the text.
fn naive(pattern: &str, text: &str) -> usize {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let whole = |window: &[char]| {
        let mut row: Vec<usize> = (0..=pattern.len()).collect();
        for (at, letter) in window.iter().enumerate() {
            let mut before = std::mem::replace(&mut row[0], at + 1);
            for column in 1..=pattern.len() {
                let replaced = before + usize::from(pattern[column - 1] != *letter);
                before = row[column];
                row[column] = replaced.min(row[column] + 1).min(row[column - 1] + 1);
            }
        }
        row[pattern.len()]
    };
    let windows = (0..=text.len()).flat_map(|from| (from..=text.len()).map(move |to| (from, to)));
    windows.map(|(from, to)| whole(&text[from..to])).min().expect("there is the empty stretch")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_distance_is_that_of_the_textbook(pattern in "[abß ]{1,12}", text in "[abcß ]{0,14}") {
        prop_assert_eq!(distance(&pattern, &text), naive(&pattern, &text));
    }

    #[test]
    fn the_distance_is_that_of_the_textbook_beyond_one_word(
        pattern in "[ab]{60,140}", from in 0..60usize, count in 1..20usize, put in "[abc]{0,6}", tail in "[ab]{0,6}",
    ) {
        let mut text = pattern.clone();
        let to = (from + count).min(text.len());
        text.replace_range(from.min(text.len())..to, &put);
        let text = format!("{tail}{}", text.chars().take(24).collect::<String>());
        prop_assert_eq!(distance(&pattern, &text), naive(&pattern, &text));
    }

    #[test]
    fn a_quote_from_a_text_is_its_own_however_it_is_broken_into_lines(
        words in prop::collection::vec("[a-zß]{1,6}", 1..20), from in 0..20usize, spaces in "[ \t\n]{1,3}",
    ) {
        let from = from.min(words.len() - 1);
        let quote = words[from..].join(&spaces);
        prop_assert_eq!(similarity(&quote, &words.join("\r\n"), &mut CompareBudget::default()), 1000);
    }

    #[test]
    fn thousand_means_to_the_letter(quote in "[ab]{1,30}", text in "[ab]{0,60}") {
        let is_there = text.contains(&quote);
        prop_assert_eq!(similarity(&quote, &text, &mut CompareBudget::default()) == 1000, is_there);
    }

    #[test]
    fn folding_twice_is_folding_once(text in "[a \t\n\u{a0}]{0,20}") {
        let once = fold(&text).into_owned();
        prop_assert_eq!(fold(&once).into_owned(), once.clone());
        prop_assert!(!once.contains("  ") && once.trim() == once);
    }
}

/// Decision 14: what was true then may not be now.
#[test]
fn a_recheck_tells_what_was_true_then_from_what_is_now() {
    let project = Project::new();
    let write = |name: &str, text: &str| fs::write(project.folder().join(name), text).expect("written");
    for name in ["same.md", "moved.md", "changed.md", "gone.md"] {
        write(name, "Seryn has amber eyes.\nShe is tall.\n");
    }
    let engine = project.engine("2026-11-21T03:10:00Z", "evidence");
    let open = Open { title: "Eyes".into(), ..Open::default() };
    engine.decide(issue::Command::from(open), &Json::empty_object(), &user()).expect("opened");
    let id = engine.ask(|world| world.rooms.issue.by_label(Label { number: 1, twin: 0 }).cloned()).expect("asked");
    let id = id.expect("there is one");
    let files = ["same.md", "moved.md", "changed.md", "gone.md", "never.md"];
    let cite =
        |name: &&str| FileReference { quote: Some("Seryn has amber eyes.".into()), ..say::reference(name, None) };
    let evidence = Evidence { files: files.iter().map(cite).collect(), ..Evidence::default() };
    let observed = Observed { evidence: check(project.folder(), &evidence), ..Observed::default() };
    let comment: Comment = serde_json::from_value(serde_json::json!({
        "issue": id, "body": "Her eyes are amber.", "evidence": evidence,
    }))
    .expect("a comment");
    let answer = engine.decide(issue::Command::from(comment), &Json::of(&observed), &user()).expect("said");
    assert_eq!(answer.refusal, None);

    write("moved.md", "A line more.\nSeryn has amber eyes.\n");
    write("changed.md", "Everybody is short.\n");
    write("never.md", "Seryn has amber eyes.\n");
    fs::remove_file(project.folder().join("gone.md")).expect("removed");
    let verdicts = |texts: Option<&BTreeSet<EntryId>>| -> Vec<_> {
        let found = recheck(&engine, project.folder(), texts, EntryId::MAX).expect("looked");
        found.citations.iter().map(|found| (found.reference.path.to_string(), found.verdict)).collect()
    };
    let expected = [
        ("same.md", CitationVerdict::StillTrue),
        ("moved.md", CitationVerdict::StillHolds),
        ("changed.md", CitationVerdict::TrueThen),
        ("gone.md", CitationVerdict::Gone),
        ("never.md", CitationVerdict::NeverVerified),
    ];
    assert_eq!(verdicts(None), expected.map(|(path, verdict)| (path.to_owned(), verdict)));
    assert_eq!(verdicts(Some(&answer.entry.into_iter().collect())).len(), 5);
    assert_eq!(verdicts(Some(&BTreeSet::new())), []);
    assert_eq!(verdicts(Some(&BTreeSet::from([EntryId::MIN]))), []);
}
