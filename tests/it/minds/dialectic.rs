//! Laws of dialectic.

mod real;

use annals::domain::dialectic::csp::{
    Doubt, FailureDiagnosis, FailureRequest, Message, Objection, ObjectionSeverity, PlanClaim, PlanRequest, Resolution,
    Resolved, Stakes, parse, write,
};
use annals::domain::dialectic::identity;
use annals::kernel::fingerprint;
use annals::kernel::share::Share;
use proptest::prelude::*;
use proptest::sample::select;

/// Texts that try everything that a reader could trip over.
fn text() -> impl Strategy<Value = Box<str>> {
    let bits = select(vec![
        "a", "none", " ", "\n", "\t", "\r", "\"", "\\", "[", "]", ",", "|", ":", "REQ:", "ROUNDS:2", "CLAIM ", "FIX:",
        "RATIONALE x", "ж", "修", "\u{301}", "0.8", "true", "DEBATE",
    ]);
    let hostile = prop::collection::vec(bits, 1..12).prop_map(|bits| bits.concat());
    prop_oneof![hostile, "\\PC{1,40}"].prop_map(Into::into)
}

/// A text that says something, and stays what it is when it is read again.
fn said() -> impl Strategy<Value = Box<str>> {
    text()
}

fn maybe() -> impl Strategy<Value = Option<Box<str>>> {
    prop::option::of(text())
}

fn list() -> impl Strategy<Value = Vec<Box<str>>> {
    prop::collection::vec(prop_oneof![text(), Just("".into())], 0..5)
}

fn share() -> impl Strategy<Value = Share> {
    (0..=1000_u16).prop_map(Share::thousandths)
}

fn resolution() -> impl Strategy<Value = Message> {
    let given = (select(Resolved::ALL), said(), list(), maybe(), maybe(), prop::option::of(1..=2_u8));
    given.prop_map(|(resolution, rationale, modifications, next, who, limit)| {
        let goes_on = matches!(resolution, Resolved::Retry | Resolved::Pivot);
        let is_changed = resolution == Resolved::Modify;
        Message::Resolution(Resolution {
            resolution,
            rationale,
            modifications: if is_changed { modifications } else { Vec::new() },
            next_approach: next.filter(|_| goes_on),
            escalate_to: who.filter(|_| resolution == Resolved::Escalate),
            next_attempt_limit: limit.filter(|_| goes_on || is_changed),
        })
    })
}

fn message() -> impl Strategy<Value = Message> {
    prop_oneof![
        (said(), 1..=3_u8, select(Stakes::ALL)).prop_map(|(proposal, rounds, stakes)| Message::Plan(PlanRequest {
            proposal,
            rounds,
            stakes
        })),
        (said(), list(), list()).prop_map(|(task, attempts, errors)| Message::Failure(FailureRequest {
            task,
            attempts,
            errors
        })),
        (said(), list(), share()).prop_map(|(claim, supports, confidence)| Message::Claim(PlanClaim {
            claim,
            supports,
            confidence
        })),
        (said(), select(ObjectionSeverity::ALL), list(), maybe()).prop_map(|(objection, severity, risks, counter)| {
            Message::Objection(Objection { objection, severity, risks, counter })
        }),
        (said(), said(), said()).prop_map(|(diagnosis, fix, diff)| Message::Diagnosis(FailureDiagnosis {
            diagnosis,
            fix,
            diff
        })),
        (maybe(), maybe(), any::<bool>()).prop_map(|(pattern, blind_spot, should_escalate)| {
            Message::Doubt(Doubt { pattern, blind_spot, should_escalate })
        }),
        resolution(),
    ]
}

proptest! {
    /// Dialectic, "CSP/1 Protocol Extensions": what is written is read as the same.
    #[test]
    fn a_message_is_read_as_it_was_written(message in message()) {
        prop_assert_eq!(parse(&write(&message)), Ok(message));
    }

    /// What can be read can be written, and is the same when it is read again.
    #[test]
    fn what_is_read_can_be_written(parts in prop::collection::vec(text(), 0..20), first in select(vec![
        "DEBATE REQ:", "DEBATE_FAILURE REQ:", "CLAIM:", "OBJECTION ", "DIAGNOSIS:", "PATTERN:", "RESOLUTION MODIFY\n", "",
    ]), end in select(vec![
        " ROUNDS:1 STAKES:low", " ATTEMPTS:[a] ERRORS:[b, [c]]", " CONFIDENCE:0.5", "\nSEVERITY low", "\nRATIONALE x", "",
        " FIX:b DIFF_FROM_PREVIOUS:c", " SHOULD_ESCALATE:true",
    ])) {
        let text = [first, &parts.concat(), end].concat();
        if let Ok(message) = parse(&text) {
            prop_assert_eq!(parse(&write(&message)), Ok(message));
        }
    }

    /// A place is inside the text, whatever the text.
    #[test]
    fn an_error_has_a_place(text in "\\PC{0,60}") {
        if let Err(error) = parse(&text) {
            prop_assert!(error.line >= 1 && error.column >= 1);
            prop_assert!(error.column <= text.chars().count() + 1);
        }
    }

    /// Decision 24: canonical is canonical.
    #[test]
    fn a_canonical_task_stays_as_it_is(text in prop_oneof![any::<String>(), "[A-Za-zİßΣσ 'é-]{0,40}"]) {
        let once = identity::canonical(&text);
        prop_assert_eq!(identity::canonical(&once), once);
    }

    /// Decision 24: case, blanks and punctuation make no difference.
    #[test]
    fn punctuation_and_case_make_no_difference(words in prop::collection::vec("[a-z]{1,8}", 1..6)) {
        let plain = identity::task_id(&words.join(" "));
        let loud = words.join("!  ").to_uppercase() + "!";
        prop_assert_eq!(plain, identity::task_id(&loud));
    }

    /// Decision 25: a fingerprint is short, and its words stand apart.
    #[test]
    fn a_fingerprint_is_short_and_plain(error in prop_oneof![any::<String>(), "[A-Za-z0-9 :'/._\\[\\]-]{0,120}"]) {
        let once = fingerprint::of(&error);
        prop_assert!(once.chars().count() <= fingerprint::MOST_CHARS);
        prop_assert!(!once.contains("  ") && !once.starts_with(' ') && !once.ends_with(' '));
    }
}
