//! Given a text, the message; or where it is wrong.

use super::error::MOST_ITEMS;
use super::*;
use annals_kernel::share::Share;

fn texts(items: &[&str]) -> Vec<Box<str>> {
    items.iter().map(|item| (*item).into()).collect()
}

/// Dialectic, "CSP/1 Protocol Extensions".
#[test]
fn every_message_is_read_as_the_source_writes_it() {
    let cases: [(&str, Message); 7] = [
        (
            "DEBATE REQ:Delete the cache, all of it ROUNDS:2 STAKES:high",
            Message::Plan(PlanRequest {
                proposal: "Delete the cache, all of it".into(),
                rounds: 2,
                stakes: Stakes::High,
            }),
        ),
        (
            "DEBATE_FAILURE REQ:fix auth test ATTEMPTS:[updated import path, reinstalled deps] ERRORS:[Cannot find module, \"a, b\"]",
            Message::Failure(FailureRequest {
                task: "fix auth test".into(),
                attempts: texts(&["updated import path", "reinstalled deps"]),
                errors: texts(&["Cannot find module", "a, b"]),
            }),
        ),
        (
            "CLAIM: the index is unused\nSUPPORTS: [src/a.rs, benchmark]\nCONFIDENCE: 0.85",
            Message::Claim(PlanClaim {
                claim: "the index is unused".into(),
                supports: texts(&["src/a.rs", "benchmark"]),
                confidence: Share::thousandths(850),
            }),
        ),
        (
            "OBJECTION there is no backup\nSEVERITY HIGH\nRISKS [data loss]\nCOUNTER back up first",
            Message::Objection(Objection {
                objection: "there is no backup".into(),
                severity: ObjectionSeverity::High,
                risks: texts(&["data loss"]),
                counter: Some("back up first".into()),
            }),
        ),
        (
            "DIAGNOSIS:wrong resolver FIX:use vite-tsconfig-paths DIFF_FROM_PREVIOUS:another tool",
            Message::Diagnosis(FailureDiagnosis {
                diagnosis: "wrong resolver".into(),
                fix: "use vite-tsconfig-paths".into(),
                diff: "another tool".into(),
            }),
        ),
        (
            "PATTERN:paths BLIND_SPOT:none SHOULD_ESCALATE:false",
            Message::Doubt(Doubt { pattern: Some("paths".into()), blind_spot: None, should_escalate: false }),
        ),
        (
            "RESOLUTION MODIFY\nRATIONALE the critic is right\nMODIFICATIONS [back up first] | NEXT_ATTEMPT_LIMIT 2",
            Message::Resolution(Resolution {
                resolution: Resolved::Modify,
                rationale: "the critic is right".into(),
                modifications: texts(&["back up first"]),
                next_approach: None,
                escalate_to: None,
                next_attempt_limit: Some(2),
            }),
        ),
    ];
    for (text, message) in cases {
        assert_eq!(parse(text), Ok(message.clone()), "{text}");
        assert_eq!(parse(&write(&message)), Ok(message), "{text}");
    }
}

#[test]
fn values_may_hold_blanks_colons_brackets_and_keys() {
    let read = |text: &str| match parse(text) {
        Ok(Message::Plan(plan)) => plan.proposal.into_string(),
        other => panic!("{text}: {other:?}"),
    };
    for (value, expected) in [
        ("a: b [c] \"d\" | e", "a: b [c] \"d\" | e"),
        ("\"ROUNDS:9 \\\"x\\\" \\\\ \\n\"", "ROUNDS:9 \"x\" \\ \n"),
        ("one\n  two STAKE", "one\n  two STAKE"),
        ("xROUNDS:3", "xROUNDS:3"),
        ("ж 修复", "ж 修复"),
    ] {
        assert_eq!(read(&format!("DEBATE REQ:{value} ROUNDS:1 STAKES:low")), expected);
    }
    let Ok(Message::Failure(failure)) = parse("DEBATE_FAILURE REQ:x ATTEMPTS:[] ERRORS:[index [3] of [a, b], \"\"]")
    else {
        panic!("it is a request");
    };
    assert_eq!(failure.errors, texts(&["index [3] of [a, b]", ""]));
}

