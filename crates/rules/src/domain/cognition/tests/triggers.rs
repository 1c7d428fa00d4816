//! AFS 5.2.4, 5.3, 5.4: every trigger, gate and step of the critic's tone.

mod tone;

use serde_json::{Value, json};

use super::super::Amount;
use super::super::command::{Answer, Command, Fire, FiringVerdict, SetTone};
use super::super::critic::{Tone, ToneMood, ToneReason, next};
use super::super::custom::Custom;
use super::super::epistemic::{Contradiction, Unknown};
use super::super::gate::{AutoAccept, GateMode, Standing as Becomes, TriggerGate};
use super::super::limits::{CognitionLimits, DISABLED, ENABLED, PER_TRIGGER, all};
use super::super::mind::{Change, ConditionFate, Measured, Mind};
use super::super::refusal::Refusal;
use super::super::trigger::{AnalysisMode, DEFAULTS, SessionMetric, Trigger, TriggerPriority};
use super::room::room;
use annals_kernel::actor::Standing;
use annals_kernel::id::EntryId;
use annals_kernel::settings::{AnySetting as _, Settings};
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds * 1000)
}

/// What fires after a change at a time, the turn being over with it.
fn edges(mind: &mut Mind, seconds: i64, limits: &CognitionLimits) -> Vec<(String, ConditionFate)> {
    let cause = EntryId::new(at(seconds), 1);
    let mut found = Vec::new();
    mind.changed(&Change { cause, at: at(seconds), text: None, spin: Some(0) }, limits, Some(&mut found));
    mind.turn_ended(limits, Some(&mut found));
    found.into_iter().map(|edge| (edge.trigger.to_string(), edge.fate)).collect()
}

fn limits(sets: &[(&str, Value)]) -> CognitionLimits {
    let mut settings = Settings::default();
    for (key, value) in sets {
        settings.set(key, Some(value.clone()));
    }
    CognitionLimits::of(&settings)
}

type GivenMind = fn(&mut Mind);

/// AFS 5.3, the table of default triggers: what is just enough, and what is not quite.
#[test]
fn every_trigger_fires_at_its_threshold_and_not_before() {
    const STATED: &[SessionMetric] =
        &[SessionMetric::BaselineAccuracy, SessionMetric::ErrorAmplification, SessionMetric::CoordinationOverhead];
    let called = |mind: &mut Mind| mind.watch.calls = 1;
    let cases: [(&str, GivenMind, GivenMind); 13] = [
        ("spinning-critic", |mind| mind.watch.repeats = 4, |mind| mind.watch.repeats = 3),
        ("edits-without-tests", |mind| mind.watch.edits = 3, |mind| mind.watch.edits = 2),
        ("new-territory-explore", |mind| mind.watch.unfamiliar = true, |mind| mind.watch.unfamiliar = false),
        ("contradiction-debate", |mind| contradict(mind, None), |mind| contradict(mind, Some("b"))),
        ("high-anxiety-caution", |mind| anxious(mind, 701), |mind| anxious(mind, 700)),
        ("consecutive-failures", |mind| mind.watch.failures = 3, |mind| mind.watch.failures = 2),
        ("critical-unknowns", |mind| wonder(mind, true), |mind| wonder(mind, false)),
        ("high-cognitive-load", |mind| mind.stated.items = Some(6), |mind| mind.stated.items = Some(5)),
        ("low-strategy-effectiveness", |mind| works(mind, 299), |mind| works(mind, 300)),
        ("tool-repetition", |mind| mind.watch.same_tool = 5, |mind| mind.watch.same_tool = 4),
        (
            "baseline-too-high",
            |mind| stated(mind, SessionMetric::BaselineAccuracy, 451),
            |mind| {
                stated(mind, SessionMetric::BaselineAccuracy, 450);
            },
        ),
        (
            "error-amplification-warning",
            |mind| stated(mind, SessionMetric::ErrorAmplification, 10_001),
            |mind| {
                stated(mind, SessionMetric::ErrorAmplification, 10_000);
            },
        ),
        (
            "overhead-exceeded",
            |mind| stated(mind, SessionMetric::CoordinationOverhead, 1501),
            |mind| {
                stated(mind, SessionMetric::CoordinationOverhead, 1500);
            },
        ),
    ];
    let names: Vec<_> = DEFAULTS.iter().map(|row| row.0).collect();
    assert_eq!(names, cases.map(|(name, ..)| name));
    for (name, enough, not_quite) in cases {
        let fired = |given: GivenMind| {
            let mut mind = Mind::default();
            called(&mut mind);
            // Two agents, and thirteen tools.
            mind.watch.delegated = 1;
            mind.metrics.insert(SessionMetric::ToolCount, Amount::count(13));
            given(&mut mind);
            edges(&mut mind, 1, &limits(&[(DISABLED.key(), json!([]))]))
        };
        assert_eq!(fired(enough), [(name.to_owned(), ConditionFate::Fires)], "{name}");
        assert_eq!(fired(not_quite), [], "{name}");
    }
    let nobody = Mind::default();
    assert!(STATED.iter().all(|metric| nobody.metric(*metric, &limits(&[])).is_none()), "not computable");
}

