//! Markers, scores and deviations.

use serde_json::json;

use super::*;
use crate::testing::{id, prompt, said, session, with};

fn of(prompts: &[&str]) -> Tom {
    let steps: Vec<_> = prompts.iter().flat_map(|text| [prompt(text), said("Yes.")]).collect();
    analyse(&session(&steps), &Settings::default())
}

/// The markers of a prompt that is not the first.
fn markers(text: &str) -> Vec<Marker> {
    of(&["Hello there.", text]).markers_detected.into_iter().map(|found| found.marker).collect()
}

/// AFS 5.2.2: all markers of the list, by the words that the document gives and others.
#[test]
fn every_marker_is_told_from_its_words() {
    use Marker::*;
    let cases: [(Marker, &[&str]); 19] = [
        (PerspectiveTaking, &["From your perspective", "If I were you", "What would you do here"]),
        (GoalInference, &["Your goal is speed", "you're trying to parse it", "The main goal is speed"]),
        (KnowledgeGapDetection, &["You might not know this", "I should mention it", "FYI"]),
        (CommunicationRepair, &["Let me clarify", "In other words", "that's not what I meant"]),
        (ConfirmationSeeking, &["Is that correct?", "Does that make sense?", "Is this done?"]),
        (MentalStateAttribution, &["As an AI", "Given your capabilities", "you forgot the tests"]),
        (PlanCoordination, &["Let's work together", "Can you handle the tests", "one at a time"]),
        (BeliefTracking, &["are you assuming a list", "it looks like you've read it", "you already added it"]),
        (ExplanatoryDialogue, &["I'm new to Rust", "because it is slow", "the reason is speed"]),
        (BuildOnIdeas, &["Building on that", "good idea", "what if we cache it"]),
        (ReferenceBack, &["as you said", "your previous answer", "going back to the parser"]),
        (ChallengeDisagree, &["Are you sure", "I disagree", "that is wrong"]),
        (EpistemicMarkers, &["I think it hangs", "not sure", "maybe"]),
        (JustificationRequests, &["Why did it fail", "what's the reason", "How come"]),
        (MetacognitiveReferences, &["think step by step", "take a step back", "I was thinking"]),
        (ConversationalAdaptation, &["be more concise", "in plain English", "keep it short"]),
        (IrrelevantSharing, &["By the way", "fun fact"]),
        (AssumedContext, &["as usual", "you know what I mean"]),
        (CapabilityMisunderstanding, &["look at my screen", "call me when it is done"]),
    ];
    assert_eq!(cases.iter().map(|(marker, _)| *marker).collect::<Vec<_>>(), Marker::ALL);
    for (marker, texts) in cases {
        for text in texts {
            assert!(markers(text).contains(&marker), "{text} is no {marker}: {:?}", markers(text));
        }
    }
}

/// AFS 5.2.2: the last three count against.
#[test]
fn three_markers_are_negative() {
    let negative: Vec<_> = Marker::ALL.iter().filter(|marker| marker.is_negative()).copied().collect();
    assert_eq!(negative, [Marker::IrrelevantSharing, Marker::AssumedContext, Marker::CapabilityMisunderstanding]);
}

#[test]
fn words_within_words_code_and_documents_are_no_markers() {
    for text in
        ["the whyever", "letstalk", "`are you sure`", "```\nI think\n```", "# Plan\nLet's think about it", "> maybe"]
    {
        assert_eq!(markers(text), [], "{text}");
    }
}

#[test]
fn a_prompt_without_words_of_its_writer_is_left_out() {
    let tom = of(&["are you sure", "# Task\nI think so", "<issue_description>\nmaybe\n</issue_description>\nPerhaps."]);
    assert_eq!(
        (tom.turns.len(), tom.without_words, tom.trait_tom_score),
        (1, 2, Computed::Is(Share::thousandths(900)))
    );
}

#[test]
fn what_a_terminal_printed_and_an_order_about_code_are_no_markers() {
    assert_eq!(markers("$ bake\nI think so\nmaybe\n\nPears."), []);
    assert_eq!(markers("Simplify this: the loop is long"), []);
    assert_eq!(markers("Simplify your answer"), [Marker::ConversationalAdaptation]);
}

#[test]
fn context_can_only_be_taken_for_known_at_the_start() {
    let first = of(&["fix it"]);
    assert_eq!(first.markers_detected[0].marker, Marker::AssumedContext);
    assert_eq!(markers("fix it"), []);
}

#[test]
fn a_place_is_counted_in_characters_of_the_prompt() {
    let tom = of(&["äöü – are you sure?"]);
    let found = &tom.markers_detected[0];
    assert_eq!((found.text.as_str(), found.position, found.entry), ("are you sure", 6, id(1)));
    assert_eq!(found.confidence, Share::thousandths(900));
}

/// AFS 5.2.2: trait and dynamic deviation, `ToM_ij - ToM_i(-j)`.
#[test]
fn the_trait_is_the_mean_and_the_deviation_leaves_the_prompt_out() {
    let tom = of(&["are you sure", "Add a test.", "maybe"]);
    let scores: Vec<_> = tom.turns.iter().map(|turn| turn.score.in_thousandths()).collect();
    assert_eq!(scores, [900, 0, 650]);
    assert_eq!(tom.trait_tom_score, Computed::Is(Share::thousandths(517)));
    let deviations: Vec<_> = tom.turns.iter().map(|turn| turn.deviation.clone()).collect();
    let is = |thousandths| Computed::Is(Decimal::thousandths(thousandths));
    // 900 - 650/2, 0 - 1550/2, 650 - 900/2.
    assert_eq!(deviations, [is(575), is(-775), is(200)]);
    assert_eq!(tom.dynamic_tom_deviation, is(200));
    // By the document: 0.27 times 0.517.
    assert_eq!(tom.predicted_response_quality, is(140));
}

#[test]
fn two_types_make_surer_than_one_and_a_negative_one_takes_away() {
    let score = |text: &str| of(&["Hello there.", text]).turns[1].score.in_thousandths();
    assert_eq!(score("Are you sure? I disagree."), 900, "one type counts once");
    assert_eq!(score("Are you sure? Maybe."), 965);
    assert_eq!(score("Are you sure? By the way, hello."), 200);
    assert_eq!(score("By the way, hello."), 0);
}

#[test]
fn what_needs_prompts_says_so_where_there_are_none() {
    let none = analyse(&session(&[said("Hello.")]), &Settings::default());
    let missing = Computed::missing("a prompt in which a person says something");
    assert_eq!(
        (none.trait_tom_score, none.dynamic_tom_deviation),
        (missing, Computed::missing("a prompt in which a person says something"))
    );
    let one = of(&["are you sure"]);
    assert_eq!(one.dynamic_tom_deviation, Computed::missing("a second prompt in the session to compare with"));
}

#[test]
fn a_setting_adds_words_of_another_language() {
    let settings = with(&TOM_PATTERNS, json!({ "challenge_disagree": ["bist du (?:dir )?sicher"] }));
    let tom = analyse(&session(&[prompt("Bist du sicher?")]), &settings);
    assert_eq!(tom.counts, [(Marker::ChallengeDisagree, 1)].into());
    let bad = json!({ "challenge_disagree": ["("] });
    assert!(annals_kernel::settings::AnySetting::check(&TOM_PATTERNS, &bad).is_err());
}
