//! An adversary with the file in hand: what he does to the lines is found, and the line is named.

use super::super::{BreakReason, BrokenChain, CheckedChain, chained, check_chain};
use super::*;
use annals_kernel::annals::{Head, LineHash};
use proptest::prelude::*;

struct Sample {
    lines: Vec<String>,
    head: Option<Head>,
}

/// Real messages, one of each sort.
fn sample() -> Sample {
    let events = [
        request("t"),
        dispatch("t", "s"),
        execution("t", "s", ExecutionStatus::Failed),
        correction("t", "s", Some(FailureClass::Environmental)),
        outcome("t", "s", 2, 1),
        directive("t", Directive::BreakSymmetry, 0.8),
        ended("t", 0.2),
    ];
    let mut sample = Sample { lines: Vec::new(), head: None };
    for event in &events {
        let next = chained(sample.head, event);
        sample.lines.push(next.text);
        sample.head = Some(next.head);
    }
    sample
}

fn check(lines: &[String], head: Option<Head>) -> Result<CheckedChain, BrokenChain> {
    check_chain(lines.concat().as_bytes(), head)
}

fn found(line: u64, reason: BreakReason) -> Result<CheckedChain, BrokenChain> {
    Err(BrokenChain { line, reason })
}

#[test]
fn what_was_written_holds_with_its_head_and_without() {
    let Sample { lines, head } = sample();
    let whole = Ok(CheckedChain { head, beyond: 0 });
    assert_eq!((check(&lines, head), check(&lines, None)), (whole, whole));
    assert_eq!(check(&[], None), Ok(CheckedChain { head: None, beyond: 0 }));
    assert!(lines[0].starts_with(r#"{"n":1,"p":"00000000000000000000000000000000","event":{"at":"#), "{}", lines[0]);
    assert!(lines.iter().all(|line| line.ends_with("}\n") && line.matches('\n').count() == 1));
}

#[test]
fn a_line_that_was_read_back_is_the_event_that_was_heard() {
    let Sample { lines, .. } = sample();
    let line: super::super::AuditLine = serde_json::from_str(&lines[4]).expect("a line");
    assert_eq!((line.n, line.event), (5, outcome("t", "s", 2, 1)));
    assert_eq!(line.p, LineHash::of(lines[3].trim_end().as_bytes()));
}

/// Every byte of the file in turn, as each of several others: found, and the line is named.
#[test]
fn every_byte_that_is_changed_is_found() {
    let Sample { lines, head } = sample();
    let text = lines.concat().into_bytes();
    let mut line = 1u64;
    for at in 0..text.len() {
        for with in [text[at] ^ 1, text[at] ^ 0x80, b' ', b'\n', b'0', 0] {
            if with == text[at] {
                continue;
            }
            let mut changed = text.clone();
            changed[at] = with;
            let found = check_chain(&changed, head).expect_err("it was changed");
            assert_eq!(found.line, line, "byte {at} as {with}: {found}");
            let reason = if at + 1 == text.len() { BreakReason::CutOff } else { BreakReason::Changed };
            assert_eq!(found.reason, reason, "byte {at} as {with}: {found}");
        }
        line += u64::from(text[at] == b'\n');
    }
}

/// Without the head all but the last line are held by the line behind them.
#[test]
fn without_the_head_a_change_is_found_up_to_the_last_line() {
    let Sample { lines, .. } = sample();
    let text = lines.concat().into_bytes();
    let held = text.len() - lines.last().map_or(0, String::len);
    for at in 0..held {
        let mut changed = text.clone();
        changed[at] ^= 1;
        assert!(check_chain(&changed, None).is_err(), "byte {at}");
    }
}

#[test]
fn every_line_that_is_removed_is_found() {
    let Sample { lines, head } = sample();
    for at in 0..lines.len() {
        let mut rest = lines.clone();
        rest.remove(at);
        let line = u64::try_from(at).expect("small") + 1;
        assert_eq!(check(&rest, head), found(line, BreakReason::Removed), "line {line}");
        let is_tail = at + 1 == lines.len();
        assert_eq!(check(&rest, None).is_ok(), is_tail, "without the head, line {line}");
    }
}

#[test]
fn a_tail_that_is_gone_is_found_by_the_head_alone() {
    let Sample { lines, head } = sample();
    for left in 0..lines.len() {
        let line = u64::try_from(left).expect("small") + 1;
        assert_eq!(check(&lines[..left], head), found(line, BreakReason::Removed));
        assert!(check(&lines[..left], None).is_ok());
    }
}

#[test]
fn every_line_that_is_doubled_is_found_wherever_it_is_put() {
    let Sample { lines, head } = sample();
    for at in 0..lines.len() {
        for to in at + 1..=lines.len() {
            let mut more = lines.clone();
            more.insert(to, lines[at].clone());
            let line = u64::try_from(to).expect("small") + 1;
            assert_eq!(check(&more, head), found(line, BreakReason::Doubled), "{at} at {to}");
            assert_eq!(check(&more, None), found(line, BreakReason::Doubled), "{at} at {to}");
        }
    }
}

#[test]
fn a_line_that_is_put_in_is_found_and_not_the_one_behind_it() {
    let Sample { lines, head } = sample();
    for at in 1..lines.len() {
        let before =
            Head { count: u64::try_from(at).expect("small"), hash: LineHash::of(lines[at - 1].trim_end().as_bytes()) };
        let mut more = lines.clone();
        more.insert(at, chained(Some(before), &request("forged")).text);
        let line = u64::try_from(at).expect("small") + 1;
        assert_eq!(check(&more, head), found(line, BreakReason::Inserted), "behind line {at}");
    }
}

#[test]
fn lines_that_changed_places_are_found() {
    let Sample { lines, head } = sample();
    for at in 0..lines.len() - 1 {
        let mut moved = lines.clone();
        moved.swap(at, at + 1);
        let line = u64::try_from(at).expect("small") + 1;
        assert_eq!(check(&moved, head), found(line, BreakReason::Moved), "lines {line} and the next");
    }
}

#[test]
fn a_line_that_was_cut_off_is_found_at_every_byte() {
    let Sample { lines, head } = sample();
    let text = lines.concat();
    let last = text.len() - lines.last().map_or(0, String::len);
    for end in last + 1..text.len() {
        assert_eq!(check_chain(&text.as_bytes()[..end], head), found(7, BreakReason::CutOff), "{end} bytes");
        assert_eq!(check_chain(&text.as_bytes()[..end], None), found(7, BreakReason::CutOff), "{end} bytes");
    }
}

#[test]
fn a_chain_that_was_written_anew_holds_and_is_found_by_the_head() {
    let Sample { head, .. } = sample();
    let mut forged = Sample { lines: Vec::new(), head: None };
    for count in 0..7 {
        let next = chained(forged.head, &request(&format!("forged {count}")));
        forged.lines.push(next.text);
        forged.head = Some(next.head);
    }
    assert!(check(&forged.lines, None).is_ok());
    assert_eq!(check(&forged.lines, head), found(7, BreakReason::Changed));
}

#[test]
fn a_machine_that_stopped_between_line_and_head_is_not_a_break() {
    let Sample { lines, head } = sample();
    let kept = check(&lines[..6], None).expect("whole").head;
    assert_eq!(check(&lines, kept), Ok(CheckedChain { head, beyond: 1 }));
    let none = Some(Head { count: 0, hash: LineHash::default() });
    assert_eq!(check(&lines, none), Ok(CheckedChain { head, beyond: 7 }));
}

#[test]
fn what_is_no_log_is_refused_and_nothing_breaks() {
    for text in ["\n", "{}\n", "[]\n", "null\n", r#"{"n":1,"n":1,"p":""}"#, "\u{feff}\n"] {
        assert!(check_chain(text.as_bytes(), None).is_err(), "{text:?}");
    }
    let deep = format!("{}\n", "[".repeat(100_000));
    assert_eq!(check_chain(deep.as_bytes(), None), found(1, BreakReason::Changed));
    let long = format!("{}\n", "x".repeat(1 << 20));
    assert_eq!(check_chain(long.as_bytes(), None), found(1, BreakReason::Changed));
}

proptest! {
    /// Whatever is cut out of the file, or written over in it: it does not pass for the file.
    #[test]
    fn no_other_file_passes_for_it(from in 0usize..2_000, long in 1usize..400, with in ".{0,40}") {
        let Sample { lines, head } = sample();
        let text = lines.concat().into_bytes();
        let from = from.min(text.len());
        let to = (from + long).min(text.len());
        let other = [&text[..from], with.as_bytes(), &text[to..]].concat();
        prop_assume!(other != text);
        let is_whole_with_more = other.starts_with(&text);
        prop_assert!(is_whole_with_more || check_chain(&other, head).is_err());
    }
}
