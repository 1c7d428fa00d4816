//! What the rules read beyond the cases, and where their borders lie.

use super::*;
use proptest::prelude::*;

#[test]
fn all_six_are_assessed_and_say_how() {
    use AssessmentMethod::{Computed, Fallback};
    use Dimension::{
        CertaintyAlignment, CommunicationHealth, KnowledgeApplication, KnowledgeSufficiency, ProductiveEngagement,
        ProgressMomentum,
    };
    use DimensionState::{Healthy, Low};
    let assessment = assessed(&told("How should I set up authentication?"));
    let states: Vec<_> = assessment.dimensions.iter().map(|(of, is)| (*of, is.state, is.assessment_method)).collect();
    let expected = [
        (KnowledgeSufficiency, Low, Computed),
        (CertaintyAlignment, Healthy, Fallback),
        (ProgressMomentum, Healthy, Computed),
        (CommunicationHealth, Healthy, Computed),
        (ProductiveEngagement, Healthy, Computed),
        (KnowledgeApplication, Healthy, Computed),
    ];
    assert_eq!(states, expected);
    assert_eq!(assessment.self_preservation, Assessed::computed(Healthy));
}

#[test]
fn knowledge_is_what_bears_on_the_message() {
    let rated = |content: &str, relevance: u16| RetrievedFact {
        relevance: Some(Share::thousandths(relevance)),
        ..fact(content)
    };
    let clerk = || vec![fact("Use Clerk for mobile authentication"), fact("Authentication with JWT on mobile")];
    let cases = [
        ("authentication for mobile", clerk(), DimensionState::Healthy),
        ("authentication for mobile", [clerk(), clerk()].concat(), DimensionState::High),
        (
            "How do I implement OAuth2 authentication?",
            vec![fact("Use Clerk for mobile auth, not JWT")],
            DimensionState::Healthy,
        ),
        (
            "How do I bake bread in a cold oven today?",
            vec![fact("The oven of the office is blue")],
            DimensionState::Low,
        ),
        ("hi", vec![], DimensionState::Healthy),
        ("hi", vec![fact("Use Clerk")], DimensionState::Healthy),
        ("", vec![], DimensionState::Healthy),
        ("", vec![fact("Use Clerk")], DimensionState::Healthy),
        ("如何实现OAuth2认证？", vec![], DimensionState::Low),
        ("如何实现用户认证？", vec![fact("用户认证使用Clerk")], DimensionState::Healthy),
        (
            "Как настроить аутентификацию?",
            vec![fact("Настройка аутентификации описана в Clerk")],
            DimensionState::Healthy,
        ),
        ("anything at all goes", vec![rated("unlike it", 500)], DimensionState::Healthy),
        ("Use Clerk for auth", vec![rated("Use Clerk for auth", 499)], DimensionState::Low),
    ];
    for (message, facts, expected) in cases {
        let context = AgentContext { facts, ..told(message) };
        assert_eq!(state(&context, Dimension::KnowledgeSufficiency), expected, "{message}: {:?}", context.facts);
    }
}

#[test]
fn a_person_who_comes_back_with_the_same_trouble_is_stuck() {
    let low: [&[&str]; 5] = [
        &["How do I fix this?", "Still broken, how do I fix this?", "That didn't work either, how do I fix this?"],
        &["Why is auth not working?", "Still broken, why is auth failing?", "That didn't help, how to fix auth?"],
        &[
            "How do I fix this authentication problem?",
            "That didn’t help, how do I fix the auth issue?",
            "Still broken, how do I fix this?",
        ],
        &["登录页面为什么打不开", "登录页面为什么打不开", "登录页面为什么打不开"],
        &["other things", "the build fails", "the build still fails", "same error, build fails"],
    ];
    let healthy: [&[&str]; 6] = [
        &["Add a login screen", "Style the login screen", "Test the login screen"],
        &["continue", "continue", "continue"],
        &["Still broken", "Still broken"],
        &["Add error handling to the parser", "Write docs", "Deploy still fails on main"],
        &[
            "the build fails", "the build still fails", "same error, build fails", "thanks", "now write docs",
            "and a changelog",
        ],
        &[],
    ];
    for (cases, expected) in [(&low[..], DimensionState::Low), (&healthy[..], DimensionState::Healthy)] {
        for turns in cases {
            let mut history = user_turns(turns);
            history.insert(history.len() / 2, turn(TurnRole::Agent, "Try X, it is broken", ago(1)));
            let context = AgentContext { history, ..AgentContext::default() };
            assert_eq!(state(&context, Dimension::ProgressMomentum), expected, "{turns:?}");
        }
    }
}

#[test]
fn the_message_is_the_last_turn_and_counts_once() {
    let two = ["Why is auth not working?", "Still broken, why is auth failing?"];
    let context = AgentContext { history: user_turns(&two), ..told("That didn't help, how to fix auth?") };
    assert_eq!(state(&context, Dimension::ProgressMomentum), DimensionState::Low);
    let context = AgentContext { history: user_turns(&two), ..told(two[1]) };
    assert_eq!(state(&context, Dimension::ProgressMomentum), DimensionState::Healthy);
}