fn contradict(mind: &mut Mind, resolution: Option<&str>) {
    let (fact_a, fact_b, detected_at) = ("a".into(), "b".into(), at(0));
    let resolution = resolution.map(Into::into);
    let one = Contradiction { id: "c".into(), fact_a, fact_b, detected_at, resolution };
    mind.epistemic.get_or_insert_default().contradictions.push(one);
}

fn wonder(mind: &mut Mind, critical: bool) {
    let unknown = Unknown { id: "u".into(), question: "?".into(), critical, answer: None };
    mind.epistemic.get_or_insert_default().unknowns.push(unknown);
}

fn anxious(mind: &mut Mind, thousandths: u16) {
    mind.emotions.get_or_insert_default().anxiety.level = Share::thousandths(thousandths);
}

fn works(mind: &mut Mind, thousandths: u16) {
    mind.stated.effectiveness = Some(Share::thousandths(thousandths));
}

fn stated(mind: &mut Mind, metric: SessionMetric, thousandths: i32) {
    mind.metrics.insert(metric, Amount::thousandths(thousandths));
}

/// AFS 5.3, actions and priorities of the table.
#[test]
fn every_trigger_calls_for_its_mode() {
    use AnalysisMode::{Council, Critic, Emotional, Eval, Metrics, Synergy, Tom};
    use TriggerPriority::{High, Low, Medium};
    let told: Vec<_> = DEFAULTS.iter().map(|row| (row.2, row.3)).collect();
    let expected = [
        (Critic, High),
        (Eval, Medium),
        (Tom, Low),
        (Council, High),
        (Emotional, High),
        (Metrics, High),
        (Synergy, Medium),
        (Emotional, Medium),
        (Metrics, Medium),
        (Critic, Low),
        (Metrics, Medium),
        (Metrics, High),
        (Metrics, Medium),
    ];
    assert_eq!(told, expected);
}

/// AFS 5.3, `cooldown_ms` and `max_triggers_per_session`.
#[test]
fn a_trigger_cools_down_and_is_spent() {
    let limits = limits(&[
        ("analysis.triggers.cooldown_ms", json!(60_000)),
        ("analysis.triggers.max_triggers_per_session", json!(2)),
    ]);
    let mut mind = Mind::default();
    let mut seen = Vec::new();
    for seconds in [0, 10, 60, 130] {
        mind.watch.failures = 3;
        mind.watch.calls += 1;
        seen.extend(edges(&mut mind, seconds, &limits).into_iter().map(|(_, fate)| fate));
        assert_eq!(edges(&mut mind, seconds, &limits), [], "it holds on");
        mind.watch.failures = 0;
        assert_eq!(edges(&mut mind, seconds, &limits), []);
    }
    assert_eq!(seen, [ConditionFate::Fires, ConditionFate::Cooling, ConditionFate::Fires, ConditionFate::Spent]);
    assert_eq!(mind.pending.len(), 2, "what is due");
}

/// AFS 13.3.
#[test]
fn triggers_can_be_disabled_and_changed() {
    let failing = |limits: &CognitionLimits| {
        let mut mind = Mind::default();
        (mind.watch.calls, mind.watch.failures) = (1, 3);
        edges(&mut mind, 1, limits).len()
    };
    assert_eq!(failing(&limits(&[])), 1);
    assert_eq!(failing(&limits(&[(ENABLED.key(), json!(false))])), 0);
    assert_eq!(failing(&limits(&[(DISABLED.key(), json!(["consecutive-failures"]))])), 0);
    let own = json!({ "consecutive-failures": { "thresholds": { "consecutive_failures": 4 } } });
    assert_eq!(failing(&limits(&[(PER_TRIGGER.key(), own)])), 0);
}

