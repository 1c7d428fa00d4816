//! What citations are worth, from the cases and the table of the document; and how a whole is divided.

use serde::Deserialize;

use super::super::formula::{QuoteFinding, citation_credits, slices};
use annals_kernel::credits::Credits;
use annals_kernel::grounding::{CitationOutcome, Trigger};
use annals_kernel::settings::Settings;

#[derive(Deserialize)]
struct Cases {
    #[serde(rename = "credits.citation")]
    citations: Vec<FormulaCase>,
    #[serde(rename = "credits.assisted")]
    assisted: Vec<Assisted>,
}

#[derive(Deserialize)]
struct FormulaCase {
    trigger: Option<Trigger>,
    outcome: Option<CitationOutcome>,
    quote_similarity: Option<f64>,
    verified: bool,
    expect: i64,
}

#[derive(Deserialize)]
struct Assisted {
    total: i64,
    slices: u32,
    expect: serde_json::Value,
}

fn cases() -> Cases {
    serde_json::from_str(include_str!("cases.json")).expect("cases")
}

fn finding(verified: bool, similarity: f64) -> QuoteFinding {
    match (verified, similarity > 0.95) {
        (false, _) => QuoteFinding::Failed,
        (true, false) => QuoteFinding::Verified,
        (true, true) => QuoteFinding::Precise,
    }
}

/// Control-room 11.4, decision 15a.
#[test]
fn every_case_of_a_citation_is_worth_what_it_says() {
    for case in cases().citations {
        let found = finding(case.verified, case.quote_similarity.unwrap_or(0.0));
        let (trigger, outcome) =
            (case.trigger.unwrap_or(Trigger::Unprompted), case.outcome.unwrap_or(CitationOutcome::NoAction));
        let worth = citation_credits(found, trigger, outcome, &Settings::default());
        assert_eq!(worth, Credits::whole(case.expect), "{found:?} {trigger} {outcome}");
    }
}

/// Control-room 11.11: the table, with the precision bonus.
#[test]
fn every_scenario_of_the_document_is_worth_what_its_table_says() {
    use CitationOutcome::{
        EstablishedNewCanon, IdentifiedCanonGap, InformedDecision, LedToFileChange, NoAction, NoActionYet,
        PreventedError, PreventedUserConflict,
    };
    use QuoteFinding::{Failed, Precise};
    use Trigger::{
        AnswerToQuestion, CanonGapSearch, ChallengeConsensus, SupportProposal, Unprompted, VerifyContinuity,
    };
    let table = [
        ("an answer that changed a file", Precise, AnswerToQuestion, LedToFileChange, 2),
        ("five files for context", Precise, Unprompted, NoAction, 0),
        ("a challenge that made the team think again", Precise, ChallengeConsensus, InformedDecision, 2),
        ("a file that is not there", Failed, SupportProposal, LedToFileChange, -2),
        ("an inconsistency that was prevented", Precise, VerifyContinuity, PreventedError, 3),
        ("an answer that nobody used", Precise, AnswerToQuestion, NoAction, 0),
        ("a proposal that waits", Precise, SupportProposal, NoActionYet, 1),
        ("canon that is not there", Precise, CanonGapSearch, IdentifiedCanonGap, 2),
        ("canon that was made", Precise, SupportProposal, EstablishedNewCanon, 3),
        ("a mistake of the user", Precise, VerifyContinuity, PreventedUserConflict, 4),
    ];
    for (scenario, found, trigger, outcome, credits) in table {
        let worth = citation_credits(found, trigger, outcome, &Settings::default());
        assert_eq!(worth, Credits::whole(credits), "{scenario}");
    }
}

/// Control-room 11.2: without a trigger, or without an outcome, a citation is worth nothing.
#[test]
fn a_citation_in_a_vacuum_is_worth_nothing() {
    for outcome in CitationOutcome::ALL {
        let worth = citation_credits(QuoteFinding::Precise, Trigger::Unprompted, *outcome, &Settings::default());
        assert_eq!(worth, Credits::ZERO, "{outcome}");
    }
    for trigger in Trigger::ALL {
        let worth = citation_credits(QuoteFinding::Precise, *trigger, CitationOutcome::NoAction, &Settings::default());
        assert_eq!(worth, Credits::ZERO, "{trigger}");
    }
}

/// Decision 37: every weight is configuration.
#[test]
fn weights_are_configuration() {
    let mut settings = Settings::default();
    settings.set("credits.triggers", Some(serde_json::json!({ "unprompted": 1000 })));
    settings.set("credits.amounts", Some(serde_json::json!({ "evidence-failed-verification": -5 })));
    let worth = |found, trigger| citation_credits(found, trigger, CitationOutcome::InformedDecision, &settings);
    assert_eq!(worth(QuoteFinding::Verified, Trigger::Unprompted), Credits::whole(1));
    assert_eq!(worth(QuoteFinding::Verified, Trigger::ResolveConflict), Credits::whole(2), "others stay as they were");
    assert_eq!(worth(QuoteFinding::Failed, Trigger::ResolveConflict), Credits::whole(-5));
}

/// Control-room 11.4.1.
#[test]
fn every_case_of_a_sliced_task_is_divided_as_it_says() {
    for case in cases().assisted {
        let parts = slices(Credits::whole(case.total), case.slices);
        match case.expect.as_i64() {
            Some(each) => assert_eq!(parts, Ok(vec![Credits::whole(each); case.slices as usize])),
            None => assert!(parts.is_err(), "{} in {}", case.total, case.slices),
        }
    }
}

/// Decision 15a: what is left over goes to the first slices.
#[test]
fn an_uneven_total_gives_the_rest_to_the_first_slices() {
    let parts = slices(Credits::whole(10), 3).expect("slices");
    assert_eq!(parts, [3334, 3333, 3333].map(Credits::thousandths));
}