/// A millisecond on either side.
#[test]
fn times_turn_where_the_limits_say() {
    use DimensionState::{Healthy, High, Low};
    let limits = HomeostasisLimits::default();
    let before = |ms: u64| NOW.plus_millis(-i64::try_from(ms).expect("small"));
    let outbound = |ms| AgentContext { assigned_tasks: 1, last_outbound: Some(before(ms)), ..AgentContext::default() };
    let heard = |ms| AgentContext { history: vec![turn(TurnRole::User, "x", before(ms))], ..AgentContext::default() };
    let delegated = |ms| AgentContext {
        work_items: vec![WorkItem { delegated_at: Some(before(ms)), ..work_item(0, None) }],
        ..AgentContext::default()
    };
    let stale = |ms| AgentContext {
        work_items: vec![WorkItem { last_activity: before(ms), follow_ups: 1, ..work_item(0, None) }],
        ..AgentContext::default()
    };
    let exploring = |ms| AgentContext {
        phase: Some(CurrentPhase { phase: PhaseName::Exploring, since: before(ms) }),
        facts: vec![fact("f")],
        ..AgentContext::default()
    };
    let communication = Dimension::CommunicationHealth;
    let cases = [
        (outbound(limits.cooldown_ms - 1), communication, High),
        (outbound(limits.cooldown_ms), communication, Healthy),
        (outbound(limits.silence_ms - 1), communication, Healthy),
        (outbound(limits.silence_ms), communication, Low),
        (heard(limits.idle_ms), communication, Healthy),
        (heard(limits.idle_ms + 1), communication, Low),
        (delegated(limits.delegation_ms), communication, Healthy),
        (delegated(limits.delegation_ms + 1), communication, Low),
        (stale(limits.stale_work_ms), Dimension::ProgressMomentum, Healthy),
        (stale(limits.stale_work_ms + 1), Dimension::ProgressMomentum, Low),
        (stale(limits.stale_work_ms + 1), Dimension::ProductiveEngagement, Healthy),
        (exploring(limits.research_ms - 1), Dimension::KnowledgeApplication, Healthy),
        (exploring(limits.research_ms), Dimension::KnowledgeApplication, High),
    ];
    for (context, dimension, expected) in cases {
        assert_eq!(state(&context, dimension), expected, "{dimension}: {context:?}");
    }
}

#[test]
fn who_asked_after_what_was_delegated_is_not_told_again() {
    let item = WorkItem { follow_ups: 1, ..work_item(360, Some(1_800)) };
    let context = AgentContext { work_items: vec![item], ..AgentContext::default() };
    assert_eq!(state(&context, Dimension::CommunicationHealth), DimensionState::Healthy);
}

#[test]
fn trust_is_the_lower_of_sender_and_channel() {
    use MessageTrust::{Absolute, Low, Medium, None as Nothing};
    for (identity, channel, expected) in [
        (Some(Absolute), Some(Medium), Medium),
        (Some(Low), Some(Absolute), Low),
        (Some(Absolute), None, Nothing),
        (None, Some(Absolute), Nothing),
    ] {
        assert_eq!(MessageTrust::of(identity, channel), expected);
    }
}

fn any_context() -> impl Strategy<Value = AgentContext> {
    let text = prop_oneof![Just(String::new()), ".{0,60}", Just("still broken, fix auth".to_owned())];
    let texts = proptest::collection::vec(text.clone(), 0..6);
    let minutes = || -10i64..10_000;
    (text, texts.clone(), texts, proptest::option::of(minutes()), proptest::collection::vec(minutes(), 0..4)).prop_map(
        |(message, facts, turns, outbound, items)| AgentContext {
            facts: facts.iter().map(|content| fact(content)).collect(),
            history: user_turns(&turns.iter().map(String::as_str).collect::<Vec<_>>()),
            last_outbound: outbound.map(ago),
            work_items: items.iter().map(|minutes| work_item(*minutes, Some(*minutes))).collect(),
            ..told(&message)
        },
    )
}

proptest! {
    /// Whatever is observed: all six are there, two at most are open for a model, and what is assessed is written and
    /// read as it is.
    #[test]
    fn every_context_is_assessed_whole(context in any_context()) {
        let assessment = assessed(&context);
        prop_assert_eq!(assessment.dimensions.len(), 6);
        prop_assert!(assessment.wanted().len() <= 2);
        let written = serde_json::to_string(&assessment).unwrap();
        prop_assert_eq!(serde_json::from_str::<HomeostasisAssessment>(&written).unwrap(), assessment);
    }
}

#[test]
fn a_long_message_is_assessed_at_once() {
    let long = "how do I fix the broken login of user number one ".repeat(4_000);
    let context = AgentContext { history: user_turns(&[&long, &long]), facts: vec![fact(&long)], ..told(&long) };
    assert_eq!(
        state(&context, Dimension::ProgressMomentum),
        DimensionState::Healthy,
        "said once more, and no third time"
    );
    assert_eq!(state(&context, Dimension::KnowledgeSufficiency), DimensionState::Healthy);
}