fn custom(condition: &Value) -> Result<Custom, String> {
    let trigger = json!({
        "id": "mine", "condition": condition, "action": { "mode": "critic", "priority": "critical" },
    });
    serde_json::from_value(trigger).map_err(|error| error.to_string())
}

/// AFS 5.3, the schema of a trigger.
#[test]
fn a_trigger_that_cannot_work_is_refused_with_what_it_needs() {
    for (condition, problem) in [
        (json!({ "type": "threshold", "metric": "anxiety_level" }), "needs a threshold"),
        (json!({ "type": "threshold", "threshold": 1 }), "needs a metric"),
        (json!({ "type": "threshold", "metric": "luck", "threshold": 1 }), "luck"),
        (json!({ "type": "pattern" }), "needs a pattern"),
        (json!({ "type": "pattern", "pattern": "(" }), "regex parse error"),
        (json!({ "type": "count", "pattern": "x" }), "a count from 1 to 1000"),
        (json!({ "type": "count", "count": 0 }), "a count from 1 to 1000"),
        (json!({ "type": "time" }), "within_ms above 0"),
        (json!({ "type": "luck" }), "luck"),
        (json!({ "type": "time", "within_ms": 1, "often": 2 }), "often"),
    ] {
        let error = custom(&condition).expect_err("a bad trigger");
        assert!(error.contains(problem), "{condition}: {error}");
    }
    let taken = json!({ "id": "tool-repetition", "condition": { "type": "time", "within_ms": 1 },
        "action": { "mode": "critic", "priority": "low" } });
    let error = serde_json::from_value::<Custom>(taken).expect_err("a name that is taken").to_string();
    assert!(error.contains("an id of its own"), "{error}");
}

/// AFS 5.3, `pattern`, `count`, `time`.
#[test]
fn triggers_of_a_projects_own_fire() {
    let of = |condition: Value| {
        let trigger = json!({ "id": "mine", "condition": condition, "cooldown_ms": 0,
            "action": { "mode": "review", "priority": "low", "auto_accept": true } });
        let mut limits = limits(&[("analysis.triggers.custom_triggers", json!([trigger]))]);
        limits.triggers.retain(|trigger| &*trigger.id == "mine");
        limits.patterns = std::mem::take(&mut limits.patterns).into_values().map(|pattern| (0, pattern)).collect();
        limits
    };
    let fires = |limits: &CognitionLimits, texts: &[(i64, &str)]| {
        let mut mind = Mind::default();
        let mut one = |(seconds, text): &(i64, &str)| {
            let change =
                Change { cause: EntryId::new(at(*seconds), 1), at: at(*seconds), text: Some(text), spin: Some(0) };
            let mut heard = Vec::new();
            mind.changed(&change, limits, Some(&mut heard));
            u8::from(!heard.is_empty())
        };
        texts.iter().map(&mut one).collect::<Vec<_>>()
    };
    let texts = [(0, "ok"), (10, "panicked at"), (20, "panicked at"), (40, "ok"), (90, "panicked at")];
    assert_eq!(fires(&of(json!({ "type": "pattern", "pattern": "panick" })), &texts), [0, 1, 1, 0, 1]);
    let count = json!({ "type": "count", "pattern": "panick", "count": 2, "within_ms": 30_000 });
    assert_eq!(fires(&of(count), &texts), [0, 0, 1, 0, 0]);
    assert_eq!(fires(&of(json!({ "type": "count", "count": 3 })), &texts), [0, 0, 1, 0, 0]);
    assert_eq!(fires(&of(json!({ "type": "time", "within_ms": 40_000 })), &texts), [0, 0, 0, 1, 1]);
    let auto = all(&{
        let mut settings = Settings::default();
        let trigger = json!([{ "id": "mine", "condition": { "type": "time", "within_ms": 1 },
            "action": { "mode": "review", "priority": "low", "autoAccept": true } }]);
        settings.set("analysis.triggers.custom_triggers", Some(trigger));
        settings
    });
    assert_eq!(auto.last().map(|trigger: &Trigger| trigger.auto_accept), Some(AutoAccept::Yes));
}

