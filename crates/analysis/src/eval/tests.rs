//! Scores of prompts and answers, information gain.

use serde_json::Value;

use super::answers::{Checks, information_gain};
use super::*;
use crate::testing::{broke, edit, id, interrupt, prompt, ran, read, said, session, thought, typed};

fn of(steps: &[Value]) -> Eval {
    analyse(&session(steps), &Settings::default())
}

fn share(thousandths: u16) -> Share {
    Share::thousandths(thousandths)
}

/// AFS 5.2.1: prompt quality, by what stands in it.
#[test]
fn a_prompt_is_scored_by_what_stands_in_it() {
    let cases = [
        ("Fix the panic in src/lexer.rs: `next_token` fails at line 42 because the buffer is empty.", 1000, 750, 500),
        (
            "Rename `a_b` and `c_d` in src/a.rs and src/b.rs; do not touch the tests, since they should stay.",
            1000,
            1000,
            750,
        ),
        ("hello", 666, 0, 0),
    ];
    for (text, clarity, specificity, context) in cases {
        let eval = of(&[prompt(text)]);
        let found = &eval.prompts[0];
        assert_eq!(
            (found.clarity, found.specificity, found.context_sufficiency),
            (share(clarity), share(specificity), share(context)),
            "{text}: {}",
            found.of
        );
    }
}

#[test]
fn vague_words_are_cited_with_their_places() {
    let eval = of(&[prompt("fix it so that things work somehow")]);
    let found: Vec<_> = eval.prompts[0].ambiguous.iter().map(|vague| (vague.text.as_str(), vague.position)).collect();
    assert_eq!(found, [("it", 4), ("things", 15), ("somehow", 27)]);
    assert_eq!(eval.prompt_quality.ambiguity_count, Computed::Is(3));
}

/// AFS 5.2.1: response quality.
#[test]
fn answers_are_scored_by_what_the_record_shows() {
    let eval = of(&[
        prompt("Fix a."),
        thought("Hm."),
        read("src/a.rs"),
        edit("src/a.rs", "a", "b"),
        ran("cargo test", "ok"),
        said("Fixed in src/a.rs."),
        prompt("Thanks! Now b."),
        edit("src/b.rs", "a", "b"),
        broke("cargo test", "exit code 101"),
        said("It fails."),
        prompt("This is wrong."),
    ]);
    let response = &eval.response_quality;
    assert_eq!(response.correctness, Computed::Is(share(500)));
    assert_eq!(response.helpfulness, Computed::Is(share(500)));
    assert_eq!(response.completeness, Computed::Is(share(666)));
    // Thinks 1/2, looks first 1/2, checks 2/2, says where 1/2: the mean of four, on 5.
    assert_eq!(response.reasoning_quality, Computed::Is(Decimal::thousandths(3125)));
    let cited: Vec<_> = eval.evidence.iter().map(|found| (found.kind.as_str(), found.entries.clone())).collect();
    assert_eq!(
        cited,
        [
            ("correctness", vec![id(4), id(5)]),
            ("correctness", vec![id(8), id(9)]),
            ("helpfulness", vec![id(7)]),
            ("helpfulness", vec![id(11)]),
            ("completeness", vec![id(11)]),
        ]
    );
}

/// A check shows nothing of what is edited after it.
#[test]
fn a_check_before_the_edits_is_none_after_them() {
    let (check, change) = (ran("cargo test", "ok"), edit("src/a.rs", "a", "b"));
    let quality = |steps: [&Value; 2]| {
        let all = [prompt("Fix a."), steps[0].clone(), steps[1].clone(), said("Done.")];
        of(&all).response_quality.reasoning_quality
    };
    assert_eq!(quality([&check, &change]), Computed::Is(Decimal::default()));
    // One of three: looks first, checks, says why.
    assert_eq!(quality([&change, &check]), Computed::Is(Decimal::thousandths(1665)));
}

#[test]
fn a_command_that_takes_it_back_and_a_stop_show_displeasure() {
    for stop in [typed("/undo"), interrupt()] {
        let eval = of(&[prompt("Fix a."), said("Fixed."), stop, prompt("Fix b.")]);
        assert_eq!(eval.response_quality.helpfulness, Computed::Is(Share::NONE));
    }
}

/// Never a default score.
#[test]
fn what_the_record_does_not_show_is_not_computable() {
    let eval = of(&[prompt("Hello."), said("Hello.")]);
    let response = &eval.response_quality;
    assert_eq!(response.correctness, Computed::missing("a test run or build after edits (0 turns with edits)"));
    assert!(response.helpfulness.value().is_none() && response.reasoning_quality.value().is_none());
    assert_eq!(eval.information_gain, Computed::missing("an edit between two groups of checks"));
    assert!(of(&[]).prompt_quality.clarity.value().is_none());
}

/// AFS 5.2.1: `ΔI = ½ log(Var[Y|s_pre] / Var[Y|s_post])`.
#[test]
fn information_gain_is_half_the_logarithm_of_the_variances() {
    let checks = |(passed, all)| Checks { passed, all };
    let gain =
        |before, after| information_gain(checks(before), checks(after)).value().map(|gain| gain.in_thousandths());
    // ½ ln(0.25 / 0.09)
    assert_eq!(gain((1, 2), (9, 10)), Some(511));
    assert_eq!(gain((1, 2), (1, 2)), Some(0));
    assert_eq!(gain((9, 10), (1, 2)), Some(-511));
    assert_eq!((gain((1, 1), (1, 2)), gain((2, 2), (1, 2)), gain((1, 2), (0, 2))), (None, None, None));
}
