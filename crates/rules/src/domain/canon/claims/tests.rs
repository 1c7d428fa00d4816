//! What the rules find in a corpus of sentences, and which of them contradict each other.

use super::*;
use crate::domain::canon::claim::{differ, normal};

const CORPUS: &str = include_str!("corpus.txt");

/// Sentences, and what they claim.
fn corpus() -> Vec<(&'static str, Vec<Claim>)> {
    let lines = CORPUS.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
    let read = |line: &'static str| {
        let mut parts = line.split("=>").map(str::trim);
        let sentence = parts.next().expect("a sentence");
        (sentence, parts.map(|claim| Claim::read(claim).expect("a claim")).collect())
    };
    lines.map(read).collect()
}

fn same(left: &Claim, right: &Claim) -> bool {
    let grey = |claim: &Claim| normal(&claim.value).replace("gray", "grey");
    left.fact() == right.fact() && grey(left) == grey(right)
}

/// Decision 19: what of the corpus is found, and how much of what is found is in it.
#[test]
fn most_claims_are_found_and_hardly_any_is_made_up() {
    let (mut right, mut found, mut expected, mut wrong) = (0, 0, 0, Vec::new());
    for (sentence, claims) in corpus() {
        let extracted = extract(sentence);
        let is_right = |claim: &&Claim| claims.iter().any(|expected| same(expected, claim));
        let hits = extracted.iter().filter(is_right).count();
        (right, found, expected) = (right + hits, found + extracted.len(), expected + claims.len());
        if hits < claims.len() || hits < extracted.len() {
            let said = |claims: &[Claim]| {
                let parts = claims.iter().map(|claim| format!("{}|{}|{}", claim.subject, claim.attribute, claim.value));
                parts.collect::<Vec<_>>().join("; ")
            };
            wrong.push(format!("{sentence}\n   found {}\n   not   {}", said(&extracted), said(&claims)));
        }
    }
    let told = wrong.join("\n");
    assert!(right * 100 >= found * 95, "{right} of {found} found are right:\n{told}");
    assert!(right * 100 >= expected * 92, "{right} of {expected} are found:\n{told}");
    assert_eq!((corpus().len(), right, found, expected), (88, 55, 57, 59), "{told}");
}

/// Whether one text contradicts another.
fn contradicts(text: &str, canon: &str) -> bool {
    let known = extract(canon);
    let against =
        |claim: &Claim| known.iter().any(|own| own.fact() == claim.fact() && differ(&own.value, &claim.value));
    extract(text).iter().any(against)
}

/// Control-room 14.2.
#[test]
fn sentences_contradict_each_other_only_where_both_cannot_hold() {
    let amber = "Seryn has amber eyes, described as 'like trapped sunlight'.";
    for text in [
        "Seryn's green eyes narrowed.",
        "Far below, Seryn’s green eyes narrowed as the gate fell",
        "Green-eyed Seryn laughed.",
        "Seryn is blue-eyed.",
        "Seryn's eyes were not amber.",
        "Seryn has dark grey eyes and red hair.",
    ] {
        assert!(contradicts(text, amber), "{text}");
    }
    for text in [
        "Seryn's amber eyes narrowed.", "Seryn's eyes were closed.", "Seryn has long eyes.",
        "Seryn's eyes are not green.", "Mara's green eyes narrowed.", "\"Seryn has green eyes,\" lied Tam.",
        "Are Seryn's eyes green?",
    ] {
        assert!(!contradicts(text, amber), "{text}");
    }
    for (text, canon, expected) in [
        ("The caravan arrived on Day 48.", "The caravan arrives on day forty-seven.", true),
        ("The caravan arrived on the 47th day.", "The caravan arrives on Day 47.", false),
        ("Mara has two brothers.", "Mara has three brothers.", true),
        ("Mara has a tall brother.", "Mara has a young brother.", false),
        ("Tam has a long scar.", "Tam has a scar.", false),
        ("Tam has no scar.", "Tam has a scar.", true),
        ("Doran is Seryn's father.", "Seryn's father is Ulf.", true),
        ("The default port is 8081.", "The default port is 8080.", true),
    ] {
        assert_eq!(contradicts(text, canon), expected, "{text} / {canon}");
    }
}

#[test]
fn front_matter_claims_come_first_and_need_no_english() {
    let text = "---\ntitle: x\nclaims:\n  - セリン | 目 | 琥珀\n  - subject: Seryn\n    attribute: home\n    value: \"Vael\"\n\
        \u{20} - not a claim\ntags: [a]\n---\nSeryn has red hair.\n";
    let said = Some("Seryn has red hair.".into());
    let expected = [
        Claim::new("セリン", "目", "琥珀"),
        Claim::new("Seryn", "home", "Vael"),
        Claim { said, ..Claim::new("Seryn", "hair", "red") },
    ];
    assert_eq!(extract(text), expected);
    assert_eq!(extract("---\nclaims:\n  - a | b | c\n"), []);
}

#[test]
fn a_hostile_text_ends() {
    let texts = [
        "has ".repeat(100_000),
        "Seryn has a, a, a, a, and a, and and, the no. ".repeat(1000),
        "Seryn's Seryn's is the of the of Seryn's ".to_owned(),
        "\"".repeat(10_001),
        "--- --- ' '' 's s' ’s".to_owned(),
        "🙂 has 🙂🙂 eyes. Ünï's grüne Augen.\0".to_owned(),
        "x".repeat(5_000_000),
    ];
    for text in texts {
        extract(&text);
    }
}