/// AFS 5.4.
#[test]
fn the_gate_says_who_is_asked() {
    use Becomes::{Accepted, Denied, Pending};
    let (no, yes) = (AutoAccept::No, AutoAccept::Yes);
    for (mode, own, auto, expected) in [
        (GateMode::ConfirmAll, None, no, Pending),
        (GateMode::ConfirmAll, Some(TriggerGate::Accept), no, Pending),
        (GateMode::ConfirmAll, None, yes, Accepted),
        (GateMode::AutoAccept, Some(TriggerGate::Deny), no, Accepted),
        (GateMode::AutoDeny, Some(TriggerGate::Accept), yes, Denied),
        (GateMode::Selective, None, no, Pending),
        (GateMode::Selective, Some(TriggerGate::Confirm), no, Pending),
        (GateMode::Selective, Some(TriggerGate::Accept), no, Accepted),
        (GateMode::Selective, Some(TriggerGate::Deny), yes, Denied),
    ] {
        assert_eq!(mode.judge(own, auto), expected, "{mode} {own:?} {auto:?}");
    }
}

/// AFS 5.2.4, the tone state machine.
#[test]
fn the_tone_is_milder_where_it_hurts_and_harsher_where_it_does_not() {
    use Tone::{Challenging, Direct, Harsh, Neutral};
    let limits = limits(&[]);
    let mood = |anxiety, frustrations, stable| ToneMood { anxiety: Share::thousandths(anxiety), frustrations, stable };
    for (tone, mood, expected) in [
        (Harsh, mood(700, 0, 0), None),
        (Harsh, mood(701, 0, 0), Some((Direct, ToneReason::Anxiety))),
        (Challenging, mood(701, 0, 9), Some((Direct, ToneReason::Anxiety))),
        (Direct, mood(900, 2, 9), None),
        (Direct, mood(900, 3, 0), Some((Neutral, ToneReason::Frustrations))),
        (Direct, mood(0, 3, 0), Some((Neutral, ToneReason::Frustrations))),
        (Harsh, mood(900, 3, 0), Some((Neutral, ToneReason::Frustrations))),
        (Neutral, mood(900, 5, 9), None),
        (Neutral, mood(0, 0, 4), None),
        (Neutral, mood(0, 0, 5), Some((Direct, ToneReason::Stable))),
        (Direct, mood(700, 2, 5), Some((Challenging, ToneReason::Stable))),
        (Challenging, mood(0, 0, 5), Some((Harsh, ToneReason::Stable))),
        (Harsh, mood(0, 0, 50), None),
    ] {
        assert_eq!(next(tone, &mood, &limits), expected, "{tone} {mood:?}");
    }
    assert_eq!(Tone::ALL.iter().map(|tone| tone.prefix().len()).collect::<Vec<_>>(), [0, 24, 43, 39]);
}

/// AFS 5.4 and DESIGN 1: a rule and a cause are said once, by the rules; the user answers.
#[test]
fn a_firing_is_said_once_by_the_rules_and_answered_once_by_the_user() {
    let mut ask = room();
    let cause = EntryId::new(at(1), 9);
    let fire = |trigger: &str| -> Command {
        Fire { session: "s".into(), trigger: trigger.into(), cause, measured: Measured::new() }.into()
    };
    let names = |events: Vec<super::super::Event>| events.iter().map(super::super::Event::name).collect::<Vec<_>>();
    assert_eq!(ask("coder", Standing::Stranger, fire("tool-repetition")), Err(Refusal::OnlySystem));
    let fired = ask("system", Standing::System, fire("tool-repetition")).expect("fired");
    let [super::super::Event::TriggerFired(first)] = fired.as_slice() else { panic!("{fired:?}") };
    let firing = first.firing.id;
    let again = Refusal::Happened { rule: "tool-repetition".into(), cause };
    assert_eq!(ask("system", Standing::System, fire("tool-repetition")), Err(again));
    assert!(matches!(ask("system", Standing::System, fire("nothing")), Err(Refusal::NotThere { .. })));
    let answer = |verdict| -> Command { Answer { session: "s".into(), firing, verdict }.into() };
    assert_eq!(ask("coder", Standing::Stranger, answer(FiringVerdict::Accept)), Err(Refusal::OnlyUser));
    assert_eq!(ask("system", Standing::System, answer(FiringVerdict::Accept)), Err(Refusal::OnlyUser));
    let accepted = ask("user", Standing::User, answer(FiringVerdict::Accept)).map(names);
    assert_eq!(accepted, Ok(vec!["analysis.trigger.accepted", "analysis.mode.activated"]));
    assert!(matches!(ask("user", Standing::User, answer(FiringVerdict::Deny)), Err(Refusal::Over { .. })));
}

