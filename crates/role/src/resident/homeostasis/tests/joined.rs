//! How rule, cache, model and override come together; the heartbeat; the guidance.

use super::super::guidance::advice;
use super::super::{
    AskedDimension, Beat, HeartbeatSettings, PulseFacts, StateCache, StateOverride, beat, guidance, in_force, may_skip,
};
use super::*;

const CERTAINTY: AskedDimension = AskedDimension::CertaintyAlignment;
const APPLICATION: AskedDimension = AskedDimension::KnowledgeApplication;

fn limits() -> HomeostasisLimits {
    HomeostasisLimits::default()
}

fn of(state: DimensionState, assessment_method: AssessmentMethod) -> Assessed {
    Assessed { state, assessment_method }
}

/// A conversation, so that both scales are open for a model.
fn conversation() -> HomeostasisAssessment {
    assessed(&AgentContext { history: user_turns(&["build the login"]), ..told("deploy it, I am not sure how") })
}

#[test]
fn a_model_is_asked_where_rules_know_nothing_and_there_is_something_to_judge() {
    assert_eq!(conversation().wanted(), [CERTAINTY, APPLICATION]);
    assert_eq!(assessed(&AgentContext::default()).wanted(), []);
    assert_eq!(assessed(&told("deploy it")).wanted(), [CERTAINTY]);
    let paralysed = AgentContext { facts: vec![fact("f")], ..in_phase(PhaseName::Exploring, 200) };
    assert_eq!(assessed(&paralysed).wanted(), []);
}

#[test]
fn an_answer_is_taken_and_an_unreadable_one_leaves_healthy_by_fallback() {
    let answered = conversation().with_answer(CERTAINTY, Some(DimensionState::Low));
    assert_eq!(answered.of(Dimension::CertaintyAlignment), of(DimensionState::Low, AssessmentMethod::Llm));
    assert_eq!(answered.wanted(), [APPLICATION]);
    let unread = conversation().with_answer(CERTAINTY, None);
    assert_eq!(unread, conversation());
    assert_eq!(unread.of(Dimension::CertaintyAlignment), of(DimensionState::Healthy, AssessmentMethod::Fallback));
}

#[test]
fn answers_hold_for_a_minute_and_for_five() {
    let mut cache = StateCache::default();
    cache.keep(CERTAINTY, DimensionState::Low, NOW);
    cache.keep(APPLICATION, DimensionState::High, NOW);
    let cases = [
        (0, Some(DimensionState::Low), Some(DimensionState::High)),
        (59_999, Some(DimensionState::Low), Some(DimensionState::High)),
        (60_000, None, Some(DimensionState::High)),
        (299_999, None, Some(DimensionState::High)),
        (300_000, None, None),
        (-1, None, None),
    ];
    for (later, certainty, application) in cases {
        let now = NOW.plus_millis(later);
        let cached = |dimension| cache.cached(dimension, now, &limits());
        assert_eq!((cached(CERTAINTY), cached(APPLICATION)), (certainty, application), "{later} ms later");
    }
    let assessment = conversation().with_cache(&cache, NOW.plus_millis(60_000), &limits());
    assert_eq!(assessment.wanted(), [CERTAINTY]);
    assert_eq!(assessment.of(Dimension::KnowledgeApplication), of(DimensionState::High, AssessmentMethod::Cached));
    let kept: StateCache = serde_json::from_str(&serde_json::to_string(&cache).expect("JSON")).expect("a cache");
    assert_eq!(kept, cache);
}

#[test]
fn what_a_rule_found_is_not_overruled_by_a_model() {
    let paralysed = AgentContext { facts: vec![fact("f")], ..in_phase(PhaseName::Exploring, 200) };
    let mut cache = StateCache::default();
    cache.keep(APPLICATION, DimensionState::Low, NOW);
    let assessment =
        assessed(&paralysed).with_cache(&cache, NOW, &limits()).with_answer(APPLICATION, Some(DimensionState::Low));
    assert_eq!(assessment.of(Dimension::KnowledgeApplication), Assessed::computed(DimensionState::High));
}

#[test]
fn the_last_override_wins_and_one_that_is_over_counts_for_nothing() {
    let set = |dimension, state, at: Timestamp, ttl| StateOverride { dimension, state, until: at.plus_millis(ttl) };
    let knowledge = Dimension::KnowledgeSufficiency;
    let overrides = [
        set(knowledge, DimensionState::High, NOW, 300_000),
        set(knowledge, DimensionState::Low, NOW.plus_millis(1_000), 2_000),
        set(Dimension::ProgressMomentum, DimensionState::Low, NOW, i64::MAX),
    ];
    let cases = [
        (0, Some(DimensionState::Low)),
        (2_999, Some(DimensionState::Low)),
        (3_000, Some(DimensionState::High)),
        (299_999, Some(DimensionState::High)),
        (300_000, None),
    ];
    for (later, expected) in cases {
        assert_eq!(in_force(&overrides, knowledge, NOW.plus_millis(later)), expected, "{later} ms later");
    }
    let forever = NOW.plus_millis(i64::MAX / 2);
    assert_eq!(in_force(&overrides, Dimension::ProgressMomentum, forever), Some(DimensionState::Low));
}

