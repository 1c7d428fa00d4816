//! What comes, and why.

use super::*;
use crate::domain::knowledge::command::{Archive, Supersede};
use crate::domain::knowledge::index::MOST_IDS;
use crate::domain::knowledge::retrieve::{MOST_LOOKED_AT, retrieve};
use crate::domain::knowledge::trace::{EmptyReason, RetrievalTrace, Stage, StageCount};

fn trace(bench: &Bench, number: i64, ask: &Retrieve) -> RetrievalTrace {
    retrieve(&bench.state, ask, &bench.settings, day(number))
}

fn counts(trace: &RetrievalTrace) -> Vec<(Stage, u64, u64)> {
    trace.stages.iter().map(|StageCount { stage, before, after }| (*stage, *before, *after)).collect()
}

fn reasons(trace: &RetrievalTrace) -> Vec<EmptyReason> {
    trace.diagnosis.iter().map(|found| found.reason).collect()
}

/// Galatea, track 6, view 3: the stages in their order, with what went in and came out.
#[test]
fn every_stage_says_what_went_in_and_came_out_and_every_entry_why() {
    let mut bench = Bench::default();
    let named = bench.add(0, Add { entities: vec!["MQTT".into()], ..fact("The broker listens on 1883") });
    let worded = bench.add(0, fact("Sensors send their state every minute"));
    let old = bench.add(0, fact("Sensors send their state every hour"));
    let away = bench.add(0, fact("Sensors send nothing in the state of sleep"));
    let weak = bench.add(0, fact("Sensors are cheap"));
    bench.add(0, fact("The sky is blue"));
    assert_eq!(bench.no(1, Supersede { entry: old, by: worded }), None);
    assert_eq!(bench.no(1, Archive { entry: away, reason: None }), None);
    let ask = look_for("Which state do MQTT sensors send to clients, and how quickly?");
    let trace = trace(&bench, 2, &ask);
    assert_eq!(
        counts(&trace),
        [
            (Stage::Index, 6, 5),
            (Stage::FilterSuperseded, 5, 4),
            (Stage::FilterArchived, 4, 3),
            (Stage::EntityMatch, 3, 1),
            (Stage::KeywordMatch, 2, 1),
            (Stage::Limit, 2, 2),
        ]
    );
    let keywords = ["state", "mqtt", "sensors", "send", "clients", "quickly"].map(Box::<str>::from);
    assert_eq!((&trace.keywords[..], &trace.entities[..]), (&keywords[..], &["MQTT".into()][..]));
    let dropped = |id| trace.entries.iter().find(|line| line.entry == id).expect("it was looked at").dropped_at;
    assert_eq!([named, worded].map(dropped), [None, None]);
    let expected = [Stage::FilterSuperseded, Stage::FilterArchived, Stage::KeywordMatch].map(Some);
    assert_eq!([old, away, weak].map(dropped), expected);
    assert_eq!(trace.results, [worded, named]);
    assert_eq!(bench.came(2, ask), [worded, named], "a retrieval gives what the trace says");
}

/// Galatea 0: facts come when the message names what they are about, and nobody else's do.
#[test]
fn what_is_about_a_name_comes_where_the_query_has_it() {
    let mut bench = Bench::default();
    let alina = bench.add(0, Add { about: Some("Alina".into()), ..fact("Likes short answers") });
    let mqtt = bench.add(0, Add { entities: vec!["MQTT broker".into()], ..fact("Listens on 1883") });
    assert_eq!(bench.came(1, look_for("why does the mqtt broker drop messages")), [mqtt]);
    assert_eq!(bench.came(1, look_for("what would alina say?")), [alina]);
    let asked = Retrieve { entities: vec!["ALINA".into()], ..Retrieve::default() };
    assert_eq!(bench.came(1, asked), [alina]);
}

#[test]
fn what_shares_more_comes_first_then_what_is_stronger_then_what_is_newer() {
    let mut bench = Bench::default();
    let sure = |thousandths| Some(share(thousandths));
    let weak = bench.add(0, Add { confidence: sure(500), ..fact("red green") });
    let more = bench.add(0, Add { confidence: sure(500), ..fact("red green blue") });
    let strong = bench.add(0, Add { confidence: sure(900), ..fact("green red") });
    let newer = bench.add(1, Add { confidence: sure(500), ..fact("red and green") });
    assert_eq!(bench.came(1, look_for("red green blue")), [strong, more, newer, weak]);
    assert_eq!(bench.came(1, Retrieve { limit: Some(2), ..look_for("red green blue") }), [strong, more]);
    assert_eq!(bench.came(1, Retrieve { limit: Some(0), ..look_for("red") }), []);
}

/// Of what scores as much, that comes first on which most hangs.
#[test]
fn impact_decides_where_the_score_does_not() {
    let mut bench = Bench::default();
    let high = bench.add(0, Add { impact: Some(Effect::High), ..fact("red green") });
    let low = bench.add(0, Add { impact: Some(Effect::Low), ..fact("green red") });
    let newest = bench.add(0, fact("red and green"));
    assert_eq!(bench.came(1, look_for("red green")), [high, low, newest]);
}