/// AFS 5.3, `edits-without-tests`: a plan whose last step is the tests is no edit without them.
#[test]
fn edits_without_tests_are_judged_when_the_turn_is_over() {
    let limits = limits(&[]);
    let after = |tests_ran: bool| {
        let (mut mind, mut heard) = (Mind::default(), Vec::new());
        let mut step = |mind: &mut Mind, seconds| {
            let change = Change { cause: EntryId::new(at(seconds), 1), at: at(seconds), text: None, spin: Some(0) };
            mind.changed(&change, &limits, Some(&mut heard));
        };
        (mind.watch.calls, mind.watch.edits) = (3, 3);
        step(&mut mind, 1);
        assert!(mind.pending.is_empty(), "in the middle of a turn nothing is due");
        if tests_ran {
            mind.watch.tested();
            step(&mut mind, 2);
        }
        mind.turn_ended(&limits, Some(&mut heard));
        let due: Vec<_> = mind.pending.iter().map(|pending| pending.cause).collect();
        (heard.len(), due)
    };
    assert_eq!(after(false), (1, vec![EntryId::new(at(1), 1)]), "by the edit that was one too many");
    assert_eq!(after(true), (0, Vec::new()));
}

/// AFS 5.3: what an accepted firing called for is said once, by the rules, without a sentence.
#[test]
fn an_analysis_is_concluded_once_and_only_where_it_may_run() {
    use super::super::Event;
    use super::super::command::Conclude;
    use super::super::conclusion::{MOST_FOUND, MOST_SOURCES, ModeFinding};
    let mut room = super::room::TestRoom::new();
    let cause = EntryId::new(at(1), 9);
    let fire = Fire { session: "s".into(), trigger: "spinning-critic".into(), cause, measured: Measured::new() };
    let fired = room.ask("system", Standing::System, fire).expect("fired");
    let Some(Event::TriggerFired(fired)) = fired.first() else { panic!("{fired:?}") };
    let firing = fired.firing.id;
    let finding = ModeFinding {
        kind: "spinning".into(),
        grade: Some("minor".into()),
        target: None,
        sources: vec![cause; MOST_SOURCES + 1],
    };
    let conclude = |firing| Conclude {
        session: "s".into(),
        firing,
        found: vec![finding.clone(); MOST_FOUND + 1],
        total: 0,
        figures: [("mood.current".into(), "focused".into())].into(),
        recommended: None,
    };
    assert_eq!(room.ask("coder", Standing::Stranger, conclude(firing)), Err(Refusal::OnlySystem));
    assert!(matches!(room.ask("system", Standing::System, conclude(firing)), Err(Refusal::Over { .. })), "it waits");
    assert!(matches!(room.ask("system", Standing::System, conclude(cause)), Err(Refusal::NotThere { .. })));
    assert_eq!(room.mind().unconcluded().count(), 0);
    let verdict = FiringVerdict::Accept;
    room.ask("user", Standing::User, Answer { session: "s".into(), firing, verdict }).expect("accepted");
    assert_eq!(room.mind().unconcluded().map(|firing| firing.mode).collect::<Vec<_>>(), [AnalysisMode::Critic]);
    let said = room.ask("system", Standing::System, conclude(firing)).expect("concluded");
    let [Event::ModeConcluded(said)] = said.as_slice() else { panic!("{said:?}") };
    let shape = (said.found.len(), said.total, said.found[0].sources.len(), &*said.trigger);
    assert_eq!(shape, (MOST_FOUND, 21, MOST_SOURCES, "spinning-critic"), "bounded, and the rest is counted");
    let again = Refusal::Happened { rule: "spinning-critic".into(), cause: firing };
    assert_eq!(room.ask("system", Standing::System, conclude(firing)), Err(again));
    assert_eq!(room.mind().firing(firing).and_then(|firing| firing.found), Some(21));
}