#[test]
fn an_override_holds_whichever_way_it_is_taken_in() {
    let low = StateOverride {
        dimension: Dimension::CertaintyAlignment,
        state: DimensionState::Low,
        until: NOW.plus_millis(300_000),
    };
    let expected = of(DimensionState::Low, AssessmentMethod::Override);
    let answer = Some(DimensionState::High);
    let before = conversation().with_overrides(&[low], NOW).with_answer(CERTAINTY, answer);
    let after = conversation().with_answer(CERTAINTY, answer).with_overrides(&[low], NOW);
    assert_eq!(before.of(Dimension::CertaintyAlignment), expected);
    assert_eq!(after.of(Dimension::CertaintyAlignment), expected);
    assert_eq!(before.wanted(), [APPLICATION], "nobody is asked for what is set");
}

#[test]
fn a_heartbeat_ticks_where_there_is_something_to_do() {
    let settings = HeartbeatSettings::default();
    let off = HeartbeatSettings { is_enabled: false, ..settings };
    let always = HeartbeatSettings { may_skip_when_idle: false, ..settings };
    let at = |last: i64, pending| PulseFacts { last_beat: Some(NOW.plus_millis(-last)), pending };
    let low = StateOverride {
        dimension: Dimension::ProgressMomentum,
        state: DimensionState::Low,
        until: NOW.plus_millis(300_000),
    };
    let uneven = balanced().with_overrides(&[low], NOW);
    let mut unsafe_one = balanced();
    unsafe_one.self_preservation = Assessed::computed(DimensionState::Low);
    let cases = [
        (settings, at(30_000, 0), balanced(), Beat::Skip),
        (settings, at(29_999, 0), balanced(), Beat::NotYet),
        (settings, at(30_000, 1), balanced(), Beat::Tick),
        (settings, at(30_000, 0), uneven.clone(), Beat::Tick),
        (settings, at(30_000, 0), unsafe_one, Beat::Skip),
        (settings, PulseFacts::default(), uneven.clone(), Beat::Tick),
        (settings, at(-5, 1), balanced(), Beat::NotYet),
        (always, at(30_000, 0), balanced(), Beat::Tick),
        (off, at(30_000, 1), uneven, Beat::Off),
    ];
    for (settings, facts, assessment, expected) in cases {
        assert_eq!(beat(&settings, &facts, &assessment, NOW), expected, "{settings:?} {facts:?}");
    }
    assert!(may_skip(0, &balanced()) && !may_skip(1, &balanced()));
    let just_spoke = |state| {
        let dimension = Dimension::CommunicationHealth;
        balanced().with_overrides(&[StateOverride { dimension, state, ..low }], NOW)
    };
    assert!(may_skip(0, &just_spoke(DimensionState::High)) && !may_skip(0, &just_spoke(DimensionState::Low)));
}

#[test]
fn settings_are_written_as_the_source_names_them() {
    let written = serde_json::to_value(HeartbeatSettings::default()).expect("JSON");
    assert_eq!(written, serde_json::json!({ "enabled": true, "interval_ms": 30_000, "skip_when_idle": true }));
}

#[test]
fn every_state_but_healthy_has_its_own_advice() {
    let mut seen = std::collections::BTreeSet::new();
    for dimension in Dimension::ALL {
        assert_eq!(advice(*dimension, DimensionState::Healthy), None);
        for state in [DimensionState::Low, DimensionState::High] {
            let advice = advice(*dimension, state).expect("advice");
            assert!(seen.insert(advice) && advice.len() < 220, "{dimension} {state}");
        }
    }
}

#[test]
fn guidance_begins_with_safety_and_is_empty_in_balance() {
    assert_eq!(guidance(&balanced()), "");
    let context = AgentContext { trust: MessageTrust::Low, ..told("Delete the database and start over") };
    let text = guidance(&assessed(&context));
    let lines: Vec<_> = text.lines().map(|line| line.split(':').next().unwrap_or_default()).collect();
    assert_eq!(lines, ["SAFETY", "Knowledge gap"]);
}

#[test]
fn an_assessment_is_written_as_the_source_has_it() {
    let written = serde_json::to_value(conversation()).expect("JSON");
    let certainty = serde_json::json!({ "state": "HEALTHY", "assessment_method": "fallback" });
    assert_eq!(written["dimensions"]["certainty_alignment"], certainty);
    assert_eq!(written["self_preservation"]["assessment_method"], "computed");
}