#[test]
fn too_small_a_part_of_the_keywords_is_no_match_and_the_bound_itself_is_one() {
    let mut bench = Bench::default();
    let id = bench.add(0, fact("red"));
    assert_eq!(bench.came(1, look_for("red green blue white")), [id]);
    assert_eq!(bench.came(1, look_for("red green blue white black")), []);
    bench.set("retrieval.min_keyword_overlap", serde_json::json!(0.2));
    assert_eq!(bench.came(1, look_for("red green blue white black")), [id]);
    bench.set("retrieval.stop_words", serde_json::json!(["red"]));
    assert_eq!(bench.came(1, look_for("red")), []);
}

/// Decision 22, 23: what has faded does not come, and asking for it does not bring it back.
#[test]
fn what_has_faded_does_not_come() {
    let mut bench = Bench::default();
    let id = bench.add(0, fact("The sky is blue"));
    assert_eq!(bench.came(50, look_for("sky")), []);
    let kept = bench.state.entry(id).expect("it is there");
    assert_eq!((kept.last_retrieved_at, kept.retrievals), (None, 0));
    assert_eq!(bench.state.totals.empty_retrievals, 1);
}

/// Galatea, track 6, view 3: "Auto-diagnosis".
#[test]
fn where_nothing_comes_it_says_why() {
    let mut bench = Bench::default();
    assert_eq!(reasons(&trace(&bench, 0, &look_for("sky"))), [EmptyReason::NothingKnown]);
    let id = bench.add(0, fact("The sky over Berlin is blue"));
    let of = |bench: &Bench, number, ask: &Retrieve| reasons(&trace(bench, number, ask));
    assert_eq!(of(&bench, 1, &look_for("xylophone")), [EmptyReason::NoEntities, EmptyReason::UnknownKeywords]);
    assert_eq!(of(&bench, 1, &look_for("what is it")), [EmptyReason::NoEntities, EmptyReason::NoKeywords]);
    let mismatch = trace(&bench, 1, &look_for("blue green red white black"));
    assert_eq!(reasons(&mismatch), [EmptyReason::KeywordMismatch, EmptyReason::NoEntities]);
    assert_eq!(mismatch.diagnosis[0].closest, [id]);
    let rule = Retrieve { kind: Some(KnowledgeKind::Rule), ..look_for("Berlin") };
    assert_eq!(of(&bench, 1, &rule), [EmptyReason::OtherType]);
    assert_eq!(of(&bench, 99, &look_for("Berlin")), [EmptyReason::Archived]);
    let new = bench.add(1, fact("Snow"));
    assert_eq!(bench.no(1, Supersede { entry: id, by: new }), None);
    assert_eq!(of(&bench, 1, &look_for("Berlin")), [EmptyReason::Superseded]);
}

#[test]
fn a_retrieval_needs_something_to_look_for() {
    let mut bench = Bench::default();
    assert_eq!(bench.no(0, look_for("  ")), Some(Refusal::NoQuery));
    let bad = Retrieve { entities: vec!["a\nb".into()], ..Retrieve::default() };
    assert_eq!(bench.no(0, bad), Some(Refusal::BadName { most: 80 }));
}

#[test]
fn other_scripts_and_identifiers_are_found() {
    let mut bench = Bench::default();
    for (content, query) in [
        ("Сервер работает на порту 8080", "на каком порту сервер"),
        ("数据库在上海的服务器上", "服务器在哪里"),
        ("データベースは東京にあります", "東京のデータベース"),
        ("فريق الخادم يعمل ليلا", "متى يعمل فريق الدعم"),
        ("ο διακομιστής είναι αργός", "γιατί ο διακομιστής"),
        ("GitTemporaryDirectory cleans up", "temporary directories"),
        ("call send_with_retries", "retries"),
        ("the cities are far", "which city"),
    ] {
        let id = bench.add(0, fact(content));
        assert_eq!(bench.came(1, look_for(query)), [id], "{query}");
    }
}

/// What is looked at is bounded: of a word that very many entries hold, the latest are found by it.
#[test]
fn of_what_is_everywhere_the_latest_is_found_and_the_trace_says_so() {
    let mut bench = Bench::default();
    let ids: Vec<EntryId> = (0..600).map(|number| bench.add(0, fact(&format!("sky number {number}")))).collect();
    let trace = trace(&bench, 1, &look_for("sky"));
    assert_eq!(trace.cut, ["sky".into()]);
    assert_eq!(trace.entries.len(), MOST_LOOKED_AT.min(MOST_IDS));
    assert_eq!(trace.results.first(), ids.last());
    assert_eq!(bench.came(1, look_for("sky number 7")).first(), Some(&ids[7]), "a rare word finds what is old");
}