/// Places are counted in characters.
#[test]
fn an_error_names_line_column_and_what_was_expected() {
    for (text, expected) in [
        (
            "",
            "line 1, column 1: expected one of DEBATE, DEBATE_FAILURE, CLAIM, OBJECTION, DIAGNOSIS, PATTERN, RESOLUTION, found the end",
        ),
        (
            "debate REQ:x",
            "line 1, column 1: expected one of DEBATE, DEBATE_FAILURE, CLAIM, OBJECTION, DIAGNOSIS, PATTERN, RESOLUTION, found \"debate REQ:x\"",
        ),
        ("DEBATE REQ:x STAKES:low", "line 1, column 24: expected ROUNDS:, found the end"),
        (
            "DEBATE REQ:жж ROUNDS:4 STAKES:low",
            "line 1, column 22: expected a number from 1 to 3, found \"4 STAKES:low\"",
        ),
        (
            "DEBATE REQ:x ROUNDS:1\n  STAKES:huge",
            "line 2, column 10: expected one of low, medium, high, found \"huge\"",
        ),
        ("DEBATE REQ:x REQ:y", "line 1, column 14: expected no second REQ, found \"REQ:y\""),
        ("DEBATE what", "line 1, column 8: expected one of REQ, ROUNDS, STAKES, found \"what\""),
        ("CLAIM:\"x", "line 1, column 9: expected a quote that ends the value, found the end"),
        ("CLAIM:\"x\"y", "line 1, column 10: expected a blank after the value, found \"y\""),
        ("CLAIM:\"\\x\"", "line 1, column 8: expected \\\", \\\\, \\n, \\r or \\t, found \"\\x\"\""),
        ("CLAIM:x SUPPORTS:[a CONFIDENCE:1", "line 1, column 33: expected ], found the end"),
        ("CLAIM:x SUPPORTS:[a,,b] CONFIDENCE:1", "line 1, column 21: expected an item, found \",b] CONFIDENCE:1\""),
        (
            "CLAIM:x SUPPORTS:[\"a\" b] CONFIDENCE:1",
            "line 1, column 23: expected a comma or ], found \"b] CONFIDENCE:1\"",
        ),
        ("CLAIM:x SUPPORTS:a CONFIDENCE:1", "line 1, column 18: expected [, found \"a CONFIDENCE:1\""),
        (
            "CLAIM:[x] CONFIDENCE:1",
            "line 1, column 7: expected a text for CLAIM; between quotes, where it begins with [, found \"[x] CONFIDENCE:1\"",
        ),
        ("CLAIM: CONFIDENCE:1", "line 1, column 8: expected a text for CLAIM, found \"CONFIDENCE:1\""),
        ("CLAIM:x CONFIDENCE:1.5", "line 1, column 20: expected a number from 0 to 1, found \"1.5\""),
        ("PATTERN:x SHOULD_ESCALATE:maybe", "line 1, column 27: expected one of true, false, found \"maybe\""),
        (
            "RESOLUTION PROCEED\nRATIONALE x\nMODIFICATIONS [a]",
            "line 3, column 15: expected only what may follow PROCEED, found \"[a]\"",
        ),
        (
            "RESOLUTION RETRY\nRATIONALE x\nNEXT_ATTEMPT_LIMIT 3",
            "line 3, column 20: expected a number from 1 to 2, found \"3\"",
        ),
    ] {
        assert_eq!(parse(text).map_err(|error| error.to_string()), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn what_is_too_long_is_not_read() {
    let long = format!("CLAIM:{} CONFIDENCE:1", "ж".repeat(MOST_CHARS));
    assert!(parse(&long).is_err_and(|error| error.expected.contains("65536")));
    let items = vec!["a"; MOST_ITEMS + 1].join(",");
    assert!(parse(&format!("CLAIM:x SUPPORTS:[{items}] CONFIDENCE:1")).is_err());
}
