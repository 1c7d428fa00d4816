//! A past that is written anew with all hashes: with the list of keys alone it is found, whichever line was changed.

use annals::kernel::entry::HistoryEntry;
use annals::kernel::json::Json;
use annals::kernel::signed::{SIGN, Statement};
use annals::log::verify::{SignatureTerms, Unsigned};
use ed25519_dalek::SigningKey;
use serde_json::json;

use super::log::{
    Heads, chained_anew, entry, judged, kinds, link, next, signed_in, terms, three_clones, three_signers, with_signed,
};
use crate::support::said;

const ROUNDS: usize = 3;
const LINES_EACH: usize = 12;

/// What somebody does to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Change,
    TakeOut,
    PutIn,
}

/// What becomes of the signatures, of which nobody can make one that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signatures {
    /// They stay as they are.
    Kept,
    /// Each says what stands before it now, by a key of the one who does it.
    Forged,
    /// Each says what stands before it now, and the old signature stays.
    Fitted,
    /// Those that no longer fit are taken out.
    Stripped,
}

fn lines() -> (Vec<String>, SignatureTerms) {
    let lines = three_clones(ROUNDS, LINES_EACH);
    let terms = SignatureTerms { most_after: Some(1), ..terms(three_signers(), Unsigned::Finding) };
    assert_eq!(said(&judged(&lines, &terms)), [""; 0]);
    (lines, terms)
}

/// The log after a deed, with all links and counts made to fit.
fn after(entries: &[HistoryEntry], at: usize, deed: Deed, signatures: Signatures) -> Vec<String> {
    let mut changed = entries.to_vec();
    match deed {
        Deed::Change => changed[at].operation.duration_ms = Some(999_999),
        Deed::TakeOut => drop(changed.remove(at)),
        Deed::PutIn => {
            let mut new = changed[at].clone();
            new.operation.name = "Read".into();
            new.operation.input = Json::of(&json!({ "file_path": "never.rs" }));
            (new.operation.output, new.annals.r, new.id) = (None, None, next(new.id));
            changed.insert(at + 1, new);
        }
    }
    if signatures == Signatures::Stripped {
        let first = at.min(changed.len() - 1);
        let tail = changed.split_off(first);
        changed.extend(tail.into_iter().filter(|entry| &*entry.operation.name != SIGN));
    }
    chained_anew(&changed, |entry, heads| match signatures {
        Signatures::Kept | Signatures::Stripped => {}
        Signatures::Forged => refit(entry, heads, Some(&SigningKey::from_bytes(&[66; 32]))),
        Signatures::Fitted => refit(entry, heads, None),
    })
}

/// Makes a signed head say what stands before it now.
fn refit(entry: &mut HistoryEntry, heads: &Heads, key: Option<&SigningKey>) {
    let Some(mut signed) = signed_in(&entry.to_line()) else { return };
    let Some(own) = heads.last.get(&signed.statement.writer) else { return };
    let seen = entry.annals.link.as_ref().map(|link| link.seen.clone()).unwrap_or_default();
    let statement = Statement { n: own.count, hash: own.hash, seen, ..signed.statement.clone() };
    if statement == signed.statement {
        return;
    }
    if let Some(key) = key {
        with_signed(entry, &statement.sign(key).expect("signed"));
    } else {
        signed.statement = statement;
        with_signed(entry, &signed);
    }
}

/// Tries a deed at every line; returns how many were tried, and those that nobody found.
fn tried(lines: &[String], terms: &SignatureTerms, deed: Deed, signatures: Signatures) -> (usize, Vec<String>) {
    let entries: Vec<_> = lines.iter().map(|line| entry(line)).collect();
    let (mut count, mut missed) = (0, Vec::new());
    for at in 0..lines.len() {
        // A line that is no writer's last is covered by its head; the last one holds the signature.
        let is_last = !lines[at + 1..].iter().any(|later| link(later).0 == link(&lines[at]).0);
        if is_last && (deed != Deed::TakeOut || signatures == Signatures::Stripped) {
            continue;
        }
        let changed = after(&entries, at, deed, signatures);
        assert_ne!(changed, lines, "{deed:?} at line {at} changes nothing");
        count += 1;
        let report = judged(&changed, terms);
        if !report.findings.iter().any(|finding| finding.line.is_some()) {
            missed.push(format!("{deed:?} {signatures:?} at line {at}: {:?}", said(&report)));
        }
    }
    (count, missed)
}

#[test]
fn a_past_that_is_written_anew_is_found_at_every_line_by_the_keys_alone() {
    let (lines, terms) = lines();
    assert_eq!(lines.len(), 3 * ROUNDS * (LINES_EACH + 1));
    let (mut count, mut missed) = (0, Vec::new());
    for deed in [Deed::Change, Deed::TakeOut, Deed::PutIn] {
        for signatures in [Signatures::Kept, Signatures::Forged, Signatures::Fitted, Signatures::Stripped] {
            let (tried, lost) = tried(&lines, &terms, deed, signatures);
            count += tried;
            missed.extend(lost);
        }
    }
    // 114 of 117 lines in 12 ways, and the three last lines taken out in three.
    assert_eq!((count, missed), (114 * 12 + 9, Vec::new()));
}

#[test]
fn without_the_list_of_keys_a_kept_signature_still_tells() {
    let (lines, _) = lines();
    for deed in [Deed::Change, Deed::TakeOut, Deed::PutIn] {
        let (count, missed) = tried(&lines, &SignatureTerms::default(), deed, Signatures::Kept);
        assert!(count >= 114);
        // Of the last lines nobody knows that there was a signature.
        let missed: Vec<_> = missed.into_iter().filter(|text| !text.contains("TakeOut")).collect();
        assert_eq!(missed, Vec::<String>::new());
    }
}

#[test]
fn what_is_found_names_the_line_that_was_signed_and_who_signed_it() {
    let (lines, terms) = lines();
    let entries: Vec<_> = lines.iter().map(|line| entry(line)).collect();
    let report = judged(&after(&entries, 0, Deed::Change, Signatures::Kept), &terms);
    assert_eq!(kinds(&report), ["not signed", "signed line changed"]);
    let first = &report.findings[0];
    let text = first.what.to_string();
    let (writer, count) = (link(&lines[0]).0, LINES_EACH);
    assert!(
        text.starts_with(&format!("line {count} of writer {writer} is not the one that ann has signed (")),
        "{text}"
    );
    assert_eq!((first.file.as_deref(), first.line), (Some("2026-11-21.jsonl"), Some(count as u64)));
}
